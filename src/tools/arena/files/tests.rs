//! Tests of the journal and the files beside it.

use super::*;
use crate::position::Position;
use crate::tools::arena::stats::GameResult;
use crate::tools::datagen::game_file::{SelfPlayGame, write_game};

fn entry(round: usize) -> Entry {
    Entry {
        round,
        board: 0,
        game: 0,
        seats: [0, 1],
        points: 2,
        reason: "mate".to_owned(),
        failed: None,
        plies: 3,
        overrun: [0; 2],
        sizes: [0; 2],
        line: 0,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("chuhe-files-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn paths(folder: &Path) -> Paths {
    Paths {
        journal: Some(folder.join("journal")),
        pgn: Some(folder.join("pgn")),
        games: None,
    }
}

/// Cuts the files of three games after every possible number of bytes, as a
/// kill would, and goes on: each game is there once.
#[test]
fn a_kill_at_any_byte_loses_and_doubles_nothing() {
    let folder = folder("kill");
    let paths = paths(&folder);
    let (journal, pgn) = (folder.join("journal"), folder.join("pgn"));
    let text = |round: usize| format!("[Event \"x\"]\n[Round \"{round}\"]\n*\n\n");
    let play = |from: usize| {
        let (mut files, known) = Files::open(&paths, "event", 2).unwrap();
        assert!(known.len() >= from, "a game of the journal was lost");
        for round in known.len()..3 {
            let game = text(round);
            files.write(&entry(round), [game.as_bytes(), b""]).unwrap();
        }
    };
    play(0);
    let whole = [&journal, &pgn].map(|path| std::fs::read(path).unwrap());
    let lines: Vec<usize> = (0..whole[0].len())
        .filter(|&at| whole[0][at] == b'\n')
        .collect();
    let game = text(0).len();
    for (games, window) in lines.windows(2).enumerate() {
        // The journal holds `games` games, the PGN that and a part of the next.
        for cut in 0..=game {
            std::fs::write(&journal, &whole[0][..window[0] + 1 + cut % 7]).unwrap();
            std::fs::write(&pgn, &whole[1][..games * game + cut]).unwrap();
            play(games);
            let after = [&journal, &pgn].map(|path| std::fs::read(path).unwrap());
            assert_eq!(after, whole, "{games} games, {cut} bytes more");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn games_of_others_are_left_alone() {
    let folder = folder("others");
    let paths = paths(&folder);
    let pgn = folder.join("pgn");
    drop(Files::open(&paths, "event", 2).unwrap());
    let others = "[Event \"y\"]\n*\n[Event \"z\"]\n*\n";
    std::fs::write(&pgn, others).unwrap();
    drop(Files::open(&paths, "event", 2).unwrap());
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), others);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Training games have no tags to be counted by: those of others were cut off
/// like one that did not reach the journal.
#[test]
fn training_games_of_others_are_left_alone() {
    let folder = folder("training");
    let games = folder.join("games");
    let paths = Paths {
        games: Some(games.clone()),
        ..paths(&folder)
    };
    let mut game = Vec::new();
    let played = SelfPlayGame {
        start: Position::start(),
        result: GameResult::Draw,
        plies: Vec::new(),
    };
    write_game(&played, &mut game);
    let (mut files, _) = Files::open(&paths, "event", 2).unwrap();
    files.write(&entry(0), [b"", &game]).unwrap();
    drop(files);
    let after = |left: &[u8]| {
        std::fs::write(&games, [&game, left].concat()).unwrap();
        drop(Files::open(&paths, "event", 2).unwrap());
        std::fs::read(&games).unwrap()[game.len()..].to_vec()
    };
    let others = game.repeat(2);
    assert_eq!(after(&others), others);
    let torn = &others[..others.len() - 1];
    assert_eq!(after(torn), torn, "a game and a torn one");
    for cut in 0..=game.len() {
        assert_eq!(after(&game[..cut]), b"", "{cut} bytes of one game");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Games that were under way when a file failed are written, too: whatever
/// fails, no game may be torn or be in one file only.
#[test]
fn a_failed_write_leaves_nothing_behind() {
    let folder = folder("failed");
    let paths = Paths {
        games: Some(folder.join("games")),
        ..paths(&folder)
    };
    let all = ["journal", "pgn", "games"].map(|name| folder.join(name));
    let read = || all.each_ref().map(|path| std::fs::read(path).unwrap());
    let (mut files, _) = Files::open(&paths, "event", 2).unwrap();
    files.write(&entry(0), [b"first", b"1st"]).unwrap();
    let before = read();
    for (index, path) in all.iter().enumerate() {
        // It can be read only.
        let mut output = files.outputs().find(|output| output.path == *path);
        let file = &mut output.as_mut().unwrap().file;
        let good = std::mem::replace(file, File::open(path).unwrap());
        let failed = files.write(&entry(1), [b"second", b"2nd"]).unwrap_err();
        assert!(matches!(failed, FileError::Io(name, _) if name == *path));
        assert_eq!(read(), before, "{index}");
        let mut output = files.outputs().find(|output| output.path == *path);
        output.as_mut().unwrap().file = good;
    }
    files.write(&entry(1), [b"second", b"2nd"]).unwrap();
    let [journal, pgn, games] = read();
    assert_eq!(
        (&pgn[..], &games[..]),
        (&b"firstsecond"[..], &b"1st2nd"[..])
    );
    let lines = String::from_utf8(journal).unwrap();
    assert!(lines.ends_with("\"sizes\":[11,6]}\n"), "{lines}");
    assert_eq!(lines.lines().count(), 3);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder("wrong");
    let paths = paths(&folder);
    drop(Files::open(&paths, "one", 2).unwrap());
    let other = Files::open(&paths, "two", 2).unwrap_err();
    assert!(matches!(other, FileError::OtherEvent(..)), "{other}");
    std::fs::write(folder.join("journal"), "rubbish\n").unwrap();
    let damaged = Files::open(&paths, "one", 2).unwrap_err();
    assert!(matches!(damaged, FileError::Damaged(_, 1)), "{damaged}");
    let nowhere = Paths {
        pgn: Some(folder.join("no/such/folder")),
        ..Paths::default()
    };
    assert!(matches!(
        Files::open(&nowhere, "", 2),
        Err(FileError::Io(..))
    ));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A path that was meant for something else: nothing of the file may be lost.
#[test]
fn a_foreign_file_is_no_journal_and_stays_as_it_is() {
    let folder = folder("foreign");
    let paths = paths(&folder);
    let journal = folder.join("journal");
    let foreign: [&[u8]; 7] = [
        b"notes without a line end",
        b"a line\nand a part of one",
        b"\xff\xfe\n\x00rubbish",
        b"\n",
        b"{",
        b"{\"event\":\"even",
        b"{\"event\":\"other\",\"sizes\":[0,0]}\n{\"rou",
    ];
    for bytes in foreign {
        std::fs::write(&journal, bytes).unwrap();
        let result = Files::open(&paths, "Event", 2);
        let is_begun = bytes == b"{";
        assert_eq!(result.is_ok(), is_begun, "{bytes:?}");
        if !is_begun {
            assert_eq!(std::fs::read(&journal).unwrap(), bytes);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A kill while the first line is written leaves any part of it.
#[test]
fn a_first_line_cut_at_any_byte_is_written_again() {
    let folder = folder("header");
    let paths = paths(&folder);
    let journal = folder.join("journal");
    std::fs::write(folder.join("pgn"), "x".repeat(123)).unwrap();
    drop(Files::open(&paths, "楚 \"河\"", 2).unwrap());
    let whole = std::fs::read(&journal).unwrap();
    assert!(whole.ends_with(b"\"sizes\":[123,0]}\n"));
    for cut in 0..=whole.len() {
        std::fs::write(&journal, &whole[..cut]).unwrap();
        drop(Files::open(&paths, "楚 \"河\"", 2).unwrap());
        assert_eq!(std::fs::read(&journal).unwrap(), whole, "{cut} bytes");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A changed digit was a panic, or a game of somebody else.
#[test]
fn games_that_cannot_have_been_played_are_named_by_their_line() {
    let folder = folder("digits");
    let paths = paths(&folder);
    let journal = folder.join("journal");
    let (mut files, _) = Files::open(&paths, "event", 2).unwrap();
    let failed = Entry {
        failed: Some(1),
        ..entry(1)
    };
    for entry in [&entry(0), &failed] {
        files.write(entry, [b"", b""]).unwrap();
    }
    let good = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(Files::open(&paths, "event", 2).unwrap().1.len(), 2);
    for (from, to) in [
        ("\"seats\":[0,1]", "\"seats\":[0,2]"),
        ("\"seats\":[0,1]", "\"seats\":[1,1]"),
        ("\"points\":2", "\"points\":3"),
        ("\"points\":2", "\"points\":0"),
        ("\"points\":2", "\"points\":1"),
        ("\"failed\":1", "\"failed\":0"),
        ("\"failed\":1", "\"failed\":7"),
        ("\"round\":1", "\"round\":0"),
        ("\"sizes\":[0,0]}", "\"sizes\":[0]}"),
    ] {
        let (before, last) = good.trim_end().rsplit_once('\n').unwrap();
        assert!(last.contains(from), "{last}");
        let bad = format!("{before}\n{}\n", last.replace(from, to));
        std::fs::write(&journal, &bad).unwrap();
        let damaged = Files::open(&paths, "event", 2).unwrap_err();
        assert!(
            matches!(damaged, FileError::Damaged(_, 3)),
            "{to}: {damaged}"
        );
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), bad);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
