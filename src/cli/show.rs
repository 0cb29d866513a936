//! `chuhe show`: its arguments and its calls.

use crate::position::Position;
use crate::tools::output;
use crate::tools::show::{Scene, svg};
use crate::types::Move;
use clap::Args;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct ShowArgs {
    /// A game record; its last position is shown
    #[arg(required_unless_present = "fen")]
    file: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, default_value_t = 1, conflicts_with = "fen")]
    game: usize,
    /// The position after this many plies instead of the last
    #[arg(long, conflicts_with = "fen")]
    ply: Option<usize>,
    /// A position (or `startpos`)
    #[arg(long, conflicts_with = "file")]
    fen: Option<String>,
    /// Moves from there, separated by blanks, in any notation
    #[arg(long, requires = "fen", default_value = "", hide_default_value = true)]
    moves: String,
    /// Write a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &ShowArgs) -> Result<ExitCode, Box<dyn Error>> {
    let scene = match (&args.file, &args.fen) {
        (Some(file), _) => Scene::of_file(file, args.game, args.ply)?,
        (None, Some(fen)) => {
            let (start, moves) = line(fen, &args.moves)?;
            Scene::after(start, &moves)
        }
        (None, None) => return Err("a file or a position is needed".into()),
    };
    match &args.svg {
        Some(path) => output::write_whole(path, svg(&scene).as_bytes())?,
        None => scene.print(&mut io::stdout().lock())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A position and the moves from it.
pub(super) fn line(fen: &str, moves: &str) -> Result<(Position, Vec<Move>), Box<dyn Error>> {
    let start = match fen {
        "startpos" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let mut position = start.clone();
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = position.read_move(text)?;
        position.make(mv);
        line.push(mv);
    }
    Ok((start, line))
}
