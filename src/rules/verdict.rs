//! The ruling on a repetition, and the verdict that the search asks for.

use super::repetition::{self, Repetition};
use super::{Class, Game, RuleSet, class, limit, sky};
use crate::types::Color;
use std::cmp::Ordering;

/// Who wins by the rules, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nobody.
    Draw,
    /// The side to move: its opponent has broken a rule.
    Win,
    /// Its opponent: the side to move has broken a rule.
    Loss,
}

/// How far a verdict can be relied upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The game is over on the board: the position has occurred as often as the
    /// rules demand, or a limit is reached.
    Final,
    /// The position has occurred only twice, both times inside the search, but
    /// no earlier cycle crosses this one and no limit is near: played on, it comes
    /// round again as it is.
    Settled,
    /// The position has occurred twice inside the search, and that is all that can
    /// be said. A draw may be scored at once; the offender of a win or loss may
    /// still vary.
    Twofold,
}

/// What the rules say about a position that is not mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// How sure that is.
    pub basis: Basis,
}

/// What a repetition means, the same for the search and the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    /// The side that has broken a rule; `None` for a draw.
    pub(super) offender: Option<Color>,
    /// Whether the position has occurred often enough.
    pub(super) is_due: bool,
    /// What each side did, Red first; the platform's rule has no classes.
    pub(super) classes: Option<[Class; 2]>,
}

/// The side of the heavier class (section 4.2 of the specification).
fn offender(classes: [Class; 2]) -> Option<Color> {
    match classes[0].cmp(&classes[1]) {
        Ordering::Less => Some(Color::Black),
        Ordering::Equal => None,
        Ordering::Greater => Some(Color::Red),
    }
}

/// Judges the repetition of the current position.
///
/// The cycle judged is the shortest one. Where the game has come back by
/// different ways, the whole stretch between the occurrences that count must show
/// the same offender, otherwise it is a draw (section 9, decision 8). The computer
/// rule judges that stretch and nothing else.
pub(super) fn rule(game: &Game, found: &Repetition) -> Ruling {
    if game.rules().set == RuleSet::Sky {
        let (offender, is_due) = sky::rule(game, found);
        return Ruling {
            offender,
            is_due,
            classes: None,
        };
    }
    let is_due = found.occurrences >= game.rules().fold();
    let whole = || class::classes(game, found.span);
    if game.rules().set == RuleSet::Computer {
        let classes = whole();
        return Ruling {
            offender: offender(classes),
            is_due,
            classes: Some(classes),
        };
    }
    let classes = class::classes(game, found.shortest);
    let culprit = offender(classes);
    let agrees =
        culprit.is_none() || repetition::is_periodic(game, found) || offender(whole()) == culprit;
    Ruling {
        offender: culprit.filter(|_| agrees),
        is_due,
        classes: Some(classes),
    }
}

impl Game {
    /// What the rules say about the current position, if anything.
    ///
    /// A repetition is judged when the position has occurred as often as the rules
    /// demand, and already at the second occurrence if the first lies after
    /// `root_plies` plies of the game, that is, inside the search. A ruling that
    /// ends the game comes before the limits, these before a mere second
    /// occurrence. A position without a legal move is not recognised here: mate
    /// and stalemate come first.
    #[inline]
    pub fn verdict(&self, root_plies: usize) -> Option<Verdict> {
        if self.may_be_repetition()
            && let Some(found) = repetition::find(self)
        {
            return self.verdict_on(&found, root_plies);
        }
        if limit::reached(self, None).is_some() {
            return Some(DRAWN);
        }
        if self.rules().set == RuleSet::Sky
            && self.reach() >= sky::SHORTEST_ROW
            && let Some(offender) = sky::offender(self)
        {
            let outcome = self.outcome_against(offender);
            let basis = Basis::Final;
            return Some(Verdict { outcome, basis });
        }
        None
    }

    fn outcome_against(&self, offender: Color) -> Outcome {
        if offender == self.position().side_to_move() {
            Outcome::Loss
        } else {
            Outcome::Win
        }
    }

    fn verdict_on(&self, found: &Repetition, root_plies: usize) -> Option<Verdict> {
        let rules = self.rules();
        let may_be_due = rules.set == RuleSet::Sky || found.occurrences >= rules.fold();
        let is_inside = found.shortest + root_plies < self.ply_count();
        let ruling = (may_be_due || is_inside).then(|| rule(self, found));
        let basis = match ruling {
            Some(ruling) if ruling.is_due => Basis::Final,
            _ if limit::reached(self, None).is_some() => return Some(DRAWN),
            _ if !is_inside => return None,
            _ if repetition::is_settled(self, found.shortest) => Basis::Settled,
            _ => Basis::Twofold,
        };
        let outcome = match ruling?.offender {
            None => Outcome::Draw,
            Some(side) => self.outcome_against(side),
        };
        Some(Verdict { outcome, basis })
    }
}

/// A limit is reached.
const DRAWN: Verdict = Verdict {
    outcome: Outcome::Draw,
    basis: Basis::Final,
};
