//! `chuhe suite`: its arguments and its one call.

use super::{pool, read};
use crate::search::{Clock, Limits};
use crate::tools::suite::{self, Suite};
use clap::Args;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct SuiteArgs {
    /// The puzzles
    file: PathBuf,
    /// Nodes for each puzzle
    #[arg(long, required_unless_present = "movetime")]
    nodes: Option<u64>,
    /// Milliseconds for each puzzle
    #[arg(long)]
    movetime: Option<u64>,
    /// Puzzles searched at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Hash table of each search in megabytes
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Print the puzzles that were not solved
    #[arg(long)]
    failures: bool,
}

/// Runs the command.
pub(super) fn run(args: &SuiteArgs) -> Result<ExitCode, Box<dyn Error>> {
    let Suite { puzzles, left_out } = suite::parse(&read(&args.file)?);
    for fault in &left_out {
        eprintln!("chuhe: {}, {fault}; left out", args.file.display());
    }
    if puzzles.is_empty() {
        return Err(format!("{}: no puzzles", args.file.display()).into());
    }
    let limits = Limits {
        nodes: args.nodes,
        clock: args.movetime.map_or(Clock::None, |millis| {
            Clock::MoveTime(Duration::from_millis(millis))
        }),
        ..Limits::default()
    };
    let mut out = io::BufWriter::new(io::stdout());
    pool(args.threads)?
        .install(|| suite::run(&puzzles, &limits, args.hash, args.failures, &mut out))?;
    Ok(ExitCode::SUCCESS)
}
