//! Moves that give check: the exact answer, and a quick no for most moves.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Move, PieceType};

/// Where a move of the side to move must begin or end to give check at all.
#[derive(Clone, Copy, Debug)]
pub struct CheckHints {
    by_rook: Bitboard,
    by_cannon: Bitboard,
    by_horse: Bitboard,
    by_pawn: Bitboard,
    /// Squares that a discovered check may come from: lines between the king and
    /// men that work along them, these men, legs of horses.
    sensitive: Bitboard,
}

impl CheckHints {
    #[inline(always)]
    fn squares(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Rook | PieceType::King => self.by_rook,
            PieceType::Cannon => self.by_cannon,
            PieceType::Knight => self.by_horse,
            PieceType::Pawn => self.by_pawn,
            PieceType::Advisor | PieceType::Bishop => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// The hints for the side to move.
    pub fn check_hints(&self) -> CheckHints {
        let us = self.side;
        let king = self.king(!us);
        let occupied = self.occupied();
        let own = self.men_of(us);
        let near = attacks::rook(king, occupied);
        let along_lines = self.men_of_kind(PieceType::Rook)
            | self.men_of_kind(PieceType::Cannon)
            | self.men_of_kind(PieceType::King);
        let mut sensitive = attacks::cross(king) & own & along_lines;
        for man in sensitive {
            sensitive |= attacks::between(king, man);
        }
        let horses = self.men_of_kind(PieceType::Knight) & own;
        if horses.intersects(attacks::knight_attackers(king, Bitboard::EMPTY)) {
            sensitive |= attacks::diagonal_neighbours(king);
        }
        CheckHints {
            by_rook: near,
            by_cannon: attacks::rook(king, occupied - near) - near,
            by_horse: attacks::knight_attackers(king, occupied),
            by_pawn: attacks::pawn_attackers(us, king),
            sensitive,
        }
    }

    /// As [`Position::gives_check`], quicker where the hints of this position say
    /// no.
    #[inline]
    pub fn gives_check_by(&self, mv: Move, hints: &CheckHints) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let may_check = hints.squares(piece.kind).contains(to)
            || hints.sensitive.contains(from)
            || hints.sensitive.contains(to);
        may_check && self.gives_check(mv)
    }

    /// Whether a pseudo-legal move of the side to move gives check, directly or
    /// by discovery: a line or a horse's leg opened, a screen put or taken.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side;
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let king = self.king(!us);
        let moved = Bitboard::of(from) | Bitboard::of(to);
        let occupied = (self.occupied() - Bitboard::of(from)) | Bitboard::of(to);
        let after = |kind: PieceType| {
            let men = self.men(us, kind);
            if piece.kind == kind { men ^ moved } else { men }
        };
        let rooks = after(PieceType::Rook) | after(PieceType::King);
        attacks::rook(king, occupied).intersects(rooks)
            || attacks::cannon(king, occupied).intersects(after(PieceType::Cannon))
            || attacks::knight_attackers(king, occupied).intersects(after(PieceType::Knight))
            || attacks::pawn_attackers(us, king).intersects(after(PieceType::Pawn))
    }
}
