//! Why a record cannot be used at all.

use crate::position::SetupError;
use thiserror::Error;

/// Why a file, or one game of it, cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Bytes that are text in none of the encodings we know.
    #[error("the text is in no known encoding (UTF-8, UTF-16, GB18030, Big5)")]
    Encoding,
    /// Neither a binary format we know nor text with moves.
    #[error("not a game record in a known format")]
    UnknownFormat,
    /// A version of the format that nobody has described.
    #[error("{format} version {version:#04x} is not known")]
    Version {
        /// The format.
        format: &'static str,
        /// The version byte.
        version: u8,
    },
    /// The start position is no position.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// Two men on one point, in a format that lists men.
    #[error("start position: two men on {0}")]
    Crowded(crate::types::Square),
    /// The data ends too early.
    #[error("the file ends inside {0}")]
    Truncated(String),
    /// A named part with contents that make no sense.
    #[error("{name}: '{value}' {problem}")]
    Field {
        /// The part.
        name: String,
        /// What it contains, shortened.
        value: String,
        /// Why that is wrong.
        problem: &'static str,
    },
    /// A variation that hangs on a move that is not there.
    #[error("variation {0} starts from a move that does not exist")]
    Branch(u32),
    /// Variations inside variations beyond all reason.
    #[error("variations nested more than {0} deep")]
    Nesting(usize),
    /// What the chosen format or encoding cannot hold.
    #[error("cannot be written as {format}: {problem}")]
    NotStorable {
        /// The format or encoding.
        format: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// One game of a text file with several.
    #[error("line {line}: {source}")]
    Line {
        /// Where the game begins, from 1.
        line: usize,
        /// What is wrong with it.
        source: Box<RecordError>,
    },
}

/// Characters of an offending value that an error keeps.
const MAX_QUOTE: usize = 40;

impl RecordError {
    /// A field whose contents make no sense.
    pub(super) fn field(name: &str, value: &str, problem: &'static str) -> Self {
        let quote = |text: &str| -> String {
            let mut quote: String = text.chars().take(MAX_QUOTE).collect();
            if quote.len() < text.len() {
                quote.push('…');
            }
            quote
        };
        Self::Field {
            name: quote(name),
            value: quote(value),
            problem,
        }
    }
}
