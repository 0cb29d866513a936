//! The vocabulary: squares, sets of squares, men, moves and scores.
//!
//! Leans on nothing. Everything here is a small plain value.

mod bitboard;
mod color;
mod moves;
mod piece;
mod random;
/// Scores and their bands.
pub mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveList, MoveTextError};
pub use piece::{Piece, PieceType};
pub use random::{GOLDEN_GAMMA, Random, scramble};
pub use score::{Bound, Score};
pub use square::{File, Rank, Square, SquareError};
