//! Late move reductions: moves that come late in a good order are rarely best,
//! so they are searched shallower first and again deeper if they surprise
//! (Chess Programming Wiki, "Late Move Reductions").

use super::params::Params;
use crate::types::Score;

/// 1024 ln(n), rounded, for n below 64: integers, so that the node count is the
/// same everywhere.
const LN: [i32; 64] = ln_table();

/// ln by the series of ln(n / (n - 1)) = 2 artanh(1 / (2n - 1)), added up.
const fn ln_table() -> [i32; 64] {
    let mut table = [0; 64];
    let mut scaled: i64 = 0; // ln(n) << 30
    let mut n: i64 = 2;
    while n < 64 {
        let x: i64 = (1 << 30) / (2 * n - 1);
        let square = (x * x) >> 30;
        let mut power = x;
        let mut k = 1;
        while k < 20 {
            scaled += 2 * power / k;
            power = (power * square) >> 30;
            k += 2;
        }
        table[n as usize] = ((scaled + (1 << 19)) >> 20) as i32;
        n += 1;
    }
    table
}

const fn ln(n: i32) -> i32 {
    LN[if n > 63 { 63 } else { n as usize }]
}

/// What speaks for and against a move when its reduction is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// Remaining depth of the node.
    pub(super) depth: i32,
    /// The move's number, from 1.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    pub(super) is_table_move: bool,
    /// Whether the node is expected to fail high.
    pub(super) cut_node: bool,
    /// Whether the node is or was in a principal variation.
    pub(super) was_pv: bool,
    /// Whether the table's score is above alpha.
    pub(super) table_above: bool,
    /// Whether the table has searched as deep.
    pub(super) table_deep: bool,
    pub(super) improving: bool,
    /// Whether the move gives check or answers one.
    pub(super) in_checks: bool,
    /// Whether the table knows no move here.
    pub(super) no_table_move: bool,
    pub(super) table_move_captures: bool,
    /// How often the nodes below have been cut off: then most moves are bad.
    pub(super) cut_offs: u32,
    /// How unsure the static evaluation is.
    pub(super) correction: Score,
    /// The move's history sum.
    pub(super) history: i32,
}

/// By how much the move is searched shallower, in 1/1024 ply; may be negative.
#[inline]
pub(super) fn reduction(p: &Params, f: Features) -> i32 {
    let product = ln(f.depth) * ln(f.number as i32) / 1024;
    let (mut r, divisor) = if f.is_quiet {
        let base = p.lmr_quiet_base() + product * p.lmr_quiet_factor() / 1024;
        (base, p.lmr_history_divisor())
    } else {
        let base = p.lmr_capture_base() + product * p.lmr_capture_factor() / 1024;
        (base, p.lmr_capture_history_divisor())
    };
    if f.cut_node {
        r += p.lmr_cut_node() + p.lmr_no_table_move() * i32::from(f.no_table_move);
    }
    if f.was_pv {
        r -= p.lmr_pv()
            + p.lmr_table_above() * i32::from(f.table_above)
            + p.lmr_table_deep() * i32::from(f.table_deep);
    }
    r += p.lmr_not_improving() * i32::from(!f.improving);
    r -= p.lmr_check() * i32::from(f.in_checks);
    r += p.lmr_table_capture() * i32::from(f.table_move_captures);
    r += p.lmr_cut_offs() * i32::from(f.cut_offs > 2);
    r -= p.lmr_table_move() * i32::from(f.is_table_move);
    r -= p.lmr_correction() * f.correction;
    r - f.history * 1024 / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one() {
        for n in 1..64 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln(n)) - exact).abs() < 1.0, "{n}");
        }
    }

    #[test]
    fn later_and_worse_moves_are_reduced_more() {
        let base = Features {
            depth: 10,
            number: 4,
            is_quiet: true,
            is_table_move: false,
            cut_node: false,
            was_pv: false,
            table_above: false,
            table_deep: false,
            improving: true,
            in_checks: false,
            no_table_move: false,
            table_move_captures: false,
            cut_offs: 0,
            correction: 0,
            history: 0,
        };
        let reduction = |features| reduction(&Params::DEFAULT, features);
        let r = reduction(base);
        assert!(reduction(Features { number: 30, ..base }) > r);
        assert!(
            reduction(Features {
                history: 20_000,
                ..base
            }) < r
        );
        assert!(
            reduction(Features {
                was_pv: true,
                ..base
            }) <= r
        );
    }
}
