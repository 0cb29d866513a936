//! The subcommands. They lean on everything below and nothing leans on them.

pub mod bench;
pub mod perft;
pub mod suite;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar, visible on a terminal only.
fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
