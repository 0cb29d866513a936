//! Correction histories: how far static evaluations have been off in positions
//! that look alike, so that the next one is corrected (Chess Programming Wiki,
//! "Correction History"; first used by Caissa).
//!
//! Positions are alike by their pawns, by the other men of one side, or by the
//! last two moves.

use super::history::{PieceTo, pull};
use super::huge_pages;
use crate::position::Position;
use crate::types::{Color, Score};

/// How many structures are told apart.
const STRUCTURES: usize = 1 << 14;
/// The limit of a value.
const LIMIT: i32 = 1_024;
/// What values at their limit add to an evaluation, in centipawns: pawns, the men
/// of each side, the last two moves.
const WEIGHTS: [i32; 3] = [24, 45, 51];

type Table = Box<[[i16; STRUCTURES]; 2]>;

/// The tables of one thread.
#[derive(Debug)]
pub(super) struct Corrections {
    /// By side to move and pawns.
    pawns: Table,
    /// By side, side to move and its men.
    men: [Table; 2],
    /// By the last two moves.
    moves: Box<[[i16; PieceTo::COUNT]]>,
}

/// Where the values for a position stand.
#[derive(Clone, Copy, Debug)]
struct Slots {
    side: usize,
    pawns: usize,
    men: [usize; 2],
}

fn slots(position: &Position) -> Slots {
    let index = |key: u64| key as usize % STRUCTURES;
    Slots {
        side: position.side_to_move().index(),
        pawns: index(position.pawn_key()),
        men: Color::ALL.map(|side| index(position.men_key(side))),
    }
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self {
            pawns: bytemuck::zeroed_box(),
            men: [bytemuck::zeroed_box(), bytemuck::zeroed_box()],
            moves: huge_pages::zeroed(PieceTo::COUNT),
        }
    }

    pub(super) fn clear(&mut self) {
        for table in std::iter::once(&mut self.pawns).chain(&mut self.men) {
            table.iter_mut().for_each(|values| values.fill(0));
        }
        for values in &mut self.moves {
            values.fill(0);
        }
    }

    /// What to add to the static evaluation of a position that these two moves,
    /// the latest first, have led to.
    #[inline]
    pub(super) fn of(&self, position: &Position, last: [PieceTo; 2]) -> Score {
        let at = slots(position);
        let [red, black] = &self.men;
        let pawns = i32::from(self.pawns[at.side][at.pawns]);
        let men = i32::from(red[at.side][at.men[0]]) + i32::from(black[at.side][at.men[1]]);
        let moves = i32::from(self.moves[last[1].index()][last[0].index()]);
        (WEIGHTS[0] * pawns + WEIGHTS[1] * men + WEIGHTS[2] * moves) / LIMIT
    }

    /// Learns that a search of this depth came out so far above the evaluation.
    pub(super) fn learn(
        &mut self,
        position: &Position,
        last: [PieceTo; 2],
        difference: Score,
        depth: i32,
    ) {
        let at = slots(position);
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        pull(&mut self.pawns[at.side][at.pawns], bonus, LIMIT);
        for (table, slot) in self.men.iter_mut().zip(at.men) {
            pull(&mut table[at.side][slot], bonus, LIMIT);
        }
        pull(
            &mut self.moves[last[1].index()][last[0].index()],
            bonus,
            LIMIT,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_corrected_towards_what_searches_found() {
        let mut corrections = Corrections::new();
        let position = Position::start();
        let last = [PieceTo::NONE; 2];
        assert_eq!(corrections.of(&position, last), 0);
        for _ in 0..100 {
            corrections.learn(&position, last, 80, 10);
        }
        let full = WEIGHTS[0] + 2 * WEIGHTS[1] + WEIGHTS[2];
        let corrected = corrections.of(&position, last);
        assert!((full * 9 / 10..=full).contains(&corrected), "{corrected}");
        // The other side to move shares the moves' table only.
        let mut passed = position.clone();
        passed.make_null();
        assert!(corrections.of(&passed, last) <= WEIGHTS[2]);
        corrections.clear();
        assert_eq!(corrections.of(&position, last), 0);
    }
}
