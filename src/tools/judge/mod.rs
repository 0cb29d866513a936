//! `chuhe judge`: what the rules say about finished games, with the evidence.
//!
//! The ruling itself is `rules::Game::first_end`; here records are read, judged by
//! several rule sets and threads, and put into words. The main line of a record
//! is judged, its variations are not.
//!
//! ```text
//! input     files, standard input, moves on the command line
//! ruling    one game by one rule set
//! conduct   what a side did in a cycle, in a word
//! words     the terms, English and Chinese, and their names in JSON
//! text      the report for people
//! json      the same as JSON lines
//! tally     counts over many games
//! batch     all inputs in order, in parallel
//! cases     a file of positions with known verdicts
//! ```

mod batch;
pub mod cases;
mod conduct;
mod input;
mod json;
mod ruling;
mod tally;
mod text;
mod words;

pub use batch::{Outcome, run};
pub use input::Input;

use crate::rules::Rules;
use crate::types::Color;

/// How the rulings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// An object a line for each game and rule set.
    Json,
}

/// What is judged, by which rules, and what is told about it.
#[derive(Clone, Debug)]
pub struct JudgeOptions {
    /// Where the games come from, in this order.
    pub inputs: Vec<Input>,
    /// Every game is judged by each of these.
    pub rules: Vec<Rules>,
    /// Who claims the natural limit, if anybody is known to.
    pub claimant: Option<Color>,
    /// Text or JSON.
    pub form: Form,
    /// A line a game and totals, without the evidence.
    pub is_summary: bool,
}
