//! From games to training samples: which positions are learned from.

use crate::position::Position;
use crate::tools::arena::stats::GameResult;
use crate::tools::datagen::game_file::{self, GameFileError, Games, START_BYTES, SelfPlayGame};
use crate::types::Color;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A position to learn from, in 32 bytes: occupied squares and men as in the
/// game file, the score and the result for the side to move, the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The packed position; byte 31 is the side to move.
    pub packed: [u8; START_BYTES],
}

impl Sample {
    fn new(position: &Position, score: i16, result: GameResult) -> Self {
        let mut packed = [0; START_BYTES];
        packed[..28].copy_from_slice(&game_file::pack_position(position));
        packed[28..30].copy_from_slice(&score.to_le_bytes());
        let side = position.side_to_move();
        let result = if side == Color::Red {
            result
        } else {
            result.reversed()
        };
        packed[30] = result.half_points() as u8;
        packed[31] = side.index() as u8;
        Self { packed }
    }

    /// The score of the search for the side to move.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.packed[28], self.packed[29]])
    }

    /// What the game ended with for the side to move: 0, 1/2 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.packed[30]) / 2.0
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        if self.packed[31] & 1 == 0 {
            Color::Red
        } else {
            Color::Black
        }
    }
}

/// Which positions are left out besides those in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Scores beyond this.
    pub max_score: i16,
    /// Copies of a position beyond this many.
    pub max_copies: u32,
    /// Positions whose best move gives check.
    pub no_checks: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            max_score: 2_500,
            max_copies: 3,
            no_checks: false,
        }
    }
}

/// Why games cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or unpacked.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
    /// The games are damaged.
    #[error("{0}: {1}")]
    Games(PathBuf, GameFileError),
}

/// Samples to learn from and samples to test with.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// To learn from.
    pub training: Vec<Sample>,
    /// Never learned from: whole games, one in fifty.
    pub held_out: Vec<Sample>,
    /// Plies read in all.
    pub plies: u64,
    /// Games read in all.
    pub games: u64,
}

/// Reads game files, plain or packed by zstd (`.zst`), in the order given.
///
/// # Errors
/// If a file cannot be read or holds a damaged game.
pub fn read_samples(paths: &[PathBuf], filter: Filter) -> Result<Samples, ReadError> {
    let files: Vec<Vec<u8>> = paths
        .par_iter()
        .map(|path| read_game_file(path))
        .collect::<Result<_, _>>()?;
    let mut samples = Samples::default();
    let mut copies: HashMap<u64, u32> = HashMap::new();
    for (path, bytes) in paths.iter().zip(&files) {
        for (number, game) in Games::new(bytes).enumerate() {
            let game = game.map_err(|fault| ReadError::Games(path.clone(), fault))?;
            samples.games += 1;
            samples.plies += game.plies.len() as u64;
            let target = if is_held_out(number, &game) {
                &mut samples.held_out
            } else {
                &mut samples.training
            };
            collect(&game, filter, &mut copies, target);
        }
    }
    Ok(samples)
}

/// Reads a file of games, plain or packed by zstd (`.zst`).
///
/// # Errors
/// If it cannot be read or unpacked.
pub fn read_game_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let error = |fault: io::Error| ReadError::File(path.to_owned(), fault);
    let bytes = std::fs::read(path).map_err(error)?;
    if path.extension().is_none_or(|extension| extension != "zst") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(bytes.as_slice())
        .map_err(|fault| error(io::Error::other(fault.to_string())))?;
    decoder.read_to_end(&mut unpacked).map_err(error)?;
    Ok(unpacked)
}

/// One game in fifty, by its number and first move.
fn is_held_out(number: usize, game: &SelfPlayGame) -> bool {
    let salt = game.plies.first().map_or(0, |ply| ply.mv.to_bits());
    let hash = (number as u64 ^ u64::from(salt) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> 32).is_multiple_of(50)
}

fn collect(
    game: &SelfPlayGame,
    filter: Filter,
    copies: &mut HashMap<u64, u32>,
    target: &mut Vec<Sample>,
) {
    let mut position = game.start.clone();
    for ply in &game.plies {
        let legality = position.legality();
        if !position.is_legal(ply.mv, &legality) {
            log::warn!(
                "a game goes on with the illegal move {}; the rest is left out",
                ply.mv
            );
            return;
        }
        let is_quiet = !legality.in_check()
            && position.piece_on(ply.mv.to()).is_none()
            && ply.score.unsigned_abs() <= filter.max_score.unsigned_abs()
            && !(filter.no_checks && position.gives_check(ply.mv));
        if is_quiet {
            let seen = copies.entry(position.key()).or_default();
            *seen += 1;
            if *seen <= filter.max_copies {
                target.push(Sample::new(&position, ply.score, game.result));
            }
        }
        position.make(ply.mv);
    }
}
