//! `chuhe train`: its arguments and its calls.

use super::pool;
use crate::eval::nnue::Shape;
use crate::eval::nnue::features::KING_PLACES;
use crate::tools::data::record::Filter;
use crate::tools::train::{self, TrainOptions};
use clap::{Args, Subcommand};
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct TrainArgs {
    #[command(subcommand)]
    command: Option<TrainCommand>,
    #[command(flatten)]
    run: Option<TrainRunArgs>,
}

#[derive(Subcommand, Debug)]
enum TrainCommand {
    /// Compare a manifest with the network and the data files that it names
    Verify {
        /// The manifest; the network NAME.nnue is looked for beside NAME.toml
        manifest: PathBuf,
        /// Folders with the data files, besides the manifest's own
        #[arg(long, num_args = 1.., value_name = "FOLDER")]
        data: Vec<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct TrainRunArgs {
    /// Game files (.gam, .gam.zst), archives (.arc) and folders of them; what is
    /// named twice is learned from twice as often
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Folder for net, manifest, losses and checkpoint
    #[arg(long)]
    out: PathBuf,
    /// Hidden units, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// King buckets: 1, or 6 for a set of inputs for each place of the own king
    #[arg(long, default_value_t = 1, value_parser = king_buckets)]
    king_buckets: usize,
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
    /// Per cent of a label that come from the label of the next position
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..100))]
    foresight: u32,
    /// Go on from the checkpoint in the folder
    #[arg(long)]
    resume: bool,
}

fn king_buckets(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(buckets @ (1 | KING_PLACES)) => Ok(buckets),
        _ => Err(format!("1 or {KING_PLACES} king buckets are needed")),
    }
}

/// Runs the command.
pub(super) fn run(args: TrainArgs) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(TrainCommand::Verify { manifest, data }) = args.command {
        let faults = train::verify(&manifest, &data, &mut io::stdout().lock())?;
        return Ok(ExitCode::from(u8::from(faults > 0)));
    }
    let args = args.run.ok_or("data files and --out are needed")?;
    let shape = Shape {
        hidden: args.hidden,
        king_buckets: args.king_buckets,
        buckets: args.buckets,
    };
    if !shape.is_supported() || args.batch == 0 {
        return Err(format!(
            "{} hidden units, {} output buckets, batches of {}: \
             a multiple of 64 up to 2048, 1 to 16 and at least 1 are needed",
            args.hidden, args.buckets, args.batch
        )
        .into());
    }
    let options = TrainOptions {
        data: args.data,
        out: args.out,
        shape,
        epochs: args.epochs,
        batch: args.batch,
        learning_rate: args.learning_rate,
        lambda: args.lambda,
        decay: args.decay,
        seed: args.seed,
        filter: Filter {
            no_checks: args.no_checks,
            foresight_percent: args.foresight,
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
