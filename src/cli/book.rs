//! `chuhe book`: its arguments and its calls.

use super::pool;
use super::show::line;
use crate::tools::book::{
    self, BUILT_IN_NAME, BalancedOptions, BuildOptions, BuildReport, Judge, Sources,
};
use crate::tools::output;
use clap::{Args, Subcommand};
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The end of the help.
pub(super) const NOTES: &str = "\
Books are BOOK.DAT (.dat), text (.txt), and, in a program built with the feature
'obk', .obk and .pfBook; the name of an output file tells its format. `built-in`
names the book that comes with the program.";

#[derive(Args, Debug)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Make a book from game records or self-play game files
    Build(BuildArgs),
    /// Show the moves that a book knows in a position
    Show(ShowArgs),
    /// Tell how much a book holds
    Stats {
        /// The book
        #[arg(default_value = BUILT_IN_NAME)]
        book: PathBuf,
    },
    /// Add books up
    Merge {
        /// The books
        #[arg(required = true)]
        books: Vec<PathBuf>,
        /// The sum
        #[arg(long)]
        out: PathBuf,
    },
    /// Write a book in another format
    Convert {
        /// The book
        book: PathBuf,
        /// The file to write
        out: PathBuf,
    },
    /// Find balanced positions for matches
    Balanced(BalancedArgs),
}

#[derive(Args, Debug)]
struct BuildArgs {
    /// Game records of any format, self-play games (.gam, .gam.zst)
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The book to write
    #[arg(long)]
    out: PathBuf,
    /// Plies of a game that count
    #[arg(long, default_value_t = BuildOptions::default().plies)]
    plies: usize,
    /// Games in which a move must have been played
    #[arg(long, default_value_t = BuildOptions::default().min_games)]
    min_games: u32,
    /// Share of points that a move must have scored
    #[arg(long, default_value_t = BuildOptions::default().min_score)]
    min_score: f64,
    /// Nodes of the search that checks each position; 0 for no check
    #[arg(long, default_value_t = BuildOptions::default().nodes)]
    nodes: u64,
    /// Centipawns that a move may fall behind the best one by that search
    #[arg(long, default_value_t = BuildOptions::default().margin)]
    margin: i32,
    /// Keep the results of the searches here, and go on from them
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Threads to search with; the book does not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// A remark for the top of a book text
    #[arg(long, default_value = "", hide_default_value = true)]
    remark: String,
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// The book
    #[arg(default_value = BUILT_IN_NAME)]
    book: PathBuf,
    /// A position instead of the usual start
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Moves from there, separated by blanks, in any notation
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

#[derive(Args, Debug)]
struct BalancedArgs {
    /// Game records of any format
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The EPD file to write
    #[arg(long)]
    out: PathBuf,
    /// Fewest and most plies from the start position
    #[arg(long, num_args = 2, value_names = ["FEWEST", "MOST"], default_values_t = [8, 12])]
    plies: Vec<usize>,
    /// Games that must have reached a position
    #[arg(long, default_value_t = BalancedOptions::default().min_games)]
    min_games: u32,
    /// Nodes of the first, quick search
    #[arg(long, default_value_t = BalancedOptions::default().nodes[0])]
    quick_nodes: u64,
    /// Nodes of the search that decides
    #[arg(long, default_value_t = BalancedOptions::default().nodes[1])]
    nodes: u64,
    /// The largest score, either way, in centipawns
    #[arg(long, default_value_t = BalancedOptions::default().max_score)]
    max_score: i32,
    /// How many positions are wanted
    #[arg(long, default_value_t = BalancedOptions::default().count)]
    count: usize,
    /// The order in which positions are tried
    #[arg(long, default_value_t = BalancedOptions::default().seed)]
    seed: u64,
    /// Keep the results of the searches here, and go on from them
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Threads to search with; the positions do not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Runs the command.
pub(super) fn run(args: BookArgs) -> Result<ExitCode, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    match args.command {
        BookCommand::Build(args) => {
            drop(out);
            build(args)?;
        }
        BookCommand::Show(args) => {
            let (mut position, moves) = line(&args.fen, &args.moves)?;
            for mv in moves {
                position.make(mv);
            }
            book::show(&book::load(&args.book)?, &position, &mut out)?;
        }
        BookCommand::Stats { book } => book::stats(&book::load(&book)?, &mut out)?,
        BookCommand::Merge { books, out: path } => {
            let mut sum = crate::opening::Collection::default();
            for book in &books {
                sum.merge(&book::load(book)?);
            }
            book::save(&sum, &path, "")?;
            let (positions, moves) = sum.size();
            writeln!(out, "{positions} positions, {moves} moves")?;
        }
        BookCommand::Convert { book, out: path } => {
            let book = book::load(&book)?;
            book::save(&book, &path, "")?;
            let (positions, moves) = book.size();
            writeln!(out, "{positions} positions, {moves} moves")?;
        }
        BookCommand::Balanced(args) => {
            drop(out);
            balanced(args)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn build(args: BuildArgs) -> Result<(), Box<dyn Error>> {
    let options = BuildOptions {
        plies: args.plies,
        min_games: args.min_games,
        min_score: args.min_score,
        nodes: args.nodes,
        margin: args.margin.max(0),
    };
    let sources = Sources { paths: args.games };
    let mut judge = Judge::open(args.journal)?;
    let (book, report) =
        pool(args.threads)?.install(|| book::build(&sources, options, &mut judge))?;
    book::save(&book, &args.out, &args.remark.replace("\\n", "\n"))?;
    let BuildReport {
        games,
        skipped,
        chosen,
        searched,
        rejected,
        kept,
    } = report;
    println!("{games} games, {skipped} skipped");
    println!("{} positions, {} moves by the games", chosen.0, chosen.1);
    if options.nodes > 0 {
        println!("{searched} positions searched, {rejected} moves rejected");
    }
    println!("{} positions, {} moves in the book", kept.0, kept.1);
    Ok(())
}

fn balanced(args: BalancedArgs) -> Result<(), Box<dyn Error>> {
    let options = BalancedOptions {
        plies: (args.plies[0], args.plies[1]),
        min_games: args.min_games,
        nodes: [args.quick_nodes, args.nodes],
        max_score: args.max_score,
        count: args.count,
        seed: args.seed,
    };
    let sources = Sources { paths: args.games };
    let mut judge = Judge::open(args.journal)?;
    let text = pool(args.threads)?.install(|| book::balanced(&sources, options, &mut judge))?;
    output::write_whole(&args.out, text.as_bytes())?;
    println!("{} positions", text.lines().count());
    Ok(())
}
