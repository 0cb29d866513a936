//! How a client wants the engine to play, beyond what it may spend.

use crate::types::Score;

/// How much is pruned. Less pruning sees more of each ply and fewer plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Nothing but what alpha-beta and reductions leave out.
    None,
    /// Null moves only.
    Small,
    /// Whole nodes, too, but no single moves.
    Medium,
    /// Everything: the strongest.
    #[default]
    Full,
}

/// The temper of a search. The default is the strongest play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Temper {
    /// How much is pruned.
    pub pruning: Pruning,
    /// What a draw is worth less than nothing to the side to move at the root, in
    /// hundredths of a pawn; negative: it likes draws.
    pub contempt: Score,
}
