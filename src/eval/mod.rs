//! How good a position is for the side to move.
//!
//! Leans on `types`, `attacks` and `position`; knows nothing of the search. The
//! [`Evaluator`] follows the moves of a line by their [`Change`]s, so that an
//! evaluation only adds what cannot be kept.

mod hce;
pub mod nnue;
mod weights;

use crate::position::{Change, Position};
use crate::types::Score;
use hce::Hce;

/// Follows a line of play and evaluates its last position.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    hce: Hce,
}

impl Evaluator {
    /// An evaluator for lines that start here.
    pub fn new(position: &Position) -> Self {
        let mut evaluator = Self::default();
        evaluator.reset(position);
        evaluator
    }

    /// Starts a new line.
    pub fn reset(&mut self, position: &Position) {
        self.hce.reset(position);
    }

    /// Follows a move. Null moves are not followed.
    #[inline]
    pub fn push(&mut self, change: &Change) {
        self.hce.push(change);
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.hce.pop();
    }

    /// The evaluation from the view of the side to move, within
    /// [`EVAL_LIMIT`](crate::types::score::EVAL_LIMIT). `position` is where the
    /// moves followed have led; its side to move must not be in check for the
    /// number to mean much.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        self.hce.evaluate(position)
    }
}
