//! When to offer or accept a draw, and when to give up.

use super::event::Offer;
use super::settings::Settings;
use crate::position::Position;
use crate::types::{PieceType, Score};

/// A draw is accepted when the score is at most this far from zero.
const DRAW_SCORE_CP: Score = 20;
/// A game is given up after this many scores in a row at or below the bound.
const RESIGN_SCORE_CP: Score = -1_500;
const RESIGN_AFTER: u32 = 3;

/// What speaks for a draw besides the score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawish {
    /// The opponent has offered one.
    pub(super) offered: bool,
    /// No man is left that could win the game.
    pub(super) nobody_can_win: bool,
}

/// What was seen of the game so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Offers {
    hopeless_scores: u32,
}

impl Offers {
    /// What to add to a move with this score.
    pub(super) fn decide(
        &mut self,
        score: Score,
        drawish: Drawish,
        settings: &Settings,
    ) -> Option<Offer> {
        if score <= RESIGN_SCORE_CP {
            self.hopeless_scores += 1;
        } else {
            self.hopeless_scores = 0;
        }
        if settings.resigns && self.hopeless_scores >= RESIGN_AFTER {
            return Some(Offer::Resign);
        }
        let even = score.abs() <= DRAW_SCORE_CP;
        let draw = drawish.offered && even || drawish.nobody_can_win;
        (settings.offers_draws && draw).then_some(Offer::Draw)
    }
}

/// Whether only kings and defenders are left.
pub(super) fn nobody_can_win(position: &Position) -> bool {
    [
        PieceType::Rook,
        PieceType::Knight,
        PieceType::Cannon,
        PieceType::Pawn,
    ]
    .into_iter()
    .all(|kind| position.men_of_kind(kind).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYABLE: Drawish = Drawish {
        offered: false,
        nobody_can_win: false,
    };

    #[test]
    fn nothing_is_offered_unless_switched_on() {
        let settings = Settings::default();
        let mut offers = Offers::default();
        let drawish = Drawish {
            offered: true,
            nobody_can_win: true,
        };
        for score in [0, -5_000, -5_000, -5_000, -5_000] {
            assert_eq!(offers.decide(score, drawish, &settings), None);
        }
    }

    #[test]
    fn draws_need_an_offer_and_an_even_score_or_a_dead_position() {
        let settings = Settings {
            offers_draws: true,
            ..Settings::default()
        };
        let mut offers = Offers::default();
        let offered = Drawish {
            offered: true,
            ..PLAYABLE
        };
        assert_eq!(offers.decide(0, PLAYABLE, &settings), None);
        assert_eq!(offers.decide(-10, offered, &settings), Some(Offer::Draw));
        assert_eq!(offers.decide(200, offered, &settings), None);
        let dead = Position::from_fen("3k5/4a4/9/9/9/9/9/9/4A4/4K4 w").unwrap();
        assert!(nobody_can_win(&dead) && !nobody_can_win(&Position::start()));
    }

    #[test]
    fn giving_up_takes_three_hopeless_scores_in_a_row() {
        let settings = Settings {
            resigns: true,
            ..Settings::default()
        };
        let mut offers = Offers::default();
        for (score, offer) in [
            (-2_000, None),
            (-2_000, None),
            (-100, None),
            (-2_000, None),
            (-2_000, None),
            (-31_990, Some(Offer::Resign)),
        ] {
            assert_eq!(offers.decide(score, PLAYABLE, &settings), offer);
        }
    }
}
