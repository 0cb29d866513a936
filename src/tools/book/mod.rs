//! `chuhe book`: making, checking and converting opening books, and the balanced
//! positions that matches start from.
//!
//! ```text
//! games      where the games come from
//! build      counting, choosing, weighing
//! judge      a search of every position, kept in a journal
//! balanced   positions for matches
//! files      reading and writing books
//! report     showing and counting what a book holds
//! ```

mod balanced;
mod build;
mod files;
mod games;
mod judge;
mod report;

pub use balanced::{BalancedOptions, balanced};
pub use build::{BuildOptions, BuildReport, build};
pub use files::{BUILT_IN_NAME, load, save};
pub use games::Sources;
pub use judge::Judge;
pub use report::{show, stats};

use super::output::WriteError;
use crate::opening::BookError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a book command cannot go on.
#[derive(Debug, Error)]
pub enum BookToolError {
    /// A book that cannot be used.
    #[error("{}: {}", .0.display(), .1)]
    Book(PathBuf, BookError),
    /// Games that cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Games(PathBuf, String),
    /// A file that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The journal cannot be read or written.
    #[error("journal {}: {}", .0.display(), .1)]
    Journal(PathBuf, String),
    /// No memory for a search.
    #[error(transparent)]
    Hash(#[from] crate::search::HashSizeError),
    /// The report cannot be written.
    #[error("cannot write the report: {0}")]
    Report(#[from] io::Error),
    /// A file name that tells no format.
    #[error("{}: the name of a book ends in .dat, .txt or .obk", .0.display())]
    Extension(PathBuf),
    /// Nothing left.
    #[error("no move is left: too few games, or the demands are too high")]
    Nothing,
}
