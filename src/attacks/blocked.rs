//! Horse and elephant: the four squares that may block them make a four-bit
//! index into a table per square.
//!
//! ```text
//!   horse: legs           elephant: eyes, and the legs
//!     .  3  .             of horses that attack the square
//!     1  x  2                3  .  2
//!     .  0  .                .  x  .
//!                            1  .  0   (bit numbers as gathered below)
//! ```
//!
//! No care is needed at the edge of the board: a wrong blocker bit there only
//! closes targets that do not exist.

use super::reference;
use crate::types::{Bitboard, Square};

type ByBlockers = [[Bitboard; 16]; 128];

/// Offsets of the leg squares, in the order of the gathered bits.
const LEGS: [i32; 4] = [-9, -1, 1, 9];
/// Offsets of the eye squares, in the order of the gathered bits.
const EYES: [i32; 4] = [-10, -8, 8, 10];

const fn by_blockers(kind: u8) -> ByBlockers {
    let offsets = match kind {
        b'n' => LEGS,
        _ => EYES,
    };
    let mut table = [[Bitboard::EMPTY; 16]; 128];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut blockers = 0;
        while blockers < 16 {
            let mut occupied = 0;
            let mut bit = 0;
            while bit < 4 {
                let at = index as i32 + offsets[bit];
                if blockers >> bit & 1 != 0 && at >= 0 && at < 90 {
                    occupied |= 1u128 << at;
                }
                bit += 1;
            }
            let occupied = Bitboard::from_bits(occupied);
            table[index][blockers] = match kind {
                b'n' => reference::knight(square, occupied),
                b'b' => reference::bishop(square, occupied),
                _ => attackers_past_legs(square, occupied),
            };
            blockers += 1;
        }
        index += 1;
    }
    table
}

/// The horses that attack `to`: the leg of each lies diagonally next to `to`.
const fn attackers_past_legs(to: Square, occupied: Bitboard) -> Bitboard {
    let mut set = 0u128;
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = reference::DIAGONAL[direction];
        if let Some(leg) = to.offset(files, ranks)
            && occupied.bits() >> leg.index() & 1 == 0
        {
            if let Some(from) = leg.offset(files, 0) {
                set |= 1 << from.index();
            }
            if let Some(from) = leg.offset(0, ranks) {
                set |= 1 << from.index();
            }
        }
        direction += 1;
    }
    Bitboard::from_bits(set)
}

static KNIGHT: ByBlockers = by_blockers(b'n');
static BISHOP: ByBlockers = by_blockers(b'b');
static KNIGHT_ATTACKERS: ByBlockers = by_blockers(b'f');

#[inline(always)]
fn legs(from: Square, occupied: Bitboard) -> usize {
    let x = ((occupied.bits() << 9) >> from.index()) as usize;
    (x & 1) | (x >> 7 & 2) | (x >> 8 & 4) | (x >> 15 & 8)
}

#[inline(always)]
fn eyes(from: Square, occupied: Bitboard) -> usize {
    let x = ((occupied.bits() << 10) >> from.index()) as usize;
    (x & 1) | (x >> 1 & 2) | (x >> 16 & 4) | (x >> 17 & 8)
}

/// A horse's targets.
#[inline(always)]
pub fn knight(from: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT[from.index() & 127][legs(from, occupied) & 15]
}

/// An elephant's targets.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[from.index() & 127][eyes(from, occupied) & 15]
}

/// The up to four squares diagonally next to a square.
static DIAGONALS: [Bitboard; 128] = {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut set = 0u128;
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = reference::DIAGONAL[direction];
            if let Some(next) = square.offset(files, ranks) {
                set |= 1 << next.index();
            }
            direction += 1;
        }
        table[index] = Bitboard::from_bits(set);
        index += 1;
    }
    table
};

/// The up to four squares diagonally next to a square: the legs of the horses
/// that attack it.
#[inline(always)]
pub fn diagonal_neighbours(square: Square) -> Bitboard {
    DIAGONALS[square.index() & 127]
}

/// The leg of the horse on `from` on its way to `to`: the square where the
/// straight step ends. `to` must be a horse's move away.
#[inline(always)]
pub fn leg(from: Square, to: Square) -> Square {
    // The long part of the move is 2 files or 2 ranks: halve it and stop there.
    let step = to.index() as i32 - from.index() as i32;
    let leg = match step {
        -19 | -17 => -9,
        17 | 19 => 9,
        -11 | 7 => -1,
        _ => 1,
    };
    Square::from_index((from.index() as i32 + leg) as usize & 127)
        .expect("a leg lies between two squares of the board")
}

/// The squares from which a horse attacks `to`. Not the same as [`knight`]: a
/// horse is blocked at its own leg, which lies diagonally next to `to`.
#[inline(always)]
pub fn knight_attackers(to: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_ATTACKERS[to.index() & 127][eyes(to, occupied) & 15]
}
