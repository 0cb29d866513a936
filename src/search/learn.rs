//! What the search learns from a finished node: histories of the moves tried,
//! and how far the static evaluation was off.

use super::history::Context;
use super::node::Tried;
use super::worker::Worker;
use crate::types::score::is_decisive;
use crate::types::{Bound, Move, Score};

impl Worker<'_> {
    /// The reward for a move that was good at this depth.
    fn bonus(&self, depth: i32) -> i32 {
        let p = &self.shared.params;
        (p.history_factor() * depth - p.history_base()).min(p.history_limit())
    }

    /// The punishment of moves tried in vain.
    fn malus(&self, depth: i32) -> i32 {
        let p = &self.shared.params;
        (p.malus_factor() * depth - p.malus_base()).min(p.malus_limit())
    }

    /// A move has cut off: rewards it and punishes those tried before it.
    pub(super) fn learn_cut(
        &mut self,
        best: Move,
        context: &Context,
        depth: i32,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let (bonus, malus) = (self.bonus(depth), self.malus(depth));
        if self.game.position().piece_on(best.to()).is_none() {
            let moved = self.piece_to(best);
            self.histories.update_quiet(context, best, moved, bonus);
            let mut malus = malus;
            for &mv in quiets {
                let moved = self.piece_to(mv);
                self.histories.update_quiet(context, mv, moved, -malus);
                malus -= malus / 20;
            }
        } else {
            self.learn_capture(best, bonus);
        }
        for &mv in captures {
            self.learn_capture(mv, -malus);
        }
        self.learn_refutation(depth);
    }

    /// The parent's early quiet move was refuted.
    fn learn_refutation(&mut self, depth: i32) {
        let ply = self.ply();
        let parent = self.stack.before(ply, 1);
        if ply > 0 && parent.number <= 2 && parent.quiet.is_some() {
            self.learn_parent(-self.malus(depth) * 3 / 5);
        }
    }

    /// The evaluations before and after the parent's quiet move say what it was
    /// worth, before anything is searched.
    pub(super) fn learn_swing(&mut self, here: Score) {
        let ply = self.ply();
        let parent = self.stack.before(ply, 1);
        if let (true, Some(slot), Some(mv), Some(there)) =
            (ply > 0, parent.quiet, parent.mv, parent.eval)
        {
            let gain = (-(here + there)).clamp(-80, 135) + 24;
            self.histories.update_main(slot, mv, 18 * gain);
        }
    }

    /// A move of the table has cut off without a search.
    pub(super) fn learn_table_cut(&mut self, table_move: Option<Move>, depth: i32) {
        self.learn_refutation(depth);
        let Some(mv) = table_move else { return };
        if self.game.position().piece_on(mv.to()).is_none() {
            let bonus = self.bonus(depth);
            let moved = self.piece_to(mv);
            let before = self.stack.moves_before(self.ply());
            self.histories.update_continuation(moved, &before, bonus);
        }
    }

    /// Nothing was good enough here: the parent's quiet move was good.
    pub(super) fn learn_fail_low(&mut self, depth: i32) {
        let ply = self.ply();
        if ply > 0 && self.stack.before(ply, 1).quiet.is_some() {
            self.learn_parent(self.bonus(depth) * 3 / 4);
        }
    }

    /// Rewards or punishes the quiet move that led here, as an answer.
    fn learn_parent(&mut self, bonus: i32) {
        let ply = self.ply();
        let moved = self.stack.before(ply, 1).moved;
        let before = self.stack.moves_before(ply - 1);
        self.histories.update_continuation(moved, &before, bonus);
    }

    /// A reduced quiet move, made from this ply, was searched again and held or
    /// did not.
    pub(super) fn learn_surprise(&mut self, ply: usize, held: bool, depth: i32) {
        let bonus = if held {
            self.bonus(depth)
        } else {
            -self.malus(depth) / 2
        };
        let moved = self.stack.at(ply).moved;
        let before = self.stack.moves_before(ply);
        self.histories.update_continuation(moved, &before, bonus);
    }

    /// Learns how far the static evaluation was off, where the search says so.
    pub(super) fn learn_correction(
        &mut self,
        best_move: Option<Move>,
        best: Score,
        bound: Bound,
        depth: i32,
    ) {
        let ply = self.ply();
        let Some(eval) = self.stack.at(ply).eval else {
            return;
        };
        let position = self.game.position();
        let tactical = best_move.is_some_and(|mv| position.piece_on(mv.to()).is_some());
        let says_nothing = match bound {
            Bound::Lower => best <= eval,
            Bound::Upper => best >= eval,
            Bound::Exact => false,
        };
        if tactical || says_nothing || is_decisive(best) {
            return;
        }
        let last = self.last_moves();
        self.histories
            .corrections
            .learn(position, last, best - eval, depth);
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

    /// What histories say about a capture.
    pub(super) fn capture_history(&self, mv: Move) -> i32 {
        let position = self.game.position();
        match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
            (Some(piece), Some(victim)) => self.histories.capture(piece, mv.to(), victim.kind),
            _ => 0,
        }
    }
}
