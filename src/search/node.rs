//! The alpha-beta node: principal variation search, fail soft.
//!
//! Order of work: rules and limits, table, static evaluation, pruning of the
//! whole node, then the move loop with pruning, reductions and re-searches.

use super::history::PieceTo;
use super::params::Params;
use super::picker::{Mode, Picker};
use super::prune::{self, Outlook};
use super::quiescence::agrees;
use super::reduce::{self, Features};
use super::temper::Pruning;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::types::score::{
    DRAW, INFINITE, MAX_PLY, is_decisive, is_loss, is_win, mate_in, mated_in,
};
use crate::types::{Bound, Move, Score};
use arrayvec::ArrayVec;

const P: Params = Params;

/// No table cut-offs this near to the natural limit: the stored score does not
/// know how near it is.
const CUT_OFF_PLY_LIMIT: u16 = 112;

/// How far from the root repetitions are exempt from pruning.
const REPETITION_PLIES: usize = 6;

/// Moves remembered for a malus.
type Tried = ArrayVec<Move, 32>;

impl Worker<'_> {
    /// Searches the current position. `PV`: the window is open; `cut_node`: a
    /// fail high is expected.
    pub(super) fn node<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta);
        }
        let ply = self.ply();
        self.stack.at(ply).pv.clear();
        self.selective_depth = self.selective_depth.max(ply);
        if self.must_stop() {
            return 0;
        }
        let ruling = self.ruling();
        if let Some(ruling) = ruling
            && let Some(score) = ruling.narrow(&mut alpha, &mut beta)
        {
            return score;
        }
        if ply >= MAX_PLY {
            return draw_by_ply_limit(self);
        }

        // Mate-distance pruning: a shorter mate is already known.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = self.game.position().key();
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && !PV
            && ruling.is_none()
            && entry.depth >= depth
            && entry.cuts(beta)
            && self.game.position().plies_since_capture() < CUT_OFF_PLY_LIMIT
        {
            return entry.score;
        }
        let table_move = entry
            .and_then(|e| e.best)
            .filter(|&mv| self.game.position().is_legal(mv, self.game.legality()));
        let was_pv = PV || entry.is_some_and(|e| e.was_pv);

        let in_check = self.game.in_check();
        let (raw_eval, eval) = self.static_eval(entry);
        self.stack.at(ply).eval = raw_eval;
        let improving = raw_eval.is_some_and(|eval| self.stack.is_improving(ply, eval));

        if !PV && !in_check && !is_decisive(beta) {
            let outlook = Outlook {
                alpha,
                beta,
                depth,
                eval,
                improving,
                was_pv,
                cut_node,
            };
            let pruned = self.prune_node(outlook);
            if self.is_stopped() {
                return 0;
            }
            if let Some(score) = pruned {
                return score;
            }
        }

        // Internal iterative reduction: without a table move the order is poor.
        if depth >= P.iir_limit() && table_move.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        let side = self.game.position().side_to_move();
        let killers = self.stack.at(ply).killers;
        self.stack.at(ply + 1).killers = [None; 2];
        let before = self.stack.moves_before(ply);
        let mut picker = Picker::new(Mode::All, &self.game, table_move, killers, before);
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let mut best = -INFINITE;
        // Near the root a move that closes a cycle may decide the game by rule:
        // it must not be pruned as one of many quiet moves.
        let prunes_moves = self.shared.temper.pruning >= Pruning::Full;
        let minds_repetition = ply < REPETITION_PLIES;
        if minds_repetition {
            picker.put_repetitions_first();
        }
        let mut best_move = None;
        let mut number = 0;
        let old_alpha = alpha;

        while let Some(mv) = picker.next(&self.game, self.histories) {
            number += 1;
            let position = self.game.position();
            let is_quiet = position.piece_on(mv.to()).is_none();
            let gives_check = position.gives_check(mv);
            let history = if is_quiet {
                self.histories.quiet(side, mv, self.piece_to(mv), &before)
            } else {
                0
            };
            let mut reduction = reduce::reduction(Features {
                depth,
                number,
                is_quiet,
                cut_node,
                was_pv,
                improving,
                in_checks: in_check || gives_check,
                history,
            });

            let repeats = minds_repetition && is_quiet && self.game.may_repeat_by(mv);
            if prunes_moves && !is_loss(best) && !repeats && position.has_major(side) {
                let reduced_depth = (depth - 1 - reduction.max(0)).max(0);
                if is_quiet {
                    if number > prune::move_count_limit(depth, improving) && !gives_check {
                        picker.skip_quiets();
                    }
                    if !in_check && !gives_check && prune::is_futile(eval, alpha, reduced_depth) {
                        picker.skip_quiets();
                        continue;
                    }
                    if prune::has_bad_history(history, depth) && !gives_check {
                        continue;
                    }
                    if !in_check
                        && !position.see_at_least(mv, prune::quiet_loss_allowed(reduced_depth))
                    {
                        continue;
                    }
                } else if !position.see_at_least(mv, prune::capture_loss_allowed(depth)) {
                    continue;
                }
            }

            self.make(mv);
            let new_depth = depth - 1;
            let mut score = -INFINITE;
            if depth >= 2 && number > 1 {
                reduction = if repeats {
                    0
                } else {
                    reduction.clamp(0, new_depth - 1)
                };
                score = -self.node::<false>(-alpha - 1, -alpha, new_depth - reduction, true);
                if score > alpha && reduction > 0 {
                    score = -self.node::<false>(-alpha - 1, -alpha, new_depth, !cut_node);
                }
            } else if !PV || number > 1 {
                score = -self.node::<false>(-alpha - 1, -alpha, new_depth, !cut_node);
            }
            if PV && (number == 1 || score > alpha) {
                score = -self.node::<true>(-beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.must_stop() {
                return 0;
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if best_move != Some(mv) {
                let tried = if is_quiet { &mut quiets } else { &mut captures };
                let _ = tried.try_push(mv); // beyond 32 they are forgotten
            }
        }

        if number == 0 {
            return mated_in(ply); // no legal move loses, in check or not
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(mv) = best_move
            && best >= beta
        {
            self.learn(mv, depth, &before, &quiets, &captures);
            if !is_decisive(best) && !is_decisive(beta) {
                best = (best * depth + beta) / (depth + 1);
            }
        }
        let entry = TableEntry {
            best: best_move,
            score: best,
            eval: raw_eval,
            bound,
            depth,
            was_pv,
        };
        if ruling.is_none() {
            self.shared.table.store(key, ply, entry);
        }
        best
    }

    /// The static evaluation, raw and as improved by the table; none in check.
    fn static_eval(&mut self, entry: Option<TableEntry>) -> (Option<Score>, Score) {
        if self.game.in_check() {
            return (None, -INFINITE);
        }
        let raw = entry
            .and_then(|e| e.eval)
            .unwrap_or_else(|| self.evaluate());
        let eval = match entry {
            Some(e) if !is_decisive(e.score) && agrees(&e, raw) => e.score,
            _ => raw,
        };
        (Some(raw), eval)
    }

    /// Prunes the whole node, if its evaluation lies far enough from the window.
    fn prune_node(&mut self, node: Outlook) -> Option<Score> {
        let Outlook { alpha, beta, .. } = node;
        let pruning = self.shared.temper.pruning;
        if pruning >= Pruning::Medium && prune::razors(node) {
            let score = self.quiescence::<false>(alpha, beta);
            if score <= alpha {
                return Some(score);
            }
        }
        if pruning >= Pruning::Medium
            && let Some(score) = prune::reverse_futility(node)
        {
            return Some(score);
        }
        let side = self.game.position().side_to_move();
        if pruning >= Pruning::Small
            && prune::allows_null_move(node)
            && self.game.last_change().is_some()
            && self.game.position().has_major(side)
        {
            let reduced = node.depth - prune::null_move_reduction(node);
            self.make_null();
            let score = -self.node::<false>(-beta, -beta + 1, reduced, false);
            self.unmake_null();
            if score >= beta && !is_win(score) {
                return Some(score);
            }
        }
        None
    }

    /// Rewards the move that cut off and punishes those tried before it.
    fn learn(
        &mut self,
        best: Move,
        depth: i32,
        before: &[PieceTo; 3],
        quiets: &[Move],
        captures: &[Move],
    ) {
        let ply = self.ply();
        let bonus = (P.history_factor() * depth - P.history_base()).min(P.history_limit());
        let side = self.game.position().side_to_move();
        if self.game.position().piece_on(best.to()).is_none() {
            let killers = &mut self.stack.at(ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let moved = self.piece_to(best);
            self.histories
                .update_quiet(side, best, moved, before, bonus);
            for &mv in quiets {
                let moved = self.piece_to(mv);
                self.histories.update_quiet(side, mv, moved, before, -bonus);
            }
        } else {
            self.learn_capture(best, bonus);
        }
        for &mv in captures {
            self.learn_capture(mv, -bonus);
        }
    }

    fn learn_capture(&mut self, mv: Move, bonus: i32) {
        let position = self.game.position();
        if let (Some(piece), Some(victim)) =
            (position.piece_on(mv.from()), position.piece_on(mv.to()))
        {
            self.histories
                .update_capture(piece, mv.to(), victim.kind, bonus);
        }
    }
}

/// The line has become too long to follow: the static evaluation must do.
pub(super) fn draw_by_ply_limit(worker: &mut Worker<'_>) -> Score {
    if worker.game.in_check() {
        DRAW
    } else {
        worker.evaluate()
    }
}
