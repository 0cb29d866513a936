//! The hidden layer along a line of play, updated only when it is needed.
//!
//! A frame for each position holds, for each side, the sums before activation
//! and whether they have been computed. [`Accumulators::push`] only notes what
//! moved. [`Accumulators::refresh`] walks back to the last computed frame and
//! brings the later ones up to date, a fused add and subtract for each. Where the
//! perspective of a side has changed on the way, that side is built from what was
//! last built in its new perspective ("refresh cache"): the men that differ are few.

use super::aligned::Aligned;
use super::features::Perspective;
use super::format::{Network, Shape};
use super::simd::Backend;
use crate::position::{Change, Position};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// Plies for which there is room from the start: most searches go no deeper, and
/// room for the deepest would take longer to empty than the shortest take.
const USUAL_PLIES: usize = 48;

/// What a frame knows besides the sums.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// How this position came about; `None` for the first.
    change: Option<Change>,
    computed: [bool; 2],
}

/// The men of whom the sums of a perspective were last built.
type Men = [[Bitboard; PieceType::COUNT]; 2];

/// The frames of a line.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    shape: Shape,
    frames: Vec<Frame>,
    /// For each frame H sums of Red, then H of Black.
    sums: Aligned,
    /// For each perspective its men; `None` before the first time.
    built: Vec<Option<Box<Men>>>,
    /// For each perspective their sums.
    built_sums: Aligned,
}

impl Accumulators {
    /// An empty line.
    pub(super) fn new(shape: Shape) -> Self {
        let mut frames = Vec::with_capacity(USUAL_PLIES);
        frames.push(Frame::default());
        let perspectives = 4 * shape.king_buckets;
        Self {
            shape,
            frames,
            sums: Aligned::zeros(USUAL_PLIES * 2 * shape.hidden),
            built: vec![None; perspectives],
            built_sums: Aligned::zeros(perspectives * shape.hidden),
        }
    }

    /// Starts a new line.
    pub(super) fn reset(&mut self) {
        self.frames.clear();
        self.frames.push(Frame::default());
    }

    /// Notes a move.
    #[inline]
    pub(super) fn push(&mut self, change: &Change) {
        self.frames.push(Frame {
            change: Some(*change),
            computed: [false; 2],
        });
        let needed = self.frames.len() * 2 * self.shape.hidden;
        if self.sums.len() < needed {
            self.sums.grow(2 * needed);
        }
    }

    /// Forgets the last move.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// The sums of a side in the last frame; they must have been refreshed.
    #[inline]
    pub(super) fn sums(&self, side: Color) -> &[i16] {
        let last = self.frames.len() - 1;
        debug_assert!(self.frames[last].computed[side.index()]);
        &self.sums[self.range(last, side)]
    }

    #[inline]
    fn range(&self, frame: usize, side: Color) -> std::ops::Range<usize> {
        let start = (2 * frame + side.index()) * self.shape.hidden;
        start..start + self.shape.hidden
    }

    /// Makes the last frame of a side true for `position`, where the line ends.
    #[inline(always)]
    pub(super) fn refresh(
        &mut self,
        side: Color,
        position: &Position,
        network: &Network,
        backend: Backend,
    ) {
        let last = self.frames.len() - 1;
        let buckets = self.shape.king_buckets;
        let view = Perspective::new(side, position.king(side), buckets);
        let mut base = last;
        while !self.frames[base].computed[side.index()] {
            let change = self.frames[base].change;
            // The way back ends where nothing is known or the view was another.
            if base == 0 || change.is_none_or(|change| changes_view(&change, side, buckets)) {
                self.rebuild(last, view, side, position, network, backend);
                return;
            }
            base -= 1;
        }
        for frame in base + 1..=last {
            self.update(frame, view, side, network, backend);
        }
    }

    #[inline(never)]
    fn rebuild(
        &mut self,
        frame: usize,
        view: Perspective,
        side: Color,
        position: &Position,
        network: &Network,
        backend: Backend,
    ) {
        let hidden = self.shape.hidden;
        let range = self.range(frame, side);
        let index = view.index(self.shape.king_buckets);
        let sums = &mut self.built_sums[index * hidden..][..hidden];
        let men = self.built[index].get_or_insert_with(|| {
            sums.copy_from_slice(&network.biases);
            Box::new(Men::default())
        });
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                let before = &mut men[color.index()][kind.index()];
                let now = position.men(color, kind);
                let rows = |squares: Bitboard| {
                    let inputs = squares.into_iter();
                    inputs.filter_map(|square| Some(row(network, view.input(piece, square)?)))
                };
                for row in rows(now & !*before) {
                    backend.add(row, sums);
                }
                for row in rows(*before & !now) {
                    backend.subtract(row, sums);
                }
                *before = now;
            }
        }
        self.sums[range].copy_from_slice(sums);
        self.frames[frame].computed[side.index()] = true;
    }

    #[inline(always)]
    fn update(
        &mut self,
        frame: usize,
        view: Perspective,
        side: Color,
        network: &Network,
        backend: Backend,
    ) {
        let Some(change) = self.frames[frame].change else {
            return;
        };
        let to = self.range(frame, side).start;
        let (before, after) = self.sums.split_at_mut(to);
        let from = &before[to - 2 * self.shape.hidden..][..self.shape.hidden];
        let to = &mut after[..self.shape.hidden];
        let input = |piece: Piece, square: Square| view.input(piece, square);
        let (left, arrived) = (
            input(change.piece, change.from),
            input(change.piece, change.to),
        );
        let taken = change.captured.and_then(|taken| input(taken, change.to));
        match (arrived, left, taken) {
            (Some(add), Some(sub), None) => {
                backend.add_sub(from, row(network, add), row(network, sub), to);
            }
            (Some(add), Some(sub), Some(sub2)) => {
                let (add, sub, sub2) = (row(network, add), row(network, sub), row(network, sub2));
                backend.add_sub_sub(from, add, sub, sub2, to);
            }
            // Pawns of composed positions that have no input.
            _ => {
                to.copy_from_slice(from);
                if let Some(add) = arrived {
                    backend.add(row(network, add), to);
                }
                for sub in left.into_iter().chain(taken) {
                    backend.subtract(row(network, sub), to);
                }
            }
        }
        self.frames[frame].computed[side.index()] = true;
    }
}

#[inline]
fn row(network: &Network, input: u16) -> &[i16] {
    let hidden = network.shape.hidden;
    &network.weights[usize::from(input) * hidden..][..hidden]
}

/// Whether the move changes how `side` looks at the board.
fn changes_view(change: &Change, side: Color, king_buckets: usize) -> bool {
    let view = |king| Perspective::new(side, king, king_buckets);
    change.piece == Piece::new(side, PieceType::King) && view(change.from) != view(change.to)
}
