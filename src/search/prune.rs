//! When a node or a move is not worth searching: pure decisions.
//!
//! Margins compare a static evaluation with a bound. None of this holds while
//! the best score is a proven loss; the callers see to it.

use super::params::Params;
use crate::types::Score;
use crate::types::score::is_decisive;

/// What decides whether a whole node is pruned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: i32,
    /// The static evaluation, improved by the table.
    pub(super) eval: Score,
    /// How much it has been corrected: how unsure it is.
    pub(super) correction: Score,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    /// Whether the opponent's last move made things worse for the opponent.
    pub(super) worsening: bool,
    /// Whether the node is or was in a principal variation.
    pub(super) was_pv: bool,
    /// Whether a fail high is expected.
    pub(super) cut_node: bool,
    /// Whether the table knows the position.
    pub(super) table_hit: bool,
}

/// Reverse futility (static null move): the evaluation is so far above beta that
/// no reply matters. Unsound when a quiet threat exists that the evaluation does
/// not see, so only near the leaves. Returns the score to answer with.
#[inline]
pub(super) fn reverse_futility(p: &Params, node: &Outlook) -> Option<Score> {
    let Outlook {
        eval, beta, depth, ..
    } = *node;
    let per_ply = p.rfp_factor() - p.rfp_no_hit() * i32::from(!node.table_hit);
    let margin = per_ply * depth
        - p.rfp_improving() * i32::from(node.improving)
        - p.rfp_worsening() * i32::from(node.worsening)
        + node.correction;
    let prunes = !node.was_pv
        && !is_decisive(eval)
        && depth < p.rfp_limit()
        && eval >= beta
        && eval - margin >= beta;
    prunes.then_some((7 * beta + 3 * eval) / 10)
}

/// Razoring: the evaluation is so far below alpha that only a tactical stroke
/// could help, which quiescence will find.
#[inline]
pub(super) fn razors(p: &Params, node: &Outlook) -> bool {
    let depth = node.depth;
    node.eval < node.alpha - p.razor_base() - p.razor_factor() * depth * depth
}

/// Null move: the position is good enough to try passing. Unsound in zugzwang,
/// which hardly matters in xiangqi as long as a rook, horse or cannon is left.
#[inline]
pub(super) fn allows_null_move(p: &Params, node: &Outlook) -> bool {
    let threshold = node.beta + p.null_margin()
        - p.null_depth_factor() * node.depth
        - p.null_improving() * i32::from(node.improving);
    node.cut_node && node.depth >= 2 && node.eval >= threshold && node.eval >= node.beta
}

/// How much shallower the search after a null move is.
#[inline]
pub(super) fn null_move_reduction(p: &Params, node: &Outlook) -> i32 {
    let surplus = (node.eval - node.beta) / p.null_eval_divisor();
    p.null_base() + node.depth / p.null_divisor() + surplus.clamp(0, 3)
}

/// Late move (move-count) pruning: this many moves are enough.
#[inline]
pub(super) fn move_count_limit(p: &Params, depth: i32, improving: bool) -> usize {
    ((p.lmp_base() + depth * depth) / (2 - i32::from(improving))) as usize
}

/// Futility: a quiet move will not lift the evaluation to alpha.
#[inline]
pub(super) fn is_futile(p: &Params, node: &Outlook, reduced_depth: i32, history: i32) -> bool {
    reduced_depth < p.futility_limit()
        && node.eval
            + p.futility_base()
            + p.futility_factor() * reduced_depth
            + history / p.futility_history_divisor()
            <= node.alpha
}

/// Futility of a capture: not even the victim and what the depth may bring lift
/// the evaluation to alpha.
#[inline]
pub(super) fn is_futile_capture(
    p: &Params,
    node: &Outlook,
    reduced_depth: i32,
    victim: Score,
    history: i32,
) -> bool {
    reduced_depth < p.futility_capture_limit()
        && node.eval
            + p.futility_capture_base()
            + p.futility_capture_factor() * reduced_depth
            + victim
            + history / 8
            <= node.alpha
}

/// History pruning: the move has failed too often elsewhere.
#[inline]
pub(super) fn has_bad_history(p: &Params, history: i32, depth: i32) -> bool {
    depth <= p.history_prune_limit() && history < -p.history_prune_factor() * depth
}

/// What a quiet move may lose in exchange.
#[inline]
pub(super) fn quiet_loss_allowed(p: &Params, reduced_depth: i32) -> Score {
    -p.see_quiet_factor() * reduced_depth * reduced_depth
}

/// What a capture may lose in exchange.
#[inline]
pub(super) fn capture_loss_allowed(p: &Params, depth: i32, history: i32) -> Score {
    (-p.see_capture_factor() * depth - history / 32).min(0)
}
