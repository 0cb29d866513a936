//! From text to a record.

use super::is_tag_line;
use crate::position::Position;
use crate::records::{GameResult, Record, RecordError, movetext};

/// Tags that stand for parts of a [`Record`] and are not kept as tags.
const DERIVED: [&str; 5] = ["Game", "Result", "FEN", "SetUp", "Format"];

/// Reads one game, with or without tags.
///
/// # Errors
/// If a tag is damaged, the start position is none, or a comment is not closed.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut tags: Vec<(&str, &str)> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if !is_tag_line(rest) {
            break;
        }
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        read_tags(line.trim_end(), &mut tags)?;
        rest = behind;
    }
    let start = match find(&tags, "FEN") {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::start(),
    };
    let mut record = Record::new(start);
    if let Some(result) = find(&tags, "Result").and_then(GameResult::from_text) {
        record.set_result(result);
    }
    for (name, value) in tags {
        let is_derived = DERIVED.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        if !is_derived && !value.trim().is_empty() {
            record.set_tag(name, value);
        }
    }
    movetext::read(rest, &mut record)?;
    Ok(record)
}

fn find<'a>(tags: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
    tag.map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

/// Reads the tags of a line, nearly always one.
fn read_tags<'a>(line: &'a str, tags: &mut Vec<(&'a str, &'a str)>) -> Result<(), RecordError> {
    let mut rest = line;
    while let Some(inner) = rest.trim_start().strip_prefix('[') {
        let error = || RecordError::field("tag", line, "is damaged");
        let end = tag_end(inner).ok_or_else(error)?;
        let (name, value) = inner[..end]
            .split_once(char::is_whitespace)
            .unwrap_or((&inner[..end], ""));
        let value = value.trim();
        let value = value.strip_prefix('"').unwrap_or(value);
        tags.push((name, value.strip_suffix('"').unwrap_or(value)));
        rest = &inner[end + 1..];
    }
    Ok(())
}

/// Where the bracket of a tag closes: behind the first `"]` that another tag or
/// the end of the line follows.
fn tag_end(inner: &str) -> Option<usize> {
    let is_end = |at: usize| {
        let behind = inner[at + 1..].trim_start();
        behind.is_empty() || (is_tag_line(behind) && behind.contains('"'))
    };
    let closed = inner
        .match_indices("\"]")
        .map(|(at, _)| at + 1)
        .find(|&at| is_end(at));
    closed
        .or_else(|| inner.rfind("\"]").map(|at| at + 1))
        .or_else(|| (!inner.contains('"')).then(|| inner.rfind(']')).flatten())
}
