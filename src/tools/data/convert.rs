//! Turning data files into other data files: one into one, or many into one.

use super::manifest::{DataFile, DataManifest, file_name, path_beside};
use super::record::{self, Filter};
use super::source::{self, DataError, Parsed};
use super::tally::Tally;
use super::{archive, hash_text};
use crate::tools::datagen::game_file::{SelfPlayGame, write_game};
use crate::tools::output::{self, WriteError};
use crate::tools::progress_bar;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A game file.
    Games,
    /// An archive.
    Archive,
    /// Training records, as the trainer's usual filter leaves them (copies are
    /// left to the trainer).
    Records,
}

impl Form {
    /// The form that a file name asks for.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gam" => Some(Self::Games),
            "arc" => Some(Self::Archive),
            "rec" => Some(Self::Records),
            _ => None,
        }
    }

    /// The ending of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Games => "gam",
            Self::Archive => "arc",
            Self::Records => "rec",
        }
    }

    /// The bytes of a file of these games, which are all legal.
    ///
    /// # Errors
    /// If one is not.
    pub fn write(self, games: &[SelfPlayGame]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        match self {
            Self::Games => games.iter().for_each(|game| write_game(game, &mut bytes)),
            Self::Archive => return archive::encode(games),
            Self::Records => {
                for game in games {
                    let mut receive = |_, sample: record::Sample| {
                        bytes.extend_from_slice(&sample.packed);
                    };
                    record::positions(game, Filter::default(), &mut receive)
                        .map_err(|fault| fault.to_string())?;
                }
            }
        }
        Ok(bytes)
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Games, Self::Archive, Self::Records]
            .into_iter()
            .find(|form| form.extension() == text)
            .ok_or_else(|| format!("'{text}' is not gam, arc or rec"))
    }
}

/// Why nothing was written.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The input cannot be found.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The output's name does not tell its form.
    #[error("{0} ends neither in .gam nor in .arc nor in .rec")]
    Form(PathBuf),
    /// A file would be written over what it is made from.
    #[error("{0} is both read and to be written")]
    Same(PathBuf),
    /// Two files would be written under one name.
    #[error("several files would become {0}")]
    Twice(PathBuf),
    /// There is nothing to write.
    #[error("no game could be read")]
    Nothing,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// What was written.
    pub tally: Tally,
    /// Bytes written.
    pub bytes: u64,
    /// Files that were damaged, or could not be used at all.
    pub faulty_files: usize,
}

/// Writes the games of all files into one, with its manifest, on the current
/// rayon pool. `complain` gets a line for each file with a fault; the rest of it
/// and the other files are used.
///
/// # Errors
/// See [`ConvertError`]; nothing is written then.
pub fn merge(
    inputs: &[PathBuf],
    output: &Path,
    complain: &mut dyn FnMut(String),
) -> Result<Done, ConvertError> {
    let form = Form::of(output).ok_or_else(|| ConvertError::Form(output.to_owned()))?;
    let mut done = Done::default();
    let (mut games, mut files) = (Vec::new(), Vec::new());
    let inputs = source::expand(inputs)?;
    none_is_read(&inputs, output)?;
    let bar = progress_bar(inputs.len() as u64);
    for path in &inputs {
        if let Some((read, file)) = legal_games(path, &mut done, complain) {
            games.extend(read);
            files.push(file);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    write(&games, output, form, files, &mut done)?;
    Ok(done)
}

/// Writes a file of this form into the folder for each input, with its manifest.
///
/// # Errors
/// See [`ConvertError`]; files already written stay.
pub fn convert(
    inputs: &[PathBuf],
    folder: &Path,
    form: Form,
    complain: &mut dyn FnMut(String),
) -> Result<Done, ConvertError> {
    std::fs::create_dir_all(folder).map_err(|fault| WriteError::new(folder, fault))?;
    let mut done = Done::default();
    let inputs = source::expand(inputs)?;
    let outputs = outputs(&inputs, folder, form)?;
    let bar = progress_bar(inputs.len() as u64);
    for (path, output) in inputs.iter().zip(&outputs) {
        if let Some((games, file)) = legal_games(path, &mut done, complain) {
            write(&games, output, form, vec![file], &mut done)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if done.tally.games == 0 {
        return Err(ConvertError::Nothing);
    }
    Ok(done)
}

/// Where each input goes: every name once, and none of them an input's.
fn outputs(inputs: &[PathBuf], folder: &Path, form: Form) -> Result<Vec<PathBuf>, ConvertError> {
    let mut outputs: Vec<PathBuf> = Vec::with_capacity(inputs.len());
    for path in inputs {
        let name = file_name(path);
        let name = name.strip_suffix(".zst").unwrap_or(&name);
        let output = folder.join(name).with_extension(form.extension());
        none_is_read(inputs, &output)?;
        if outputs.contains(&output) {
            return Err(ConvertError::Twice(output));
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// The games of a file that can be played; `None` if it has none.
fn legal_games(
    path: &Path,
    done: &mut Done,
    complain: &mut dyn FnMut(String),
) -> Option<(Vec<SelfPlayGame>, DataFile)> {
    let content = match source::load(path) {
        Ok(content) => content,
        Err(fault) => {
            complain(fault.to_string());
            done.faulty_files += 1;
            return None;
        }
    };
    let mut parsed = Parsed::new(&content);
    parsed.keep_legal();
    if let Some(complaint) = parsed.complaint(path) {
        complain(complaint);
        done.faulty_files += 1;
    }
    let file = DataFile::new(path, &content, &parsed);
    (!parsed.games.is_empty()).then_some((parsed.games, file))
}

/// Refuses an output that is one of the inputs.
fn none_is_read(inputs: &[PathBuf], output: &Path) -> Result<(), ConvertError> {
    match inputs.iter().find(|path| is_same(path, output)) {
        Some(path) => Err(ConvertError::Same(path.clone())),
        None => Ok(()),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn write(
    games: &[SelfPlayGame],
    output: &Path,
    form: Form,
    sources: Vec<DataFile>,
    done: &mut Done,
) -> Result<(), ConvertError> {
    if games.is_empty() {
        return Err(ConvertError::Nothing);
    }
    let bytes = form
        .write(games)
        .map_err(|text| WriteError::new(output, io::Error::other(text)))?;
    output::write_whole(output, &bytes)?;
    let tally = Tally::of(games);
    let file = DataFile {
        file: file_name(output),
        fnv1a: hash_text(&bytes),
        games: tally.games,
    };
    DataManifest::new(tally, vec![file], sources).write(&path_beside(output))?;
    done.tally += tally;
    done.bytes += bytes.len() as u64;
    Ok(())
}

impl Parsed {
    /// Leaves games with an illegal move out.
    pub fn keep_legal(&mut self) {
        let replayed: Vec<_> = self
            .games
            .par_iter()
            .map(|game| record::positions(game, Filter::default(), &mut |_, _| {}).err())
            .collect();
        let mut faults = replayed.iter();
        self.games
            .retain(|_| faults.next().is_some_and(Option::is_none));
        for (number, fault) in replayed.iter().enumerate() {
            if let Some(fault) = fault {
                self.add_fault(format!("game {}: {fault}", number + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::random_games;
    use super::*;

    /// A folder of this test's own, removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("chuhe-data-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn quiet(text: String) {
        panic!("{text}");
    }

    #[test]
    fn game_files_archives_and_records_hold_the_same() {
        let folder = Folder::new("round");
        let bytes = Form::Games.write(&random_games(30)).unwrap();
        let original = folder.write("a.gam", &bytes);
        let run = |from: &Path, form: Form| {
            let done = convert(&[from.to_owned()], &folder.0.join("out"), form, &mut quiet);
            assert_eq!(done.unwrap().tally.games, 30);
            folder
                .0
                .join("out")
                .join("a")
                .with_extension(form.extension())
        };
        let archive = run(&original, Form::Archive);
        // (Random moves and scores hardly pack.)
        assert!(std::fs::metadata(&archive).unwrap().len() < bytes.len() as u64);
        let back = run(&archive, Form::Games);
        assert_eq!(std::fs::read(&back).unwrap(), bytes);
        let records = |from: &Path| std::fs::read(run(from, Form::Records)).unwrap();
        let expected = records(&original);
        assert!(!expected.is_empty() && expected.len().is_multiple_of(32));
        assert_eq!(records(&archive), expected);
        // The manifest tells both ends.
        let manifest = std::fs::read_to_string(path_beside(&archive)).unwrap();
        assert!(manifest.contains(&hash_text(&std::fs::read(&archive).unwrap())));
        assert!(manifest.contains(&hash_text(&bytes)) || manifest.contains("a.gam"));
    }

    #[test]
    fn a_damaged_file_costs_a_line_and_no_other_file() {
        let folder = Folder::new("damage");
        let games = random_games(4);
        let bytes = Form::Games.write(&games).unwrap();
        let last = Form::Games.write(&games[3..]).unwrap().len();
        let mut flipped = bytes.clone();
        flipped[28] = 77; // the result of the first game
        let mut illegal = bytes.clone();
        illegal[32..34].copy_from_slice(&81u16.to_le_bytes()); // a0a9
        let inputs = [
            folder.write("good.gam", &bytes),
            folder.write("short.gam", &bytes[..bytes.len() - last / 2]),
            folder.write("flipped.gam", &flipped),
            folder.write("illegal.gam", &illegal),
            folder.write(
                "foreign.gam",
                b"#!/bin/sh\necho this is no game file, not even nearly\n",
            ),
            folder.write(
                "foreign.arc",
                b"CHUHEARC, but of a much later time, by its number",
            ),
            folder.0.join("missing.gam"),
        ];
        let mut lines = Vec::new();
        let output = folder.0.join("all.arc");
        let done = merge(&inputs, &output, &mut |line| lines.push(line)).unwrap();
        assert_eq!((done.tally.games, done.faulty_files), (4 + 3 + 3 + 3, 6));
        assert_eq!(lines.len(), 6, "{lines:?}");
        let offset = bytes.len() - last;
        for (line, part) in lines.iter().zip([
            format!("short.gam: the file ends inside the game at byte {offset}; 3 games are whole"),
            "flipped.gam: the game at byte 0 is damaged: result 77; 3 games".to_owned(),
            "illegal.gam: game 1: ply 0 is the illegal move a0a9; 3 games".to_owned(),
            "foreign.gam holds no games: the game at byte 0 does not start".to_owned(),
            "foreign.arc holds no games: archive version".to_owned(),
            "missing.gam: ".to_owned(),
        ]) {
            assert!(line.contains(&part), "{line}\n{part}");
        }
        let content = source::load(&output).unwrap();
        assert_eq!(Parsed::new(&content).games.len(), 13);
    }

    #[test]
    fn nothing_is_written_over_what_is_read() {
        let folder = Folder::new("same");
        let bytes = Form::Games.write(&random_games(1)).unwrap();
        let path = folder.write("a.gam", &bytes);
        let fault = merge(std::slice::from_ref(&path), &path, &mut quiet).unwrap_err();
        assert!(matches!(fault, ConvertError::Same(_)), "{fault}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let fault = merge(&[path], &folder.0.join("a.zip"), &mut quiet).unwrap_err();
        assert!(matches!(fault, ConvertError::Form(_)), "{fault}");
    }

    #[test]
    fn no_output_takes_an_input_or_a_name_twice() {
        let folder = Folder::new("clash");
        let games = Form::Games.write(&random_games(1)).unwrap();
        let archive = Form::Archive.write(&random_games(2)).unwrap();
        let first = folder.write("a.gam", &games);
        let second = folder.write("a.arc", &archive);
        let inputs = [first.clone(), second.clone()];
        let fault = convert(&inputs, &folder.0, Form::Archive, &mut quiet).unwrap_err();
        assert!(matches!(fault, ConvertError::Same(_)), "{fault}");
        let out = folder.0.join("out");
        let fault = convert(&inputs, &out, Form::Records, &mut quiet).unwrap_err();
        assert!(matches!(fault, ConvertError::Twice(_)), "{fault}");
        // Nothing was touched.
        assert_eq!(std::fs::read(&first).unwrap(), games);
        assert_eq!(std::fs::read(&second).unwrap(), archive);
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
    }
}
