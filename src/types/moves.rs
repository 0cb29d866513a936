//! Moves, their coordinate text, and the list that move generation fills.

use super::Square;
use arrayvec::ArrayVec;
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;
use thiserror::Error;

/// One man from one square to another. What it is and what it captures the
/// position knows.
///
/// ```text
/// bit 15 14 | 13 .. 7 | 6 .. 0
///      0  0 |   to    |  from
/// ```
///
/// A move never stays where it is, so the word is never zero and
/// `Option<Move>` takes two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move between two different squares; `None` if they are the same.
    pub const fn checked(from: Square, to: Square) -> Option<Self> {
        if from.index() == to.index() {
            return None;
        }
        match NonZeroU16::new(from.index() as u16 | (to.index() as u16) << 7) {
            Some(word) => Some(Self(word)),
            None => None,
        }
    }

    /// The move between two different squares.
    ///
    /// # Panics
    /// If they are the same square, which no generator produces.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        match NonZeroU16::new(from.index() as u16 | (to.index() as u16) << 7) {
            Some(word) => Self(word),
            None => panic!("a move has two different squares"),
        }
    }

    /// The word drawn above, for a hash table.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Reads the word of [`Move::to_bits`]; anything else is `None`.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (
            Square::from_index(bits as usize & 127),
            Square::from_index(bits as usize >> 7),
        ) {
            (Some(from), Some(to)) => Self::checked(from, to),
            _ => None,
        }
    }

    /// Where the man leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_bit(self.0.get() as u32 & 127)
    }

    /// Where it arrives.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_bit(self.0.get() as u32 >> 7)
    }

    /// The same move on the board with both sides exchanged.
    pub const fn flip_rank(self) -> Self {
        Self::new(self.from().flip_rank(), self.to().flip_rank())
    }

    /// The same move on the left-right mirrored board.
    pub const fn mirror_file(self) -> Self {
        Self::new(self.from().mirror_file(), self.to().mirror_file())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move such as `h2e2`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a move like h2e2")]
pub struct MoveTextError(pub String);

impl FromStr for Move {
    type Err = MoveTextError;

    /// Reads coordinate text as met in the wild: `h2e2`, `H2E2`, `h2-e2`, and
    /// with ranks counted from 1 where a rank 10 shows it beyond doubt (`h10g8`).
    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        parse(text).ok_or_else(|| MoveTextError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Move> {
    let (from, rest) = split_square(text)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let (to, rest) = split_square(rest)?;
    if !rest.is_empty() {
        return None;
    }
    let base = u8::from(from.1 == 10 || to.1 == 10);
    let square = |(file, rank): (u8, u8)| {
        let rank = rank.checked_sub(base)?;
        (rank < 10).then(|| Square::from_index(9 * rank as usize + file as usize))?
    };
    Move::checked(square(from)?, square(to)?)
}

/// A file letter and a rank of one digit, or the rank 10.
fn split_square(text: &str) -> Option<((u8, u8), &str)> {
    let bytes = text.as_bytes();
    let file = bytes.first()?.to_ascii_lowercase().wrapping_sub(b'a');
    if file >= 9 || !bytes.get(1)?.is_ascii_digit() {
        return None;
    }
    let ten = bytes[1] == b'1' && bytes.get(2) == Some(&b'0');
    let (rank, len) = if ten { (10, 3) } else { (bytes[1] - b'0', 2) };
    Some(((file, rank), &text[len..]))
}

/// The most moves a position can have: 15 rooks with 17 targets each and a king
/// with four. The validation of positions allows 16 men a side.
pub const MAX_MOVES: usize = 15 * 17 + 4;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinate_text_in_every_accepted_form() {
        let central: Move = "h2e2".parse().unwrap();
        for text in ["H2E2", "h2-e2", "H2-E2"] {
            assert_eq!(text.parse(), Ok(central), "{text}");
        }
        assert_eq!("h10g8".parse::<Move>(), "h9g7".parse());
        assert_eq!("a1a10".parse::<Move>(), "a0a9".parse());
        for bad in [
            "",
            "h2",
            "h2e",
            "h2e2q",
            "h2h2",
            "j2e2",
            "0000",
            "h2e2 ",
            "(none)",
            "h10h0",
            "炮二平五",
        ] {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
    }

    #[test]
    fn words_round_trip() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::new(from, to);
                assert_eq!((mv.from(), mv.to()), (from, to));
                assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
            }
        }
        assert_eq!(Move::from_bits(0), None);
        assert_eq!(Move::from_bits(u16::MAX), None);
    }

    #[test]
    fn an_optional_move_takes_two_bytes() {
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
