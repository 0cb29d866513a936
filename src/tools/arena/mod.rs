//! Matches between engines: players, games under our own rules, statistics.

pub mod game;
pub mod openings;
pub mod player;
pub mod process;
pub mod runner;
pub mod spec;
pub mod stats;
