//! Playing weaker on purpose.
//!
//! A weakened search sees less (caps on depth and nodes) and judges worse: it
//! reports several lines, and the one that is played is the best after noise
//! was added to each score. The weakest levels also play a random legal move
//! now and then, as beginners do. All random numbers come from one seed.

use super::settings::{Amount, FULL_SKILL, Settings};
use crate::search::{Line, Request};
use crate::types::score::is_loss;
use crate::types::{Move, Random, Score};
use std::time::SystemTime;

/// How a search is weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    max_depth: Option<u32>,
    max_nodes: Option<u64>,
    lines: usize,
    noise_cp: Score,
    blunders_per_mille: u32,
}

/// The Elo numbers of level 0 and of each step above it.
const LOWEST_ELO: u32 = 1000;
const ELO_PER_LEVEL: u32 = 100;

/// Nodes of level 0, enough for its one iteration with several lines, and the
/// growth factor of each level.
const LOWEST_NODES: f64 = 3_000.0;
const NODES_GROWTH: f64 = 1.4;

/// Noise at level 0; it fades evenly up to full strength.
const LOWEST_NOISE_CP: f64 = 260.0;
/// Share of random moves at level 0; it fades with the square of the distance
/// to the first level without them.
const LOWEST_BLUNDERS_PER_MILLE: u32 = 350;
const LEVEL_WITHOUT_BLUNDERS: u32 = 10;

/// Lines that a weakened search chooses from.
const LINES: usize = 6;

impl Strength {
    /// The weakening that the settings ask for, if any. The lowest of what
    /// the different options say counts.
    pub(super) fn of(settings: &Settings) -> Option<Self> {
        if settings.analyse_mode {
            return None;
        }
        let mut level = settings.skill_level;
        if settings.limit_strength {
            let by_elo = settings.elo.saturating_sub(LOWEST_ELO) / ELO_PER_LEVEL;
            level = level.min(by_elo);
        }
        let by_level = (level < FULL_SKILL).then(|| Self::of_level(level));
        let by_randomness = Self::of_randomness(settings.randomness);
        match (by_level, by_randomness) {
            (Some(level), Some(random)) => Some(Self {
                noise_cp: level.noise_cp.max(random.noise_cp),
                ..level
            }),
            (level, random) => level.or(random),
        }
    }

    fn of_level(level: u32) -> Self {
        let missing = f64::from(FULL_SKILL - level) / f64::from(FULL_SKILL);
        let below = LEVEL_WITHOUT_BLUNDERS.saturating_sub(level);
        Self {
            max_depth: Some(1 + level),
            max_nodes: Some((LOWEST_NODES * NODES_GROWTH.powi(level as i32)) as u64),
            lines: LINES,
            noise_cp: (LOWEST_NOISE_CP * missing) as Score,
            blunders_per_mille: LOWEST_BLUNDERS_PER_MILLE * below * below
                / (LEVEL_WITHOUT_BLUNDERS * LEVEL_WITHOUT_BLUNDERS),
        }
    }

    /// Randomness varies the choice and leaves the search alone.
    fn of_randomness(randomness: Amount) -> Option<Self> {
        let noise_cp = match randomness {
            Amount::None => return None,
            Amount::Tiny => 10,
            Amount::Small => 20,
            Amount::Medium => 40,
            Amount::Large => 80,
            Amount::Huge => 160,
        };
        Some(Self {
            max_depth: None,
            max_nodes: None,
            lines: LINES,
            noise_cp,
            blunders_per_mille: 0,
        })
    }

    /// Puts the caps on a search.
    pub(super) fn weaken(&self, request: &mut Request) {
        let limits = &mut request.limits;
        limits.depth = limits.depth.into_iter().chain(self.max_depth).min();
        limits.nodes = limits.nodes.into_iter().chain(self.max_nodes).min();
        request.multi_pv = request.multi_pv.max(self.lines);
    }

    /// The move to play: usually the first of one of `lines`, which are sorted
    /// best first, sometimes any of `candidates`. `None` without a line.
    pub(super) fn choose(
        &self,
        lines: &[Line],
        candidates: &[Move],
        random: &mut Random,
    ) -> Option<Move> {
        let blunders = random.below(1000) < self.blunders_per_mille as usize;
        if blunders && !candidates.is_empty() {
            let index = random.below(candidates.len());
            return Some(candidates[index]);
        }
        let all_lose = lines.iter().all(|line| is_loss(line.score));
        let mut best = None::<(Score, Move)>;
        for line in lines {
            if is_loss(line.score) && !all_lose {
                continue;
            }
            let score = line.score + self.noise(random);
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, *line.pv.first()?));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// A number between plus and minus `noise_cp`, small ones more often.
    fn noise(&self, random: &mut Random) -> Score {
        let span = self.noise_cp.max(0) as usize + 1;
        random.below(span) as Score - random.below(span) as Score
    }
}

/// A stream that is the same for equal seeds and positions; with seed 0 it is
/// another one from call to call.
pub(super) fn random(seed: u64, key: u64) -> Random {
    let seed = match seed {
        0 => SystemTime::UNIX_EPOCH
            .elapsed()
            .map_or(1, |since| since.as_nanos() as u64),
        seed => seed.wrapping_mul(0xa076_1d64_78bd_642f),
    };
    Random::new(seed ^ key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::types::Bound;

    fn lines(scores: &[Score]) -> Vec<Line> {
        let moves = Position::start().legal_moves();
        let of = |(rank, &score): (usize, &Score)| Line {
            depth: 1,
            selective_depth: 1,
            rank: rank + 1,
            score,
            bound: Bound::Exact,
            pv: vec![moves[rank]],
        };
        scores.iter().enumerate().map(of).collect()
    }

    #[test]
    fn full_strength_is_the_default_and_levels_are_even_steps() {
        let mut settings = Settings::default();
        assert_eq!(Strength::of(&settings), None);
        let mut last = None::<Strength>;
        for level in 0..FULL_SKILL {
            settings.skill_level = level;
            let strength = Strength::of(&settings).unwrap();
            if let Some(last) = last {
                assert!(last.noise_cp >= strength.noise_cp);
                assert!(last.max_nodes < strength.max_nodes);
                assert!(last.blunders_per_mille >= strength.blunders_per_mille);
            }
            last = Some(strength);
        }
        settings.analyse_mode = true;
        assert_eq!(Strength::of(&settings), None);
    }

    #[test]
    fn elo_and_randomness_weaken_too() {
        let settings = Settings {
            limit_strength: true,
            elo: 1500,
            ..Settings::default()
        };
        assert_eq!(Strength::of(&settings), Some(Strength::of_level(5)));
        let settings = Settings {
            randomness: Amount::Large,
            ..Settings::default()
        };
        let strength = Strength::of(&settings).unwrap();
        assert_eq!((strength.max_depth, strength.noise_cp), (None, 80));
    }

    #[test]
    fn choices_repeat_with_the_seed_and_stay_near_the_best() {
        let strength = Strength::of_randomness(Amount::Medium).unwrap();
        let lines = lines(&[50, 45, 30, -200, -31_990]);
        let mut seen = std::collections::HashSet::new();
        for seed in 1..200 {
            let choose = || strength.choose(&lines, &[], &mut random(seed, 7));
            let mv = choose().unwrap();
            assert_eq!(choose(), Some(mv));
            seen.insert(mv);
        }
        assert!(seen.contains(&lines[0].pv[0]) && seen.contains(&lines[1].pv[0]));
        assert!(!seen.contains(&lines[3].pv[0]) && !seen.contains(&lines[4].pv[0]));
    }

    #[test]
    fn the_lowest_level_plays_random_moves_too() {
        let strength = Strength::of_level(0);
        let moves = Position::start().legal_moves();
        let lines = lines(&[0]);
        let others = (1..400)
            .filter(|&seed| {
                let mut random = random(seed, 0);
                strength.choose(&lines, &moves, &mut random) != Some(lines[0].pv[0])
            })
            .count();
        assert!((60..250).contains(&others), "{others}");
    }
}
