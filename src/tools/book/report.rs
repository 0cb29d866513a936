//! What a book holds, for people.

use crate::opening::{BookMove, Collection, DatBook};
use crate::position::{Notation, Position, Script};
use std::io::{self, Write};

/// Prints the moves that a book may play in a position, the heaviest first.
///
/// # Errors
/// If `out` cannot be written.
pub fn show(book: &Collection, position: &Position, out: &mut dyn Write) -> io::Result<()> {
    let moves = DatBook::of(book).moves(position);
    writeln!(out, "{position}")?;
    if moves.is_empty() {
        return writeln!(out, "no book move");
    }
    let total: i64 = moves.iter().map(|known| i64::from(known.weight)).sum();
    let entry = book.find(position);
    for BookMove { mv, weight, .. } in moves {
        let share = 100.0 * f64::from(weight) / total.max(1) as f64;
        let chinese = position.write_move(mv, Notation::Chinese(Script::Simplified));
        write!(out, "{mv}  {chinese}  weight {weight:5}  {share:5.1} %")?;
        // The book may hold the mirror image.
        let known = entry.and_then(|entry| {
            let is_own = entry.position.key() == position.key();
            let held = if is_own { mv } else { mv.mirror_file() };
            entry.moves.get(&held)
        });
        match known
            .map(|known| known.counts)
            .filter(|counts| counts.games() > 0)
        {
            Some(counts) => writeln!(
                out,
                "  +{} ={} -{}  {:.1} %",
                counts.wins,
                counts.draws,
                counts.losses,
                100.0 * counts.score()
            )?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// Prints how much a book holds.
///
/// # Errors
/// If `out` cannot be written.
pub fn stats(book: &Collection, out: &mut dyn Write) -> io::Result<()> {
    let (positions, moves) = book.size();
    let nameless = book.nameless().count();
    writeln!(out, "{positions} positions, {moves} moves")?;
    if nameless > 0 {
        writeln!(out, "{nameless} positions are known by their locks only")?;
    }
    let games: u64 = book.find(&Position::start()).map_or(0, |entry| {
        let games = entry
            .moves
            .values()
            .map(|known| u64::from(known.counts.games()));
        games.sum()
    });
    if games > 0 {
        writeln!(
            out,
            "{games} moves counted in the start position, both mirror images"
        )?;
    }
    let mut by_moves = [0usize; 6];
    let mut deepest = 0;
    for entry in book.entries() {
        by_moves[entry.moves.len().min(by_moves.len() - 1)] += 1;
        deepest = deepest.max(entry.moves.len());
    }
    for (count, positions) in by_moves.iter().enumerate().filter(|(_, n)| **n > 0) {
        let more = if count + 1 == by_moves.len() {
            " or more"
        } else {
            ""
        };
        writeln!(out, "{positions:8} positions with {count}{more} moves")?;
    }
    writeln!(out, "at most {deepest} moves in a position")?;
    for (depth, count) in reached_by_depth(book).iter().enumerate() {
        writeln!(
            out,
            "{count:8} positions reached by book moves after {depth} plies"
        )?;
    }
    Ok(())
}

/// How many positions are reached first after how many plies.
fn reached_by_depth(book: &Collection) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    let mut layer = vec![Position::start()];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        let mut next = Vec::new();
        let mut count = 0;
        for position in &layer {
            let Some(entry) = book.find(position) else {
                continue;
            };
            if !seen.insert(entry.position.key()) {
                continue;
            }
            count += 1;
            for &mv in entry.moves.keys() {
                let mut child = entry.position.clone();
                child.make(mv);
                next.push(child);
            }
        }
        if count > 0 {
            counts.push(count);
        }
        layer = next;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::{Counts, Weighted};

    #[test]
    fn a_book_is_shown_and_counted() {
        let mut book = Collection::default();
        let known = Weighted {
            weight: 3,
            counts: Counts {
                wins: 2,
                draws: 1,
                losses: 1,
            },
        };
        book.add(&Position::start(), "h2e2".parse().unwrap(), known);
        let mut next = Position::start();
        next.make("b2e2".parse().unwrap());
        book.add(&next, "b9c7".parse().unwrap(), known);
        let text = |position: &Position| {
            let mut out = Vec::new();
            show(&book, position, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let start = text(&Position::start());
        assert!(
            start.contains("h2e2  炮二平五  weight     3   50.0 %  +2 =1 -1  62.5 %"),
            "{start}"
        );
        assert!(text(&next).contains("b9c7"), "{}", text(&next));
        next.make("b9c7".parse().unwrap());
        assert!(text(&next).contains("no book move"));
        let mut out = Vec::new();
        stats(&book, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("2 positions, 3 moves\n"), "{out}");
        assert!(
            out.contains("1 positions reached by book moves after 1 plies"),
            "{out}"
        );
    }
}
