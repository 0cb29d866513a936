//! Static exchange evaluation: what a capture sequence on one square is worth.
//!
//! The swap-off of chess engines (Chess Programming Wiki, "SEE - The Swap
//! Algorithm") with one difference that matters: every man that leaves a line
//! through the square may take away *or supply* a cannon's screen, for either
//! side, so attackers are found anew after each capture. Pins are not looked at.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Score, Square};

/// What a man is worth in an exchange, in hundredths of a pawn.
pub const fn see_value(kind: PieceType) -> Score {
    match kind {
        PieceType::King => 10_000,
        PieceType::Advisor => 190,
        PieceType::Bishop => 180,
        PieceType::Knight => 430,
        PieceType::Rook => 950,
        PieceType::Cannon => 440,
        PieceType::Pawn => 110,
    }
}

/// Cheapest first: the order in which men are thrown into the exchange.
const BY_VALUE: [PieceType; PieceType::COUNT] = [
    PieceType::Pawn,
    PieceType::Bishop,
    PieceType::Advisor,
    PieceType::Knight,
    PieceType::Cannon,
    PieceType::Rook,
    PieceType::King,
];

impl Position {
    /// Whether the exchange that the move starts gains at least `threshold` for
    /// the mover, both sides capturing on the square with their cheapest man
    /// and stopping when it does not pay.
    pub fn see_at_least(&self, mv: Move, threshold: Score) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else {
            return false;
        };
        let mut balance = self.piece_on(to).map_or(0, |man| see_value(man.kind)) - threshold;
        if balance < 0 {
            return false; // not enough even if the mover is never taken
        }
        balance = see_value(mover.kind) - balance;
        if balance <= 0 {
            return true; // enough even if the mover is lost for nothing
        }

        let mut occupied = (self.occupied() - Bitboard::of(from)) | Bitboard::of(to);
        let mut side = mover.color;
        let mut gains = true;
        // `balance`: what the side to capture needs to take to turn the result.
        loop {
            side = !side;
            let attackers = self.attackers_to(to, occupied) & occupied;
            let own = attackers & (self.men_of(side) - Bitboard::of(to));
            let Some((kind, man)) = self.cheapest(own) else {
                break;
            };
            if kind == PieceType::King && self.is_guarded(to, !side, occupied ^ man) {
                break; // a king may not capture what is guarded
            }
            gains = !gains;
            balance = see_value(kind) - balance;
            if balance < i32::from(gains) {
                break;
            }
            occupied ^= man;
        }
        gains
    }

    fn cheapest(&self, men: Bitboard) -> Option<(PieceType, Bitboard)> {
        BY_VALUE.into_iter().find_map(|kind| {
            let first = (men & self.men_of_kind(kind)).first()?;
            Some((kind, Bitboard::of(first)))
        })
    }

    /// Whether a man of `side` guards the square against the other king; on the
    /// file, its own king does. `occupied` is without the king that captures: it
    /// is no screen for a cannon behind it, nor a shield against a rook.
    fn is_guarded(&self, square: Square, side: Color, occupied: Bitboard) -> bool {
        let guards = (self.attackers_to(square, occupied) & occupied) - Bitboard::of(square);
        guards.intersects(self.men_of(side))
            || attacks::rook(square, occupied).intersects(self.men(side, PieceType::King))
    }
}
