//! When a node or a move is not worth searching: pure decisions.
//!
//! Margins compare a static evaluation with a bound. None of this holds while
//! the best score is a proven loss; the callers see to it.

use super::params::Params;
use crate::types::Score;
use crate::types::score::is_decisive;

const P: Params = Params;

/// What decides whether a whole node is pruned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: i32,
    /// The static evaluation, improved by the table.
    pub(super) eval: Score,
    pub(super) improving: bool,
    /// Whether the node is or was in a principal variation.
    pub(super) was_pv: bool,
    /// Whether a fail high is expected.
    pub(super) cut_node: bool,
}

/// Reverse futility (static null move): the evaluation is so far above beta that
/// no reply matters. Unsound when a quiet threat exists that the evaluation does
/// not see, so only near the leaves. Returns the score to answer with.
#[inline]
pub(super) fn reverse_futility(node: Outlook) -> Option<Score> {
    let Outlook {
        eval, beta, depth, ..
    } = node;
    let margin = P.rfp_factor() * depth - P.rfp_improving() * i32::from(node.improving);
    let prunes =
        !node.was_pv && !is_decisive(eval) && depth < P.rfp_limit() && eval - margin >= beta;
    prunes.then_some((7 * beta + 3 * eval) / 10)
}

/// Razoring: the evaluation is so far below alpha that only a tactical stroke
/// could help, which quiescence will find.
#[inline]
pub(super) fn razors(node: Outlook) -> bool {
    let depth = node.depth;
    node.eval < node.alpha - P.razor_base() - P.razor_factor() * depth * depth
}

/// Null move: the position is good enough to try passing. Unsound in zugzwang,
/// which hardly matters in xiangqi as long as a rook, horse or cannon is left.
#[inline]
pub(super) fn allows_null_move(node: Outlook) -> bool {
    let threshold = node.beta + P.null_margin() - P.null_depth_factor() * node.depth;
    node.cut_node && node.depth >= 2 && node.eval >= threshold
}

/// How much shallower the search after a null move is.
#[inline]
pub(super) fn null_move_reduction(node: Outlook) -> i32 {
    let surplus = (node.eval - node.beta) / P.null_eval_divisor();
    P.null_base() + node.depth / P.null_divisor() + surplus.clamp(0, 3)
}

/// Late move (move-count) pruning: this many quiet moves are enough.
#[inline]
pub(super) fn move_count_limit(depth: i32, improving: bool) -> usize {
    ((P.lmp_base() + depth * depth) / (2 - i32::from(improving))) as usize
}

/// Futility: a quiet move will not lift the evaluation to alpha.
#[inline]
pub(super) fn is_futile(eval: Score, alpha: Score, reduced_depth: i32) -> bool {
    reduced_depth < P.futility_limit()
        && eval + P.futility_base() + P.futility_factor() * reduced_depth.max(0) <= alpha
}

/// History pruning: the move has failed too often elsewhere.
#[inline]
pub(super) fn has_bad_history(history: i32, depth: i32) -> bool {
    depth <= P.history_prune_limit() && history < -P.history_prune_factor() * depth
}

/// What a quiet move may lose in exchange.
#[inline]
pub(super) fn quiet_loss_allowed(reduced_depth: i32) -> Score {
    -P.see_quiet_factor() * reduced_depth.max(0) * reduced_depth.max(0)
}

/// What a capture may lose in exchange.
#[inline]
pub(super) fn capture_loss_allowed(depth: i32) -> Score {
    -P.see_capture_factor() * depth
}
