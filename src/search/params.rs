//! The parameter table of the search: every number that a match could tune.
//!
//! Scores are in hundredths of a pawn of the evaluation (`400 * logit` of the
//! expected result), depths in plies. Words:
//!
//! - *margin*: a score that one side must be ahead by;
//! - *factor*: multiplied with depth or another quantity;
//! - *base*: the part that does not grow;
//! - *limit*: a bound beyond which the technique is off;
//! - *divisor*: what a history value is divided by.
//!
//! Each row is a method of [`Params`] that returns a constant, so that a tuning
//! build can turn the same names into fields without touching their users.

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value in normal builds.
    pub value: i32,
    /// The smallest value a tuner may try.
    pub lower: i32,
    /// The largest.
    pub upper: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $lower:literal ..= $upper:literal;)*) => {
        /// The parameters of the search.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Params;

        impl Params {
            /// All rows.
            pub const TABLE: &'static [Param] = &[$(Param {
                name: stringify!($name),
                value: $value,
                lower: $lower,
                upper: $upper,
            }),*];

            $($(#[$doc])* #[inline(always)]
            pub const fn $name(self) -> i32 { $value })*
        }
    };
}

params! {
    /// Aspiration: half the first window.
    aspiration_base = 14 in 4..=60;
    /// Aspiration: growth of the window after a fail, in per cent.
    aspiration_factor = 40 in 10..=150;

    /// Reverse futility: deepest remaining depth.
    rfp_limit = 9 in 4..=16;
    /// Reverse futility: margin per ply.
    rfp_factor = 75 in 20..=160;
    /// Reverse futility: margin less when improving.
    rfp_improving = 60 in 0..=160;

    /// Razoring: margin at any depth.
    razor_base = 900 in 300..=1600;
    /// Razoring: margin per depth squared.
    razor_factor = 170 in 50..=400;

    /// Null move: how far the static evaluation must be above beta.
    null_margin = 60 in 0..=250;
    /// Null move: margin less per ply of depth.
    null_depth_factor = 6 in 0..=30;
    /// Null move: reduction at any depth.
    null_base = 4 in 2..=7;
    /// Null move: depth per further ply of reduction.
    null_divisor = 3 in 2..=6;
    /// Null move: evaluation above beta per further ply of reduction.
    null_eval_divisor = 150 in 50..=500;

    /// Internal iterative reduction: smallest depth.
    iir_limit = 5 in 3..=9;

    /// Move-count pruning: moves at depth 0.
    lmp_base = 4 in 1..=10;
    /// Quiet futility: deepest reduced depth.
    futility_limit = 9 in 4..=14;
    /// Quiet futility: margin at depth 0.
    futility_base = 100 in 20..=300;
    /// Quiet futility: margin per reduced ply.
    futility_factor = 90 in 30..=200;
    /// History pruning: smallest history sum per ply, negated.
    history_prune_factor = 3500 in 1000..=8000;
    /// History pruning: deepest depth.
    history_prune_limit = 6 in 2..=10;
    /// Exchange pruning of quiet moves: loss allowed per reduced ply squared.
    see_quiet_factor = 24 in 5..=80;
    /// Exchange pruning of captures: loss allowed per ply.
    see_capture_factor = 150 in 50..=350;

    /// Late move reductions of quiet moves: base, in 1/1024 ply.
    lmr_quiet_base = 820 in 0..=2048;
    /// Late move reductions of quiet moves: share of ln depth ln number, in 1/1024.
    lmr_quiet_factor = 445 in 200..=800;
    /// Late move reductions of captures: base, in 1/1024 ply.
    lmr_capture_base = 205 in -512..=1536;
    /// Late move reductions of captures: share of ln depth ln number, in 1/1024.
    lmr_capture_factor = 310 in 100..=700;
    /// More reduction at a cut node, in 1/1024 ply.
    lmr_cut_node = 1200 in 0..=3072;
    /// Less reduction where the table says or said PV, in 1/1024 ply.
    lmr_pv = 1000 in 0..=3072;
    /// More reduction when not improving, in 1/1024 ply.
    lmr_not_improving = 700 in 0..=2048;
    /// Less reduction for checks and evasions, in 1/1024 ply.
    lmr_check = 1000 in 0..=2048;
    /// History that makes a ply of reduction.
    lmr_history_divisor = 9000 in 3000..=20000;

    /// Quiescence: what a capture may fall short of alpha.
    qs_margin = 150 in 50..=400;
    /// Quiescence: loss in exchange that is always too much, negated.
    qs_see_margin = 60 in 0..=200;

    /// History: bonus per ply.
    history_factor = 170 in 50..=400;
    /// History: what is taken off the bonus.
    history_base = 90 in 0..=300;
    /// History: largest bonus.
    history_limit = 1700 in 500..=4000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges() {
        for row in Params::TABLE {
            assert!((row.lower..=row.upper).contains(&row.value), "{}", row.name);
        }
    }
}
