//! King, advisor and pawn: one look-up by square.

use super::reference;
use crate::types::{Bitboard, Color, File, Square};

/// A table with an entry for each square, padded so that `& 127` proves the
/// bounds.
type BySquare = [Bitboard; 128];

const fn by_square(kind: u8) -> BySquare {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        table[index] = match kind {
            b'k' => reference::king(square),
            b'a' => reference::advisor(square),
            b'P' => reference::pawn(Color::Red, square),
            b'p' => reference::pawn(Color::Black, square),
            b'F' => came_from(Color::Red, square),
            _ => came_from(Color::Black, square),
        };
        index += 1;
    }
    table
}

/// The squares from which a pawn of `side` reaches `to`: one step back, and
/// beside it if it has crossed the river.
const fn came_from(side: Color, to: Square) -> Bitboard {
    let crossed = to.rank().relative_index(side) >= 5;
    let backward = match side {
        Color::Red => -1,
        Color::Black => 1,
    };
    let mut set = 0;
    if let Some(from) = to.offset(0, backward) {
        set |= 1 << from.index();
    }
    if crossed && let Some(from) = to.offset(-1, 0) {
        set |= 1 << from.index();
    }
    if crossed && let Some(from) = to.offset(1, 0) {
        set |= 1 << from.index();
    }
    Bitboard::from_bits(set)
}

static KING: BySquare = by_square(b'k');
static ADVISOR: BySquare = by_square(b'a');
static PAWN: [BySquare; 2] = [by_square(b'P'), by_square(b'p')];
static PAWN_ATTACKERS: [BySquare; 2] = [by_square(b'F'), by_square(b'f')];

/// The nine palace squares of each side.
const PALACE: [Bitboard; 2] = [palace_of(3), palace_of(66)];

const fn palace_of(corner: usize) -> Bitboard {
    let row: u128 = 0b111;
    Bitboard::from_bits((row | row << 9 | row << 18) << corner)
}

/// The seven elephant squares of a half, bit 0 = the half's first square. The
/// picture is the same for both sides.
pub const BISHOP_POINTS: u64 = 1 << 2 | 1 << 6 | 1 << 18 | 1 << 22 | 1 << 26 | 1 << 38 | 1 << 42;

/// The palace (九宫) of a side.
#[inline(always)]
pub const fn palace(side: Color) -> Bitboard {
    PALACE[side.index()]
}

/// File a, where nothing goes left.
pub const FILE_A: Bitboard = edge_file(0);
/// File i, where nothing goes right.
pub const FILE_I: Bitboard = edge_file(8);

const fn edge_file(index: usize) -> Bitboard {
    match File::new(index) {
        Some(file) => Bitboard::file(file),
        None => panic!("a file index is below 9"),
    }
}

/// The centre of a side's palace, the middle of the advisors' five points.
#[inline(always)]
pub const fn palace_centre(side: Color) -> Bitboard {
    match side {
        Color::Red => Bitboard::from_bits(1 << 13),
        Color::Black => Bitboard::from_bits(1 << 76),
    }
}

/// The five squares an advisor of this side can stand on.
#[inline(always)]
pub const fn advisor_points(side: Color) -> Bitboard {
    let corner = match side {
        Color::Red => 3,
        Color::Black => 66,
    };
    Bitboard::from_bits((0b101 | 0b10 << 9 | 0b101 << 18) << corner)
}

/// The seven squares an elephant of this side can stand on.
pub const fn bishop_points(side: Color) -> Bitboard {
    let shift = match side {
        Color::Red => 0,
        Color::Black => 45,
    };
    Bitboard::from_bits((BISHOP_POINTS as u128) << shift)
}

/// One straight step inside the palace; empty outside.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    KING[from.index() & 127]
}

/// One diagonal step inside the palace; empty outside.
#[inline(always)]
pub fn advisor(from: Square) -> Bitboard {
    ADVISOR[from.index() & 127]
}

/// One step forward for a pawn of `side`, over the river also sideways.
#[inline(always)]
pub fn pawn(side: Color, from: Square) -> Bitboard {
    PAWN[side.index()][from.index() & 127]
}

/// The squares from which a pawn of `side` attacks `to`.
#[inline(always)]
pub fn pawn_attackers(side: Color, to: Square) -> Bitboard {
    PAWN_ATTACKERS[side.index()][to.index() & 127]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_sets_are_what_the_moves_reach() {
        for side in Color::ALL {
            assert_eq!(palace(side).len(), 9);
            assert_eq!(advisor_points(side).len(), 5);
            assert_eq!(bishop_points(side).len(), 7);
            for square in advisor_points(side) {
                assert!(advisor(square).is_subset_of(advisor_points(side)));
            }
            for square in bishop_points(side) {
                let reach = reference::bishop(square, Bitboard::EMPTY);
                assert!(reach.is_subset_of(bishop_points(side)) && !reach.is_empty());
            }
            for square in palace(side) {
                assert!(king(square).is_subset_of(palace(side)));
            }
        }
    }

    #[test]
    fn a_pawn_never_retreats_and_turns_only_over_the_river() {
        let e3: Square = "e3".parse().unwrap();
        assert_eq!(pawn(Color::Red, e3).len(), 1);
        assert_eq!(pawn(Color::Black, e3).len(), 3);
        let e9: Square = "e9".parse().unwrap();
        assert_eq!(pawn(Color::Red, e9).len(), 2);
        assert_eq!(pawn(Color::Black, e9).len(), 1);
    }
}
