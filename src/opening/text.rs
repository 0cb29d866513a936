//! Books as text, a position a line, for people and for version control:
//!
//! ```text
//! # remark
//! BOARD SIDE  MOVE:WEIGHT  MOVE:WEIGHT:WINS/DRAWS/LOSSES ...
//! lock=052656d5  MOVE:WEIGHT ...      of a position that nobody has named
//! ```
//! The moves stand in the order of their weights. The older text form of
//! ElephantEye, `MOVE WEIGHT FEN` a line, is read as well.

use super::{BookError, Collection, Counts, Entry, Weighted};
use crate::position::Position;
use crate::types::Move;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;

impl Collection {
    /// Reads a book text.
    ///
    /// # Errors
    /// At the first line that is none, or if there is no move at all.
    pub fn read_text(text: &str) -> Result<Self, BookError> {
        let mut collection = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let number = index + 1;
            let fault = |problem| BookError::Line { number, problem };
            read_line(line, &mut collection).map_err(fault)?;
        }
        if collection.size().1 == 0 {
            return Err(BookError::Empty);
        }
        Ok(collection)
    }

    /// Writes a book text: positions in the order in which they are reached from
    /// the start, the others behind.
    pub fn write_text(&self, remarks: &str) -> String {
        let mut text = String::new();
        for remark in remarks.lines() {
            let _ = writeln!(text, "{}", format!("# {remark}").trim_end());
        }
        for entry in self.in_order() {
            let _ = writeln!(text, "{}", line_of(entry));
        }
        for (lock, moves) in self.nameless() {
            let _ = write!(text, "lock={lock:08x} ");
            for (mv, weight) in moves {
                let _ = write!(text, " {mv}:{weight}");
            }
            text.push('\n');
        }
        text
    }

    /// Breadth first from the start position over the moves held.
    fn in_order(&self) -> Vec<&Entry> {
        let mut left: HashMap<u64, &Entry> = self
            .entries()
            .map(|entry| (entry.position.key(), entry))
            .collect();
        let mut order = Vec::with_capacity(left.len());
        let mut queue = VecDeque::from([Position::start()]);
        while let Some(position) = queue.pop_front() {
            let found = left
                .remove(&position.key())
                .or_else(|| left.remove(&position.mirror_files().key()));
            let Some(entry) = found else { continue };
            order.push(entry);
            for (mv, _) in by_weight(entry) {
                let mut next = entry.position.clone();
                next.make(mv);
                queue.push_back(next);
            }
        }
        let mut rest: Vec<&Entry> = left.into_values().collect();
        rest.sort_by_key(|entry| entry.position.to_fen());
        order.extend(rest);
        order
    }
}

fn by_weight(entry: &Entry) -> Vec<(Move, Weighted)> {
    let mut moves: Vec<(Move, Weighted)> = entry
        .moves
        .iter()
        .map(|(&mv, &known)| (mv, known))
        .collect();
    moves.sort_by_key(|(_, known)| std::cmp::Reverse(known.weight));
    moves
}

fn line_of(entry: &Entry) -> String {
    let fen = entry.position.to_fen();
    let mut fields = fen.split(' ');
    let (board, side) = (fields.next(), fields.next());
    let mut line = format!(
        "{} {} ",
        board.unwrap_or_default(),
        side.unwrap_or_default()
    );
    for (mv, Weighted { weight, counts }) in by_weight(entry) {
        let _ = write!(line, " {mv}:{weight}");
        if counts != Counts::default() {
            let Counts {
                wins,
                draws,
                losses,
            } = counts;
            let _ = write!(line, ":{wins}/{draws}/{losses}");
        }
    }
    line
}

fn read_line(line: &str, collection: &mut Collection) -> Result<(), String> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    if let Some(lock) = first.strip_prefix("lock=") {
        let lock = u32::from_str_radix(lock, 16).map_err(|_| format!("'{lock}' is no lock"))?;
        for word in words {
            let (mv, known) = read_move(word)?;
            collection.put_nameless(lock, mv, known.weight);
        }
        return Ok(());
    }
    if let Ok(mv) = first.parse::<Move>() {
        let weight = words.next().unwrap_or_default();
        let known = Weighted {
            weight: weight
                .parse()
                .map_err(|_| format!("'{weight}' is no weight"))?,
            counts: Counts::default(),
        };
        let fen = words.collect::<Vec<_>>().join(" ");
        let position = Position::from_fen(&fen).map_err(|fault| fault.to_string())?;
        return put(collection, &position, mv, known);
    }
    let side = words.next().unwrap_or_default();
    let position =
        Position::from_fen(&format!("{first} {side}")).map_err(|fault| fault.to_string())?;
    for word in words {
        let (mv, known) = read_move(word)?;
        put(collection, &position, mv, known)?;
    }
    Ok(())
}

fn put(
    collection: &mut Collection,
    position: &Position,
    mv: Move,
    known: Weighted,
) -> Result<(), String> {
    if !position.is_legal(mv, &position.legality()) {
        return Err(format!("{mv} is not legal there"));
    }
    collection.put(position, mv, known);
    Ok(())
}

fn read_move(word: &str) -> Result<(Move, Weighted), String> {
    let fault = || format!("'{word}' is no move with its weight");
    let mut parts = word.split(':');
    let mut next = || parts.next().unwrap_or_default();
    let mv = next().parse().map_err(|_| fault())?;
    let weight = next().parse().map_err(|_| fault())?;
    let mut counts = Counts::default();
    if let Some(games) = parts.next() {
        let numbers: Result<Vec<u32>, _> = games.split('/').map(str::parse).collect();
        let numbers = numbers.map_err(|_| fault())?;
        let [wins, draws, losses] = numbers.try_into().map_err(|_| fault())?;
        counts = Counts {
            wins,
            draws,
            losses,
        };
    }
    Ok((mv, Weighted { weight, counts }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::DatBook;
    use crate::position::START_FEN;

    const TEXT: &str = "# remark\n\
        rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w  b2e2:9:5/3/1 h2e2:9:5/3/1 c3c4:2 g3g4:2\n\
        rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b  h9g7:4\n\
        lock=0000004d  a0a9:7\n";

    #[test]
    fn what_is_written_is_what_was_read() {
        let collection = Collection::read_text(TEXT).unwrap();
        assert_eq!(collection.size(), (3, 6));
        assert_eq!(collection.write_text("remark"), TEXT);
        let book = DatBook::of(&collection);
        let again = Collection::of_dat(&book);
        let text = again.write_text("");
        assert_eq!(DatBook::of(&Collection::read_text(&text).unwrap()), book);
    }

    #[test]
    fn the_older_form_is_read() {
        let text = format!("b2e2 5895 {START_FEN}\nh2e2 5895 {START_FEN}\n");
        let collection = Collection::read_text(&text).unwrap();
        assert_eq!(collection.size(), (1, 2));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let board = START_FEN.split(' ').next().unwrap();
        for (line, problem) in [
            (
                format!("{board} w h2e2"),
                "'h2e2' is no move with its weight",
            ),
            (
                format!("{board} w h2e2:x"),
                "'h2e2:x' is no move with its weight",
            ),
            (
                format!("{board} w h2e2:1:2/3"),
                "'h2e2:1:2/3' is no move with its weight",
            ),
            (format!("{board} b h2e2:1"), "h2e2 is not legal there"),
            (
                format!("{board} x h2e2:1"),
                "'x' is not a side to move (w or b)",
            ),
            ("lock=z".to_owned(), "'z' is no lock"),
            ("h2e2 many".to_owned(), "'many' is no weight"),
            ("9/9 w h2e2:1".to_owned(), "the board has 2 ranks, not 10"),
        ] {
            let error = Collection::read_text(&format!("\n{line}\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("line 2: {problem}"));
        }
        assert_eq!(Collection::read_text("# x\n"), Err(BookError::Empty));
    }
}
