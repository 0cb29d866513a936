//! Mate threats (杀, 要杀): could a side mate by checks if it moved at once?
//!
//! Section 3, item 2, of the specification. The attacker gives check with every
//! move, the defender may answer as it likes. The number of checks is bounded by
//! the rules and the number of moves made by [`MOVE_LIMIT`]; nothing is allocated.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveList, PieceType};

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
        checks(&self.position).len()
    }

    /// The first legal check after which the condition holds.
    pub(super) fn find_check(&mut self, mut holds: impl FnMut(&mut Self) -> bool) -> Option<Move> {
        let checks = checks(&self.position);
        checks.into_iter().find(|&mv| self.try_move(mv, &mut holds))
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

/// The legal moves that give check. Few moves can, and few squares tell which:
/// those are tested, the others not even generated.
fn checks(position: &Position) -> MoveList {
    let us = position.side_to_move();
    let (own, occupied) = (position.men_of(us), position.occupied());
    let masks = CheckMasks::of(position);
    let legality = position.legality();
    let mut checks = MoveList::new();
    for from in own {
        let Some(piece) = position.piece_on(from) else {
            continue;
        };
        let mut targets = attacks::targets(piece, from, occupied) - own;
        if !masks.leaves.contains(from) {
            targets &= masks.attacks(piece.kind) | masks.arrives;
        }
        let moves = targets.into_iter().map(|to| Move::new(from, to));
        checks.extend(
            moves.filter(|&mv| position.gives_check(mv) && position.is_legal(mv, &legality)),
        );
    }
    checks
}

/// Squares without which no move gives check.
struct CheckMasks {
    /// From where a man of the kind attacks the king.
    rook: Bitboard,
    cannon: Bitboard,
    knight: Bitboard,
    pawn: Bitboard,
    /// A man that leaves one of these may open a line or a leg.
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

    /// From where a man of the kind attacks the king.
    fn attacks(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Rook => self.rook,
            PieceType::Cannon => self.cannon,
            PieceType::Knight => self.knight,
            PieceType::Pawn => self.pawn,
            PieceType::King | PieceType::Advisor | PieceType::Bishop => Bitboard::EMPTY,
        }
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
        fn no_check_is_missed(choices in proptest::collection::vec(any::<u16>(), 1..150)) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                let mut exact = moves.clone();
                exact.retain(|mv| position.gives_check(*mv));
                let mut found = checks(&position);
                exact.sort_unstable();
                found.sort_unstable();
                prop_assert_eq!(found, exact);
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
