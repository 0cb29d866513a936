//! The training record: a position to learn from in 32 bytes, and which
//! positions of a game become one.
//!
//! ```text
//! bytes 0-27   occupied squares and men as in the game file
//!      28-29   i16 score for the side to move
//!      30      result for the side to move: 0 loss, 1 draw, 2 win
//!      31      side to move: 0 Red, 1 Black
//! ```

use crate::position::{Legality, Position};
use crate::tools::arena::stats::GameResult;
use crate::tools::datagen::game_file::{self, START_BYTES, SelfPlayGame};
use crate::types::{Color, Move};
use thiserror::Error;

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The packed position; byte 31 is the side to move.
    pub packed: [u8; START_BYTES],
}

impl Sample {
    fn new(position: &Position, score: i16, result: GameResult) -> Self {
        let mut packed = [0; START_BYTES];
        packed[..28].copy_from_slice(&game_file::pack_position(position));
        packed[28..30].copy_from_slice(&score.to_le_bytes());
        let side = position.side_to_move();
        let result = if side == Color::Red {
            result
        } else {
            result.reversed()
        };
        packed[30] = result.half_points() as u8;
        packed[31] = side.index() as u8;
        Self { packed }
    }

    /// The score of the search for the side to move.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.packed[28], self.packed[29]])
    }

    /// What the game ended with for the side to move: 0, 1/2 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.packed[30]) / 2.0
    }

    /// How many men stand on the board.
    pub fn men(&self) -> u32 {
        self.packed[..12].iter().map(|byte| byte.count_ones()).sum()
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        if self.packed[31] & 1 == 0 {
            Color::Red
        } else {
            Color::Black
        }
    }
}

/// Which positions are left out besides those in check and those whose best
/// move is a capture, and what the others are labelled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Scores beyond this.
    pub max_score: i16,
    /// Copies of a position beyond this many.
    pub max_copies: u32,
    /// Positions whose best move gives check.
    pub no_checks: bool,
    /// Share in per cent that the label of the next position has in a label; the
    /// rest is the position's own score.
    pub foresight_percent: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            max_score: 2_500,
            max_copies: 3,
            no_checks: false,
            foresight_percent: 0,
        }
    }
}

/// The scale between scores and expected results.
pub const SCALE: f32 = 400.0;

/// What the positions of a game are labelled with: their scores, mixed with what
/// the searches of the moves after them found. A search of few nodes is a noisy
/// witness; those that came later saw the same line from further ahead. Mixed are
/// expected results, each label with a share of the next one (temporal
/// differences with lambda: Sutton 1988).
fn labels(game: &SelfPlayGame, foresight_percent: u32) -> Vec<i16> {
    let mut labels: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
    let share = foresight_percent as f32 / 100.0;
    let expected = |score: i16| 1.0 / (1.0 + (-f32::from(score) / SCALE).exp());
    let mut next: Option<f32> = None;
    for label in labels.iter_mut().rev().filter(|_| share > 0.0) {
        let own = expected(*label);
        let mixed = next.map_or(own, |next| (1.0 - share) * own + share * (1.0 - next));
        next = Some(mixed);
        let score = (SCALE * (mixed / (1.0 - mixed)).ln()).round();
        *label = score.clamp(-20_000.0, 20_000.0) as i16;
    }
    labels
}

/// A game that goes on with a move that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("ply {ply} is the illegal move {mv}")]
pub struct IllegalMove {
    /// Plies before it.
    pub ply: usize,
    /// The move.
    pub mv: Move,
}

/// Whether a position with this best move says something about evaluation: it is
/// not in check, and no capture is due.
pub fn is_quiet(position: &Position, legality: &Legality, mv: Move) -> bool {
    !legality.in_check() && position.piece_on(mv.to()).is_none()
}

/// Hands over each position of a game with its Zobrist key, as far as the
/// filter leaves it in; copies are for the receiver to count.
///
/// # Errors
/// At an illegal move; the positions before it have been handed over.
pub fn positions(
    game: &SelfPlayGame,
    filter: Filter,
    receive: &mut impl FnMut(u64, Sample),
) -> Result<(), IllegalMove> {
    let mut position = game.start.clone();
    let labels = labels(game, filter.foresight_percent);
    for (number, (ply, label)) in game.plies.iter().zip(labels).enumerate() {
        let legality = position.legality();
        if !position.is_legal(ply.mv, &legality) {
            return Err(IllegalMove {
                ply: number,
                mv: ply.mv,
            });
        }
        let is_kept = is_quiet(&position, &legality, ply.mv)
            && ply.score.unsigned_abs() <= filter.max_score.unsigned_abs()
            && !(filter.no_checks && position.gives_check(ply.mv));
        if is_kept {
            let sample = Sample::new(&position, label, game.result);
            receive(position.key(), sample);
        }
        position.make(ply.mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::datagen::game_file::ScoredMove;

    #[test]
    fn captures_checks_and_won_positions_are_left_out() {
        let ply = |text: &str, score| ScoredMove {
            mv: text.parse().unwrap(),
            score,
        };
        let mut game = SelfPlayGame {
            start: Position::from_fen("3k5/9/9/9/9/9/9/9/p8/R4K3 w").unwrap(),
            result: GameResult::Win,
            plies: vec![
                ply("a0a1", 10), // a capture
                ply("d9d8", -20),
                ply("a1a8", 7), // a check
                ply("d8d7", 6), // out of check
                ply("f0f1", 2_501),
                ply("d7e7", 5),
            ],
        };
        let kept = |filter| {
            let mut kept = Vec::new();
            positions(&game, filter, &mut |_, sample: Sample| {
                kept.push((sample.score(), sample.result(), sample.side()));
            })
            .unwrap();
            kept
        };
        let [first, check, last] = [
            (-20, 0.0, Color::Black),
            (7, 1.0, Color::Red),
            (5, 0.0, Color::Black),
        ];
        assert_eq!(kept(Filter::default()), [first, check, last]);
        let no_checks = Filter {
            no_checks: true,
            ..Filter::default()
        };
        assert_eq!(kept(no_checks), [first, last]);
        let mixed = Filter {
            foresight_percent: 50,
            ..Filter::default()
        };
        // From the end: 5; 2501 and -5; 6 and what that makes; ...
        let expected = |score: f32| 1.0 / (1.0 + (-score / SCALE).exp());
        let mut label = expected(5.0);
        for score in [2_501.0, 6.0, 7.0] {
            label = (expected(score) + 1.0 - label) / 2.0;
        }
        let score = SCALE * (label / (1.0 - label)).ln();
        let [_, seventh, last_too] = kept(mixed)[..] else {
            panic!("the same positions are kept")
        };
        assert!((f32::from(seventh.0) - score).abs() <= 1.0, "{seventh:?}");
        assert_eq!(last_too, last);
        game.plies.push(ply("a0a9", 0));
        let fault = positions(&game, Filter::default(), &mut |_, _| {}).unwrap_err();
        assert_eq!(fault.to_string(), "ply 6 is the illegal move a0a9");
    }
}
