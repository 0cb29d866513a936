//! The games that books are made from: records of any format, and self-play game
//! files.

use super::BookToolError;
use crate::position::Position;
use crate::records::{Archive, GameResult, Record};
use crate::tools::arena::stats;
use crate::tools::data::source;
use crate::tools::datagen::game_file::{Games, SelfPlayGame};
use crate::types::Move;
use std::fs;
use std::path::{Path, PathBuf};

/// A game as far as a book is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookGame {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    pub(super) result: GameResult,
}

/// Files of games.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files, in the order in which they are read.
    pub paths: Vec<PathBuf>,
}

impl Sources {
    /// Hands every game to `take`, up to its first `plies` moves. Games that
    /// cannot be read are counted and left out.
    ///
    /// # Errors
    /// If a file cannot be read or is no file of games.
    pub(super) fn each(
        &self,
        plies: usize,
        mut take: impl FnMut(BookGame),
    ) -> Result<usize, BookToolError> {
        let mut unreadable = 0;
        for path in &self.paths {
            if is_game_file(path) {
                self_play(path, plies, &mut take)?;
            } else {
                unreadable += records(path, plies, &mut take)?;
            }
        }
        Ok(unreadable)
    }
}

/// Whether the name says that it is a file of self-play games.
fn is_game_file(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    name.ends_with(".gam") || name.ends_with(".gam.zst")
}

fn self_play(
    path: &Path,
    plies: usize,
    take: &mut impl FnMut(BookGame),
) -> Result<(), BookToolError> {
    let fault = |fault: String| BookToolError::Games(path.to_owned(), fault);
    let content = source::load(path).map_err(|error| fault(error.to_string()))?;
    for game in Games::new(&content.stream) {
        let SelfPlayGame {
            start,
            result,
            plies: scored,
        } = game.map_err(|error| fault(error.to_string()))?;
        take(BookGame {
            start,
            moves: scored.iter().take(plies).map(|ply| ply.mv).collect(),
            result: match result {
                stats::GameResult::Loss => GameResult::BlackWins,
                stats::GameResult::Draw => GameResult::Draw,
                stats::GameResult::Win => GameResult::RedWins,
            },
        });
    }
    Ok(())
}

fn records(
    path: &Path,
    plies: usize,
    take: &mut impl FnMut(BookGame),
) -> Result<usize, BookToolError> {
    let fault = |fault: String| BookToolError::Games(path.to_owned(), fault);
    let bytes = fs::read(path).map_err(|error| fault(error.to_string()))?;
    let archive = Archive::open(&bytes).map_err(|error| fault(error.to_string()))?;
    let mut unreadable = 0;
    for record in archive.records() {
        match record {
            Ok(record) => take(shortened(&record, plies)),
            Err(_) => unreadable += 1,
        }
    }
    Ok(unreadable)
}

fn shortened(record: &Record, plies: usize) -> BookGame {
    let mut moves = record.moves();
    moves.truncate(plies);
    BookGame {
        start: record.start().clone(),
        moves,
        result: record.result(),
    }
}
