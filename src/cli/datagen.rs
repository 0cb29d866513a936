//! `chuhe datagen`: its arguments and its one call.

use super::{network, pool};
use crate::tools::datagen::{self, DatagenOptions};
use crate::tools::progress_bar;
use clap::Args;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// Games in all
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Games in a file
    #[arg(long, default_value_t = 1_000)]
    chunk: u64,
    /// Nodes a move after which no further iteration is started
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// Hash table of a game, of both its sides, in megabytes; for few nodes a move a
    /// small one is emptied sooner
    #[arg(long, default_value_t = 8)]
    hash: usize,
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

/// Runs the command.
pub(super) fn run(args: DatagenArgs) -> Result<ExitCode, Box<dyn Error>> {
    let network = network(args.net.as_deref())?;
    let options = DatagenOptions {
        games: args.games,
        chunk: args.chunk.max(1),
        nodes: args.nodes,
        seed: args.seed,
        hash_mb: args.hash,
        network: Some(network),
        out: args.out,
    };
    let bar = progress_bar(options.games);
    let total = pool(args.threads)?.install(|| {
        datagen::generate(&options, &mut |done, summary| {
            bar.set_position(done);
            log::info!("{done} games: {summary:?}");
        })
    })?;
    bar.finish_and_clear();
    let [losses, draws, wins] = total.results;
    println!(
        "{} games, {} plies, Red +{wins} ={draws} -{losses}",
        total.games, total.plies
    );
    for (kind, [right, wrong]) in [("draws", total.early_draws), ("wins", total.early_wins)] {
        println!("early {kind} checked: {right} right, {wrong} wrong");
    }
    Ok(ExitCode::SUCCESS)
}
