//! `chuhe judge` as its users meet it: the real binary, its output and its exit
//! status.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Red checks with every ply; the position occurs for the third time at ply 8.
const PERPETUAL_CHECK: &str = "fen 4k4/R8/9/9/9/9/9/9/9/3K5 w moves \
    a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";

/// Red chases a cannon that only a pinned horse protects.
const CHASE_FEN: &str = "4k4/9/4n4/9/3c5/9/9/9/5R3/4K4 w";
const CHASE: &str = "f1d1 d5f5 d1f1 f5d5 f1d1 d5f5 d1f1 f5d5";

/// A folder of files for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("judge-{name}"));
        fs::create_dir_all(&path).expect("a folder of our own");
        Self(path)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, contents).expect("our own file");
        path
    }
}

fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("judge").args(arguments);
    command
}

fn judge(arguments: &[&str], files: &[&Path]) -> Output {
    let output = chuhe(arguments).args(files).output();
    output.expect("the binary starts")
}

/// Judges what is written to its standard input.
fn judge_text(arguments: &[&str], text: &str) -> Output {
    let mut child = chuhe(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn json_lines(output: &Output) -> Vec<Value> {
    out(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[track_caller]
fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in\n{text}");
    }
}

#[test]
fn perpetual_check_loses_and_the_exit_status_says_so() {
    let output = judge_text(&["--rules", "axf"], PERPETUAL_CHECK);
    assert_contains(
        &out(&output),
        &[
            "standard input: 8 plies",
            "Red loses (红负): repetition (循环反复) at ply 8, perpetual check (长将)",
            "Red: perpetual check (长将): forbidden",
            "5. Red   a8a9 车九进一  check (将)",
            "check by rook (车) a9",
            "Red (红) to move",
        ],
    );
    assert_eq!((status(&output), err(&output).as_str()), (11, ""));
    // One ply less, and it is not over.
    let (open, _) = PERPETUAL_CHECK.rsplit_once(' ').expect("many moves");
    let output = judge_text(&[], open);
    assert_contains(
        &out(&output),
        &["goes on", "Not yet ruled on; Red must vary"],
    );
    assert_eq!(status(&output), 0);
}

#[test]
fn a_chase_is_explained_by_every_rule_set() {
    let output = judge(
        &[
            "--rules", "all", "--json", "--fen", CHASE_FEN, "--moves", CHASE,
        ],
        &[],
    );
    let lines = json_lines(&output);
    let results: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| {
            (
                line["rules"].as_str().unwrap(),
                line["result"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        results,
        [
            ("CXA", "red_loses"),
            ("AXF", "red_loses"),
            ("Computer", "red_loses"),
            ("Sky", "continue"),
            ("Classic1956", "red_loses"),
            ("Classic1959", "red_loses"),
            ("None", "draw"),
        ]
    );
    // The rule sets do not agree.
    assert_eq!(status(&output), 0);
    let cycle = &lines[0]["cycle"];
    assert_eq!((&cycle["start"], &cycle["length"]), (&5.into(), &4.into()));
    assert_eq!(cycle["occurrences"], 3);
    let ply = &cycle["plies"][0];
    assert_eq!((&ply["ply"], &ply["move"]), (&5.into(), &"f1d1".into()));
    assert_eq!(
        (&ply["type"], &ply["chinese"]),
        (&"chase".into(), &"车四平六".into())
    );
    let attack = &ply["chases"][0];
    assert_eq!(attack["attacker"]["square"], "d1");
    assert_eq!(attack["victim"]["piece"], "c");
    assert_eq!(attack["roots"][0]["root"], "exposes_king");
    assert_eq!(attack["roots"][0]["exposed_to"], "e0");
}

#[test]
fn the_natural_limit_depends_on_the_claimant() {
    // Twelve checks by Red, then both shuffle: article 23.3.
    let cycle = ["a8a9", "e9e8", "a9a8", "e8e9"];
    let quiet = ["a8b8", "e9f9", "b8a8", "f9e9"];
    let moves: Vec<&str> = (0..120)
        .map(|ply| {
            if ply < 24 {
                cycle[ply % 4]
            } else {
                quiet[ply % 4]
            }
        })
        .collect();
    let moves = moves.join(" ");
    let judge = |more: &[&str]| {
        let fen = "4k4/R8/9/9/9/9/8p/9/9/3K5 w";
        // Repetitions do not matter here.
        let base = ["--fold", "255", "--fen", fen, "--moves", &moves];
        status(&judge(&[&base, more].concat(), &[]))
    };
    assert_eq!(judge(&[]), 0);
    assert_eq!(judge(&["--claim", "red"]), 0);
    assert_eq!(judge(&["--claim", "black"]), 10);
    assert_eq!(judge(&["--claim", "black", "--natural-limit", "0"]), 0);
    assert_eq!(judge(&["--claim", "red", "--natural-limit", "100"]), 10);
}

#[test]
fn the_mover_of_an_illegal_move_has_lost() {
    let output = judge_text(&[], "position startpos moves h2e2 h9g7 e0e2 b9c7");
    assert_contains(
        &out(&output),
        &["Red loses (红负): illegal move (违例) at ply 3", "'e0e2'"],
    );
    assert_eq!(status(&output), 11);
    let output = judge_text(&["--json"], "1. 炮二平五 马8进9 2. 马二进三 车9进2");
    assert_eq!(
        (status(&output), &json_lines(&output)[0]["ply"]),
        (12, &4.into())
    );
    // What is no move at all decides nothing.
    let output = judge_text(
        &["--summary"],
        "position startpos moves h2e2 h9g7 xyzzy b9c7",
    );
    assert_contains(&out(&output), &["goes on (未终局) after ply 2"]);
    assert_contains(
        &err(&output),
        &["chuhe: standard input: judged up to ply", "'xyzzy'"],
    );
    assert_eq!(status(&output), 1);
}

#[test]
fn unreadable_files_do_not_stop_the_others() {
    let folder = Folder::new("files");
    let check = folder.write("check.txt", PERPETUAL_CHECK);
    let letter = folder.write("letter.txt", "Dear Sir or Madam");
    let cut = folder.write("cut.xqf", b"XQ\x0a");
    let missing = folder.0.join("missing.pgn");
    let several = folder.write("rows.txt", "1-0\t-\th2e2\nrubbish\n1/2\t-\th2e2 h9g7\n");
    for threads in ["1", "4"] {
        let files = [&check, &letter, &cut, &missing, &several, &check];
        let files = files.map(PathBuf::as_path);
        let output = judge(&["--summary", "--threads", threads], &files);
        assert_eq!(status(&output), 1);
        let errors = err(&output);
        let errors: Vec<&str> = errors.lines().collect();
        assert_eq!(errors.len(), 4, "{errors:#?}");
        for (error, name) in errors
            .iter()
            .zip(["letter.txt", "cut.xqf", "missing.pgn", "rows.txt"])
        {
            assert!(
                error.starts_with("chuhe: ") && error.contains(name),
                "{error}"
            );
        }
        assert_contains(errors[3], &["line 2", "rubbish"]);
        let text = out(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert_contains(lines[0], &["check.txt: CXA: Red loses"]);
        assert_contains(lines[1], &["rows.txt game 1: CXA: goes on"]);
        assert_contains(lines[2], &["rows.txt game 3: CXA: goes on"]);
        assert_contains(lines[3], &["check.txt: CXA: Red loses"]);
        assert_contains(lines[4], &["CXA: 4 games", "Red loses (红负): 2"]);
        assert_eq!(lines.last(), Some(&"4 could not be read"));
    }
    // Without failures, several games end well whatever the verdicts.
    let output = judge(&["--summary", "--json"], &[&check, &check]);
    assert_eq!((status(&output), json_lines(&output).len()), (0, 2));
}

#[test]
fn samples_of_all_formats_are_judged_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the samples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "pgn" || end == "ubb" || end == "xqf")
        })
        .collect();
    files.sort();
    assert!(files.len() >= 50);
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let output = judge(&["--summary", "--json", "--rules", "all"], &files);
    assert_eq!((status(&output), err(&output).as_str()), (0, ""));
    let mut by_game = std::collections::HashMap::new();
    for line in json_lines(&output) {
        let source = line["source"].as_str().expect("a source").to_owned();
        let name = source.rsplit(['/', '\\']).next().expect("a name");
        let sample = name.split('.').next().expect("a stem").to_owned();
        let key = (sample, line["rules"].to_string());
        let verdict = (line["result"].clone(), line["ply"].clone());
        let first = by_game.entry(key).or_insert_with(|| verdict.clone());
        assert_eq!(*first, verdict, "{source}");
    }
}

#[test]
fn a_wrong_case_is_named_and_counted() {
    let folder = Folder::new("cases");
    let case = |id: &str, sets: &str, verdict: &str| {
        let moves = CHASE.replace(' ', "\",\"");
        format!(
            "{{\"id\":\"{id}\",\"ruleset\":[{sets}],\"fen\":\"{CHASE_FEN}\",\
             \"moves\":[\"{moves}\"],\"verdict\":\"{verdict}\"}}\n"
        )
    };
    let right = case("right", "\"cxa\",\"WXF\",\"Computer\"", "red_loses");
    let wrong = case("wrong", "\"none\",\"sky\"", "draw");
    let good = folder.write("good.jsonl", &right);
    let bad = folder.write("bad.jsonl", right + &wrong);
    let cases = |path: &Path| judge(&["--threads", "2", "--cases"], &[path]);
    let output = cases(&good);
    assert_eq!(
        (out(&output).as_str(), status(&output)),
        ("3 passed, 0 failed\n", 0)
    );
    let output = cases(&bad);
    assert_eq!(
        out(&output),
        "line 2: wrong by sky: expected draw, got continue\n4 passed, 1 failed\n"
    );
    assert_eq!(status(&output), 1);
}

#[test]
fn wrong_usage_is_status_two() {
    for arguments in [
        &[][..],
        &["--rules", "fide", "x"],
        &["--fold", "1", "x"],
        &["--fen", "startpos", "x"],
        &["--moves", "h2e2", "x"],
        &["--claim", "white", "x"],
    ] {
        let output = judge(arguments, &[]);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
    }
}
