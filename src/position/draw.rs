//! The board as a picture in text, for people.

use super::Position;
use crate::types::{Color, File, Rank, Square};
use std::fmt;

/// Rank 9 on top, FEN letters, files and ranks named.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all().rev() {
            write!(f, " {} ", rank.index())?;
            for file in File::all() {
                let square = Square::new(file, rank);
                match self.piece_on(square) {
                    Some(piece) => write!(f, " {piece}")?,
                    None => f.write_str(" .")?,
                }
            }
            writeln!(f)?;
            if rank.index() == 5 {
                writeln!(f, "    -----------------")?;
            }
        }
        writeln!(f, "    a b c d e f g h i")?;
        let side = match self.side_to_move() {
            Color::Red => "Red (红)",
            Color::Black => "Black (黑)",
        };
        write!(f, "{side} to move")
    }
}
