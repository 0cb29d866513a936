//! `chuhe analyse`: its arguments and its one call.

use super::pool;
use crate::eval::nnue;
use crate::rules::{RuleSet, Rules};
use crate::search::{Clock, Limits};
use crate::tools::analyse::{self, AnalyseOptions, AnalysedGame, Flaw};
use clap::Args;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct AnalyseArgs {
    /// Game records: PGN, DhtmlXQ, XQF, ICCS lists, UCCI positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Nodes for each position
    #[arg(long, default_value_t = 200_000, conflicts_with = "movetime")]
    nodes: u64,
    /// Milliseconds for each position
    #[arg(long)]
    movetime: Option<u64>,
    /// Lines for each position
    #[arg(long, default_value_t = 1)]
    multipv: usize,
    /// Games analysed at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Hash table for each game in megabytes
    #[arg(long, default_value_t = 32)]
    hash: usize,
    /// Rules of repetition
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Write the games with comments here
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write everything as JSON here
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page to step through here
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: AnalyseArgs) -> Result<ExitCode, Box<dyn Error>> {
    let limits = match args.movetime {
        Some(time) => Limits {
            clock: Clock::MoveTime(Duration::from_millis(time)),
            ..Limits::default()
        },
        None => Limits {
            nodes: Some(args.nodes),
            ..Limits::default()
        },
    };
    let options = AnalyseOptions {
        files: args.files,
        limits,
        multi_pv: args.multipv.max(1),
        hash_mb: args.hash,
        network: nnue::built_in(),
        rules: Rules {
            set: args.rules,
            ..Rules::default()
        },
        pgn: args.pgn,
        json: args.json,
        html: args.html,
    };
    let mut complaints = 0;
    let mut complain = |line: String| {
        complaints += 1;
        eprintln!("chuhe: {line}");
    };
    let games = pool(args.threads)?.install(|| analyse::run(&options, &mut complain))?;
    let mut out = io::stdout().lock();
    for game in &games {
        writeln!(out, "{}", summary(game))?;
    }
    Ok(ExitCode::from(u8::from(complaints > 0)))
}

/// One line: the game and how many flaws each side had.
fn summary(game: &AnalysedGame) -> String {
    let count = |side: usize, flaw: Flaw| {
        (0..game.positions.len())
            .filter(|&ply| game.positions[ply].position.side_to_move().index() == side)
            .filter(|&ply| game.flaw(ply) == Some(flaw))
            .count()
    };
    let side = |side: usize| {
        let [inaccuracies, mistakes, blunders] =
            [Flaw::Inaccuracy, Flaw::Mistake, Flaw::Blunder].map(|flaw| count(side, flaw));
        format!("{inaccuracies}/{mistakes}/{blunders}")
    };
    format!(
        "{}: {} plies; 缓着/失着/败着 (inaccuracies/mistakes/blunders): Red {}, Black {}",
        game.label,
        game.positions.len() - 1,
        side(0),
        side(1)
    )
}
