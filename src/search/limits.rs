//! What ends a search, and the signals that reach it while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// No clock.
    #[default]
    None,
    /// This much for the one move, all of it may be used.
    MoveTime(Duration),
    /// A game clock.
    Game {
        /// What is left.
        time: Duration,
        /// What each move adds.
        increment: Duration,
        /// Moves until the clock is topped up; `None`: never.
        moves_to_go: Option<u32>,
    },
}

/// Everything that may end a search. All given limits hold together; the first
/// one reached ends it. Without any, it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes, counted over all threads.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration is started.
    pub soft_nodes: Option<u64>,
    /// Stop at a mate in at most this many moves.
    pub mate: Option<u32>,
    /// Time.
    pub clock: Clock,
    /// Whether the result is held back until a stop, even when the search has
    /// nothing left to do.
    pub infinite: bool,
    /// Whether the clock stands still until [`Signals::ponder_hit`], and the
    /// result is held back until then or a stop.
    pub ponder: bool,
    /// Whether the opponent's time is used, too: then the own is spent more freely.
    pub ponders: bool,
    /// Time that is lost on the way to and from the client, per move.
    pub overhead: Duration,
}

/// Shared between a running search and whoever may interrupt it.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    /// When the clock started; `None` while pondering.
    clock_start: Mutex<Option<Instant>>,
    pondering: AtomicBool,
    /// Told of every change, for a search that has nothing left to do.
    changed: Condvar,
}

impl Signals {
    /// Signals for a search that starts now.
    pub fn new(ponder: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            clock_start: Mutex::new((!ponder).then(Instant::now)),
            pondering: AtomicBool::new(ponder),
            changed: Condvar::new(),
        }
    }

    /// Asks the search to answer at once.
    pub fn stop(&self) {
        // Under the lock, so that a thread about to wait does not miss it.
        let _guard = self.clock_start.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search was asked to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The predicted move was played: the clock starts now.
    pub fn ponder_hit(&self) {
        if let Ok(mut start) = self.clock_start.lock() {
            start.get_or_insert_with(Instant::now);
            self.pondering.store(false, Ordering::Release);
            self.changed.notify_all();
        }
    }

    /// Whether the clock still stands.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Sleeps until the client wants the result: until a stop, or, where
    /// `ponder_hit_will_do`, until the clock runs.
    pub(super) fn wait_for_client(&self, ponder_hit_will_do: bool) {
        let holds = || !self.is_stopped() && (!ponder_hit_will_do || self.is_pondering());
        if let Ok(guard) = self.clock_start.lock() {
            drop(self.changed.wait_while(guard, |_| holds()));
        }
    }

    /// When the clock of this move started; `None` while pondering.
    pub fn clock_start(&self) -> Option<Instant> {
        *self.clock_start.lock().ok()?
    }

    /// Time on the clock of this move so far; `None` while pondering.
    pub fn elapsed(&self) -> Option<Duration> {
        self.clock_start().map(|start| start.elapsed())
    }
}
