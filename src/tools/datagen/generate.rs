//! Playing the games and writing the chunks.

use super::game_file::{ScoredMove, SelfPlayGame, write_game};
use crate::eval::nnue::Network;
use crate::rules::Rules;
use crate::search::{HashSizeError, Searcher};
use crate::tools::arena::game::{Adjudication, PlayedGame, Reason, TimeControl, play};
use crate::tools::arena::openings::RandomOpenings;
use crate::tools::arena::player::{Own, Player};
use crate::tools::arena::stats::GameResult;
use crate::tools::data::manifest::{DataFile, DataManifest, Generation};
use crate::tools::data::source::{self, DataError, Parsed};
use crate::tools::data::tally::Tally;
use crate::tools::data::write_whole;
use crate::types::score::EVAL_LIMIT;
use rayon::prelude::*;
use std::io;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
    /// Hash table of each side in megabytes.
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
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
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
    /// Games that were played to the end on the board although an early end was
    /// due, by whether that end would have been right and wrong.
    pub adjudication: [u64; 2],
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        for (sum, count) in self.adjudication.iter_mut().zip(other.adjudication) {
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
    let write = |path: &Path| {
        let path = path.to_owned();
        move |fault| DatagenError::Write(path, fault)
    };
    std::fs::create_dir_all(&options.out).map_err(write(&options.out))?;
    let mut total = Summary::default();
    let chunks = 0..options.games.div_ceil(options.chunk);
    let path_of = |chunk: u64| {
        let name = format!("seed{}-{chunk:06}.gam", options.seed);
        options.out.join(name)
    };
    for chunk in chunks.clone() {
        let path = path_of(chunk);
        if path.exists() {
            continue;
        }
        let first = chunk * options.chunk;
        let last = (first + options.chunk).min(options.games);
        let games: Vec<(SelfPlayGame, Summary)> = (first..last)
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
        write_whole(&path, &bytes).map_err(write(&path))?;
        total += summary;
        tell(last, summary);
    }
    write_manifest(options, &chunks.map(path_of).collect::<Vec<_>>())?;
    Ok(total)
}

/// Describes all chunks, those of earlier runs too.
fn write_manifest(options: &DatagenOptions, paths: &[PathBuf]) -> Result<(), DatagenError> {
    let mut total = Tally::default();
    let mut files = Vec::new();
    for path in paths {
        let content = source::load(path)?;
        let parsed = Parsed::new(&content);
        total += Tally::of(&parsed.games);
        files.push(DataFile::new(path, &content, &parsed));
    }
    let mut manifest = DataManifest::new(total, files, Vec::new());
    manifest.generation = Some(Generation {
        evaluation: options.network.as_ref().map_or_else(
            || "hce".to_owned(),
            |network| format!("{:016x}", network.checksum()),
        ),
        nodes: options.nodes,
        seed: options.seed,
        game_numbers: [0, options.games],
        chunk: options.chunk,
        hash_mb: options.hash_mb as u64,
    });
    let path = options.out.join(format!("seed{}.toml", options.seed));
    let written = manifest.write(&path);
    written.map_err(|fault| DatagenError::Write(path, fault))
}

/// What a thread keeps between games.
struct Seats {
    players: [Own; 2],
    openings: Searcher,
}

fn one_game(
    options: &DatagenOptions,
    seats: &mut Option<Seats>,
    number: u64,
) -> Result<(SelfPlayGame, Summary), DatagenError> {
    let seats = match seats {
        Some(seats) => seats,
        None => {
            let player = || Own::new(options.hash_mb, options.network.clone());
            let mut openings = Searcher::new(1, 1)?;
            openings.set_network(options.network.clone());
            seats.insert(Seats {
                players: [player()?, player()?],
                openings,
            })
        }
    };
    let openings = RandomOpenings {
        plies: OPENING_PLIES,
        nodes: OPENING_NODES,
        balance: OPENING_BALANCE,
        seed: options.seed,
    };
    let start = openings.opening(number, &mut seats.openings);
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
    let [red, black] = &mut seats.players;
    let seats: [&mut dyn Player; 2] = [red, black];
    let control = TimeControl::SoftNodes(options.nodes);
    let game = play(seats, &start, control, Rules::default(), adjudication);
    let mut summary = Summary {
        games: 1,
        plies: game.plies.len() as u64,
        ..Summary::default()
    };
    summary.results[game.result.half_points()] += 1;
    if to_the_end && let Some(early) = game.early_result(rules) {
        summary.adjudication[usize::from(early != game.result)] += 1;
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
        assert_eq!((again.0.games, again.1), (4, one.1));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
