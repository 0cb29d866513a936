//! Where a man on a square reaches, given the occupied squares.
//!
//! Leans on `types`. Every function is a table look-up; the tables are computed
//! at compile time and take about 180 KB, of which little is hot. The slow,
//! obvious versions in [`mod@reference`] define what the look-ups must return.
//!
//! Target sets include occupied squares of either side: the caller removes its
//! own men. Squares a man may never stand on (palace, river) are left out.

mod blocked;
mod leapers;
pub mod reference;
mod sliders;

pub use blocked::{bishop, diagonal_neighbours, knight, knight_attackers, leg};
pub use leapers::{
    BISHOP_POINTS, FILE_A, FILE_I, advisor, advisor_points, bishop_points, king, palace,
    palace_centre, pawn, pawn_attackers,
};
pub use sliders::{FILE_CANNON, FILE_ROOK, FileTable, RANK_CANNON, RANK_ROOK, RankTable};
pub use sliders::{between, between_any, cannon, cross, file_bits, rank_bits, rook};

use crate::types::{Bitboard, Piece, PieceType, Square};

/// The squares a man attacks or may move to on a board with these occupied
/// squares, own men not removed. For a cannon: the quiet squares and the
/// captures, which is exact because a quiet square is empty and a capture is not.
#[inline(always)]
pub fn targets(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind {
        PieceType::King => king(from),
        PieceType::Advisor => advisor(from),
        PieceType::Bishop => bishop(from, occupied),
        PieceType::Knight => knight(from, occupied),
        PieceType::Rook => rook(from, occupied),
        PieceType::Cannon => cannon(from, occupied),
        PieceType::Pawn => pawn(piece.color, from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;
    use proptest::prelude::*;

    /// Boards of every density, from nearly empty to nearly full.
    fn occupied() -> impl Strategy<Value = Bitboard> {
        (any::<u128>(), any::<u128>(), any::<u128>(), 0..5).prop_map(|(a, b, c, density)| {
            Bitboard::from_bits(match density {
                0 => a & b & c,
                1 => a & b,
                2 => a,
                3 => a | b,
                _ => a | b | c,
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn look_ups_equal_the_reference(occupied in occupied()) {
            for square in Square::all() {
                prop_assert_eq!(rook(square, occupied), reference::rook(square, occupied));
                prop_assert_eq!(cannon(square, occupied), reference::cannon(square, occupied));
                prop_assert_eq!(knight(square, occupied), reference::knight(square, occupied));
                prop_assert_eq!(bishop(square, occupied), reference::bishop(square, occupied));
            }
        }

        #[test]
        fn horse_attackers_equal_the_reference(occupied in occupied(), index in 0..90usize) {
            let square = Square::from_index(index).unwrap();
            prop_assert_eq!(
                knight_attackers(square, occupied),
                reference::knight_attackers(square, occupied)
            );
        }
    }

    #[test]
    fn squares_between_are_the_open_line() {
        for a in Square::all() {
            for b in Square::all() {
                let aligned = reference::rook(a, Bitboard::EMPTY).contains(b);
                let open: Bitboard = Square::all()
                    .filter(|&c| {
                        aligned
                            && reference::rook(a, Bitboard::of(b)).contains(c)
                            && reference::rook(b, Bitboard::of(a)).contains(c)
                            && c != a
                            && c != b
                    })
                    .collect();
                assert_eq!(between_any(a, b), open, "{a} {b}");
                if reference::in_any_palace(a) {
                    assert_eq!(between(a, b), open, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn pawn_attackers_are_the_reverse_of_pawn_moves() {
        for side in Color::ALL {
            for from in Square::all() {
                for to in Square::all() {
                    assert_eq!(
                        pawn(side, from).contains(to),
                        pawn_attackers(side, to).contains(from)
                    );
                }
            }
        }
    }

    /// The examples every player knows, drawn out.
    #[test]
    fn a_cannon_needs_exactly_one_screen() {
        let sq = |text: &str| text.parse::<Square>().unwrap();
        let set = |text: &str| text.split(' ').map(sq).collect::<Bitboard>();
        let from = sq("b2");
        assert!(!cannon(from, set("b2 b9")).contains(sq("b9")));
        assert!(cannon(from, set("b2 b9")).contains(sq("b8")));
        assert!(cannon(from, set("b2 b5 b9")).contains(sq("b9")));
        assert!(!cannon(from, set("b2 b5 b9")).contains(sq("b6")));
        assert!(!cannon(from, set("b2 b5 b7 b9")).contains(sq("b9")));
    }
}
