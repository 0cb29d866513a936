//! A slow, obvious move generator and exchange search on a plain array.
//!
//! Leans on the slow attack functions alone. Nothing here is shared with the
//! code it judges except the value of a man in an exchange.

use crate::attacks::reference as reach;
use crate::position::{Position, Setup, see_value};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Score, Square};

/// Men on points and whose turn it is.
#[derive(Clone)]
pub(super) struct Board {
    men: [Option<Piece>; Square::COUNT],
    pub(super) side: Color,
}

impl Board {
    pub(super) fn of(position: &Position) -> Self {
        let mut men = [None; Square::COUNT];
        for square in Square::all() {
            men[square.index()] = position.piece_on(square);
        }
        Self {
            men,
            side: position.side_to_move(),
        }
    }

    pub(super) fn of_setup(setup: &Setup) -> Self {
        Self {
            men: setup.board,
            side: setup.side,
        }
    }

    pub(super) fn on(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    fn men(&self, side: Color) -> impl Iterator<Item = (Square, PieceType)> {
        Square::all().filter_map(move |square| {
            let piece = self.on(square)?;
            (piece.color == side).then_some((square, piece.kind))
        })
    }

    fn occupied(&self) -> Bitboard {
        Square::all().filter(|&s| self.on(s).is_some()).collect()
    }

    fn king(&self, side: Color) -> Square {
        self.men(side)
            .find(|&(_, kind)| kind == PieceType::King)
            .map(|(square, _)| square)
            .expect("each side has a king")
    }

    /// Where a man reaches among these occupied squares, own men not removed.
    fn reach(side: Color, kind: PieceType, from: Square, occupied: Bitboard) -> Bitboard {
        match kind {
            PieceType::King => reach::king(from),
            PieceType::Advisor => reach::advisor(from),
            PieceType::Bishop => reach::bishop(from, occupied),
            PieceType::Knight => reach::knight(from, occupied),
            PieceType::Rook => reach::rook(from, occupied),
            PieceType::Cannon => reach::cannon(from, occupied),
            PieceType::Pawn => reach::pawn(side, from),
        }
    }

    /// The men of `by` that could capture on the square if an enemy stood there.
    pub(super) fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied() | Bitboard::of(square);
        self.men(by)
            .filter(|&(from, kind)| Self::reach(by, kind, from, occupied).contains(square))
            .map(|(from, _)| from)
            .collect()
    }

    /// As [`Self::attackers`], for a square on which the other king stands: it
    /// is also attacked by the king of `by` along an open file.
    pub(super) fn attackers_of_king(&self, square: Square, by: Color) -> Bitboard {
        let facing = Bitboard::of(self.king(by));
        let file = Bitboard::file(square.file());
        let along_file = reach::rook(square, self.occupied()) & file;
        self.attackers(square, by) | (along_file & facing)
    }

    /// The enemy men that give check to this side.
    pub(super) fn checkers(&self, side: Color) -> Bitboard {
        self.attackers_of_king(self.king(side), !side)
    }

    /// The board after a move, whatever it is.
    pub(super) fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.men[mv.to().index()] = next.men[mv.from().index()].take();
        next.side = !self.side;
        next
    }

    /// The legal moves, sorted.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        let occupied = self.occupied();
        let mut moves = Vec::new();
        for (from, kind) in self.men(self.side) {
            for to in Self::reach(self.side, kind, from, occupied) {
                let own = self.on(to).is_some_and(|man| man.color == self.side);
                let mv = Move::new(from, to);
                if !own && self.after(mv).checkers(self.side).is_empty() {
                    moves.push(mv);
                }
            }
        }
        moves.sort();
        moves
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves
                .into_iter()
                .map(|mv| self.after(mv).perft(depth - 1))
                .sum(),
        }
    }

    /// What the exchange that the move starts wins for the mover, if both sides
    /// capture with their cheapest man, or stop, as it suits them.
    pub(super) fn exchange(&self, mv: Move) -> Score {
        let won = self.on(mv.to()).map_or(0, |man| see_value(man.kind));
        won - self.after(mv).recapture(mv.to())
    }

    fn recapture(&self, square: Square) -> Score {
        let value = |at: Square| self.on(at).map_or(0, |man| see_value(man.kind));
        let attackers = self.attackers(square, self.side);
        let Some(from) = attackers.into_iter().min_by_key(|&from| value(from)) else {
            return 0;
        };
        let after = self.after(Move::new(from, square));
        let is_king = self.on(from).map(|man| man.kind) == Some(PieceType::King);
        if is_king && !after.attackers_of_king(square, after.side).is_empty() {
            return 0;
        }
        (value(square) - after.recapture(square)).max(0)
    }
}
