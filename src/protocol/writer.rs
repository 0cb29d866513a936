//! Whole lines out, each flushed.

use super::{Dialect, Reply};
use crate::engine::Ranks;
use std::io::{self, Write};

/// Writes replies in the dialect of the last greeting.
pub(super) struct Writer<W> {
    output: W,
    /// `None` before any greeting: somebody types by hand.
    pub(super) dialect: Option<Dialect>,
    /// How moves are numbered.
    pub(super) ranks: Ranks,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            output,
            dialect: None,
            ranks: Ranks::default(),
        }
    }

    /// The dialect to write; UCI before any greeting.
    pub(super) fn written_dialect(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Uci)
    }

    /// Writes a line and flushes it.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub(super) fn write(&mut self, reply: &Reply) -> io::Result<()> {
        let mut line = reply.print(self.written_dialect(), self.ranks);
        line.push('\n');
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }
}
