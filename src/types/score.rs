//! Scores of the search and the bands they live in.
//!
//! ```text
//!   -32000 .. mated        | -31000 .. rule loss |  ordinary  | rule win .. | mate .. 32000
//! ```
//!
//! A score is seen from the side to move. A mate is `MATE - plies`. A win by
//! the repetition rules that is not yet on the board lies in a band of its own
//! below the mates, so that it is never announced as one.

/// A score in hundredths of a pawn, from the view of the side to move.
pub type Score = i32;

/// The longest line the search follows, in plies.
pub const MAX_PLY: usize = 240;

/// Larger than any score.
pub const INFINITE: Score = 32_001;
/// Being mated on the spot.
pub const MATE: Score = 32_000;
/// The smallest mate score.
pub const MATE_BOUND: Score = MATE - MAX_PLY as Score;
/// Winning by the repetition rules on the spot.
pub const RULE_WIN: Score = 31_000;
/// The smallest rule win. Every score from here on decides the game.
pub const DECISIVE_BOUND: Score = RULE_WIN - MAX_PLY as Score;
/// Equal.
pub const DRAW: Score = 0;
/// The largest score an evaluation may return.
pub const EVAL_LIMIT: Score = 20_000;

/// The score of being mated `ply` plies from here.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The score of mating `ply` plies from here.
#[inline(always)]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Whether the score is a mate, given or received.
#[inline(always)]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND
}

/// Whether the score decides the game: a mate, or a win or loss by rule.
#[inline(always)]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= DECISIVE_BOUND
}

/// Whether the score is a proven loss.
#[inline(always)]
pub const fn is_loss(score: Score) -> bool {
    score <= -DECISIVE_BOUND
}

/// Whether the score is a proven win.
#[inline(always)]
pub const fn is_win(score: Score) -> bool {
    score >= DECISIVE_BOUND
}

/// For a mate score, the plies to the mate: positive when mating.
pub const fn mate_plies(score: Score) -> Option<i32> {
    if score >= MATE_BOUND {
        Some(MATE - score)
    } else if score <= -MATE_BOUND {
        Some(-MATE - score)
    } else {
        None
    }
}

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this (fail low).
    Upper,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score.
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_do_not_overlap() {
        const { assert!(EVAL_LIMIT < DECISIVE_BOUND) };
        const { assert!(RULE_WIN < MATE_BOUND) };
        assert!(is_mate(mated_in(MAX_PLY)) && is_loss(mated_in(3)));
        assert!(!is_mate(RULE_WIN) && is_win(RULE_WIN));
        assert_eq!(mate_plies(mate_in(5)), Some(5));
        assert_eq!(mate_plies(mated_in(4)), Some(-4));
        assert_eq!(mate_plies(RULE_WIN), None);
    }
}
