//! What the history of a game means: repetitions, perpetual check, limits.
//!
//! Leans on `types`, `attacks` and `position`. The search and everything that
//! judges finished games ask the same [`Game::verdict`].

mod board;
mod chase;
mod check_capture;
mod game;
mod kill;
mod repetition;
mod roots;
mod rule_set;
mod verdict;

pub use chase::{Harmless, Manner};
pub use check_capture::CheckCapture;
pub use game::{Game, GameError};
pub use roots::RootFault;
pub use rule_set::{RuleSet, RuleSetError, Rules};
pub use verdict::{NATURAL_LIMIT_PLIES, Verdict};
