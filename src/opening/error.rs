//! Why a book cannot be used.

use thiserror::Error;

/// Why a book cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read {0}")]
    Read(String),
    /// Nothing in it.
    #[error("the book is empty")]
    Empty,
    /// Neither a format we know.
    #[error("not an opening book in a known format: {0}")]
    Foreign(String),
    /// A record of a BOOK.DAT that cannot be one.
    #[error("record {number} of the book is damaged: {problem}")]
    Record {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A line of a book text.
    #[error("line {number}: {problem}")]
    Line {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The program was built without SQLite.
    #[error(
        "this is an SQLite book (.obk, .pfBook); reading and writing them needs a program \
         built with the cargo feature 'obk'"
    )]
    NoSqlite,
    /// SQLite reports an error.
    #[error("SQLite: {0}")]
    Sqlite(String),
}
