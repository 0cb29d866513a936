//! How players are written on the command line.

use super::player::{Own, Player};
use super::process::{Launch, Patience, Process};
use crate::engine::Ranks;
use crate::eval::nnue::{self, Network};
use crate::protocol::Dialect;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
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

/// A text that names no player, or a player that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// No player.
    #[error(
        "'{0}' is not a player (self, self:hce, self:NET, ucci:COMMAND, uci:COMMAND, uci10:COMMAND)"
    )]
    Player(String),
    /// No option.
    #[error("'{0}' is not NAME=VALUE")]
    Option(String),
    /// An option for a player that takes none.
    #[error("'{0}': players in this process take no options, programs do")]
    OwnOption(String),
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
            patience: Patience::default(),
        }))
    }
}

impl PlayerSpec {
    /// Adds an option, written NAME=VALUE.
    ///
    /// # Errors
    /// If it is not so written, or for this engine in this process, which is set
    /// up by its spec.
    pub fn set_option(&mut self, option: &str) -> Result<(), SpecError> {
        let Self::Program(launch) = self else {
            return Err(SpecError::OwnOption(option.to_owned()));
        };
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| SpecError::Option(option.to_owned()))?;
        launch.options.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Sets how long a program may take; nothing for this engine itself.
    pub fn set_patience(&mut self, patience: Patience) {
        if let Self::Program(launch) = self {
            launch.patience = patience;
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

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("self"),
            Self::OwnHce => f.write_str("self:hce"),
            Self::OwnNet(path) => write!(f, "self:{}", path.display()),
            Self::Program(launch) => {
                let kind = match (launch.dialect, launch.ranks) {
                    (Dialect::Ucci, _) => "ucci",
                    (Dialect::Uci, Ranks::FromZero) => "uci",
                    (Dialect::Uci, Ranks::FromOne) => "uci10",
                };
                write!(f, "{kind}:{}", launch.command.join(" "))
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        assert_eq!("self".parse(), Ok(PlayerSpec::Own));
        assert_eq!("self:hce".parse(), Ok(PlayerSpec::OwnHce));
        assert!(
            matches!("uci10:engine -x".parse(), Ok(PlayerSpec::Program(launch)) if launch.command.len() == 2)
        );
        for text in [
            "self",
            "self:hce",
            "self:a.nnue",
            "ucci:engine -x",
            "uci:engine",
            "uci10:engine",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        for bad in ["", "engine", "ucci:", "xyz:engine"] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }
}
