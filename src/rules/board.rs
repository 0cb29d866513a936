//! A board for questions of the kind "what if": either side may move, and a king
//! may stand in check.
//!
//! `Position` makes legal moves only. What an attack is worth is asked about
//! captures that need not be legal yet, or for the side whose turn it is not
//! (section 5 of the specification). A [`Board`] is the two piece pictures and
//! nothing else, so that a copy costs as much as a move.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// The men on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    kinds: [Bitboard; PieceType::COUNT],
    sides: [Bitboard; 2],
}

impl Board {
    /// The men of a position.
    pub(super) fn of(position: &Position) -> Self {
        Self {
            kinds: PieceType::ALL.map(|kind| position.men_of_kind(kind)),
            sides: Color::ALL.map(|side| position.men_of(side)),
        }
    }

    pub(super) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    pub(super) fn men_of(&self, side: Color) -> Bitboard {
        self.sides[side.index()]
    }

    pub(super) fn men(&self, side: Color, kind: PieceType) -> Bitboard {
        self.sides[side.index()] & self.kinds[kind.index()]
    }

    /// What stands on an occupied square.
    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|&side| self.men_of(side).contains(square))?;
        let kind = PieceType::ALL
            .into_iter()
            .find(|kind| self.kinds[kind.index()].contains(square))?;
        Some(Piece::new(color, kind))
    }

    /// The board after a man has gone from one square to the other, whatever
    /// stood there.
    pub(super) fn after(mut self, from: Square, to: Square) -> Self {
        let (leaves, arrives) = (Bitboard::of(from), Bitboard::of(to));
        for set in self.kinds.iter_mut().chain(&mut self.sides) {
            let moves = set.contains(from);
            *set = *set - leaves - arrives;
            if moves {
                *set |= arrives;
            }
        }
        self
    }

    /// The board without the man on the square.
    pub(super) fn without(mut self, square: Square) -> Self {
        for set in self.kinds.iter_mut().chain(&mut self.sides) {
            *set = *set - Bitboard::of(square);
        }
        self
    }

    /// The squares a man reaches or attacks; its own men are not left out.
    pub(super) fn targets(&self, piece: Piece, from: Square) -> Bitboard {
        attacks::targets(piece, from, self.occupied())
    }

    /// The men of a side that could take on the square, the safety of their king
    /// aside.
    pub(super) fn attackers(&self, square: Square, side: Color) -> Bitboard {
        let occupied = self.occupied();
        (attacks::rook(square, occupied) & self.men(side, PieceType::Rook))
            | (attacks::cannon(square, occupied) & self.men(side, PieceType::Cannon))
            | (attacks::knight_attackers(square, occupied) & self.men(side, PieceType::Knight))
            | (attacks::bishop(square, occupied) & self.men(side, PieceType::Bishop))
            | (attacks::advisor(square) & self.men(side, PieceType::Advisor))
            | (attacks::king(square) & self.men(side, PieceType::King))
            | (attacks::pawn_attackers(side, square) & self.men(side, PieceType::Pawn))
    }

    /// The men that attack the king of a side, the facing king among them
    /// (将帅对面). None, if the king has been taken.
    pub(super) fn threats_to_king(&self, side: Color) -> Bitboard {
        let Some(king) = self.men(side, PieceType::King).first() else {
            return Bitboard::EMPTY;
        };
        let them = !side;
        let occupied = self.occupied();
        let rooks = self.men(them, PieceType::Rook) | self.men(them, PieceType::King);
        (attacks::rook(king, occupied) & rooks)
            | (attacks::cannon(king, occupied) & self.men(them, PieceType::Cannon))
            | (attacks::knight_attackers(king, occupied) & self.men(them, PieceType::Knight))
            | (attacks::pawn_attackers(them, king) & self.men(them, PieceType::Pawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(text: &str) -> Square {
        text.parse().expect("a square")
    }

    #[test]
    fn a_move_changes_both_pictures_and_takes_what_it_meets() {
        let position = Position::from_fen("3k5/9/9/9/c8/9/9/R8/9/4K4 w").expect("legal");
        let board = Board::of(&position).after(sq("a2"), sq("a5"));
        let rook = Piece::new(Color::Red, PieceType::Rook);
        assert_eq!(board.piece_on(sq("a5")), Some(rook));
        assert_eq!(board.piece_on(sq("a2")), None);
        assert_eq!(board.occupied().len(), 3);
        assert_eq!(board.without(sq("a5")).occupied().len(), 2);
    }

    #[test]
    fn the_facing_king_is_a_threat() {
        let position = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 w").expect("legal");
        let board = Board::of(&position).after(sq("e5"), sq("f5"));
        assert_eq!(board.threats_to_king(Color::Red), Bitboard::of(sq("e9")));
    }
}
