//! The transposition table: what is known about positions already searched,
//! shared by all threads without locks.
//!
//! Three entries share an aligned cluster of 32 bytes, four atomic words:
//!
//! ```text
//!   word 0..2   one entry each:
//!     bit 63    the position was once part of a principal variation
//!     61..62    bound: 0 empty, 1 upper, 2 lower, 3 exact
//!     56..60    generation
//!     48..55    depth
//!     32..47    static evaluation          (signed)
//!     16..31    score                      (signed)
//!      0..15    move
//!   word 3      48..63 unused, then three checks of 16 bits
//! ```
//!
//! A check is the low 16 bits of the key xored with the four 16-bit parts of the
//! entry. A reader that catches two words of different writers therefore sees a
//! foreign entry, not a torn one. At 16 bits foreign entries do slip through:
//! users test moves for legality.

use super::huge_pages;
use crate::position::Position;
use crate::rules::Game;
use crate::types::score::{MATE_BOUND, is_decisive, is_mate};
use crate::types::{Bound, Move, Score, scramble};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use thiserror::Error;

const WORDS_PER_CLUSTER: usize = 4;
const ENTRIES_PER_CLUSTER: usize = 3;
const CLUSTER_BYTES: usize = 32;
const WORDS_PER_LINE: usize = 8;
const GENERATIONS: u8 = 32;

/// The depth of an entry that holds a static evaluation only.
pub(super) const UNSEARCHED: i32 = -2;
const DEPTH_OFFSET: i32 = 3;

/// The memory for a hash table of this size cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate a hash table of {0} MB")]
pub struct HashSizeError(pub usize);

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move found; it may be foreign, so test it.
    pub best: Option<Move>,
    /// The score, seen from the side to move and, for mates, from the root of
    /// the search that asks.
    pub score: Score,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// What kind of score.
    pub bound: Bound,
    /// How deep it was searched.
    pub depth: i32,
    /// Whether the position was once part of a principal variation.
    pub was_pv: bool,
}

impl TableEntry {
    /// Whether the score settles a null-window search around `beta`.
    #[inline]
    pub fn cuts(&self, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score < beta,
        }
    }
}

/// Plies without a capture from which on positions are kept apart by how many
/// there have been.
const FAR_PLIES: u16 = 14;
/// Keeps apart what has been on the board before.
const SEEN_BEFORE: u64 = scramble(1);

/// Under what key the table knows the position of a game: what it is worth
/// depends on the way to the natural limit and on whether it is a repetition.
#[inline]
pub fn table_key(game: &Game) -> u64 {
    let position = game.position();
    let key = position.key() ^ far_mark(position.plies_since_capture());
    if game.has_occurred() {
        key ^ SEEN_BEFORE
    } else {
        key
    }
}

/// What [`table_key`] will be after a move, if the position is new.
#[inline]
pub(super) fn table_key_after(position: &Position, mv: Move) -> u64 {
    let plies = match position.piece_on(mv.to()) {
        Some(_) => 0,
        None => position.plies_since_capture() + 1,
    };
    position.key_after(mv) ^ far_mark(plies)
}

/// What tells positions apart that are this far without a capture.
#[inline]
fn far_mark(plies: u16) -> u64 {
    match plies.checked_sub(FAR_PLIES) {
        Some(beyond) => scramble(2 + u64::from(beyond / 8)),
        None => 0,
    }
}

const NO_EVAL: i16 = i16::MIN;

#[inline]
fn pack(entry: &TableEntry, generation: u8) -> u64 {
    let bound: u64 = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
    u64::from(entry.best.map_or(0, Move::to_bits))
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | depth << 48
        | u64::from(generation) << 56
        | bound << 61
        | u64::from(entry.was_pv) << 63
}

#[inline]
fn unpack(word: u64) -> Option<TableEntry> {
    let bound = match word >> 61 & 3 {
        0 => return None,
        1 => Bound::Upper,
        2 => Bound::Lower,
        _ => Bound::Exact,
    };
    let eval = (word >> 32) as u16 as i16;
    Some(TableEntry {
        best: Move::from_bits(word as u16),
        score: Score::from((word >> 16) as u16 as i16),
        eval: (eval != NO_EVAL).then_some(Score::from(eval)),
        bound,
        depth: (word >> 48 & 255) as i32 - DEPTH_OFFSET,
        was_pv: word >> 63 != 0,
    })
}

/// The check of an entry for this key, see the top of the file.
#[inline]
fn check(key: u64, word: u64) -> u16 {
    (key ^ word ^ (word >> 16) ^ (word >> 32) ^ (word >> 48)) as u16
}

/// The shared table.
#[derive(Debug)]
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The first word that starts a cache line.
    start: usize,
    clusters: usize,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of this many megabytes (at least one).
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Self, HashSizeError> {
        let error = HashSizeError(megabytes);
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let clusters = bytes / CLUSTER_BYTES;
        let length = clusters * WORDS_PER_CLUSTER + WORDS_PER_LINE;
        let words: Box<[AtomicU64]> = huge_pages::try_zeroed(length).ok_or(error)?;
        // The words lie on multiples of eight bytes: some word starts a line.
        let start = (0..WORDS_PER_LINE)
            .find(|&i| words.as_ptr().wrapping_add(i).addr() % 64 == 0)
            .unwrap_or(0);
        Ok(Self {
            words,
            start,
            clusters,
            generation: AtomicU8::new(0),
        })
    }

    /// Empties the table.
    pub fn clear(&self) {
        self.words.iter().for_each(zero);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Empties the table with all threads of the current rayon pool.
    pub(super) fn clear_in_parallel(&self) {
        const WORDS_PER_TASK: usize = 1 << 17;
        self.words
            .par_chunks(WORDS_PER_TASK)
            .for_each(|chunk| chunk.iter().for_each(zero));
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Marks the start of a search: older entries make room first.
    pub fn next_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64; WORDS_PER_CLUSTER] {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        let first = self.start + index * WORDS_PER_CLUSTER;
        self.words[first..]
            .first_chunk()
            .expect("the table has a whole cluster for each index")
    }

    /// What is known about the position with this key, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let cluster = self.cluster(key);
        let checks = cluster[ENTRIES_PER_CLUSTER].load(Ordering::Relaxed);
        for (slot, word) in cluster[..ENTRIES_PER_CLUSTER].iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if (checks >> (16 * slot)) as u16 == check(key, word)
                && let Some(mut entry) = unpack(word)
            {
                entry.score = from_table(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Fetches what is known about a position into the cache ahead of time.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        super::prefetch::line(&self.cluster(key)[0]);
    }

    /// Stores what a search `ply` plies from the root has found. An entry
    /// without a move keeps the move known before.
    ///
    /// Wins and losses by a repetition that is not final depend on the path;
    /// they are not stored.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TableEntry) {
        if is_decisive(entry.score) && !is_mate(entry.score) {
            return;
        }
        entry.score = to_table(entry.score, ply);
        let generation = self.generation.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let checks = cluster[ENTRIES_PER_CLUSTER].load(Ordering::Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (slot, word) in cluster[..ENTRIES_PER_CLUSTER].iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            let Some(old) = unpack(word) else {
                victim = slot;
                least = i32::MIN;
                continue;
            };
            let age = (generation + GENERATIONS - (word >> 56) as u8 % GENERATIONS) % GENERATIONS;
            if (checks >> (16 * slot)) as u16 == check(key, word) {
                let keep_depth = 4 + 2 * i32::from(entry.was_pv);
                let keeps = entry.bound != Bound::Exact
                    && age == 0
                    && entry.depth + keep_depth <= old.depth;
                if keeps {
                    return;
                }
                entry.best = entry.best.or(old.best);
                victim = slot;
                break;
            }
            let worth = old.depth - 8 * i32::from(age);
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let word = pack(&entry, generation);
        let shift = 16 * victim;
        let checks = checks & !(0xffff << shift) | u64::from(check(key, word)) << shift;
        cluster[victim].store(word, Ordering::Relaxed);
        cluster[ENTRIES_PER_CLUSTER].store(checks, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in per mille, by a
    /// sample of its start.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.clusters.min(1000);
        let used = (0..sample * WORDS_PER_CLUSTER)
            .filter(|i| i % WORDS_PER_CLUSTER != ENTRIES_PER_CLUSTER)
            .map(|i| self.words[self.start + i].load(Ordering::Relaxed))
            .filter(|&word| word >> 61 & 3 != 0 && (word >> 56) as u8 % GENERATIONS == generation)
            .count();
        (used * 1000 / (sample * ENTRIES_PER_CLUSTER)) as u32
    }
}

fn zero(word: &AtomicU64) {
    word.store(0, Ordering::Relaxed);
}

/// Mate scores count plies from the root in the tree, from the node in the table.
fn to_table(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score + ply as Score
    } else if score <= -MATE_BOUND {
        score - ply as Score
    } else {
        score
    }
}

fn from_table(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score - ply as Score
    } else if score <= -MATE_BOUND {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{RULE_WIN, mate_in};

    fn entry(score: Score, depth: i32) -> TableEntry {
        TableEntry {
            best: "h2e2".parse().ok(),
            score,
            eval: Some(-77),
            bound: Bound::Lower,
            depth,
            was_pv: true,
        }
    }

    #[test]
    fn words_round_trip() {
        for depth in [UNSEARCHED, 0, 1, 99, 240] {
            for score in [-32_000, -1, 0, 31_999] {
                let entry = entry(score, depth);
                assert_eq!(unpack(pack(&entry, 31)), Some(entry));
            }
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn what_is_stored_is_found_and_mates_move_with_the_root() {
        let table = Table::new(1).unwrap();
        table.store(12345 << 40, 3, entry(mate_in(10), 5));
        let found = table.probe(12345 << 40, 1).unwrap();
        assert_eq!(found.score, mate_in(8));
        assert_eq!(table.probe(12346 << 40 | 1, 1), None);
        table.clear();
        assert_eq!(table.probe(12345 << 40, 1), None);
    }

    #[test]
    fn a_moveless_entry_keeps_the_move() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, entry(10, 5));
        table.store(
            7,
            0,
            TableEntry {
                best: None,
                ..entry(20, 6)
            },
        );
        let found = table.probe(7, 0).unwrap();
        assert_eq!((found.score, found.best), (20, "h2e2".parse().ok()));
    }

    #[test]
    fn rule_wins_are_not_stored() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, entry(RULE_WIN - 3, 5));
        assert_eq!(table.probe(7, 0), None);
    }

    #[test]
    fn absurd_sizes_are_an_error() {
        for megabytes in [usize::MAX, 1 << 40] {
            // An allocation that nobody looks at would be optimised away.
            let table = std::hint::black_box(Table::new(megabytes));
            assert_eq!(table.err(), Some(HashSizeError(megabytes)));
        }
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let table = Table::new(1).unwrap();
        for (i, depth) in [9, 1, 5].into_iter().enumerate() {
            table.store(i as u64, 0, entry(i as Score, depth));
        }
        table.store(3, 0, entry(3, 4));
        assert!(table.probe(1, 0).is_none(), "the shallowest made room");
        table.next_generation();
        table.next_generation();
        table.store(4, 0, entry(4, 1));
        assert!(table.probe(4, 0).is_some());
    }
}
