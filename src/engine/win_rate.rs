//! From a score to the chances of win, draw and loss.
//!
//! A logistic curve: the score at which a win is as likely as not, and how fast
//! the chance grows around it. The loss curve is its mirror image; what is left is
//! the draw. With few attackers on the board it takes a larger score to win. Shown
//! scores take their unit from the same games.
//!
//! The constants belong to the built-in network. `tests/scripts/fit_win_rate.py`
//! fits them to own games; the guide's chapter on tools tells how.

use crate::position::Position;
use crate::types::score::{is_loss, is_win};
use crate::types::{PieceType, Score};

/// The logarithm of the score at which half of the games are won: a parabola in
/// the share of the attackers that is left.
const LOG_EVEN_CHANCE: [f64; 3] = [6.335, -1.773, 0.466];
/// The scale of the curve.
const SCALE_CP: f64 = 103.1;

/// U, the score at which half of the games are won without regard to material.
const EVEN_CHANCE: Score = 301;
/// What is shown for it, whatever network is built in.
const SHOWN_EVEN_CHANCE: Score = 300;

/// The weight of all attackers at the start of a game.
const ALL_ATTACKERS: u32 = 16;

/// The weight of the attackers of both sides: a horse or a cannon counts 1, a
/// rook 2.
pub fn attackers(position: &Position) -> u32 {
    let count = |kind| position.men_of_kind(kind).len();
    2 * count(PieceType::Rook) + count(PieceType::Knight) + count(PieceType::Cannon)
}

/// An ordinary score as it is shown: at 300 half of the games are won, so that scores
/// mean the same from one built-in network to the next. Rounded; only 0 gives 0.
pub(super) fn normalised(score: Score) -> Score {
    let magnitude = score.abs();
    let shown = (magnitude * SHOWN_EVEN_CHANCE + EVEN_CHANCE / 2) / EVEN_CHANCE;
    shown.max(magnitude.min(1)) * score.signum()
}

/// Win, draw and loss in per mille with attackers of this weight; their sum is
/// 1000.
pub fn win_draw_loss(score: Score, attackers: u32) -> [u32; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let even = even_chance_cp(attackers);
    let win = win_per_mille(score, even);
    let loss = win_per_mille(-score, even);
    [win, 1000 - win - loss, loss]
}

fn even_chance_cp(attackers: u32) -> f64 {
    let share = f64::from(attackers.min(ALL_ATTACKERS)) / f64::from(ALL_ATTACKERS);
    let [constant, line, parabola] = LOG_EVEN_CHANCE;
    (constant + line * share + parabola * share * share).exp()
}

/// Rounded down: two halves must not become more than a whole.
fn win_per_mille(score: Score, even_chance_cp: f64) -> u32 {
    let share = 1.0 / (1.0 + ((even_chance_cp - f64::from(score)) / SCALE_CP).exp());
    (share * 1000.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{EVAL_LIMIT, mate_in, mated_in};

    #[test]
    fn shares_sum_to_a_thousand_and_grow_with_the_score() {
        for attackers in 0..=40 {
            let mut last = 0;
            for score in (-20_000..=20_000).step_by(7) {
                let [win, draw, loss] = win_draw_loss(score, attackers);
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert!(win >= last && win <= 1000);
                last = win;
                assert_eq!(win_draw_loss(-score, attackers), [loss, draw, win]);
            }
        }
        assert_eq!(win_draw_loss(mate_in(5), 3), [1000, 0, 0]);
        assert_eq!(win_draw_loss(mated_in(5), 3), [0, 0, 1000]);
    }

    #[test]
    fn half_of_the_games_are_won_at_the_even_chance_and_it_falls_with_attackers() {
        let mut last = f64::INFINITY;
        for attackers in 0..=ALL_ATTACKERS {
            let even = even_chance_cp(attackers);
            assert!(even < last && even > 50.0, "{attackers}: {even}");
            last = even;
            let [win, ..] = win_draw_loss(even.round() as Score, attackers);
            assert!((497..=503).contains(&win), "{attackers}: {win}");
        }
    }

    #[test]
    fn shown_scores_grow_with_the_score_and_show_the_even_chance() {
        assert_eq!(normalised(0), 0);
        assert_eq!(normalised(EVEN_CHANCE), SHOWN_EVEN_CHANCE);
        for score in 1..=EVAL_LIMIT {
            assert!(normalised(score) >= normalised(score - 1).max(1), "{score}");
            assert_eq!(normalised(-score), -normalised(score));
        }
    }

    #[test]
    fn attackers_are_weighed() {
        assert_eq!(attackers(&Position::start()), ALL_ATTACKERS);
        let few = Position::from_fen("3k5/4a4/9/9/9/9/4P4/9/4A4/R3K1N2 w").unwrap();
        assert_eq!(attackers(&few), 3);
    }
}
