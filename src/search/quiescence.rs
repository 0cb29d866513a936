//! Quiescence: captures (in check all evasions) until the position is quiet
//! enough for the static evaluation.

use super::history::Context;
use super::node::draw_by_ply_limit;
use super::picker::{Mode, Picker};
use super::tt::{TableEntry, UNSEARCHED};
use super::worker::Worker;
use crate::types::score::{INFINITE, MAX_PLY, is_decisive, is_loss, mated_in};
use crate::types::{Bound, Move, Score};

impl Worker<'_> {
    /// The score of the current position when only captures and evasions are
    /// still played. Fail soft.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
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

        let p = &self.shared.params;
        let key = self.table_key();
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && !PV
            && ruling.is_none()
            && entry.depth > UNSEARCHED
            && entry.cuts(beta)
        {
            return entry.score;
        }

        // Standing pat: the side to move need not capture.
        let in_check = self.game.in_check();
        let statics = self.statics(entry, false);
        self.stack.at(ply).eval = statics.corrected;
        let mut best = -INFINITE;
        if !in_check {
            best = statics.improved;
            if best >= beta {
                return if is_decisive(best) {
                    best
                } else {
                    (best + beta) / 2
                };
            }
            alpha = alpha.max(best);
        }
        let futile_base = best + p.qs_margin();
        let recapture = self
            .game
            .last_change()
            .filter(|c| c.captured.is_some())
            .map(|c| c.to);

        let table_move = entry.and_then(|e| e.best);
        let mode = if in_check {
            Mode::All
        } else {
            Mode::GoodCaptures
        };
        let context =
            in_check.then(|| Context::new(self.game.position(), self.stack.moves_before(ply)));
        let mut picker = Picker::new(mode, &self.game, table_move);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(&self.game, self.histories, context.as_ref()) {
            let position = self.game.position();
            let victim = position.piece_on(mv.to());
            if !is_loss(best) {
                if in_check && victim.is_none() {
                    // One quiet evasion that does not lose is enough.
                    picker.skip_quiets();
                    if tried > 0 {
                        continue;
                    }
                } else if !in_check && recapture != Some(mv.to()) {
                    let gain = self.victim_value(mv);
                    if futile_base + gain <= alpha && !position.gives_check(mv) {
                        best = best.max(futile_base + gain);
                        continue;
                    }
                    if tried >= 3 {
                        break;
                    }
                }
                if !in_check && !position.see_at_least(mv, -p.qs_see_margin()) {
                    continue;
                }
            }
            tried += 1;
            let frame = self.stack.at(ply);
            frame.quiet = None;
            frame.number = tried;
            self.make(mv);
            let score = -self.quiescence::<PV>(-beta, -alpha);
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
        }

        // Having no legal move loses, in check or not. Where nothing was tried
        // the question is still open.
        if tried == 0 && !self.game.position().has_legal_move(self.game.legality()) {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        if ruling.is_none() {
            self.store(key, ply, best_move, best, statics.raw, bound, 0);
        }
        best
    }

    /// Stores a result in the table.
    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of an entry, once more"
    )]
    pub(super) fn store(
        &self,
        key: u64,
        ply: usize,
        best: Option<Move>,
        score: Score,
        eval: Option<Score>,
        bound: Bound,
        depth: i32,
    ) {
        let entry = TableEntry {
            best,
            score,
            eval,
            bound,
            depth,
            was_pv: false,
        };
        self.shared.table.store(key, ply, entry);
    }
}
