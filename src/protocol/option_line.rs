//! The `option` lines of a greeting, printed and read.

use super::Dialect;
use super::words::{Words, is_keyword, joined};
use crate::engine::options::{Effect, Kind, Row};

/// What a client may set an option to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Nothing; a line to be shown.
    Label,
    /// Something to do.
    Button,
    /// On or off.
    Check(bool),
    /// A number.
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
        /// The word at the start.
        default: String,
        /// All words.
        choices: Vec<String>,
    },
    /// Any text, with what it is at the start.
    Text(String),
}

/// An option as an engine announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name in the dialect of the line.
    pub name: String,
    /// What it may be set to.
    pub kind: OptionKind,
}

/// How an empty default is written.
const EMPTY: &str = "<empty>";

impl OptionLine {
    /// The line for an option of the engine, if the dialect shows it.
    pub(super) fn of(row: &Row, dialect: Dialect) -> Option<Self> {
        let name = match dialect {
            Dialect::Ucci => row.ucci,
            Dialect::Uci => row.uci,
        }?;
        let kind = match row.kind {
            Kind::Check(on) => OptionKind::Check(on),
            Kind::Spin { default, min, max } => {
                // UCI clients know no 0 for "automatic".
                let automatic = dialect == Dialect::Uci && row.effect == Effect::Resources;
                let min = if automatic { min.max(1) } else { min };
                OptionKind::Spin { default, min, max }
            }
            Kind::Combo { choices, .. } => OptionKind::Combo {
                default: choices[0].to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            Kind::Button => OptionKind::Button,
            Kind::Text => OptionKind::Text(String::new()),
        };
        let name = name.to_owned();
        Some(Self { name, kind })
    }

    /// The line in a dialect, without its end.
    pub(super) fn print(&self, dialect: Dialect) -> String {
        let head = match dialect {
            Dialect::Ucci => format!("option {}", self.name),
            Dialect::Uci => format!("option name {}", self.name),
        };
        let tail = match &self.kind {
            OptionKind::Label => "type label".to_owned(),
            OptionKind::Button => "type button".to_owned(),
            OptionKind::Check(on) => format!("type check default {on}"),
            OptionKind::Spin { default, min, max } => match dialect {
                Dialect::Ucci => format!("type spin min {min} max {max} default {default}"),
                Dialect::Uci => format!("type spin default {default} min {min} max {max}"),
            },
            OptionKind::Combo { default, choices } => {
                let vars: String = choices.iter().map(|word| format!(" var {word}")).collect();
                match dialect {
                    Dialect::Ucci => format!("type combo{vars} default {default}"),
                    Dialect::Uci => format!("type combo default {default}{vars}"),
                }
            }
            OptionKind::Text(text) if text.is_empty() => format!("type string default {EMPTY}"),
            OptionKind::Text(text) => format!("type string default {text}"),
        };
        format!("{head} {tail}")
    }

    /// Reads the words behind `option`, of either dialect.
    pub(super) fn parse(mut words: Words<'_>) -> Option<Self> {
        words.accept("name");
        let name = joined(words.clone().take_while(|word| !is_keyword(word, "type")));
        words.find(|word| is_keyword(word, "type"))?;
        let kind = words.next()?.to_ascii_lowercase();
        let parts = Parts::parse(words);
        let kind = match kind.as_slice() {
            b"label" => OptionKind::Label,
            b"button" => OptionKind::Button,
            b"check" => OptionKind::Check(parts.default.eq_ignore_ascii_case("true")),
            b"spin" => OptionKind::Spin {
                default: parts.default.parse().ok()?,
                min: parts.min?,
                max: parts.max?,
            },
            b"combo" => OptionKind::Combo {
                default: parts.default,
                choices: parts.choices,
            },
            b"string" => {
                let is_empty = parts.default == EMPTY;
                OptionKind::Text(if is_empty {
                    String::new()
                } else {
                    parts.default
                })
            }
            _ => return None,
        };
        (!name.is_empty()).then_some(Self { name, kind })
    }
}

/// What stands behind the kind.
#[derive(Default)]
struct Parts {
    default: String,
    min: Option<i64>,
    max: Option<i64>,
    choices: Vec<String>,
}

impl Parts {
    fn parse(mut words: Words<'_>) -> Self {
        let mut parts = Self::default();
        while let Some(key) = words.next() {
            let mut value = Vec::new();
            while let Some(word) = words.peek().filter(|word| !Self::is_key(word)) {
                value.push(word);
                words.next();
            }
            let value = joined(value.into_iter());
            match key.to_ascii_lowercase().as_slice() {
                b"default" => parts.default = value,
                b"min" => parts.min = value.parse().ok(),
                b"max" => parts.max = value.parse().ok(),
                b"var" => parts.choices.push(value),
                _ => {}
            }
        }
        parts
    }

    fn is_key(word: &[u8]) -> bool {
        ["default", "min", "max", "var"]
            .iter()
            .any(|key| is_keyword(word, key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::TABLE;

    #[test]
    fn all_option_lines_round_trip() {
        for dialect in [Dialect::Ucci, Dialect::Uci] {
            for row in TABLE {
                let Some(line) = OptionLine::of(row, dialect) else {
                    continue;
                };
                let text = line.print(dialect);
                let words = Words::new(text.strip_prefix("option").unwrap().as_bytes());
                assert_eq!(OptionLine::parse(words), Some(line), "{text}");
            }
        }
    }

    #[test]
    fn lines_of_other_engines_are_read() {
        let parse = |text: &str| OptionLine::parse(Words::new(text.as_bytes())).unwrap();
        let line = parse("name Draw Rule type combo default None var None var Rep As Win");
        assert_eq!(line.name, "Draw Rule");
        let OptionKind::Combo { choices, .. } = line.kind else {
            panic!("a combo");
        };
        assert_eq!(choices, ["None", "Rep As Win"]);
        assert_eq!(parse("loadbook type button").kind, OptionKind::Button);
        assert_eq!(
            parse("bookfiles type string").kind,
            OptionKind::Text(String::new())
        );
        assert!(OptionLine::parse(Words::new(b"name x")).is_none());
    }
}
