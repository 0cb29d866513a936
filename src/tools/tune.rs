//! Tuning the search's parameters by games against itself: SPSA (Spall 1992; the
//! form with a schedule for each parameter is that of the Fishtest framework).
//!
//! Every iteration moves all parameters at once by a random sign times their step
//! and lets the two opposite settings play pairs of games; the side that scores
//! better pulls the values its way. Games are at fixed nodes, so the machine's
//! load does not matter. Values are kept in a file after every iteration, and a
//! run that was ended goes on from it.
//!
//! Parameters can only be changed in builds with the feature `tune`.

use super::arena::game::{self, Adjudication, TimeControl};
use super::arena::openings::RandomOpenings;
use super::arena::player::Own;
use super::arena::stats::{GameResult, Score};
use super::output;
use crate::eval::nnue::Network;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::{HashSizeError, Param, Params, Searcher};
use crate::types::Random;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// What to tune, and how.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// Names of the parameters; none: all.
    pub names: Vec<String>,
    /// Iterations in all, which fixes the schedule.
    pub iterations: u64,
    /// Pairs of games an iteration.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// How far a won game moves a parameter at the end, in steps; ten times as
    /// much suits a run of a few thousand games as one of a hundred thousand.
    pub gain: f64,
    /// Seed of openings and directions.
    pub seed: u64,
    /// The evaluation.
    pub network: Arc<Network>,
    /// Where values are kept.
    pub file: PathBuf,
}

/// Why tuning cannot go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The build has no parameters that could be changed.
    #[error("this build has fixed parameters; build with --features tune")]
    Fixed,
    /// A name that is none.
    #[error("there is no parameter {0}")]
    Unknown(String),
    /// The file cannot be read, written or understood.
    #[error("{0}: {1}")]
    File(PathBuf, String),
    /// No memory for the players.
    #[error(transparent)]
    Memory(#[from] HashSizeError),
    /// A game could not be played to its end.
    #[error("a game failed: {0}")]
    Game(String),
}

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Iterations done.
    pub iteration: u64,
    /// The values so far.
    pub values: BTreeMap<String, f64>,
}

/// Decay of steps and gains over the run, as in Spall's guidelines.
const STEP_DECAY: f64 = 0.101;
const GAIN_DECAY: f64 = 0.602;
/// The part of a run after which the gain begins to fall.
const STABILITY: f64 = 0.1;

/// How far a parameter is moved for a trial at the end of a run.
fn final_step(row: &Param) -> f64 {
    (f64::from(row.upper - row.lower) / 20.0).max(0.5)
}

/// Step and gain of an iteration.
fn schedule(row: &Param, iteration: u64, options: &TuneOptions) -> (f64, f64) {
    let (k, n) = (iteration as f64 + 1.0, options.iterations as f64);
    let stability = STABILITY * n;
    let step = final_step(row) * (n / k).powf(STEP_DECAY);
    let gain = options.gain
        * final_step(row).powi(2)
        * ((stability + n) / (stability + k)).powf(GAIN_DECAY);
    (step, gain)
}

/// These values, rounded, as parameters.
#[cfg_attr(not(feature = "tune"), expect(unused_variables, unused_mut))]
fn params(values: &BTreeMap<String, f64>) -> Result<Params, TuneError> {
    let mut params = Params::DEFAULT;
    #[cfg(not(feature = "tune"))]
    return Err(TuneError::Fixed);
    #[cfg(feature = "tune")]
    {
        for (name, value) in values {
            if !params.set(name, value.round() as i32) {
                return Err(TuneError::Unknown(name.clone()));
            }
        }
        Ok(params)
    }
}

fn rows(names: &[String]) -> Result<Vec<Param>, TuneError> {
    if let Some(name) =
        (names.iter()).find(|name| !Params::TABLE.iter().any(|row| row.name == **name))
    {
        return Err(TuneError::Unknown(name.clone()));
    }
    let wanted = |row: &&Param| names.is_empty() || names.iter().any(|name| name == row.name);
    Ok(Params::TABLE.iter().filter(wanted).copied().collect())
}

/// Plays pairs of games between two settings; the score is the first one's.
///
/// # Errors
/// If memory runs out or a game fails.
pub fn compare(
    values: [&BTreeMap<String, f64>; 2],
    options: &TuneOptions,
    first_pair: u64,
    pairs: u64,
) -> Result<Score, TuneError> {
    let params = [params(values[0])?, params(values[1])?];
    let results: Vec<[GameResult; 2]> = (first_pair..first_pair + pairs)
        .into_par_iter()
        .map(|number| pair(params, options, number))
        .collect::<Result<_, TuneError>>()?;
    let mut score = Score::default();
    for pair in results {
        score.add_pair(pair);
    }
    Ok(score)
}

/// One opening with both colours.
fn pair(
    params: [Params; 2],
    options: &TuneOptions,
    number: u64,
) -> Result<[GameResult; 2], TuneError> {
    const HASH_MB: usize = 8;
    let network = || Some(Arc::clone(&options.network));
    let openings = RandomOpenings {
        plies: (6, 11),
        nodes: 2_000,
        balance: 150,
        seed: options.seed,
    };
    let mut balance = Searcher::new(1, 1)?;
    balance.set_network(network());
    let start = openings.opening(number, &mut balance);
    let seat = |params| -> Result<Own, TuneError> {
        let mut player = Own::new(HASH_MB, network())?;
        player.set_params(params);
        Ok(player)
    };
    let (mut a, mut b) = (seat(params[0])?, seat(params[1])?);
    let as_red = play([&mut a, &mut b], &start, options)?;
    let as_black = play([&mut b, &mut a], &start, options)?;
    Ok([as_red, as_black.reversed()])
}

fn play(
    players: [&mut Own; 2],
    start: &Position,
    options: &TuneOptions,
) -> Result<GameResult, TuneError> {
    let [red, black] = players;
    let control = TimeControl::SoftNodes(options.nodes);
    let game = game::play(
        [red, black],
        start,
        control,
        Rules::default(),
        Adjudication::default(),
    );
    match game.reason {
        game::Reason::Fault(fault) => Err(TuneError::Game(fault.to_string())),
        _ => Ok(game.result),
    }
}

/// Runs the iterations that are missing on the current rayon pool; `tell` hears
/// of each.
///
/// # Errors
/// If the build is not for tuning, a name is unknown, the file cannot be used, or
/// a game fails.
pub fn tune(options: &TuneOptions, tell: &mut dyn FnMut(&Progress)) -> Result<Progress, TuneError> {
    params(&BTreeMap::new())?;
    let rows = rows(&options.names)?;
    let mut progress = load(&options.file)?;
    for row in &rows {
        let value = f64::from(row.value);
        progress.values.entry(row.name.to_owned()).or_insert(value);
    }
    while progress.iteration < options.iterations {
        let iteration = progress.iteration;
        let mut random = Random::new(options.seed ^ iteration.wrapping_mul(0xd134_2543_de82_ef95));
        let signs: Vec<f64> = rows
            .iter()
            .map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 })
            .collect();
        let moved = |direction: f64| {
            let mut values = progress.values.clone();
            for (row, sign) in rows.iter().zip(&signs) {
                let (step, _) = schedule(row, iteration, options);
                if let Some(value) = values.get_mut(row.name) {
                    *value = clamp(row, *value + direction * sign * step);
                }
            }
            values
        };
        let (plus, minus) = (moved(1.0), moved(-1.0));
        let first = iteration * options.pairs;
        let score = compare([&plus, &minus], options, first, options.pairs)?;
        let surplus = 2.0 * (score.share() - 0.5) * f64::from(score.played());
        for (row, sign) in rows.iter().zip(&signs) {
            let (step, gain) = schedule(row, iteration, options);
            if let Some(value) = progress.values.get_mut(row.name) {
                *value = clamp(row, *value + gain / step * surplus * sign);
            }
        }
        progress.iteration += 1;
        save(&options.file, &progress)?;
        tell(&progress);
    }
    Ok(progress)
}

fn clamp(row: &Param, value: f64) -> f64 {
    value.clamp(f64::from(row.lower), f64::from(row.upper))
}

/// What a file says; a fresh start if there is none.
fn load(path: &Path) -> Result<Progress, TuneError> {
    let fault = |text: String| TuneError::File(path.to_owned(), text);
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| fault(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Progress::default()),
        Err(error) => Err(fault(error.to_string())),
    }
}

fn save(path: &Path, progress: &Progress) -> Result<(), TuneError> {
    let fault = |text: String| TuneError::File(path.to_owned(), text);
    let text = serde_json::to_string_pretty(progress).map_err(|error| fault(error.to_string()))?;
    output::write_whole(path, text.as_bytes()).map_err(|error| fault(error.fault.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_gains_fall_over_the_run() {
        let row = Params::TABLE[0];
        let options = TuneOptions {
            names: Vec::new(),
            iterations: 1_000,
            pairs: 1,
            nodes: 1,
            gain: 0.002,
            seed: 1,
            network: crate::eval::nnue::built_in(),
            file: PathBuf::new(),
        };
        let (first_step, first_gain) = schedule(&row, 0, &options);
        let (last_step, last_gain) = schedule(&row, 999, &options);
        assert!(first_step > last_step && first_gain > last_gain);
        assert!((last_step - final_step(&row)).abs() < 1e-9);
    }

    #[test]
    fn unknown_names_are_an_error() {
        assert!(matches!(
            rows(&["no_such".to_owned()]),
            Err(TuneError::Unknown(_))
        ));
        assert_eq!(
            rows(&[]).map(|rows| rows.len()).ok(),
            Some(Params::TABLE.len())
        );
    }

    #[test]
    fn progress_is_kept_and_damage_is_an_error() {
        let path = std::env::temp_dir().join(format!("chuhe-tune-{}.json", std::process::id()));
        let progress = Progress {
            iteration: 7,
            values: BTreeMap::from([("rfp_factor".to_owned(), 71.5)]),
        };
        save(&path, &progress).expect("the folder can be written");
        assert_eq!(load(&path).ok(), Some(progress));
        std::fs::write(&path, "{").expect("the folder can be written");
        assert!(matches!(load(&path), Err(TuneError::File(..))));
        std::fs::remove_file(&path).expect("the file is there");
    }
}
