//! Rook and cannon by line tables: one look-up for the rank, one for the file.
//!
//! The rank's nine bits are a shift away. The file's ten bits lie nine apart;
//! with the file shifted to file a, one 64-bit multiplication gathers ranks 0
//! to 7 into the top byte and two single bits supply ranks 8 and 9. A cannon's
//! entry holds quiet squares and captures together: the former are empty and
//! the latter occupied, so one look-up is exact.
//!
//! Tables: rank 2 x 9 x 512 x u16, file 2 x 10 x 1024 x u16, spread 1024 x
//! u128, 75 KB. Magic or PEXT tables over whole squares were measured (the
//! guide has the figures): faster in perft alone, but 35 MB that the hash table
//! and the network want.

use super::reference;
use crate::types::{Bitboard, File, Rank, Square};

/// Targets on a rank by file of the man and occupied files of the rank.
pub type RankTable = [[u16; 512]; 16];
/// Targets on a file by rank of the man and occupied ranks of the file.
pub type FileTable = [[u16; 1024]; 16];

/// Rook along its rank.
pub static RANK_ROOK: RankTable = rank_table(false);
/// Cannon along its rank.
pub static RANK_CANNON: RankTable = rank_table(true);
/// Rook along its file.
pub static FILE_ROOK: FileTable = file_table(false);
/// Cannon along its file.
pub static FILE_CANNON: FileTable = file_table(true);

/// A ten-bit set of ranks as squares of file a.
static SPREAD: [Bitboard; 1024] = {
    let mut table = [Bitboard::EMPTY; 1024];
    let mut ranks = 0;
    while ranks < 1024 {
        table[ranks] = spread(ranks as u128);
        ranks += 1;
    }
    table
};

const fn spread(ranks: u128) -> Bitboard {
    let mut squares = 0;
    let mut rank = 0;
    while rank < 10 {
        squares |= (ranks >> rank & 1) << (9 * rank);
        rank += 1;
    }
    Bitboard::from_bits(squares)
}

/// The targets on a line of up to ten points: a one-dimensional rook or cannon.
/// Compile-time evaluation is slow, so the tables do without the reference
/// functions; the tests compare the two.
const fn line_targets(from: i32, length: i32, occupied: u16, jumps: bool) -> u16 {
    let mut targets = 0;
    let mut step = -1;
    while step <= 1 {
        let mut at = from + step;
        let mut met = 0;
        while at >= 0 && at < length && met < 1 + jumps as u16 {
            let is_occupied = occupied >> at & 1;
            if !jumps || met == is_occupied {
                targets |= 1 << at;
            }
            met += is_occupied;
            at += step;
        }
        step += 2;
    }
    targets
}

const fn rank_table(jumps: bool) -> RankTable {
    let mut table = [[0; 512]; 16];
    let mut file = 0;
    while file < File::COUNT {
        let mut occupied = 0;
        while occupied < 512 {
            table[file][occupied] = line_targets(file as i32, 9, occupied as u16, jumps);
            occupied += 1;
        }
        file += 1;
    }
    table
}

const fn file_table(jumps: bool) -> FileTable {
    let mut table = [[0; 1024]; 16];
    let mut rank = 0;
    while rank < Rank::COUNT {
        let mut occupied = 0;
        while occupied < 1024 {
            table[rank][occupied] = line_targets(rank as i32, 10, occupied as u16, jumps);
            occupied += 1;
        }
        rank += 1;
    }
    table
}

/// The occupied files of a rank, bit 0 = file a.
#[inline(always)]
pub fn rank_bits(occupied: Bitboard, rank: Rank) -> usize {
    (occupied.bits() >> (9 * rank.index())) as usize & 511
}

/// The occupied ranks of a file, bit 0 = rank 0.
#[inline(always)]
pub fn file_bits(occupied: Bitboard, file: File) -> usize {
    const RANKS_0_TO_7: u64 = 0x8040_2010_0804_0201;
    const TO_TOP_BYTE: u64 = 0x0101_0101_0101_0101;
    let on_file_a = occupied.bits() >> file.index();
    let low = (on_file_a as u64 & RANKS_0_TO_7).wrapping_mul(TO_TOP_BYTE) >> 56;
    let high = (on_file_a >> 64) as u64;
    (low | high & 0x100 | high >> 8 & 0x200) as usize
}

#[inline(always)]
fn lines(from: Square, occupied: Bitboard, ranks: &RankTable, files: &FileTable) -> Bitboard {
    let (file, rank) = (from.file(), from.rank());
    let on_rank = ranks[file.index() & 15][rank_bits(occupied, rank)];
    let on_file = files[rank.index() & 15][file_bits(occupied, file) & 1023];
    let on_rank = (on_rank as u128) << (9 * rank.index());
    let on_file = SPREAD[on_file as usize & 1023].bits() << file.index();
    Bitboard::from_bits(on_rank | on_file)
}

/// A rook's targets: along each line to the first man, included.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    lines(from, occupied, &RANK_ROOK, &FILE_ROOK)
}

/// A cannon's targets: the empty squares before the first man of each line, and
/// the second man.
#[inline(always)]
pub fn cannon(from: Square, occupied: Bitboard) -> Bitboard {
    lines(from, occupied, &RANK_CANNON, &FILE_CANNON)
}

static CROSS: [Bitboard; 128] = {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        table[index] = reference::rook(square, Bitboard::EMPTY);
        index += 1;
    }
    table
};

/// The rank and the file of a square, without the square.
#[inline(always)]
pub fn cross(square: Square) -> Bitboard {
    CROSS[square.index() & 127]
}

/// The squares strictly between the two squares of a king and of another man,
/// by palace square (0 to 17) and square.
static BETWEEN: [[Bitboard; 128]; 32] = {
    let mut table = [[Bitboard::EMPTY; 128]; 32];
    let mut a = 0;
    while let Some(from) = Square::from_index(a) {
        if reference::in_any_palace(from) {
            let mut b = 0;
            while let Some(to) = Square::from_index(b) {
                table[palace_index(from)][b] = slow_between(from, to);
                b += 1;
            }
        }
        a += 1;
    }
    table
};

/// 0 to 8 for Red's palace, 9 to 17 for Black's; other squares share numbers.
#[inline(always)]
const fn palace_index(square: Square) -> usize {
    let (file, rank) = (square.file().index(), square.rank().index());
    let row = if rank < 5 { rank } else { rank - 4 };
    (row * 3 + file - 3) & 31
}

const fn slow_between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a.index() < b.index() {
        (a.index(), b.index())
    } else {
        (b.index(), a.index())
    };
    let step = if a.rank().index() == b.rank().index() {
        1
    } else if a.file().index() == b.file().index() {
        9
    } else {
        90
    };
    let mut set = 0u128;
    let mut at = low + step;
    while at < high {
        set |= 1 << at;
        at += step;
    }
    Bitboard::from_bits(set)
}

/// The squares strictly between a palace square and another square of its rank
/// or file; empty if they share neither.
///
/// `king` must be a palace square (checked in debug builds only): this is the
/// look-up of the legality walk.
#[inline(always)]
pub fn between(king: Square, other: Square) -> Bitboard {
    debug_assert!(reference::in_any_palace(king));
    BETWEEN[palace_index(king)][other.index() & 127]
}

/// The squares strictly between any two squares of one rank or file; empty if
/// they share neither.
#[inline(always)]
pub fn between_any(a: Square, b: Square) -> Bitboard {
    if !cross(a).contains(b) {
        return Bitboard::EMPTY;
    }
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let beyond_low = !(Bitboard::of(low).bits() * 2 - 1);
    let before_high = Bitboard::of(high).bits() - 1;
    let same_line = cross(a) & cross(b);
    Bitboard::from_bits(same_line.bits() & beyond_low & before_high)
}
