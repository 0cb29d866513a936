//! Move counts of known positions, by the reference generator and by the fast
//! one. The deep counts are `tests/perft.rs`'s.

use super::reference::Board;
use super::samples::cases::{self, Case};
use crate::position::{Level, Position, perft};

/// What is believed of the reference, beyond its simplicity, rests on this.
#[test]
fn the_reference_gives_the_known_counts() {
    for case in cases::all() {
        let board = Board::of(&position_of(&case));
        for &(depth, count) in case.counts.iter().filter(|(_, count)| *count < 6_000) {
            assert_eq!(
                board.perft(depth),
                count,
                "D{depth} {} {}",
                case.fen,
                case.note
            );
        }
    }
}

#[test]
fn the_cases_of_the_legality_walk() {
    let cases = cases::parse(cases::LEGALITY);
    assert_eq!(cases.len(), 25);
    for case in &cases {
        let depths: Vec<u32> = case.counts.iter().map(|&(depth, _)| depth).collect();
        assert_eq!(depths, [1, 2, 3, 4], "{}", case.note);
        for &(depth, count) in &case.counts {
            for level in [Level::Baseline, Level::detect()] {
                let counted = perft(&mut position_of(case), depth, level);
                assert_eq!(
                    counted, count,
                    "D{depth} {level:?} {} {}",
                    case.fen, case.note
                );
            }
        }
    }
}

fn position_of(case: &Case) -> Position {
    Position::from_fen(case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.fen))
}
