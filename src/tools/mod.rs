//! The subcommands. They lean on everything below and nothing leans on them.

pub mod analyse;
pub mod arena;
pub mod bench;
pub mod book;
pub mod convert;
pub mod data;
pub mod datagen;
pub mod judge;
pub mod output;
pub mod perft;
pub mod show;
pub mod suite;
pub mod train;
pub mod tune;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar, visible on a terminal only.
pub(crate) fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
