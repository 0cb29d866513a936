//! `chuhe analyse` on real records: every report holds the whole game.

use chuhe::eval::nnue;
use chuhe::records::read_all;
use chuhe::rules::Rules;
use chuhe::search::Limits;
use chuhe::tools::analyse::{self, AnalyseError, AnalyseOptions};
use std::fs;
use std::path::{Path, PathBuf};

fn options(files: &[&Path], out: &Path) -> AnalyseOptions {
    AnalyseOptions {
        files: files.iter().map(|&path| path.to_owned()).collect(),
        limits: Limits {
            nodes: Some(300),
            ..Limits::default()
        },
        multi_pv: 2,
        hash_mb: 1,
        network: nnue::built_in(),
        rules: Rules::default(),
        pgn: Some(out.join("out.pgn")),
        json: Some(out.join("out.json")),
        html: Some(out.join("out.html")),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn every_report_holds_the_whole_game_and_bad_files_are_named() {
    let out = folder("analyse");
    let game = Path::new("tests/data/formats/sample01.utf8.pgn");
    let missing = Path::new("tests/data/no_such_game.pgn");
    let mut complaints = Vec::new();
    let options = options(&[missing, game], &out);
    let games = analyse::run(&options, &mut |line| complaints.push(line)).expect("it runs");
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].contains("no_such_game"), "{complaints:?}");

    let record = &read_all(&fs::read(game).expect("the sample is there")).expect("a record")[0];
    let plies = record.moves().len();
    assert_eq!(games[0].positions.len(), plies + 1);
    assert!(games[0].positions.iter().all(|here| here.lines.len() <= 2));

    let annotated = fs::read(out.join("out.pgn")).expect("the PGN is written");
    let annotated = &read_all(&annotated).expect("it can be read back")[0];
    assert_eq!(annotated.moves(), record.moves());

    let json = fs::read_to_string(out.join("out.json")).expect("the JSON is written");
    let data: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let positions = data[0]["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), plies + 1);
    assert_eq!(
        positions[0]["played"]["move"].as_str(),
        Some(record.moves()[0].to_string().as_str())
    );

    let page = fs::read_to_string(out.join("out.html")).expect("the page is written");
    assert!(page.contains("\"positions\":["));
    assert!(!page.contains("/*DATA*/") && !page.contains("http://localhost"));
    assert!(
        fs::read_dir(&out).expect("the folder").count() == 3,
        "no draft is left"
    );
    fs::remove_dir_all(out).expect("the folder is there");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let out = folder("analyse-unwritable");
    let game = Path::new("tests/data/formats/sample01.utf8.pgn");
    let mut options = options(&[game], &out);
    options.limits.nodes = Some(1);
    options.pgn = Some(out.join("no/such/folder/out.pgn"));
    let error = analyse::run(&options, &mut |_| {}).expect_err("nowhere to write");
    assert!(matches!(error, AnalyseError::Write(..)), "{error}");
    options.files.clear();
    let error = analyse::run(&options, &mut |_| {}).expect_err("nothing to read");
    assert!(matches!(error, AnalyseError::NoGame), "{error}");
    fs::remove_dir_all(out).expect("the folder is there");
}
