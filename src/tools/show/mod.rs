//! `chuhe show`: a position, or a position of a recorded game, as a picture.

mod svg;

pub use svg::svg;

use crate::position::{Notation, Position, Script};
use crate::records::{Archive, RecordError};
use crate::types::Move;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A position and the move that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The position.
    pub position: Position,
    /// The move before it, with its name in Chinese.
    pub last: Option<(Move, String)>,
}

/// Why there is nothing to show.
#[derive(Debug, Error)]
pub enum ShowError {
    /// The file cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    /// It is no record.
    #[error("{}: {}", .0.display(), .1)]
    Record(PathBuf, RecordError),
    /// It has fewer games.
    #[error("{}: there is no game {}, only {}", .0.display(), .1, .2)]
    NoGame(PathBuf, usize, usize),
}

impl Scene {
    /// A position with moves played from it.
    pub fn after(start: Position, moves: &[Move]) -> Self {
        let mut scene = Self {
            position: start,
            last: None,
        };
        for &mv in moves {
            let chinese = Notation::Chinese(Script::Simplified);
            scene.last = Some((mv, scene.position.write_move(mv, chinese)));
            scene.position.make(mv);
        }
        scene
    }

    /// The position of a game of a file after so many plies, or after all.
    ///
    /// # Errors
    /// If the file has no such game.
    pub fn of_file(path: &Path, game: usize, plies: Option<usize>) -> Result<Self, ShowError> {
        let bytes = std::fs::read(path).map_err(|error| ShowError::Read(path.into(), error))?;
        let fault = |error| ShowError::Record(path.into(), error);
        let archive = Archive::open(&bytes).map_err(fault)?;
        if !(1..=archive.game_count()).contains(&game) {
            return Err(ShowError::NoGame(path.into(), game, archive.game_count()));
        }
        let record = archive.read(game - 1).map_err(fault)?;
        let mut moves = record.moves();
        moves.truncate(plies.unwrap_or(moves.len()));
        Ok(Self::after(record.start().clone(), &moves))
    }

    /// Prints the board in letters, the FEN and the last move.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.position)?;
        if let Some((mv, chinese)) = &self.last {
            writeln!(out, "last move {mv} {chinese}")?;
        }
        writeln!(out, "{}", self.position.to_fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_shown_at_any_ply() {
        let path = std::env::temp_dir().join(format!("chuhe-show-{}", std::process::id()));
        std::fs::write(&path, "1-0\t-\tc3c4\n1-0\t-\th2e2 h9g7\n").unwrap();
        let text = |game, plies| {
            let mut out = Vec::new();
            Scene::of_file(&path, game, plies)
                .unwrap()
                .print(&mut out)
                .unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(
            text(2, None).contains("last move h9g7 马８进７"),
            "{}",
            text(2, None)
        );
        assert!(text(2, Some(1)).contains("last move h2e2 炮二平五"));
        assert!(!text(1, Some(0)).contains("last move"));
        let error = Scene::of_file(&path, 3, None).unwrap_err();
        assert!(error.to_string().ends_with("there is no game 3, only 2"));
        std::fs::remove_file(path).unwrap();
        assert!(matches!(
            Scene::of_file(Path::new("no/such"), 1, None),
            Err(ShowError::Read(..))
        ));
    }
}
