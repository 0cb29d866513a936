//! What the history of a game means: repetitions, chases, limits.
//!
//! Leans on `types`, `attacks` and `position`. The search and everything that
//! judges finished games use the same code: [`Game::verdict`] answers in a word,
//! [`Game::judge`] with the reasons.
//!
//! ```text
//! rule_set     which rules, with their numbers
//! game         position and line of plies
//! repetition   the cycle that the last ply has closed
//! line         its positions; men by identity
//! board        captures that need not be legal
//! roots        protection, exchange
//! chase        effective attacks, and those a move has made
//! kill         mates by checks
//! check_capture  wins by checks
//! memo         what is already known about plies
//! class        what a side did in the cycle, by rule set
//! sky          the platform's counters instead
//! limit        draws without a repetition
//! verdict      ruling and verdict
//! judgement    the referee's report
//! ```
//!
//! Article numbers are those of the modern Chinese rules unless said otherwise;
//! figures D1 to D106 those of the Asian rule book.

mod board;
mod chase;
mod check_capture;
mod class;
mod game;
mod judgement;
mod kill;
mod limit;
mod line;
mod memo;
mod repetition;
mod roots;
mod rule_set;
mod sky;
mod verdict;

pub use chase::{Harmless, Manner};
pub use check_capture::CheckCapture;
pub use class::Class;
pub use game::{Game, GameError};
pub use judgement::{
    AttackReport, CycleReport, GameResult, Judgement, Man, PlyKind, PlyReport, Reason, RootReport,
};
pub use limit::Limit;
pub use roots::RootFault;
pub use rule_set::{RuleSet, RuleSetError, Rules};
pub use verdict::{Basis, Outcome, Verdict};
