//! Files, ranks and the 90 points of the board.
//!
//! A [`Square`] is always on the board: there is no way to build one that is not.

use super::Color;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A column, `a` to `i`, from Red's left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

impl File {
    /// How many files there are.
    pub const COUNT: usize = 9;

    /// The file with this index (0 = `a`), if there is one.
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// All files, `a` first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 0 for `a` to 8 for `i`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `a` to `i`.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

/// A row, 0 (Red's back rank) to 9 (Black's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 10;

    /// The rank with this index, if there is one.
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// All ranks, Red's back rank first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 0 to 9, seen from Red.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 to 9, seen from `side`: the own back rank is 0.
    #[inline(always)]
    pub const fn relative_index(self, side: Color) -> usize {
        match side {
            Color::Red => self.0 as usize,
            Color::Black => 9 - self.0 as usize,
        }
    }
}

/// A point of the board, `a0` to `i9`; index = 9 * rank + file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many points there are.
    pub const COUNT: usize = 90;

    /// The point where file and rank meet.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank.0 * 9 + file.0)
    }

    /// The point with this index, if there is one.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The point of the lowest set bit of a non-empty board mask. Only
    /// `Bitboard` calls this; its invariant keeps the index below 90.
    #[inline(always)]
    pub(super) const fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < Self::COUNT as u32);
        Self(bit as u8)
    }

    /// The point `files` to the right and `ranks` up from here, if on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let file = self.0 as i32 % 9 + files;
        let rank = self.0 as i32 / 9 + ranks;
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
            Some(Self((rank * 9 + file) as u8))
        } else {
            None
        }
    }

    /// All points in index order: `a0`, `b0`, ... `i9`.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 9 * rank + file.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File(self.0 % 9)
    }

    /// Its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank(self.0 / 9)
    }

    /// The point seen from the other side of the river: rank 0 and 9 change places.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self((9 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// The point in the left-right mirror: file `a` and `i` change places.
    #[inline(always)]
    pub const fn mirror_file(self) -> Self {
        Self(self.0 / 9 * 9 + 8 - self.0 % 9)
    }

    /// The point as `side` sees it, with its own back rank as rank 0.
    #[inline(always)]
    pub const fn relative_to(self, side: Color) -> Self {
        match side {
            Color::Red => self,
            Color::Black => self.flip_rank(),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().index())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text does not name a point `a0` to `i9`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a square a0 to i9")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `a0` to `i9`; the file letter may be upper case.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let error = || SquareError(text.to_owned());
        let [file, rank] = text.as_bytes() else {
            return Err(error());
        };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'0');
        match (File::new(file as usize), Rank::new(rank as usize)) {
            (Some(file), Some(rank)) => Ok(Self::new(file, rank)),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_for_every_square() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "a", "a10", "j0", "aa", "é1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn reflections_are_their_own_inverse() {
        for square in Square::all() {
            assert_eq!(square.flip_rank().flip_rank(), square);
            assert_eq!(square.mirror_file().mirror_file(), square);
            assert_eq!(Square::from_index(square.index()), Some(square));
        }
        assert_eq!(Square::from_index(90), None);
    }

    #[test]
    fn offset_stays_on_the_board() {
        let corner: Square = "i9".parse().unwrap();
        assert_eq!(corner.offset(1, 0), None);
        assert_eq!(corner.offset(0, 1), None);
        assert_eq!(corner.offset(-1, -2), "h7".parse().ok());
    }
}
