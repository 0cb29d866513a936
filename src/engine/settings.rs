//! The values of all options, as the engine uses them.

use super::{Ranks, options};
use crate::opening::Choice;
use crate::rules::{RuleSet, Rules};

/// A rough amount, for the combo options that UCCI inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// Nothing at all.
    #[default]
    None,
    /// Hardly anything.
    Tiny,
    /// A little.
    Small,
    /// Some.
    Medium,
    /// Much.
    Large,
    /// Very much.
    Huge,
}

/// How daring the play is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Safety first.
    Solid,
    /// Nothing special.
    #[default]
    Normal,
    /// Attack first.
    Risky,
}

/// For whom moves come from the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookSide {
    /// Whoever is to move.
    #[default]
    Both,
    /// Red only.
    Red,
    /// Black only.
    Black,
}

/// What the options are set to. The defaults stand in the option table and
/// nowhere else; see [`Settings::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// UCCI clocks are in milliseconds, else in seconds.
    pub use_millisec: bool,
    /// Input is not looked at during a search.
    pub batch: bool,
    /// Commands are echoed and oddities explained.
    pub debug: bool,
    /// Pondering will be used: the clock may be spent more freely.
    pub ponder: bool,
    /// Whether the search may remember anything from one move to the next.
    pub use_hash: bool,
    /// Whether moves come from the opening book, on the clock of a game.
    pub use_book: bool,
    /// Book files, separated by `;`, on Linux and macOS also by `:`; bytes as the
    /// client sent them.
    pub book_files: Vec<u8>,
    /// How a book move is chosen.
    pub book_choice: Choice,
    /// Plies of a game that may come from the book; 0: as many as it knows.
    pub book_depth: usize,
    /// For whom.
    pub book_side: BookSide,
    /// Whether endgame tables are used.
    pub use_tables: bool,
    /// Folders of endgame tables, as `book_files`.
    pub table_paths: Vec<u8>,
    /// Megabytes of the hash table; 0: automatic.
    pub hash_mb: usize,
    /// Search threads; 0: automatic.
    pub threads: usize,
    /// How much processor time to leave to others.
    pub idle: Amount,
    /// How much to prune.
    pub pruning: Amount,
    /// How much the evaluation knows.
    pub knowledge: Amount,
    /// How varied, and weaker, the play is.
    pub randomness: Amount,
    /// How daring the play is.
    pub style: Style,
    /// How many lines are shown.
    pub multi_pv: usize,
    /// 0 (a beginner) to [`FULL_SKILL`].
    pub skill_level: u32,
    /// Whether `elo` holds.
    pub limit_strength: bool,
    /// The strength to play at.
    pub elo: u32,
    /// The seed of random choices; 0: another one every time.
    pub seed: u64,
    /// Whether thinking lines carry win, draw and loss chances.
    pub show_wdl: bool,
    /// The game is analysed, not played: never weakened.
    pub analyse_mode: bool,
    /// Milliseconds lost between engine and client, per move.
    pub move_overhead_ms: u64,
    /// The rules that judge repetitions and limits.
    pub rules: Rules,
    /// The network file; empty: the built-in evaluation.
    pub eval_file: Vec<u8>,
    /// Whether a network evaluates, else the hand-made evaluation.
    pub use_nnue: bool,
    /// Whether draws are offered and accepted.
    pub offers_draws: bool,
    /// Whether lost games are given up.
    pub resigns: bool,
    /// How ranks are numbered in moves, in and out.
    pub ranks: Ranks,
}

/// The skill level that is not weakened.
pub const FULL_SKILL: u32 = 20;

/// The size of the hash table when the client leaves it to us.
pub(super) const AUTOMATIC_HASH_MB: usize = 64;

impl Settings {
    /// Everything at zero; the option table fills in the defaults.
    const BLANK: Self = Self {
        use_millisec: false,
        batch: false,
        debug: false,
        ponder: false,
        use_hash: false,
        use_book: false,
        book_files: Vec::new(),
        book_choice: Choice::Weighted,
        book_depth: 0,
        book_side: BookSide::Both,
        use_tables: false,
        table_paths: Vec::new(),
        hash_mb: 0,
        threads: 0,
        idle: Amount::None,
        pruning: Amount::None,
        knowledge: Amount::None,
        randomness: Amount::None,
        style: Style::Normal,
        multi_pv: 1,
        skill_level: FULL_SKILL,
        limit_strength: false,
        elo: 0,
        seed: 0,
        show_wdl: false,
        analyse_mode: false,
        move_overhead_ms: 0,
        rules: Rules {
            set: RuleSet::Cxa,
            fold: 0,
            mate_threat_depth: 0,
            natural_limit: 0,
        },
        eval_file: Vec::new(),
        use_nnue: false,
        offers_draws: false,
        resigns: false,
        ranks: Ranks::FromZero,
    };

    /// The size of the hash table to use; the smallest one where none is
    /// wanted.
    pub fn effective_hash_mb(&self) -> usize {
        match self.hash_mb {
            _ if !self.use_hash => 1,
            0 => AUTOMATIC_HASH_MB,
            size => size,
        }
    }

    /// The number of threads to use: what was asked for, less what `idle`
    /// leaves to others.
    pub fn effective_threads(&self) -> usize {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, |count| count.get()),
            count => count,
        };
        let quarters_used = match self.idle {
            Amount::None => 4,
            Amount::Tiny | Amount::Small => 3,
            Amount::Medium => 2,
            Amount::Large | Amount::Huge => 1,
        };
        (threads * quarters_used / 4).max(1)
    }
}

impl Default for Settings {
    /// Every option at its default.
    fn default() -> Self {
        let mut settings = Self::BLANK;
        for row in options::TABLE {
            (row.store)(&mut settings, &row.kind.default_value());
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_resolved() {
        let mut settings = Settings {
            threads: 8,
            ..Settings::default()
        };
        for (idle, count) in [(Amount::None, 8), (Amount::Small, 6), (Amount::Large, 2)] {
            settings.idle = idle;
            assert_eq!(settings.effective_threads(), count);
        }
        settings.threads = 1;
        assert_eq!(settings.effective_threads(), 1);
        settings.threads = 0;
        assert!(settings.effective_threads() >= 1);
    }
}
