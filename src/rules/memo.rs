//! Remembers which plies strike, because a search meets the same cycles over and
//! over: iteration after iteration, and along every way into them.
//!
//! Whether a ply is a chase or a threat depends on the positions before and after
//! it and on the rules alone, so a stored answer is as exact as a fresh one. The
//! slots are atomics for one reason: a verdict is asked of a shared `Game`.

use crate::position::Position;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many answers are kept; a power of two.
const SIZE: usize = 1024;

/// A table of answers by ply; a new one overwrites an old one in its slot.
///
/// ```text
/// bit 63 .. 2 | 1       | 0
///      key    | strikes | known
/// ```
pub(super) struct StrikeMemo(Box<[AtomicU64]>);

impl StrikeMemo {
    const KNOWN: u64 = 1;
    const STRIKES: u64 = 2;
    const FLAGS: u64 = 3;

    pub(super) fn new() -> Self {
        Self((0..SIZE).map(|_| AtomicU64::new(0)).collect())
    }

    /// The name of a ply. `variant` tells apart different questions about it.
    pub(super) fn key(before: &Position, after: &Position, variant: bool) -> u64 {
        let key = before.key().rotate_left(23) ^ after.key();
        if variant { !key } else { key }
    }

    /// Whether the ply of this key strikes, if it is known.
    pub(super) fn get(&self, key: u64) -> Option<bool> {
        let word = self.slot(key).load(Ordering::Relaxed);
        let is_same = (word ^ key) & !Self::FLAGS == 0;
        (is_same && word & Self::KNOWN != 0).then_some(word & Self::STRIKES != 0)
    }

    /// Stores an answer, and returns it.
    pub(super) fn put(&self, key: u64, strikes: bool) -> bool {
        let flag = if strikes { Self::STRIKES } else { 0 };
        let word = key & !Self::FLAGS | Self::KNOWN | flag;
        self.slot(key).store(word, Ordering::Relaxed);
        strikes
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % SIZE]
    }
}

/// A copy starts empty: it is a cache, and the copy goes its own way.
impl Clone for StrikeMemo {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl fmt::Debug for StrikeMemo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StrikeMemo")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_apart_by_key() {
        let memo = StrikeMemo::new();
        let (a, b) = (0x1234_5678_9abc_def0, 0x1234_5678_9abc_def4);
        assert_eq!(memo.get(a), None);
        memo.put(a, false);
        assert_eq!((memo.get(a), memo.get(b)), (Some(false), None));
        memo.put(b, true);
        assert_eq!((memo.get(a), memo.get(b)), (None, Some(true)));
        assert_eq!(memo.clone().get(b), None);
    }
}
