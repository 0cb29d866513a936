//! Where games to be judged come from.

use crate::records::{Archive, RecordError};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use thiserror::Error;

/// A source of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file of any format that `records` reads.
    File(PathBuf),
    /// The same from standard input.
    Stdin,
    /// A position and moves in any notation.
    Moves {
        /// A FEN, or `startpos`.
        fen: String,
        /// The moves, separated by blanks.
        moves: String,
    },
}

/// Why a source gives no games.
#[derive(Debug, Error)]
pub(super) enum InputError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is no record.
    #[error("{0}")]
    Record(#[from] RecordError),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
            Self::Moves { .. } => f.write_str("command line"),
        }
    }
}

impl Input {
    /// Reads the source and cuts its games apart.
    pub(super) fn open(&self) -> Result<Archive, InputError> {
        let bytes = match self {
            Self::File(path) => fs::read(path)?,
            Self::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                bytes
            }
            Self::Moves { fen, moves } => as_list(fen, moves).into_bytes(),
        };
        Ok(Archive::open(&bytes)?)
    }
}

/// One line of the form `records` calls a list.
fn as_list(fen: &str, moves: &str) -> String {
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = match on_one_line(fen).as_str() {
        "startpos" => "startpos".to_owned(),
        fen => format!("fen {fen}"),
    };
    format!("position {start} moves {}\n", on_one_line(moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    #[test]
    fn a_position_with_moves_is_a_record() {
        for (fen, moves) in [("startpos", "h2e2\n h9g7"), (START_FEN, "炮二平五 马8进7")] {
            let input = Input::Moves {
                fen: fen.to_owned(),
                moves: moves.to_owned(),
            };
            let archive = input.open().unwrap();
            assert_eq!(archive.game_count(), 1);
            let record = archive.read(0).unwrap();
            assert_eq!(record.moves().len(), 2, "{fen} {moves}");
            assert_eq!(record.stopped_by(), None);
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let missing = Input::File(PathBuf::from("no/such/file"));
        assert!(matches!(missing.open(), Err(InputError::Io(_))));
        assert_eq!(missing.to_string(), "no/such/file");
    }
}
