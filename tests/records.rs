//! Game records: the sample files in every format, moves as real records write
//! them, round trips of whole games, and damaged files.
//!
//! `tests/data/formats` says where the data come from. With the environment
//! variable `CHUHE_GAMES` naming a file in the row format, the slow test runs on
//! that.

use chuhe::position::{Notation, Position, Script};
use chuhe::records::encoding::{self, TextEncoding};
use chuhe::records::{Archive, Format, GameResult, NodeId, Record, RecordError};
use chuhe::records::{dhtmlxq, iccs, pgn, read_all, xqf};
use chuhe::types::Move;
use proptest::prelude::*;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

const NOTATIONS: [Notation; 5] = [
    Notation::Coordinates,
    Notation::Iccs,
    Notation::Chinese(Script::Simplified),
    Notation::Chinese(Script::Traditional),
    Notation::Wxf,
];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/formats")
        .join(name)
}

fn bytes_of(name: &str) -> Vec<u8> {
    fs::read(data(name)).expect(name)
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(bytes_of(name)).expect("UTF-8");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// What `samples.tsv` says about a sample.
struct Answer {
    name: String,
    result: GameResult,
    start: Position,
    moves: Vec<Move>,
}

fn answers() -> Vec<Answer> {
    let answer = |row: Vec<String>| Answer {
        name: row[0].clone(),
        result: GameResult::from_text(&row[1]).expect("a result"),
        start: match row[2].as_str() {
            "-" => Position::start(),
            fen => Position::from_fen(fen).expect("a legal position"),
        },
        moves: row[3]
            .split(' ')
            .map(|mv| mv.parse().expect("a move"))
            .collect(),
    };
    rows("samples.tsv").into_iter().map(answer).collect()
}

/// The files of each sample, their format and encoding.
const KINDS: [(&str, Format, Option<TextEncoding>); 9] = [
    ("big5.pgn", Format::Pgn, Some(TextEncoding::Big5)),
    ("gb18030.pgn", Format::Pgn, Some(TextEncoding::Gb18030)),
    ("utf8.pgn", Format::Pgn, Some(TextEncoding::Utf8)),
    ("iccs.pgn", Format::Pgn, Some(TextEncoding::Utf8)),
    ("wxf.pgn", Format::Pgn, Some(TextEncoding::Utf8)),
    ("ubb", Format::DhtmlXq, Some(TextEncoding::Utf8)),
    ("v0a.xqf", Format::Xqf, None),
    ("v0c.xqf", Format::Xqf, None),
    ("v12.xqf", Format::Xqf, None),
];

#[test]
fn every_sample_is_the_same_game_in_every_format() {
    let answers = answers();
    assert_eq!(answers.len(), 10);
    for answer in &answers {
        for (suffix, format, encoding) in KINDS {
            let name = format!("{}.{suffix}", answer.name);
            let archive = Archive::open(&bytes_of(&name)).expect(&name);
            assert_eq!(
                (archive.format(), archive.game_count()),
                (format, 1),
                "{name}"
            );
            assert_eq!(archive.encoding(), encoding, "{name}");
            let record = archive.read(0).expect(&name);
            assert_eq!(record.result(), answer.result, "{name}");
            assert_eq!(*record.start(), answer.start, "{name}");
            assert_eq!(record.moves(), answer.moves, "{name}");
            assert_eq!(record.stopped_by(), None, "{name}");
            assert_eq!(record.tree().move_count(), answer.moves.len(), "{name}");
        }
    }
}

#[test]
fn comments_and_names_come_through_the_scrambling() {
    for answer in answers() {
        let read = |version: &str| {
            let name = format!("{}.{version}.xqf", answer.name);
            read_all(&bytes_of(&name)).expect(&name).remove(0)
        };
        let plain = read("v0a");
        assert_eq!(plain.tag("Title"), Some("test game"));
        assert_eq!(plain.tree().comment(NodeId::ROOT), "开局注解");
        assert_eq!(read("v0c"), plain);
        assert_eq!(read("v12"), plain);
    }
}

/// The same game with the same comments and tags, whatever their order.
fn assert_same(read: Result<Vec<Record>, RecordError>, expected: &Record, what: &str) {
    let records = read.expect(what);
    let [record] = records.as_slice() else {
        panic!("{what}: {} games", records.len());
    };
    let sorted = |record: &Record| {
        let mut tags = record.tags().to_vec();
        tags.sort();
        tags
    };
    assert_eq!(record.start(), expected.start(), "{what}");
    assert_eq!(record.result(), expected.result(), "{what}");
    assert_eq!(record.stopped_by(), expected.stopped_by(), "{what}");
    assert!(
        record.tree() == expected.tree(),
        "{what}: other moves or comments"
    );
    assert_eq!(sorted(record), sorted(expected), "{what}");
}

/// Writes a record in every way there is and reads it back.
fn assert_survives(record: &Record, name: &str) {
    use TextEncoding::{Big5, Gb18030, Utf8, Utf16Be, Utf16Le};
    for notation in NOTATIONS {
        let text = pgn::write(record, notation);
        for encoding in [Utf8, Gb18030, Big5, Utf16Le, Utf16Be] {
            match encoding::encode(&text, encoding) {
                Ok(bytes) => {
                    let what = format!("{name} as PGN in {notation:?} and {encoding}");
                    assert_same(read_all(&bytes), record, &what);
                }
                Err(_) => assert_eq!(encoding, Big5, "{name}"),
            }
        }
    }
    let text = dhtmlxq::write(record).expect(name);
    let bytes = encoding::encode(&text, Gb18030).expect(name);
    assert_same(read_all(&bytes), record, &format!("{name} as DhtmlXQ"));
    let bytes = xqf::write(record).expect(name);
    assert_same(read_all(&bytes), record, &format!("{name} as XQF"));
    for text in [iccs::write_row(record), iccs::write_ucci(record)] {
        let again = read_all(text.as_bytes()).expect(name).remove(0);
        assert_eq!(again.moves(), record.moves(), "{name} as a list");
        assert_eq!(again.start(), record.start(), "{name} as a list");
    }
}

#[test]
fn every_sample_survives_every_conversion() {
    for answer in answers() {
        for (suffix, ..) in KINDS {
            let name = format!("{}.{suffix}", answer.name);
            for record in read_all(&bytes_of(&name)).expect(&name) {
                assert_survives(&record, &name);
            }
        }
    }
}

#[test]
fn moves_of_real_records_are_read_and_written() {
    let rows = rows("notation.tsv");
    assert_eq!(rows.len(), 700);
    let mut other_words = Vec::new();
    for row in &rows {
        let [fen, chinese, mv, wxf] = row.as_slice() else {
            panic!("four columns: {row:?}");
        };
        let position = Position::from_fen(fen).expect("a legal position");
        let mv: Move = mv.parse().expect("a move");
        assert_eq!(position.read_move(chinese), Ok(mv), "{row:?}");
        assert_eq!(position.read_move(wxf), Ok(mv), "{row:?}");
        assert_eq!(position.write_move(mv, Notation::Wxf), *wxf, "{row:?}");
        for notation in NOTATIONS {
            let text = position.write_move(mv, notation);
            assert_eq!(position.read_move(&text), Ok(mv), "{text} {row:?}");
        }
        let text = position.write_move(mv, Notation::Chinese(Script::Traditional));
        if text != *chinese {
            other_words.push((chinese.as_str(), text));
        }
    }
    // Two records name the file although two cannons stand on it, because only one
    // of them can make the move. We write the full form.
    let expected = [("炮９進４", "前炮進４"), ("炮七進四", "前炮進四")];
    assert_eq!(
        other_words,
        expected.map(|(theirs, ours)| (theirs, ours.to_owned()))
    );
}

/// A game from its row, written in every notation and read back: `Err` names
/// what differs.
fn round_trip(row: &str) -> Result<usize, String> {
    let records = read_all(row.as_bytes()).map_err(|error| error.to_string())?;
    let record = &records[0];
    if let Some(stop) = record.stopped_by() {
        return Err(stop.to_string());
    }
    if iccs::write_row(record) != row {
        return Err("the row is written differently".to_owned());
    }
    let mut position = record.start().clone();
    let moves = record.moves();
    for &mv in &moves {
        for notation in NOTATIONS {
            let text = position.write_move(mv, notation);
            if position.read_move(&text) != Ok(mv) {
                return Err(format!("{mv} is written {text} in {}", position.to_fen()));
            }
        }
        position.make(mv);
    }
    for notation in NOTATIONS {
        let text = pgn::write(record, notation);
        if pgn::read(&text).as_ref() != Ok(record) {
            return Err(format!("PGN in {notation:?} is read differently"));
        }
    }
    Ok(moves.len())
}

/// Checks all games of a file; returns how many games and plies there were.
fn check_games(path: &Path) -> (usize, usize) {
    let text = fs::read_to_string(path).expect("the file of games is there");
    let results: Vec<Result<usize, String>> = text
        .par_lines()
        .map(|row| round_trip(row).map_err(|error| format!("{error}: {row}")))
        .collect();
    let errors: Vec<&String> = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .collect();
    assert!(
        errors.is_empty(),
        "{} games fail: {:#?}",
        errors.len(),
        &errors[..errors.len().min(5)]
    );
    (results.len(), results.iter().flatten().sum())
}

#[test]
fn whole_games_survive_every_notation() {
    let (games, plies) = check_games(&data("games.txt"));
    assert!(
        games >= 40 && plies >= 2_000,
        "{games} games, {plies} plies"
    );
}

#[test]
#[ignore = "slow: reads and writes all games of the file that CHUHE_GAMES names"]
fn all_games_survive_every_notation() {
    let Some(path) = std::env::var_os("CHUHE_GAMES") else {
        eprintln!("CHUHE_GAMES is not set: nothing to do");
        return;
    };
    let (games, plies) = check_games(Path::new(&path));
    eprintln!("{games} games, {plies} plies");
}

#[test]
fn games_with_variations_survive_every_conversion() {
    let rows = fs::read_to_string(data("games.txt")).expect("the games are there");
    let mut games = rows
        .lines()
        .map(|row| read_all(row.as_bytes()).expect(row).remove(0));
    let mut record = games.next().expect("a game");
    record.set_tag("Title", "变着");
    record.set_tag("Red", "胡荣华");
    // Each other game joins as a variation where it leaves the tree.
    for other in games.take(20) {
        let mut node = NodeId::ROOT;
        for (ply, mv) in other.moves().into_iter().take(30).enumerate() {
            let tree = record.tree();
            let mut child = tree.next(node);
            while child.is_some_and(|child| tree.mv(child) != Some(&mv)) {
                child = child.and_then(|child| tree.alternative(child));
            }
            node = match child {
                Some(child) => child,
                None => record.add_move(node, mv).expect("legal"),
            };
            if ply % 7 == 0 {
                record.set_comment(node, &format!("评{ply}\n第二行"));
            }
        }
    }
    assert!(record.tree().move_count() > 300);
    assert_survives(&record, "the tree");
}

/// A line longer than the counter of plies without a capture is wide made it
/// overflow.
#[test]
fn a_line_of_any_length_is_read() {
    let moves = "h2h1 h7h8 h1h2 h8h7 ".repeat(20_000);
    let record = iccs::read(&format!("1/2\t-\t{moves}")).expect("legal moves");
    assert_eq!(record.moves().len(), 80_000);
    assert_same(
        xqf::read(&xqf::write(&record).expect("storable")).map(|game| vec![game]),
        &record,
        "XQF",
    );
}

/// One file of every format, to be damaged.
fn victims() -> Vec<Vec<u8>> {
    let mut victims: Vec<Vec<u8>> = KINDS
        .iter()
        .flat_map(|(suffix, ..)| {
            [2, 7, 9].map(|number| bytes_of(&format!("sample{number:02}.{suffix}")))
        })
        .collect();
    victims.push(bytes_of("games.txt")[..2_000].to_vec());
    victims.push("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1 e9e8\n".into());
    victims
}

/// Reads a damaged file: anything but a panic is right, and what is read can be
/// written.
fn survive(bytes: &[u8]) {
    for record in read_all(bytes).unwrap_or_default() {
        let text = pgn::write(&record, Notation::Wxf);
        assert!(pgn::read(&text).is_ok(), "{text}");
        let _ = dhtmlxq::write(&record).map(|text| dhtmlxq::read(&text));
        let _ = xqf::write(&record).map(|bytes| xqf::read(&bytes));
        let _ = iccs::write_row(&record);
    }
}

#[test]
fn files_cut_off_anywhere_do_no_harm() {
    for bytes in victims() {
        for length in 0..bytes.len() {
            if let Err(error) = read_all(&bytes[..length]) {
                let text = error.to_string();
                assert!(text.len() < 300 && !text.contains('\n'), "{text}");
            }
        }
    }
}

/// The formats that say where they end never lose a move unseen.
#[test]
fn no_move_is_lost_unseen_when_a_file_is_cut_off() {
    for suffix in ["ubb", "v0a.xqf", "v0c.xqf", "v12.xqf"] {
        let bytes = bytes_of(&format!("sample02.{suffix}"));
        let whole = read_all(&bytes).expect(suffix);
        for length in 0..bytes.len() {
            if let Ok(part) = read_all(&bytes[..length]) {
                assert_eq!(
                    part[0].moves(),
                    whole[0].moves(),
                    "{suffix} cut at {length}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn damaged_files_do_no_harm(
        victim in prop::sample::select(victims()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..20),
    ) {
        let mut bytes = victim;
        for (index, byte, how) in damage {
            let at = index.index(bytes.len());
            match how {
                0 => { bytes.remove(at); }
                1 => bytes.insert(at, byte),
                2 => bytes[at] ^= 1 << (byte % 8),
                _ => bytes[at] = byte,
            }
        }
        survive(&bytes);
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..4u8) {
        let mut file = match kind {
            0 => b"XQ\x12".to_vec(),
            1 => b"[DhtmlXQ][DhtmlXQ_movelist]".to_vec(),
            2 => b"[Red \"".to_vec(),
            _ => Vec::new(),
        };
        if kind == 0 {
            file.resize(0x400, bytes.first().copied().unwrap_or(0));
        }
        file.extend(bytes);
        survive(&file);
    }
}
