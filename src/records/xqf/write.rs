//! From a record to bytes of version 0x0A.

use super::{FROM, HEADER, LAST_PLAIN, POINTS, RESULT, TEXTS, TO};
use crate::records::slots;
use crate::records::{GameResult, NodeId, Record, RecordError, Step};
use crate::types::{Move, Square};
use encoding_rs::GB18030;

const HAS_NEXT: u8 = 0xf0;
const HAS_ALTERNATIVE: u8 = 0x0f;

/// Writes a game with all its comments and variations. Tags without a field of
/// their own are dropped, long texts are cut.
///
/// # Errors
/// If the position has men that the format has no place for, or the side to
/// move cannot be told.
pub fn write(record: &Record) -> Result<Vec<u8>, RecordError> {
    let slots = slots::of(record.start(), "XQF")?;
    slots::check_side(
        record.start(),
        &slots,
        record.moves().first().copied(),
        "XQF",
    )?;
    let mut bytes = vec![0; HEADER];
    bytes[..3].copy_from_slice(&[b'X', b'Q', LAST_PLAIN]);
    for (index, slot) in slots.iter().enumerate() {
        bytes[POINTS + index] = slot.map_or(0xff, point);
    }
    bytes[RESULT] = match record.result() {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    for (offset, room, tag) in TEXTS {
        let text = fitting(record.tag(tag).unwrap_or_default(), room);
        bytes[offset] = text.len() as u8;
        bytes[offset + 1..offset + 1 + text.len()].copy_from_slice(&text);
    }
    write_nodes(record, &mut bytes);
    Ok(bytes)
}

fn write_nodes(record: &Record, bytes: &mut Vec<u8>) {
    let tree = record.tree();
    let illegal = record.stopped_by().and_then(|stop| stop.illegal_move());
    let last = tree.line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT);
    let mut node = |node: NodeId, from: u8, to: u8| {
        let is_cut = illegal.is_some() && node == last;
        let mut flags = 0;
        if is_cut || tree.next(node).is_some() {
            flags |= HAS_NEXT;
        }
        if tree.alternative(node).is_some() {
            flags |= HAS_ALTERNATIVE;
        }
        push(bytes, [from, to, flags], tree.comment(node));
        if let Some(mv) = illegal.filter(|_| is_cut) {
            push(bytes, [from_byte(mv), to_byte(mv), 0], "");
        }
    };
    node(NodeId::ROOT, FROM, TO);
    for step in tree.walk() {
        if let Step::Enter(id) = step
            && let Some(&mv) = tree.mv(id)
        {
            node(id, from_byte(mv), to_byte(mv));
        }
    }
}

fn push(bytes: &mut Vec<u8>, [from, to, flags]: [u8; 3], comment: &str) {
    let comment = GB18030
        .encode(&comment.replace("\r\n", "\n").replace('\n', "\r\n"))
        .0
        .into_owned();
    bytes.extend([from, to, flags, 0]);
    bytes.extend((comment.len() as u32).to_le_bytes());
    bytes.extend(comment);
}

fn point(square: Square) -> u8 {
    (10 * square.file().index() + square.rank().index()) as u8
}

fn from_byte(mv: Move) -> u8 {
    point(mv.from()) + FROM
}

fn to_byte(mv: Move) -> u8 {
    point(mv.to()) + TO
}

/// As much of the text as there is room for, whole characters only.
fn fitting(text: &str, room: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let encoded = GB18030
            .encode(character.encode_utf8(&mut buffer))
            .0
            .into_owned();
        if bytes.len() + encoded.len() > room {
            break;
        }
        bytes.extend(encoded);
    }
    bytes
}
