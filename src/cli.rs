//! The command line: the subcommands. Each has a file of its own with what it
//! takes and the one function it calls.

mod analyse;
mod bench;
mod book;
mod convert;
mod data;
mod datagen;
mod judge;
mod match_;
mod perft;
mod play;
mod show;
mod suite;
mod tournament;
mod train;
mod tune;

use crate::eval::nnue::{self, Network};
use crate::protocol::{self, Hooks};
use crate::search::STACK_BYTES;
use crate::tools;
use crate::tools::arena::spec::{self, SpecError};
use clap::{CommandFactory, Parser, Subcommand};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Chuhe (楚河), a Chinese-chess engine. Without a command it speaks UCCI and
/// UCI on standard input and output; arguments that are no command are obeyed
/// first, as if they had been typed ("setoption name Hash value 64" bench quit).
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search fixed positions: the node count is the signature of this version
    Bench(bench::BenchArgs),
    /// Count the legal move sequences of a position, or check a suite of counts
    Perft(perft::PerftArgs),
    /// Solve the puzzles of a file (JSON lines or EPD)
    Suite(suite::SuiteArgs),
    /// Judge finished games by the rules of repetition, with the evidence
    #[command(after_help = judge::NOTES)]
    Judge(judge::JudgeArgs),
    /// Say what the engine thinks of the moves of recorded games
    Analyse(analyse::AnalyseArgs),
    /// Make, show, merge and convert opening books
    #[command(after_help = book::NOTES)]
    Book(Box<book::BookArgs>),
    /// Write game records in another format, files and folders
    #[command(after_help = convert::NOTES)]
    Convert(convert::ConvertArgs),
    /// Show a position or a position of a game, as text or as SVG
    Show(show::ShowArgs),
    /// Train a network on self-play games
    Train(train::TrainArgs),
    /// Play games against itself, to learn from
    Datagen(datagen::DatagenArgs),
    /// Tune the search's parameters by games against itself (feature `tune`)
    Tune(tune::TuneArgs),
    /// Inspect, convert, merge, verify, archive and count self-play games
    Data(data::DataArgs),
    /// Play a match between two engines
    Match(Box<match_::MatchArgs>),
    /// Play a tournament: round robin, gauntlet, knockout, groups or Swiss system
    #[command(after_help = tournament::NOTES)]
    Tournament(Box<tournament::TournamentArgs>),
}

/// Runs the program with the arguments of the process.
///
/// # Errors
/// What went wrong, as one line for a person.
pub fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if are_protocol_commands(&arguments) {
        return Ok(speak(arguments));
    }
    match Cli::parse().command {
        None => Ok(speak(Vec::new())),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Suite(args)) => suite::run(&args),
        Some(Command::Judge(args)) => judge::run(args),
        Some(Command::Analyse(args)) => analyse::run(args),
        Some(Command::Book(args)) => book::run(*args),
        Some(Command::Convert(args)) => convert::run(args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::Datagen(args)) => datagen::run(args),
        Some(Command::Tune(args)) => tune::run(args),
        Some(Command::Match(args)) => match_::run(&args),
        Some(Command::Tournament(args)) => tournament::run(&args),
        Some(Command::Data(args)) => data::run(args),
    }
}

/// Whether the arguments are lines of the protocol rather than a subcommand.
fn are_protocol_commands(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| {
        let first = first.to_string_lossy();
        let is_command = Cli::command().find_subcommand(first.as_ref()).is_some();
        !is_command && first != "help" && !first.starts_with('-')
    })
}

/// Obeys these lines, then speaks UCCI and UCI until the client leaves.
fn speak(lines: Vec<OsString>) -> ExitCode {
    let lines = lines
        .into_iter()
        .map(OsString::into_encoded_bytes)
        .collect();
    let hooks = Hooks {
        bench: tools::bench::command,
        interactive: io::stdin().is_terminal(),
    };
    protocol::run(io::stdin(), io::stdout(), hooks, lines);
    ExitCode::SUCCESS
}

/// The tools' own threads.
fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK_BYTES)
        .build()
}

/// The network of a file, or else the built-in one.
fn network(path: Option<&Path>) -> Result<Arc<Network>, SpecError> {
    path.map_or_else(
        || Ok(nnue::built_in()),
        |path| spec::load(path).map(Arc::new),
    )
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}
