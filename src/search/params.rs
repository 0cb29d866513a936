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
//! Rows marked `margin` are compared with evaluations and take them as they come
//! from the network: they are in its unit, and [`Params::unit`] is the one
//! place that fits them all to another network's. Exchange values have a unit of their
//! own.
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

macro_rules! in_unit {
    ($params:ident, $value:expr, margin) => {
        $value * $params.unit() / 100
    };
    ($params:ident, $value:expr) => {
        $value
    };
}

macro_rules! params {
    ($(
        $(#[$doc:meta])*
        $name:ident $(: $kind:ident)? = $value:literal in $lower:literal ..= $upper:literal;
    )*) => {
        /// The parameters of the search.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, Copy, Debug)]
        pub struct Params;

        /// The parameters of the search, changeable.
        #[cfg(feature = "tune")]
        #[derive(Clone, Copy, Debug)]
        pub struct Params { $($name: i32),* }

        impl Params {
            /// All rows.
            pub const TABLE: &'static [Param] = &[$(Param {
                name: stringify!($name),
                value: $value,
                lower: $lower,
                upper: $upper,
            }),*];
        }

        #[cfg(not(feature = "tune"))]
        impl Params {
            /// The values of normal builds.
            pub const DEFAULT: Self = Self;

            $($(#[$doc])* #[inline(always)]
            pub const fn $name(&self) -> i32 { in_unit!(self, $value $(, $kind)?) })*
        }

        #[cfg(feature = "tune")]
        impl Params {
            /// The values of normal builds.
            pub const DEFAULT: Self = Self { $($name: $value),* };

            $($(#[$doc])* #[inline(always)]
            pub const fn $name(&self) -> i32 { in_unit!(self, self.$name $(, $kind)?) })*

            /// Changes a parameter; says whether there is one of this name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

params! {
    /// The unit of the network's scores, in per cent of the one in which the margins
    /// below are written.
    unit = 100 in 50..=200;

    /// Aspiration: half the first window.
    aspiration_base: margin = 18 in 4..=60;
    /// Aspiration: growth of the window after a fail, in per cent.
    aspiration_factor = 40 in 10..=150;

    /// Reverse futility: deepest remaining depth.
    rfp_limit = 10 in 4..=16;
    /// Reverse futility: margin per ply.
    rfp_factor: margin = 72 in 20..=160;
    /// Reverse futility: margin per ply less where the table knows nothing.
    rfp_no_hit: margin = 16 in 0..=60;
    /// Reverse futility: margin less when improving.
    rfp_improving: margin = 60 in 0..=200;
    /// Reverse futility: margin less when the opponent's last move was bad.
    rfp_worsening: margin = 15 in 0..=80;

    /// Razoring: margin at any depth.
    razor_base: margin = 900 in 300..=1600;
    /// Razoring: margin per depth squared.
    razor_factor: margin = 170 in 50..=400;

    /// Null move: how far the static evaluation must be above beta.
    null_margin: margin = 71 in 0..=250;
    /// Null move: margin less per ply of depth.
    null_depth_factor: margin = 6 in 0..=30;
    /// Null move: margin less when improving.
    null_improving: margin = 30 in 0..=100;
    /// Null move: reduction at any depth.
    null_base = 4 in 2..=8;
    /// Null move: depth per further ply of reduction.
    null_divisor = 3 in 2..=6;
    /// Null move: evaluation above beta per further ply of reduction.
    null_eval_divisor: margin = 162 in 50..=500;

    /// Internal iterative reduction: smallest depth.
    iir_limit = 5 in 3..=9;

    /// ProbCut: smallest depth.
    probcut_limit = 4 in 3..=8;
    /// ProbCut: how far beta is raised.
    probcut_margin: margin = 186 in 60..=400;
    /// ProbCut: less when improving.
    probcut_improving: margin = 50 in 0..=150;
    /// Small ProbCut: how far the table must be above beta.
    small_probcut_margin: margin = 340 in 150..=800;

    /// Hindsight: how much the parent's move must have cost it.
    hindsight_margin: margin = 90 in 30..=400;

    /// Singular extension: smallest depth.
    singular_limit = 6 in 4..=10;
    /// Singular extension: margin per ply, in sixteenths.
    singular_margin: margin = 10 in 4..=60;
    /// Double extension: further margin.
    double_margin: margin = 14 in 0..=100;
    /// Triple extension: further margin.
    triple_margin: margin = 122 in 30..=400;
    /// Double and triple extension: further margin on the main line.
    double_pv: margin = 180 in 0..=500;

    /// Move-count pruning: moves at depth 0.
    lmp_base = 3 in 1..=10;
    /// Quiet futility: deepest reduced depth.
    futility_limit = 9 in 4..=14;
    /// Quiet futility: margin at depth 0.
    futility_base: margin = 99 in 20..=300;
    /// Quiet futility: margin per reduced ply.
    futility_factor: margin = 107 in 30..=200;
    /// Quiet futility: history that makes a point of margin.
    futility_history_divisor = 500 in 100..=4000;
    /// Capture futility: deepest reduced depth.
    futility_capture_limit = 8 in 4..=18;
    /// Capture futility: margin at depth 0.
    futility_capture_base: margin = 157 in 50..=500;
    /// Capture futility: margin per reduced ply.
    futility_capture_factor: margin = 239 in 80..=400;
    /// History pruning: smallest history sum per ply, negated.
    history_prune_factor = 2890 in 1000..=8000;
    /// History pruning: deepest depth.
    history_prune_limit = 6 in 2..=10;
    /// Exchange pruning of quiet moves: loss allowed per reduced ply squared.
    see_quiet_factor = 37 in 5..=80;
    /// Exchange pruning of captures: loss allowed per ply.
    see_capture_factor = 147 in 50..=350;

    /// Late move reductions of quiet moves: base, in 1/1024 ply.
    lmr_quiet_base = 1002 in 0..=2048;
    /// Late move reductions of quiet moves: share of ln depth ln number, in 1/1024.
    lmr_quiet_factor = 362 in 200..=800;
    /// Late move reductions of captures: base, in 1/1024 ply.
    lmr_capture_base = 266 in -512..=1536;
    /// Late move reductions of captures: share of ln depth ln number, in 1/1024.
    lmr_capture_factor = 284 in 100..=700;
    /// More reduction at a cut node, in 1/1024 ply.
    lmr_cut_node = 975 in 0..=3072;
    /// More at a cut node without a table move, in 1/1024 ply.
    lmr_no_table_move = 719 in 0..=2048;
    /// Less reduction where the table says or said PV, in 1/1024 ply.
    lmr_pv = 973 in 0..=3072;
    /// Less there if the table's score is above alpha, in 1/1024 ply.
    lmr_table_above = 700 in 0..=2048;
    /// Less there if the table has searched as deep, in 1/1024 ply.
    lmr_table_deep = 500 in 0..=2048;
    /// More reduction when not improving, in 1/1024 ply.
    lmr_not_improving = 643 in 0..=2048;
    /// Less reduction for checks and evasions, in 1/1024 ply.
    lmr_check = 1083 in 0..=2048;
    /// More reduction where the table's move captures, in 1/1024 ply.
    lmr_table_capture = 537 in 0..=2048;
    /// More reduction where the nodes below are cut off often, in 1/1024 ply.
    lmr_cut_offs = 625 in 0..=2048;
    /// Less reduction for the table's move, in 1/1024 ply.
    lmr_table_move = 1500 in 0..=3072;
    /// Less reduction per point of correction, in 1/1024 ply.
    lmr_correction = 6 in 0..=24;
    /// History of a quiet move that makes a ply of reduction.
    lmr_history_divisor = 9797 in 3000..=24000;
    /// History of a capture that makes a ply of reduction.
    lmr_capture_history_divisor = 8000 in 3000..=20000;
    /// Once a move has raised alpha the others of the node are searched so many plies
    /// shallower.
    alpha_raised = 2 in 0..=3;
    /// After a reduced search: a ply more if the score is this much above the best.
    deeper_margin: margin = 33 in 10..=150;
    /// After a reduced search: a ply less if the score is less than this above.
    shallower_margin: margin = 6 in 0..=40;

    /// Quiescence: what a capture may fall short of alpha.
    qs_margin: margin = 100 in 50..=400;
    /// Quiescence: loss in exchange that is always too much, negated.
    qs_see_margin = 41 in 0..=200;

    /// History: bonus per ply.
    history_factor = 166 in 50..=400;
    /// History: what is taken off the bonus.
    history_base = 90 in 0..=300;
    /// History: largest bonus.
    history_limit = 1700 in 500..=4000;
    /// History: malus per ply.
    malus_factor = 229 in 50..=900;
    /// History: what is taken off the malus.
    malus_base = 100 in 0..=300;
    /// History: largest malus.
    malus_limit = 1700 in 500..=4000;
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
