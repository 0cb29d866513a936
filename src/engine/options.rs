//! The options: how they are called, what they may be set to, what they do.
//!
//! One table, `TABLE` in `option_table`, has a row for each option. Names are
//! matched without regard to case, blanks, dashes and underscores, in either
//! dialect at any time; a row says under which name each dialect shows it.

pub use super::option_table::TABLE;
use super::settings::Settings;
use crate::eval::nnue::NetError;
use crate::opening::BookError;
use thiserror::Error;

/// What an option may be set to.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Check(bool),
    /// A number; values outside are clamped.
    Spin {
        /// What it is at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The words, the one at the start first: UCI2WB takes the first of a
        /// UCCI line for the value, and xboard sends it back.
        choices: &'static [&'static str],
        /// Other words for a choice, by its index.
        synonyms: &'static [(&'static str, usize)],
    },
    /// Something to do, without a value.
    Button,
    /// Any text, empty at the start.
    Text,
}

impl Kind {
    /// The value at the start.
    pub fn default_value(&self) -> Value {
        match *self {
            Self::Check(on) => Value::Check(on),
            Self::Spin { default, .. } => Value::Spin(default),
            Self::Combo { .. } => Value::Combo(0),
            Self::Button => Value::Button,
            Self::Text => Value::Text(Vec::new()),
        }
    }
}

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// On or off.
    Check(bool),
    /// A number within the range.
    Spin(i64),
    /// The index of a choice.
    Combo(usize),
    /// A button was pressed.
    Button,
    /// Text, in bytes of any encoding.
    Text(Vec<u8>),
}

impl Value {
    /// Whether a check is on; false for the other kinds.
    pub fn is_on(&self) -> bool {
        *self == Self::Check(true)
    }

    /// The number of a spin, or the index of a choice; 0 for the other kinds.
    pub fn number(&self) -> u64 {
        match *self {
            Self::Spin(number) => number.max(0) as u64,
            Self::Combo(index) => index as u64,
            _ => 0,
        }
    }

    /// The text; empty for the other kinds.
    pub fn text(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone(),
            _ => Vec::new(),
        }
    }
}

/// What the engine must do after a value was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Forget the last game.
    NewGame,
    /// Empty the hash table.
    ClearHash,
    /// Fit the hash table and the threads to the settings.
    Resources,
    /// Choose the network.
    Evaluation,
    /// Open the opening books.
    Book,
    /// Judge the game by the rules as set.
    Rules,
    /// Say so if it was switched on: the option exists to be refused.
    Unsupported,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// How UCCI shows it, one lower-case word; `None`: not shown.
    pub ucci: Option<&'static str>,
    /// How UCI shows it; `None`: not shown.
    pub uci: Option<&'static str>,
    /// Further names.
    pub aliases: &'static [&'static str],
    /// What it may be set to.
    pub kind: Kind,
    /// Where the value goes.
    pub store: fn(&mut Settings, &Value),
    /// What happens then.
    pub effect: Effect,
}

impl Row {
    fn is_called(&self, folded: &str) -> bool {
        let shown = self.ucci.into_iter().chain(self.uci);
        shown
            .chain(self.aliases.iter().copied())
            .any(|name| fold(name) == folded)
    }
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The option needs a value.
    #[error("option '{0}' needs a value")]
    NoValue(String),
    /// The value is not one that the option can take.
    #[error("option '{option}' cannot be '{value}'")]
    BadValue {
        /// The option as the client called it.
        option: String,
        /// The value.
        value: String,
    },
    /// The memory cannot be had.
    #[error("no memory for a hash table of {wanted} MB, it stays at {kept} MB")]
    Memory {
        /// What was asked for.
        wanted: usize,
        /// What is kept.
        kept: usize,
    },
    /// The network cannot be had.
    #[error("{0}; the evaluation stays as it is")]
    Network(#[from] NetError),
    /// A book cannot be had.
    #[error("{0}; playing on without it")]
    Book(#[from] BookError),
}

/// A name without case, blanks, dashes and underscores.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|letter| !matches!(letter, ' ' | '\t' | '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// The option of this name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<&'static Row, OptionError> {
    let folded = fold(name);
    TABLE
        .iter()
        .find(|row| row.is_called(&folded))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

/// Reads a value for the option; numbers are clamped.
///
/// # Errors
/// If the option cannot take the value.
pub fn parse_value(row: &Row, name: &str, text: Option<&[u8]>) -> Result<Value, OptionError> {
    if matches!(row.kind, Kind::Button) {
        return Ok(Value::Button);
    }
    let text = text.unwrap_or_default();
    if matches!(row.kind, Kind::Text) {
        let is_empty = text == b"<empty>"; // what clients send back for our default
        return Ok(Value::Text(if is_empty { Vec::new() } else { text.into() }));
    }
    let word = String::from_utf8_lossy(text);
    let word = word.trim();
    if word.is_empty() {
        return Err(OptionError::NoValue(name.to_owned()));
    }
    let value = match row.kind {
        Kind::Check(_) => parse_check(word).map(Value::Check),
        Kind::Spin { min, max, .. } => {
            parse_number(word).map(|number| Value::Spin(number.clamp(min, max)))
        }
        Kind::Combo {
            choices, synonyms, ..
        } => parse_choice(word, choices, synonyms).map(Value::Combo),
        Kind::Button | Kind::Text => None, // done above
    };
    value.ok_or_else(|| OptionError::BadValue {
        option: name.to_owned(),
        value: word.to_owned(),
    })
}

fn parse_check(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Numbers too large for any type are as good as the largest.
fn parse_number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let saturated = if word.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(word.parse().unwrap_or(saturated))
}

fn parse_choice(word: &str, choices: &[&str], synonyms: &[(&str, usize)]) -> Option<usize> {
    let folded = fold(word);
    let shown = choices.iter().position(|choice| fold(choice) == folded);
    shown.or_else(|| {
        let (_, index) = synonyms.iter().find(|(other, _)| *other == folded)?;
        Some(*index)
    })
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Amount, Style};
    use super::*;

    fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), OptionError> {
        let row = find(name)?;
        let value = parse_value(row, name, Some(value.as_bytes()))?;
        (row.store)(settings, &value);
        Ok(())
    }

    #[test]
    fn every_name_finds_its_own_row() {
        for (index, row) in TABLE.iter().enumerate() {
            let shown = row.ucci.into_iter().chain(row.uci);
            for name in shown.chain(row.aliases.iter().copied()) {
                let found = find(name).expect("a name of the table");
                assert!(std::ptr::eq(found, &TABLE[index]), "{name}");
                assert!(find(&name.to_uppercase()).is_ok());
            }
        }
    }

    #[test]
    fn names_and_values_trip_no_client() {
        let harmless = |text: &str, uci: bool| {
            for letters in ["name", "type", "default"] {
                assert!(!text.contains(letters), "{text}");
            }
            for letters in ["draw", "resign"] {
                assert!(!text.to_lowercase().contains(letters), "{text}");
            }
            assert!(uci || text.bytes().all(|byte| byte.is_ascii_graphic()));
        };
        for row in TABLE {
            if let Some(name) = row.ucci {
                harmless(name, false);
                assert_eq!(name, name.to_lowercase());
            }
            if let Some(name) = row.uci {
                harmless(name, true);
            }
            if let Kind::Combo { choices, .. } = row.kind {
                choices.iter().for_each(|choice| harmless(choice, false));
            }
        }
    }

    #[test]
    fn the_first_choice_is_the_one_at_the_start() {
        let settings = Settings::default();
        assert_eq!(settings.pruning, Amount::Large);
        assert_eq!(settings.knowledge, Amount::Large);
        assert_eq!(settings.idle, Amount::None);
        assert_eq!(settings.randomness, Amount::None);
        assert_eq!(settings.style, Style::Normal);
        let mut sent_back = settings.clone();
        for row in TABLE {
            if let (Kind::Combo { choices, .. }, Some(name)) = (row.kind, row.ucci.or(row.uci)) {
                set(&mut sent_back, name, choices[0]).unwrap();
            }
        }
        assert_eq!(sent_back, settings);
    }

    #[test]
    fn values_are_read_and_clamped() {
        let mut settings = Settings::default();
        set(&mut settings, "hashsize", "-5").unwrap();
        assert_eq!(settings.hash_mb, 0);
        set(&mut settings, "Hash", "99999999999999999999").unwrap();
        assert!(settings.hash_mb > 1000);
        set(&mut settings, "usemillisec", "OFF").unwrap();
        assert!(!settings.use_millisec);
        set(&mut settings, "Skill_Level", "3").unwrap();
        assert_eq!(settings.skill_level, 3);
        set(&mut settings, "repetition", "asianrule").unwrap();
        assert_eq!(settings.rules.set, crate::rules::RuleSet::Axf);
        set(&mut settings, "bookfiles", "<empty>").unwrap();
        assert!(settings.book_files.is_empty());
        assert_eq!(
            set(&mut settings, "threads", "many"),
            Err(OptionError::BadValue {
                option: "threads".into(),
                value: "many".into()
            })
        );
        assert!(set(&mut settings, "threads", " ").is_err());
        assert!(set(&mut settings, "nosuch", "1").is_err());
    }
}
