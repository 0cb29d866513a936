//! Finding earlier occurrences of the current position.

use super::Game;

/// How many counters the filter has; a power of two.
const FILTER_SIZE: usize = 4096;

/// Counts the positions of the line by some bits of their keys: a zero proves
/// that a position is new, and nearly every node of a search ends there (a
/// counting Bloom filter with one hash function).
#[derive(Clone, Debug)]
pub(super) struct KeyFilter(Box<[u16; FILTER_SIZE]>);

impl KeyFilter {
    pub(super) fn new() -> Self {
        Self(Box::new([0; FILTER_SIZE]))
    }

    #[inline(always)]
    fn slot(key: u64) -> usize {
        (key >> 40) as usize & (FILTER_SIZE - 1)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.wrapping_add(1);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.wrapping_sub(1);
    }

    /// How many positions of the line may be this one, at most.
    #[inline(always)]
    pub(super) fn count(&self, key: u64) -> u16 {
        self.0[Self::slot(key)]
    }
}

/// The earlier occurrences of the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repetition {
    /// How many plies ago the last one was: the length of the shortest cycle.
    pub(super) shortest: usize,
    /// How many plies ago the one was that makes this the occurrence to be
    /// judged; the farthest one if there are not so many.
    pub(super) span: usize,
    /// How often the position has occurred, now included.
    pub(super) occurrences: usize,
}

/// Looks for earlier occurrences of the current position.
pub(super) fn find(game: &Game) -> Option<Repetition> {
    let plies = game.plies();
    let key = game.position().key();
    let fold = game.rules().fold();
    let mut earlier = (4..=game.reach())
        .step_by(2)
        .filter(|distance| plies[plies.len() - distance].key == key);
    let shortest = earlier.next()?;
    let mut found = Repetition {
        shortest,
        span: shortest,
        occurrences: 2,
    };
    for distance in earlier {
        if found.occurrences < fold {
            found.span = distance;
        }
        found.occurrences += 1;
    }
    Some(found)
}

/// Whether the span is the shortest cycle gone through several times.
pub(super) fn is_periodic(game: &Game, found: &Repetition) -> bool {
    let plies = game.plies();
    let span = &plies[plies.len() - found.span..];
    let keys = span.iter().map(|ply| ply.key);
    keys.clone()
        .zip(keys.skip(found.shortest))
        .all(|(key, next)| key == next)
}

/// Whether the cycle is bound to come round again as it is (section 7 of the
/// specification): the position before it was the same, too, no position inside
/// had been there earlier, so that neither side can turn off into another cycle,
/// and the natural limit is not in the way.
pub(super) fn is_settled(game: &Game, length: usize) -> bool {
    let plies = game.plies();
    let (reach, limit) = (game.reach(), game.rules().natural_limit as usize);
    let count = game.position().plies_since_capture() as usize;
    let key_at = |distance: usize| plies[plies.len() - distance].key;
    let occurred_before_cycle = |inside: usize| {
        let key = key_at(inside);
        // The first distance beyond the cycle with the same side to move.
        let first = length + 1 + (inside + length + 1) % 2;
        game.filter().count(key) > 1
            && (first..=reach)
                .step_by(2)
                .any(|earlier| key_at(earlier) == key)
    };
    reach > length
        && key_at(1) == key_at(length + 1)
        && (limit == 0 || count + length < limit)
        && !(2..length).any(occurred_before_cycle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).expect("a legal position"));
        let moves = moves
            .split_whitespace()
            .map(|mv| mv.parse().expect("a move"));
        game.play(moves).expect("legal moves");
        game
    }

    const ROOKS: &str = "4k4/9/9/r8/9/9/8p/9/9/3K4R w";
    const CYCLE: &str = "i0i1 a6a7 i1i0 a7a6 ";

    #[test]
    fn occurrences_are_counted_back_to_the_last_capture() {
        let twice = game(ROOKS, &CYCLE.repeat(2));
        let found = find(&twice).expect("a repetition");
        assert_eq!((found.shortest, found.span, found.occurrences), (4, 8, 3));
        assert!(is_periodic(&twice, &found));
        // The capture cuts the line.
        let capture = game(ROOKS, "i0i3 a6a7 i3i4 a7a6 i4i3 a6a7 i3i4");
        assert_eq!(find(&capture).map(|found| found.shortest), Some(4));
        let cut = game(ROOKS, "i0h0 a6a7 h0i0 a7a6 i0i3 a6a7 i3i0 a7a6");
        assert_eq!(find(&cut), None);
    }

    #[test]
    fn a_null_move_cuts_the_line() {
        let mut line = game(ROOKS, "");
        let start = line.position().key();
        for mv in ["a6a7", "a7a6"] {
            line.make_null();
            line.make(mv.parse().expect("a move"));
        }
        assert_eq!(line.position().key(), start);
        assert_eq!(find(&line), None);
        while line.ply_count() > 0 {
            line.unmake();
        }
        assert_eq!(line.filter().0.iter().sum::<u16>(), 0);
    }

    #[test]
    fn different_ways_back_are_no_period() {
        let mixed = game(ROOKS, "i0i1 a6a7 i1i0 a7a6 i0h0 a6a8 h0i0 a8a6");
        let found = find(&mixed).expect("a repetition");
        assert_eq!((found.shortest, found.span), (4, 8));
        assert!(!is_periodic(&mixed, &found));
    }

    #[test]
    fn a_cycle_is_settled_when_its_predecessor_recurs_and_nothing_crosses_it() {
        assert!(!is_settled(&game(ROOKS, CYCLE), 4));
        assert!(is_settled(&game(ROOKS, &format!("{CYCLE} i0i1")), 4));
        // The position after i0i1 a6a7 has been there before the cycle began.
        let crossed = "i0i1 a6a7 i1i2 a7a8 i2i1 a8a7 i1i0 a7a6 i0i1 a6a7 i1i0 a7a6";
        assert!(!is_settled(&game(ROOKS, crossed), 4));
        // The natural limit comes first.
        let late = ROOKS.to_owned() + " - - 113 60";
        assert!(!is_settled(&game(&late, &format!("{CYCLE} i0i1")), 4));
    }
}
