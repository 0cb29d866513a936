//! Tournaments: who meets whom in which round, and who stands where.
//!
//! Everything but `run` is pure: the pairings of a round follow from the results
//! of the rounds before, so a tournament that was interrupted needs its results
//! only to go on.
//!
//! ```text
//! history     the rounds so far and what they say about a player
//! format      the five formats: the plan of the next round
//! schedule    round robin (Berger tables) and gauntlet
//! knockout    brackets
//! swiss       the Swiss system (积分编排制)
//! matching    can everybody left be paired?
//! standings   points and tie-breaks
//! report      tables as text and JSON
//! run         playing it
//! ```

mod format;
mod history;
mod knockout;
mod matching;
mod report;
mod run;
mod schedule;
mod standings;
mod swiss;

pub use format::Format;
pub use history::{Encounter, History, Plan, Round};
pub use report::{json, text};
pub use run::{TournamentNews, TournamentOptions, run};
pub use standings::{Row, TieBreak, TieBreakError, standings};
