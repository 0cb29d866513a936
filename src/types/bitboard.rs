//! A set of squares: 90 bits of a `u128`, bit = 9 * rank + file.
//!
//! Invariant: the upper 38 bits are always clear, so that a bit index is a
//! square. [`Bitboard::from_bits`] drops them; no operation sets them.

use super::{File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

/// One bit by square. A table: a shift of a `u128` by a variable costs five to
/// eight instructions. Padded so that `& 127` proves the bounds.
static BIT: [u128; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = 1 << i;
        i += 1;
    }
    table
};

const BOARD: u128 = (1 << 90) - 1;
const RANK_0: u128 = (1 << 9) - 1;
const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < 10 {
        bits |= 1 << (9 * rank);
        rank += 1;
    }
    bits
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 90 squares.
    pub const ALL: Self = Self(BOARD);
    /// Ranks 0 to 4.
    pub const RED_HALF: Self = Self((1 << 45) - 1);
    /// Ranks 5 to 9.
    pub const BLACK_HALF: Self = Self(BOARD & !((1 << 45) - 1));

    /// The set with these bits; bits above the board are dropped.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & BOARD)
    }

    /// The raw bits.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Self(BIT[square.index() & 127])
    }

    /// The set of one square, for building tables at compile time.
    pub const fn of_const(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// All squares of a file.
    pub const fn file(file: File) -> Self {
        Self(FILE_A << file.index())
    }

    /// All squares of a rank.
    pub const fn rank(rank: Rank) -> Self {
        Self(RANK_0 << (9 * rank.index()))
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        self.0 & BIT[square.index() & 127] != 0
    }

    /// Whether the sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square is also in `other`.
    #[inline(always)]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at least two squares are in the set.
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether exactly two squares are in the set.
    #[inline(always)]
    pub const fn is_pair(self) -> bool {
        let rest = self.0 & self.0.wrapping_sub(1);
        rest != 0 && rest & (rest - 1) == 0
    }

    /// How many squares are in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// The square with the lowest index, if any.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        let low = self.0 as u64;
        if low != 0 {
            return Some(Square::from_bit(low.trailing_zeros()));
        }
        let high = (self.0 >> 64) as u64;
        if high != 0 {
            return Some(Square::from_bit(64 + high.trailing_zeros()));
        }
        None
    }

    /// The set in the mirror across the river.
    pub fn flip_ranks(self) -> Self {
        self.into_iter().map(Square::flip_rank).collect()
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The squares of the board that are not in the set.
impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & BOARD)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares {
            low: self.0 as u64,
            high: (self.0 >> 64) as u64,
        }
    }
}

/// The squares of a set in index order. The two words are walked apart: half
/// the work of clearing a bit in a `u128`.
#[derive(Clone, Debug)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = Square::from_bit(self.low.trailing_zeros());
            self.low &= self.low - 1;
            return Some(square);
        }
        if self.high != 0 {
            let square = Square::from_bit(64 + self.high.trailing_zeros());
            self.high &= self.high - 1;
            return Some(square);
        }
        None
    }
}

/// Draws the board, rank 9 on top, `x` for a square of the set.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all().rev() {
            writeln!(f)?;
            for file in File::all() {
                let hit = self.contains(Square::new(file, rank));
                f.write_str(if hit { " x" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_yields_the_members_in_order() {
        let set: Bitboard = Square::all().filter(|s| s.index() % 7 == 0).collect();
        let squares: Vec<usize> = set.into_iter().map(Square::index).collect();
        assert_eq!(squares, (0..90).step_by(7).collect::<Vec<_>>());
        assert_eq!(set.len(), 13);
        assert_eq!((!set).len(), 77);
        assert_eq!(set.first(), Square::from_index(0));
    }

    #[test]
    fn files_and_ranks_partition_the_board() {
        let files = File::all().fold(Bitboard::EMPTY, |set, f| set ^ Bitboard::file(f));
        let ranks = Rank::all().fold(Bitboard::EMPTY, |set, r| set ^ Bitboard::rank(r));
        assert_eq!(files, Bitboard::ALL);
        assert_eq!(ranks, Bitboard::ALL);
        assert_eq!(Bitboard::RED_HALF ^ Bitboard::BLACK_HALF, Bitboard::ALL);
    }

    #[test]
    fn several_means_two_or_more() {
        assert!(!Bitboard::EMPTY.has_several());
        for square in Square::all() {
            assert!(!Bitboard::of(square).has_several());
        }
        assert!(Bitboard::RED_HALF.has_several());
    }
}
