//! Matches and tournaments between engines: players, games under our own rules,
//! statistics.
//!
//! ```text
//! player, process    who plays: this engine, or another program over pipes
//! spec               how players are written on the command line
//! control            time controls and running clocks
//! game               one game, with our rules as referee
//! openings           where games start
//! field              the players and the threads that play their games
//! files              journal, PGN and training data, safe against a kill
//! stats              score, Elo, sequential test
//! runner             a match of two players
//! tournament         events of many players: pairings and tables
//! ```

pub mod control;
pub mod field;
pub mod files;
pub mod game;
pub mod openings;
pub mod player;
pub mod process;
pub mod runner;
pub mod spec;
pub mod stats;
pub mod tournament;
