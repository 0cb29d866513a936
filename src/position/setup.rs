//! From an unchecked arrangement of men to a legal position.
//!
//! Refused is only what cannot be searched safely: a king that is missing or
//! could be captured, men on points they can never reach where the move
//! generator relies on it, and more men than the arrays hold. Five horses or
//! pawns on odd squares, as in composed endings, are fine.

use super::Position;
use super::zobrist::{Men, SIDE_KEY};
use crate::attacks;
use crate::types::{Color, Piece, PieceType, Square};
use thiserror::Error;

/// The most men a side may have, king included.
pub const MAX_MEN: usize = 16;

/// An arrangement of men that nobody has checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands where, by square index.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub plies_since_capture: u16,
    /// The number of the move, from 1.
    pub move_number: u16,
}

/// Why a text is no position, or an arrangement of men no legal one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// There is no board field.
    #[error("the FEN is empty")]
    Empty,
    /// Not ten ranks.
    #[error("the board has {0} ranks, not 10")]
    RankCount(usize),
    /// A rank that is not nine points wide.
    #[error("rank '{text}' is {width} points wide, not 9")]
    RankWidth {
        /// The rank as written.
        text: String,
        /// How wide it is.
        width: usize,
    },
    /// A letter that is no man.
    #[error("'{0}' is not a man")]
    UnknownLetter(char),
    /// A side to move that is neither.
    #[error("'{0}' is not a side to move (w or b)")]
    UnknownSide(String),
    /// A side without a king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side with more than one king.
    #[error("{0} has more than one king")]
    SeveralKings(Color),
    /// A king, advisor or elephant on a point it can never reach.
    #[error("a {} {:?} cannot stand on {square}", piece.color, piece.kind)]
    Unreachable {
        /// The man.
        piece: Piece,
        /// Where it was put.
        square: Square,
    },
    /// More men than a side can have.
    #[error("{0} has {1} men, more than 16")]
    TooManyMen(Color, usize),
    /// The side that is not to move could lose its king.
    #[error("{0} is to move and could take the king (check not answered, or kings facing)")]
    KingCapturable(Color),
}

impl Setup {
    /// An empty board, Red to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        side: Color::Red,
        plies_since_capture: 0,
        move_number: 1,
    };

    /// Checks the arrangement.
    ///
    /// # Errors
    /// The first fault found, see [`SetupError`].
    pub fn into_position(self) -> Result<Position, SetupError> {
        let mut men = Men::EMPTY;
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                check_point(piece, square)?;
                men.put(piece, square);
            }
        }
        for side in Color::ALL {
            match (men.side(side) & men.kind(PieceType::King)).len() {
                0 => return Err(SetupError::NoKing(side)),
                1 => {}
                _ => return Err(SetupError::SeveralKings(side)),
            }
            let count = men.side(side).len() as usize;
            if count > MAX_MEN {
                return Err(SetupError::TooManyMen(side, count));
            }
        }
        if self.side == Color::Black {
            men.key ^= SIDE_KEY;
        }
        let position = Position {
            men,
            side: self.side,
            plies_since_capture: self.plies_since_capture,
            move_number: self.move_number,
        };
        if position.is_attacked(position.king(!self.side), self.side) {
            return Err(SetupError::KingCapturable(self.side));
        }
        Ok(position)
    }
}

/// The generator counts advisors and elephants as sets over their few points
/// and looks kings up by palace square.
fn check_point(piece: Piece, square: Square) -> Result<(), SetupError> {
    let points = match piece.kind {
        PieceType::King => attacks::palace(piece.color),
        PieceType::Advisor => attacks::advisor_points(piece.color),
        PieceType::Bishop => attacks::bishop_points(piece.color),
        _ => return Ok(()),
    };
    if points.contains(square) {
        Ok(())
    } else {
        Err(SetupError::Unreachable { piece, square })
    }
}
