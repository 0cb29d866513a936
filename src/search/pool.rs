//! The threads of a search: workers on an owned rayon pool (Chess Programming
//! Wiki, "Lazy SMP": the same search on every thread, one shared table).

use super::history::Histories;
use super::params::Params;
use super::report::Outcome;
use super::root::root_moves;
use super::time::Budget;
use super::tt::Table;
use super::worker::{Report, Shared, Worker};
use super::{Request, Signals};
use crate::eval::nnue::Network;
use crate::types::score::is_decisive;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

/// The stack that the deepest line needs, with a wide margin. Whoever calls a
/// search of one thread should have as much.
pub const STACK_BYTES: usize = 16 << 20;

/// Threads with what each of them remembers between searches.
#[derive(Debug)]
pub(super) struct Pool {
    /// `None`: one thread, the caller's own. A caller may itself be one of a
    /// tool's rayon threads, and such a thread that waits for another pool takes
    /// up further work meanwhile, nesting searches without end.
    threads: Option<ThreadPool>,
    histories: Vec<Histories>,
}

impl Pool {
    /// A pool of this many threads; if the system does not grant them, of one.
    pub(super) fn new(threads: usize) -> Self {
        let build = |count: usize| {
            ThreadPoolBuilder::new()
                .num_threads(count)
                .stack_size(STACK_BYTES)
                .thread_name(|index| format!("search-{index}"))
                .build()
                .inspect_err(|error| log::error!("cannot start {count} threads: {error}"))
        };
        let pool = match threads {
            0 | 1 => None,
            _ => build(threads).ok(),
        };
        let count = pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        Self {
            threads: pool,
            histories: (0..count).map(|_| Histories::new()).collect(),
        }
    }

    /// How many threads there are.
    pub(super) fn len(&self) -> usize {
        self.histories.len()
    }

    /// Forgets what the threads remember, and empties the table.
    pub(super) fn clear(&mut self, table: &Table) {
        for histories in &mut self.histories {
            histories.clear();
        }
        self.clear_table(table);
    }

    /// Empties the table with all threads.
    pub(super) fn clear_table(&self, table: &Table) {
        match &self.threads {
            Some(threads) => threads.install(|| table.clear_in_parallel()),
            None => table.clear(),
        }
    }

    /// Runs a search to its end.
    pub(super) fn search(
        &mut self,
        request: &Request,
        table: &Table,
        network: Option<&Arc<Network>>,
        params: Params,
        signals: &Signals,
        report: Option<Report<'_>>,
    ) -> Outcome {
        table.next_generation();
        let reports = report.is_some();
        let moves = root_moves(request);
        let shared = Shared {
            table,
            signals,
            limits: &request.limits,
            temper: request.temper,
            params,
            budget: Budget::new(&request.limits, request.game.position().move_number()),
            start: Instant::now(),
            stop: AtomicBool::new(false),
            nodes: self.histories.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        // A shorter life for it: that of this search.
        let mut report = report.map(|report| report as Report<'_>);
        let mut workers: Vec<_> = self
            .histories
            .iter_mut()
            .enumerate()
            .map(|(id, histories)| {
                // Only the first one reports.
                let report = report.take();
                let (game, moves) = (request.game.clone(), moves.clone());
                Worker::new(id, &shared, report, histories, game, network, moves)
            })
            .collect();
        if !moves.is_empty() {
            match &self.threads {
                Some(threads) => threads.scope(|scope| {
                    for worker in &mut workers {
                        scope.spawn(|_| worker.iterate(request.multi_pv));
                    }
                }),
                None => workers[0].iterate(request.multi_pv),
            }
        }
        if request.limits.infinite || request.limits.ponder {
            signals.wait_for_client(!request.limits.infinite);
        }
        if request.multi_pv == 1 && request.limits.depth.is_none() {
            let elected = elect(&workers);
            let (first, others) = workers.split_at_mut(1);
            if let (Some(first), Some(elected)) = (
                first.first_mut(),
                elected.checked_sub(1).and_then(|i| others.get(i)),
            ) {
                first.adopt(elected);
            }
        }
        let mut outcome = workers[0].outcome();
        if reports {
            outcome.progress = shared.progress();
        }
        outcome
    }
}

/// Which thread's result to believe: each votes for its move, the more the better
/// its score and the deeper it has searched; a proven win is believed at once.
fn elect(workers: &[Worker<'_>]) -> usize {
    let results: Vec<Outcome> = workers.iter().map(Worker::outcome).collect();
    let lowest = results.iter().map(|result| result.score).min();
    let Some(lowest) = lowest.filter(|_| results.len() > 1) else {
        return 0;
    };
    let weight = |result: &Outcome| {
        i64::from(result.score.min(lowest + 2_000) - lowest + 14) * i64::from(result.depth)
    };
    let votes = |result: &Outcome| -> i64 {
        let same = results.iter().filter(|other| other.best == result.best);
        same.map(weight).sum()
    };
    let mut best = 0;
    for (index, result) in results.iter().enumerate().skip(1) {
        let leader = &results[best];
        let better = if is_decisive(leader.score) || is_decisive(result.score) {
            // The shorter win; a loss only if all see one.
            result.score > leader.score && result.depth > 0
        } else {
            let (ours, theirs) = (votes(result), votes(leader));
            ours > theirs || (ours == theirs && weight(result) > weight(leader))
        };
        if better {
            best = index;
        }
    }
    best
}
