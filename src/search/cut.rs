//! Pruning of whole nodes: razoring, reverse futility, null move, ProbCut. The
//! pure decisions are in `prune`.

use super::node::Node;
use super::picker::{Mode, Picker};
use super::prune;
use super::temper::Pruning;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::types::score::{is_decisive, is_win};
use crate::types::{Bound, Score};

impl Worker<'_> {
    /// The score of the node, if it need not be searched move by move. The
    /// window is closed and its bound not decisive.
    pub(super) fn cut(&mut self, node: &Node) -> Option<Score> {
        let pruning = self.shared.temper.pruning;
        if pruning == Pruning::None {
            return None;
        }
        if !node.in_check {
            if pruning >= Pruning::Medium
                && let Some(score) = self.cut_by_evaluation(node)
            {
                return Some(score);
            }
            if let Some(score) = self.cut_by_null_move(node) {
                return Some(score);
            }
            if pruning >= Pruning::Medium
                && let Some(score) = self.cut_by_capture(node)
            {
                return Some(score);
            }
        }
        // Small ProbCut: the table has nearly as deep a search that far above.
        let margin = self.shared.params.small_probcut_margin();
        node.entry.and_then(|entry| {
            let outlook = &node.outlook;
            let bound = outlook.beta + margin;
            let holds = pruning >= Pruning::Medium
                && entry.bound != Bound::Upper
                && entry.depth >= outlook.depth - 4
                && entry.score >= bound
                && !is_decisive(entry.score);
            holds.then_some(bound)
        })
    }

    /// Razoring and reverse futility.
    fn cut_by_evaluation(&mut self, node: &Node) -> Option<Score> {
        let p = &self.shared.params;
        let outlook = &node.outlook;
        let quiet_table_move = node.table_move.is_some() && !node.table_move_captures;
        if !quiet_table_move && prune::razors(p, outlook) {
            let score = self.quiescence::<false>(outlook.alpha, outlook.beta);
            if score <= outlook.alpha || self.is_stopped() {
                return Some(score);
            }
        }
        if quiet_table_move {
            return None;
        }
        prune::reverse_futility(&self.shared.params, outlook)
    }

    /// Null move (Chess Programming Wiki, "Null Move Pruning").
    fn cut_by_null_move(&mut self, node: &Node) -> Option<Score> {
        let p = &self.shared.params;
        let outlook = &node.outlook;
        let side = self.game.position().side_to_move();
        if !prune::allows_null_move(p, outlook)
            || self.game.last_change().is_none()
            || !self.game.position().has_major(side)
        {
            return None;
        }
        let reduced = outlook.depth - prune::null_move_reduction(p, outlook);
        self.make_null();
        let score = -self.node::<false>(-outlook.beta, -outlook.beta + 1, reduced, false);
        self.unmake_null();
        (score >= outlook.beta && !is_win(score)).then_some(score)
    }

    /// ProbCut: a capture that beats a raised beta at reduced depth will beat
    /// beta (Buro 1995).
    fn cut_by_capture(&mut self, node: &Node) -> Option<Score> {
        let p = &self.shared.params;
        let outlook = &node.outlook;
        let depth = outlook.depth;
        let bound = outlook.beta + p.probcut_margin()
            - p.probcut_improving() * i32::from(outlook.improving);
        let table_says_no = node
            .entry
            .is_some_and(|entry| entry.depth >= depth - 3 && entry.score < bound);
        if depth < p.probcut_limit() || is_decisive(bound) || table_says_no {
            return None;
        }
        let ply = self.ply();
        let threshold = bound - self.stack.at(ply).eval.unwrap_or(outlook.eval);
        let key = self.table_key();
        let mut picker = Picker::new(Mode::GoodCaptures, &self.game, node.table_move);
        while let Some(mv) = picker.next(&self.game, self.histories, None) {
            if !self.game.position().see_at_least(mv, threshold) {
                continue;
            }
            let frame = self.stack.at(ply);
            frame.quiet = None;
            frame.number = 1;
            self.make(mv);
            let mut score = -self.quiescence::<false>(-bound, -bound + 1);
            let reduced = depth - 4;
            if score >= bound && reduced > 0 {
                score = -self.node::<false>(-bound, -bound + 1, reduced, !outlook.cut_node);
            }
            self.unmake();
            if self.is_stopped() {
                return None;
            }
            if score >= bound {
                let entry = TableEntry {
                    best: Some(mv),
                    score,
                    eval: node.entry.and_then(|entry| entry.eval),
                    bound: Bound::Lower,
                    depth: depth - 3,
                    was_pv: outlook.was_pv,
                };
                self.shared.table.store(key, ply, entry);
                return Some(if is_decisive(score) {
                    score
                } else {
                    score - (bound - outlook.beta)
                });
            }
        }
        None
    }
}
