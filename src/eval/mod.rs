//! How good a position is for the side to move.
//!
//! Leans on `types`, `attacks` and `position`; knows nothing of the search. The
//! [`Evaluator`] follows the moves of a line by their [`Change`]s, so that an
//! evaluation only adds what cannot be kept. It evaluates by a network, or by
//! hand where none is given; of either, `endgame` corrects what is known exactly.

mod endgame;
mod hce;
pub mod nnue;
mod weights;

use crate::position::{Change, Position};
use crate::types::Score;
use hce::Hce;
use nnue::{Network, Nnue};
use std::sync::Arc;

/// Follows a line of play and evaluates its last position.
#[derive(Clone, Debug)]
pub struct Evaluator(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Hce(Hce),
    Nnue(Box<Nnue>),
}

impl Evaluator {
    /// An evaluator for lines that start here, by this network or by hand.
    pub fn new(position: &Position, network: Option<&Arc<Network>>) -> Self {
        let mut evaluator = Self(match network {
            Some(network) => Kind::Nnue(Box::new(Nnue::new(Arc::clone(network)))),
            None => Kind::Hce(Hce::default()),
        });
        evaluator.reset(position);
        evaluator
    }

    /// Starts a new line.
    pub fn reset(&mut self, position: &Position) {
        match &mut self.0 {
            Kind::Hce(hce) => hce.reset(position),
            Kind::Nnue(nnue) => nnue.reset(),
        }
    }

    /// Follows a move. Null moves are not followed.
    #[inline]
    pub fn push(&mut self, change: &Change) {
        match &mut self.0 {
            Kind::Hce(hce) => hce.push(change),
            Kind::Nnue(nnue) => nnue.push(change),
        }
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.0 {
            Kind::Hce(hce) => hce.pop(),
            Kind::Nnue(nnue) => nnue.pop(),
        }
    }

    /// The evaluation from the view of the side to move, within
    /// [`EVAL_LIMIT`](crate::types::score::EVAL_LIMIT). `position` is where the
    /// moves followed have led; its side to move must not be in check for the
    /// number to mean much.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = match &mut self.0 {
            Kind::Hce(hce) => hce.evaluate(position),
            Kind::Nnue(nnue) => nnue.evaluate(position),
        };
        endgame::adjust(position, score)
    }
}
