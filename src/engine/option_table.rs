//! The table of all options, in the order in which they are announced.
//!
//! No name or value may contain `name`, `type`, `default`, `draw` or `resign`:
//! there are clients that look for these letters anywhere in the text.

use super::Ranks;
use super::options::{Effect, Kind, Row, Value};
use super::settings::{Amount, BookSide, FULL_SKILL, Settings, Style};
use crate::opening::Choice;
use crate::rules::RuleSet;

const MAX_HASH_MB: i64 = 1 << 20;
const MAX_THREADS: i64 = 512;

type Store = fn(&mut Settings, &Value);

const fn row(ucci: &'static str, uci: &'static str, kind: Kind, store: Store) -> Row {
    Row {
        ucci: if ucci.is_empty() { None } else { Some(ucci) },
        uci: if uci.is_empty() { None } else { Some(uci) },
        aliases: &[],
        kind,
        store,
        effect: Effect::None,
    }
}

impl Row {
    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    const fn then(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
}

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, min, max }
}

const fn combo(choices: &'static [&'static str]) -> Kind {
    Kind::Combo {
        choices,
        synonyms: &[],
    }
}

const OFF: Kind = Kind::Check(false);
const ON: Kind = Kind::Check(true);

const AMOUNTS: &[&str] = &["none", "small", "medium", "large"];
const FALLING_AMOUNTS: &[&str] = &["large", "medium", "small", "none"];
const MANY_AMOUNTS: &[&str] = &["none", "tiny", "small", "medium", "large", "huge"];

fn amount(value: &Value) -> Amount {
    const BY_INDEX: [Amount; 4] = [Amount::None, Amount::Small, Amount::Medium, Amount::Large];
    BY_INDEX[value.number() as usize % BY_INDEX.len()]
}

fn falling_amount(value: &Value) -> Amount {
    const BY_INDEX: [Amount; 4] = [Amount::Large, Amount::Medium, Amount::Small, Amount::None];
    BY_INDEX[value.number() as usize % BY_INDEX.len()]
}

fn fine_amount(value: &Value) -> Amount {
    const BY_INDEX: [Amount; 6] = [
        Amount::None,
        Amount::Tiny,
        Amount::Small,
        Amount::Medium,
        Amount::Large,
        Amount::Huge,
    ];
    BY_INDEX[value.number() as usize % BY_INDEX.len()]
}

fn style(value: &Value) -> Style {
    match value.number() {
        0 => Style::Normal,
        1 => Style::Solid,
        _ => Style::Risky,
    }
}

const REPETITION_RULES: Kind = Kind::Combo {
    choices: &[
        "CXA",
        "AXF",
        "Computer",
        "Sky",
        "Classic1956",
        "Classic1959",
        "None",
    ],
    // Folded: lower case, no blanks.
    synonyms: &[
        ("chineserule", 0),
        ("asianrule", 1),
        ("ccgc", 1),
        ("wxf", 1),
        ("computerrule", 2),
        ("skyrule", 3),
        ("alwaysdraw", 6),
        ("nojudgement", 6),
    ],
};

fn rule_set(value: &Value) -> RuleSet {
    RuleSet::ALL[value.number() as usize % RuleSet::ALL.len()]
}

/// All options.
#[rustfmt::skip] // a table: one row a line where it fits
pub static TABLE: &[Row] = &[
    row("usemillisec", "", ON, |s, v| s.use_millisec = v.is_on()),
    row("batch", "", OFF, |s, v| s.batch = v.is_on()),
    row("debug", "", OFF, |s, v| s.debug = v.is_on()),
    row("hashsize", "Hash", spin(64, 0, MAX_HASH_MB), |s, v| s.hash_mb = v.number() as usize)
        .then(Effect::Resources),
    row("threads", "Threads", spin(1, 0, MAX_THREADS), |s, v| s.threads = v.number() as usize)
        .then(Effect::Resources),
    row("usehash", "", ON, |s, v| s.use_hash = v.is_on()).then(Effect::Resources),
    row("clearhash", "Clear Hash", Kind::Button, |_, _| {}).then(Effect::ClearHash),
    row("newgame", "", Kind::Button, |_, _| {}).then(Effect::NewGame),
    row("ponder", "Ponder", OFF, |s, v| s.ponder = v.is_on()),
    row("usebook", "OwnBook", ON, |s, v| s.use_book = v.is_on()).then(Effect::Book),
    row("bookfiles", "Book Files", Kind::Text, |s, v| s.book_files = v.text())
        .then(Effect::Book)
        .also(&["bookfile"]),
    row("loadbook", "", Kind::Button, |_, _| {}).then(Effect::Book),
    row("book_choice", "Book Choice", combo(&["weighted", "best"]), |s, v| {
        s.book_choice = match v.number() {
            0 => Choice::Weighted,
            _ => Choice::Best,
        }
    }),
    row("book_depth", "Book Depth", spin(0, 0, 1000), |s, v| s.book_depth = v.number() as usize),
    row("book_side", "Book Side", combo(&["both", "red", "black"]), |s, v| {
        s.book_side = match v.number() {
            0 => BookSide::Both,
            1 => BookSide::Red,
            _ => BookSide::Black,
        }
    }),
    row("useegtb", "Use Tables", ON, |s, v| s.use_tables = v.is_on()),
    row("egtbpaths", "Table Paths", Kind::Text, |s, v| s.table_paths = v.text()),
    row("evalfile", "EvalFile", Kind::Text, |s, v| s.eval_file = v.text())
        .then(Effect::Evaluation),
    row("use_nnue", "Use NNUE", ON, |s, v| s.use_nnue = v.is_on()).then(Effect::Evaluation),
    row("multipv", "MultiPV", spin(1, 1, 256), |s, v| s.multi_pv = v.number() as usize),
    row("move_overhead", "Move Overhead", spin(30, 0, 10_000), |s, v| s.move_overhead_ms = v.number()),
    row("skill_level", "Skill Level", spin(FULL_SKILL as i64, 0, FULL_SKILL as i64),
        |s, v| s.skill_level = v.number() as u32),
    row("uci_limitstrength", "UCI_LimitStrength", OFF, |s, v| s.limit_strength = v.is_on())
        .also(&["limit_strength"]),
    row("uci_elo", "UCI_Elo", spin(2000, 1000, 3000), |s, v| s.elo = v.number() as u32)
        .also(&["elo"]),
    row("randomness", "Randomness", combo(MANY_AMOUNTS), |s, v| s.randomness = fine_amount(v))
        .also(&["selectivity"]),
    row("seed", "Seed", spin(0, 0, i32::MAX as i64), |s, v| s.seed = v.number()),
    row("style", "Style", combo(&["normal", "solid", "risky"]), |s, v| s.style = style(v)),
    row("pruning", "", combo(FALLING_AMOUNTS), |s, v| s.pruning = falling_amount(v)),
    row("knowledge", "", combo(FALLING_AMOUNTS), |s, v| s.knowledge = falling_amount(v))
        .then(Effect::Evaluation),
    row("idle", "", combo(AMOUNTS), |s, v| s.idle = amount(v)).then(Effect::Resources),
    row("repetition", "Repetition Rule", REPETITION_RULES, |s, v| s.rules.set = rule_set(v))
        .then(Effect::Rules),
    row("repetition_fold", "Repetition Fold", spin(3, 2, 4), |s, v| s.rules.fold = v.number() as u8)
        .then(Effect::Rules),
    row("mate_threat_depth", "Mate Threat Depth", spin(3, 1, 8),
        |s, v| s.rules.mate_threat_depth = v.number() as u8)
        .then(Effect::Rules),
    row("natural_limit", "Natural Limit", spin(120, 0, 1000),
        |s, v| s.rules.natural_limit = v.number() as u16)
        .then(Effect::Rules)
        .also(&["rule60maxply"]),
    row("peace_offers", "", OFF, |s, v| s.offers_draws = v.is_on()).also(&["draw_offers"]),
    row("give_up", "", OFF, |s, v| s.resigns = v.is_on()).also(&["resign"]),
    row("uci_showwdl", "UCI_ShowWDL", OFF, |s, v| s.show_wdl = v.is_on()).also(&["show_wdl"]),
    row("", "UCI_AnalyseMode", OFF, |s, v| s.analyse_mode = v.is_on()),
    row("ranks", "Ranks", combo(&["0-9", "1-10"]), |s, v| {
        s.ranks = match v.number() {
            0 => Ranks::FromZero,
            _ => Ranks::FromOne,
        }
    }),
    row("", "UCI_Variant", combo(&["xiangqi"]), |_, _| {}),
    row("", "", OFF, |_, _| {}).also(&["promotion"]).then(Effect::Unsupported),
];
