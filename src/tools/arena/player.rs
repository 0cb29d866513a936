//! Who plays: an engine in this process, or (see `process`) another program.

use crate::eval::nnue::Network;
use crate::rules::Game;
use crate::search::{Clock, HashSizeError, Limits, Params, Request, Searcher};
use crate::types::{Move, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What a side may spend on its next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This many nodes.
    Nodes(u64),
    /// No further iteration after this many nodes, and at most four times as
    /// many. Only this engine itself knows how.
    SoftNodes(u64),
    /// This many plies.
    Depth(u32),
    /// This much time.
    MoveTime(Duration),
    /// A game clock: own time, opponent's time, increment, moves to the next
    /// control.
    Clock {
        /// The player's own time.
        own: Duration,
        /// The opponent's time.
        opponent: Duration,
        /// What each move adds.
        increment: Duration,
        /// What each of the opponent's moves adds.
        opponent_increment: Duration,
        /// Moves until the clock is topped up.
        moves_to_go: Option<u32>,
    },
}

impl Turn {
    /// The limits of a search, for an engine in this process.
    pub fn limits(self) -> Limits {
        let mut limits = Limits::default();
        match self {
            Self::Nodes(nodes) => limits.nodes = Some(nodes),
            Self::SoftNodes(nodes) => {
                limits.soft_nodes = Some(nodes);
                limits.nodes = Some(nodes.saturating_mul(4));
            }
            Self::Depth(depth) => limits.depth = Some(depth),
            Self::MoveTime(time) => limits.clock = Clock::MoveTime(time),
            Self::Clock {
                own,
                increment,
                moves_to_go,
                ..
            } => {
                limits.clock = Clock::Game {
                    time: own,
                    increment,
                    moves_to_go,
                };
            }
        }
        limits
    }

    /// The time that the rules of the match allow; `None`: any.
    pub fn allowance(self) -> Option<Duration> {
        match self {
            Self::Nodes(_) | Self::SoftNodes(_) | Self::Depth(_) => None,
            Self::MoveTime(time) => Some(time),
            Self::Clock { own, .. } => Some(own),
        }
    }
}

/// What a player answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The move; `None`: it says it has none.
    pub mv: Option<Move>,
    /// Its score, from its own view.
    pub score: Option<Score>,
    /// How long it took.
    pub time: Duration,
}

/// Why a player has lost otherwise than on the board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The program has ended.
    #[error("crash")]
    Crash,
    /// No answer for too long.
    #[error("hang")]
    Hang,
    /// It cannot be started.
    #[error("no start: {0}")]
    NoStart(String),
    /// A move that is not legal.
    #[error("illegal move {0}")]
    IllegalMove(String),
    /// It says it has no move, and has.
    #[error("no move given")]
    NoMove,
    /// It took longer than its clock had.
    #[error("time")]
    Time,
}

impl Fault {
    /// Its name without the details, for counting.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::NoStart(_) => "no start",
            Self::IllegalMove(_) => "illegal move",
            Self::NoMove => "no move given",
            Self::Time => "time",
        }
    }
}

/// A player of a match.
pub trait Player: Send {
    /// Forgets the last game.
    ///
    /// # Errors
    /// If the player is lost.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Thinks about the game's position.
    ///
    /// # Errors
    /// If the player is lost.
    fn think(&mut self, game: &Game, turn: Turn) -> Result<Answer, Fault>;
}

/// This engine itself, in this process.
#[derive(Debug)]
pub struct Own {
    searcher: Searcher,
}

impl Own {
    /// A player with one thread, a table of this size and this evaluation.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(hash_mb: usize, network: Option<Arc<Network>>) -> Result<Self, HashSizeError> {
        let mut searcher = Searcher::new(1, hash_mb)?;
        searcher.set_network(network);
        Ok(Self { searcher })
    }

    /// What searches.
    pub fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    /// Searches with these parameters from now on.
    pub fn set_params(&mut self, params: Params) {
        self.searcher.set_params(params);
    }
}

impl Player for Own {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.searcher.new_game();
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: Turn) -> Result<Answer, Fault> {
        let start = Instant::now();
        let request = Request::new(game.clone(), turn.limits());
        let outcome = self.searcher.find(&request);
        Ok(Answer {
            mv: outcome.best,
            score: Some(outcome.score),
            time: start.elapsed(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_nodes_have_a_hard_limit_whatever_their_number() {
        let hard = |nodes| Turn::SoftNodes(nodes).limits().nodes;
        assert_eq!(hard(5_000), Some(20_000));
        assert_eq!(hard(u64::MAX / 2), Some(u64::MAX));
    }
}
