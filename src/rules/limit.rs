//! Draws that need no repetition: the natural limit, too few men, the platform's
//! limit on the whole game.
//!
//! Section 2 of the specification. Mate and stalemate come first: nothing here
//! draws a position without a legal move.

use super::{Game, RuleSet};
use crate::position::{Position, Undo};
use crate::types::{Color, Move, PieceType};

/// Checks beyond this many do not count towards the natural limit (article 23.3).
const CHECKS_COUNTED: u32 = 10;

/// After so many plies the platform draws, whatever happened in them.
const SKY_TOTAL_LIMIT: usize = 400;

/// Why a game is drawn without a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Too long without a capture (自然限着, article 4.2.4).
    Natural,
    /// Neither side can win (article 4.2.1).
    Material,
    /// The platform's limit of 400 plies.
    Total,
}

/// The limit that the position has reached, if any. The natural limit is asked
/// for on the claim of `claimant`, if known; otherwise either side's claim must
/// hold.
#[inline]
pub(super) fn reached(game: &Game, claimant: Option<Color>) -> Option<Limit> {
    let (position, rules) = (game.position(), game.rules());
    let is_natural_near =
        rules.natural_limit != 0 && position.plies_since_capture() >= rules.natural_limit;
    let is_total_near = rules.set == RuleSet::Sky && game.ply_count() >= SKY_TOTAL_LIMIT;
    if is_natural_near || is_total_near || has_few_attackers(position) {
        look_closer(game, claimant)
    } else {
        None
    }
}

#[cold]
fn look_closer(game: &Game, claimant: Option<Color>) -> Option<Limit> {
    let (position, set) = (game.position(), game.rules().set);
    let cannons = position.men_of_kind(PieceType::Cannon);
    let is_dead = has_few_attackers(position)
        && (cannons.is_empty() || (set == RuleSet::Computer && is_lone_cannon_draw(position)));
    let limit = if is_dead {
        Limit::Material
    } else if is_natural_limit_reached(game, claimant) {
        Limit::Natural
    } else if set == RuleSet::Sky && game.ply_count() >= SKY_TOTAL_LIMIT {
        Limit::Total
    } else {
        return None;
    };
    position.has_legal_move(game.legality()).then_some(limit)
}

/// No rook, horse or pawn is left, wherever a pawn stands.
#[inline]
fn has_few_attackers(position: &Position) -> bool {
    let attackers = position.men_of_kind(PieceType::Rook)
        | position.men_of_kind(PieceType::Knight)
        | position.men_of_kind(PieceType::Pawn);
    attackers.is_empty()
}

/// The computer rule's second draw by material (section 4.5, item 6), for a
/// position with cannons at most: there is one, and no advisor of its own to serve
/// as a screen. The advisors of the other side may serve, so with them it is drawn only while no
/// move mates; two of them and an elephant of the cannon's are enough to play on.
fn is_lone_cannon_draw(position: &Position) -> bool {
    let cannons = position.men_of_kind(PieceType::Cannon);
    if cannons.len() != 1 {
        return false;
    }
    let owner = if cannons.intersects(position.men_of(Color::Red)) {
        Color::Red
    } else {
        Color::Black
    };
    if !position.men(owner, PieceType::Advisor).is_empty() {
        return false;
    }
    let screens = position.men(!owner, PieceType::Advisor).len();
    let has_elephant = !position.men(owner, PieceType::Bishop).is_empty();
    match (screens, has_elephant) {
        (0, _) | (1, false) => true,
        (1, true) | (_, false) => !has_mating_move(position),
        (_, true) => false,
    }
}

fn has_mating_move(position: &Position) -> bool {
    let mates = |mv: Move| {
        let mut after = position.clone();
        after.make(mv);
        !after.has_legal_move(&after.legality())
    };
    position.legal_moves().into_iter().any(mates)
}

/// Whether the plies since the last capture that count have reached the limit.
fn is_natural_limit_reached(game: &Game, claimant: Option<Color>) -> bool {
    let limit = u32::from(game.rules().natural_limit);
    let plies = u32::from(game.position().plies_since_capture());
    if limit == 0 || plies < limit {
        return false;
    }
    let [red, black] =
        checks_since_capture(game).map(|checks| checks.saturating_sub(CHECKS_COUNTED));
    // A check that does not count takes the answer to it along.
    let rounds_off = match (game.rules().set, claimant) {
        // A counter for each side.
        (RuleSet::Computer | RuleSet::Sky, _) => red + black,
        // The claimant's own checks (article 23.3); the sets that say nothing
        // about it follow the modern rules.
        (_, Some(Color::Red)) => red,
        (_, Some(Color::Black)) => black,
        (_, None) => red.max(black),
    };
    plies.saturating_sub(2 * rounds_off) >= limit
}

/// The checks that Red and Black have given since the last capture, as far as the
/// game is known.
fn checks_since_capture(game: &Game) -> [u32; 2] {
    let mut checks = [0; 2];
    let is_quiet = |undo: &Undo| undo.change.captured.is_none();
    let since_capture = game
        .history()
        .take_while(|ply| ply.undo.is_none_or(is_quiet));
    for ply in since_capture {
        checks[ply.side.index()] += u32::from(ply.gives_check);
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn game(fen: &str, rules: Rules, moves: &[&str]) -> Game {
        let position = Position::from_fen(fen).expect("a legal position");
        let mut game = Game::with_rules(position, rules);
        let moves = moves.iter().map(|mv| mv.parse().expect("a move"));
        game.play(moves).expect("legal moves");
        game
    }

    /// Red checks `checks` times by a rook from rank to rank, then both shuffle.
    fn with_checks(set: RuleSet, checks: usize, plies: usize) -> Game {
        let fen = "4k4/R8/9/9/9/9/8p/9/9/3K5 w";
        let cycle = ["a8a9", "e9e8", "a9a8", "e8e9"];
        let quiet = ["a8b8", "e9f9", "b8a8", "f9e9"];
        let moves: Vec<&str> = (0..plies)
            .map(|ply| {
                if ply < 2 * checks {
                    cycle[ply % 4]
                } else {
                    quiet[ply % 4]
                }
            })
            .collect();
        game(fen, Rules::of(set), &moves)
    }

    #[test]
    fn checks_beyond_the_tenth_are_not_the_claimants_to_count() {
        // Article 23.3: with twelve checks Red's claim fails by two rounds.
        let red = Some(Color::Red);
        let at = |plies, claimant| reached(&with_checks(RuleSet::Cxa, 12, plies), claimant);
        assert_eq!(at(120, red), None);
        assert_eq!(at(120, None), None);
        assert_eq!(at(120, Some(Color::Black)), Some(Limit::Natural));
        assert_eq!(at(123, red), None);
        assert_eq!(at(124, red), Some(Limit::Natural));
        assert_eq!(at(124, None), Some(Limit::Natural));
        // Ten checks are counted.
        assert_eq!(
            reached(&with_checks(RuleSet::Cxa, 10, 120), red),
            Some(Limit::Natural)
        );
        for set in [RuleSet::Computer, RuleSet::Sky] {
            assert_eq!(
                reached(&with_checks(set, 12, 120), Some(Color::Black)),
                None
            );
            assert_eq!(
                reached(&with_checks(set, 12, 124), None),
                Some(Limit::Natural)
            );
        }
    }

    #[test]
    fn the_natural_limit_can_be_moved_and_switched_off() {
        let fen = "4k4/9/9/9/9/9/8p/9/9/3K4R w - - 120 61";
        let limit = |natural_limit| Rules {
            natural_limit,
            ..Rules::default()
        };
        assert_eq!(
            reached(&game(fen, limit(120), &[]), None),
            Some(Limit::Natural)
        );
        assert_eq!(reached(&game(fen, limit(122), &[]), None), None);
        assert_eq!(reached(&game(fen, limit(0), &[]), None), None);
    }

    #[test]
    fn mate_on_the_last_ply_wins() {
        let fen = "4k4/R8/9/9/9/9/9/9/9/3K4R w - - 119 60";
        assert_eq!(reached(&game(fen, Rules::default(), &["i0i9"]), None), None);
    }

    #[test]
    fn without_attackers_nobody_wins() {
        let rules = Rules::default();
        let bare = "3ak4/9/9/9/9/9/9/9/9/3K1A3 w";
        assert_eq!(
            reached(&game(bare, rules, &[]), None),
            Some(Limit::Material)
        );
        // A pawn counts wherever it stands.
        let pawn = "4k4/9/9/9/9/9/P8/9/9/3K5 w";
        assert_eq!(reached(&game(pawn, rules, &[]), None), None);
    }

    #[test]
    fn the_computer_rule_draws_a_cannon_without_screens() {
        let computer = Rules::of(RuleSet::Computer);
        for (fen, drawn) in [
            ("4k4/9/9/9/9/9/9/9/9/3K1C3 w", true),
            ("4ka3/9/9/9/9/9/9/9/9/3K1C3 w", true),
            ("4ka3/9/9/9/9/9/9/9/4A4/3K1C3 w", false),
            ("3aka3/9/9/9/9/2B6/9/9/9/3K1C3 w", false),
            ("4k4/9/9/9/9/9/p8/9/9/3K1C3 w", false),
        ] {
            let limit = reached(&game(fen, computer, &[]), None);
            assert_eq!(limit.is_some(), drawn, "{fen}");
            assert_eq!(
                reached(&game(fen, Rules::default(), &[]), None),
                None,
                "{fen}"
            );
        }
    }

    #[test]
    fn the_platform_draws_after_four_hundred_plies() {
        let fen = "4k4/9/9/9/9/9/8p/9/9/3K4R w";
        let rules = Rules {
            natural_limit: 0,
            ..Rules::of(RuleSet::Sky)
        };
        let cycle = ["d0d1", "e9e8", "d1d0", "e8e9"];
        let moves: Vec<&str> = (0..400).map(|ply| cycle[ply % 4]).collect();
        assert_eq!(reached(&game(fen, rules, &moves[..399]), None), None);
        assert_eq!(reached(&game(fen, rules, &moves), None), Some(Limit::Total));
    }
}
