//! How players and clocks are written on the command line.

use super::game::TimeControl;
use super::player::{Own, Player};
use super::process::{Launch, Process};
use crate::engine::Ranks;
use crate::eval::nnue::{self, Network};
use crate::protocol::Dialect;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// A player: `self`, `self:hce`, `self:NET-FILE`, `ucci:COMMAND`, `uci:COMMAND`,
/// or `uci10:COMMAND` for a program that counts ranks from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// This engine, by the built-in network.
    Own,
    /// This engine, by the hand-made evaluation.
    OwnHce,
    /// This engine, by the network of a file.
    OwnNet(PathBuf),
    /// Another program.
    Program(Launch),
}

/// A text that names no player or clock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// No player.
    #[error(
        "'{0}' is not a player (self, self:hce, self:NET, ucci:COMMAND, uci:COMMAND, uci10:COMMAND)"
    )]
    Player(String),
    /// No clock.
    #[error("'{0}' is not a time control (SECONDS+INCREMENT, perhaps with MOVES/ before it)")]
    Clock(String),
    /// A player that cannot be set up.
    #[error("{0}")]
    SetUp(String),
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = || SpecError::Player(text.to_owned());
        if text == "self" {
            return Ok(Self::Own);
        }
        let (kind, rest) = text.split_once(':').ok_or_else(error)?;
        let (dialect, ranks) = match kind {
            "self" if rest == "hce" => return Ok(Self::OwnHce),
            "self" => return Ok(Self::OwnNet(PathBuf::from(rest))),
            "ucci" => (Dialect::Ucci, Ranks::FromZero),
            "uci" => (Dialect::Uci, Ranks::FromZero),
            "uci10" => (Dialect::Uci, Ranks::FromOne),
            _ => return Err(error()),
        };
        let command: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            return Err(error());
        }
        Ok(Self::Program(Launch {
            command,
            dialect,
            ranks,
            options: Vec::new(),
        }))
    }
}

impl PlayerSpec {
    /// Adds an option for a program; this engine itself takes none.
    pub fn set_option(&mut self, name: &str, value: &str) {
        if let Self::Program(launch) = self {
            launch.options.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Sets the player up.
    ///
    /// # Errors
    /// If its network or its memory cannot be had.
    pub fn build(&self, hash_mb: usize) -> Result<Box<dyn Player>, SpecError> {
        let network = match self {
            Self::Own => Some(nnue::built_in()),
            Self::OwnHce => None,
            Self::OwnNet(path) => Some(load(path)?.into()),
            Self::Program(launch) => return Ok(Box::new(Process::new(launch.clone()))),
        };
        let own = Own::new(hash_mb, network).map_err(|e| SpecError::SetUp(e.to_string()))?;
        Ok(Box::new(own))
    }
}

/// Reads the network of a file.
///
/// # Errors
/// If the file cannot be read or is no network.
pub fn load(path: &Path) -> Result<Network, SpecError> {
    let error =
        |fault: &dyn std::fmt::Display| SpecError::SetUp(format!("{}: {fault}", path.display()));
    let bytes = std::fs::read(path).map_err(|fault| error(&fault))?;
    Network::read(&bytes).map_err(|fault| error(&fault))
}

/// Reads `60+0.5` (seconds and increment) or `40/300+0` (moves, seconds,
/// increment).
///
/// # Errors
/// If the text is neither.
pub fn parse_clock(text: &str) -> Result<TimeControl, SpecError> {
    let error = || SpecError::Clock(text.to_owned());
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => {
            let moves = moves.parse().ok().filter(|&moves: &u32| moves > 0);
            (Some(moves.ok_or_else(error)?), rest)
        }
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let seconds = |text: &str| {
        let seconds = text.parse::<f64>().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    };
    Ok(TimeControl::Clock {
        base: seconds(base).ok_or_else(error)?,
        increment: seconds(increment).ok_or_else(error)?,
        moves,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_clocks_are_read() {
        assert_eq!("self".parse(), Ok(PlayerSpec::Own));
        assert_eq!("self:hce".parse(), Ok(PlayerSpec::OwnHce));
        assert!(
            matches!("uci10:engine -x".parse(), Ok(PlayerSpec::Program(launch)) if launch.command.len() == 2)
        );
        for bad in ["", "engine", "ucci:", "xyz:engine"] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
        let clock = TimeControl::Clock {
            base: Duration::from_secs(300),
            increment: Duration::from_millis(500),
            moves: Some(40),
        };
        assert_eq!(parse_clock("40/300+0.5"), Ok(clock));
        for bad in ["", "x", "0/3", "1+x", "-1"] {
            assert!(parse_clock(bad).is_err(), "{bad}");
        }
    }
}
