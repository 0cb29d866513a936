//! Positions for matches: from games, a few plies deep, and balanced.

use super::build::{stored_key, walk};
use super::games::Sources;
use super::{BookToolError, Judge};
use crate::position::Position;
use crate::types::{Random, Score};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Which positions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalancedOptions {
    /// Fewest and most plies from the start position.
    pub plies: (usize, usize),
    /// Games that must have reached a position.
    pub min_games: u32,
    /// Nodes of the first, quick search, and of the second.
    pub nodes: [u64; 2],
    /// The largest score, either way, that is balanced.
    pub max_score: Score,
    /// How many positions are wanted.
    pub count: usize,
    /// The order in which candidates are tried.
    pub seed: u64,
}

impl Default for BalancedOptions {
    fn default() -> Self {
        Self {
            plies: (8, 12),
            min_games: 5,
            nodes: [20_000, 1_000_000],
            max_score: 60,
            count: 500,
            seed: 1,
        }
    }
}

/// A position that enough games have reached.
struct Candidate {
    position: Position,
    games: u32,
}

/// Candidates tried at once.
const BATCH: usize = 20;

/// The positions as EPD, with score and nodes of the search behind each. A
/// position and its mirror image count as one.
///
/// # Errors
/// If the games cannot be read, a search cannot be made, or nothing is found.
pub fn balanced(
    sources: &Sources,
    options: BalancedOptions,
    judge: &mut Judge,
) -> Result<String, BookToolError> {
    let candidates = candidates(sources, options)?;
    let mut text = String::new();
    let mut found = 0;
    let is_balanced = |score: &Score| score.abs() <= options.max_score;
    for batch in candidates.chunks(BATCH) {
        let positions: Vec<Position> = batch.iter().map(|c| c.position.clone()).collect();
        let quick = judge.scores(&positions, options.nodes[0])?;
        let left: Vec<&Candidate> = batch
            .iter()
            .zip(quick)
            .filter_map(|(candidate, score)| is_balanced(&score).then_some(candidate))
            .collect();
        let positions: Vec<Position> = left.iter().map(|c| c.position.clone()).collect();
        let scores = judge.scores(&positions, options.nodes[1])?;
        for (candidate, score) in left.into_iter().zip(scores) {
            if is_balanced(&score) && found < options.count {
                found += 1;
                let fen = candidate.position.to_fen();
                let four = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
                let (nodes, games) = (options.nodes[1], candidate.games);
                let _ = writeln!(
                    text,
                    "{four} acn {nodes}; ce {score}; c0 \"{games} games\";"
                );
            }
        }
        log::info!("{found} of {}", options.count);
        if found >= options.count {
            break;
        }
    }
    if found == 0 {
        return Err(BookToolError::Nothing);
    }
    Ok(text)
}

/// In an order that depends on nothing but games and seed.
fn candidates(
    sources: &Sources,
    options: BalancedOptions,
) -> Result<Vec<Candidate>, BookToolError> {
    let (fewest, most) = options.plies;
    let mut found: HashMap<u64, Candidate> = HashMap::new();
    sources.each(most + 1, |game| {
        if game.start != Position::start() {
            return;
        }
        let mut ply = 0;
        walk(&game, |position, _| {
            if (fewest..=most).contains(&ply) && !position.legality().in_check() {
                let new = || Candidate {
                    position: position.clone(),
                    games: 0,
                };
                found.entry(stored_key(position)).or_insert_with(new).games += 1;
            }
            ply += 1;
        });
    })?;
    let mut candidates: Vec<(u64, Candidate)> = found
        .into_iter()
        .filter(|(_, candidate)| candidate.games >= options.min_games)
        .map(|(key, candidate)| (Random::new(key ^ options.seed).next_bits(), candidate))
        .collect();
    candidates.sort_by_key(|(order, _)| *order);
    Ok(candidates
        .into_iter()
        .map(|(_, candidate)| candidate)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_deep_enough_frequent_and_balanced() {
        let path = std::env::temp_dir().join(format!("chuhe-balanced-{}", std::process::id()));
        let game = "1-0\t-\th2e2 h9g7 h0g2 i9h9 i0h0 g6g5\n";
        let mirrored = "0-1\t-\tb2e2 b9c7 b0c2 a9b9 a0b0 c6c5\n";
        // Red gives a rook for an advisor.
        let lost = "0-1\t-\ta0a1 h9g7 a1d1 g9e7 d1d9 e9d9\n";
        std::fs::write(&path, format!("{game}{mirrored}{lost}{lost}")).unwrap();
        let sources = Sources {
            paths: vec![path.clone()],
        };
        let options = BalancedOptions {
            plies: (4, 5),
            min_games: 2,
            nodes: [500, 2_000],
            max_score: 200,
            ..BalancedOptions::default()
        };
        let mut judge = Judge::open(None).unwrap();
        let text = balanced(&sources, options, &mut judge).unwrap();
        let again = balanced(&sources, options, &mut judge).unwrap();
        assert_eq!(text, again);
        let positions = crate::tools::arena::openings::parse(&text).unwrap();
        assert!(positions.len() >= 2, "{text}");
        assert!(
            text.lines().all(|line| line.contains("acn 2000; ce ")),
            "{text}"
        );
        std::fs::remove_file(path).unwrap();
    }
}
