//! Counting what data hold.

use super::record::{self, Filter};
use crate::tools::datagen::game_file::SelfPlayGame;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// What games come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Plies of all games.
    pub plies: u64,
    /// Positions that the trainer's usual filter keeps, copies counted.
    pub kept: u64,
    /// Men on the board, summed over the kept positions.
    pub men: u64,
    /// Red's losses, draws, Red's wins.
    pub results: [u64; 3],
    /// Games with an illegal move.
    pub illegal: u64,
}

impl Tally {
    /// Counts games on the current rayon pool.
    pub fn of(games: &[SelfPlayGame]) -> Self {
        let one = |game: &SelfPlayGame| {
            let mut tally = Self {
                games: 1,
                plies: game.plies.len() as u64,
                ..Self::default()
            };
            tally.results[game.result.half_points()] = 1;
            let read = record::positions(game, Filter::default(), &mut |_, sample| {
                tally.kept += 1;
                tally.men += u64::from(sample.men());
            });
            tally.illegal = u64::from(read.is_err());
            tally
        };
        let sum = |mut sum: Self, tally| {
            sum += tally;
            sum
        };
        games.par_iter().map(one).reduce(Self::default, sum)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
        self.men += other.men;
        self.illegal += other.illegal;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [losses, draws, wins] = self.results;
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        write!(
            f,
            "{} games, {} plies ({:.1} a game), {} kept with {:.1} men, Red +{wins} ={draws} -{losses}",
            self.games,
            self.plies,
            share(self.plies, self.games),
            self.kept,
            share(self.men, self.kept),
        )?;
        if self.illegal > 0 {
            write!(f, ", {} with an illegal move", self.illegal)?;
        }
        Ok(())
    }
}
