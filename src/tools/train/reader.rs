//! From games to training samples: which games are learned from and which are
//! held out, and how often a position may come up.

use crate::eval::nnue::format::fnv1a;
use crate::tools::data::manifest::DataFile;
use crate::tools::data::record::{self, Filter, Sample};
use crate::tools::data::source::{self, Content, DataError, Parsed};
use crate::tools::datagen::game_file::{SelfPlayGame, write_game};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

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
    /// The files they came from.
    pub files: Vec<DataFile>,
}

impl Samples {
    fn add(&mut self, game: &GameSamples, max_copies: u32, copies: &mut Copies) {
        let target = if game.is_held_out {
            &mut self.held_out
        } else {
            &mut self.training
        };
        let kept = game.samples.iter().filter(|(key, _)| {
            let seen = copies.entry(*key).or_default();
            *seen += 1;
            *seen <= max_copies
        });
        target.extend(kept.map(|(_, sample)| sample));
    }
}

/// Games whose positions are in memory twice.
const GAMES_AT_ONCE: usize = 8_192;

/// Reads the data files that these paths mean, in that order, on the current
/// rayon pool. What is damaged in a file is left out with a warning.
///
/// # Errors
/// If a file cannot be read or holds no games at all.
pub fn read_samples(paths: &[PathBuf], filter: Filter) -> Result<Samples, DataError> {
    let mut samples = Samples::default();
    let mut copies = Copies::default();
    for path in source::expand(paths)? {
        let content = source::load(&path)?;
        add_file(&path, &content, filter, &mut copies, &mut samples);
    }
    Ok(samples)
}

fn add_file(
    path: &Path,
    content: &Content,
    filter: Filter,
    copies: &mut Copies,
    samples: &mut Samples,
) {
    let mut parsed = Parsed::new(content);
    let games = std::mem::take(&mut parsed.games);
    for (chunk, games) in games.chunks(GAMES_AT_ONCE).enumerate() {
        let read: Vec<GameSamples> = games
            .par_iter()
            .map(|game| GameSamples::new(game, filter))
            .collect();
        for (index, game) in read.into_iter().enumerate() {
            samples.games += 1;
            samples.plies += games[index].plies.len() as u64;
            if let Some(fault) = &game.fault {
                let number = chunk * GAMES_AT_ONCE + index + 1;
                parsed.add_fault(format!("game {number}: {fault}"));
            }
            samples.add(&game, filter.max_copies, copies);
        }
    }
    parsed.games = games;
    if let Some(complaint) = parsed.complaint(path) {
        log::warn!("{complaint}");
    }
    samples.files.push(DataFile::new(path, content, &parsed));
}

/// What a game gives.
struct GameSamples {
    samples: Vec<(u64, Sample)>,
    is_held_out: bool,
    fault: Option<record::IllegalMove>,
}

impl GameSamples {
    fn new(game: &SelfPlayGame, filter: Filter) -> Self {
        let mut samples = Vec::with_capacity(game.plies.len());
        let read = record::positions(game, filter, &mut |key, sample| samples.push((key, sample)));
        Self {
            samples,
            is_held_out: is_held_out(game),
            fault: read.err(),
        }
    }
}

/// One game in fifty, by what was played: the same games whatever file they are
/// in, so that a game cannot be learned from under another name.
fn is_held_out(game: &SelfPlayGame) -> bool {
    let mut bytes = Vec::new();
    write_game(game, &mut bytes);
    (fnv1a(&bytes) >> 32).is_multiple_of(50)
}

/// How often each Zobrist key was seen. The keys are random numbers already.
type Copies = HashMap<u64, u32, Unhashed>;

#[derive(Clone, Copy, Debug, Default)]
struct Unhashed;

/// The key itself.
#[derive(Default)]
struct Key(u64);

impl BuildHasher for Unhashed {
    type Hasher = Key;

    fn build_hasher(&self) -> Key {
        Key::default()
    }
}

impl Hasher for Key {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv1a(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
