//! From a score to the chances of win, draw and loss.
//!
//! A logistic curve with two constants: the score at which a win is as likely
//! as not, and how fast the chance grows around it. The loss curve is its
//! mirror image; what is left is the draw.

use crate::types::Score;
use crate::types::score::{is_loss, is_win};

/// The score at which half of the games are won.
const EVEN_CHANCE_CP: f64 = 300.0;
/// The scale of the curve.
const SCALE_CP: f64 = 120.0;

/// Win, draw and loss in per mille; their sum is 1000.
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let win = win_per_mille(score);
    let loss = win_per_mille(-score);
    [win, 1000 - win - loss, loss]
}

fn win_per_mille(score: Score) -> u32 {
    let share = 1.0 / (1.0 + ((EVEN_CHANCE_CP - f64::from(score)) / SCALE_CP).exp());
    (share * 1000.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    #[test]
    fn shares_sum_to_a_thousand_and_grow_with_the_score() {
        let mut last = 0;
        for score in -20_000..=20_000 {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert!(win >= last);
            last = win;
            assert_eq!(win_draw_loss(-score), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(300)[0], 500);
        assert_eq!(win_draw_loss(mate_in(5)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(mated_in(5)), [0, 0, 1000]);
    }
}
