//! What the search remembers about each ply of the line it is in.

use super::history::{Before, PieceTo, Slot};
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
    /// The move being searched from here; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Its number, from 1.
    pub(super) number: usize,
    /// How many plies it is being reduced by.
    pub(super) reduction: i32,
    /// Where its history is, if it is quiet.
    pub(super) quiet: Option<Slot>,
    /// The static evaluation, corrected; `None` in check.
    pub(super) eval: Option<Score>,
    /// A move left out, to see how good the others are.
    pub(super) excluded: Option<Move>,
    /// Whether the node is or was in a principal variation.
    pub(super) was_pv: bool,
    /// How often the nodes below have been cut off.
    pub(super) cut_offs: u32,
    /// The best line found from here.
    pub(super) pv: Pv,
}

impl Frame {
    const EMPTY: Self = Self {
        moved: PieceTo::NONE,
        mv: None,
        number: 0,
        reduction: 0,
        quiet: None,
        eval: None,
        excluded: None,
        was_pv: false,
        cut_offs: 0,
        pv: Pv::new_const(),
    };
}

/// What a search of the same node without a move overwrites.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    number: usize,
    cut_offs: u32,
    was_pv: bool,
}

impl Frame {
    /// What [`Frame::restore_marks`] brings back.
    pub(super) fn marks(&self) -> Marks {
        Marks {
            number: self.number,
            cut_offs: self.cut_offs,
            was_pv: self.was_pv,
        }
    }

    /// Undoes what a search of the same node without a move has left here.
    pub(super) fn restore_marks(&mut self, marks: Marks) {
        self.number = marks.number;
        self.cut_offs = marks.cut_offs;
        self.was_pv = marks.was_pv;
        self.pv.clear();
    }
}

/// Plies that may be looked back to from the root.
const BEFORE_ROOT: usize = 7;

/// The frames of all plies; some lie before the root, so that looking back needs
/// no test, and two behind the last.
#[derive(Debug)]
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + 3])
    }

    /// The frame of a ply.
    #[inline(always)]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[BEFORE_ROOT + ply]
    }

    /// The frame `back` plies before a ply, at most six.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[BEFORE_ROOT + ply - back]
    }

    /// The moves one, two, four and six plies before a ply.
    #[inline]
    pub(super) fn moves_before(&self, ply: usize) -> Before {
        [1, 2, 4, 6].map(|back| self.before(ply, back).moved)
    }

    /// Whether the side to move stands better than at its last turn (or the one
    /// before, if it was in check then).
    #[inline]
    pub(super) fn is_improving(&self, ply: usize, eval: Score) -> bool {
        let earlier = self.before(ply, 2).eval.or(self.before(ply, 4).eval);
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// Whether the opponent stands worse than before its last move.
    #[inline]
    pub(super) fn is_opponent_worsening(&self, ply: usize, eval: Score) -> bool {
        (self.before(ply, 1).eval).is_some_and(|earlier| eval > -earlier)
    }

    /// How often nodes at this ply have been cut off since the node two plies up
    /// began.
    #[inline]
    pub(super) fn cut_offs(&self, ply: usize) -> u32 {
        self.0[BEFORE_ROOT + ply].cut_offs
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
