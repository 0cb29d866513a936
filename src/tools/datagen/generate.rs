//! Playing the games and writing the chunks.

use super::game_file::{ScoredMove, SelfPlayGame, write_game};
use crate::eval::nnue::Network;
use crate::rules::{Game, Rules};
use crate::search::HashSizeError;
use crate::tools::arena::game::{Adjudication, PlayedGame, Reason, TimeControl, play};
use crate::tools::arena::openings::RandomOpenings;
use crate::tools::arena::player::{Answer, Fault, Own, Player, Turn};
use crate::tools::arena::stats::GameResult;
use crate::tools::data::manifest::{DataFile, DataManifest, Generation, evaluation_name};
use crate::tools::data::source::{self, DataError, Parsed};
use crate::tools::data::tally::Tally;
use crate::tools::output::{self, WriteError};
use crate::types::score::EVAL_LIMIT;
use rayon::prelude::*;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// What to generate.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// Games in all.
    pub games: u64,
    /// Games in a file.
    pub chunk: u64,
    /// Soft node limit of a move; the hard one is four times as much.
    pub nodes: u64,
    /// The seed: another seed, other games.
    pub seed: u64,
    /// Hash table in megabytes; both sides share it.
    pub hash_mb: usize,
    /// What evaluates; `None`: by hand.
    pub network: Option<Arc<Network>>,
    /// Where the chunks go.
    pub out: PathBuf,
}

/// Why generation cannot go on. Whole chunks stay.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// A chunk or its folder cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder's games of this seed were made otherwise.
    #[error("{0} describes games made with other settings; use another seed or folder")]
    Settings(PathBuf),
    /// The manifest of earlier games cannot be understood.
    #[error("{0}")]
    Manifest(String),
    /// No memory for the tables.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// An earlier chunk cannot be read back for the manifest.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// What was generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Plies of all games.
    pub plies: u64,
    /// Red's losses, draws, Red's wins.
    pub results: [u64; 3],
    /// Of the games that were played to the end on the board: those where a draw
    /// was due early, right and wrong.
    pub early_draws: [u64; 2],
    /// Those where a win was due early, right and wrong.
    pub early_wins: [u64; 2],
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        for (sum, count) in self.early_draws.iter_mut().zip(other.early_draws) {
            *sum += count;
        }
        for (sum, count) in self.early_wins.iter_mut().zip(other.early_wins) {
            *sum += count;
        }
    }
}

/// The first random plies of a game.
const OPENING_PLIES: (usize, usize) = (6, 11);
/// Nodes of the search that looks whether an opening is balanced, and how far.
const OPENING_NODES: u64 = 2_000;
const OPENING_BALANCE: i32 = 200;
/// One game in this many is played to its end.
const UNADJUDICATED: u64 = 10;

/// Generates the missing chunks on the current rayon pool; `tell` hears of each.
///
/// # Errors
/// If a chunk cannot be written or memory cannot be had.
pub fn generate(
    options: &DatagenOptions,
    tell: &mut dyn FnMut(u64, Summary),
) -> Result<Summary, DatagenError> {
    std::fs::create_dir_all(&options.out).map_err(|fault| WriteError::new(&options.out, fault))?;
    claim(options)?;
    let mut total = Summary::default();
    let chunks: Vec<Chunk> = (0..options.games.div_ceil(options.chunk))
        .map(|number| Chunk::new(options, number))
        .collect();
    for chunk in &chunks {
        if chunk.is_whole() {
            continue;
        }
        let games: Vec<(SelfPlayGame, Summary)> = (chunk.first..chunk.last)
            .into_par_iter()
            .map_init(
                || None,
                |players, number| one_game(options, players, number),
            )
            .collect::<Result<_, _>>()?;
        let mut bytes = Vec::new();
        let mut summary = Summary::default();
        for (game, counted) in &games {
            write_game(game, &mut bytes);
            summary += *counted;
        }
        output::write_whole(&chunk.path, &bytes)?;
        total += summary;
        tell(chunk.last, summary);
    }
    write_manifest(options, &chunks)?;
    Ok(total)
}

/// The games of one file.
struct Chunk {
    path: PathBuf,
    first: u64,
    last: u64,
}

impl Chunk {
    fn new(options: &DatagenOptions, number: u64) -> Self {
        let name = format!("seed{}-{number:06}.gam", options.seed);
        let first = number * options.chunk;
        Self {
            path: options.out.join(name),
            first,
            last: (first + options.chunk).min(options.games),
        }
    }

    /// Whether an earlier run has left all its games. One that was cut short by
    /// that run's number of games, or damaged since, is made again.
    fn is_whole(&self) -> bool {
        if !self.path.exists() {
            return false;
        }
        match source::load(&self.path) {
            Ok(content) => {
                let parsed = Parsed::new(&content);
                let wanted = self.last - self.first;
                if let Some(complaint) = parsed.complaint(&self.path) {
                    log::warn!("{complaint}; it is made again");
                }
                parsed.fault.is_none() && parsed.games.len() as u64 >= wanted
            }
            Err(fault) => {
                log::warn!("{fault}; it is made again");
                false
            }
        }
    }
}

fn manifest_path(options: &DatagenOptions) -> PathBuf {
    options.out.join(format!("seed{}.toml", options.seed))
}

fn generation(options: &DatagenOptions) -> Generation {
    Generation {
        evaluation: evaluation_name(options.network.as_deref()),
        nodes: options.nodes,
        seed: options.seed,
        game_numbers: [0, options.games],
        chunk: options.chunk,
        hash_mb: options.hash_mb as u64,
    }
}

/// Puts these settings down for the games to come, unless the folder has games of
/// this seed that were made with others: what made a game must stay known.
fn claim(options: &DatagenOptions) -> Result<(), DatagenError> {
    let path = manifest_path(options);
    if path.exists() {
        let earlier = DataManifest::read(&path).map_err(DatagenError::Manifest)?;
        let same = earlier.generation.is_some_and(|earlier| {
            let game_numbers = earlier.game_numbers;
            earlier
                == Generation {
                    game_numbers,
                    ..generation(options)
                }
        });
        return if same {
            Ok(())
        } else {
            Err(DatagenError::Settings(path))
        };
    }
    let mut manifest = DataManifest::new(Tally::default(), Vec::new(), Vec::new());
    manifest.generation = Some(generation(options));
    Ok(manifest.write(&path)?)
}

/// Describes all chunks, those of earlier runs too.
fn write_manifest(options: &DatagenOptions, chunks: &[Chunk]) -> Result<(), DatagenError> {
    let mut total = Tally::default();
    let mut files = Vec::new();
    for Chunk { path, .. } in chunks {
        let content = source::load(path)?;
        let parsed = Parsed::new(&content);
        total += Tally::of(&parsed.games);
        files.push(DataFile::new(path, &content, &parsed));
    }
    let mut manifest = DataManifest::new(total, files, Vec::new());
    manifest.generation = Some(generation(options));
    Ok(manifest.write(&manifest_path(options))?)
}

/// A side of a game in which one engine plays both: each finds in the table what the
/// other has looked at, and half as much memory stays in the cache.
struct Side<'a>(&'a Mutex<Own>);

impl Player for Side<'_> {
    /// Nothing: the first position of the game is known from its choice.
    fn new_game(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: Turn) -> Result<Answer, Fault> {
        let mut engine = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        engine.think(game, turn)
    }
}

fn one_game(
    options: &DatagenOptions,
    engine: &mut Option<Mutex<Own>>,
    number: u64,
) -> Result<(SelfPlayGame, Summary), DatagenError> {
    let engine = match engine {
        Some(engine) => engine,
        None => engine.insert(Mutex::new(Own::new(
            options.hash_mb,
            options.network.clone(),
        )?)),
    };
    let openings = RandomOpenings {
        plies: OPENING_PLIES,
        nodes: OPENING_NODES,
        balance: OPENING_BALANCE,
        seed: options.seed,
    };
    let searcher = engine
        .get_mut()
        .unwrap_or_else(PoisonError::into_inner)
        .searcher();
    let start = openings.opening(number, searcher);
    let to_the_end = number.is_multiple_of(UNADJUDICATED);
    let rules = Adjudication::default();
    let adjudication = if to_the_end {
        Adjudication {
            win_plies: 0,
            draw_plies: 0,
            ..rules
        }
    } else {
        rules
    };
    let (mut red, mut black) = (Side(engine), Side(engine));
    let sides: [&mut dyn Player; 2] = [&mut red, &mut black];
    let control = TimeControl::SoftNodes(options.nodes);
    let game = play(sides, &start, control, Rules::default(), adjudication);
    let mut summary = Summary {
        games: 1,
        plies: game.plies.len() as u64,
        ..Summary::default()
    };
    summary.results[game.result.half_points()] += 1;
    if to_the_end && let Some(early) = game.early_result(rules) {
        let counts = match early {
            GameResult::Draw => &mut summary.early_draws,
            _ => &mut summary.early_wins,
        };
        counts[usize::from(early != game.result)] += 1;
    }
    Ok((to_self_play(&game), summary))
}

/// The game as it is stored.
pub fn to_self_play(game: &PlayedGame) -> SelfPlayGame {
    let clamp = |score: i32| score.clamp(-EVAL_LIMIT, EVAL_LIMIT) as i16;
    debug_assert!(!matches!(game.reason, Reason::Fault(_)));
    SelfPlayGame {
        start: game.start.clone(),
        result: game.result,
        plies: game
            .plies
            .iter()
            .map(|&(mv, score)| ScoredMove {
                mv,
                score: clamp(score),
            })
            .collect(),
    }
}

impl PlayedGame {
    /// The result for Red at which these rules would have ended the game early.
    fn early_result(&self, rules: Adjudication) -> Option<GameResult> {
        (1..=self.plies.len()).find_map(|length| self.agreed_after(length, rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn options(out: &Path) -> DatagenOptions {
        DatagenOptions {
            games: 6,
            chunk: 4,
            nodes: 100,
            seed: 5,
            hash_mb: 1,
            network: None,
            out: out.to_owned(),
        }
    }

    fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, std::fs::read(path).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    #[test]
    fn the_same_seed_gives_the_same_files_with_any_number_of_threads() {
        let folder = std::env::temp_dir().join(format!("chuhe-datagen-{}", std::process::id()));
        let run = |threads: usize, name: &str| {
            let out = folder.join(name);
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .stack_size(crate::search::STACK_BYTES)
                .build()
                .unwrap();
            let summary = pool
                .install(|| generate(&options(&out), &mut |_, _| {}))
                .unwrap();
            (summary, files(&out))
        };
        let one = run(1, "one");
        let two = run(2, "two");
        assert_eq!(one, two);
        assert_eq!(one.0.games, 6);
        // A chunk that is missing is made again, the others are left alone.
        std::fs::remove_file(folder.join("two").join(&two.1[0].0)).unwrap();
        let again = run(2, "two");
        assert_eq!((again.0.games, again.1), (4, one.1.clone()));
        // So is one that is damaged.
        let damaged = folder.join("two").join(&one.1[1].0);
        std::fs::write(damaged, &one.1[1].1[..40]).unwrap();
        let again = run(2, "two");
        assert_eq!((again.0.games, again.1), (2, one.1));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_goes_on_with_more_games_but_not_with_other_settings() {
        let folder = std::env::temp_dir().join(format!("chuhe-claim-{}", std::process::id()));
        let few = DatagenOptions {
            games: 5,
            nodes: 20,
            ..options(&folder)
        };
        let run = |options: &DatagenOptions| generate(options, &mut |_, _| {});
        assert_eq!(run(&few).unwrap().games, 5);
        // The second chunk has one game of four: it is made anew.
        let more = DatagenOptions {
            games: 8,
            ..few.clone()
        };
        assert_eq!(run(&more).unwrap().games, 4);
        let other = DatagenOptions { nodes: 21, ..more };
        let before = files(&folder);
        assert!(matches!(run(&other), Err(DatagenError::Settings(_))));
        assert_eq!(files(&folder), before);
        std::fs::write(folder.join("seed5.toml"), "rubbish").unwrap();
        assert!(matches!(run(&other), Err(DatagenError::Manifest(_))));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
