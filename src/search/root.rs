//! The root: iterative deepening with aspiration windows over the root moves,
//! several principal variations, and the decision to stop.

use super::Request;
use super::history::Context;
use super::limits::Clock;
use super::reduce::{self, Features};
use super::report::{Event, Line, Outcome};
use super::worker::Worker;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MAX_PLY, is_mate, mate_in, mate_plies};
use crate::types::{Bound, Move, MoveList, Score};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its score in this iteration; minus infinity if it was not the best of its
    /// line.
    score: Score,
    /// Its score in the last iteration.
    previous: Score,
    bound: Bound,
    selective_depth: usize,
    /// Nodes spent on it over all iterations.
    nodes: u64,
    pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        let mut pv = Vec::with_capacity(MAX_PLY + 1);
        pv.push(mv);
        Self {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            selective_depth: 0,
            nodes: 0,
            pv,
        }
    }
}

/// The moves that may be searched: legal, asked for, not banned. If that leaves
/// none, bans and wishes are void: an answer is owed.
pub(super) fn root_moves(request: &Request) -> Vec<RootMove> {
    let legal: MoveList = request.game.position().legal_moves();
    let wanted = |mv: &&Move| request.only_moves.is_empty() || request.only_moves.contains(mv);
    let allowed = |mv: &&Move| !request.banned_moves.contains(mv);
    let mut moves: Vec<_> = legal.iter().filter(wanted).filter(allowed).collect();
    if moves.is_empty() {
        moves = legal.iter().filter(wanted).collect();
    }
    if moves.is_empty() {
        moves = legal.iter().collect();
    }
    moves.into_iter().map(|&mv| RootMove::new(mv)).collect()
}

/// How the best move has behaved over the iterations, which decides how much of
/// the budget it gets.
#[derive(Debug, Default)]
struct Stability {
    best: Option<Move>,
    unchanged: u32,
    score: Option<Score>,
}

impl Stability {
    /// Takes note of a finished iteration; returns the factor for the soft
    /// limit: longer while the best move changes or the score falls, shorter
    /// when nearly all nodes go to one move.
    fn factor(&mut self, best: &RootMove, total_nodes: u64) -> f64 {
        self.unchanged = if self.best == Some(best.mv) {
            self.unchanged + 1
        } else {
            0
        };
        self.best = Some(best.mv);
        let steady = 1.5 - 0.08 * f64::from(self.unchanged.min(10));
        let drop = self.score.map_or(0, |old| old - best.score).clamp(-50, 150);
        self.score = Some(best.score);
        let falling = 1.0 + f64::from(drop) / 250.0;
        let share = best.nodes as f64 / total_nodes.max(1) as f64;
        let effort = (1.7 - 1.1 * share).max(0.6);
        steady * falling * effort
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn iterate(&mut self, multi_pv: usize) {
        let lines = multi_pv.clamp(1, self.root_moves.len().max(1));
        let max_depth = self
            .shared
            .limits
            .depth
            .map_or(MAX_PLY as i32 - 1, |depth| {
                depth.clamp(1, MAX_PLY as u32 - 1) as i32
            });
        let mut stability = Stability::default();
        let mut settled = None;
        for depth in 1..=max_depth {
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITE;
            }
            self.root_depth = depth;
            let mate = if lines == 1 && self.id == 0 {
                let score = self.root_moves.first().map_or(DRAW, |best| best.previous);
                self.seek_mate(score)
            } else {
                None
            };
            for line in 0..lines {
                self.selective_depth = 0;
                match &mate {
                    Some(mate) => self.beat_mate(mate, depth),
                    None => self.aspire(line, depth),
                }
                self.sort_lines(line);
                if self.is_stopped() {
                    break;
                }
            }
            if self.is_stopped() {
                break;
            }
            self.completed_depth = depth;
            settled = self.root_moves.first().cloned();
            for line in 0..lines {
                self.report_line(line, depth, Bound::Exact);
            }
            if self.id == 0 && self.is_enough(&mut stability) {
                self.shared.stop.store(true, Ordering::Relaxed);
                break;
            }
            if lines == 1 && self.is_mate_certain() {
                break;
            }
        }
        if self.id == 0 {
            // The others need not go on where the first has nothing left to do.
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.settle(settled);
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Whether a mate has been found and searched so far beyond that deeper
    /// iterations would not shorten it.
    fn is_mate_certain(&self) -> bool {
        let plies = self
            .root_moves
            .first()
            .and_then(|best| mate_plies(best.score));
        plies.is_some_and(|plies| self.completed_depth > 2 * plies.abs() + 10)
    }

    /// An iteration that was cut short knows less about the move it began with
    /// than the iteration before it; about another move that it found better, its
    /// word counts.
    fn settle(&mut self, settled: Option<RootMove>) {
        let (Some(settled), Some(best)) = (settled, self.root_moves.first_mut()) else {
            return;
        };
        if best.mv == settled.mv {
            *best = settled;
        } else {
            self.report_line(0, self.completed_depth + 1, Bound::Exact);
        }
    }

    /// Searches one line with a window around its last score, widening it until
    /// the score lies inside.
    fn aspire(&mut self, line: usize, depth: i32) {
        let last = self.root_moves[line].previous;
        let mut delta = self.shared.params.aspiration_base() + (self.id % 8) as Score;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && last.abs() < INFINITE && !is_mate(last) {
            (alpha, beta) = (last - delta, last + delta);
        }
        let mut reduction = 0;
        loop {
            let score = self.search_root(line, alpha, beta, (depth - reduction).max(1));
            self.sort_lines(line);
            if self.is_stopped() {
                return;
            }
            if line == 0 {
                self.store_root(score, bound(score, alpha, beta), depth - reduction);
            }
            if score <= alpha {
                self.report_line(line, depth, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.report_line(line, depth, Bound::Lower);
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(3);
            } else {
                return;
            }
            delta += delta * self.shared.params.aspiration_factor() / 100;
            if delta > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Looks for a shorter mate than the one that is known; without success that
    /// one is the best move.
    fn beat_mate(&mut self, mate: &[Move], depth: i32) {
        let known = mate_in(mate.len());
        if self.search_root(0, known, INFINITE, depth) > known {
            let best = self.root_moves.iter().max_by_key(|best| best.score);
            let is_whole = |best: &&RootMove| mate_plies(best.score) == Some(best.pv.len() as i32);
            if let Some(best) = best.filter(is_whole) {
                self.mate.note(&best.pv);
            }
            return;
        }
        for root_move in &mut self.root_moves {
            root_move.score = -INFINITE;
            if Some(&root_move.mv) == mate.first() {
                root_move.score = known;
                root_move.bound = Bound::Exact;
                root_move.selective_depth = mate.len();
                root_move.pv = mate.to_vec();
            }
        }
    }

    /// Lets others ask the table for the root.
    fn store_root(&mut self, score: Score, bound: Bound, depth: i32) {
        let best = self.root_moves.first().map(|best| best.mv);
        let key = self.table_key();
        let eval = self.root_eval;
        self.store(key, 0, best, score, eval, bound, depth);
    }

    /// The move loop at the root, from the move of this line on.
    fn search_root(&mut self, line: usize, mut alpha: Score, beta: Score, depth: i32) -> Score {
        let mut best = -INFINITE;
        let statics = self.statics(None, true);
        self.root_eval = statics.raw;
        let frame = self.stack.at(0);
        frame.eval = statics.corrected;
        frame.was_pv = true;
        frame.pv.clear();
        let context = Context::new(self.game.position(), self.stack.moves_before(0));
        for index in line..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = index - line + 1;
            if self.shared.start.elapsed() > Duration::from_secs(1) {
                let depth = depth as u32;
                self.tell(Event::CurrentMove {
                    depth,
                    mv,
                    number: index + 1,
                });
            }
            let nodes_before = self.nodes;
            let new_depth = depth - 1;
            let reduced = new_depth - self.root_reduction(mv, number, depth, &context);
            let frame = self.stack.at(0);
            frame.number = number;
            frame.quiet = is_quiet(self.game.position(), mv).then(|| context.slot(mv));
            self.make(mv);
            let mut score = -INFINITE;
            if number > 1 {
                self.stack.at(0).reduction = new_depth - reduced;
                score = -self.node::<false>(-alpha - 1, -alpha, reduced, true);
                self.stack.at(0).reduction = 0;
                if score > alpha && reduced < new_depth {
                    score = -self.node::<false>(-alpha - 1, -alpha, new_depth, true);
                }
            }
            if number == 1 || score > alpha {
                score = -self.node::<true>(-beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.must_stop() {
                return best;
            }
            let selective_depth = self.selective_depth;
            let spent = self.nodes - nodes_before;
            let root_move = &mut self.root_moves[index];
            root_move.nodes += spent;
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.bound = bound(score, alpha, beta);
                root_move.selective_depth = selective_depth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(&self.stack.at(1).pv);
            } else {
                root_move.score = -INFINITE;
            }
            best = best.max(score);
            if score >= beta {
                break;
            }
            alpha = alpha.max(score);
        }
        best
    }

    /// By how much a late move at the root is searched shallower.
    fn root_reduction(&self, mv: Move, number: usize, depth: i32, context: &Context) -> i32 {
        let position = self.game.position();
        if depth < 3 || number <= 2 || self.game.may_repeat_by(mv) {
            return 0;
        }
        let is_quiet = is_quiet(position, mv);
        let history = if is_quiet {
            self.histories.quiet(context, mv, self.piece_to(mv))
        } else {
            self.capture_history(mv)
        };
        let features = Features {
            depth,
            number,
            is_quiet,
            is_table_move: false,
            cut_node: false,
            was_pv: true,
            table_above: false,
            table_deep: false,
            improving: true,
            in_checks: self.game.in_check() || position.gives_check(mv),
            no_table_move: false,
            table_move_captures: false,
            cut_offs: 0,
            correction: 0,
            history,
        };
        let plies = reduce::reduction(&self.shared.params, features) / 1024;
        plies.clamp(0, depth - 2)
    }

    /// Brings the best move to the front of its line; the others keep their
    /// order.
    fn sort_lines(&mut self, line: usize) {
        self.root_moves[line..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
        self.root_moves[..=line].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
    }

    fn report_line(&mut self, line: usize, depth: i32, bound: Bound) {
        if self.report.is_none() {
            return;
        }
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        let root_move = &self.root_moves[line];
        let event = Event::Line(
            Line {
                depth: depth as u32,
                selective_depth: root_move.selective_depth.max(1) as u32,
                rank: line + 1,
                score: root_move.score,
                bound,
                pv: root_move.pv.clone(),
            },
            self.shared.progress(),
        );
        self.tell(event);
    }

    /// Whether the last iteration was the last one needed.
    fn is_enough(&self, stability: &mut Stability) -> bool {
        let shared = self.shared;
        let Some(best) = self.root_moves.first() else {
            return true;
        };
        if let (Some(wanted), Some(plies)) = (shared.limits.mate, mate_plies(best.score))
            && plies > 0
            && plies as u32 <= 2 * wanted
        {
            return true;
        }
        if shared
            .limits
            .soft_nodes
            .is_some_and(|limit| self.nodes >= limit)
        {
            return true;
        }
        let factor = stability.factor(best, self.nodes);
        let (Some(budget), Some(elapsed)) = (shared.budget, shared.signals.elapsed()) else {
            return false;
        };
        if matches!(shared.limits.clock, Clock::Game { .. }) {
            if self.root_moves.len() == 1 {
                return true;
            }
            let found_mate = mate_plies(best.score)
                .is_some_and(|plies| plies > 0 && plies <= self.completed_depth);
            if found_mate && elapsed >= budget.soft / 4 {
                return true;
            }
        }
        !budget.is_fixed() && elapsed >= budget.soft.mul_f64(factor.clamp(0.3, 2.5))
            || elapsed >= budget.hard
    }

    /// Takes over what another thread holds to be best, and tells it.
    pub(super) fn adopt(&mut self, other: &Worker<'_>) {
        let Some(theirs) = other.root_moves.first() else {
            return;
        };
        let ours = self.root_moves.iter().position(|ours| ours.mv == theirs.mv);
        if let Some(index) = ours {
            self.root_moves[..=index].rotate_right(1);
            self.root_moves[0] = theirs.clone();
            self.completed_depth = other.completed_depth;
            self.report_line(0, self.completed_depth, Bound::Exact);
        }
    }

    /// The result as this thread sees it.
    pub(super) fn outcome(&self) -> Outcome {
        let best = self.root_moves.first();
        Outcome {
            best: best.map(|best| best.mv),
            ponder: best.and_then(|best| best.pv.get(1).copied()),
            score: best.map_or(crate::types::score::mated_in(0), |best| {
                [best.score, best.previous]
                    .into_iter()
                    .find(|&score| score > -INFINITE)
                    .unwrap_or(DRAW)
            }),
            depth: self.completed_depth as u32,
            progress: self.shared.effort(),
        }
    }
}

fn is_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_none()
}

/// What a score says that a search with this window has come to.
pub(super) fn bound(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
