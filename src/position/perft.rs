//! Perft: the number of legal move sequences of a given length (Chess
//! Programming Wiki, "Perft"), with bulk counting at the last ply.
//!
//! Counting is nearly all popcounts, which a baseline x86-64 processor must do
//! in a dozen instructions. So the recursion exists twice, once allowed to use
//! POPCNT, and [`Level::detect`] picks one at the entry. The figures that argue
//! for the one `unsafe` here are in the guide's board chapter.

#![allow(unsafe_code)]

use super::Position;

/// Which instructions the counting may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every processor of the target has.
    Baseline,
    /// x86-64 with POPCNT.
    #[cfg(target_arch = "x86_64")]
    Popcnt(PopcntToken),
}

/// Proof that this processor has POPCNT: only [`Level::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PopcntToken(());

impl Level {
    /// The best level of this processor.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            return Self::Popcnt(PopcntToken(()));
        }
        Self::Baseline
    }
}

/// Counts the legal move sequences of this length.
pub fn perft(position: &mut Position, depth: u32, level: Level) -> u64 {
    if depth == 0 {
        return 1;
    }
    match level {
        Level::Baseline => perft_baseline(position, depth),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token exists only after the feature was detected.
        Level::Popcnt(_) => unsafe { perft_popcnt(position, depth) },
    }
}

fn perft_baseline(position: &mut Position, depth: u32) -> u64 {
    body(position, depth, &|position, depth| {
        perft_baseline(position, depth)
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn perft_popcnt(position: &mut Position, depth: u32) -> u64 {
    body(position, depth, &|position, depth| {
        perft_popcnt(position, depth)
    })
}

/// The recursion of every level. Inlining into a function with a target feature
/// is what makes the feature available here and below.
#[inline(always)]
fn body(position: &mut Position, depth: u32, recurse: &impl Fn(&mut Position, u32) -> u64) -> u64 {
    if depth == 1 {
        return u64::from(position.count_legal());
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        nodes += recurse(position, depth - 1);
        position.unmake(&undo);
    }
    nodes
}
