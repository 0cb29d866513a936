//! The command line: what each subcommand takes and the one function it calls.

mod judge;

use crate::eval::nnue;
use crate::position::Position;
use crate::protocol::{self, Hooks};
use crate::rules::{RuleSet, Rules};
use crate::search::{Clock, Limits, STACK_BYTES};
use crate::tools::arena::game::{Adjudication, TimeControl};
use crate::tools::arena::openings::{self, RandomOpenings};
use crate::tools::arena::runner::{self, MatchOptions, Openings};
use crate::tools::arena::spec::{self, PlayerSpec, parse_clock};
use crate::tools::arena::stats::{Decision, Score, Sprt};
use crate::tools::bench::{self, BenchOptions};
use crate::tools::datagen::{self, DatagenOptions};
use crate::tools::train::{self, Filter, TrainOptions};
use crate::tools::{self, perft, suite};
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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
    Bench(BenchArgs),
    /// Count the legal move sequences of a position, or check a suite of counts
    Perft(PerftArgs),
    /// Solve the puzzles of a file (JSON lines or EPD)
    Suite(SuiteArgs),
    /// Judge finished games by the rules of repetition, with the evidence
    #[command(after_help = judge::NOTES)]
    Judge(judge::JudgeArgs),
    /// Train a network on self-play games
    Train(TrainArgs),
    /// Play games against itself, to learn from
    Datagen(DatagenArgs),
    /// Play a match between two engines
    Match(Box<MatchArgs>),
}

#[derive(Args, Debug)]
struct BenchArgs {
    /// Iterations of each search
    #[arg(long, default_value_t = BenchOptions::default().depth)]
    depth: u32,
    /// Hash table in megabytes
    #[arg(long, default_value_t = BenchOptions::default().hash_mb)]
    hash: usize,
    /// Threads; with more than one the count changes from run to run
    #[arg(long, default_value_t = BenchOptions::default().threads)]
    threads: usize,
    /// Rules of repetition
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Evaluate by hand instead of by the network
    #[arg(long)]
    hce: bool,
    /// Fail unless this is the node count
    #[arg(long, value_name = "NODES")]
    expect: Option<u64>,
}

#[derive(Args, Debug)]
struct PerftArgs {
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

#[derive(Args, Debug)]
struct SuiteArgs {
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

#[derive(Args, Debug)]
struct TrainArgs {
    /// Game files, plain or packed by zstd (.zst)
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Folder for net, manifest, losses and checkpoint
    #[arg(long)]
    out: PathBuf,
    /// Hidden units, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Output buckets
    #[arg(long, default_value_t = 1)]
    buckets: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Positions per optimiser step
    #[arg(long, default_value_t = 8_192)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, default_value_t = 0.0015)]
    learning_rate: f32,
    /// Share of the search score in the target; the rest is the game's result
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Weight decay
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Leave out positions whose best move gives check
    #[arg(long)]
    no_checks: bool,
    /// Go on from the checkpoint in the folder
    #[arg(long)]
    resume: bool,
}

#[derive(Args, Debug)]
struct DatagenArgs {
    /// Games in all
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Games in a file
    #[arg(long, default_value_t = 1_000)]
    chunk: u64,
    /// Nodes a move after which no further iteration is started
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// Another seed, other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the games do not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// A network instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Folder for the files
    #[arg(long)]
    out: PathBuf,
}

#[derive(Args, Debug)]
struct MatchArgs {
    /// First player: self, self:hce, self:NET, ucci:COMMAND, uci:COMMAND, or
    /// uci10:COMMAND for ranks counted from 1
    #[arg(long)]
    a: PlayerSpec,
    /// Second player
    #[arg(long)]
    b: PlayerSpec,
    /// Options of the first player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_a: Vec<String>,
    /// Options of the second player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Clock: [MOVES/]SECONDS+INCREMENT
    #[arg(long, group = "control")]
    tc: Option<String>,
    /// Nodes a move
    #[arg(long, group = "control")]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, group = "control")]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, group = "control")]
    movetime: Option<u64>,
    /// Games at most, rounded up to pairs
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Hash table of players in this process, in megabytes
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Openings, a FEN a line; else random legal plies
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop when the difference is decided to be ELO0 or ELO1
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Rules of the referee
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Play every game to its end on the board
    #[arg(long)]
    no_adjudication: bool,
    /// Keep results here, and go on from them
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Append games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Append games in the training-data format
    #[arg(long, value_name = "FILE")]
    games_out: Option<PathBuf>,
}

impl MatchArgs {
    fn control(&self) -> Result<TimeControl, Box<dyn Error>> {
        Ok(match (&self.tc, self.nodes, self.depth, self.movetime) {
            (Some(text), ..) => parse_clock(text)?,
            (_, Some(nodes), ..) => TimeControl::Nodes(nodes),
            (_, _, Some(depth), _) => TimeControl::Depth(depth),
            (.., Some(millis)) => TimeControl::MoveTime(Duration::from_millis(millis)),
            _ => TimeControl::Nodes(5_000),
        })
    }

    fn openings(&self) -> Result<Openings, Box<dyn Error>> {
        Ok(match &self.openings {
            Some(path) => {
                let list = openings::parse(&read(path)?);
                Openings::List(list.map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => Openings::Random(RandomOpenings {
                plies: (6, 9),
                nodes: 2_000,
                balance: 200,
                seed: self.seed,
            }),
        })
    }
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
        Some(Command::Bench(args)) => run_bench(&args),
        Some(Command::Perft(args)) => run_perft(&args),
        Some(Command::Suite(args)) => run_suite(&args),
        Some(Command::Judge(args)) => judge::run(args),
        Some(Command::Train(args)) => run_training(args),
        Some(Command::Datagen(args)) => run_datagen(args),
        Some(Command::Match(args)) => run_match(*args),
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
        bench: bench_command,
        interactive: io::stdin().is_terminal(),
    };
    protocol::run(io::stdin(), io::stdout(), hooks, lines);
    ExitCode::SUCCESS
}

/// The protocol's `bench [depth]`.
fn bench_command(arguments: &[String], print: &mut dyn FnMut(String)) {
    let mut options = BenchOptions::default();
    if let Some(depth) = arguments.first().and_then(|text| text.parse().ok()) {
        options.depth = depth;
    }
    let mut report = Vec::new();
    if let Err(error) = bench::run(options, &mut report) {
        print(format!("info string {error}"));
    }
    for line in String::from_utf8_lossy(&report).lines() {
        print(line.to_owned());
    }
}

fn run_bench(args: &BenchArgs) -> Result<ExitCode, Box<dyn Error>> {
    let options = BenchOptions {
        depth: args.depth,
        hash_mb: args.hash,
        threads: args.threads,
        rules: Rules::of(args.rules),
        network: !args.hce,
    };
    let result = bench::run(options, &mut io::stdout().lock())?;
    match args.expect {
        Some(expected) if expected != result.nodes => {
            Err(format!("expected {expected} nodes, got {}", result.nodes).into())
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn run_suite(args: &SuiteArgs) -> Result<ExitCode, Box<dyn Error>> {
    let puzzles = suite::parse(&read(&args.file)?)?;
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

fn run_training(args: TrainArgs) -> Result<ExitCode, Box<dyn Error>> {
    if args.hidden == 0 || !args.hidden.is_multiple_of(64) || args.hidden > 2048 {
        return Err(format!(
            "{} hidden units: a multiple of 64 up to 2048 is needed",
            args.hidden
        )
        .into());
    }
    if !(1..=16).contains(&args.buckets) || args.batch == 0 {
        return Err("1 to 16 output buckets and a batch of at least 1 are needed".into());
    }
    let options = TrainOptions {
        data: args.data,
        out: args.out,
        hidden: args.hidden,
        buckets: args.buckets,
        epochs: args.epochs,
        batch: args.batch,
        learning_rate: args.learning_rate,
        lambda: args.lambda,
        decay: args.decay,
        seed: args.seed,
        filter: Filter {
            no_checks: args.no_checks,
            ..Filter::default()
        },
        resume: args.resume,
        checkpoint_every: Duration::from_secs(300),
    };
    let trained = pool(args.threads)?.install(|| train::train(&options))?;
    let (training, held_out) = trained.losses;
    println!("training loss {training:.6}, held-out loss {held_out:.6}");
    Ok(ExitCode::SUCCESS)
}

fn run_datagen(args: DatagenArgs) -> Result<ExitCode, Box<dyn Error>> {
    let network = match &args.net {
        Some(path) => Arc::new(spec::load(path)?),
        None => nnue::built_in(),
    };
    let options = DatagenOptions {
        games: args.games,
        chunk: args.chunk.max(1),
        nodes: args.nodes,
        seed: args.seed,
        hash_mb: 8,
        network: Some(network),
        out: args.out,
    };
    let bar = tools::progress_bar(options.games);
    let total = pool(args.threads)?.install(|| {
        datagen::generate(&options, &mut |done, summary| {
            bar.set_position(done);
            log::info!("{done} games: {summary:?}");
        })
    })?;
    bar.finish_and_clear();
    let [losses, draws, wins] = total.results;
    let [right, wrong] = total.adjudication;
    println!(
        "{} games, {} plies, Red +{wins} ={draws} -{losses}",
        total.games, total.plies
    );
    println!("early ends checked: {right} right, {wrong} wrong");
    Ok(ExitCode::SUCCESS)
}

fn run_match(mut args: MatchArgs) -> Result<ExitCode, Box<dyn Error>> {
    let (control, openings) = (args.control()?, args.openings()?);
    for (player, options) in [(&mut args.a, &args.option_a), (&mut args.b, &args.option_b)] {
        for option in options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("'{option}' is not NAME=VALUE"))?;
            player.set_option(name, value);
        }
    }
    let adjudication = Adjudication::default();
    let options = MatchOptions {
        players: [args.a, args.b],
        control,
        openings,
        rules: Rules::of(args.rules),
        adjudication: if args.no_adjudication {
            Adjudication {
                win_plies: 0,
                draw_plies: 0,
                ..adjudication
            }
        } else {
            adjudication
        },
        pairs: args.games.div_ceil(2),
        concurrency: args.concurrency,
        hash_mb: args.hash,
        sprt: args.sprt.map(|bounds| Sprt::new(bounds[0], bounds[1])),
        journal: args.journal,
        pgn: args.pgn,
        games: args.games_out,
    };
    let bar = tools::progress_bar(2 * options.pairs);
    let result = runner::run(&options, &|news| {
        bar.inc(1);
        bar.set_message(news.score.to_string());
        let Score { games, .. } = news.score;
        if bar.is_hidden() && games.iter().sum::<u32>().is_multiple_of(10) {
            println!("{}", news.score);
        }
    })?;
    bar.finish_and_clear();
    println!("{}", result.score);
    if let Some(sprt) = options.sprt {
        let (lower, upper) = sprt.bounds();
        let llr = result.score.llr(sprt.elo0, sprt.elo1);
        let decision = match result.decision {
            Some(Decision::Accept) => "accepted",
            Some(Decision::Reject) => "rejected",
            None => "undecided",
        };
        println!("LLR {llr:.2} ({lower:.2}, {upper:.2}): {decision}");
    }
    for (reason, count) in &result.reasons {
        println!("{count:6} {reason}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The tools' own threads.
fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK_BYTES)
        .build()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn run_perft(args: &PerftArgs) -> Result<ExitCode, Box<dyn Error>> {
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
