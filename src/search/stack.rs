//! What the search remembers about each ply of the line it is in.

use super::history::PieceTo;
use crate::types::score::MAX_PLY;
use crate::types::{Move, Score};
use arrayvec::ArrayVec;

/// A line of moves, the principal variation of a subtree.
pub(super) type Pv = ArrayVec<Move, { MAX_PLY + 1 }>;

/// One ply.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The man and target of the move being searched from here.
    pub(super) moved: PieceTo,
    /// The static evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    /// Quiet moves that cut off at this ply.
    pub(super) killers: [Option<Move>; 2],
    /// The best line found from here.
    pub(super) pv: Pv,
}

impl Frame {
    const EMPTY: Self = Self {
        moved: PieceTo::NONE,
        eval: None,
        killers: [None; 2],
        pv: Pv::new_const(),
    };
}

/// Plies that may be looked back to from the root.
const BEFORE_ROOT: usize = 4;

/// The frames of all plies; some lie before the root, so that looking back needs
/// no test, and one behind the last.
#[derive(Debug)]
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + 2])
    }

    /// The frame of a ply.
    #[inline(always)]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[BEFORE_ROOT + ply]
    }

    /// The frame `back` plies before a ply, at most four.
    #[inline(always)]
    fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[BEFORE_ROOT + ply - back]
    }

    /// The moves one, two and four plies before a ply.
    #[inline]
    pub(super) fn moves_before(&self, ply: usize) -> [PieceTo; 3] {
        [1, 2, 4].map(|back| self.before(ply, back).moved)
    }

    /// Whether the side to move stands better than at its last turn (or the one
    /// before, if it was in check then).
    #[inline]
    pub(super) fn is_improving(&self, ply: usize, eval: Score) -> bool {
        let earlier = self.before(ply, 2).eval.or(self.before(ply, 4).eval);
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// The line from this ply becomes `mv` and the line of the next ply.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (here, next) = self.0.split_at_mut(BEFORE_ROOT + ply + 1);
        let pv = &mut here[BEFORE_ROOT + ply].pv;
        pv.clear();
        pv.push(mv);
        let room = pv.remaining_capacity();
        pv.extend(next[0].pv.iter().copied().take(room));
    }
}
