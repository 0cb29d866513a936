//! The inputs of the network: one for each man on each square where it can
//! possibly stand, as seen by a side.
//!
//! A side sees "own" and "enemy" men, with ranks flipped for Black and files
//! mirrored while its own king stands on the right file of the palace:
//!
//! ```text
//! rook, cannon, knight   90 each     own and enemy   540
//! pawn                   55          own and enemy   110
//! advisor                 5          own and enemy    10
//! bishop                  7          own and enemy    14
//! enemy king              9                            9
//! own king, mirrored      6                            6     689 in all
//! ```
//!
//! A pawn on a square it could never reach, as in composed positions, has no
//! input.

use crate::attacks;
use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};
use arrayvec::ArrayVec;

/// How many inputs there are.
pub const INPUTS: usize = 689;

/// More men than a position can have.
pub const MAX_ACTIVE: usize = 32;

/// The inputs that are on.
pub type Active = ArrayVec<u16, MAX_ACTIVE>;

const NONE: u16 = u16::MAX;

/// By enemy (0 or 1), kind and square as seen.
static INDEX: [[[u16; Square::COUNT]; PieceType::COUNT]; 2] = build();

const fn build() -> [[[u16; Square::COUNT]; PieceType::COUNT]; 2] {
    let mut table = [[[NONE; Square::COUNT]; PieceType::COUNT]; 2];
    let mut next = 0;
    let mut enemy = 0;
    while enemy < 2 {
        let mut kind = 0;
        while kind < PieceType::COUNT {
            let mut square = 0;
            while square < Square::COUNT {
                if can_stand(enemy == 1, kind, square) {
                    table[enemy][kind][square] = next;
                    next += 1;
                }
                square += 1;
            }
            kind += 1;
        }
        enemy += 1;
    }
    assert!(next as usize == INPUTS);
    table
}

/// Whether a man of this kind can stand there; own men live on low ranks.
const fn can_stand(enemy: bool, kind: usize, square: usize) -> bool {
    let (file, rank) = (square % 9, square / 9);
    let side = if enemy { Color::Black } else { Color::Red };
    let home_rank = if enemy { 9 - rank } else { rank };
    match PieceType::ALL[kind] {
        // The mirror keeps the own king off file f.
        PieceType::King if !enemy => file >= 3 && file <= 4 && home_rank <= 2,
        PieceType::King => file >= 3 && file <= 5 && home_rank <= 2,
        PieceType::Advisor => (attacks::advisor_points(side).bits() >> square) & 1 != 0,
        PieceType::Bishop => (attacks::bishop_points(side).bits() >> square) & 1 != 0,
        PieceType::Pawn => home_rank >= 5 || home_rank >= 3 && file % 2 == 0,
        PieceType::Knight | PieceType::Rook | PieceType::Cannon => true,
    }
}

/// How a side looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    side: Color,
    mirrored: bool,
}

impl Perspective {
    /// The view of `side` with its king on this square.
    #[inline]
    pub fn new(side: Color, king: Square) -> Self {
        Self {
            side,
            mirrored: king.file().index() > 4,
        }
    }

    /// The view with the files as given, mirrored or not: for training.
    pub fn with_mirror(side: Color, mirrored: bool) -> Self {
        Self { side, mirrored }
    }

    /// The input of a man on a square.
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> Option<u16> {
        let mut seen = square.relative_to(self.side);
        if self.mirrored {
            seen = seen.mirror_file();
        }
        let enemy = usize::from(piece.color != self.side);
        let index = INDEX[enemy][piece.kind.index()][seen.index()];
        (index != NONE).then_some(index)
    }

    /// The inputs of all men of a position.
    pub fn active(self, position: &Position) -> Active {
        let mut active = Active::new();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square)
                && let Some(input) = self.input(piece, square)
            {
                active.push(input);
            }
        }
        active
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn inputs_are_a_bijection() {
        let indices: Vec<u16> = INDEX
            .iter()
            .flatten()
            .flatten()
            .copied()
            .filter(|&i| i != NONE)
            .collect();
        let distinct: HashSet<u16> = indices.iter().copied().collect();
        assert_eq!(indices.len(), INPUTS);
        assert_eq!(distinct.len(), INPUTS);
        assert!(distinct.iter().all(|&i| (i as usize) < INPUTS));
    }

    #[test]
    fn every_man_of_the_start_position_has_an_input_of_its_own() {
        let position = Position::start();
        for side in Color::ALL {
            let view = Perspective::new(side, position.king(side));
            let distinct: HashSet<u16> = view.active(&position).into_iter().collect();
            assert_eq!(distinct.len(), 32);
        }
    }

    #[test]
    fn both_sides_see_the_flipped_position_alike() {
        let fen = "r1bak1b2/4a4/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/1RBAKAB1R w";
        let position = Position::from_fen(fen).unwrap();
        let flipped = position.flip_sides();
        for side in Color::ALL {
            let sorted = |position: &Position, side: Color| {
                let mut active = Perspective::new(side, position.king(side)).active(position);
                active.sort_unstable();
                active
            };
            assert_eq!(sorted(&position, side), sorted(&flipped, !side));
        }
    }

    #[test]
    fn the_mirror_image_looks_the_same_while_the_king_stands_aside() {
        let fen = "3k1ab2/4a4/4b4/4p3p/9/9/P3P3P/4B1N2/4A4/2BA1K3 w";
        let position = Position::from_fen(fen).unwrap();
        let mirrored = position.mirror_files();
        for side in Color::ALL {
            let sorted = |position: &Position| {
                let mut active = Perspective::new(side, position.king(side)).active(position);
                active.sort_unstable();
                active
            };
            assert_eq!(sorted(&position), sorted(&mirrored));
        }
    }
}
