//! `chuhe data`: its arguments and its calls.

use super::{network, pool};
use crate::tools::data::convert::{self, Done, Form};
use crate::tools::data::inspect::{self, LookOptions};
use crate::tools::datagen::{self, RescoreOptions, Rescored};
use clap::{Args, Subcommand};
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
    /// Threads; no result depends on them
    #[arg(long, global = true, default_value_t = 1)]
    threads: usize,
}

/// Game files (.gam, .gam.zst) and archives (.arc); a folder stands for all in
/// it.
#[derive(Subcommand, Debug)]
enum DataCommand {
    /// Count games, plies, positions and results
    Count(LookArgs),
    /// Replay every move and compare with the manifests; exit status 1 if a
    /// file is damaged
    Verify(LookArgs),
    /// Show what a file is, or one of its games
    Inspect {
        /// The file
        file: PathBuf,
        /// The number of a game, from 1
        #[arg(long)]
        game: Option<usize>,
    },
    /// Write one file for each input into a folder
    Convert {
        /// Files and folders
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// What to write: gam, arc or rec (training records)
        #[arg(long)]
        to: Form,
        /// The folder
        #[arg(long)]
        out: PathBuf,
    },
    /// Write an archive for each input into a folder
    Archive {
        /// Files and folders
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// The folder
        #[arg(long)]
        out: PathBuf,
    },
    /// Score the positions of games anew, by today's evaluation and search, and
    /// write them into a folder, a thousand games a file; goes on after a kill
    Rescore {
        /// Files and folders
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// Nodes a position after which no further iteration is started
        #[arg(long, default_value_t = 1_000)]
        nodes: u64,
        /// A network instead of the built-in one
        #[arg(long, value_name = "FILE")]
        net: Option<PathBuf>,
        /// The folder
        #[arg(long)]
        out: PathBuf,
    },
    /// Write all games into one file; its ending says what: .gam, .arc or .rec
    Merge {
        /// Files and folders
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// The file
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Args, Debug)]
struct LookArgs {
    /// Files and folders
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// A JSON object for each file
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: DataArgs) -> Result<ExitCode, Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout());
    let mut complain = |text: String| eprintln!("{text}");
    let pool = pool(args.threads)?;
    let faulty = pool.install(|| -> Result<usize, Box<dyn Error + Send + Sync>> {
        let mut look = |args: &LookArgs, verify| {
            let json = args.json;
            let options = LookOptions { json, verify };
            inspect::look(&args.inputs, options, &mut out, &mut complain)
        };
        Ok(match &args.command {
            DataCommand::Count(args) => look(args, false)?,
            DataCommand::Verify(args) => look(args, true)?,
            DataCommand::Inspect { file, game: None } => {
                let inputs = vec![file.clone()];
                look(
                    &LookArgs {
                        inputs,
                        json: false,
                    },
                    false,
                )?
            }
            DataCommand::Inspect {
                file,
                game: Some(number),
            } => {
                inspect::print_game(file, *number, &mut out)?;
                0
            }
            DataCommand::Convert {
                inputs,
                to,
                out: folder,
            } => tell(
                convert::convert(inputs, folder, *to, &mut complain)?,
                &mut out,
            )?,
            DataCommand::Archive {
                inputs,
                out: folder,
            } => {
                let done = convert::convert(inputs, folder, Form::Archive, &mut complain)?;
                tell(done, &mut out)?
            }
            DataCommand::Rescore {
                inputs,
                nodes,
                net,
                out: folder,
            } => {
                let options = RescoreOptions {
                    nodes: *nodes,
                    hash_mb: 2,
                    network: Some(network(net.as_deref())?),
                    out: folder.clone(),
                };
                let mut tell = |part: &Path, so_far: Rescored| {
                    log::info!("{}: {so_far:?}", part.display());
                };
                let done = datagen::rescore(inputs, &options, &mut tell, &mut complain)?;
                let Rescored {
                    games, positions, ..
                } = done;
                writeln!(out, "{games} games, {positions} positions scored")?;
                out.flush()?;
                done.faulty_files
            }
            DataCommand::Merge { inputs, out: file } => {
                tell(convert::merge(inputs, file, &mut complain)?, &mut out)?
            }
        })
    });
    Ok(ExitCode::from(u8::from(
        faulty.map_err(|fault| fault as Box<dyn Error>)? > 0,
    )))
}

fn tell(done: Done, out: &mut dyn Write) -> io::Result<usize> {
    let each = done.bytes as f64 / done.tally.kept.max(1) as f64;
    writeln!(
        out,
        "{}; {} bytes, {each:.2} a kept position",
        done.tally, done.bytes
    )?;
    out.flush()?;
    Ok(done.faulty_files)
}
