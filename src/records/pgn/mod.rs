//! PGN: tags, then move text with Chinese, WXF or ICCS moves.
//!
//! Tag values in the wild contain unescaped quotation marks, so a value ends at
//! the last `"]` of its line. A file may hold many games: one begins at the first
//! tag behind move text. The `Format` tag is only written; the notations tell
//! themselves apart.

mod read;
mod write;

pub use read::read;
pub use write::write;

/// The tags that every game is written with, in the usual order.
const ROSTER: [&str; 8] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "RedTeam",
    "Red",
    "BlackTeam",
    "Black",
];

/// Splits text into games; each comes with the number of its first line.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut games = Vec::new();
    let mut begin = (1, 0);
    let mut at = 0;
    let mut has_moves = false;
    let mut is_comment = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        // A comment that is never closed ends at the latest with its game.
        let is_start = line.starts_with("[Game \"") || line.starts_with("[Event \"");
        let is_tag = is_start || (!is_comment && is_tag_line(line));
        if is_tag && has_moves {
            games.push((begin.0, &text[begin.1..at]));
            begin = (index + 1, at);
            has_moves = false;
        }
        if is_tag {
            is_comment = false;
        } else {
            has_moves |= !line.trim().is_empty();
            let last_open = line.rfind('{').map_or(0, |at| at + 1);
            let last_close = line.rfind('}').map_or(0, |at| at + 1);
            if last_open != last_close {
                is_comment = last_open > last_close;
            }
        }
        at += line.len();
    }
    if !text[begin.1..].trim().is_empty() {
        games.push((begin.0, &text[begin.1..]));
    }
    games
}

/// `[` and a letter: move text has no brackets.
pub(super) fn is_tag_line(line: &str) -> bool {
    let mut chars = line.trim_start_matches(['\u{feff}', ' ', '\t']).chars();
    chars.next() == Some('[') && chars.next().is_some_and(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::super::{GameResult, RecordError};
    use super::*;
    use crate::position::{Notation, Script};

    const TREE: &str = "[Game \"Chinese Chess\"]\n[Event \"\"]\n[Site \"\"]\n[Date \"\"]\n[Round \"\"]\n\
        [RedTeam \"\"]\n[Red \"A \"B\" C\"]\n[BlackTeam \"\"]\n[Black \"\"]\n[Result \"0-1\"]\n\n\
        {start}\n1. 炮二平五 {centre} (1. 兵七进一 卒７进１ (1. ... 马８进７) 2. 马八进七) (1. 炮二平四) 1. ... 马８进７\n\
        2. 马二进三\n0-1\n";

    #[test]
    fn what_is_written_is_read_as_the_same_record() {
        let record = read(TREE).unwrap();
        assert_eq!(record.tag("red"), Some("A \"B\" C"));
        assert_eq!(write(&record, Notation::Chinese(Script::Simplified)), TREE);
        for notation in [
            Notation::Iccs,
            Notation::Coordinates,
            Notation::Wxf,
            Notation::Chinese(Script::Traditional),
        ] {
            assert_eq!(
                read(&write(&record, notation)).unwrap(),
                record,
                "{notation:?}"
            );
        }
    }

    #[test]
    fn an_illegal_move_survives() {
        let record = read("1. 炮二平五 炮8平5 2. 炮五进六 士4进5 1-0").unwrap();
        let again = read(&write(&record, Notation::Wxf)).unwrap();
        assert_eq!(again.stopped_by(), record.stopped_by());
        assert_eq!(again.moves(), record.moves());
    }

    #[test]
    fn games_of_a_file_are_told_apart() {
        let text = "\u{feff}[Game \"x\"]\n[Red \"a\"]\n1. 炮二平五 {\n[not a tag]\n} 1-0\n\n\
            [Event \"y\"]\r\n[Black \"b\"]\r\n\r\n1. 兵七进一 {never closed\r\n[Event \"z\"]\n[Red \"c\"]\n*\n";
        let games = split(text);
        let lines: Vec<usize> = games.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 7, 11]);
        assert_eq!(read(games[0].1).unwrap().moves().len(), 1);
        assert!(matches!(read(games[1].1), Err(RecordError::Truncated(_))));
        assert_eq!(read(games[2].1).unwrap().tag("Red"), Some("c"));
    }

    #[test]
    fn tags_of_every_shape() {
        let record =
            read("[Red \"a\"] [Black \"b \"c\"\"]\n[Event x]\n[Site \"\"]\n[Result \"黑胜\"]\n")
                .unwrap();
        let tags: Vec<(&str, &str)> = record
            .tags()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(tags, [("Red", "a"), ("Black", "b \"c\""), ("Event", "x")]);
        assert_eq!(record.result(), GameResult::BlackWins);
        let error = read("[FEN \"rnbakabnr/9\n1. 炮二平五").unwrap_err();
        assert_eq!(error.to_string(), "tag: '[FEN \"rnbakabnr/9' is damaged");
        let error = read("[FEN \"9/9 w\"]\n").unwrap_err();
        assert!(matches!(error, RecordError::Start(_)));
    }
}
