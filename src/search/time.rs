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
/// Reserve and overhead are touched only by this share a move while moves are
/// still to come. On a machine with other work a move now and then takes tens of
/// milliseconds longer than it was given; but a much smaller share would be over
/// before the search gets a processor.
const RESERVE_SHARE: f64 = 0.15;

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
                let last = moves_to_go == Some(1);
                let most = if last {
                    usable
                } else {
                    usable.min((time - overhead - RESERVE_MS).max(time * RESERVE_SHARE))
                };
                (soft.min(most), hard.min(most))
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
mod tests;
