//! Finding the best move.
//!
//! Leans on `types`, `attacks`, `position`, `rules` and `eval`. Knows no
//! protocol and prints nothing: it takes a [`Request`], reports [`Event`]s and
//! returns an [`Outcome`].

mod correction;
mod cut;
mod extend;
mod history;
mod huge_pages;
mod learn;
mod limits;
mod mate;
mod node;
mod params;
mod picker;
mod pool;
mod prefetch;
mod proof;
mod prune;
mod quiescence;
mod reduce;
mod report;
mod root;
mod stack;
mod statics;
mod temper;
mod time;
mod tt;
mod worker;

pub use limits::{Clock, Limits, Signals};
pub use params::{Param, Params};
pub use pool::STACK_BYTES;
pub use report::{Event, Line, Outcome, Progress};
pub use temper::{Pruning, Temper};
pub use time::Budget;
pub use tt::{HashSizeError, Table, TableEntry, table_key};

use crate::eval::nnue::Network;
use crate::rules::Game;
use crate::types::Move;
use pool::Pool;
use std::sync::Arc;
use worker::Report;

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
    /// How to play.
    pub temper: Temper,
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
            temper: Temper::default(),
        }
    }
}

/// Everything a search needs that outlives it: threads, hash table, histories.
#[derive(Debug)]
pub struct Searcher {
    pool: Pool,
    table: Arc<Table>,
    hash_mb: usize,
    network: Option<Arc<Network>>,
    params: Params,
}

impl Searcher {
    /// A searcher with this many threads and a table of this size in megabytes.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub fn new(threads: usize, hash_mb: usize) -> Result<Self, HashSizeError> {
        Ok(Self {
            pool: Pool::new(threads),
            table: Arc::new(Table::new(hash_mb)?),
            hash_mb,
            network: None,
            params: Params::DEFAULT,
        })
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Changes the number of threads (at least 1). They start with empty
    /// histories.
    pub fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.pool.len() {
            self.pool = Pool::new(threads);
        }
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
        if hash_mb != self.hash_mb {
            self.table = Arc::new(Table::new(hash_mb)?);
            self.hash_mb = hash_mb;
        }
        Ok(())
    }

    /// Evaluates by this network from now on, or by hand. What was learned with
    /// another evaluation is forgotten.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.new_game();
    }

    /// Forgets everything learned: table and histories.
    pub fn new_game(&mut self) {
        self.pool.clear(&self.table);
    }

    /// Empties the table only.
    pub fn clear_hash(&mut self) {
        self.pool.clear_table(&self.table);
    }

    /// The table, which may be asked while a search runs.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Searches. Returns when a limit is reached or `signals` say so; with
    /// `infinite` or `ponder` not before the latter.
    pub fn search(
        &mut self,
        request: &Request,
        signals: &Signals,
        report: &mut (dyn FnMut(Event) + Send),
    ) -> Outcome {
        self.run(request, signals, Some(report))
    }

    /// Searches until a limit is reached, and reports nothing: for short searches
    /// that takes longer than what they are about.
    pub fn find(&mut self, request: &Request) -> Outcome {
        self.run(request, &Signals::new(false), None)
    }

    fn run(&mut self, request: &Request, signals: &Signals, report: Option<Report<'_>>) -> Outcome {
        let network = self.network.as_ref();
        self.pool
            .search(request, &self.table, network, self.params, signals, report)
    }

    /// Searches with these parameters from now on.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }
}
