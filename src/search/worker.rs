//! What one thread owns while it searches, and the only place where the search
//! makes a move.

use super::history::{Histories, PieceTo};
use super::limits::{Limits, Signals};
use super::mate::MateSearch;
use super::params::Params;
use super::report::{Event, Progress};
use super::root::RootMove;
use super::stack::Stack;
use super::temper::Temper;
use super::time::Budget;
use super::tt::{Table, table_key, table_key_after};
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::position::see_value;
use crate::rules::{Basis, Game, Outcome, Verdict};
use crate::types::score::{DRAW, MAX_PLY, RULE_WIN};
use crate::types::{Move, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) signals: &'a Signals,
    pub(super) limits: &'a Limits,
    pub(super) temper: Temper,
    pub(super) params: Params,
    pub(super) budget: Option<Budget>,
    pub(super) start: Instant,
    /// Set when a limit is reached or a stop was asked for.
    pub(super) stop: AtomicBool,
    /// Nodes by thread, each written by its own thread only.
    pub(super) nodes: Vec<AtomicU64>,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }

    /// Nodes and time so far.
    pub(super) fn effort(&self) -> Progress {
        Progress {
            nodes: self.total_nodes(),
            time: self.start.elapsed(),
            hashfull: 0,
        }
    }

    /// Nodes and time so far, and how full the table is.
    pub(super) fn progress(&self) -> Progress {
        Progress {
            hashfull: self.table.hashfull(),
            ..self.effort()
        }
    }
}

/// What a repetition or a limit means for the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// The game is decided.
    Score(Score),
    /// The side to move need not fear less.
    AtLeast(Score),
    /// The side to move cannot hope for more.
    AtMost(Score),
}

impl Ruling {
    /// Narrows a window; returns the score if nothing is left to search.
    pub(super) fn narrow(self, alpha: &mut Score, beta: &mut Score) -> Option<Score> {
        match self {
            Self::Score(score) => return Some(score),
            Self::AtLeast(score) => *alpha = score.max(*alpha),
            Self::AtMost(score) => *beta = score.min(*beta),
        }
        (*alpha >= *beta).then_some(*alpha)
    }
}

/// Where events of the search go.
pub(super) type Report<'a> = &'a mut (dyn FnMut(Event) + Send);

/// How many nodes pass between two looks at the clock: less than a millisecond
/// even on half a slow core.
const CHECK_INTERVAL: u64 = 256;

/// What the first iteration may take, come what may: a few milliseconds, far more
/// than it needs.
const FIRST_ITERATION_NODES: u64 = 5_000;

/// One thread of a search. The first one reports and watches the limits. Workers lie
/// side by side; what one writes must not share a cache line with its neighbour.
#[repr(align(128))]
pub(super) struct Worker<'a> {
    pub(super) id: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) report: Option<Report<'a>>,
    pub(super) histories: &'a mut Histories,
    pub(super) game: Game,
    /// How many plies the game had before the search.
    pub(super) root_plies: usize,
    evaluator: Evaluator,
    pub(super) stack: Stack,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    next_check: u64,
    pub(super) selective_depth: usize,
    pub(super) mate: MateSearch,
    /// The raw static evaluation of the root.
    pub(super) root_eval: Option<Score>,
    /// The iteration under way.
    pub(super) root_depth: i32,
    /// The last finished iteration.
    pub(super) completed_depth: i32,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        shared: &'a Shared<'a>,
        report: Option<Report<'a>>,
        histories: &'a mut Histories,
        mut game: Game,
        network: Option<&Arc<Network>>,
        root_moves: Vec<RootMove>,
    ) -> Self {
        game.reserve(MAX_PLY + 2);
        Self {
            id,
            shared,
            report,
            histories,
            root_plies: game.ply_count(),
            evaluator: Evaluator::new(game.position(), network),
            game,
            stack: Stack::new(),
            root_moves,
            nodes: 0,
            next_check: 1,
            selective_depth: 0,
            mate: MateSearch::default(),
            root_eval: None,
            root_depth: 0,
            completed_depth: 0,
        }
    }

    /// How many plies the current position lies below the root.
    #[inline(always)]
    pub(super) fn ply(&self) -> usize {
        self.game.ply_count() - self.root_plies
    }

    /// Makes a move of the search.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        let ply = self.ply();
        let key = table_key_after(self.game.position(), mv);
        self.shared.table.prefetch(key);
        let change = self.game.make(mv);
        let frame = self.stack.at(ply);
        frame.moved = PieceTo::new(change.piece, change.to);
        frame.mv = Some(mv);
        self.evaluator.push(&change);
        self.nodes += 1;
    }

    /// Takes the last move of the search back.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.game.unmake();
        self.evaluator.pop();
    }

    /// Passes.
    pub(super) fn make_null(&mut self) {
        let ply = self.ply();
        self.game.make_null();
        let frame = self.stack.at(ply);
        frame.moved = PieceTo::NONE;
        frame.mv = None;
        frame.quiet = None;
        frame.number = 0;
        self.nodes += 1;
    }

    /// Takes the pass back.
    pub(super) fn unmake_null(&mut self) {
        self.game.unmake();
    }

    /// The static evaluation of the current position.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(self.game.position())
    }

    /// The man and target of a move from the current position.
    #[inline]
    pub(super) fn piece_to(&self, mv: Move) -> PieceTo {
        let piece = self.game.position().piece_on(mv.from());
        piece.map_or(PieceTo::NONE, |piece| PieceTo::new(piece, mv.to()))
    }

    /// Under what key the table knows the current position.
    #[inline]
    pub(super) fn table_key(&self) -> u64 {
        table_key(&self.game)
    }

    /// What the man that a capture takes is worth in an exchange.
    pub(super) fn victim_value(&self, mv: Move) -> Score {
        let victim = self.game.position().piece_on(mv.to());
        victim.map_or(0, |victim| see_value(victim.kind))
    }

    /// What the rules say about the current position.
    ///
    /// A verdict that nobody can escape is a score. A twofold one is not: the
    /// offender may still vary, or its opponent may not be able to come back. Such
    /// a win is only worth at least a draw, such a loss at most.
    #[inline]
    pub(super) fn ruling(&self) -> Option<Ruling> {
        let Verdict { outcome, basis } = self.game.verdict(self.root_plies)?;
        let distance = self.ply() as Score;
        Some(match (outcome, basis) {
            (Outcome::Draw, _) => Ruling::Score(self.draw_score()),
            (Outcome::Win, Basis::Twofold) => Ruling::AtLeast(DRAW - 1),
            (Outcome::Loss, Basis::Twofold) => Ruling::AtMost(DRAW + 1),
            (Outcome::Win, _) => Ruling::Score(RULE_WIN - distance),
            (Outcome::Loss, _) => Ruling::Score(distance - RULE_WIN),
        })
    }

    /// What a draw is worth to the side to move. Draws differ a little by node
    /// parity, against blindness between them.
    fn draw_score(&self) -> Score {
        let contempt = self.shared.temper.contempt;
        let is_root_side = self.ply().is_multiple_of(2);
        let wanted = if is_root_side { -contempt } else { contempt };
        DRAW + wanted + (self.nodes & 2) as Score - 1
    }

    /// Whether the search must end now. Looks at clock and signals from time to
    /// time, and exactly at a node limit of a single thread.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.is_stopped()
    }

    /// Whether the search has been ended; what it returns from now on is
    /// meaningless.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Only the first thread looks at the clock and for a stop, and not before it
    /// has finished an iteration, within reason: a move that was never looked at is
    /// no answer. A limit on nodes is kept at all times.
    fn check_limits(&mut self) {
        let shared = self.shared;
        shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        self.next_check = self.nodes + CHECK_INTERVAL;
        let mut is_spent = false;
        if let Some(limit) = shared.limits.nodes {
            let total = shared.total_nodes();
            is_spent = total >= limit;
            let share = (limit.saturating_sub(total) / shared.nodes.len() as u64).max(1);
            self.next_check = self.next_check.min(self.nodes + share);
        }
        let has_move = self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES;
        if is_spent || self.id == 0 && has_move && self.is_called() {
            shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the client or the clock asks for the answer.
    fn is_called(&self) -> bool {
        let elapsed = || self.shared.signals.elapsed();
        self.shared.signals.is_stopped()
            || (self.shared.budget).is_some_and(|budget| elapsed() >= Some(budget.hard))
    }

    /// Tells the news, if this is the thread that does.
    pub(super) fn tell(&mut self, event: Event) {
        if let Some(report) = &mut self.report {
            report(event);
        }
    }
}
