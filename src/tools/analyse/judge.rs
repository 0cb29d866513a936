//! How much a move loses, in words.

use crate::types::Score;
use crate::types::score::{is_loss, is_win};

/// The expected result, 0 to 1, at this score: the meaning of the network's scale.
pub fn expectation(score: Score) -> f64 {
    if is_win(score) {
        1.0
    } else if is_loss(score) {
        0.0
    } else {
        1.0 / (1.0 + (-f64::from(score) / 400.0).exp())
    }
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// 缓着: a twentieth of the point.
    Inaccuracy,
    /// 失着: a tenth.
    Mistake,
    /// 败着: a fifth.
    Blunder,
}

impl Flaw {
    /// The flaw of a move that loses so much of the expected result.
    pub fn of(loss: f64) -> Option<Self> {
        match loss {
            loss if loss >= 0.20 => Some(Self::Blunder),
            loss if loss >= 0.10 => Some(Self::Mistake),
            loss if loss >= 0.05 => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Its name in Chinese and English.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "缓着 inaccuracy",
            Self::Mistake => "失着 mistake",
            Self::Blunder => "败着 blunder",
        }
    }

    /// The sign of chess notation.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    #[test]
    fn expectations_grow_with_the_score_and_end_at_mates() {
        let scores = [mated_in(3), -900, -100, 0, 100, 900, mate_in(3)];
        let values: Vec<f64> = scores.into_iter().map(expectation).collect();
        assert!(values.is_sorted());
        assert_eq!((values[0], values[3], values[6]), (0.0, 0.5, 1.0));
    }

    #[test]
    fn flaws_grow_with_the_loss() {
        let losses = [0.0, 0.06, 0.15, 0.5];
        let flaws: Vec<_> = losses.into_iter().map(Flaw::of).collect();
        assert!(flaws.is_sorted());
        assert_eq!(flaws[0], None);
        assert_eq!(flaws[3], Some(Flaw::Blunder));
    }
}
