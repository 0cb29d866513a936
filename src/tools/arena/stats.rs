//! What a match says: score, Elo with its error, and the sequential test that
//! tells when to stop.
//!
//! Games come in pairs: the same opening with both colours. The five results of
//! a pair (0, 1/2, 1, 3/2, 2 points) are counted, because the two games of a pair
//! are not independent: the variance of pair scores is what is really observed
//! ("pentanomial" statistics, Michel Van den Bergh, 2020).

use std::fmt;

/// The result of a game for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl GameResult {
    /// 0, 1 or 2 half points.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// The result for the other player.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The score of a match from the view of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Losses, draws, wins.
    pub games: [u32; 3],
    /// Pairs by half points, 0 to 4.
    pub pairs: [u32; 5],
}

/// Elo difference that a score share means (logistic model).
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-9, 1.0 - 1e-9);
    -400.0 * (1.0 / share - 1.0).log10()
}

/// Score share that an Elo difference means.
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// What is known before the first pair, as results of one.
const ONE_PAIR: [f64; 5] = [0.5, 0.0, 0.0, 0.0, 0.5];

impl Score {
    /// Adds one pair of games.
    pub fn add_pair(&mut self, results: [GameResult; 2]) {
        for result in results {
            self.games[result.half_points()] += 1;
        }
        self.pairs[results[0].half_points() + results[1].half_points()] += 1;
    }

    /// Adds a game that has no partner (yet).
    pub fn add_single(&mut self, result: GameResult) {
        self.games[result.half_points()] += 1;
    }

    /// How many games were played.
    pub fn played(&self) -> u32 {
        self.games.iter().sum()
    }

    /// Points per game, 0 to 1.
    pub fn share(&self) -> f64 {
        let points = f64::from(self.games[1]) / 2.0 + f64::from(self.games[2]);
        points / f64::from(self.played().max(1))
    }

    /// Count, mean and variance of the score share of a pair, each of the five
    /// results counted this much more often than it was seen.
    fn pair_moments(&self, added: [f64; 5]) -> (f64, f64, f64) {
        let count_of = |index: usize| f64::from(self.pairs[index]) + added[index];
        let value = |index: usize| index as f64 / 4.0;
        let count: f64 = (0..5).map(count_of).sum();
        let mean = (0..5).map(|i| value(i) * count_of(i)).sum::<f64>() / count;
        let variance = (0..5)
            .map(|i| (value(i) - mean).powi(2) * count_of(i))
            .sum::<f64>()
            / count;
        (count, mean, variance)
    }

    /// The Elo difference with its 95 % interval, from pairs; `None` before the
    /// first pair.
    ///
    /// Few pairs, or pairs that all went the same way, show no variance, which
    /// does not mean certainty. So the interval is that of the pairs seen and one
    /// more, half of it lost and half of it won, round their common mean (after
    /// Agresti and Coull, 1998, who add such trials to an interval for a
    /// proportion). After many pairs it makes no difference.
    pub fn elo(&self) -> Option<Elo> {
        if self.pairs.iter().all(|&count| count == 0) {
            return None;
        }
        let (_, seen, _) = self.pair_moments([0.0; 5]);
        let (count, mean, variance) = self.pair_moments(ONE_PAIR);
        let error = 1.96 * (variance / count).sqrt();
        let at = |share: f64| match share {
            share if share <= 0.0 => f64::NEG_INFINITY,
            share if share >= 1.0 => f64::INFINITY,
            share => elo(share),
        };
        Some(Elo {
            low: at(mean - error),
            middle: at(seen),
            high: at(mean + error),
        })
    }

    /// The log-likelihood ratio of "`elo1` stronger" against "`elo0` stronger",
    /// in the normal approximation of the generalised test, with the same
    /// additional pair as the interval: two equal pairs decide nothing, and a match
    /// in which all pairs go the same way ends.
    pub fn llr(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let (count, mean, variance) = self.pair_moments(ONE_PAIR);
        let (s0, s1) = (share(elo0), share(elo1));
        count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }
}

impl fmt::Display for Score {
    /// `+W =D -L, 53.2 %, Elo 22.3 +- 14.1, pairs [..]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [losses, draws, wins] = self.games;
        write!(
            f,
            "+{wins} ={draws} -{losses}, {:.1} %",
            100.0 * self.share()
        )?;
        if let Some(elo) = self.elo() {
            write!(f, ", Elo {elo}, pairs {:?}", self.pairs)?;
        }
        Ok(())
    }
}

/// An Elo difference and its 95 % interval; infinite where the games set no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The lower end.
    pub low: f64,
    /// What was observed.
    pub middle: f64,
    /// The upper end.
    pub high: f64,
}

impl Elo {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Elo {
    /// `22.3 +- 14.1`, or `inf (above 35)`, or `0.0 (anything)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 takes the sign from what is rounded to none.
        let middle = (10.0 * self.middle).round() / 10.0 + 0.0;
        let [low, high] = [self.low, self.high].map(|end| end.round() + 0.0);
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(f, "{middle:.1} +- {:.1}", self.error()),
            (true, false) => write!(f, "{middle:.1} (above {low:.0})"),
            (false, true) => write!(f, "{middle:.1} (below {high:.0})"),
            (false, false) => write!(f, "{middle:.1} (anything)"),
        }
    }
}

/// A sequential probability ratio test (Wald): stop as soon as one hypothesis
/// is clear enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative wrongly.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis wrongly.
    pub beta: f64,
}

/// What a sequential test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The alternative: the first player is `elo1` stronger.
    Accept,
    /// The null hypothesis.
    Reject,
}

impl Sprt {
    /// A test with 5 % error either way.
    pub fn new(elo0: f64, elo1: f64) -> Self {
        Self {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }
    }

    /// The lower and upper bound of the log-likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// What this score decides, if anything yet.
    pub fn decision(&self, score: &Score) -> Option<Decision> {
        let llr = score.llr(self.elo0, self.elo1);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Decision::Accept)
        } else if llr <= lower {
            Some(Decision::Reject)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_share_are_inverse() {
        assert!((elo(0.75) - 190.85).abs() < 0.01);
        assert!(elo(0.5).abs() < 1e-9);
        for difference in [-300.0, -10.0, 0.0, 55.0] {
            assert!((elo(share(difference)) - difference).abs() < 1e-6);
        }
    }

    #[test]
    fn the_error_follows_from_the_pairs() {
        // 100 pairs, 20/30/50 of 0.5/1/1.5 points: mean 0.575, variance 0.0375625...
        let score = Score {
            games: [0; 3],
            pairs: [0, 20, 30, 50, 0],
        };
        let seen = score.elo().unwrap();
        assert!((seen.middle - elo(0.575)).abs() < 1e-9);
        // With half a lost and half a won pair: mean 0.57426, variance 0.04028.
        let mean = (100.0 * 0.575 + 0.5) / 101.0;
        let squares = [
            (0.5, 0.0),
            (20.0, 0.25),
            (30.0, 0.5),
            (50.0, 0.75),
            (0.5, 1.0f64),
        ];
        let squares = squares.map(|(count, value)| count * (value - mean).powi(2));
        let deviation = squares.iter().sum::<f64>().sqrt() / 101.0;
        let expected = (elo(mean + 1.96 * deviation) - elo(mean - 1.96 * deviation)) / 2.0;
        assert!((seen.error() - expected).abs() < 1e-9);
        assert!((seen.error() - 27.87).abs() < 0.1, "{}", seen.error());
    }

    #[test]
    fn a_few_equal_results_are_no_certainty() {
        let score = |pairs: [u32; 5]| Score {
            games: [0; 3],
            pairs,
        };
        assert_eq!(score([0; 5]).elo(), None);
        // One drawn pair says nothing; ten drawn pairs little; a thousand much.
        let errors = [1, 10, 1_000].map(|count| score([0, 0, count, 0, 0]).elo().unwrap().error());
        assert!(errors[0] > 300.0, "{errors:?}");
        assert!((50.0..80.0).contains(&errors[1]), "{errors:?}");
        assert!(errors[2] < 1.0 && errors[2] > 0.0, "{errors:?}");
        let won = score([0, 0, 0, 0, 10]).elo().unwrap();
        assert_eq!((won.middle, won.high), (f64::INFINITY, f64::INFINITY));
        assert!((100.0..600.0).contains(&won.low), "{won:?}");
        assert!(won.to_string().starts_with("inf (above "), "{won}");
        let sprt = Sprt::new(0.0, 50.0);
        assert_eq!(sprt.decision(&score([0, 0, 0, 2, 0])), None);
        assert_eq!(sprt.decision(&score([0, 0, 0, 0, 3])), None);
        let all_won = sprt.decision(&score([0, 0, 0, 0, 30]));
        assert_eq!(all_won, Some(Decision::Accept));
    }

    #[test]
    fn nothing_is_no_less_than_nothing() {
        let shown = |low, middle, high| Elo { low, middle, high }.to_string();
        assert_eq!(shown(-10.0, -0.04, 10.0), "0.0 +- 10.0");
        assert_eq!(shown(-0.3, 9.0, f64::INFINITY), "9.0 (above 0)");
        assert_eq!(shown(-10.0, -0.06, 10.0), "-0.1 +- 10.0");
        let even = |count| Score {
            games: [0; 3],
            pairs: [0, 0, count, 0, 0],
        };
        let elo = even(10).elo().unwrap().to_string();
        assert!(elo.starts_with("0.0 +- "), "{elo}");
    }

    /// What the display relies on: where all pairs were won or lost, the interval
    /// has one end only.
    #[test]
    fn a_finite_interval_has_a_finite_middle() {
        for count in 1..100_000 {
            for pairs in [[count, 0, 0, 0, 0], [0, 0, 0, 0, count]] {
                let games = [0; 3];
                let elo = Score { games, pairs }.elo().unwrap();
                assert!(elo.error().is_infinite(), "{elo:?}");
            }
        }
    }

    #[test]
    fn bounds_are_the_usual_ones() {
        let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + 2.944).abs() < 0.001);
    }

    /// Simulated matches: a test must not accept or reject wrongly much more often
    /// than promised.
    #[test]
    fn error_rates_hold_in_simulation() {
        let mut state = 1u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let sprt = Sprt::new(0.0, 30.0);
        let mut rates = Vec::new();
        for difference in [0.0, 30.0] {
            let win = share(difference) - 0.15; // 30 % draws
            let mut accepted = 0;
            for _ in 0..400 {
                let mut score = Score::default();
                let decision = loop {
                    let mut game = || match random() {
                        x if x < win => GameResult::Win,
                        x if x < win + 0.3 => GameResult::Draw,
                        _ => GameResult::Loss,
                    };
                    score.add_pair([game(), game()]);
                    if let Some(decision) = sprt.decision(&score) {
                        break decision;
                    }
                };
                accepted += u32::from(decision == Decision::Accept);
            }
            rates.push(f64::from(accepted) / 400.0);
        }
        assert!(rates[0] < 0.10, "wrongly accepted: {}", rates[0]);
        assert!(rates[1] > 0.90, "rightly accepted: {}", rates[1]);
    }
}
