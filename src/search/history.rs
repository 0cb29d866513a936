//! What earlier parts of the tree say about a move: tables that raise the value
//! of moves that caused cut-offs and lower that of moves that did not
//! (Chess Programming Wiki, "History Heuristic").
//!
//! Every update pulls towards a limit ("gravity"): `h += b - h * |b| / LIMIT`,
//! so values stay within it and old news fade.

use crate::types::{Color, Move, Piece, PieceType, Square};

/// The limit of the main and capture tables.
const LIMIT: i32 = 8_192;
/// The limit of the continuation table.
const CONTINUATION_LIMIT: i32 = 16_384;

/// A man on its target square, the index of a continuation. The last index is
/// for "no move" (start of the line, null move).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT + 1;
    /// No move.
    pub(super) const NONE: Self = Self((Self::COUNT - 1) as u16);

    #[inline(always)]
    pub(super) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[inline(always)]
fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

type BySquare<T> = [T; Square::COUNT];

/// All tables of one thread.
#[derive(Debug)]
pub(super) struct Histories {
    /// By side, from and to.
    main: Box<[[BySquare<i16>; Square::COUNT]; 2]>,
    /// By man, target and victim.
    capture: Box<[[[i16; PieceType::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// By man and target of an earlier move, then of this one.
    continuation: Vec<[i16; PieceTo::COUNT]>,
}

impl Histories {
    /// Empty tables.
    pub(super) fn new() -> Self {
        Self {
            main: bytemuck::zeroed_box(),
            capture: bytemuck::zeroed_box(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for table in self.main.iter_mut().flatten() {
            table.fill(0);
        }
        for table in self.capture.iter_mut().flatten() {
            table.fill(0);
        }
        for table in &mut self.continuation {
            table.fill(0);
        }
    }

    /// What is known about a quiet move after the moves one, two and four plies
    /// before.
    #[inline]
    pub(super) fn quiet(
        &self,
        side: Color,
        mv: Move,
        moved: PieceTo,
        before: &[PieceTo; 3],
    ) -> i32 {
        2 * i32::from(self.main[side.index()][mv.from().index()][mv.to().index()])
            + self.continuation(moved, before)
    }

    /// The continuation part of [`Self::quiet`].
    #[inline]
    pub(super) fn continuation(&self, moved: PieceTo, before: &[PieceTo; 3]) -> i32 {
        before
            .iter()
            .map(|earlier| i32::from(self.continuation[earlier.index()][moved.index()]))
            .sum()
    }

    /// What is known about a capture.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: PieceType) -> i32 {
        i32::from(self.capture[piece.index()][to.index()][victim.index()])
    }

    /// Rewards (or, negative, punishes) a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        moved: PieceTo,
        before: &[PieceTo; 3],
        bonus: i32,
    ) {
        let main = &mut self.main[side.index()][mv.from().index()][mv.to().index()];
        pull(main, bonus, LIMIT);
        self.update_continuation(moved, before, bonus);
    }

    /// Rewards or punishes a quiet move as an answer to the moves before it.
    pub(super) fn update_continuation(
        &mut self,
        moved: PieceTo,
        before: &[PieceTo; 3],
        bonus: i32,
    ) {
        for (earlier, share) in before.iter().zip([4, 3, 2]) {
            let entry = &mut self.continuation[earlier.index()][moved.index()];
            pull(entry, bonus * share / 4, CONTINUATION_LIMIT);
        }
    }

    /// Rewards or punishes a capture.
    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        victim: PieceType,
        bonus: i32,
    ) {
        let entry = &mut self.capture[piece.index()][to.index()][victim.index()];
        pull(entry, bonus, LIMIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_leave_their_limit() {
        let mut value = 0;
        for _ in 0..1000 {
            pull(&mut value, 5000, LIMIT);
            assert!(i32::from(value) <= LIMIT);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10);
        for _ in 0..1000 {
            pull(&mut value, -100_000, LIMIT);
            assert!(i32::from(value) >= -LIMIT);
        }
    }

    #[test]
    fn rewards_raise_and_punishments_lower() {
        let mut histories = Histories::new();
        let mv: Move = "h2e2".parse().unwrap();
        let moved = PieceTo::new(Piece::new(Color::Red, PieceType::Cannon), mv.to());
        let before = [PieceTo::NONE; 3];
        let value = |h: &Histories| h.quiet(Color::Red, mv, moved, &before);
        histories.update_quiet(Color::Red, mv, moved, &before, 500);
        let raised = value(&histories);
        assert!(raised > 0);
        histories.update_quiet(Color::Red, mv, moved, &before, -1500);
        assert!(value(&histories) < 0);
        histories.clear();
        assert_eq!(value(&histories), 0);
    }
}
