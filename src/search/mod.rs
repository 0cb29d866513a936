//! Finding the best move.
//!
//! Leans on `types`, `attacks`, `position`, `rules` and `eval`. Knows no
//! protocol and prints nothing: it takes a [`Request`], reports [`Event`]s and
//! returns an [`Outcome`].

mod limits;
mod report;

pub use limits::{Clock, Limits, Signals};
pub use report::{Event, Line, Outcome, Progress};

use crate::rules::Game;
use crate::types::{Bound, Move, Score};

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position with the history that the rules look at.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// If not empty, only these root moves are searched (illegal ones are ignored).
    pub only_moves: Vec<Move>,
    /// Root moves that must not be played. If no other is left, they are
    /// searched all the same.
    pub banned_moves: Vec<Move>,
    /// How many lines to report, best first; at least 1.
    pub multi_pv: usize,
}

impl Request {
    /// Searches this game under these limits, nothing special.
    pub fn new(game: Game, limits: Limits) -> Self {
        Self {
            game,
            limits,
            only_moves: Vec::new(),
            banned_moves: Vec::new(),
            multi_pv: 1,
        }
    }
}

/// What the hash table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move found.
    pub best: Option<Move>,
    /// The score, from the view of the side to move.
    pub score: Score,
    /// What kind of score.
    pub bound: Bound,
    /// How deep it was searched.
    pub depth: i32,
}

/// The memory for a hash table of this size cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate a hash table of {0} MB")]
pub struct HashSizeError(pub usize);

/// Everything a search needs that outlives it: threads, hash table, histories.
#[derive(Debug)]
pub struct Searcher {
    threads: usize,
    hash_mb: usize,
}

impl Searcher {
    /// A searcher with this many threads and a table of this size.
    pub fn new(threads: usize, hash_mb: usize) -> Self {
        Self { threads, hash_mb }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Changes the number of threads (at least 1).
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// The size of the table in megabytes.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Replaces the table by an empty one of this size.
    ///
    /// # Errors
    /// If the memory cannot be had; the old table stays.
    pub fn set_hash_mb(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        self.hash_mb = hash_mb;
        Ok(())
    }

    /// Forgets everything learned: table and histories.
    pub fn new_game(&mut self) {}

    /// Empties the table only.
    pub fn clear_hash(&mut self) {}

    /// What the table knows about the game's position.
    pub fn probe(&self, _game: &Game) -> Option<TableEntry> {
        None
    }

    /// Searches. Returns when a limit is reached or `signals` say so; with
    /// `infinite` or `ponder` not before the latter.
    pub fn search(
        &mut self,
        request: &Request,
        signals: &Signals,
        report: &mut (dyn FnMut(Event) + Send),
    ) -> Outcome {
        let _ = (signals, report);
        Outcome {
            best: request.game.position().legal_moves().first().copied(),
            ..Outcome::default()
        }
    }
}
