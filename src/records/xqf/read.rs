//! From bytes to a record.

use super::keys::Keys;
use super::{FROM, HEADER, LAST_KNOWN, LAST_PLAIN, RESULT, TEXTS, TO};
use crate::records::encoding::from_gb18030;
use crate::records::slots::{self, Slots};
use crate::records::tree::StoredNode;
use crate::records::{GameResult, NodeId, Record, RecordError, Tree};
use crate::types::{File, Move, Rank, Square};

/// A game whose moves nobody has checked.
type Draft = Tree<Result<Move, String>>;

/// Reads a file of any known version.
///
/// # Errors
/// If the version is unknown, the file ends too early or the start position is
/// none.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    let header = bytes
        .first_chunk::<HEADER>()
        .ok_or_else(|| RecordError::Truncated("the header".to_owned()))?;
    let version = header[2];
    if version > LAST_KNOWN {
        let format = "XQF";
        return Err(RecordError::Version { format, version });
    }
    let keys = Keys::of(header);
    let mut nodes = Nodes {
        bytes,
        at: HEADER,
        keys: &keys,
        is_plain: version <= LAST_PLAIN,
    };
    let draft = nodes.tree()?;
    let first = draft.next(NodeId::ROOT).and_then(|node| draft.mv(node));
    let first = first.and_then(|mv| mv.as_ref().ok()).copied();
    let slots: Slots = keys.points(header).map(square);
    let mut record = Record::from_draft(slots::position(&slots, first)?, draft);
    record.set_result(match header[RESULT] {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    });
    for (offset, room, tag) in TEXTS {
        let length = usize::from(header[offset]).min(room);
        let text = from_gb18030(&header[offset + 1..offset + 1 + length]);
        if !text.is_empty() {
            record.set_tag(tag, &text);
        }
    }
    Ok(record)
}

/// The point of a byte; beyond the board for a man that is not there.
fn square(byte: u8) -> Option<Square> {
    let file = File::new(usize::from(byte / 10))?;
    Some(Square::new(file, Rank::new(usize::from(byte % 10))?))
}

/// The part of the file behind the header.
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: &'a Keys,
    is_plain: bool,
}

impl Nodes<'_> {
    fn tree(&mut self) -> Result<Draft, RecordError> {
        let mut tree = Draft::default();
        let cut = |depth: usize| {
            let what = match depth {
                0 => "the comment on the game".to_owned(),
                depth => format!("move {}", depth.div_ceil(2)),
            };
            RecordError::Truncated(what)
        };
        let head = self.node().ok_or_else(|| cut(0))?;
        tree.set_comment(NodeId::ROOT, head.comment);
        if !head.has_next {
            return Ok(tree);
        }
        tree.add_row(|depth| self.node().ok_or_else(|| cut(depth)).map(Some))?;
        Ok(tree)
    }

    /// The next node; `None` if the file ends inside it. A comment said to be
    /// longer than the rest of the file is what is there of it.
    fn node(&mut self) -> Option<StoredNode<Result<Move, String>>> {
        let [from, to, flags, _] = self.take::<4>()?;
        let (has_next, has_alternative, has_comment) = if self.is_plain {
            (flags & 0xf0 != 0, flags & 0x0f != 0, true)
        } else {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        };
        let mut comment = String::new();
        if has_comment {
            // Nothing is lost if the file ends in the zero length of a comment
            // that would be the last thing in it.
            let length = match self.take::<4>() {
                Some(bytes) => u32::from_le_bytes(bytes).wrapping_sub(self.keys.length),
                None if has_next || has_alternative => return None,
                None => 0,
            };
            let rest = self.bytes.len() - self.at;
            let length = usize::try_from(length).unwrap_or(rest).min(rest);
            let range = self.at..self.at + length;
            let plain = range.map(|at| self.keys.plain(self.bytes[at], at));
            comment = from_gb18030(&plain.collect::<Vec<u8>>()).replace("\r\n", "\n");
            self.at += length;
        }
        let from = from.wrapping_sub(FROM).wrapping_sub(self.keys.from);
        let to = to.wrapping_sub(TO).wrapping_sub(self.keys.to);
        Some(StoredNode {
            mv: read_move(from, to),
            has_next,
            has_alternative,
            comment,
        })
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes: [u8; N] = *self.bytes.get(self.at..)?.first_chunk()?;
        let at = self.at;
        self.at += N;
        Some(std::array::from_fn(|i| self.keys.plain(bytes[i], at + i)))
    }
}

/// The move, or a text for what is none.
fn read_move(from: u8, to: u8) -> Result<Move, String> {
    let points = square(from).zip(square(to));
    points
        .and_then(|(from, to)| Move::checked(from, to))
        .ok_or_else(|| {
            let name = |byte: u8| match square(byte) {
                Some(square) => square.to_string(),
                None => format!("<{byte}>"),
            };
            format!("{}{}", name(from), name(to))
        })
}
