//! From text to a record.

use super::{CONSUMED, OPENING_MARK, TAGS};
use crate::position::Position;
use crate::records::movetext::MAX_NESTING;
use crate::records::slots::{self, Slots};
use crate::records::{GameResult, NodeId, Record, RecordError, Tree};
use crate::types::{File, Move, Rank, Square};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A game whose moves nobody has checked.
type Draft = Tree<Result<Move, String>>;

/// Reads one game.
///
/// # Errors
/// If a field is cut off or contains what it should not, if the start position
/// is none, or a branch hangs in the air.
pub fn read(text: &str) -> Result<Record, RecordError> {
    if text.contains("[DhtmlXQ]") && !text.contains("[/DhtmlXQ]") {
        return Err(RecordError::Truncated("the game".to_owned()));
    }
    let fields = fields(text)?;
    let get = |name: &str| {
        fields
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    };
    let (draft, first) = draft(&fields)?;
    let start = match get("binit").filter(|value| !value.is_empty()) {
        Some(value) => slots::position(&parse_slots(value)?, first)?,
        None => Position::start(),
    };
    let mut record = Record::from_draft(start, draft);
    if let Some(result) = get("result").and_then(GameResult::from_text) {
        record.set_result(result);
    }
    for (name, value) in &fields {
        let is_tree = name.starts_with("comment") || name.starts_with("move_");
        if is_tree || value.is_empty() || CONSUMED.contains(&name.as_str()) {
            continue;
        }
        let tag = TAGS.iter().find(|(known, _)| known == name);
        record.set_tag(tag.map_or(name.as_str(), |(_, tag)| tag), value);
    }
    Ok(record)
}

/// Names in lower case, and values.
fn fields(text: &str) -> Result<Vec<(String, &str)>, RecordError> {
    let mut fields = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(OPENING_MARK) {
        let inner = &rest[at + OPENING_MARK.len()..];
        let cut = || RecordError::Truncated("the name of a field".to_owned());
        let (name, behind) = inner.split_once(']').ok_or_else(cut)?;
        let closing = format!("[/DhtmlXQ_{name}]");
        let cut = || RecordError::Truncated(format!("the field {}", short(name)));
        let (value, behind) = behind.split_once(closing.as_str()).ok_or_else(cut)?;
        fields.push((name.to_ascii_lowercase(), value.trim()));
        rest = behind;
    }
    if fields.is_empty() {
        return Err(RecordError::Truncated("the first field".to_owned()));
    }
    Ok(fields)
}

fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

/// A branch: the ply it replaces, and its moves.
struct Branch<'a> {
    ply: usize,
    moves: &'a str,
}

/// Builds the tree, unchecked, and returns it with the first move of the game.
fn draft(fields: &[(String, &str)]) -> Result<(Draft, Option<Move>), RecordError> {
    let mut branches: HashMap<u32, Branch<'_>> = HashMap::new();
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for (name, value) in fields {
        if let Some([parent, ply, branch]) = numbers(name, "move_") {
            let problem = "is not a branch of another one";
            if branch == 0 || ply == 0 || branches.contains_key(&branch) {
                return Err(RecordError::field(name, value, problem));
            }
            children.entry(parent).or_default().push(branch);
            let ply = ply as usize;
            branches.insert(branch, Branch { ply, moves: value });
        }
    }
    let main = fields.iter().find(|(name, _)| name == "movelist");
    let mut tree = Draft::default();
    let mut lines: HashMap<u32, Line> = HashMap::new();
    let moves = parse_moves("movelist", main.map_or("", |(_, value)| value))?;
    let first = moves.first().and_then(|mv| mv.as_ref().ok()).copied();
    lines.insert(0, Line::grow(&mut tree, (0, NodeId::ROOT), 1, moves));
    // Breadth first from the main line, so that a parent is there before its children.
    let mut queue: Vec<(u32, usize)> = vec![(0, 0)];
    let mut at = 0;
    while let Some(&(parent, depth)) = queue.get(at) {
        for number in children.remove(&parent).unwrap_or_default() {
            let Some(branch) = branches.remove(&number) else {
                continue;
            };
            let before = node_before(&lines, parent, branch.ply);
            let before = before.ok_or(RecordError::Branch(number))?;
            let moves = parse_moves(&format!("branch {number}"), branch.moves)?;
            let line = Line::grow(&mut tree, (parent, before), branch.ply, moves);
            lines.insert(number, line);
            queue.push((number, depth + 1));
        }
        if depth > MAX_NESTING {
            return Err(RecordError::Nesting(MAX_NESTING));
        }
        at += 1;
    }
    if let Some(&number) = branches.keys().min() {
        return Err(RecordError::Branch(number));
    }
    add_comments(fields, &lines, &mut tree);
    Ok((tree, first))
}

/// The node behind which a ply of a branch is played. A branch may be said to
/// replace a move that its parent shares with the grandparent.
fn node_before(lines: &HashMap<u32, Line>, mut branch: u32, ply: usize) -> Option<NodeId> {
    loop {
        let line = lines.get(&branch)?;
        match ply.cmp(&line.ply) {
            Ordering::Greater => return line.nodes.get(ply - line.ply - 1).copied(),
            Ordering::Equal => return Some(line.before),
            Ordering::Less => branch = line.parent,
        }
    }
}

/// The nodes of a branch, from the ply at which it begins.
struct Line {
    /// The branch that this one leaves. The main line is its own parent.
    parent: u32,
    /// The node before the first one.
    before: NodeId,
    ply: usize,
    nodes: Vec<NodeId>,
}

impl Line {
    fn grow(
        tree: &mut Draft,
        (parent, before): (u32, NodeId),
        ply: usize,
        moves: Vec<Result<Move, String>>,
    ) -> Self {
        let mut node = before;
        let nodes = moves.into_iter().map(|mv| {
            node = tree.add(node, mv);
            node
        });
        Self {
            parent,
            before,
            ply,
            nodes: nodes.collect(),
        }
    }

    fn at(&self, ply: usize) -> Option<NodeId> {
        self.nodes.get(ply.checked_sub(self.ply)?).copied()
    }
}

/// Comments on moves that are not there are dropped.
fn add_comments(fields: &[(String, &str)], lines: &HashMap<u32, Line>, tree: &mut Draft) {
    for (name, value) in fields {
        let (branch, ply) = if let Some([ply]) = numbers(name, "comment") {
            (0, ply as usize)
        } else if let Some([branch, ply]) = numbers(name, "comment") {
            (branch, ply as usize)
        } else {
            continue;
        };
        let node = match (branch, ply) {
            (0, 0) => Some(NodeId::ROOT),
            _ => lines.get(&branch).and_then(|line| line.at(ply)),
        };
        if let Some(node) = node {
            tree.set_comment(node, value.replace("||", "\n").trim().to_owned());
        }
    }
}

/// The numbers behind a word, if there are exactly so many.
fn numbers<const N: usize>(name: &str, word: &str) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut parts = name.strip_prefix(word)?.split('_');
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn parse_slots(value: &str) -> Result<Slots, RecordError> {
    let problem = "is not 32 points of two digits";
    let error = || RecordError::field("binit", value, problem);
    let digits = value.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(error());
    }
    let mut slots: Slots = [None; 32];
    for (slot, pair) in slots.iter_mut().zip(digits.as_chunks::<2>().0) {
        if pair != b"99" {
            *slot = Some(point(*pair).ok_or_else(error)?);
        }
    }
    Ok(slots)
}

fn parse_moves(name: &str, value: &str) -> Result<Vec<Result<Move, String>>, RecordError> {
    let digits: Vec<u8> = value
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(RecordError::field(name, value, "is not all digits"));
    }
    let (moves, rest) = digits.as_chunks::<4>();
    if !rest.is_empty() {
        let after = format!("{name} after ply {}", moves.len());
        return Err(RecordError::Truncated(after));
    }
    let read = |&[a, b, c, d]: &[u8; 4]| {
        let mv = point([a, b]).zip(point([c, d]));
        mv.and_then(|(from, to)| Move::checked(from, to))
            .ok_or_else(|| String::from_utf8_lossy(&[a, b, c, d]).into_owned())
    };
    Ok(moves.iter().map(read).collect())
}

/// A point from two digits: file, rank from Black's side.
pub(in crate::records) fn point([file, rank]: [u8; 2]) -> Option<Square> {
    let file = File::new(usize::from(file.checked_sub(b'0')?))?;
    let rank = Rank::new(9_usize.checked_sub(usize::from(rank.checked_sub(b'0')?))?)?;
    Some(Square::new(file, rank))
}
