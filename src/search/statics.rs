//! The static evaluation of a node: raw, corrected by what earlier searches have
//! shown, improved by the table; and what follows from it before any move.

use super::history::PieceTo;
use super::prune::Outlook;
use super::tt::{TableEntry, UNSEARCHED};
use super::worker::Worker;
use crate::types::score::{EVAL_LIMIT, INFINITE, is_decisive};
use crate::types::{Bound, Score};

/// The static evaluations of a position; in check there are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statics {
    /// As the evaluator gives it: this is what the table keeps.
    pub(super) raw: Option<Score>,
    /// Damped and corrected.
    pub(super) corrected: Option<Score>,
    /// The size of the correction: how unsure the evaluation is.
    pub(super) correction: Score,
    /// The table's score where that is nearer to the truth.
    pub(super) improved: Score,
}

/// Plies without a capture that would make any advantage worthless: an ending in
/// which nothing happens is drawn in the end.
const DAMPING_PLIES: i32 = 253;

impl Worker<'_> {
    /// Evaluates the current position.
    pub(super) fn statics(&mut self, entry: Option<TableEntry>, excluded: bool) -> Statics {
        if self.game.in_check() {
            return Statics {
                raw: None,
                corrected: None,
                correction: 0,
                improved: -INFINITE,
            };
        }
        let known = entry.and_then(|entry| entry.eval);
        let raw = known.unwrap_or_else(|| self.evaluate());
        if entry.is_none() && !excluded {
            let key = self.table_key();
            self.store(key, 0, None, raw, Some(raw), Bound::Upper, UNSEARCHED);
        }
        let position = self.game.position();
        let damped = raw - raw * i32::from(position.plies_since_capture()) / DAMPING_PLIES;
        let correction = self.histories.corrections.of(position, self.last_moves());
        let corrected = (damped + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        let improved = match entry {
            Some(entry) if agrees(&entry, corrected) => entry.score,
            _ => corrected,
        };
        Statics {
            raw: Some(raw),
            corrected: Some(corrected),
            correction: correction.abs(),
            improved,
        }
    }

    /// The last two moves of the line.
    pub(super) fn last_moves(&self) -> [PieceTo; 2] {
        let ply = self.ply();
        [1, 2].map(|back| self.stack.before(ply, back).moved)
    }

    /// What the parent's reduction looks like now: a node that was reduced much
    /// and turns out not to be lost for the side to move is searched deeper, one
    /// whose parent's move only cost it something shallower.
    pub(super) fn hindsight(&mut self, statics: &Statics, outlook: &Outlook) -> i32 {
        let ply = self.ply();
        let parent = self.stack.before(ply, 1);
        let (Some(here), Some(there)) = (statics.corrected, parent.eval) else {
            return 0;
        };
        if parent.reduction >= 3 && !outlook.worsening {
            1
        } else if parent.reduction >= 2
            && outlook.depth >= 2
            && here + there > self.shared.params.hindsight_margin()
        {
            -1
        } else {
            0
        }
    }
}

/// Whether a stored score is a better guess than the static evaluation.
pub(super) fn agrees(entry: &TableEntry, eval: Score) -> bool {
    entry.depth > UNSEARCHED
        && !is_decisive(entry.score)
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score > eval,
            Bound::Upper => entry.score < eval,
        }
}
