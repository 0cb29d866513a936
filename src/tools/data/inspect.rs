//! Looking at data files: `count`, `verify` and `inspect`.

use super::manifest::{Named, file_name, path_beside};
use super::source::{self, Content, Parsed};
use super::tally::Tally;
use crate::tools::datagen::game_file::SelfPlayGame;
use crate::tools::progress_bar;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookOptions {
    /// A JSON object for each file instead of a line for a person.
    pub json: bool,
    /// Whether damage makes the look fail, and manifests are checked.
    pub verify: bool,
}

/// What is said about a file.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    kind: &'static str,
    stored_bytes: usize,
    fnv1a: &'a str,
    fault: Option<String>,
    #[serde(flatten)]
    tally: Tally,
}

/// Says what each file holds and what all hold together, on the current rayon
/// pool; returns how many files have a fault. `complain` gets a line for each.
///
/// # Errors
/// If `out` cannot be written or a folder cannot be read.
pub fn look(
    paths: &[PathBuf],
    options: LookOptions,
    out: &mut dyn Write,
    complain: &mut dyn FnMut(String),
) -> io::Result<usize> {
    let files = source::expand(paths).map_err(io::Error::other)?;
    let bar = progress_bar(files.len() as u64);
    let (mut total, mut bytes, mut faulty) = (Tally::default(), 0, 0);
    for path in &files {
        bar.inc(1);
        let content = match source::load(path) {
            Ok(content) => content,
            Err(fault) => {
                faulty += 1;
                complain(fault.to_string());
                continue;
            }
        };
        let mut parsed = Parsed::new(&content);
        let tally = Tally::of(&parsed.games);
        if options.verify {
            parsed.keep_legal();
            check_manifest(path, &content, &mut parsed);
        }
        let complaint = parsed.complaint(path);
        print_file(path, &content, tally, complaint.clone(), options, out)?;
        if let Some(complaint) = complaint {
            faulty += 1;
            complain(complaint);
        }
        total += tally;
        bytes += content.stored_bytes;
    }
    bar.finish_and_clear();
    if files.len() > 1 && !options.json {
        let each = bytes as f64 / total.kept.max(1) as f64;
        writeln!(
            out,
            "all {} files: {total}; {each:.2} bytes a kept position",
            files.len()
        )?;
    }
    out.flush()?;
    Ok(faulty)
}

fn print_file(
    path: &Path,
    content: &Content,
    tally: Tally,
    fault: Option<String>,
    options: LookOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Content {
        kind,
        stored_bytes,
        hash,
        ..
    } = content;
    if options.json {
        let line = Line {
            file: &path.to_string_lossy(),
            kind: kind.name(),
            stored_bytes: *stored_bytes,
            fnv1a: hash,
            fault,
            tally,
        };
        let text = serde_json::to_string(&line).map_err(io::Error::other)?;
        return writeln!(out, "{text}");
    }
    let each = *stored_bytes as f64 / tally.kept.max(1) as f64;
    let (path, kind) = (path.display(), kind.name());
    writeln!(
        out,
        "{path}: {kind}, {tally}; {each:.2} bytes a kept position"
    )
}

/// Compares a file with the manifests of its folder that name it.
fn check_manifest(path: &Path, content: &Content, parsed: &mut Parsed) {
    let name = file_name(path);
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let manifests = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"));
    for manifest in manifests {
        let named = match Named::read(&manifest) {
            Ok(named) => named,
            Err(fault) => {
                // Others may be no business of ours.
                if manifest == path_beside(path) {
                    parsed.add_fault(fault);
                }
                continue;
            }
        };
        let entry = named.data.iter().find(|file| file.file == name);
        if let Some(file) = entry
            && file.fnv1a != content.hash
        {
            let (hash, expected) = (&content.hash, &file.fnv1a);
            let manifest = file_name(&manifest);
            parsed.add_fault(format!("its hash is {hash}, {manifest} says {expected}"));
        }
    }
}

/// Prints a game, numbered from 1, with the score of every ply.
///
/// # Errors
/// If there is no such game or `out` cannot be written.
pub fn print_game(path: &Path, number: usize, out: &mut dyn Write) -> io::Result<()> {
    let content = source::load(path).map_err(io::Error::other)?;
    let games = Parsed::new(&content).games;
    let Some(game) = number.checked_sub(1).and_then(|index| games.get(index)) else {
        let text = format!("{}: no game {number} of {}", path.display(), games.len());
        return Err(io::Error::other(text));
    };
    writeln!(out, "game {number} of {}", games.len())?;
    print(game, out)?;
    out.flush()
}

fn print(game: &SelfPlayGame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "start {}", game.start.to_fen())?;
    writeln!(out, "result for Red {:?}", game.result)?;
    for (ply, scored) in game.plies.iter().enumerate() {
        writeln!(out, "{:4} {} {}", ply + 1, scored.mv, scored.score)?;
    }
    Ok(())
}
