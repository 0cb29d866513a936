//! The threads of a search: workers on an owned rayon pool (Chess Programming
//! Wiki, "Lazy SMP": the same search on every thread, one shared table).

use super::history::Histories;
use super::report::{Event, Outcome};
use super::root::root_moves;
use super::time::Budget;
use super::tt::Table;
use super::worker::{Report, Shared, Worker};
use super::{Request, Signals};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// The deepest line takes a few megabytes of stack.
const STACK_BYTES: usize = 32 << 20;

/// Threads with what each of them remembers between searches.
#[derive(Debug)]
pub(super) struct Pool {
    threads: ThreadPool,
    histories: Vec<Histories>,
}

impl Pool {
    /// A pool of this many threads; if the system grants fewer, of one.
    ///
    /// # Panics
    /// If the system grants no thread at all.
    pub(super) fn new(threads: usize) -> Self {
        let build = |count: usize| {
            ThreadPoolBuilder::new()
                .num_threads(count)
                .stack_size(STACK_BYTES)
                .thread_name(|index| format!("search-{index}"))
                .build()
        };
        let threads = threads.max(1);
        let pool = build(threads).or_else(|error| {
            log::error!("cannot start {threads} threads ({error}), searching with one");
            build(1)
        });
        let threads = pool.expect("the system grants at least one thread");
        let histories = (0..threads.current_num_threads())
            .map(|_| Histories::new())
            .collect();
        Self { threads, histories }
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
        self.threads.install(|| table.clear());
    }

    /// Runs a search to its end.
    pub(super) fn search(
        &mut self,
        request: &Request,
        table: &Table,
        signals: &Signals,
        report: &mut (dyn FnMut(Event) + Send),
    ) -> Outcome {
        table.next_generation();
        let moves = root_moves(request);
        let shared = Shared {
            table,
            signals,
            limits: &request.limits,
            budget: Budget::new(&request.limits, request.game.position().move_number()),
            start: Instant::now(),
            stop: AtomicBool::new(signals.is_stopped()),
            nodes: self.histories.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let mut report: Option<Report<'_>> = Some(&mut *report);
        let mut workers: Vec<_> = self
            .histories
            .iter_mut()
            .enumerate()
            .map(|(id, histories)| {
                // Only the first one reports.
                let report = report.take();
                Worker::new(
                    id,
                    &shared,
                    report,
                    histories,
                    request.game.clone(),
                    moves.clone(),
                )
            })
            .collect();
        if !moves.is_empty() {
            self.threads.scope(|scope| {
                for worker in &mut workers {
                    scope.spawn(|_| worker.iterate(request.multi_pv));
                }
            });
        }
        wait_for_leave(request, signals);
        let mut outcome = workers[0].outcome();
        outcome.progress = shared.progress();
        outcome
    }
}

/// A result of an infinite search or a ponder search is held back until it is
/// asked for.
fn wait_for_leave(request: &Request, signals: &Signals) {
    let held = || {
        !signals.is_stopped()
            && (request.limits.infinite || request.limits.ponder && signals.is_pondering())
    };
    while held() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
