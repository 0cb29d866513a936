//! Conversions: every sample of `tests/data/formats` into every format and back,
//! through `chuhe convert` as a library and as a program.

use chuhe::position::Position;
use chuhe::records::encoding::TextEncoding;
use chuhe::records::{GameResult, Record, read_all};
use chuhe::tools::convert::{ConvertOptions, Target, convert};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ENDINGS: [&str; 3] = [".pgn", ".ubb", ".xqf"];

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let entries = fs::read_dir(folder).expect("the samples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_sample = |path: &PathBuf| {
        let name = path.to_string_lossy();
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_sample).collect();
    paths.sort();
    assert_eq!(paths.len(), 90);
    paths
}

fn folder(name: &str) -> PathBuf {
    let name = format!("chuhe-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(inputs: Vec<PathBuf>, out: &Path, target: Target, encoding: TextEncoding) {
    let options = ConvertOptions {
        inputs,
        out: out.to_owned(),
        target,
        encoding,
        force: false,
    };
    let complain = |line: String| panic!("{target}: {line}");
    let report = convert(&options, &complain, &|_| {}, &|| {}).expect("a plan");
    assert_eq!((report.games, report.failures), (90, 0), "{target}");
}

fn only_game(path: &Path) -> Record {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut records = read_all(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn last_position(record: &Record) -> Position {
    let mut position = record.start().clone();
    for mv in record.moves() {
        position.make(mv);
    }
    position
}

#[test]
fn every_sample_survives_every_format() {
    let folder = folder("every-format");
    fs::create_dir(folder.join("x")).expect("a folder");
    let samples = samples();
    for target in Target::ALL {
        for encoding in [TextEncoding::Utf8, TextEncoding::Gb18030] {
            let out = folder.join(format!("{target}-{}", encoding.name()));
            fs::create_dir(&out).expect("a folder");
            run(samples.clone(), &out, target, encoding);
            for sample in &samples {
                let original = only_game(sample);
                let name = Path::new(sample.file_name().expect("a name"));
                let written = only_game(&out.join(name).with_extension(target.extension()));
                if target == Target::Epd {
                    let (a, b) = (last_position(&original), written.start());
                    assert_eq!(a.key(), b.key(), "{}", sample.display());
                    continue;
                }
                assert_eq!(
                    written.start(),
                    original.start(),
                    "{target} {}",
                    sample.display()
                );
                assert_eq!(
                    written.moves(),
                    original.moves(),
                    "{target} {}",
                    sample.display()
                );
                if !matches!(target, Target::Ucci | Target::Fen) {
                    assert_eq!(written.result(), original.result(), "{target}");
                }
                if !matches!(target, Target::Ucci | Target::Fen | Target::Rows) {
                    assert!(written.tree() == original.tree(), "{target}: comments");
                }
            }
        }
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_program_converts_a_folder_and_says_what_failed() {
    let folder = folder("program");
    let (from, to) = (folder.join("in"), folder.join("out"));
    fs::create_dir(&from).expect("a folder");
    for sample in samples().iter().take(5) {
        fs::copy(sample, from.join(sample.file_name().expect("a name"))).expect("copied");
    }
    fs::write(from.join("bad.xqf"), b"XQ\x0a").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["convert", "--to", "rows", "--out"])
        .args([&to, &from])
        .output()
        .expect("the binary starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert_eq!(out, "6 files, 5 games, 1 failures\n");
    assert!(
        err.contains("bad.xqf: the file ends inside the header"),
        "{err}"
    );
    assert_eq!(fs::read_dir(&to).expect("there").count(), 5);
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_program_shows_a_game_and_draws_it() {
    let folder = folder("show");
    let game = folder.join("game.txt");
    fs::write(&game, "1-0\t-\th2e2 h9g7\n").expect("written");
    let show = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .arg("show")
            .args(arguments)
            .output()
            .expect("the binary starts");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let file = game.to_str().expect("UTF-8");
    assert!(show(&[file]).contains("last move h9g7"));
    let picture = folder.join("game.svg");
    let drawn = show(&[
        file,
        "--ply",
        "1",
        "--svg",
        picture.to_str().expect("UTF-8"),
    ]);
    assert_eq!(drawn, "");
    let svg = fs::read_to_string(picture).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.contains('帥'));
    assert!(show(&["--fen", "startpos", "--moves", "炮二平五"]).contains("last move h2e2"));
    assert_eq!(only_game(&game).result(), GameResult::RedWins);
    fs::remove_dir_all(folder).expect("removed");
}
