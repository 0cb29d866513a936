//! What a move chases (捉): the effective attacks that it has made.
//!
//! Section 5 of the specification. The definition of an effective attack is here,
//! with what the rule sets differ in; protection and exchange are in `roots`.

use super::board::Board;
use super::kill::CheckSearch;
use super::roots::Capture;
use super::rule_set::{RuleSet, Rules};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Square};
use arrayvec::ArrayVec;

/// More attacks than a move makes; what does not fit is dropped.
const MAX_ATTACKS: usize = 32;

/// The attacks of one move.
pub(super) type Attacks = ArrayVec<Attack, MAX_ATTACKS>;

/// An attack that a move has made, squares as after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attack {
    /// The man that threatens to take.
    pub(super) attacker: Square,
    /// The man that it threatens.
    pub(super) victim: Square,
    /// How the move made the attack.
    pub(super) manner: Manner,
}

/// How a move makes an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// The man that moved attacks.
    Direct,
    /// A line, a leg or an eye was opened, or a screen put or taken, for another.
    Discovered,
    /// The attack was there; the move took away what had made it harmless: a
    /// root (去根), or the pin of the attacker.
    Undermined,
}

/// Why an attack is no chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Harmless {
    /// Taking would leave the own king to an attack: the attacker is pinned.
    Pinned,
    /// Equal men that can take each other: an exchange (兑).
    Exchange,
    /// A real root protects the victim: following (跟).
    Protected,
    /// The whole exchange wins nothing (article 25.3).
    NoGain,
    /// Whoever takes is mated at once (article 28(4)).
    Mated,
    /// A rook that stays pinned by a horse attacks that horse (Asian rules 19).
    PinnedRook,
}

/// Whether the attacks of pawns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pawns {
    /// The pawn's own attack is idle (article 27.2).
    Idle,
    /// It counts, because both sides hit each other with every move (互相长打,
    /// article 27.2).
    Chase,
}

/// One side's attacks in one position, before or after its move.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    position: &'a Position,
    board: Board,
    side: Color,
    rules: Rules,
}

impl<'a> Scene<'a> {
    pub(super) fn new(position: &'a Position, side: Color, rules: Rules) -> Self {
        Self {
            position,
            board: Board::of(position),
            side,
            rules,
        }
    }

    /// The men of the other side that count as material (子力, article 25.3): all
    /// but the king and pawns that have not crossed the river.
    pub(super) fn material(&self) -> Bitboard {
        let them = !self.side;
        let home = match them {
            Color::Red => Bitboard::RED_HALF,
            Color::Black => Bitboard::BLACK_HALF,
        };
        let pawns_at_home = self.board.men(them, PieceType::Pawn) & home;
        self.board.men_of(them) - self.board.men(them, PieceType::King) - pawns_at_home
    }

    /// The men whose own attack may be a chase: no king (article 27.1), pawns as
    /// said.
    fn chasers(&self, pawns: Pawns) -> Bitboard {
        let men = self.board.men_of(self.side) - self.board.men(self.side, PieceType::King);
        match pawns {
            Pawns::Idle => men - self.board.men(self.side, PieceType::Pawn),
            Pawns::Chase => men,
        }
    }

    /// Whether any chaser attacks the man effectively.
    pub(super) fn is_attacked(&self, victim: Square) -> bool {
        self.chasers_of(victim)
            .into_iter()
            .any(|attacker| self.is_effective(attacker, victim))
    }

    /// The chasers that reach the man.
    pub(super) fn chasers_of(&self, victim: Square) -> Bitboard {
        self.board.attackers(victim, self.side) & self.chasers(Pawns::Idle)
    }

    /// Whether the man on `from`, which reaches `to`, attacks it effectively.
    pub(super) fn is_effective(&self, from: Square, to: Square) -> bool {
        self.harmless(from, to).is_none()
    }

    /// Why the attack of the man on `from` on the one on `to`, which it reaches,
    /// is not effective (section 5, items 3 to 6).
    pub(super) fn harmless(&self, from: Square, to: Square) -> Option<Harmless> {
        let attacker = self.board.piece_on(from)?.kind;
        let victim = self.board.piece_on(to)?.kind;
        let capture = Capture::new(self.board, self.side, from, to);
        let set = self.rules.set;
        // The platform does not look at pins of the attacker.
        if set != RuleSet::Sky && !capture.is_safe() {
            return Some(Harmless::Pinned);
        }
        if is_always_effective(set, attacker, victim) {
            return None;
        }
        if attacker == victim && capture.is_mutual() {
            return Some(Harmless::Exchange);
        }
        if set != RuleSet::Cxa {
            return capture.has_real_root().then_some(Harmless::Protected);
        }
        if !capture.wins_exchange() {
            return Some(Harmless::NoGain);
        }
        self.is_mated_after(Move::new(from, to))
            .then_some(Harmless::Mated)
    }

    /// Whether taking lets the other side mate at once (article 28(4)). A capture
    /// that is not legal because a check must be answered first is not asked.
    fn is_mated_after(&self, capture: Move) -> bool {
        let mut position = self.position.clone();
        if position.side_to_move() != self.side {
            position.make_null();
        }
        if !position.is_legal(capture, &position.legality()) {
            return false;
        }
        position.make(capture);
        CheckSearch::new(&position, !self.side).mate(1).is_some()
    }
}

/// Attacks that count whatever protects the victim (section 5, item 5).
const fn is_always_effective(set: RuleSet, attacker: PieceType, victim: PieceType) -> bool {
    use PieceType::{Advisor, Bishop, Cannon, Knight, Rook};
    matches!(
        (set, attacker, victim),
        (
            RuleSet::Axf | RuleSet::Computer | RuleSet::Sky,
            Knight | Cannon,
            Rook
        ) | (RuleSet::Computer, Advisor | Bishop, Rook | Knight | Cannon)
    )
}

/// The horse that a rook of `side` keeps from giving check by standing on its
/// leg, if any.
pub(super) fn horse_pinning(board: &Board, side: Color, rook: Square) -> Option<Square> {
    if !board.men(side, PieceType::Rook).contains(rook) {
        return None;
    }
    let threats = board.without(rook).threats_to_king(side) - board.threats_to_king(side);
    (threats & board.men(!side, PieceType::Knight)).first()
}

/// A move, with the scenes before and after it for the side that made it.
pub(super) struct Turn<'a> {
    earlier: Scene<'a>,
    now: Scene<'a>,
    mv: Move,
}

impl<'a> Turn<'a> {
    /// The move that led from `before` to `after`. It gives no check.
    pub(super) fn new(before: &'a Position, after: &'a Position, mv: Move, rules: Rules) -> Self {
        let side = before.side_to_move();
        Self {
            earlier: Scene::new(before, side, rules),
            now: Scene::new(after, side, rules),
            mv,
        }
    }

    /// The effective attacks that were not effective before the move (article
    /// 28(2)).
    pub(super) fn chases(&self, pawns: Pawns) -> Attacks {
        self.attacks(pawns)
            .filter(|attack| self.harmless(attack).is_none())
            .filter(|attack| !self.was_effective(attack))
            .take(MAX_ATTACKS)
            .collect()
    }

    /// The attacks that the move made and that are harmless, with the reason.
    pub(super) fn harmless_attacks(&self) -> impl Iterator<Item = (Attack, Harmless)> + '_ {
        self.attacks(Pawns::Idle)
            .filter(|attack| attack.manner != Manner::Undermined)
            .filter_map(|attack| Some((attack, self.harmless(&attack)?)))
    }

    /// The capture that the attack threatens.
    pub(super) fn capture(&self, attack: &Attack) -> Capture {
        let now = &self.now;
        Capture::new(now.board, now.side, attack.attacker, attack.victim)
    }

    /// Everything the side attacks after the move.
    fn attacks(&self, pawns: Pawns) -> impl Iterator<Item = Attack> + '_ {
        let material = self.now.material();
        self.now
            .chasers(pawns)
            .into_iter()
            .flat_map(move |attacker| {
                let targets = |scene: &Scene, from: Square| match self.now.board.piece_on(attacker)
                {
                    Some(piece) => scene.board.targets(piece, from),
                    None => Bitboard::EMPTY,
                };
                let before = targets(&self.earlier, self.origin(attacker));
                let now = targets(&self.now, attacker) & material;
                now.into_iter().map(move |victim| Attack {
                    attacker,
                    victim,
                    manner: if before.contains(victim) {
                        Manner::Undermined
                    } else if attacker == self.mv.to() {
                        Manner::Direct
                    } else {
                        Manner::Discovered
                    },
                })
            })
    }

    /// Where the man that is on the square now stood before the move.
    fn origin(&self, square: Square) -> Square {
        if square == self.mv.to() {
            self.mv.from()
        } else {
            square
        }
    }

    fn harmless(&self, attack: &Attack) -> Option<Harmless> {
        let now = &self.now;
        // A rook that stays pinned by a horse does not chase that horse (Asian
        // rules 19, D39-D41; the platform decides alike).
        if matches!(now.rules.set, RuleSet::Axf | RuleSet::Sky)
            && attack.attacker != self.mv.to()
            && horse_pinning(&now.board, now.side, attack.attacker) == Some(attack.victim)
        {
            return Some(Harmless::PinnedRook);
        }
        now.harmless(attack.attacker, attack.victim)
    }

    fn was_effective(&self, attack: &Attack) -> bool {
        // An attack that was there, but would have been answered by mate, was an
        // attack all the same: the move has only made it less foolish.
        if attack.manner == Manner::Undermined
            && matches!(
                self.earlier
                    .harmless(self.origin(attack.attacker), attack.victim),
                None | Some(Harmless::Mated)
            )
        {
            return true;
        }
        // The computer rule counts victims: a second attacker is nothing new.
        self.now.rules.set == RuleSet::Computer && self.earlier.is_attacked(attack.victim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [RuleSet; 4] = [
        RuleSet::Cxa,
        RuleSet::Axf,
        RuleSet::Computer,
        RuleSet::Classic1956,
    ];

    fn positions(fen: &str, mv: &str) -> (Position, Position, Move) {
        let before = Position::from_fen(fen).expect("a legal position");
        let mv = mv.parse().expect("a move");
        let mut after = before.clone();
        assert!(before.is_legal(mv, &before.legality()));
        after.make(mv);
        (before, after, mv)
    }

    fn text(position: &Position, attack: &Attack) -> String {
        let name = |square| {
            let man = position.piece_on(square).expect("a man");
            format!("{man}{square}")
        };
        let Attack {
            attacker,
            victim,
            manner,
        } = *attack;
        format!("{}x{} {manner:?}", name(attacker), name(victim))
    }

    /// What the move chases by the rule set.
    fn chases(set: RuleSet, fen: &str, mv: &str) -> Vec<String> {
        let (before, after, mv) = positions(fen, mv);
        let turn = Turn::new(&before, &after, mv, Rules::of(set));
        let attacks = turn.chases(Pawns::Idle);
        attacks.iter().map(|attack| text(&after, attack)).collect()
    }

    /// Why the first harmless attack of the move is harmless.
    fn why_not(set: RuleSet, fen: &str, mv: &str) -> Option<Harmless> {
        let (before, after, mv) = positions(fen, mv);
        let turn = Turn::new(&before, &after, mv, Rules::of(set));
        turn.harmless_attacks().next().map(|(_, reason)| reason)
    }

    /// Article 28(2).
    #[test]
    fn an_attack_that_was_there_is_not_new() {
        let fen = "4k4/4a4/9/9/9/c8/9/9/9/R3K4 w";
        for set in ALL {
            assert_eq!(chases(set, fen, "a0a1"), [""; 0], "{set}");
            assert_eq!(chases(set, fen, "a0b0"), [""; 0], "{set}");
        }
        let fen = "4k4/4a4/9/9/9/c8/9/9/9/1R2K4 w";
        for set in ALL {
            assert_eq!(chases(set, fen, "b0a0"), ["Ra0xca4 Direct"], "{set}");
        }
    }

    /// Asian rules 25: screens that come and go.
    #[test]
    fn a_cannon_chases_when_only_its_screen_moves() {
        let comes = ("3k5/9/9/9/9/n8/9/9/2N6/C3K4 w", "c1a2");
        let goes = ("3k5/9/9/9/9/n8/P8/N8/9/C3K4 w", "a2c1");
        for set in ALL {
            for (fen, mv) in [comes, goes] {
                assert_eq!(chases(set, fen, mv), ["Ca0xna4 Discovered"], "{set}");
            }
        }
    }

    #[test]
    fn taking_away_a_root_is_a_chase() {
        // The rook pins the horse that protects the cannon.
        let fen = "4k4/9/4n4/9/3c5/9/9/3R5/7R1/5K3 w";
        for set in ALL {
            let chases = chases(set, fen, "h1e1");
            assert_eq!(chases, ["Re1xne7 Direct", "Rd2xcd5 Undermined"], "{set}");
        }
    }

    #[test]
    fn a_pinned_man_does_not_chase_but_along_its_pin() {
        let fen = "3k5/4r4/9/9/9/9/9/4R4/c8/4K4 w";
        for set in ALL {
            assert_eq!(chases(set, fen, "e2e1"), [""; 0], "{set}");
            assert_eq!(why_not(set, fen, "e2e1"), Some(Harmless::Pinned), "{set}");
        }
    }

    /// Section 5, item 4; Asian rules 24.
    #[test]
    fn equal_men_exchange_unless_one_cannot_take_back() {
        let open = "3k5/9/9/9/3r5/R8/9/9/9/4K4 w";
        let pinned = "3k5/9/9/9/3r5/R8/9/9/9/3RK4 w";
        for set in ALL {
            assert_eq!(chases(set, open, "a4a5"), [""; 0], "{set}");
            assert_eq!(
                why_not(set, open, "a4a5"),
                Some(Harmless::Exchange),
                "{set}"
            );
            assert_eq!(chases(set, pinned, "a4a5"), ["Ra5xrd5 Direct"], "{set}");
        }
    }

    /// Section 5, item 5.
    #[test]
    fn what_attacks_a_protected_man_depends_on_the_set() {
        let cannon = ("9/2Ck5/9/4pr3/9/9/9/5r3/4K4/9 w", "c8c6");
        let advisor = ("3k1r3/9/9/9/9/9/9/5c3/9/3AK4 w", "d0e1");
        let rook = ("3k5/9/9/9/c5r2/9/9/9/9/1R2K4 w", "b0a0");
        let chased = |(fen, mv): (&str, &str)| ALL.map(|set| !chases(set, fen, mv).is_empty());
        assert_eq!(chased(cannon), [true, true, true, false]);
        assert_eq!(chased(advisor), [true, false, true, false]);
        assert_eq!(chased(rook), [false; 4]);
    }

    /// Articles 27.1, 27.2 and 25.3.
    #[test]
    fn kings_and_pawns_do_not_chase_and_are_no_material() {
        let king = ("5k3/9/9/9/9/9/9/4K4/3c5/9 w", "e2d2");
        let pawn = ("5k3/9/3c5/4P4/9/9/9/9/9/4K4 w", "e6d6");
        let uncrossed = ("3k5/9/9/p8/9/9/9/9/9/1R2K4 w", "b0a0");
        for set in ALL {
            for (fen, mv) in [king, pawn, uncrossed] {
                assert_eq!(chases(set, fen, mv), [""; 0], "{set} {fen}");
            }
        }
        let (before, after, mv) = positions(pawn.0, pawn.1);
        let turn = Turn::new(&before, &after, mv, Rules::default());
        assert_eq!(turn.chases(Pawns::Chase).len(), 1);
    }

    /// Article 28(4).
    #[test]
    fn a_capture_that_lets_itself_be_mated_is_no_threat() {
        let fen = "3k1a3/3rr4/9/1c7/9/9/4R4/5A3/4A4/4K4 w";
        assert_eq!(why_not(RuleSet::Cxa, fen, "e3e6"), Some(Harmless::Mated));
        assert_eq!(chases(RuleSet::Cxa, fen, "e3e6"), [""; 0]);
        assert_eq!(chases(RuleSet::Computer, fen, "e3e6"), ["Re6xcb6 Direct"]);
    }

    /// Asian rules 19: the other side's rook moves nothing but its pin.
    #[test]
    fn a_rook_that_stays_pinned_by_a_horse_does_not_chase_it() {
        // Black's advisor makes a second screen: the horse has lost its root.
        let fen = "2baka3/CR3rN2/4b1n2/2p5p/6p2/2P6/4c1P1c/4B3C/4A4/4KAB2 b";
        assert_eq!(chases(RuleSet::Axf, fen, "f9e8"), [""; 0]);
        assert_eq!(
            chases(RuleSet::Computer, fen, "f9e8"),
            ["rf8xNg8 Undermined"]
        );
    }

    /// Section 4.5, item 4: by victims, not by pairs.
    #[test]
    fn the_computer_rule_counts_victims() {
        // The rook on the rank attacks the cannon before and after.
        let fen = "3k5/9/9/9/c3R4/9/9/9/9/1R2K4 w";
        assert_eq!(chases(RuleSet::Computer, fen, "b0a0"), [""; 0]);
        assert_eq!(chases(RuleSet::Axf, fen, "b0a0"), ["Ra0xca5 Direct"]);
    }
}
