//! What a side attacks, for ordering moves and for telling histories apart.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, PieceType};

/// The squares that one side attacks, in steps of what attacks them.
///
/// A cannon attacks what lies behind its screen, empty squares among it; before
/// the screen it does no harm. Pins are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// By pawns.
    by_pawns: Bitboard,
    /// By pawns, advisors and elephants.
    by_guards: Bitboard,
    /// By all but rooks and king.
    by_horses: Bitboard,
    /// By anything.
    all: Bitboard,
}

impl Threats {
    /// Everything attacked.
    #[inline(always)]
    pub fn all(&self) -> Bitboard {
        self.all
    }

    /// Where a man of this kind would be attacked by a cheaper one: pawn <
    /// advisor = elephant < horse = cannon < rook.
    #[inline(always)]
    pub fn by_lesser_than(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Rook => self.by_horses,
            PieceType::Knight | PieceType::Cannon => self.by_guards,
            PieceType::Advisor | PieceType::Bishop => self.by_pawns,
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// What this side attacks.
    pub fn threats_of(&self, side: Color) -> Threats {
        let occupied = self.occupied();
        let by_pawns = self
            .men(side, PieceType::Pawn)
            .into_iter()
            .fold(Bitboard::EMPTY, |set, from| set | attacks::pawn(side, from));
        let mut set = by_pawns;
        for from in self.men(side, PieceType::Advisor) {
            set |= attacks::advisor(from);
        }
        for from in self.men(side, PieceType::Bishop) {
            set |= attacks::bishop(from, occupied);
        }
        let by_guards = set;
        for from in self.men(side, PieceType::Knight) {
            set |= attacks::knight(from, occupied);
        }
        for from in self.men(side, PieceType::Cannon) {
            // Beyond the first man of each line, up to the second.
            let near = attacks::rook(from, occupied);
            set |= attacks::rook(from, occupied - near) - near;
        }
        let by_horses = set;
        for from in self.men(side, PieceType::Rook) {
            set |= attacks::rook(from, occupied);
        }
        Threats {
            by_pawns,
            by_guards,
            by_horses,
            all: set | attacks::king(self.king(side)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn squares(set: Bitboard) -> String {
        let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn a_cannon_threatens_what_lies_behind_its_screen() {
        let position = Position::from_fen("3k5/9/9/9/1p7/9/1P7/9/1C7/5K3 w").expect("legal");
        let threats = position.threats_of(Color::Red);
        let cannon_only = threats.by_lesser_than(PieceType::Rook) - threats.by_pawns;
        assert_eq!(squares(cannon_only), "b5");
        assert!(
            threats
                .all()
                .contains("b4".parse::<Square>().expect("a square"))
        );
        assert!(
            !threats
                .all()
                .contains("b2".parse::<Square>().expect("a square"))
        );
        assert!(
            threats
                .all()
                .contains("f1".parse::<Square>().expect("a square"))
        );
    }

    #[test]
    fn every_capture_is_a_threat_and_the_steps_nest() {
        for fen in [
            super::super::START_FEN,
            "r1bak1b2/4a4/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/1RBAKAB1R w",
            "3akab2/4C4/4b1n2/p3p1p1p/2R6/9/P3P1P1P/2N1B4/4A4/2B1KA3 b",
        ] {
            let position = Position::from_fen(fen).expect("legal");
            let threats = position.threats_of(position.side_to_move());
            for mv in position.legal_moves() {
                if position.piece_on(mv.to()).is_some() {
                    assert!(threats.all().contains(mv.to()), "{mv}");
                }
            }
            let steps = [
                threats.by_pawns,
                threats.by_guards,
                threats.by_horses,
                threats.all,
            ];
            for pair in steps.windows(2) {
                assert!((pair[0] - pair[1]).is_empty());
            }
        }
    }
}
