//! What comes out of the engine: thinking lines, best moves, text.
//!
//! Plain data. How a line of it looks is the business of `protocol`.

use super::win_rate::normalised;
use crate::types::score::{DECISIVE_BOUND, RULE_WIN, is_decisive, mate_plies};
use crate::types::{Bound, Move, Score};

/// Ordinary scores are shown up to here. A win by rule that is not yet on the
/// board is shown above, up to [`RULE_WIN_CP`], and mates lie beyond both.
pub const MAX_CP: i32 = 9_000;

/// How a win by the repetition rules on the spot is shown.
pub const RULE_WIN_CP: i32 = 9_500;

/// A score as it is shown, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownScore {
    /// Hundredths of a pawn, at most [`RULE_WIN_CP`] either way.
    Cp(i32),
    /// Plies to the mate: positive when mating, zero or negative when mated.
    Mate(i32),
}

impl From<Score> for ShownScore {
    fn from(score: Score) -> Self {
        if let Some(plies) = mate_plies(score) {
            return Self::Mate(plies);
        }
        if is_decisive(score) {
            let plies = RULE_WIN - score.abs();
            debug_assert!(plies <= RULE_WIN - DECISIVE_BOUND);
            return Self::Cp((RULE_WIN_CP - plies) * score.signum());
        }
        Self::Cp(normalised(score).clamp(-MAX_CP, MAX_CP))
    }
}

/// One thinking line. Every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: Option<u32>,
    /// The deepest ply reached.
    pub selective_depth: Option<u32>,
    /// 1 for the best line, 2 for the second best and so on.
    pub rank: Option<usize>,
    /// The score.
    pub score: Option<ShownScore>,
    /// [`Bound::Lower`] or [`Bound::Upper`] if the score is not exact.
    pub bound: Option<Bound>,
    /// Win, draw and loss in per mille.
    pub wdl: Option<[u32; 3]>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched per second.
    pub nodes_per_second: Option<u64>,
    /// How full the hash table is, in per mille.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// Milliseconds since the search was asked for.
    pub time_ms: Option<u64>,
    /// The root move being searched.
    pub current_move: Option<Move>,
    /// Its place in the order, from 1.
    pub current_number: Option<usize>,
    /// The line of play.
    pub pv: Vec<Move>,
    /// Words for people; nothing else is set then.
    pub message: Option<String>,
}

impl Info {
    /// A line for people.
    pub fn message(text: impl Into<String>) -> Self {
        Self {
            message: Some(text.into()),
            ..Self::default()
        }
    }

    /// Whether the score, if there is one, is exact.
    pub fn is_exact(&self) -> bool {
        self.bound.is_none()
    }
}

/// What a reply may say besides the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Offers a draw, or accepts one.
    Draw,
    /// Gives the game up.
    Resign,
}

/// The answer to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play.
    pub mv: Move,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// Offer or resignation.
    pub offer: Option<Offer>,
}

/// Why a search ends without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// There is no legal one: mate or stalemate, lost both.
    Lost,
    /// Only the static score was asked for.
    DepthZero,
}

/// Something to tell the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A thinking line or a message.
    Info(Info),
    /// A search has ended with this move.
    BestMove(BestMove),
    /// A search has ended without a move.
    NoMove(NoMove),
    /// A line of text that was asked for on the console.
    Line(String),
}

impl Output {
    /// A message for people.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Info(Info::message(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    #[test]
    fn shown_scores_keep_their_order_and_their_kind() {
        assert_eq!(ShownScore::from(35), ShownScore::Cp(35));
        assert_eq!(ShownScore::from(mate_in(3)), ShownScore::Mate(3));
        assert_eq!(ShownScore::from(mated_in(0)), ShownScore::Mate(0));
        assert_eq!(ShownScore::from(mated_in(2)), ShownScore::Mate(-2));
        assert_eq!(ShownScore::from(20_000), ShownScore::Cp(MAX_CP));
        assert_eq!(ShownScore::from(RULE_WIN - 4), ShownScore::Cp(9_496));
        assert_eq!(ShownScore::from(4 - RULE_WIN), ShownScore::Cp(-9_496));
    }
}
