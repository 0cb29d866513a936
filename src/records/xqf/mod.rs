//! XQF, the binary form of XQStudio (`.xqf`).
//!
//! ```text
//! 000  "XQ", version, keys             header of 1024 bytes
//! 010  32 points: 10 * file + rank     scrambled from version 0x0B on
//! 033  result: 0 unknown, 1 Red, 2 Black, 3 or 4 draw
//! 050  title, event, date, ...         length byte and GB18030 text
//! 400  nodes: from + 0x18, to + 0x20, flags, reserved, then a comment if there is one
//! ```
//! The first node is no move; it holds the comment on the game. A node is followed
//! by its whole continuation, then by the alternative to it, if it has them. The
//! side to move is not stored.
//!
//! Every version is read; version 0x0A, which is not scrambled, is written.

mod keys;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// Bytes of the header.
const HEADER: usize = 0x400;
/// Where the points of the men begin.
const POINTS: usize = 0x10;
/// Where the result is.
const RESULT: usize = 0x33;
/// The last version that is not scrambled.
const LAST_PLAIN: u8 = 0x0a;
/// The newest version anybody has seen.
const LAST_KNOWN: u8 = 0x12;
/// What is added to the points of a move.
const FROM: u8 = 0x18;
const TO: u8 = 0x20;

/// Text fields: offset of the length byte, room for text, tag.
const TEXTS: [(usize, usize, &str); 11] = [
    (0x50, 63, "Title"),
    (0xd0, 63, "Event"),
    (0x110, 15, "Date"),
    (0x120, 15, "Site"),
    (0x130, 15, "Red"),
    (0x140, 15, "Black"),
    (0x150, 63, "TimeControl"),
    (0x190, 15, "RedTime"),
    (0x1a0, 15, "BlackTime"),
    (0x1d0, 15, "Annotator"),
    (0x1e0, 15, "Author"),
];

/// Whether the bytes begin like this format.
pub(super) fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.get(2).is_none_or(|version| *version < b' ')
}

#[cfg(test)]
mod tests {
    use super::super::{NodeId, Record, RecordError};
    use super::*;
    use crate::position::Position;

    fn sample() -> Record {
        let moves = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap());
        let mut record = Record::from_moves(Position::start(), moves).unwrap();
        record.set_tag("Red", "胡荣华");
        record.set_comment(NodeId::ROOT, "第一局");
        let first = record.tree().next(NodeId::ROOT).unwrap();
        record.set_comment(first, "中炮");
        let pawn = record
            .add_move(NodeId::ROOT, "c3c4".parse().unwrap())
            .unwrap();
        record.add_move(pawn, "g6g5".parse().unwrap()).unwrap();
        record.add_move(pawn, "h7e7".parse().unwrap()).unwrap();
        record
            .add_move(NodeId::ROOT, "h2f2".parse().unwrap())
            .unwrap();
        record
    }

    #[test]
    fn what_is_written_is_read_as_the_same_record() {
        let record = sample();
        let bytes = write(&record).unwrap();
        assert!(is_xqf(&bytes));
        assert_eq!(read(&bytes), Ok(record));
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error_that_names_the_place() {
        let bytes = write(&sample()).unwrap();
        let whole = read(&bytes).unwrap();
        for length in 0..bytes.len() {
            let error = match read(&bytes[..length]) {
                Err(error) => error,
                // Only the length of the last, empty comment may be missing.
                Ok(record) => {
                    assert_eq!(record, whole, "cut at {length}");
                    continue;
                }
            };
            assert!(matches!(error, RecordError::Truncated(_)), "{error}");
        }
        let error = read(&bytes[..HEADER + 4 + 4 + 6 + 2]).unwrap_err();
        assert_eq!(error.to_string(), "the file ends inside move 1");
    }

    #[test]
    fn unknown_versions_and_broken_boards_are_errors() {
        let mut bytes = write(&sample()).unwrap();
        bytes[2] = 0x13;
        assert_eq!(
            read(&bytes).unwrap_err().to_string(),
            "XQF version 0x13 is not known"
        );
        bytes[2] = LAST_PLAIN;
        bytes[POINTS + 4] = 0xff;
        assert_eq!(
            read(&bytes).unwrap_err().to_string(),
            "start position: Red has no king"
        );
        bytes[POINTS + 4] = 0;
        assert_eq!(
            read(&bytes).unwrap_err().to_string(),
            "start position: two men on a0"
        );
    }

    #[test]
    fn an_illegal_move_stops_the_line() {
        let mut bytes = write(&sample()).unwrap();
        let second = HEADER + 4 + 4 + 6 + 4 + 4 + 4;
        bytes[second] = FROM + 79;
        bytes[second + 1] = TO + 200;
        let record = read(&bytes).unwrap();
        let stop = record.stopped_by().unwrap();
        assert_eq!((stop.ply, record.moves().len()), (2, 1));
        assert!(stop.to_string().starts_with("move 1 (Black): "), "{stop}");
    }
}
