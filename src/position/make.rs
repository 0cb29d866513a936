//! Making and taking back moves.
//!
//! A xiangqi move is one man from one square to another and at most one man
//! captured, so a small plain value, [`Change`], tells everybody who keeps
//! something incrementally all there is to know.

use super::Position;
use super::zobrist::SIDE_KEY;
use crate::types::{Move, Piece, Square};

/// What a move did to the men on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Who moved.
    pub piece: Piece,
    /// Where it left.
    pub from: Square,
    /// Where it arrived.
    pub to: Square,
    /// What stood there.
    pub captured: Option<Piece>,
}

/// What is needed to take a move back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    /// What the move did.
    pub change: Change,
    key: u64,
    plies_since_capture: u16,
}

impl Undo {
    /// The key of the position before the move.
    pub fn key(&self) -> u64 {
        self.key
    }
}

impl Position {
    /// Makes a legal move. An illegal one breaks the position's invariants
    /// (debug builds notice).
    #[inline(always)]
    pub fn make(&mut self, mv: Move) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece_on(from).expect("a legal move starts from a man");
        let captured = self.piece_on(to);
        let undo = Undo {
            change: Change {
                piece,
                from,
                to,
                captured,
            },
            key: self.men.key,
            plies_since_capture: self.plies_since_capture,
        };
        self.plies_since_capture = self.plies_since_capture.saturating_add(1);
        if let Some(captured) = captured {
            self.men.take(captured, to);
            self.plies_since_capture = 0;
        }
        self.men.shift(piece, from, to);
        self.men.key ^= SIDE_KEY;
        self.move_number = self.move_number.wrapping_add(self.side as u16);
        self.side = !self.side;
        debug_assert_eq!(self.verify(), Ok(()), "after {mv}");
        undo
    }

    /// Takes back the move that returned this `undo`.
    #[inline(always)]
    pub fn unmake(&mut self, undo: &Undo) {
        let Change {
            piece,
            from,
            to,
            captured,
        } = undo.change;
        self.side = !self.side;
        self.move_number = self.move_number.wrapping_sub(self.side as u16);
        self.men.shift(piece, to, from);
        if let Some(captured) = captured {
            self.men.put(captured, to);
        }
        self.plies_since_capture = undo.plies_since_capture;
        self.men.key = undo.key;
    }

    /// Passes: only the side to move changes. Not a move of the game; the
    /// search asks what happens when the opponent moves twice. The count
    /// towards the natural limit stands still. Taken back by passing again.
    ///
    /// The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.is_attacked(self.king(self.side), !self.side));
        self.side = !self.side;
        self.men.key ^= SIDE_KEY;
    }

    /// The key after a quiet or capturing move, without making it: for a
    /// prefetch.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        self.men.key_after(mv.from(), mv.to()) ^ SIDE_KEY
    }
}
