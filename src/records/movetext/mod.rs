//! The moves of a game as text: `1. 炮二平五 马８进７ {comment} (variation) 1-0`.
//!
//! Shared by PGN and by lists of moves. Every move may be in any notation; the
//! notations cannot be mistaken for each other. Move numbers, dots, commas and
//! marks of praise are skipped. Text of a line behind a bad move is skipped, its
//! variations too.

mod lexer;

use super::{GameResult, NodeId, Record, RecordError};
use crate::position::{Position, Undo, is_move_text};
use lexer::{Lexer, Token};

/// Variations may be nested this deep.
pub(super) const MAX_NESTING: usize = 500;

/// Whether a text without tags begins with a move that can be read.
pub(super) fn begins_with_move(text: &str) -> bool {
    let first = Lexer(text).find_map(|token| match token {
        Token::Move(word) => Some(is_move_text(word)),
        Token::OpenComment => Some(false),
        _ => None,
    });
    first == Some(true)
}

/// Reads move text into a record. A result in the text counts if the record has
/// none yet.
///
/// # Errors
/// If a comment or variation is not closed, or variations are nested too deep.
pub(super) fn read(text: &str, record: &mut Record) -> Result<(), RecordError> {
    let mut reader = Reader::new(record);
    for token in Lexer(text) {
        match token {
            Token::Move(word) => reader.play(word),
            Token::Comment(comment) => reader.comment(comment),
            Token::Open => reader.open()?,
            Token::Close => reader.close(),
            Token::Result(result) => {
                if reader.outer.is_empty() {
                    if reader.record.result() == GameResult::Unknown {
                        reader.record.set_result(result);
                    }
                    return Ok(());
                }
            }
            Token::OpenComment => return Err(reader.truncated("the comment")),
        }
    }
    if reader.outer.is_empty() {
        Ok(())
    } else {
        Err(reader.truncated("a variation"))
    }
}

/// A line that is being read.
struct Line {
    position: Position,
    node: NodeId,
    ply: usize,
    /// How to take the last move of this line back; a variation replaces it.
    last: Option<Undo>,
    /// Nothing more is read in this line.
    is_over: bool,
    /// A comment in front of the first move of a variation.
    pending: String,
}

struct Reader<'r> {
    record: &'r mut Record,
    line: Line,
    /// The lines around this variation.
    outer: Vec<Line>,
}

impl<'r> Reader<'r> {
    fn new(record: &'r mut Record) -> Self {
        let line = Line {
            position: record.start().clone(),
            node: NodeId::ROOT,
            ply: 0,
            last: None,
            is_over: false,
            pending: String::new(),
        };
        Self {
            record,
            line,
            outer: Vec::new(),
        }
    }

    fn play(&mut self, word: &str) {
        let line = &mut self.line;
        if line.is_over {
            return;
        }
        match line.position.read_move(word) {
            Ok(mv) => {
                line.last = Some(line.position.make(mv));
                line.node = self.record.tree_mut().add(line.node, mv);
                line.ply += 1;
                let pending = std::mem::take(&mut line.pending);
                self.comment(&pending);
            }
            Err(error) => {
                line.is_over = true;
                let is_main = self.outer.is_empty();
                self.record.stop_at(line.ply + 1, error, is_main);
            }
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.line.is_over {
            return;
        }
        let is_ahead = self.line.last.is_none() && !self.outer.is_empty();
        let mut comment = if is_ahead {
            std::mem::take(&mut self.line.pending)
        } else {
            self.record.tree_mut().take_comment(self.line.node)
        };
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
        if is_ahead {
            self.line.pending = comment;
        } else {
            self.record.tree_mut().set_comment(self.line.node, comment);
        }
    }

    /// Begins a variation to the last move of the line.
    fn open(&mut self) -> Result<(), RecordError> {
        if self.outer.len() >= MAX_NESTING {
            return Err(RecordError::Nesting(MAX_NESTING));
        }
        let line = &self.line;
        let mut inner = Line {
            position: line.position.clone(),
            node: self.record.tree().parent(line.node).unwrap_or(NodeId::ROOT),
            ply: line.ply.saturating_sub(1),
            last: None,
            is_over: line.is_over || line.last.is_none(),
            pending: String::new(),
        };
        if let Some(undo) = &line.last {
            inner.position.unmake(undo);
        }
        self.outer.push(std::mem::replace(&mut self.line, inner));
        Ok(())
    }

    /// Ends a variation; a bracket too many is passed over.
    fn close(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
    }

    fn truncated(&self, what: &str) -> RecordError {
        let moves = self.line.ply + self.record.start().side_to_move().index();
        RecordError::Truncated(format!("{what} after move {}", moves.div_ceil(2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        let mut record = Record::new(Position::start());
        read(text, &mut record).expect("readable");
        record
    }

    #[test]
    fn variations_replace_the_last_move() {
        let record = record(
            "{game} 1. 炮二平五 {centre} (1. {other} 兵七进一 卒7进1 (1... 马8进7) 2. 马八进七) \
             (1. 炮二平四) 马8进7 *",
        );
        let tree = record.tree();
        assert_eq!(tree.comment(NodeId::ROOT), "game");
        let first = tree.next(NodeId::ROOT).unwrap();
        assert_eq!(tree.comment(first), "centre");
        let pawn = tree.alternative(first).unwrap();
        assert_eq!(tree.mv(pawn).unwrap().to_string(), "c3c4");
        assert_eq!(tree.comment(pawn), "other");
        let reply = tree.next(pawn).unwrap();
        assert!(tree.alternative(reply).is_some());
        assert_eq!(tree.line(pawn).count(), 2);
        assert_eq!(record.moves().len(), 2);
        assert_eq!(tree.move_count(), 7);
    }

    #[test]
    fn a_bad_move_ends_its_line_only() {
        let text = "1. 炮二平五 (1. 炮二平九 马8进7) 炮8平5 2. 炮五进六 士4进5 {lost} 1-0";
        let record = record(text);
        let stop = record.stopped_by().unwrap();
        assert_eq!((stop.ply, stop.move_number), (3, 2));
        assert!(stop.error.is_illegal_move());
        assert_eq!(
            stop.to_string(),
            "move 2 (Red): '炮五进六' (e2e8) is not legal"
        );
        assert_eq!(record.moves().len(), 2);
        assert_eq!(record.cut_variations().len(), 1);
        assert_eq!(record.result(), GameResult::RedWins);
    }

    #[test]
    fn what_is_not_closed_is_an_error() {
        let mut record = Record::new(Position::start());
        let error = read("1. 炮二平五 {and so", &mut record).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file ends inside the comment after move 1"
        );
        assert!(
            read(
                "1. 炮二平五 (1. 兵七进一",
                &mut Record::new(Position::start())
            )
            .is_err()
        );
        let deep = "h2e2 (c3c4".to_owned() + &"(".repeat(1000);
        assert!(matches!(
            read(&deep, &mut Record::new(Position::start())),
            Err(RecordError::Nesting(_))
        ));
    }
}
