//! CBR and CBL, the records and libraries of CCBridge 3 (`.cbr`, `.cbl`). Read only.
//!
//! ```text
//!    0  "CCBridge Record\0"
//!  180  title, 692 event, 1076 Red, 1300 Black     UTF-16LE, ended by a zero
//! 2076  result: 0 unknown, 1 Red, 2 Black, 3 or 4 draw
//! 2116  u16 side to move, 1 = Red
//! 2120  90 men: 0x11 to 0x17 Red R N B A K C P, 0x21 to 0x27 Black, rank 9 first
//! 2214  u32 flag; if not zero, length and text of the comment on the game
//! then  nodes: marks, 0, from, to; a comment if the marks say so
//! ```
//! A node is followed by its whole continuation, then by the alternative to it.
//! A library holds records at steps of 4096 bytes.

use super::tree::StoredNode;
use super::{GameResult, NodeId, Record, RecordError, Tree};
use crate::position::{Position, Setup};
use crate::types::{Color, Move, Piece, PieceType, Square};
use PieceType::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
use std::ops::Range;

const RECORD_MAGIC: &[u8] = b"CCBridge Record\0";
const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary\0";

/// Text fields: offset, room in bytes, tag.
const TEXTS: [(usize, usize, &str); 4] = [
    (180, 128, "Title"),
    (692, 64, "Event"),
    (1076, 64, "Red"),
    (1300, 64, "Black"),
];
const RESULT: usize = 2076;
const SIDE: usize = 2116;
const BOARD: usize = 2120;
const BODY: usize = 2214;

/// Where the records of a library begin to be looked for, and at what steps.
const FIRST_RECORD: usize = 101_952;
const STEP: usize = 4_096;

/// The marks of a node.
const IS_LAST: u8 = 1;
const HAS_ALTERNATIVE: u8 = 2;
const HAS_COMMENT: u8 = 4;

/// The kinds of the low digit, from 1.
const KINDS: [PieceType; 7] = [Rook, Knight, Bishop, Advisor, King, Cannon, Pawn];

/// Whether the bytes are a record.
pub(super) fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_MAGIC)
}

/// Whether they are a library.
pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBRARY_MAGIC)
}

/// Where the records of a library are.
pub(super) fn split(bytes: &[u8]) -> Vec<Range<usize>> {
    let at = |index: usize| bytes.get(index..).is_some_and(is_record);
    let Some(first) = (FIRST_RECORD..bytes.len()).find(|&index| at(index)) else {
        return Vec::new();
    };
    let starts: Vec<usize> = (first..bytes.len())
        .step_by(STEP)
        .filter(|&index| at(index))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let ranges = starts.iter().zip(ends);
    ranges.map(|(&start, end)| start..end).collect()
}

/// Reads a record.
///
/// # Errors
/// If the file ends too early or the start position is none.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    let header = bytes
        .first_chunk::<BODY>()
        .ok_or_else(|| RecordError::Truncated("the header".to_owned()))?;
    let start = start(header)?;
    let mut nodes = Nodes { bytes, at: BODY };
    let mut record = Record::from_draft(start, nodes.tree()?);
    record.set_result(match header[RESULT] {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    });
    for (offset, room, tag) in TEXTS {
        let text = text(&header[offset..offset + room]);
        if !text.is_empty() {
            record.set_tag(tag, &text);
        }
    }
    Ok(record)
}

fn start(header: &[u8; BODY]) -> Result<Position, RecordError> {
    let mut setup = Setup::EMPTY;
    for (index, &man) in header[BOARD..BOARD + Square::COUNT].iter().enumerate() {
        let color = match man >> 4 {
            1 => Color::Red,
            2 => Color::Black,
            _ => continue,
        };
        let kind = usize::from(man & 15).checked_sub(1);
        if let (Some(&kind), Some(square)) = (kind.and_then(|k| KINDS.get(k)), square(index)) {
            setup.board[square.index()] = Some(Piece::new(color, kind));
        }
    }
    if u16::from_le_bytes([header[SIDE], header[SIDE + 1]]) != 1 {
        setup.side = Color::Black;
    }
    Ok(setup.into_position()?)
}

/// Points are counted from Black's left corner, as Red sees it.
fn square(index: usize) -> Option<Square> {
    Some(Square::from_index(index)?.flip_rank())
}

/// Text up to the first zero.
fn text(bytes: &[u8]) -> String {
    let units = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .copied()
        .map(u16::from_le_bytes);
    let units: Vec<u16> = units.take_while(|&unit| unit != 0).collect();
    String::from_utf16_lossy(&units)
        .replace("\r\n", "\n")
        .trim()
        .to_owned()
}

/// The part of the record behind the header.
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Nodes<'_> {
    fn tree(&mut self) -> Result<Tree<Result<Move, String>>, RecordError> {
        let mut tree = Tree::default();
        let cut = |what: String| RecordError::Truncated(what);
        let on_game = "the comment on the game";
        let flag = self.number().ok_or_else(|| cut(on_game.to_owned()))?;
        if flag != 0 {
            let comment = self.comment().ok_or_else(|| cut(on_game.to_owned()))?;
            tree.set_comment(NodeId::ROOT, comment);
        }
        tree.add_row::<RecordError>(|ply| {
            let cut = || cut(format!("move {}", ply.div_ceil(2)));
            let [marks, _, from, to] = self.take::<4>().ok_or_else(cut)?;
            if [marks, from, to] == [0; 3] {
                return Ok(None);
            }
            let comment = match marks & HAS_COMMENT {
                0 => String::new(),
                _ => self.comment().ok_or_else(cut)?,
            };
            Ok(Some(StoredNode {
                mv: read_move(from, to),
                comment,
                has_next: marks & IS_LAST == 0,
                has_alternative: marks & HAS_ALTERNATIVE != 0,
            }))
        })?;
        Ok(tree)
    }

    /// A length in bytes and as much text.
    fn comment(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(text(bytes))
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }
}

/// The move, or a text for what is none.
fn read_move(from: u8, to: u8) -> Result<Move, String> {
    let points = square(from.into()).zip(square(to.into()));
    points
        .and_then(|(from, to)| Move::checked(from, to))
        .ok_or_else(|| format!("<{from}><{to}>"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn put(bytes: &mut [u8], at: usize, text: &str) {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        for (index, byte) in units.enumerate() {
            bytes[at + index] = byte;
        }
    }

    fn node(marks: u8, mv: &str, comment: &str) -> Vec<u8> {
        let mv: Move = mv.parse().unwrap();
        let point = |square: Square| square.flip_rank().index() as u8;
        let mut bytes = vec![marks, 0, point(mv.from()), point(mv.to())];
        if marks & HAS_COMMENT != 0 {
            bytes.extend((2 * comment.encode_utf16().count() as u32).to_le_bytes());
            bytes.extend(comment.encode_utf16().flat_map(u16::to_le_bytes));
        }
        bytes
    }

    /// A record made from the description of the format.
    pub(crate) fn sample() -> Vec<u8> {
        let mut bytes = vec![0; BODY];
        bytes[..16].copy_from_slice(RECORD_MAGIC);
        put(&mut bytes, 180, "第一局");
        put(&mut bytes, 1076, "胡荣华");
        bytes[RESULT] = 1;
        bytes[SIDE] = 1;
        let start = Position::start();
        for square in start.occupied() {
            let piece = start.piece_on(square).unwrap();
            let kind = KINDS.iter().position(|kind| *kind == piece.kind).unwrap() as u8;
            bytes[BOARD + square.flip_rank().index()] =
                (piece.color.index() as u8 + 1) << 4 | (kind + 1);
        }
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(4u32.to_le_bytes());
        bytes.extend("开局".encode_utf16().flat_map(u16::to_le_bytes));
        bytes.extend(node(HAS_COMMENT, "h2e2", "中炮"));
        bytes.extend(node(IS_LAST | HAS_ALTERNATIVE, "h9g7", ""));
        bytes.extend(node(0, "h7e7", ""));
        bytes.extend(node(IS_LAST, "h0g2", ""));
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn a_record_is_read_with_comments_and_variations() {
        let record = read(&sample()).unwrap();
        assert_eq!(*record.start(), Position::start());
        assert_eq!(record.result(), GameResult::RedWins);
        assert_eq!(record.tag("Title"), Some("第一局"));
        assert_eq!(record.tag("Red"), Some("胡荣华"));
        let tree = record.tree();
        assert_eq!(tree.comment(NodeId::ROOT), "开局");
        assert_eq!((record.moves().len(), tree.move_count()), (2, 4));
        let first = tree.next(NodeId::ROOT).unwrap();
        assert_eq!(tree.comment(first), "中炮");
        let other = tree.alternative(tree.next(first).unwrap()).unwrap();
        assert_eq!(tree.mv(other).unwrap().to_string(), "h7e7");
        assert!(tree.next(other).is_some());
    }

    #[test]
    fn a_record_cut_anywhere_is_an_error_or_whole() {
        let bytes = sample();
        let whole = read(&bytes).unwrap();
        for length in 0..bytes.len() {
            match read(&bytes[..length]) {
                Ok(record) => assert_eq!(record, whole, "{length}"),
                Err(error) => assert!(matches!(error, RecordError::Truncated(_)), "{error}"),
            }
        }
        let mut damaged = bytes;
        damaged[BOARD + 4] = 0;
        let error = read(&damaged).unwrap_err();
        assert_eq!(error.to_string(), "start position: Black has no king");
    }

    #[test]
    fn the_records_of_a_library_are_found() {
        let mut bytes = LIBRARY_MAGIC.to_vec();
        bytes.resize(FIRST_RECORD + 100, 0);
        let first = bytes.len();
        for length in [STEP, 2 * STEP, 100] {
            let mut record = sample();
            record.resize(record.len().max(length), 0);
            bytes.extend(record);
        }
        let ranges = split(&bytes);
        let starts: Vec<usize> = ranges.iter().map(|range| range.start - first).collect();
        assert_eq!(starts, [0, STEP, 3 * STEP]);
        assert!(ranges.into_iter().all(|range| read(&bytes[range]).is_ok()));
        assert!(split(LIBRARY_MAGIC).is_empty());
    }
}
