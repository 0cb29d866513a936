//! The fast generator against the reference, on positions of every kind.

use super::reference::Board;
use super::samples::{Sample, played, thrown};
use crate::attacks;
use crate::position::{Level, Position, Targets, perft};
use crate::types::{Bitboard, Color, Move, MoveList, Square};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn equals_the_reference_where_games_lead(Sample(position) in played()) {
        compare(&position)?;
    }

    #[test]
    fn equals_the_reference_on_thrown_positions(Sample(position) in thrown()) {
        compare(&position)?;
    }
}

/// The largest lists: rooks and cannons in the open, mate nets, full boards.
#[test]
fn equals_the_reference_at_the_extremes() {
    for fen in [
        "4k4/4a4/R1R1R1R2/1R1R1R1R1/9/9/R1R1R1R2/1R1R1R3/9/4K4 w",
        "4k4/9/C1C1C1C1C/9/R1R1R1R1R/9/C1C1C1C1C/9/9/5K3 w",
        "4k4/9/9/9/PPPPPPPPP/PPPPPP3/9/9/9/5K3 w",
        "NNN1k1NNN/9/9/9/9/nnnnnnnnn/9/9/9/5K3 b",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    ] {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        compare(&position).unwrap_or_else(|error| panic!("{fen}: {error}"));
    }
}

/// Everything the generator says about a position, against the reference.
fn compare(position: &Position) -> TestCaseResult {
    let board = Board::of(position);
    let expected = board.legal_moves();
    compare_lists(position, &expected)?;
    compare_legality(position, &board, &expected)?;
    compare_attacks(position, &board)?;
    let hints = position.check_hints();
    for &mv in &expected {
        let checks = !board.after(mv).checkers(!board.side).is_empty();
        prop_assert_eq!(position.gives_check(mv), checks, "check by {}", mv);
        prop_assert_eq!(
            position.gives_check_by(mv, &hints),
            checks,
            "hint for {}",
            mv
        );
    }
    Ok(())
}

fn compare_lists(position: &Position, expected: &[Move]) -> TestCaseResult {
    let legality = position.legality();
    let list = |targets| {
        let mut moves = MoveList::new();
        position.generate(&legality, targets, &mut moves);
        moves.sort();
        moves.to_vec()
    };
    // Equal sorted lists, and the reference visits each pair once: no duplicates.
    prop_assert_eq!(list(Targets::All), expected, "all moves");
    let (captures, quiets): (Vec<Move>, Vec<Move>) = expected
        .iter()
        .partition(|mv| position.piece_on(mv.to()).is_some());
    prop_assert_eq!(list(Targets::Captures), captures, "captures");
    prop_assert_eq!(list(Targets::Quiets), quiets, "quiets");
    for level in [Level::Baseline, Level::detect()] {
        let count = perft(&mut position.clone(), 1, level);
        prop_assert_eq!(count, expected.len() as u64, "count, {:?}", level);
    }
    let has_move = position.has_legal_move(&legality);
    prop_assert_eq!(has_move, !expected.is_empty());
    Ok(())
}

fn compare_legality(position: &Position, board: &Board, expected: &[Move]) -> TestCaseResult {
    let legality = position.legality();
    let checkers = board.checkers(board.side);
    prop_assert_eq!(legality.checkers(), checkers, "checkers");
    prop_assert_eq!(legality.in_check(), !checkers.is_empty());
    prop_assert_eq!(position.in_check(), !checkers.is_empty());
    let mut listed = expected.iter().copied().peekable();
    // In the order of the sorted list: by `to`, then by `from`.
    for to in Square::all() {
        for from in Square::all() {
            if let Some(mv) = Move::checked(from, to) {
                let is_listed = listed.next_if_eq(&mv).is_some();
                prop_assert_eq!(
                    position.is_legal(mv, &legality),
                    is_listed,
                    "legality of {}",
                    mv
                );
            }
        }
    }
    prop_assert_eq!(listed.next(), None, "the walk follows the order of moves");
    Ok(())
}

fn compare_attacks(position: &Position, board: &Board) -> TestCaseResult {
    for square in Square::all() {
        let occupied = position.occupied() | Bitboard::of(square);
        let expected = board.attackers(square, Color::Red) | board.attackers(square, Color::Black);
        let attackers = position.attackers_to(square, occupied) & occupied;
        prop_assert_eq!(attackers, expected, "attackers of {}", square);
    }
    for side in Color::ALL {
        // Advisors, elephants and the king itself never reach the other palace.
        for square in attacks::palace(side) {
            let attacked = !board.attackers_of_king(square, !side).is_empty();
            prop_assert_eq!(
                position.is_attacked(square, !side),
                attacked,
                "attack on {}",
                square
            );
        }
    }
    Ok(())
}
