//! How much of the clock a move may take. Pure arithmetic: durations in, a
//! [`Budget`] out.
//!
//! The *hard* limit is what a move may never exceed; the *soft* limit is what an
//! average move should take: the root loop scales it by how settled the search
//! is and starts no iteration beyond it.

use super::limits::{Clock, Limits};
use std::time::Duration;

/// What one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What it should take.
    pub soft: Duration,
    /// What it may take at most.
    pub hard: Duration,
}

/// Never planned with: a scheduler's whim at the end of a period.
const RESERVE_MS: f64 = 50.0;
/// The least a move gets, so that one iteration is possible.
const LEAST_MS: f64 = 1.0;

impl Budget {
    /// The budget under these limits at this move of the game (from 1); `None`
    /// without a clock.
    pub fn new(limits: &Limits, move_number: u16) -> Option<Self> {
        let overhead = millis(limits.overhead);
        let (soft, hard) = match limits.clock {
            Clock::None => return None,
            Clock::MoveTime(time) => {
                let all = millis(time) - overhead.min(millis(time) / 4.0);
                (all, all)
            }
            Clock::Game {
                time,
                increment,
                moves_to_go,
            } => {
                let time = millis(time);
                // A small clock would be all overhead: part of it is played with.
                let usable = time - overhead.min(0.4 * time) - RESERVE_MS.min(time / 8.0);
                let gain = (millis(increment) - overhead).max(0.0);
                let (soft, hard) = match moves_to_go {
                    Some(moves) => period(time, gain, moves.max(1)),
                    None => whole_game(time, gain, move_number),
                };
                let soft = if limits.ponders { 1.25 * soft } else { soft };
                (soft.min(usable), hard.min(usable))
            }
        };
        let hard = hard.max(LEAST_MS);
        let soft = soft.clamp(LEAST_MS, hard);
        Some(Self {
            soft: from_millis(soft),
            hard: from_millis(hard),
        })
    }

    /// Whether the whole time is for this move, so that saving it is pointless.
    pub fn is_fixed(&self) -> bool {
        self.soft == self.hard
    }
}

/// The rest of the game on this clock: a share that grows as the game goes on
/// and fewer moves are left, and most of the increment.
fn whole_game(time: f64, gain: f64, move_number: u16) -> (f64, f64) {
    let share = 0.060 - 0.044 * (-f64::from(move_number) / 28.0).exp();
    let soft = time * share + 0.75 * gain;
    let hard = (soft * 5.0).min(time * 0.6 + 0.75 * gain);
    (soft, hard)
}

/// Some moves until the clock is topped up: an even share, a little more for
/// the moves that come first. The last move may take all.
fn period(time: f64, gain: f64, moves: u32) -> (f64, f64) {
    let moves = f64::from(moves);
    let all = time + gain * (moves - 1.0);
    let soft = (all * 1.05 / moves).min(time * 0.9);
    let hard =
        (soft * (1.6 + 0.1 * moves).min(5.0)).min(if moves < 2.0 { time } else { time * 0.8 });
    (soft, hard)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn from_millis(millis: f64) -> Duration {
    Duration::from_secs_f64(millis.max(0.0) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD_MS: u64 = 30;

    fn budget(clock: Clock, move_number: u16) -> Budget {
        let limits = Limits {
            clock,
            overhead: Duration::from_millis(OVERHEAD_MS),
            ..Limits::default()
        };
        Budget::new(&limits, move_number).expect("there is a clock")
    }

    fn game(time_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Clock {
        Clock::Game {
            time: Duration::from_millis(time_ms),
            increment: Duration::from_millis(increment_ms),
            moves_to_go,
        }
    }

    /// Plays a game in which every move takes what `spend` says and checks the
    /// flag after each.
    fn never_flags(
        time_ms: u64,
        increment_ms: u64,
        period: Option<(u32, u64)>,
        spend: impl Fn(Budget, u16) -> Duration,
    ) {
        let mut left = time_ms as i64;
        let mut to_go = period.map(|(moves, _)| moves);
        // Without any increment no clock lasts for ever.
        let moves = if increment_ms == 0 && period.is_none() {
            60
        } else {
            200
        };
        for number in 1..=moves {
            let clock = game(left as u64, increment_ms, to_go);
            let used = spend(budget(clock, number), number).as_millis() as i64 + 2;
            left -= used;
            assert!(
                left > 0,
                "flag at move {number} of {time_ms}+{increment_ms}, {period:?}"
            );
            left += increment_ms as i64;
            if let (Some((moves, top_up)), Some(rest)) = (period, &mut to_go) {
                *rest -= 1;
                if *rest == 0 {
                    *rest = moves;
                    left += top_up as i64;
                }
            }
        }
    }

    #[test]
    fn no_clock_falls_whatever_the_moves_take() {
        // (time, increment, moves and top-up): blitz, rapid, the clocks of the
        // modern rules, article 6, and tiny ones.
        let clocks = [
            (1_000, 10, None),
            (10_000, 100, None),
            (60_000, 0, None),
            (180_000, 2_000, None),
            (900_000, 10_000, None),
            (5_400_000, 0, Some((40, 900_000))),
            (3_600_000, 0, Some((30, 600_000))),
            (600_000, 0, Some((40, 300_000))),
            (300_000, 0, Some((30, 300_000))),
            (5_000, 0, Some((1, 5_000))),
        ];
        for (time, increment, period) in clocks {
            never_flags(time, increment, period, |budget, _| budget.soft);
            never_flags(time, increment, period, |budget, number| {
                // A troubled game: every third move takes all it may.
                if number % 3 == 0 {
                    budget.hard
                } else {
                    budget.soft
                }
            });
            if increment > 0 || period.is_some() {
                never_flags(time, increment, period, |budget, _| budget.hard);
            }
        }
    }

    #[test]
    fn the_whole_clock_is_used_over_a_game() {
        let mut left = 60_000.0;
        for number in 1..=60 {
            left -= millis(budget(game(left as u64, 0, None), number).soft);
        }
        assert!(left < 12_000.0, "{left} ms unused after 60 moves");
        assert!(left > 2_000.0, "{left} ms left after 60 moves");
    }

    #[test]
    fn a_last_move_or_a_fixed_time_takes_nearly_all() {
        let last = budget(game(5_000, 0, Some(1)), 20);
        assert!(last.hard >= Duration::from_millis(4_500));
        let fixed = budget(Clock::MoveTime(Duration::from_millis(100)), 1);
        assert_eq!(fixed.hard, Duration::from_millis(75));
        assert!(fixed.is_fixed());
    }

    #[test]
    fn nearly_empty_clocks_still_get_a_move() {
        for time in [0, 1, 5, 20, 60] {
            for togo in [None, Some(1), Some(10)] {
                let budget = budget(game(time, 0, togo), 40);
                assert!(budget.hard >= Duration::from_millis(1));
                assert!(budget.hard <= Duration::from_millis(1 + time / 2), "{time}");
            }
        }
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        assert_eq!(Budget::new(&Limits::default(), 1), None);
    }
}
