//! One game: tags, start position, moves with variations and comments, result.

use super::result::GameResult;
use super::tree::{NodeId, Step, Tree};
use crate::position::{Fault, NotationError, Position, Undo};
use crate::types::{Color, Move};
use std::fmt;

/// The move at which a line of a record stops before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Its number from 1, both sides' moves counted.
    pub ply: usize,
    /// Whose move it is.
    pub side: Color,
    /// The number of the full move, as players count.
    pub move_number: usize,
    /// Its text and what is wrong with it.
    pub error: NotationError,
}

impl Stop {
    pub(super) fn new(start: &Position, ply: usize, error: NotationError) -> Self {
        let half_moves = ply - 1 + start.side_to_move().index();
        Self {
            ply,
            side: if half_moves.is_multiple_of(2) {
                Color::Red
            } else {
                Color::Black
            },
            move_number: half_moves / 2 + 1,
            error,
        }
    }

    /// The illegal move, if the record says which it is.
    pub fn illegal_move(&self) -> Option<Move> {
        match self.error.fault {
            Fault::Illegal(mv) => mv,
            _ => None,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "move {} ({}): {}",
            self.move_number, self.side, self.error
        )
    }
}

/// Tags a record keeps.
const MAX_TAGS: usize = 1_000;

/// A game as recorded. All its moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    start: Position,
    tree: Tree,
    tags: Vec<(String, String)>,
    result: GameResult,
    stopped_by: Option<Stop>,
    cut_variations: Vec<Stop>,
}

impl Record {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            tree: Tree::default(),
            tags: Vec::new(),
            result: GameResult::Unknown,
            stopped_by: None,
            cut_variations: Vec::new(),
        }
    }

    /// A game with these moves.
    ///
    /// # Errors
    /// At the first illegal move.
    pub fn from_moves(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, NotationError> {
        let mut position = start.clone();
        let mut record = Self::new(start);
        let mut node = NodeId::ROOT;
        for mv in moves {
            play(&mut position, mv)?;
            node = record.tree.add(node, mv);
        }
        Ok(record)
    }

    /// A game from moves that nobody has checked. Lines are cut at the first
    /// illegal move. `Err` in a node holds the text of what is no move at all.
    pub(super) fn from_draft(start: Position, mut draft: Tree<Result<Move, String>>) -> Self {
        let mut position = start.clone();
        let mut record = Self::new(start);
        record
            .tree
            .set_comment(NodeId::ROOT, draft.take_comment(NodeId::ROOT));
        let steps: Vec<Step> = draft.walk().collect();
        let mut path: Vec<(NodeId, Undo)> = Vec::new();
        let mut depth_in_cut = 0;
        let mut is_main = true;
        for step in steps {
            match step {
                Step::Enter(_) if depth_in_cut > 0 => depth_in_cut += 1,
                Step::Enter(node) => {
                    let parent = path.last().map_or(NodeId::ROOT, |(parent, _)| *parent);
                    let played = match draft.mv(node) {
                        Some(Ok(mv)) => play(&mut position, *mv).map(|undo| (*mv, undo)),
                        Some(Err(text)) => Err(NotationError::new(text, Fault::Unreadable)),
                        None => continue,
                    };
                    match played {
                        Ok((mv, undo)) => {
                            let child = record.tree.add(parent, mv);
                            record.tree.set_comment(child, draft.take_comment(node));
                            path.push((child, undo));
                        }
                        Err(error) => {
                            record.stop_at(path.len() + 1, error, is_main);
                            depth_in_cut = 1;
                        }
                    }
                }
                Step::Leave(_) if depth_in_cut > 0 => {
                    depth_in_cut -= 1;
                    is_main = false;
                }
                Step::Leave(_) => {
                    if let Some((_, undo)) = path.pop() {
                        position.unmake(&undo);
                    }
                    is_main = false;
                }
            }
        }
        record
    }

    /// Notes the end of the main line or of a variation at a bad move.
    pub(super) fn stop_at(&mut self, ply: usize, error: NotationError, is_main: bool) {
        let stop = Stop::new(&self.start, ply, error);
        if is_main {
            self.stopped_by = Some(stop);
        } else {
            self.cut_variations.push(stop);
        }
    }

    /// Where the game starts.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of the main line.
    pub fn moves(&self) -> Vec<Move> {
        self.tree
            .line(NodeId::ROOT)
            .filter_map(|node| self.tree.mv(node).copied())
            .collect()
    }

    /// Main line, variations and comments.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(super) fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// The result as recorded.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Changes the recorded result.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
    }

    /// Names and values in the order of the file, under the names of PGN
    /// (`Event`, `Red`, `Black`, ...). Result, start position and notation are
    /// not among them.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of a tag. Readers do not keep empty ones.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Adds a tag or changes its value. No game needs more than a thousand tags;
    /// further ones are dropped.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let known = self
            .tags
            .iter()
            .position(|(tag, _)| tag.eq_ignore_ascii_case(name));
        match known {
            Some(index) => value.clone_into(&mut self.tags[index].1),
            None if self.tags.len() < MAX_TAGS => {
                self.tags.push((name.to_owned(), value.to_owned()));
            }
            None => {}
        }
    }

    /// Replaces the comment of a node.
    pub fn set_comment(&mut self, node: NodeId, comment: &str) {
        self.tree.set_comment(node, comment.trim().to_owned());
    }

    /// Adds a continuation behind a node: the main one if it is the first there,
    /// else a variation.
    ///
    /// # Errors
    /// If the move is not legal there.
    pub fn add_move(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, NotationError> {
        play(&mut self.position_at(parent), mv)?;
        Ok(self.tree.add(parent, mv))
    }

    /// The position after the move of a node.
    pub fn position_at(&self, node: NodeId) -> Position {
        let path: Vec<Move> = std::iter::successors(Some(node), |&node| self.tree.parent(node))
            .filter_map(|node| self.tree.mv(node).copied())
            .collect();
        let mut position = self.start.clone();
        for &mv in path.iter().rev() {
            position.make(mv);
        }
        position
    }

    /// The bad move at which the main line ends, if it does.
    pub fn stopped_by(&self) -> Option<&Stop> {
        self.stopped_by.as_ref()
    }

    /// The bad moves at which variations were cut off.
    pub fn cut_variations(&self) -> &[Stop] {
        &self.cut_variations
    }
}

/// Makes a move if it is legal.
fn play(position: &mut Position, mv: Move) -> Result<Undo, NotationError> {
    if position.is_legal(mv, &position.legality()) {
        Ok(position.make(mv))
    } else {
        let fault = Fault::Illegal(Some(mv));
        Err(NotationError::new(&mv.to_string(), fault))
    }
}
