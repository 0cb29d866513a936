//! Kinds of men, and men with a colour.

use super::Color;
use std::fmt;

/// A kind of man, named after its FEN letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// 帅 将: one straight step inside the palace.
    King = 0,
    /// 仕 士: one diagonal step inside the palace.
    Advisor = 1,
    /// 相 象: two diagonal steps, blocked at the eye, never over the river.
    Bishop = 2,
    /// 马: a straight step, then a diagonal one; blocked at the leg.
    Knight = 3,
    /// 车: any distance straight.
    Rook = 4,
    /// 炮: moves like a rook, captures over exactly one screen.
    Cannon = 5,
    /// 兵 卒: one step forward, after the river also sideways.
    Pawn = 6,
}

impl PieceType {
    /// How many kinds there are.
    pub const COUNT: usize = 7;

    /// All kinds in index order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::King,
        Self::Advisor,
        Self::Bishop,
        Self::Knight,
        Self::Rook,
        Self::Cannon,
        Self::Pawn,
    ];

    /// 0 for the king to 6 for the pawn.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case FEN letter.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'k',
            Self::Advisor => 'a',
            Self::Bishop => 'b',
            Self::Knight => 'n',
            Self::Rook => 'r',
            Self::Cannon => 'c',
            Self::Pawn => 'p',
        }
    }
}

/// A man: kind and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// What it is.
    pub kind: PieceType,
}

impl Piece {
    /// How many different men there are (7 kinds, 2 sides).
    pub const COUNT: usize = 2 * PieceType::COUNT;

    /// Puts kind and side together.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceType) -> Self {
        Self { color, kind }
    }

    /// 0..14: Red's kinds in index order, then Black's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.color.index() * PieceType::COUNT + self.kind.index()
    }

    /// The FEN letter, upper case for Red.
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    /// Reads a FEN letter with the variants met in the wild: `h` for the
    /// knight, `e` for the bishop, `g` for the king, `m` and `s` for the
    /// advisor, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_lowercase() {
            'k' | 'g' => PieceType::King,
            'a' | 'm' | 's' => PieceType::Advisor,
            'b' | 'e' => PieceType::Bishop,
            'n' | 'h' => PieceType::Knight,
            'r' => PieceType::Rook,
            'c' => PieceType::Cannon,
            'p' => PieceType::Pawn,
            _ => return None,
        };
        let color = if letter.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Black
        };
        Some(Self::new(color, kind))
    }

    /// The character on a Chinese set: 帅仕相马车炮兵, 将士象马车炮卒.
    pub const fn chinese(self) -> char {
        const RED: [char; PieceType::COUNT] = ['帅', '仕', '相', '马', '车', '炮', '兵'];
        const BLACK: [char; PieceType::COUNT] = ['将', '士', '象', '马', '车', '炮', '卒'];
        match self.color {
            Color::Red => RED[self.kind.index()],
            Color::Black => BLACK[self.kind.index()],
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
    }
}
