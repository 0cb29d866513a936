//! The subcommands. They lean on everything below and nothing leans on them.

pub mod bench;
pub mod perft;
