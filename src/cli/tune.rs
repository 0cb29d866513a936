//! `chuhe tune`: its arguments and its one call.

use super::pool;
use crate::eval::nnue;
use crate::tools::tune::{self, TuneOptions};
use clap::Args;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct TuneArgs {
    /// Parameters to tune; none: all
    names: Vec<String>,
    /// Iterations in all; the schedule depends on it
    #[arg(long, default_value_t = 2_000)]
    iterations: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 2)]
    pairs: u64,
    /// Nodes a move after which no further iteration is started
    #[arg(long, default_value_t = 3_000)]
    nodes: u64,
    /// How far a won game moves a parameter at the end of the run, in steps
    #[arg(long, default_value_t = 0.02)]
    gain: f64,
    /// Seed of openings and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Keep values here, and go on from them
    #[arg(long, default_value = "tune.json")]
    file: PathBuf,
    /// Instead of tuning play a match: this parameter so, against the defaults
    #[arg(long = "try", value_name = "NAME=VALUE", value_parser = setting)]
    trial: Vec<(String, f64)>,
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is wanted")?;
    let value: i32 = value.parse().map_err(|_| format!("{value} is no number"))?;
    Ok((name.to_owned(), f64::from(value)))
}

/// Runs the command.
pub(super) fn run(args: TuneArgs) -> Result<ExitCode, Box<dyn Error>> {
    let options = TuneOptions {
        names: args.names,
        iterations: args.iterations,
        pairs: args.pairs.max(1),
        nodes: args.nodes,
        gain: args.gain,
        seed: args.seed,
        network: nnue::built_in(),
        file: args.file,
    };
    let pool = pool(args.threads)?;
    let mut out = io::stdout();
    if !args.trial.is_empty() {
        let values: BTreeMap<_, _> = args.trial.into_iter().collect();
        let defaults = BTreeMap::new();
        let pairs = options.iterations * options.pairs;
        let score = pool.install(|| tune::compare([&values, &defaults], &options, 0, pairs))?;
        writeln!(out, "{score}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let progress = pool.install(|| {
        tune::tune(&options, &mut |progress| {
            if progress.iteration.is_multiple_of(50) {
                log::info!("iteration {}: {:?}", progress.iteration, progress.values);
            }
        })
    })?;
    for (name, value) in &progress.values {
        writeln!(out, "{name} = {value:.1}")?;
    }
    Ok(ExitCode::SUCCESS)
}
