//! From the history of a game to its result by rule.

use super::{Game, repetition};

/// A game without a capture for this many plies is drawn (自然限着, 60 rounds).
pub const NATURAL_LIMIT_PLIES: u16 = 120;

/// What the rules say about a position that is not mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody wins.
    Draw,
    /// The side to move wins: its opponent has broken a rule.
    Win,
    /// The side to move has broken a rule and loses.
    Loss,
}

impl Game {
    /// What the repetition rule or the natural limit says about the current
    /// position, if anything.
    ///
    /// A repetition counts at the third occurrence, and already at the second if
    /// the first lies after `root_plies` plies of the game, that is, inside the
    /// search. Then a draw, unless exactly one side gave check with every ply of
    /// the cycle: it loses.
    pub fn verdict(&self, root_plies: usize) -> Option<Verdict> {
        // A cycle takes four plies without a capture.
        if self.position().plies_since_capture() >= 4
            && let Some(cycle) = repetition::find(self)
            && (cycle.occurrences >= 2 || cycle.length < self.ply_count() - root_plies)
        {
            // Index 1: the side that has just moved.
            return Some(match repetition::checks_always(self, cycle) {
                [false, true] => Verdict::Win,
                [true, false] => Verdict::Loss,
                _ => Verdict::Draw,
            });
        }
        let limit_reached = self.position().plies_since_capture() >= NATURAL_LIMIT_PLIES;
        (limit_reached && self.position().has_legal_move(self.legality())).then_some(Verdict::Draw)
    }
}
