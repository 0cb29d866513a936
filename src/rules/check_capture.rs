//! Threats by checks: mate (杀), or the win of a man (抽吃, 一将一要抽吃).
//!
//! Section 3, items 2 and 5, and section 5, item 7, of the specification; article
//! 28(1) of the modern rules. To win a man the attacker gives one check or more,
//! whatever the answers, and then makes a capture that is an effective attack in
//! the sense of `chase`. An answer that takes something parries the threat: what
//! is won by checks must be won for nothing.
//!
//! To win a man is to win material, and only the modern rules say what that is:
//! their definition serves all rule sets.

use super::chase::Scene;
use super::kill::CheckSearch;
use super::rule_set::{RuleSet, Rules};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Square};

/// What a side threatens to do by checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckThreat {
    /// To mate, with this check first.
    Mate(Move),
    /// To win a man.
    Capture(CheckCapture),
}

/// A threat to win a man by checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CheckCapture {
    /// The first check.
    pub check: Move,
    /// The man that is won; `None` if it depends on the answers which one.
    pub victim: Option<Square>,
}

/// The move, no check, whose threats are looked for.
pub(super) struct ThreatFinder<'a> {
    before: &'a Position,
    after: &'a Position,
    side: Color,
    rules: Rules,
}

impl<'a> ThreatFinder<'a> {
    /// The move that led from `before` to `after`.
    pub(super) fn new(before: &'a Position, after: &'a Position, rules: Rules) -> Self {
        let set = RuleSet::Cxa;
        Self {
            before,
            after,
            side: before.side_to_move(),
            rules: Rules { set, ..rules },
        }
    }

    /// How many checks the side could give if it moved again.
    pub(super) fn count_checks(&self) -> usize {
        CheckSearch::new(self.after, self.side).count_checks()
    }

    /// The mate that is threatened, new or not.
    pub(super) fn mate(&self) -> Option<Move> {
        CheckSearch::new(self.after, self.side).mate(self.rules.mate_threat_depth)
    }

    /// The heaviest threat.
    pub(super) fn heaviest(&self) -> Option<CheckThreat> {
        // A mate wins every prey: where nothing is won, nothing is threatened.
        let prey = self.prey();
        let check = self.winning_check(self.after, prey)?;
        match self.mate() {
            Some(check) => Some(CheckThreat::Mate(check)),
            None => self.new_capture(prey, check).map(CheckThreat::Capture),
        }
    }

    /// The threat to win a man.
    pub(super) fn capture(&self) -> Option<CheckCapture> {
        let prey = self.prey();
        let check = self.winning_check(self.after, prey)?;
        self.new_capture(prey, check)
    }

    /// The men that are worth winning by checks: not attacked directly, neither
    /// now nor before.
    fn prey(&self) -> Bitboard {
        let now = Scene::new(self.after, self.side, self.rules);
        let earlier = Scene::new(self.before, self.side, self.rules);
        now.material()
            .into_iter()
            .filter(|&man| !now.is_attacked(man) && !earlier.is_attacked(man))
            .collect()
    }

    /// Like every chase, the threat must be new (article 28(2)).
    fn new_capture(&self, prey: Bitboard, check: Move) -> Option<CheckCapture> {
        let all_new = self.winning_check(self.before, prey).is_none();
        let single = prey.into_iter().find_map(|man| {
            let prey = Bitboard::of(man);
            let check = self.winning_check(self.after, prey)?;
            let is_new = all_new || self.winning_check(self.before, prey).is_none();
            let victim = Some(man);
            is_new.then_some(CheckCapture { check, victim })
        });
        let victim = None;
        single.or(all_new.then_some(CheckCapture { check, victim }))
    }

    /// The check by which the side wins some of the prey in the position.
    fn winning_check(&self, position: &Position, prey: Bitboard) -> Option<Move> {
        let mut search = CheckSearch::new(position, self.side);
        winning_check(&mut search, prey, self.rules.mate_threat_depth, self.rules)
    }
}

fn winning_check(
    search: &mut CheckSearch,
    prey: Bitboard,
    checks: u8,
    rules: Rules,
) -> Option<Move> {
    if checks == 0 {
        return None;
    }
    search.find_check(|search| is_lost(search, prey, checks - 1, rules))
}

/// Whether every answer to the check loses some of the prey.
fn is_lost(search: &mut CheckSearch, prey: Bitboard, checks: u8, rules: Rules) -> bool {
    let replies = search.position().legal_moves();
    let takes_something = |mv: &Move| search.position().piece_on(mv.to()).is_some();
    if replies.iter().any(takes_something) {
        return false;
    }
    replies.into_iter().all(|mv| {
        let mut prey = prey;
        if prey.contains(mv.from()) {
            prey ^= Bitboard::of(mv.from()) ^ Bitboard::of(mv.to());
        }
        search.try_move(mv, |search| {
            takes(search.position(), prey, rules)
                || winning_check(search, prey, checks, rules).is_some()
        })
    })
}

/// Whether the side to move has a legal capture that wins some of the prey.
fn takes(position: &Position, prey: Bitboard, rules: Rules) -> bool {
    let side = position.side_to_move();
    let scene = Scene::new(position, side, rules);
    let legality = position.legality();
    (prey & position.men_of(!side)).into_iter().any(|victim| {
        scene.chasers_of(victim).into_iter().any(|attacker| {
            position.is_legal(Move::new(attacker, victim), &legality)
                && scene.is_effective(attacker, victim)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finder<R>(fen: &str, mv: &str, ask: impl Fn(ThreatFinder) -> R) -> R {
        let before = Position::from_fen(fen).expect("a legal position");
        let mut after = before.clone();
        after.make(mv.parse().expect("a move"));
        ask(ThreatFinder::new(&before, &after, Rules::default()))
    }

    fn capture(fen: &str, mv: &str) -> Option<CheckCapture> {
        finder(fen, mv, |finder| finder.capture())
    }

    /// Asian rule book, D97: the rook leaves the cannon's line with check and
    /// takes the horse or the elephant.
    #[test]
    fn a_discovered_check_wins_a_man() {
        let fen = "C1Na5/3Rak3/4bc3/2p6/n5b2/9/1p6r/4B4/4A4/2B1KA3 w";
        let threat = capture(fen, "a9a8").expect("a threat");
        assert_eq!(threat.check.from().to_string(), "d8");
        assert!(threat.victim.is_some());
    }

    /// Two checks and a capture, D98; and only if it was not there before.
    #[test]
    fn the_threat_must_be_new() {
        let fen = "5k3/1n7/9/3P5/P1r5c/2B5R/6P2/4B4/4A4/3AK4 w";
        let victim = capture(fen, "i4h4").and_then(|threat| threat.victim);
        assert_eq!(
            victim.map(|square| square.to_string()).as_deref(),
            Some("b8")
        );
        let there = "5k3/1n7/9/3P5/P1r5c/2B4R1/6P2/4B4/4A4/3AK4 w";
        assert_eq!(capture(there, "e1f2"), None);
    }

    /// What is attacked without checks is chased or not, but is not won by checks.
    #[test]
    fn a_man_under_direct_attack_is_no_prey() {
        let fen = "4k4/9/9/9/9/1n5R1/9/9/9/3K5 w";
        assert_eq!(capture(fen, "d0d1"), None);
    }

    #[test]
    fn a_mate_is_the_heaviest_threat() {
        let fen = "4k4/R8/9/9/9/9/9/9/8R/3K5 w";
        let heaviest = finder(fen, "i1i2", |finder| finder.heaviest());
        assert_eq!(
            heaviest,
            Some(CheckThreat::Mate("i2i9".parse().expect("a move")))
        );
        assert_eq!(finder(fen, "d0d1", |finder| finder.count_checks()), 4);
    }
}
