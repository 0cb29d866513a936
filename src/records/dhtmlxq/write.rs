//! From a record to text.

use super::{CONSUMED, OPENING_MARK, TAGS};
use crate::records::slots;
use crate::records::{NodeId, Record, RecordError, Step};
use crate::types::Square;
use std::fmt::Write as _;

/// Writes a game with all its comments and variations.
///
/// # Errors
/// If the position has men that the format has no place for, or the side to
/// move cannot be told.
pub fn write(record: &Record) -> Result<String, RecordError> {
    let slots = slots::of(record.start(), "DhtmlXQ")?;
    slots::check_side(
        record.start(),
        &slots,
        record.moves().first().copied(),
        "DhtmlXQ",
    )?;
    let mut text = "[DhtmlXQ]\n".to_owned();
    field(&mut text, "ver", "www_dpxq_com");
    field(&mut text, "init", "500,350");
    for (name, value) in record.tags() {
        let known = TAGS.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name));
        let name = known.map_or(name.to_ascii_lowercase(), |(name, _)| (*name).to_owned());
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric());
        if is_word && !name.starts_with("comment") && !CONSUMED.contains(&name.as_str()) {
            field(&mut text, &name, value);
        }
    }
    field(&mut text, "result", record.result().chinese());
    let binit: String = slots
        .iter()
        .map(|slot| slot.map_or("99".to_owned(), pair))
        .collect();
    field(&mut text, "binit", &binit);
    write_tree(record, &mut text);
    text.push_str("[/DhtmlXQ]\n");
    Ok(text)
}

/// Main line first, then branch by branch, each with its comments.
fn write_tree(record: &Record, text: &mut String) {
    let tree = record.tree();
    let mut comments = String::new();
    let comment = |comments: &mut String, name: &str, node| {
        if !tree.comment(node).is_empty() {
            field(
                comments,
                name,
                &tree.comment(node).replace("\r\n", "\n").replace('\n', "||"),
            );
        }
    };
    comment(&mut comments, "comment0", NodeId::ROOT);
    // Lines that are being walked: number of the branch, moves, where it begins.
    let mut open: Vec<(u32, String, String)> = vec![(0, "movelist".to_owned(), String::new())];
    let mut count = 0;
    let mut ply = 0;
    let mut done: Vec<(u32, String, String)> = Vec::new();
    for step in tree.walk() {
        match step {
            Step::Enter(node) => {
                ply += 1;
                if !tree.is_first(node) {
                    count += 1;
                    let parent = open.last().map_or(0, |(number, ..)| *number);
                    open.push((count, format!("move_{parent}_{ply}_{count}"), String::new()));
                }
                if let (Some((number, _, moves)), Some(mv)) = (open.last_mut(), tree.mv(node)) {
                    moves.push_str(&(pair(mv.from()) + &pair(mv.to())));
                    let name = match *number {
                        0 => format!("comment{ply}"),
                        number => format!("comment{number}_{ply}"),
                    };
                    comment(&mut comments, &name, node);
                }
            }
            Step::Leave(node) => {
                ply -= 1;
                if !tree.is_first(node) {
                    done.extend(open.pop());
                }
            }
        }
    }
    if let Some(mv) = record.stopped_by().and_then(|stop| stop.illegal_move()) {
        open[0].2.push_str(&(pair(mv.from()) + &pair(mv.to())));
    }
    done.append(&mut open);
    done.sort_by_key(|(number, ..)| *number);
    for (_, name, moves) in done {
        field(text, &name, &moves);
    }
    text.push_str(&comments);
}

fn pair(square: Square) -> String {
    format!("{}{}", square.file().index(), 9 - square.rank().index())
}

fn field(text: &mut String, name: &str, value: &str) {
    let value = value
        .replace("[/DhtmlXQ", "[ /DhtmlXQ")
        .replace(OPENING_MARK, "[ DhtmlXQ_");
    let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
}
