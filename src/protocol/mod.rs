//! Text to commands and replies, and back.
//!
//! Leans on `engine` and what is below it. [`Command`] and [`Reply`] can be
//! read and printed, so that the engine and whoever drives engines share them.
//! Reading takes the union of all dialects; printing needs a [`Dialect`], which
//! the last greeting decides. [`run`] is the program: a reader thread, one loop
//! that owns the engine, and a writer of whole lines.

mod command;
mod console;
mod driver;
mod go;
mod input;
mod obey;
mod option_line;
mod reply;
#[cfg(test)]
mod tests;
mod ucci;
mod uci;
mod words;
mod writer;

pub use command::{Command, CommandError, Placement};
pub use driver::{BenchHook, Ending, Hooks, run};
pub use go::Go;
pub use option_line::{OptionKind, OptionLine};
pub use reply::{HashEntry, Reply};

/// A way to write commands and replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Chinese-chess protocol of xqbase.
    Ucci,
    /// The chess protocol, as xiangqi engines speak it.
    Uci,
}

impl Dialect {
    /// The word that asks for the dialect.
    pub fn greeting(self) -> &'static str {
        match self {
            Self::Ucci => "ucci",
            Self::Uci => "uci",
        }
    }
}
