//! What a match or tournament leaves on the disk, after kills, with other settings
//! and where there is no room: every game once, or one message and nothing lost.

use super::{CHUHE, Folder, chuhe, fail, games, judge_again, quick_match, succeed, tag, text};
use std::fs;
use std::process::{Command, Output, Stdio};

/// The match is killed again and again; in the end every game is there once.
#[test]
fn a_match_that_is_killed_goes_on() {
    let folder = Folder::new("kill");
    let (journal, pgn) = (folder.file("journal"), folder.file("games.pgn"));
    let more = ["--concurrency", "2", "--journal", &journal, "--pgn", &pgn];
    let arguments = quick_match(["self", "self:hce"], "100", "30", &more);
    for millis in [60, 150, 250, 400] {
        let mut child = Command::new(CHUHE)
            .args(&arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_millis(millis));
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
    }
    let said = succeed(&arguments);
    assert!(!said.contains("+0 =0 -0"), "{said}");
    let pgn = folder.read("games.pgn");
    let games = games(&pgn);
    let mut rounds: Vec<&str> = games.iter().map(|game| tag(game, "Round")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert_eq!((games.len(), rounds.len()), (30, 30));
    assert_eq!(folder.read("journal").lines().count(), 31);
    judge_again(&folder, "games.pgn");
    // Once more: everything is known, nothing is played.
    assert_eq!(succeed(&arguments).lines().last(), said.lines().last());
    assert_eq!(folder.read("journal").lines().count(), 31);
    let other = fail(&["match", "--a", "self", "--b", "self", "--journal", &journal]);
    assert!(other.contains("another event"), "{other}");
}

/// A journal is that of its openings and of all settings that results depend on.
#[test]
fn a_match_goes_on_with_the_same_settings_only() {
    let folder = Folder::new("settings");
    let (journal, openings) = (folder.file("journal"), folder.file("openings.epd"));
    let write = |rank: &str| {
        let fen = format!("4k4/4a4/9/{rank}/9/9/9/9/4A4/R3K4 w\n");
        fs::write(&openings, fen).expect("our own file");
    };
    let play = |a: &str, more: &[&str]| {
        let base = [
            "match",
            "--a",
            a,
            "--b",
            "ucci:/nonexistent/engine",
            "--nodes",
            "20",
            "--games",
            "2",
            "--openings",
            &openings,
            "--journal",
            &journal,
        ];
        let arguments: Vec<&str> = base.iter().chain(more).copied().collect();
        chuhe(&arguments)
    };
    let engine = "ucci:/nonexistent/engine";
    write("p8");
    assert!(play(engine, &[]).status.success());
    assert!(play(engine, &["--concurrency", "2"]).status.success());
    let is_refused = |output: Output| text(&output.stderr).contains("another event");
    assert!(is_refused(play("uci:/nonexistent/engine", &[])));
    for (option, value) in [("--margin", "50"), ("--hash", "2"), ("--rules", "AXF")] {
        assert!(is_refused(play(engine, &[option, value])), "{option}");
    }
    assert!(is_refused(play(engine, &["--no-adjudication"])));
    // As many openings, but another one.
    write("1p7");
    assert!(is_refused(play(engine, &[])));
    write("p8");
    assert!(play(engine, &[]).status.success());
}

/// A game of the journal with seats that the match does not have.
#[test]
fn a_changed_seat_in_a_journal_is_named() {
    let folder = Folder::new("seat");
    let journal = folder.file("journal");
    let arguments = quick_match(["self:hce"; 2], "20", "2", &["--journal", &journal]);
    succeed(&arguments);
    let good = folder.read("journal");
    for (from, to) in [
        ("\"seats\":[0,1]", "\"seats\":[1,0]"),
        ("\"board\":0,\"game\":0", "\"board\":1,\"game\":0"),
        ("\"game\":0", "\"game\":5"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good);
        fs::write(&journal, &bad).expect("our own file");
        let complaint = fail(&arguments);
        assert!(complaint.contains("journal, line 2: "), "{complaint}");
        assert_eq!(folder.read("journal"), bad);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_message_and_loses_nothing() {
    let folder = Folder::new("full");
    let journal = folder.file("journal");
    let play = |pgn| {
        let more = ["--concurrency", "2", "--journal", &journal, "--pgn", pgn];
        quick_match(["self:hce"; 2], "50", "4", &more)
    };
    let full = play("/dev/full");
    let complaint = fail(&full);
    assert!(complaint.contains("/dev/full"), "{complaint}");
    // Only the line that names the event: no game is known that is not written.
    assert_eq!(folder.read("journal").lines().count(), 1);
    let pgn = folder.file("games.pgn");
    let good = play(&pgn);
    succeed(&good);
    assert_eq!(games(&folder.read("games.pgn")).len(), 4);
    // The results themselves cannot be printed.
    let mut command = Command::new(CHUHE);
    let device = fs::File::options().write(true).open("/dev/full");
    let output = command
        .args(&good)
        .stdout(device.expect("a device"))
        .output();
    let output = output.expect("the binary starts");
    assert!(!output.status.success());
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

/// A file may grow to a limit only, so that a game is written in part, and other
/// games are under way: what is in the files stays whole, and nothing is there twice.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_grow_tears_and_doubles_no_game() {
    let folder = Folder::new("limit");
    let (journal, pgn) = (folder.file("journal"), folder.file("games.pgn"));
    let more = ["--concurrency", "3", "--journal", &journal, "--pgn", &pgn];
    let arguments = quick_match(["self:hce"; 2], "50", "12", &more);
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, CHUHE]).args(&arguments);
    let output = command.output().expect("a shell");
    let complaint = text(&output.stderr);
    assert!(!output.status.success(), "the limit was not met");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    let known = folder.read("journal").lines().count() - 1;
    let written = folder.read("games.pgn");
    assert!((1..12).contains(&known), "{known}");
    assert!(written.ends_with("\n\n"), "{written}");
    assert_eq!(games(&written).len(), known);
    succeed(&arguments);
    assert_eq!(games(&folder.read("games.pgn")).len(), 12);
    assert_eq!(folder.read("journal").lines().count(), 13);
    judge_again(&folder, "games.pgn");
}

/// The table did not fit on the disk: the old one is still there, whole.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_written_leaves_the_old_one() {
    let folder = Folder::new("table");
    let json = folder.file("table.json");
    fs::write(&json, "old").expect("our own file");
    let arguments = [
        "tournament",
        "-p",
        "a=self:hce",
        "-p",
        "b=self:hce",
        "--nodes",
        "20",
        "--hash",
        "1",
        "--games",
        "8",
        "--json",
        &json,
    ];
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, CHUHE]).args(arguments);
    let output = command.output().expect("a shell");
    let complaint = text(&output.stderr);
    assert!(!output.status.success(), "the limit was not met");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(complaint.contains("table.json"), "{complaint}");
    assert_eq!(folder.read("table.json"), "old");
    assert_eq!(fs::read_dir(&folder.0).expect("it is ours").count(), 1);
    succeed(&arguments);
    assert!(folder.read("table.json").len() > 1_024);
}
