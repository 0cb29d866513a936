//! Points as the book formats number them: a 16 by 16 board of bytes with the
//! board in its middle, rank 9 on top.
//!
//! ```text
//! byte = (12 - rank) * 16 + 3 + file        a9 = 0x33  i9 = 0x3b
//!                                           a0 = 0xc3  i0 = 0xcb
//! ```

use crate::types::{File, Move, Rank, Square};

/// The byte of a point.
pub(super) const fn to_byte(square: Square) -> u8 {
    ((12 - square.rank().index()) * 16 + 3 + square.file().index()) as u8
}

/// The point of a byte, if it is on the board.
pub(super) fn from_byte(byte: u8) -> Option<Square> {
    let file = File::new(usize::from(byte & 15).checked_sub(3)?)?;
    let rank = Rank::new(12usize.checked_sub(usize::from(byte >> 4))?)?;
    Some(Square::new(file, rank))
}

/// The move between the points of two bytes.
pub(super) fn move_of(from: u8, to: u8) -> Option<Move> {
    Move::checked(from_byte(from)?, from_byte(to)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_formats() {
        for (text, byte) in [("a0", 0xc3), ("i0", 0xcb), ("e0", 0xc7), ("a9", 0x33)] {
            assert_eq!(to_byte(text.parse().unwrap()), byte, "{text}");
        }
        let on_board = (0..=255).filter_map(from_byte).count();
        assert_eq!(on_board, Square::COUNT);
        for square in Square::all() {
            assert_eq!(from_byte(to_byte(square)), Some(square));
            // The formats mirror a byte so.
            let byte = to_byte(square);
            let mirror = (byte & 0xf0) | (14 - (byte & 15));
            assert_eq!(from_byte(mirror), Some(square.mirror_file()));
        }
        assert_eq!(move_of(0xa4, 0xa7), "b2e2".parse().ok());
        assert_eq!(move_of(0xa4, 0xa4), None);
        let mirrored = move_of(0xa4, 0xa7).map(Move::mirror_file);
        assert_eq!(mirrored, "h2e2".parse().ok());
    }
}
