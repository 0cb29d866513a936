//! From a record to text.

use super::ROSTER;
use crate::position::{Fault, Notation, Position};
use crate::records::{NodeId, Record};
use std::fmt::Write as _;

/// Writes a game with all its comments and variations.
pub fn write(record: &Record, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(['\r', '\n'], " ").replace("\"]", "\" ]");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    for name in ROSTER {
        tag(name, record.tag(name).unwrap_or_default());
    }
    tag("Result", record.result().pgn());
    for (name, value) in record.tags() {
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_word && !ROSTER.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            tag(name, value);
        }
    }
    if *record.start() != Position::start() {
        tag("FEN", &record.start().to_fen());
    }
    match notation {
        Notation::Chinese(_) => {}
        Notation::Wxf => tag("Format", "WXF"),
        Notation::Iccs | Notation::Coordinates => tag("Format", "ICCS"),
    }
    text.push('\n');
    Writer::new(record, notation, text).run()
}

/// A place in the game: the position there and the plies played before.
#[derive(Clone)]
struct Place {
    position: Position,
    ply: usize,
}

/// What is still to be written, innermost last.
enum Task {
    /// The continuations of a node.
    Continue(NodeId, Place),
    /// Alternatives to a main move, which was played here.
    Alternatives(Option<NodeId>, Place),
    /// The end of a variation.
    Close,
}

struct Writer<'r> {
    record: &'r Record,
    notation: Notation,
    text: String,
    tasks: Vec<Task>,
    depth: usize,
    /// The next move needs its number even if it is Black's.
    needs_number: bool,
}

impl<'r> Writer<'r> {
    fn new(record: &'r Record, notation: Notation, text: String) -> Self {
        let position = record.start().clone();
        Self {
            record,
            notation,
            text,
            tasks: vec![Task::Continue(NodeId::ROOT, Place { position, ply: 0 })],
            depth: 0,
            needs_number: true,
        }
    }

    fn run(mut self) -> String {
        let tree = self.record.tree();
        self.comment(NodeId::ROOT);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Continue(node, place) => match tree.next(node) {
                    Some(next) => {
                        let behind = self.play(next, &place);
                        self.tasks.push(Task::Continue(next, behind));
                        let others = tree.alternative(next);
                        self.tasks.push(Task::Alternatives(others, place));
                    }
                    None if self.depth == 0 => self.stop(),
                    None => {}
                },
                Task::Alternatives(None, _) => {}
                Task::Alternatives(Some(node), place) => {
                    self.word("(");
                    self.depth += 1;
                    self.needs_number = true;
                    let behind = self.play(node, &place);
                    let others = tree.alternative(node);
                    self.tasks.push(Task::Alternatives(others, place));
                    self.tasks.push(Task::Close);
                    self.tasks.push(Task::Continue(node, behind));
                }
                Task::Close => {
                    self.text.push(')');
                    self.depth -= 1;
                    self.needs_number = true;
                }
            }
        }
        self.text.truncate(self.text.trim_end().len());
        let _ = writeln!(self.text, "\n{}", self.record.result().pgn());
        self.text
    }

    /// Writes the move of a node and its comment; returns the place behind.
    fn play(&mut self, node: NodeId, before: &Place) -> Place {
        let mut place = before.clone();
        if let Some(&mv) = self.record.tree().mv(node) {
            self.number(before);
            self.word(&before.position.write_move(mv, self.notation));
            place.position.make(mv);
            place.ply += 1;
            self.comment(node);
        }
        place
    }

    /// The move at which the record ends too early, as it was written there. What
    /// was not even move text might be taken for anything, so it is left out.
    fn stop(&mut self) {
        if let Some(stop) = self.record.stopped_by()
            && stop.error.fault != Fault::Unreadable
        {
            self.word(&stop.error.text);
        }
    }

    fn number(&mut self, place: &Place) {
        let half_moves = place.ply + self.record.start().side_to_move().index();
        let number = half_moves / 2 + 1;
        let is_red = half_moves.is_multiple_of(2);
        if is_red && self.depth == 0 && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        if is_red {
            self.word(&format!("{number}."));
        } else if self.needs_number {
            self.word(&format!("{number}. ..."));
        }
        self.needs_number = false;
    }

    fn comment(&mut self, node: NodeId) {
        let comment = self.record.tree().comment(node);
        if !comment.is_empty() {
            self.word(&format!("{{{}}}", comment.replace('}', "｝")));
            self.needs_number = true;
        }
    }

    fn word(&mut self, word: &str) {
        if !self.text.ends_with(['\n', '(']) {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}
