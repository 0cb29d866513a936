//! `chuhe datagen`: self-play games to learn from.
//!
//! A game is a pure function of build, evaluation, settings, seed and game
//! number: searches are limited by nodes, each game starts with empty tables.
//! Chunks of game numbers become files, so that the same command gives the same
//! files on any machine and with any number of threads, and goes on after a kill
//! with the first chunk that is missing.

pub mod game_file;
mod generate;
mod rescore;

pub use generate::{DatagenError, DatagenOptions, Summary, generate, to_self_play};
pub use rescore::{RescoreError, RescoreOptions, Rescored, rescore};
