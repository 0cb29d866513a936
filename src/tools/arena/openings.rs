//! Where the games of a match start.

use crate::position::{Position, SetupError};
use crate::rules::Game;
use crate::search::{Limits, Request, Searcher};
use crate::types::{Random, Score};
use thiserror::Error;

/// Why a file of openings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// A line that is no position.
    #[error("line {0}: {1}")]
    Line(usize, SetupError),
    /// A file without a position.
    #[error("there is no position in it")]
    Empty,
}

/// Reads openings: a FEN (or EPD) a line; blank lines and `#` are skipped.
///
/// # Errors
/// At the first line that is no position, or if there is none.
pub fn parse(text: &str) -> Result<Vec<Position>, OpeningError> {
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let fault = |error| OpeningError::Line(index + 1, error);
            positions.push(Position::from_fen(line).map_err(fault)?);
        }
    }
    if positions.is_empty() {
        return Err(OpeningError::Empty);
    }
    Ok(positions)
}

/// The balanced openings that come with the engine.
///
/// # Errors
/// Never, as a test makes sure.
pub fn balanced() -> Result<Vec<Position>, OpeningError> {
    parse(include_str!("../../../book/opening/balanced.epd"))
}

/// What part of the nodes the first look at an opening takes.
const GLANCE: u64 = 16;

/// How random openings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomOpenings {
    /// Fewest and most random plies.
    pub plies: (usize, usize),
    /// Nodes of the search that looks whether the position is balanced.
    pub nodes: u64,
    /// The largest score, either way, that is.
    pub balance: Score,
    /// The seed.
    pub seed: u64,
}

impl RandomOpenings {
    /// The opening with this number: a pure function of the settings and the
    /// evaluation of the searcher, which remembers the searches for this opening
    /// and nothing else.
    pub fn opening(&self, number: u64, searcher: &mut Searcher) -> Position {
        let mut random = Random::new(self.seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        searcher.new_game();
        loop {
            if let Some(position) = self.attempt(&mut random, searcher) {
                return position;
            }
        }
    }

    fn attempt(&self, random: &mut Random, searcher: &mut Searcher) -> Option<Position> {
        let (fewest, most) = self.plies;
        let plies = fewest + random.below(most + 1 - fewest);
        let mut position = Position::start();
        for _ in 0..plies {
            let moves = position.legal_moves();
            let mv = *moves.get(random.below(moves.len().max(1)))?;
            position.make(mv);
        }
        let legality = position.legality();
        if legality.in_check() || !position.has_legal_move(&legality) {
            return None;
        }
        let mut is_within = |nodes, balance| {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let request = Request::new(Game::new(position.clone()), limits);
            searcher.find(&request).score.abs() <= balance
        };
        // Most are so far off that a glance is enough.
        let is_balanced = is_within(self.nodes.div_ceil(GLANCE), 2 * self.balance)
            && is_within(self.nodes, self.balance);
        is_balanced.then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_openings_that_come_with_the_engine_are_read() {
        let openings = balanced().unwrap();
        let fens: std::collections::HashSet<_> = openings.iter().map(Position::to_fen).collect();
        assert_eq!(fens.len(), openings.len());
        assert!(
            openings
                .iter()
                .all(|opening| !opening.legal_moves().is_empty())
        );
    }

    #[test]
    fn random_openings_are_repeatable_and_differ() {
        let settings = RandomOpenings {
            plies: (6, 9),
            nodes: 500,
            balance: 200,
            seed: 3,
        };
        let mut searcher = Searcher::new(1, 1).unwrap();
        let first = settings.opening(1, &mut searcher);
        let second = settings.opening(2, &mut searcher);
        assert_ne!(first, second);
        assert_eq!(settings.opening(1, &mut searcher), first);
    }

    #[test]
    fn files_name_their_faults() {
        assert_eq!(parse("# nothing\n"), Err(OpeningError::Empty));
        let error = parse("\nrubbish\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert_eq!(
            parse(crate::position::START_FEN),
            Ok(vec![Position::start()])
        );
    }
}
