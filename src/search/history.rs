//! What earlier parts of the tree say about a move: tables that raise the value
//! of moves that caused cut-offs and lower that of moves that did not
//! (Chess Programming Wiki, "History Heuristic").
//!
//! Every update pulls towards a limit ("gravity"): `h += b - h * |b| / LIMIT`,
//! so values stay within it and old news fade.

use super::correction::Corrections;
use super::huge_pages;
use crate::position::{CheckHints, Position, Threats};
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
    pub(super) const COUNT: usize = Piece::COUNT * Square::COUNT + 1;
    /// No move.
    pub(super) const NONE: Self = Self((Self::COUNT - 1) as u16);

    #[inline(always)]
    pub(super) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Pulls a value towards a bonus, see the top of the file.
#[inline(always)]
pub(super) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

type BySquare<T> = [T; Square::COUNT];
type ByMove<T> = BySquare<BySquare<T>>;

/// How many pawn structures are told apart.
const PAWN_STRUCTURES: usize = 512;

/// The moves one, two, four and six plies before.
pub(super) type Before = [PieceTo; 4];

/// In which circumstances a quiet move is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    side: Color,
    /// What the opponent attacks.
    pub(super) threats: Threats,
    /// Which moves may give check.
    pub(super) checks: CheckHints,
    before: Before,
    pawns: usize,
}

impl Context {
    /// The circumstances in a position after these moves.
    #[inline]
    pub(super) fn new(position: &Position, before: Before) -> Self {
        let side = position.side_to_move();
        Self {
            side,
            threats: position.threats_of(!side),
            checks: position.check_hints(),
            before,
            pawns: position.pawn_key() as usize % PAWN_STRUCTURES,
        }
    }
}

/// Which part of the main table a move belongs to: side, whether the man is
/// attacked where it leaves and where it arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot(usize, usize, usize);

impl Context {
    /// The part of the main table for a move.
    #[inline(always)]
    pub(super) fn slot(&self, mv: Move) -> Slot {
        let attacked = |square| usize::from(self.threats.all().contains(square));
        Slot(self.side.index(), attacked(mv.from()), attacked(mv.to()))
    }
}

/// All tables of one thread.
#[derive(Debug)]
pub(super) struct Histories {
    /// By side, whether the man is attacked where it leaves and where it
    /// arrives, from and to.
    main: Box<[[[ByMove<i16>; 2]; 2]; 2]>,
    /// By pawn structure, man and target.
    pawn: Box<[[i16; PieceTo::COUNT]]>,
    /// By man, target and victim.
    capture: Box<[[[i16; PieceType::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// By man and target of an earlier move, then of this one.
    continuation: Box<[[i16; PieceTo::COUNT]]>,
    /// How far static evaluations are off.
    pub(super) corrections: Corrections,
}

impl Histories {
    /// Empty tables.
    pub(super) fn new() -> Self {
        Self {
            main: bytemuck::zeroed_box(),
            pawn: huge_pages::zeroed(PAWN_STRUCTURES),
            capture: bytemuck::zeroed_box(),
            continuation: huge_pages::zeroed(PieceTo::COUNT),
            corrections: Corrections::new(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for table in self.main.iter_mut().flatten().flatten().flatten() {
            table.fill(0);
        }
        for table in self.capture.iter_mut().flatten() {
            table.fill(0);
        }
        for table in self.pawn.iter_mut().chain(&mut *self.continuation) {
            table.fill(0);
        }
        self.corrections.clear();
    }

    /// What is known about a quiet move.
    #[inline]
    pub(super) fn quiet(&self, context: &Context, mv: Move, moved: PieceTo) -> i32 {
        let attacked = |square| usize::from(context.threats.all().contains(square));
        let (from, to) = (mv.from(), mv.to());
        let main =
            self.main[context.side.index()][attacked(from)][attacked(to)][from.index()][to.index()];
        let pawn = self.pawn[context.pawns][moved.index()];
        2 * i32::from(main) + i32::from(pawn) + self.continuation(moved, &context.before)
    }

    /// What is known about a move as an answer to the last two.
    #[inline]
    pub(super) fn as_answer(&self, context: &Context, moved: PieceTo) -> i32 {
        i32::from(self.pawn[context.pawns][moved.index()])
            + self.continuation(moved, &context.before[..2])
    }

    #[inline]
    fn continuation(&self, moved: PieceTo, before: &[PieceTo]) -> i32 {
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
    pub(super) fn update_quiet(&mut self, context: &Context, mv: Move, moved: PieceTo, bonus: i32) {
        self.update_main(context.slot(mv), mv, bonus);
        pull(&mut self.pawn[context.pawns][moved.index()], bonus, LIMIT);
        self.update_continuation(moved, &context.before, bonus);
    }

    /// Rewards or punishes a quiet move by itself, whatever was before.
    pub(super) fn update_main(&mut self, slot: Slot, mv: Move, bonus: i32) {
        let Slot(side, left, arrived) = slot;
        let main = &mut self.main[side][left][arrived][mv.from().index()][mv.to().index()];
        pull(main, bonus, LIMIT);
    }

    /// Rewards or punishes a quiet move as an answer to the moves before it.
    pub(super) fn update_continuation(&mut self, moved: PieceTo, before: &Before, bonus: i32) {
        for (earlier, share) in before.iter().zip([4, 3, 2, 2]) {
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
        let context = Context::new(&Position::start(), [PieceTo::NONE; 4]);
        let value = |h: &Histories| h.quiet(&context, mv, moved);
        histories.update_quiet(&context, mv, moved, 500);
        let raised = value(&histories);
        assert!(raised > 0);
        histories.update_quiet(&context, mv, moved, -1500);
        assert!(value(&histories) < 0);
        histories.clear();
        assert_eq!(value(&histories), 0);
    }
}
