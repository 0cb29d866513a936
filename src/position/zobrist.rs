//! The men on the board, and the key that names their arrangement.
//!
//! One type owns every picture of the board (sets by kind and side, the array
//! by square, the occupied points of each line) together with the Zobrist key,
//! and three operations change all of them at once, so they cannot drift apart.
//!
//! The line arrays exist for counting moves: a rook's or cannon's line is then
//! one `u16` load away. They cost four read-modify-writes a move.

use crate::types::{Bitboard, Color, GOLDEN_GAMMA, Piece, PieceType, Square, scramble};

/// One key for each man on each square, and one for Black to move. Computed at
/// compile time by SplitMix64 from a fixed seed.
static PIECE_KEYS: [[u64; 128]; 16] = {
    let mut table = [[0; 128]; 16];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = split_mix((piece * Square::COUNT + square + 1) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// What the key changes by when the side to move does.
pub(super) const SIDE_KEY: u64 = split_mix(0);

/// The `index`-th number of the stream.
const fn split_mix(index: u64) -> u64 {
    scramble(
        index
            .wrapping_add(0x6368_7568_6521)
            .wrapping_mul(GOLDEN_GAMMA),
    )
}

#[inline(always)]
fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECE_KEYS[piece.index() & 15][square.index() & 127]
}

/// The occupied points of every rank and file for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// By rank, bit = file.
    pub(super) ranks: [u16; 16],
    /// By file, bit = rank.
    pub(super) files: [u16; 16],
}

/// The men on the board in all pictures, and their key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Men {
    pub(super) kinds: [Bitboard; 8],
    pub(super) sides: [Bitboard; 2],
    pub(super) lines: [Lines; 2],
    pub(super) board: [Option<Piece>; 128],
    pub(super) key: u64,
    /// Keys of parts of the board, by [`part`].
    pub(super) part_keys: [u64; PARTS],
}

/// How many parts of the board have keys of their own.
pub(super) const PARTS: usize = 4;

/// Which part key a man counts for: 0 pawns of both sides, 1 and 2 the other
/// men of Red and of Black.
#[inline(always)]
const fn part(piece: Piece) -> usize {
    match piece.kind {
        PieceType::Pawn => 0,
        _ => 1 + piece.color.index(),
    }
}

impl Men {
    /// An empty board with Red to move.
    pub(super) const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; 8],
        sides: [Bitboard::EMPTY; 2],
        lines: [Lines {
            ranks: [0; 16],
            files: [0; 16],
        }; 2],
        board: [None; 128],
        key: 0,
        part_keys: [0; PARTS],
    };

    #[inline(always)]
    pub(super) fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub(super) fn side(&self, side: Color) -> Bitboard {
        self.sides[side.index()]
    }

    #[inline(always)]
    pub(super) fn on(&self, square: Square) -> Option<Piece> {
        self.board[square.index() & 127]
    }

    /// The key when what stands on `from` replaces what stands on `to`.
    #[inline(always)]
    pub(super) fn key_after(&self, from: Square, to: Square) -> u64 {
        let mut key = self.key;
        if let Some(piece) = self.on(from) {
            key ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
        if let Some(captured) = self.on(to) {
            key ^= piece_key(captured, to);
        }
        key
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.on(square).is_none());
        self.board[square.index() & 127] = Some(piece);
        self.toggle(piece, square);
    }

    /// Takes a man off its square.
    #[inline(always)]
    pub(super) fn take(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.on(square), Some(piece));
        self.board[square.index() & 127] = None;
        self.toggle(piece, square);
    }

    /// Moves a man to an empty square.
    #[inline(always)]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        debug_assert_eq!(self.on(from), Some(piece));
        debug_assert!(self.on(to).is_none());
        self.board[from.index() & 127] = None;
        self.board[to.index() & 127] = Some(piece);
        let bits = Bitboard::of(from) ^ Bitboard::of(to);
        self.kinds[piece.kind.index()] ^= bits;
        self.sides[piece.color.index()] ^= bits;
        self.toggle_lines(piece, from);
        self.toggle_lines(piece, to);
        let change = piece_key(piece, from) ^ piece_key(piece, to);
        self.key ^= change;
        self.part_keys[part(piece)] ^= change;
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.kinds[piece.kind.index()] ^= bit;
        self.sides[piece.color.index()] ^= bit;
        self.toggle_lines(piece, square);
        self.key ^= piece_key(piece, square);
        self.part_keys[part(piece)] ^= piece_key(piece, square);
    }

    #[inline(always)]
    fn toggle_lines(&mut self, piece: Piece, square: Square) {
        let (file, rank) = (square.file().index(), square.rank().index());
        let lines = &mut self.lines[piece.color.index()];
        lines.ranks[rank & 15] ^= 1 << file;
        lines.files[file & 15] ^= 1 << rank;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_keys_differ_and_none_is_zero() {
        let mut keys = HashSet::from([0, SIDE_KEY]);
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in Square::all() {
                    assert!(keys.insert(piece_key(Piece::new(color, kind), square)));
                }
            }
        }
        assert_eq!(keys.len(), 14 * 90 + 2);
    }
}
