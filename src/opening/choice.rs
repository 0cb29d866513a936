//! Book moves and the choice between them.

use super::Counts;
use crate::types::{Move, Random};

/// What a book says about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How much the book likes it. Zero and less: known, but not to be played.
    pub weight: i32,
    /// The games it was played in, if the book tells.
    pub counts: Option<Counts>,
}

/// How a move is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Each with a probability in proportion to its weight.
    #[default]
    Weighted,
    /// The one with the largest weight; the first of equals.
    Best,
}

/// Chooses among moves of positive weight; `None` if there are none.
pub fn choose(moves: &[BookMove], choice: Choice, random: &mut Random) -> Option<BookMove> {
    let playable = || moves.iter().filter(|known| known.weight > 0);
    match choice {
        // Of equals `max_by_key` takes the last.
        Choice::Best => playable().rev().max_by_key(|known| known.weight).copied(),
        Choice::Weighted => {
            let total: u64 = playable().map(|known| known.weight as u64).sum();
            let mut rest = random.below(usize::try_from(total).unwrap_or(usize::MAX)) as u64;
            for known in playable() {
                let weight = known.weight as u64;
                if rest < weight {
                    return Some(*known);
                }
                rest -= weight;
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(weights: &[i32]) -> Vec<BookMove> {
        let texts = ["h2e2", "b2e2", "c3c4", "g3g4"];
        let known = |(text, &weight): (&&str, &i32)| BookMove {
            mv: text.parse().unwrap(),
            weight,
            counts: None,
        };
        texts.iter().zip(weights).map(known).collect()
    }

    #[test]
    fn choices_follow_the_weights_and_repeat_with_the_seed() {
        let moves = moves(&[30, 0, 10, -5]);
        let mut random = Random::new(1);
        let mut hits = [0; 4];
        for _ in 0..4_000 {
            let chosen = choose(&moves, Choice::Weighted, &mut random).unwrap();
            hits[moves.iter().position(|known| *known == chosen).unwrap()] += 1;
        }
        assert!((2_850..3_150).contains(&hits[0]), "{hits:?}");
        assert_eq!((hits[1], hits[3]), (0, 0));
        let with_seed = |seed| choose(&moves, Choice::Weighted, &mut Random::new(seed));
        assert_eq!(with_seed(7), with_seed(7));
        assert_eq!(
            choose(&moves, Choice::Best, &mut random).unwrap().mv,
            moves[0].mv
        );
    }

    #[test]
    fn without_weight_there_is_no_choice() {
        let mut random = Random::new(1);
        for choice in [Choice::Weighted, Choice::Best] {
            assert_eq!(choose(&moves(&[0, -3]), choice, &mut random), None);
            assert_eq!(choose(&[], choice, &mut random), None);
        }
        let equal = moves(&[5, 5]);
        assert_eq!(choose(&equal, Choice::Best, &mut random), Some(equal[0]));
    }
}
