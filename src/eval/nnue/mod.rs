//! The network: `(689 K -> H)x2 -> 1 x O`, efficiently updatable.
//!
//! Each side's men make, by its own view, H sums; clamped to 0..=1 and squared
//! they meet the output weights, the side to move first. All integers, so every
//! backend and machine gives the same number.

mod accumulator;
mod aligned;
pub mod features;
pub mod format;
pub mod simd;

use crate::position::{Change, Position};
use crate::types::score::EVAL_LIMIT;
use crate::types::{PieceType, Score};
use accumulator::Accumulators;
pub use aligned::Aligned;
pub use format::{NetError, Network, Shape};
use simd::{Backend, Task};
use std::sync::Arc;

/// The network that plays unless another is asked for. Decoding takes a few
/// milliseconds; a damaged one could not have been built in.
///
/// # Panics
/// If the file in the source tree is damaged.
pub fn built_in() -> Arc<Network> {
    const BYTES: &[u8] = include_bytes!("net.nnue");
    Arc::new(Network::read(BYTES).expect("the network in the source tree is whole"))
}

/// What a hidden unit of 1 is stored as.
pub const UNIT: i64 = 255;
/// What an output weight of 1 is stored as. Output weights stay below a half in
/// training, so that the product of unit and weight fits 16 bits.
pub const OUTPUT_UNIT: i64 = 256;

/// Evaluates positions along a line by a network.
#[derive(Clone, Debug)]
pub struct Nnue {
    network: Arc<Network>,
    backend: Backend,
    accumulators: Accumulators,
}

impl Nnue {
    /// An evaluator by this network.
    pub fn new(network: Arc<Network>) -> Self {
        Self {
            accumulators: Accumulators::new(network.shape),
            backend: network.backend,
            network,
        }
    }

    /// Starts a new line.
    pub fn reset(&mut self) {
        self.accumulators.reset();
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, change: &Change) {
        self.accumulators.push(change);
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The evaluation of the position where the line ends, for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.backend.run(Evaluation {
            network: &self.network,
            accumulators: &mut self.accumulators,
            position,
        })
    }
}

/// An evaluation, to be compiled for each backend.
struct Evaluation<'t> {
    network: &'t Network,
    accumulators: &'t mut Accumulators,
    position: &'t Position,
}

impl Task for Evaluation<'_> {
    type Output = Score;

    #[inline(always)]
    fn run(self, backend: Backend) -> Score {
        let Self {
            network,
            accumulators,
            position,
        } = self;
        let us = position.side_to_move();
        for side in [us, !us] {
            accumulators.refresh(side, position, network, backend);
        }
        let Shape {
            hidden, buckets, ..
        } = network.shape;
        let bucket = bucket(position, buckets);
        let weights = &network.output_weights[bucket * 2 * hidden..][..2 * hidden];
        let (ours, theirs) = weights.split_at(hidden);
        let sum = backend.output(accumulators.sums(us), ours)
            + backend.output(accumulators.sums(!us), theirs);
        let bias = i64::from(network.output_biases[bucket]);
        let scaled = (sum / UNIT + bias) * i64::from(network.scale) / (UNIT * OUTPUT_UNIT);
        scaled.clamp(-i64::from(EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Score
    }
}

/// Which output counts for a position: by its rooks, horses and cannons.
#[inline]
pub fn bucket(position: &Position, buckets: usize) -> usize {
    let majors = position.men_of_kind(PieceType::Rook)
        | position.men_of_kind(PieceType::Knight)
        | position.men_of_kind(PieceType::Cannon);
    bucket_of(majors.len(), buckets)
}

/// The output for this many rooks, horses and cannons.
#[inline]
pub fn bucket_of(majors: u32, buckets: usize) -> usize {
    (majors as usize).min(11) * buckets / 12
}

#[cfg(test)]
mod tests {
    use super::format::tests::SHAPES;
    use super::*;
    use crate::types::Move;

    fn nnue(shape: Shape) -> Nnue {
        Nnue::new(Arc::new(format::tests::random(shape, 11)))
    }

    fn from_scratch(nnue: &Nnue, position: &Position, backend: Backend) -> Score {
        let mut network = Network::clone(&nnue.network);
        network.backend = backend;
        Nnue::new(Arc::new(network)).evaluate(position)
    }

    /// Random lines with evaluations skipped now and then, so that several frames
    /// are brought up to date at once, and with moves taken back.
    #[test]
    fn incremental_equals_rebuilt_on_every_backend() {
        for shape in SHAPES {
            let mut nnue = nnue(shape);
            for seed in 0..30_usize {
                let mut position = Position::start();
                nnue.reset();
                let mut undos = Vec::new();
                let mut state = seed as u64;
                let mut random = |below: usize| {
                    state = state
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    (state >> 33) as usize % below
                };
                for _ in 0..150 {
                    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
                    if moves.is_empty() || (!undos.is_empty() && random(5) == 0) {
                        let Some(undo) = undos.pop() else { break };
                        position.unmake(&undo);
                        nnue.pop();
                    } else {
                        let undo = position.make(moves[random(moves.len())]);
                        nnue.push(&undo.change);
                        undos.push(undo);
                    }
                    if random(3) > 0 {
                        let score = nnue.evaluate(&position);
                        for backend in Backend::all() {
                            assert_eq!(score, from_scratch(&nnue, &position, backend));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn exchanging_the_sides_changes_nothing() {
        let nnue = nnue(SHAPES[1]);
        for fen in [
            "r1bak1b2/4a4/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/1RBAKAB1R w",
            "3k1ab2/4a4/4b4/4p3p/9/9/P3P3P/4B1N2/4A4/2BA1K3 b",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let score = from_scratch(&nnue, &position, Backend::Scalar);
            let flipped = from_scratch(&nnue, &position.flip_sides(), Backend::Scalar);
            assert_eq!(score, flipped);
        }
    }

    #[test]
    fn pawns_without_an_input_do_no_harm() {
        let mut nnue = nnue(SHAPES[0]);
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/P7P/4K4 w").unwrap();
        nnue.reset();
        nnue.evaluate(&position);
        for text in ["a1a2", "d9d8", "a2a3", "d8d9", "a3a4"] {
            let undo = position.make(text.parse().unwrap());
            nnue.push(&undo.change);
            assert_eq!(
                nnue.evaluate(&position),
                from_scratch(&nnue, &position, Backend::Scalar)
            );
        }
    }
}
