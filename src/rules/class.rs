//! What each side did in a cycle: allowed, forbidden, or worse.
//!
//! Section 4.1 of the specification: one function for each family of rule sets.
//! Checks are known from the game; chases are looked at next, threats of mate and
//! of captures through checks last and only where they can still decide.

use super::board::Board;
use super::chase::{self, Manner, Pawns};
use super::line::Line;
use super::memo::StrikeMemo;
use super::{Game, RuleSet};
use crate::types::{Bitboard, Color, PieceType, Square};

/// The class of a side in a cycle, the lightest first. The side of the heavier
/// class loses; equal classes draw (section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// At least one ply is idle, or the set does not forbid the mixture.
    Allowed,
    /// Every ply is of a forbidden kind.
    Forbidden,
    /// Every ply chases a rook that a horse pins (Asian rules 19, D39-D41).
    PinnedRookChase,
    /// Every ply is a check (长将).
    PerpetualCheck,
}

/// Whether each ply of a side, and whether any, is a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Checks {
    always: bool,
    ever: bool,
}

/// The classes of both sides, Red's first, in the last `length` plies. Beside a
/// perpetual check nothing else is looked at. (The platform's rule has no classes,
/// see `sky`.)
pub(super) fn classes(game: &Game, length: usize) -> [Class; 2] {
    let set = game.rules().set;
    let checks = checks(game, length);
    if matches!(set, RuleSet::None | RuleSet::Sky) {
        return [Class::Allowed; 2];
    }
    if checks.iter().any(|side| side.always) {
        return checks.map(|side| {
            if side.always {
                Class::PerpetualCheck
            } else {
                Class::Allowed
            }
        });
    }
    if set == RuleSet::Computer && checks.iter().any(|side| side.ever) {
        return [Class::Allowed; 2];
    }
    let line = Line::new(game, length);
    match set {
        RuleSet::Axf => axf(&line, checks),
        RuleSet::Cxa => cxa(&line, game.memo()),
        RuleSet::Classic1956 | RuleSet::Classic1959 => {
            Color::ALL.map(|side| classic(&line, side, set, checks[side.index()]))
        }
        _ => Color::ALL
            .map(|side| forbidden_if(!perpetual_victims(&line, side, Bitboard::EMPTY).is_empty())),
    }
}

const fn forbidden_if(condition: bool) -> Class {
    if condition {
        Class::Forbidden
    } else {
        Class::Allowed
    }
}

fn checks(game: &Game, length: usize) -> [Checks; 2] {
    let mut checks = [Checks {
        always: true,
        ever: false,
    }; 2];
    for ply in game.history().take(length) {
        let side = &mut checks[ply.side.index()];
        side.always &= ply.gives_check;
        side.ever |= ply.gives_check;
    }
    checks
}

/// The men that every ply of the side chases (长捉), checks left out. Attacks that
/// a rook of `hounded` has only because a root was taken away do not count.
fn perpetual_victims(line: &Line, side: Color, hounded: Bitboard) -> Bitboard {
    let mut victims = Bitboard::ALL;
    for (ply, _) in line.quiet_plies_of(side) {
        victims &= line
            .attacks(ply, Pawns::Idle)
            .iter()
            .filter(|attack| {
                attack.manner != Manner::Undermined
                    || !hounded.contains(line.identity(ply, attack.attacker))
            })
            .map(|attack| line.identity(ply, attack.victim))
            .collect();
        if victims.is_empty() {
            break;
        }
    }
    victims
}

/// The Asian rules: chase of one man with every ply (rules 3.3, 15-40), no ply a
/// check (9-13).
///
/// A change of roots counts as a chase by the side that moved, but not for a rook
/// that a cannon or horse itself chases throughout (D39-D41, D61: a decision, see
/// section 4.4 of the specification).
fn axf(line: &Line, checks: [Checks; 2]) -> [Class; 2] {
    let victims_of = |side: Color, hounded| {
        if checks[side.index()].ever {
            Bitboard::EMPTY
        } else {
            perpetual_victims(line, side, hounded)
        }
    };
    let mut victims = Color::ALL.map(|side| victims_of(side, Bitboard::EMPTY));
    let hounded = Color::ALL.map(|side| hounded_rooks(line, side, victims[(!side).index()]));
    for side in Color::ALL {
        if !hounded[side.index()].is_empty() && !victims[side.index()].is_empty() {
            victims[side.index()] = victims_of(side, hounded[side.index()]);
        }
    }
    Color::ALL.map(|side| {
        let victims = victims[side.index()];
        if victims
            .into_iter()
            .any(|rook| is_always_pinned_by_horse(line, side, rook))
        {
            Class::PinnedRookChase
        } else {
            forbidden_if(!victims.is_empty())
        }
    })
}

/// The rooks of `side` among the other side's perpetual victims that cannons or
/// horses chase with every ply.
fn hounded_rooks(line: &Line, side: Color, victims: Bitboard) -> Bitboard {
    let mut rooks = victims & line.last().men(side, PieceType::Rook);
    for (ply, _) in line.plies_of(!side) {
        if rooks.is_empty() {
            break;
        }
        let board = Board::of(line.after(ply));
        rooks &= line
            .attacks(ply, Pawns::Idle)
            .iter()
            .filter(|attack| {
                let hounds =
                    board.men(!side, PieceType::Cannon) | board.men(!side, PieceType::Knight);
                hounds.contains(attack.attacker)
            })
            .map(|attack| line.identity(ply, attack.victim))
            .collect();
    }
    rooks
}

/// Whether the man is a rook that a horse of `side` pins after each of that
/// side's plies.
fn is_always_pinned_by_horse(line: &Line, side: Color, rook: Square) -> bool {
    line.plies_of(side).all(|(ply, _)| {
        let board = Board::of(line.after(ply));
        board.men(!side, PieceType::Rook).into_iter().any(|square| {
            line.identity(ply, square) == rook
                && chase::horse_pinning(&board, !side, square).is_some()
        })
    })
}

/// The modern Chinese rules: no ply but checks, mate threats and chases, mixed or
/// not, whatever the victims (article 25.2; the changing victims are a decision).
fn cxa(line: &Line, memo: &StrikeMemo) -> [Class; 2] {
    let strikes = |side, pawns| strikes_always(line, side, pawns, memo);
    let mut always = Color::ALL.map(|side| strikes(side, Pawns::Idle));
    // Where one side strikes with every ply, the pawns of the other count
    // (article 27.2).
    for side in Color::ALL {
        if always[(!side).index()] && !always[side.index()] {
            always[side.index()] = strikes(side, Pawns::Chase);
        }
    }
    always.map(forbidden_if)
}

/// Whether every ply of the side is a check, a chase, a mate threat or a threat
/// to win a man by checks (28(1)). One idle ply is enough to say no: what is known
/// comes first, then chases, then threats where there are the fewest checks.
fn strikes_always(line: &Line, side: Color, pawns: Pawns, memo: &StrikeMemo) -> bool {
    let key = |ply| StrikeMemo::key(line.before(ply), line.after(ply), pawns == Pawns::Chase);
    let mut open = Vec::new();
    for (ply, _) in line.quiet_plies_of(side) {
        match memo.get(key(ply)) {
            Some(true) => {}
            Some(false) => return false,
            None => open.push((0, ply)),
        }
    }
    open.retain_mut(|(checks, ply)| {
        let is_chase = !line.attacks(*ply, pawns).is_empty();
        if is_chase {
            memo.put(key(*ply), true);
        } else {
            *checks = line.threats(*ply).count_checks();
        }
        !is_chase
    });
    open.sort_unstable();
    open.into_iter().all(|(checks, ply)| {
        let is_threat = checks > 0 && line.threats(ply).heaviest().is_some();
        memo.put(key(ply), is_threat)
    })
}

/// The rules of 1956 and 1959, read literally: every ply that is no check is a
/// mate threat (长要杀, 一将一要杀), or chases the same rootless man (长捉无根子,
/// 一将一捉); in 1956 also a check-capture threat, but only in turn with checks
/// (一将一要抽吃).
fn classic(line: &Line, side: Color, set: RuleSet, checks: Checks) -> Class {
    let mut quiet = line.quiet_plies_of(side).map(|(ply, _)| ply);
    forbidden_if(
        !perpetual_victims(line, side, Bitboard::EMPTY).is_empty()
            || quiet.clone().all(|ply| line.threats(ply).mate().is_some())
            || (set == RuleSet::Classic1956
                && checks.ever
                && quiet.all(|ply| line.threats(ply).capture().is_some())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Rules;

    /// The classes in a cycle of four plies.
    fn classes_in(set: RuleSet, fen: &str, cycle: &str) -> [Class; 2] {
        let position = Position::from_fen(fen).expect("a legal position");
        let mut game = Game::with_rules(position, Rules::of(set));
        let moves = cycle.split(' ').map(|mv| mv.parse().expect("a move"));
        game.play(moves).expect("legal moves");
        classes(&game, game.ply_count())
    }

    use Class::{Allowed, Forbidden, PerpetualCheck, PinnedRookChase};

    #[test]
    fn perpetual_check_is_the_same_in_all_sets() {
        let cycle = "a8a9 e9e8 a9a8 e8e9";
        for set in RuleSet::ALL {
            let class = classes_in(set, "4k4/R8/9/9/9/9/9/9/9/3K5 w", cycle)[0];
            let forbids = !matches!(set, RuleSet::None | RuleSet::Sky);
            assert_eq!(class == PerpetualCheck, forbids, "{set}");
        }
    }

    /// Article 27.2: pawns count where both sides hit each other every ply.
    #[test]
    fn pawns_strike_back() {
        let fen = "5k3/9/9/9/9/9/2N1pN3/9/3R5/4K4 w";
        let cycle = "d1e1 e3d3 e1d1 d3e3";
        assert_eq!(classes_in(RuleSet::Cxa, fen, cycle), [Forbidden; 2]);
        assert_eq!(classes_in(RuleSet::Axf, fen, cycle), [Forbidden, Allowed]);
        // With nothing to hit for the pawn, the rook is the offender.
        let alone = "5k3/9/9/9/9/9/4p4/9/3R5/4K4 w";
        assert_eq!(classes_in(RuleSet::Cxa, alone, cycle), [Forbidden, Allowed]);
    }

    /// Article 25.2: victims may change; elsewhere it must be one man.
    #[test]
    fn changing_victims_are_chased_by_the_modern_rules_only() {
        let fen = "4k4/4a4/9/c8/9/1n5R1/9/9/9/4K4 w";
        let cycle = "h4h6 a6a7 h6h4 a7a6";
        for (set, class) in [
            (RuleSet::Cxa, Forbidden),
            (RuleSet::Axf, Allowed),
            (RuleSet::Computer, Allowed),
        ] {
            assert_eq!(classes_in(set, fen, cycle)[0], class, "{set}");
        }
    }

    /// Figures 5 and 6 of the rules of 1959: mate threats, alone and with checks.
    #[test]
    fn mate_threats_are_forbidden_by_the_chinese_rules() {
        let figures = [
            (
                "3k5/9/6N2/8R/9/9/4p4/1p7/2R1A2p1/1CBAK4 w",
                "g7e6 d9e9 e6g7 e9d9",
            ),
            (
                "2bak4/4a4/4b4/4CR3/9/9/9/2p6/4pp3/3K5 w",
                "f6h6 e9f9 h6f6 f9e9",
            ),
        ];
        for (fen, cycle) in figures {
            for (set, class) in [
                (RuleSet::Cxa, Forbidden),
                (RuleSet::Classic1956, Forbidden),
                (RuleSet::Classic1959, Forbidden),
                (RuleSet::Axf, Allowed),
                (RuleSet::Computer, Allowed),
            ] {
                assert_eq!(classes_in(set, fen, cycle)[0], class, "{set}");
            }
        }
    }

    /// One check, one check-capture threat: a chase in the modern rules, named in
    /// those of 1956, not in the text of 1959.
    #[test]
    fn check_and_check_capture() {
        let fen = "4ka3/2R1a4/C8/p7p/1P5n1/9/4n4/4B4/9/4K1B2 w";
        let cycle = "c8c9 e8d9 c9c8 d9e8";
        for (set, class) in [
            (RuleSet::Cxa, Forbidden),
            (RuleSet::Classic1956, Forbidden),
            (RuleSet::Classic1959, Allowed),
            (RuleSet::Axf, Allowed),
        ] {
            assert_eq!(classes_in(set, fen, cycle)[0], class, "{set}");
        }
    }

    /// Asian rules 19, D41: heavier than a chase, and the rook's own does not count.
    #[test]
    fn a_rook_pinned_by_a_horse_may_not_be_chased() {
        let fen = "3aka3/C4rN2/4b1n2/N7p/2p3p2/8P/2P3P2/9/4A4/4KA3 w";
        let cycle = "a6b8 f9e8 b8a6 e8f9";
        assert_eq!(
            classes_in(RuleSet::Axf, fen, cycle),
            [PinnedRookChase, Allowed]
        );
        assert_eq!(classes_in(RuleSet::Computer, fen, cycle), [Forbidden; 2]);
    }

    /// Section 4.5, item 3.
    #[test]
    fn a_check_clears_everybody_in_the_computer_rule() {
        let fen = "3akr3/n3a4/4b4/9/P1b6/9/1n7/4B4/3RA4/2BAK4 w";
        let cycle = "d1d3 b3c1 d3d1 c1b3";
        assert_eq!(classes_in(RuleSet::Computer, fen, cycle), [Allowed; 2]);
        assert_eq!(classes_in(RuleSet::Axf, fen, cycle), [Forbidden, Allowed]);
        assert_eq!(classes_in(RuleSet::Cxa, fen, cycle), [Forbidden; 2]);
    }
}
