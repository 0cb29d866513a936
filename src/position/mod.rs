//! One position: men, side to move, key and counters. A plain value, no heap.
//!
//! Leans on `types` and `attacks`. A [`Position`] is always legal: it can only
//! be built from a checked [`Setup`] and changed by legal moves, so that king
//! squares exist and arrays hold (the limits are in `setup`). What the history
//! of a game means is the business of `rules`.

mod checks;
mod draw;
mod fen;
mod legality;
mod make;
mod movegen;
mod notation;
mod perft;
mod see;
mod setup;
#[cfg(test)]
mod tests;
mod threats;
mod zobrist;

pub use checks::CheckHints;
pub use legality::Legality;
pub use make::{Change, Undo};
pub use movegen::Targets;
pub use notation::{Fault, Notation, NotationError, Script, is_move_text, split_chinese_move};
pub use perft::{Level, perft};
pub use see::see_value;
pub use setup::{MAX_MEN, Setup, SetupError};
pub use threats::Threats;

use crate::types::{Bitboard, Color, Piece, PieceType, Square};
use zobrist::Men;

/// The FEN of the start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// A legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    men: Men,
    side: Color,
    plies_since_capture: u16,
    move_number: u16,
}

impl Position {
    /// The usual start position, Red to move.
    pub fn start() -> Self {
        Self::from_fen(START_FEN).expect("the start position is legal")
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The Zobrist key of men and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.men.key
    }

    /// A key of where the pawns of both sides stand, and nothing else.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.men.part_keys[0]
    }

    /// A key of where the men of a side other than its pawns stand, and nothing
    /// else.
    #[inline(always)]
    pub fn men_key(&self, side: Color) -> u64 {
        self.men.part_keys[1 + side.index()]
    }

    /// Plies since the last capture, or since the position was set up with a
    /// count of its own. Null moves do not count.
    #[inline(always)]
    pub fn plies_since_capture(&self) -> u16 {
        self.plies_since_capture
    }

    /// The number of the move, one for both sides' first.
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// What stands on the square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.men.on(square)
    }

    /// All men.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.men.sides[0] | self.men.sides[1]
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men_of(&self, side: Color) -> Bitboard {
        self.men.side(side)
    }

    /// The men of a kind, both sides'.
    #[inline(always)]
    pub fn men_of_kind(&self, kind: PieceType) -> Bitboard {
        self.men.kind(kind)
    }

    /// The men of a side and a kind.
    #[inline(always)]
    pub fn men(&self, side: Color, kind: PieceType) -> Bitboard {
        self.men.side(side) & self.men.kind(kind)
    }

    /// Where the king of a side stands.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        self.men(side, PieceType::King)
            .first()
            .expect("a position has both kings")
    }

    /// Whether the side has a rook, horse or cannon.
    #[inline(always)]
    pub fn has_major(&self, side: Color) -> bool {
        let majors = self.men.kind(PieceType::Rook)
            | self.men.kind(PieceType::Knight)
            | self.men.kind(PieceType::Cannon);
        majors.intersects(self.men.side(side))
    }

    /// The same game seen from the other side: men change colour and side of
    /// the river, and so does the right to move.
    pub fn flip_sides(&self) -> Self {
        self.transform(
            |piece| Piece::new(!piece.color, piece.kind),
            Square::flip_rank,
            !self.side,
        )
    }

    /// The left-right mirror image.
    pub fn mirror_files(&self) -> Self {
        self.transform(|piece| piece, Square::mirror_file, self.side)
    }

    fn transform(
        &self,
        piece: impl Fn(Piece) -> Piece,
        square: impl Fn(Square) -> Square,
        side: Color,
    ) -> Self {
        let mut men = Men::EMPTY;
        for at in self.occupied() {
            if let Some(found) = self.piece_on(at) {
                men.put(piece(found), square(at));
            }
        }
        if side == Color::Black {
            men.key ^= zobrist::SIDE_KEY;
        }
        Self { men, side, ..*self }
    }

    /// Recomputes everything that is kept incrementally and compares: the
    /// self-check of debug builds and tests.
    ///
    /// # Errors
    /// Names what has drifted.
    pub fn verify(&self) -> Result<(), &'static str> {
        let mut men = Men::EMPTY;
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                men.put(piece, square);
            }
        }
        if self.side == Color::Black {
            men.key ^= zobrist::SIDE_KEY;
        }
        if men.key != self.men.key {
            return Err("the key differs from the men on the board");
        }
        if men != self.men {
            return Err("the piece sets differ from the board");
        }
        if self.is_attacked(self.king(!self.side), self.side) {
            return Err("the side that has moved is in check");
        }
        Ok(())
    }
}
