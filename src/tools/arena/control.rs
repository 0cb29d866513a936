//! What a game allows each side to spend, and the clocks that hold it to that.

use super::player::{Fault, Turn};
use crate::types::Color;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The clock of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Nodes a move.
    Nodes(u64),
    /// Nodes a move after which no further iteration is started.
    SoftNodes(u64),
    /// Plies a move.
    Depth(u32),
    /// Time a move.
    MoveTime(Duration),
    /// Time for the game or for some moves, and what each move adds.
    Clock {
        /// Time at the start and again after each period.
        base: Duration,
        /// What each move adds.
        increment: Duration,
        /// Moves in a period; `None`: the whole game.
        moves: Option<u32>,
    },
}

/// The longest time that a clock or a limit may have (eleven days): sums of a few
/// of them are far from the end of what a `Duration` or a protocol can say.
pub const MAX_SECONDS: u64 = 1_000_000;

/// A text that names no clock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// It is not written like one.
    #[error(
        "'{0}' is not a time control (SECONDS+INCREMENT, perhaps with MOVES/ before it, \
         nodes=N, depth=N or movetime=MILLISECONDS)"
    )]
    Form(String),
    /// A time beyond all sense.
    #[error("'{0}' has a time of more than {MAX_SECONDS} seconds")]
    Long(String),
}

impl FromStr for TimeControl {
    type Err = ControlError;

    /// Reads `60+0.5` (seconds and increment), `40/300+0` (moves, seconds,
    /// increment), `nodes=5000`, `depth=8` or `movetime=20`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let error = || ControlError::Form(text.to_owned());
        let bounded = |time: Duration| match time <= Duration::from_secs(MAX_SECONDS) {
            true => Ok(time),
            false => Err(ControlError::Long(text.to_owned())),
        };
        if let Some((kind, value)) = text.split_once('=') {
            let value: u32 = value.parse().map_err(|_| error())?;
            return match kind {
                _ if value == 0 => Err(error()),
                "nodes" => Ok(Self::Nodes(value.into())),
                "depth" => Ok(Self::Depth(value)),
                "movetime" => bounded(Duration::from_millis(value.into())).map(Self::MoveTime),
                _ => Err(error()),
            };
        }
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.parse().ok().filter(|&moves: &u32| moves > 0);
                (Some(moves.ok_or_else(error)?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds >= 0.0);
            let seconds = seconds.ok_or_else(error)?;
            bounded(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        };
        Ok(Self::Clock {
            base: seconds(base)?,
            increment: seconds(increment)?,
            moves,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) | Self::SoftNodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
            Self::MoveTime(time) => write!(f, "movetime={}", time.as_millis()),
            Self::Clock {
                base,
                increment,
                moves,
            } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// How much a move may exceed its time before it counts.
pub const TIME_MARGIN: Duration = Duration::from_millis(100);

/// The clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// Red's and Black's.
    pub each: [TimeControl; 2],
    /// How much a move may exceed its time before it counts.
    pub margin: Duration,
}

impl From<TimeControl> for Controls {
    /// The same for both.
    fn from(control: TimeControl) -> Self {
        Self {
            each: [control; 2],
            margin: TIME_MARGIN,
        }
    }
}

/// The running clocks of a game.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    controls: Controls,
    left: [Duration; 2],
    moves_made: [u32; 2],
    overrun: [Duration; 2],
}

impl Clocks {
    pub(super) fn new(controls: Controls) -> Self {
        Self {
            controls,
            left: controls.each.map(|control| match control {
                TimeControl::Clock { base, .. } => base,
                _ => Duration::ZERO,
            }),
            moves_made: [0; 2],
            overrun: [Duration::ZERO; 2],
        }
    }

    /// What the side may spend now.
    pub(super) fn turn(&self, side: Color) -> Turn {
        let (own, other) = (side.index(), (!side).index());
        match self.controls.each[own] {
            TimeControl::Nodes(nodes) => Turn::Nodes(nodes),
            TimeControl::SoftNodes(nodes) => Turn::SoftNodes(nodes),
            TimeControl::Depth(depth) => Turn::Depth(depth),
            TimeControl::MoveTime(time) => Turn::MoveTime(time),
            TimeControl::Clock {
                increment, moves, ..
            } => {
                // An opponent without a clock is shown with our own.
                let (opponent, opponent_increment) = match self.controls.each[other] {
                    TimeControl::Clock { increment, .. } => (self.left[other], increment),
                    _ => (self.left[own], increment),
                };
                Turn::Clock {
                    own: self.left[own],
                    opponent,
                    increment,
                    opponent_increment,
                    moves_to_go: moves.map(|moves| moves - self.moves_made[own] % moves),
                }
            }
        }
    }

    /// Takes the time of a move off the clock.
    ///
    /// # Errors
    /// If it was too much.
    pub(super) fn charge(&mut self, side: Color, time: Duration) -> Result<(), Fault> {
        let index = side.index();
        if let Some(allowed) = self.turn(side).allowance() {
            let over = time.saturating_sub(allowed);
            self.overrun[index] = over.max(self.overrun[index]);
            if over > self.controls.margin {
                return Err(Fault::Time);
            }
        }
        self.moves_made[index] += 1;
        if let TimeControl::Clock {
            base,
            increment,
            moves,
        } = self.controls.each[index]
        {
            self.left[index] = self.left[index].saturating_sub(time) + increment;
            if moves.is_some_and(|moves| self.moves_made[index].is_multiple_of(moves)) {
                self.left[index] += base;
            }
        }
        Ok(())
    }

    /// The most that a move took beyond what it was allowed, Red's and Black's.
    pub(super) fn overrun(&self) -> [Duration; 2] {
        self.overrun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn controls_are_read_and_written() {
        let clock = TimeControl::Clock {
            base: seconds(300),
            increment: Duration::from_millis(500),
            moves: Some(40),
        };
        assert_eq!("40/300+0.5".parse(), Ok(clock));
        for text in ["40/300+0.5", "1+0.01", "nodes=5", "depth=3", "movetime=20"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for bad in [
            "", "x", "0/3", "1+x", "-1", "nan", "nodes=0", "nodes=x", "plies=3",
        ] {
            let error = ControlError::Form(bad.to_owned());
            assert_eq!(bad.parse::<TimeControl>(), Err(error));
        }
        // With two of the third the clock ran over, and with it the match.
        for long in ["1000001", "1+1e400", "1e19+1e19", "movetime=4294967295"] {
            let error = ControlError::Long(long.to_owned());
            assert_eq!(long.parse::<TimeControl>(), Err(error));
        }
        assert!("1e6+1e6".parse::<TimeControl>().is_ok());
    }

    #[test]
    fn each_side_has_its_own_clock_and_periods() {
        let mut clocks = Clocks::new(Controls {
            each: ["2/10+1".parse().unwrap(), "5+0".parse().unwrap()],
            margin: Duration::ZERO,
        });
        let red = |clocks: &Clocks| match clocks.turn(Color::Red) {
            Turn::Clock {
                own, moves_to_go, ..
            } => (own, moves_to_go),
            other => panic!("{other:?}"),
        };
        assert_eq!(red(&clocks), (seconds(10), Some(2)));
        assert_eq!(clocks.charge(Color::Red, seconds(4)), Ok(()));
        assert_eq!(red(&clocks), (seconds(7), Some(1)));
        assert_eq!(clocks.charge(Color::Red, seconds(7)), Ok(()));
        assert_eq!(red(&clocks), (seconds(11), Some(2)));
        assert_eq!(clocks.charge(Color::Black, seconds(6)), Err(Fault::Time));
        assert_eq!(clocks.overrun(), [Duration::ZERO, seconds(1)]);
    }
}
