//! `chuhe perft`: its arguments and its one call.

use super::{pool, read};
use crate::position::Position;
use crate::tools::perft;
use clap::Args;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct PerftArgs {
    /// `startpos` or a FEN (its fields may be separate arguments), then the
    /// depth
    #[arg(value_name = "POSITION> <DEPTH", required_unless_present = "suite")]
    position_and_depth: Vec<String>,
    /// Check the counts of a file: `FEN ; D1 44 ; D2 1920 ; # note` a line
    #[arg(long, value_name = "FILE", conflicts_with = "position_and_depth")]
    suite: Option<PathBuf>,
    /// Skip counts above this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,
    /// Threads to count with
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Runs the command.
pub(super) fn run(args: &PerftArgs) -> Result<ExitCode, Box<dyn Error>> {
    let pool = pool(args.threads)?;
    // A locked handle cannot move to another thread, the plain one can.
    let mut out = io::BufWriter::new(io::stdout());
    if let Some(path) = &args.suite {
        let lines = perft::parse_suite(&read(path)?)?;
        let result = pool.install(|| perft::run_suite(&lines, args.max_nodes, &mut out))?;
        return Ok(ExitCode::from(u8::from(result.failed > 0)));
    }
    let (depth, position) = args
        .position_and_depth
        .split_last()
        .ok_or("a position and a depth are needed")?;
    let depth = depth
        .parse()
        .map_err(|_| format!("'{depth}' is not a depth"))?;
    let position = match position.join(" ").as_str() {
        "" | "startpos" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let speed = pool.install(|| perft::print_divide(&position, depth, &mut out))?;
    out.flush()?;
    eprintln!("{speed}");
    Ok(ExitCode::SUCCESS)
}
