//! Which rules a game is played by: the rule set and its numbers.
//!
//! A [`Rules`] is a plain value that a `Game` holds. What the sets forbid is
//! told by `class` (section 4.1 of the specification), what they call a chase by
//! `chase` and `roots`, and what a count means by `limit`.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A body of rules about repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RuleSet {
    /// The modern Chinese rules, articles 24 to 28 (中国象棋协会).
    #[default]
    Cxa,
    /// The Asian rules (亚洲规则), also the World federation's.
    Axf,
    /// The rule of the computer championships, as of the end of August 2024:
    /// only perpetual check and the chase of one man in a line without checks.
    Computer,
    /// The rule of the TianTian playing platform (天天象棋).
    Sky,
    /// The Chinese rules of 1956.
    Classic1956,
    /// The Chinese rules of 1959.
    Classic1959,
    /// Nothing is forbidden: every repetition is a draw.
    None,
}

impl RuleSet {
    /// All sets, the default first.
    pub const ALL: [Self; 7] = [
        Self::Cxa,
        Self::Axf,
        Self::Computer,
        Self::Sky,
        Self::Classic1956,
        Self::Classic1959,
        Self::None,
    ];

    /// The name as it stands in an option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cxa => "CXA",
            Self::Axf => "AXF",
            Self::Computer => "Computer",
            Self::Sky => "Sky",
            Self::Classic1956 => "Classic1956",
            Self::Classic1959 => "Classic1959",
            Self::None => "None",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a rule set (CXA, AXF, Computer, Sky, Classic1956, Classic1959 or None)")]
pub struct RuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads a name in any case; `WXF` and `CCGC` mean the Asian rules.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        if ["wxf", "ccgc"]
            .iter()
            .any(|alias| text.eq_ignore_ascii_case(alias))
        {
            return Ok(Self::Axf);
        }
        Self::ALL
            .into_iter()
            .find(|set| text.eq_ignore_ascii_case(set.name()))
            .ok_or_else(|| RuleSetError(text.to_owned()))
    }
}

/// A rule set with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rule set.
    pub set: RuleSet,
    /// At which occurrence of a position it is judged; at least 2.
    pub fold: u8,
    /// How many checks a mate threat (杀), or a capture through checks (抽吃),
    /// may take.
    pub mate_threat_depth: u8,
    /// Plies without a capture that draw the game (自然限着); 0 for never.
    pub natural_limit: u16,
}

impl Default for Rules {
    /// The modern Chinese rules: third occurrence, three checks, 60 rounds.
    fn default() -> Self {
        Self {
            set: RuleSet::Cxa,
            fold: 3,
            mate_threat_depth: 3,
            natural_limit: 120,
        }
    }
}

impl Rules {
    /// This rule set with the default numbers.
    pub fn of(set: RuleSet) -> Self {
        Self {
            set,
            ..Self::default()
        }
    }

    /// The occurrence at which a position is judged, as a number that makes sense.
    pub(super) fn fold(self) -> usize {
        usize::from(self.fold).max(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_aliases_are_known() {
        for set in RuleSet::ALL {
            assert_eq!(set.to_string().parse(), Ok(set));
            assert_eq!(set.name().to_lowercase().parse(), Ok(set));
        }
        assert_eq!("WXF".parse(), Ok(RuleSet::Axf));
        assert_eq!("ccgc".parse(), Ok(RuleSet::Axf));
        assert!("".parse::<RuleSet>().is_err());
        let error = "fide".parse::<RuleSet>().expect_err("no such set");
        assert!(error.to_string().contains("'fide'"));
    }
}
