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
//! With several king buckets, all of these are there for each place of the own king.
//!
//! A pawn on a square it could never reach, as in composed positions, has no
//! input.

use crate::attacks;
use crate::types::{Color, Piece, PieceType, Square};

/// How many inputs there are in a king bucket.
pub const INPUTS: usize = 689;

const NONE: u16 = u16::MAX;

/// By image of the board, man and square: the input.
static INDEX: [[[u16; Square::COUNT]; Piece::COUNT]; IMAGES] = by_image();

/// The images of the board: Red's and Black's, each as it is and mirrored.
const IMAGES: usize = 4;

const fn by_image() -> [[[u16; Square::COUNT]; Piece::COUNT]; IMAGES] {
    let seen = as_seen();
    let mut table = [[[NONE; Square::COUNT]; Piece::COUNT]; IMAGES];
    let mut image = 0;
    while image < IMAGES {
        let mut piece = 0;
        while piece < Piece::COUNT {
            let (color, kind) = (piece / PieceType::COUNT, piece % PieceType::COUNT);
            let enemy = (color != image / 2) as usize;
            let mut square = 0;
            while square < Square::COUNT {
                table[image][piece][square] = seen[enemy][kind][place_in(image, square)];
                square += 1;
            }
            piece += 1;
        }
        image += 1;
    }
    table
}

/// Where an image shows a square.
const fn place_in(image: usize, square: usize) -> usize {
    let (file, rank) = (square % 9, square / 9);
    let file = if image % 2 == 1 { 8 - file } else { file };
    let rank = if image / 2 == 1 { 9 - rank } else { rank };
    9 * rank + file
}

/// By enemy (0 or 1), kind and square as seen.
const fn as_seen() -> [[[u16; Square::COUNT]; PieceType::COUNT]; 2] {
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
    image: u8,
    bucket: u8,
}

/// The places of a mirrored king.
pub const KING_PLACES: usize = 6;

/// By side and where its king stands: the perspective with a bucket for each place.
static OF_KING: [[Perspective; Square::COUNT]; 2] = {
    let mut table = [[Perspective {
        image: 0,
        bucket: 0,
    }; Square::COUNT]; 2];
    let mut side = 0;
    while side < 2 {
        let mut king = 0;
        while king < Square::COUNT {
            let image = 2 * side + (king % 9 > 4) as usize;
            let seen = place_in(image, king);
            let (file, rank) = (seen % 9, seen / 9);
            table[side][king] = Perspective {
                image: image as u8,
                bucket: if rank <= 2 && (file == 3 || file == 4) {
                    (2 * rank + (file == 4) as usize) as u8
                } else {
                    0
                },
            };
            king += 1;
        }
        side += 1;
    }
    table
};

impl Perspective {
    /// The view of `side` with its king on this square, for a network with this many
    /// king buckets.
    #[inline]
    pub fn new(side: Color, king: Square, king_buckets: usize) -> Self {
        let view = OF_KING[side.index()][king.index()];
        if king_buckets == 1 {
            Self { bucket: 0, ..view }
        } else {
            view
        }
    }

    /// The same position as its mirror image shows it. While the king stands on the
    /// middle file either will do, and training shows either.
    #[must_use]
    pub fn mirror_image(self) -> Self {
        Self {
            image: self.image ^ 1,
            ..self
        }
    }

    /// A number for each perspective of a network with this many king buckets, below
    /// 4 K.
    #[inline]
    pub(super) fn index(self, king_buckets: usize) -> usize {
        usize::from(self.image) * king_buckets + usize::from(self.bucket)
    }

    /// The input of a man on a square, below K times [`INPUTS`].
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> Option<u16> {
        let index = INDEX[usize::from(self.image)][piece.index()][square.index()];
        (index != NONE).then(|| u16::from(self.bucket) * INPUTS as u16 + index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use std::collections::HashSet;

    #[test]
    fn inputs_are_a_bijection() {
        let indices: Vec<u16> = as_seen()
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

    fn active(position: &Position, side: Color, king_buckets: usize) -> Vec<u16> {
        let view = Perspective::new(side, position.king(side), king_buckets);
        let input = |square| view.input(position.piece_on(square)?, square);
        let mut active: Vec<u16> = position.occupied().into_iter().filter_map(input).collect();
        active.sort_unstable();
        active
    }

    #[test]
    fn every_man_of_the_start_position_has_an_input_of_its_own() {
        for buckets in [1, KING_PLACES] {
            for side in Color::ALL {
                let mut inputs = active(&Position::start(), side, buckets);
                inputs.dedup();
                assert_eq!(inputs.len(), 32);
                assert!(inputs.iter().all(|&i| usize::from(i) < buckets * INPUTS));
            }
        }
    }

    #[test]
    fn every_place_of_the_king_has_its_bucket() {
        let mut buckets = HashSet::new();
        for file in 3..=5 {
            for rank in 0..3 {
                let king = Square::from_index(9 * rank + file).unwrap();
                let view = Perspective::new(Color::Red, king, KING_PLACES);
                assert!(usize::from(view.bucket) < KING_PLACES);
                buckets.insert(view.bucket);
            }
        }
        assert_eq!(buckets.len(), KING_PLACES);
    }

    #[test]
    fn both_sides_see_the_flipped_position_alike() {
        let fen = "r1bak1b2/4a4/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/1RBAKAB1R w";
        let position = Position::from_fen(fen).unwrap();
        let flipped = position.flip_sides();
        for buckets in [1, KING_PLACES] {
            for side in Color::ALL {
                let ours = active(&position, side, buckets);
                assert_eq!(ours, active(&flipped, !side, buckets));
            }
        }
    }

    #[test]
    fn the_mirror_image_looks_the_same_while_the_king_stands_aside() {
        let fen = "3k1ab2/4a4/4b4/4p3p/9/9/P3P3P/4B1N2/4A4/2BA1K3 w";
        let position = Position::from_fen(fen).unwrap();
        let mirrored = position.mirror_files();
        for buckets in [1, KING_PLACES] {
            for side in Color::ALL {
                let ours = active(&position, side, buckets);
                assert_eq!(ours, active(&mirrored, side, buckets));
            }
        }
    }
}
