//! The key of `.obk` and `.pfBook` books.
//!
//! The exclusive or of a number for every man on its point, and one more if Red is
//! to move. The numbers stand in `obk_keys.txt`: for the men K A B N R C P, first
//! Red's, then Black's, ten lines of nine, rank 0 first. No rule that makes them is
//! known; all programs that read such books carry the same ones.

use crate::position::Position;
use crate::types::{Color, Square};

const TEXT: &[u8] = include_bytes!("obk_keys.txt");

/// Hexadecimal digits of a number; one byte separates it from the next.
const DIGITS: usize = 16;

const RED_TO_MOVE: u64 = 0xa0ce_2af9_0c45_2f58;

const KEYS: [[u64; Square::COUNT]; 14] = {
    let mut keys = [[0; Square::COUNT]; 14];
    let mut index = 0;
    while index < 14 * Square::COUNT {
        keys[index / Square::COUNT][index % Square::COUNT] = number(index * (DIGITS + 1));
        index += 1;
    }
    keys
};

const fn number(at: usize) -> u64 {
    let mut number = 0;
    let mut digit = 0;
    while digit < DIGITS {
        let value = match TEXT[at + digit] {
            byte @ b'0'..=b'9' => byte - b'0',
            byte @ b'A'..=b'F' => byte - b'A' + 10,
            _ => panic!("sixteen digits"),
        };
        number = number << 4 | value as u64;
        digit += 1;
    }
    number
}

/// The key of a position. Its mirror image has another one.
pub fn obk_key(position: &Position) -> u64 {
    static TABLE: [[u64; Square::COUNT]; 14] = KEYS;
    let side = match position.side_to_move() {
        Color::Red => RED_TO_MOVE,
        Color::Black => 0,
    };
    position.occupied().into_iter().fold(side, |key, square| {
        let piece = position.piece_on(square);
        key ^ piece.map_or(0, |piece| TABLE[piece.index()][square.index()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_other_programs() {
        let mut position = Position::start();
        assert_eq!(obk_key(&position), 7_101_337_512_282_506_414);
        position.make("h2e2".parse().unwrap());
        assert_eq!(obk_key(&position) as i64, -6_779_375_433_368_598_546);
    }
}
