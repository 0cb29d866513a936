//! The static exchange evaluation against a search that recomputes everything.

use super::reference::Board;
use super::samples::{Sample, played, thrown};
use crate::position::{Position, see_value};
use crate::types::{Move, PieceType, Score};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn equals_the_search_where_games_lead(Sample(position) in played()) {
        compare(&position)?;
    }

    #[test]
    fn equals_the_search_on_thrown_positions(Sample(position) in thrown()) {
        compare(&position)?;
    }
}

fn compare(position: &Position) -> TestCaseResult {
    let board = Board::of(position);
    for mv in position.legal_moves() {
        let value = board.exchange(mv);
        for margin in [-10_000, -500, -100, -1, 0, 1, 2, 100, 500, 10_000] {
            prop_assert_eq!(
                position.see_at_least(mv, value + margin),
                margin <= 0,
                "{} is worth {}, asked for {}",
                mv,
                value,
                value + margin
            );
        }
    }
    Ok(())
}

const ROOK: Score = see_value(PieceType::Rook);
const KNIGHT: Score = see_value(PieceType::Knight);
const CANNON: Score = see_value(PieceType::Cannon);
const PAWN: Score = see_value(PieceType::Pawn);

/// The fast code finds exactly this value, and so does the search.
#[track_caller]
fn assert_value(fen: &str, mv: &str, value: Score) {
    let position = Position::from_fen(fen).unwrap();
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv, &position.legality()), "{mv}");
    assert_eq!(Board::of(&position).exchange(mv), value, "search: {mv}");
    assert!(position.see_at_least(mv, value), "{mv} wins {value}");
    assert!(!position.see_at_least(mv, value + 1), "{mv} wins no more");
}

#[test]
fn hanging_and_guarded_men() {
    assert_value("3k5/9/9/9/4p4/9/4R4/9/9/5K3 w", "e3e5", PAWN);
    // Quiet moves: to a safe point, and before a pawn.
    assert_value("3k5/9/9/9/1p7/9/9/1C7/9/5K3 w", "b2b3", 0);
    assert_value("3k5/9/9/9/1p7/9/9/1C7/9/5K3 w", "b2b4", -CANNON);
    // A cannon guards over the pawn on c5, and does not without it.
    assert_value("3k5/9/9/9/c1p1p4/9/4R4/9/9/5K3 w", "e3e5", PAWN - ROOK);
    assert_value("3k5/9/9/9/c3p4/9/4R4/9/9/5K3 w", "e3e5", PAWN);
}

#[test]
fn a_capture_takes_a_cannon_its_screen() {
    // The enemy cannon on e8 looks at e6 over the very rook that takes there.
    assert_value("3k5/4c4/4R4/4p4/9/9/9/9/9/5K3 w", "e7e6", PAWN);
    // So does the own cannon on e2: no help once the horse has taken the rook.
    let alone = "3k5/9/9/2n6/4p4/4R4/9/4C4/9/5K3 w";
    assert_value(alone, "e4e5", PAWN - ROOK);
}

#[test]
fn a_capture_supplies_a_cannon_with_a_screen() {
    // Two men before the cannon on e2; with the rook gone, the horse is the screen.
    let behind_two = "3k5/9/9/2n6/4p4/4R4/4N4/4C4/9/5K3 w";
    assert_value(behind_two, "e4e5", PAWN - ROOK + KNIGHT);
    // The same for the other side: taking back with the horse on e6 leaves the
    // rook on e7 as screen of the cannon on e8, but with the rook takes it away.
    let battery = "3k5/4c4/4r4/4n4/4p4/9/4R4/9/4R4/5K3 w";
    assert_value(battery, "e3e5", PAWN);
}

#[test]
fn a_king_takes_only_what_is_not_guarded() {
    // The rook takes the horse on d1, and the king may take back ...
    assert_value("5k3/9/9/9/3r5/9/9/9/3NK4/9 b", "d5d1", KNIGHT - ROOK);
    // ... but not if a horse on c3 or the king on the file guards the rook.
    assert_value("5k3/9/9/9/3r5/9/2n6/9/3NK4/9 b", "d5d1", KNIGHT);
    assert_value("3k5/9/9/9/3r5/9/9/9/3NK4/9 b", "d5d1", KNIGHT);
    // A cannon on h1 does not: its screen would be the king that takes.
    assert_value("5k3/9/9/9/3r5/9/9/9/3NK2c1/9 b", "d5d1", KNIGHT - ROOK);
}
