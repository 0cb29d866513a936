//! Mate threats (杀, 要杀): could a side mate by checks if it moved at once?
//!
//! Section 3, item 2, of the specification. The attacker gives check with every
//! move, the defender may answer as it likes. The number of checks is bounded by
//! the rules and the number of moves made by [`MOVE_LIMIT`]; nothing is allocated.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType};

/// After this many moves made a threat is held not to exist. Positions from play
/// need a few hundred.
const MOVE_LIMIT: u32 = 20_000;

/// A position to look ahead from by checks.
#[derive(Debug)]
pub(super) struct CheckSearch {
    position: Position,
    moves_left: u32,
}

impl CheckSearch {
    /// The position with `side` to move. If it is the other side's turn, that side
    /// passes and must not be in check.
    pub(super) fn new(position: &Position, side: Color) -> Self {
        let mut position = position.clone();
        if position.side_to_move() != side {
            position.make_null();
        }
        Self {
            position,
            moves_left: MOVE_LIMIT,
        }
    }

    /// The position reached.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The first move of a mate by at most this many checks, if there is one.
    pub(super) fn mate(&mut self, checks: u8) -> Option<Move> {
        // Short mates first: most threats are one check deep.
        (1..=checks).find_map(|depth| self.mate_in(depth))
    }

    fn mate_in(&mut self, checks: u8) -> Option<Move> {
        self.find_check(|search| {
            if checks == 1 {
                let position = &search.position;
                return !position.has_legal_move(&position.legality());
            }
            let replies = search.position.legal_moves();
            replies
                .into_iter()
                .all(|mv| search.try_move(mv, |search| search.mate_in(checks - 1).is_some()))
        })
    }

    /// How many legal checks there are.
    pub(super) fn count_checks(&self) -> usize {
        let masks = CheckMasks::of(&self.position);
        let moves = self.position.legal_moves();
        let checks = moves
            .iter()
            .filter(|&&mv| masks.gives_check(&self.position, mv));
        checks.count()
    }

    /// The first legal check after which the condition holds.
    pub(super) fn find_check(&mut self, mut holds: impl FnMut(&mut Self) -> bool) -> Option<Move> {
        let masks = CheckMasks::of(&self.position);
        let moves = self.position.legal_moves();
        moves
            .into_iter()
            .find(|&mv| masks.gives_check(&self.position, mv) && self.try_move(mv, &mut holds))
    }

    /// Whether the condition holds after the move; never once the limit is reached.
    pub(super) fn try_move(&mut self, mv: Move, holds: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.moves_left == 0 {
            return false;
        }
        self.moves_left -= 1;
        let undo = self.position.make(mv);
        let result = holds(self);
        self.position.unmake(&undo);
        result
    }
}

/// Squares by which nearly all moves that give no check are sorted out before the
/// exact test: a few look-ups a node instead of four a move.
struct CheckMasks {
    /// From where a man of the kind attacks the king.
    rook: Bitboard,
    cannon: Bitboard,
    knight: Bitboard,
    pawn: Bitboard,
    /// A man that leaves one of these squares may open a line or a leg.
    leaves: Bitboard,
    /// A man that arrives on one of these may be a screen.
    arrives: Bitboard,
}

impl CheckMasks {
    fn of(position: &Position) -> Self {
        let us = position.side_to_move();
        let (king, occupied) = (position.king(!us), position.occupied());
        let cross = attacks::cross(king);
        let men = |kind| position.men(us, kind);
        let (rooks, cannons) = (men(PieceType::Rook), men(PieceType::Cannon));
        // A rook or cannon on a line of the king may go back along it.
        let mut leaves = (rooks | cannons) & cross;
        let mut arrives = Bitboard::EMPTY;
        for man in (rooks | men(PieceType::King)) & cross {
            let blockers = attacks::between(king, man) & occupied;
            if !blockers.has_several() {
                leaves |= blockers;
            }
        }
        for man in cannons & cross {
            let segment = attacks::between(king, man);
            let blockers = segment & occupied;
            if blockers.is_empty() {
                arrives |= segment;
            } else if blockers.is_pair() {
                leaves |= blockers;
            }
        }
        for man in men(PieceType::Knight) & attacks::knight_attackers(king, Bitboard::EMPTY) {
            leaves |= Bitboard::of(attacks::leg(man, king));
        }
        let rook = attacks::rook(king, occupied);
        Self {
            rook,
            cannon: attacks::rook(king, occupied - rook) - rook,
            knight: attacks::knight_attackers(king, occupied),
            pawn: attacks::pawn_attackers(us, king),
            leaves,
            arrives,
        }
    }

    /// Whether the legal move gives check.
    fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let attacks_king = match position.piece_on(mv.from()).map(|piece| piece.kind) {
            Some(PieceType::Rook) => self.rook.contains(mv.to()),
            Some(PieceType::Cannon) => self.cannon.contains(mv.to()),
            Some(PieceType::Knight) => self.knight.contains(mv.to()),
            Some(PieceType::Pawn) => self.pawn.contains(mv.to()),
            _ => false,
        };
        (attacks_king || self.leaves.contains(mv.from()) || self.arrives.contains(mv.to()))
            && position.gives_check(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mate(fen: &str, checks: u8) -> Option<String> {
        let position = Position::from_fen(fen).expect("a legal position");
        CheckSearch::new(&position, Color::Red)
            .mate(checks)
            .map(|mv| mv.to_string())
    }

    #[test]
    fn a_threat_is_seen_with_either_side_to_move() {
        for side in ["w", "b"] {
            let fen = format!("4k4/R8/8R/9/9/9/9/9/9/3K5 {side}");
            assert_eq!(mate(&fen, 1).as_deref(), Some("i7i9"));
        }
    }

    proptest! {
        #[test]
        fn the_masks_lose_no_check(choices in proptest::collection::vec(any::<u16>(), 1..150)) {
            let mut position = Position::start();
            for choice in choices {
                let masks = CheckMasks::of(&position);
                let moves = position.legal_moves();
                for &mv in &moves {
                    let exact = position.gives_check(mv);
                    prop_assert_eq!(masks.gives_check(&position, mv), exact, "{}", mv);
                }
                if moves.is_empty() {
                    break;
                }
                position.make(moves[choice as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn depth_counts_checks() {
        // Rook to d8 drives the king out, the other rook mates: two checks.
        let fen = "3k5/9/8R/R8/9/9/9/9/9/4K4 w";
        assert_eq!(mate(fen, 0), None);
        assert!(mate(fen, 2).is_some());
    }

    #[test]
    fn only_checks_are_tried() {
        // The quiet king move would stalemate; there is no check that mates.
        assert_eq!(mate("3k5/1P7/9/9/9/9/9/9/9/4K4 w", 3), None);
    }
}
