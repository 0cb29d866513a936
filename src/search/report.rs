//! What a search tells while it runs and at its end. The search does not
//! print; whoever started it decides what becomes of these.

use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// One line of play with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second best and so on.
    pub rank: usize,
    /// The score from the view of the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The line, the root move first; never empty.
    pub pv: Vec<Move>,
}

/// How far the search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Time since the search was asked for, pondering included.
    pub time: Duration,
    /// How full the hash table is, in per mille; 0 of a search that reports nothing.
    pub hashfull: u32,
}

impl Progress {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// News from a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line was finished or its score is known to lie beyond a bound.
    Line(Line, Progress),
    /// A root move is being searched.
    CurrentMove {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place in the order of this iteration, from 1.
        number: usize,
    },
    /// Nothing new but the counters.
    Progress(Progress),
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The best move; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The reply that the search expects.
    pub ponder: Option<Move>,
    /// The score from the view of the side to move.
    pub score: Score,
    /// The last finished iteration.
    pub depth: u32,
    /// Positions searched.
    pub progress: Progress,
}
