//! The alpha-beta node: principal variation search, fail soft.
//!
//! Order of work: rules and limits, table, static evaluation, pruning of the
//! whole node, then the move loop with pruning, extensions, reductions and
//! re-searches. What each step decides by is in `cut`, `prune`, `extend` and
//! `reduce`; what it remembers in `learn`.

use super::extend::Singular;
use super::history::{Context, Histories, Slot};
use super::picker::{Mode, Picker};
use super::prune::{self, Outlook};
use super::reduce::{self, Features};
use super::root::bound;
use super::temper::Pruning;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::types::score::{DRAW, INFINITE, MAX_PLY, is_decisive, is_loss, mate_in, mated_in};
use crate::types::{Bound, Move, Score};
use arrayvec::ArrayVec;

/// No table cut-offs this near to the natural limit: the stored score does not
/// know how near it is.
pub(super) const CUT_OFF_PLY_LIMIT: u16 = 112;

/// How far from the root repetitions are exempt from pruning.
const REPETITION_PLIES: usize = 6;

/// Moves remembered for a malus.
pub(super) type Tried = ArrayVec<Move, 32>;

/// What a node knows when its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) outlook: Outlook,
    pub(super) entry: Option<TableEntry>,
    /// The table's move, tested.
    pub(super) table_move: Option<Move>,
    pub(super) table_move_captures: bool,
    pub(super) in_check: bool,
    /// Whether repetitions count: near the root a move that closes a cycle may
    /// decide the game by rule, so it must not be pruned as one of many.
    minds_repetition: bool,
}

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
        let excluded = self.stack.at(ply).excluded;
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

        let key = self.table_key();
        let entry = self.shared.table.probe(key, ply);
        let table_move = entry
            .and_then(|e| e.best)
            .filter(|&mv| self.game.position().is_legal(mv, self.game.legality()));
        if let Some(entry) = entry
            && !PV
            && excluded.is_none()
            && ruling.is_none()
            && entry.depth > depth - i32::from(entry.score < beta)
            && entry.cuts(beta)
            && (cut_node == (entry.score >= beta) || depth > 5)
            && self.game.position().plies_since_capture() < CUT_OFF_PLY_LIMIT
        {
            if entry.score >= beta {
                self.learn_table_cut(table_move, depth);
            }
            return entry.score;
        }

        let was_pv = match excluded {
            Some(_) => self.stack.at(ply).was_pv,
            None => PV || entry.is_some_and(|e| e.was_pv),
        };
        let statics = self.statics(entry, excluded.is_some());
        let outlook = {
            let frame = self.stack.at(ply);
            frame.eval = statics.corrected;
            frame.was_pv = was_pv;
            self.stack.at(ply + 2).cut_offs = 0;
            let eval = statics.corrected;
            let improving = eval.is_some_and(|eval| self.stack.is_improving(ply, eval));
            let worsening = eval.is_some_and(|eval| self.stack.is_opponent_worsening(ply, eval));
            Outlook {
                alpha,
                beta,
                depth,
                eval: statics.improved,
                correction: statics.correction,
                improving,
                worsening,
                was_pv,
                cut_node,
                table_hit: entry.is_some(),
            }
        };
        if let (Some(eval), None) = (statics.corrected, excluded) {
            self.learn_swing(eval);
            depth += self.hindsight(&statics, &outlook);
        }

        let in_check = self.game.in_check();
        let table_move_captures =
            table_move.is_some_and(|mv| self.game.position().piece_on(mv.to()).is_some());
        let mut node = Node {
            outlook: Outlook { depth, ..outlook },
            entry,
            table_move,
            table_move_captures,
            in_check,
            minds_repetition: ply < REPETITION_PLIES,
        };
        if !PV && excluded.is_none() && !is_decisive(beta) {
            let pruned = self.cut(&node);
            if self.is_stopped() {
                return 0;
            }
            if let Some(score) = pruned {
                return score;
            }
        }

        // Internal iterative reduction: without a table move the order is poor.
        if depth >= self.shared.params.iir_limit() && table_move.is_none() && (PV || cut_node) {
            depth -= 1;
            node.outlook.depth = depth;
        }

        let context = Context::new(self.game.position(), self.stack.moves_before(ply));
        let mut picker = Picker::new(Mode::All, &self.game, table_move);
        if node.minds_repetition {
            picker.put_repetitions_first();
        }
        let mut found = Found::NOTHING;
        let mut number = 0;
        let old_alpha = alpha;

        while let Some(mv) = picker.next(&self.game, self.histories, Some(&context)) {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            node.outlook.alpha = alpha;
            let candidate = self.candidate(&node, &context, mv, number);
            if self.prunes_move(&node, &candidate, found.best, &mut picker) {
                continue;
            }
            let mut new_depth = node.outlook.depth - 1;
            if Some(mv) == table_move && excluded.is_none() {
                match self.singular::<PV>(&node, mv) {
                    Singular::Extend(plies) => new_depth += plies,
                    Singular::Cut(score) => return score,
                }
                if self.is_stopped() {
                    return 0;
                }
            }

            let score =
                self.search_move::<PV>(&node, &candidate, new_depth, alpha, beta, found.best);
            if self.must_stop() {
                return 0;
            }
            if score > found.best {
                found.best = score;
                if score > alpha {
                    found.best_move = Some(mv);
                    if PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.stack.at(ply).cut_offs += 1;
                        break;
                    }
                    alpha = score;
                    // Having found one, the others need less depth to be refuted.
                    if (3..12).contains(&node.outlook.depth) && !is_decisive(score) {
                        node.outlook.depth -= self.shared.params.alpha_raised();
                    }
                }
            }
            if found.best_move != Some(mv) {
                found.note(mv, candidate.quiet.is_some());
            }
        }

        if number == 0 {
            // No legal move loses, in check or not.
            return match excluded {
                Some(_) => alpha,
                None => mated_in(ply),
            };
        }
        let bound = bound(found.best, old_alpha, beta);
        node.outlook.depth = depth;
        let best = self.conclude(&node, &context, &found, bound, beta);
        if excluded.is_none() && ruling.is_none() {
            self.learn_correction(found.best_move, best, bound, depth);
            let parent_was_pv = self.stack.before(ply, 1).was_pv;
            let entry = TableEntry {
                best: found.best_move,
                score: best,
                eval: statics.raw,
                bound,
                depth,
                was_pv: was_pv || (bound == Bound::Upper && parent_was_pv && depth > 3),
            };
            self.shared.table.store(key, ply, entry);
        }
        best
    }

    /// Learns from a node that has been searched; returns its score.
    fn conclude(
        &mut self,
        node: &Node,
        context: &Context,
        found: &Found,
        bound: Bound,
        beta: Score,
    ) -> Score {
        let depth = node.outlook.depth;
        match (bound, found.best_move) {
            (Bound::Lower, Some(mv)) => {
                self.learn_cut(mv, context, depth, &found.quiets, &found.captures);
                if !is_decisive(found.best) && !is_decisive(beta) {
                    // What lies above beta is uncertain, the less the deeper.
                    return (found.best * depth + beta) / (depth + 1);
                }
            }
            (Bound::Upper, _) => self.learn_fail_low(depth),
            _ => {}
        }
        found.best
    }

    /// What decides how a move is searched, before it is made.
    fn candidate(&self, node: &Node, context: &Context, mv: Move, number: usize) -> Candidate {
        let position = self.game.position();
        let is_quiet = position.piece_on(mv.to()).is_none();
        let moved = self.piece_to(mv);
        let gives_check = position.gives_check_by(mv, &context.checks);
        let histories: &Histories = self.histories;
        let (history, as_answer) = if is_quiet {
            (
                histories.quiet(context, mv, moved),
                histories.as_answer(context, moved),
            )
        } else {
            (self.capture_history(mv), 0)
        };
        let repeats = node.minds_repetition && is_quiet && self.game.may_repeat_by(mv);
        let outlook = &node.outlook;
        let reduction = reduce::reduction(
            &self.shared.params,
            Features {
                depth: outlook.depth,
                number,
                is_quiet,
                is_table_move: Some(mv) == node.table_move,
                cut_node: outlook.cut_node,
                was_pv: outlook.was_pv,
                table_above: node.entry.is_some_and(|entry| entry.score > outlook.alpha),
                table_deep: node.entry.is_some_and(|entry| entry.depth >= outlook.depth),
                improving: outlook.improving,
                in_checks: node.in_check || gives_check,
                no_table_move: node.table_move.is_none(),
                table_move_captures: node.table_move_captures,
                cut_offs: self.stack.cut_offs(self.ply() + 1),
                correction: outlook.correction,
                history,
            },
        );
        Candidate {
            mv,
            number,
            quiet: is_quiet.then(|| context.slot(mv)),
            gives_check,
            history,
            as_answer,
            repeats,
            reduction,
        }
    }

    /// Whether the move, not yet made, is not worth searching. May end the quiet
    /// moves of the picker.
    fn prunes_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        best: Score,
        picker: &mut Picker,
    ) -> bool {
        let position = self.game.position();
        let outlook = &node.outlook;
        if is_loss(best)
            || candidate.repeats
            || self.shared.temper.pruning < Pruning::Full
            || !position.has_major(position.side_to_move())
        {
            return false;
        }
        let p = &self.shared.params;
        let depth = outlook.depth;
        let Candidate {
            mv, gives_check, ..
        } = *candidate;
        let reduced_depth = (depth - 1 - candidate.reduction.max(0) / 1024).max(0);
        if candidate.quiet.is_none() {
            return (!node.in_check
                && !gives_check
                && prune::is_futile_capture(
                    p,
                    outlook,
                    reduced_depth,
                    self.victim_value(mv),
                    candidate.history,
                ))
                || !position
                    .see_at_least(mv, prune::capture_loss_allowed(p, depth, candidate.history));
        }
        if candidate.number > prune::move_count_limit(p, depth, outlook.improving) && !gives_check {
            picker.skip_quiets_but_checks();
            return true;
        }
        if !node.in_check
            && !gives_check
            && prune::is_futile(p, outlook, reduced_depth, candidate.history)
        {
            picker.skip_quiets();
            return true;
        }
        if !gives_check && prune::has_bad_history(p, candidate.as_answer, depth) {
            return true;
        }
        let loss_allowed = if gives_check {
            prune::capture_loss_allowed(p, depth, 0)
        } else {
            prune::quiet_loss_allowed(p, reduced_depth)
        };
        !node.in_check && !position.see_at_least(mv, loss_allowed)
    }

    /// Makes the move, searches it (late moves shallower first, all but the first
    /// with a null window) and takes it back.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: i32,
        alpha: Score,
        beta: Score,
        best: Score,
    ) -> Score {
        let ply = self.ply();
        let outlook = &node.outlook;
        let frame = self.stack.at(ply);
        frame.number = candidate.number;
        frame.quiet = candidate.quiet;
        self.make(candidate.mv);
        let mut score = -INFINITE;
        if outlook.depth >= 2 && candidate.number > 1 {
            let r = if candidate.repeats {
                0
            } else {
                candidate.reduction / 1024
            };
            // Near the principal variation a promising move may get a ply more.
            let most = new_depth.max(1) + i32::from(outlook.was_pv);
            let reduced = (new_depth - r).clamp(1, most);
            self.stack.at(ply).reduction = (new_depth - reduced).max(0);
            score = -self.node::<false>(-alpha - 1, -alpha, reduced, true);
            self.stack.at(ply).reduction = 0;
            if score > alpha && reduced < new_depth {
                // Surprisingly good: a little deeper; hardly better: shallower.
                let p = &self.shared.params;
                let known = best > -INFINITE;
                new_depth += i32::from(known && score > best + p.deeper_margin());
                new_depth -= i32::from(known && score < best + p.shallower_margin());
                if reduced < new_depth {
                    score = -self.node::<false>(-alpha - 1, -alpha, new_depth, !outlook.cut_node);
                }
                if candidate.quiet.is_some() && !self.is_stopped() {
                    self.learn_surprise(ply, score > alpha, outlook.depth);
                }
            }
        } else if !PV || candidate.number > 1 {
            score = -self.node::<false>(-alpha - 1, -alpha, new_depth, !outlook.cut_node);
        }
        if PV && (candidate.number == 1 || score > alpha) {
            // The table's move is not dropped into quiescence on the main line.
            let least = i32::from(Some(candidate.mv) == node.table_move && outlook.depth > 1);
            score = -self.node::<true>(-beta, -alpha, new_depth.max(least), false);
        }
        self.unmake();
        score
    }
}

/// What the moves of a node have come to.
#[derive(Debug)]
struct Found {
    best: Score,
    /// The move that has raised alpha.
    best_move: Option<Move>,
    /// Moves tried in vain.
    quiets: Tried,
    captures: Tried,
}

impl Found {
    const NOTHING: Self = Self {
        best: -INFINITE,
        best_move: None,
        quiets: Tried::new_const(),
        captures: Tried::new_const(),
    };

    /// Remembers a move tried in vain.
    fn note(&mut self, mv: Move, is_quiet: bool) {
        let tried = if is_quiet {
            &mut self.quiets
        } else {
            &mut self.captures
        };
        let _ = tried.try_push(mv); // beyond 32 they are forgotten
    }
}

/// A move about to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its number, from 1.
    number: usize,
    /// Where the history of a quiet move is; captures have none.
    quiet: Option<Slot>,
    gives_check: bool,
    /// What histories say about it.
    history: i32,
    /// What they say about a quiet move as an answer to the last ones.
    as_answer: i32,
    /// Whether it may close a cycle that matters.
    repeats: bool,
    /// By how much it would be searched shallower, in 1/1024 ply.
    reduction: i32,
}

/// The line has become too long to follow: the static evaluation must do.
pub(super) fn draw_by_ply_limit(worker: &mut Worker<'_>) -> Score {
    if worker.game.in_check() {
        DRAW
    } else {
        worker.evaluate()
    }
}
