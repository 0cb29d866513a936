//! Moves as people write them: Chinese (炮二平五), WXF (`C2=5`), and coordinates
//! in the two usual dresses (`h2e2`, `H2-E2`).
//!
//! Reading takes two steps. A text becomes a [`Description`] (which man, what it
//! does, where to) by its letters alone, then the position says which legal move
//! that is. Writing goes the same way back. A text that fits several legal moves
//! is an error; nothing is guessed. What is written here is read here as the same
//! move, for every legal move of every position.

mod chinese;
mod description;
#[cfg(test)]
mod tests;
mod wxf;

pub use chinese::split_chinese_move;

use super::Position;
use crate::types::Move;
use description::Description;
use std::fmt;
use thiserror::Error;

/// Characters of an offending text that an error keeps.
const MAX_QUOTE: usize = 32;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `h2e2`, as UCCI and UCI have it.
    Coordinates,
    /// `H2-E2`, the Internet Chinese Chess Server's.
    Iccs,
    /// 炮二平五; Black's numbers are full-width digits (炮２平５).
    Chinese(Script),
    /// `C2=5`, the World Xiangqi Federation's.
    Wxf,
}

/// The character set of Chinese move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// 车马进后.
    Simplified,
    /// 車馬進後.
    Traditional,
}

/// A text that is not exactly one legal move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' {fault}")]
pub struct NotationError {
    /// The text, shortened if it is long.
    pub text: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a move text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is in no notation we know.
    Unreadable,
    /// The side to move has no such man there.
    NoMan,
    /// It breaks the rules of movement or leaves the king to be taken. The move,
    /// if the text means only one.
    Illegal(Option<Move>),
    /// It fits several legal moves.
    Ambiguous(Vec<Move>),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("is not a move in any known notation"),
            Self::NoMan => f.write_str("names a man that is not there"),
            Self::Illegal(None) => f.write_str("is not legal"),
            Self::Illegal(Some(mv)) => write!(f, "({mv}) is not legal"),
            Self::Ambiguous(moves) => {
                f.write_str("fits several moves:")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
        }
    }
}

impl NotationError {
    /// This fault of this text.
    pub fn new(text: &str, fault: Fault) -> Self {
        let text = text.trim();
        let mut quote: String = text.chars().take(MAX_QUOTE).collect();
        if quote.len() < text.len() {
            quote.push('…');
        }
        Self { text: quote, fault }
    }

    /// Whether the text says clearly enough what was played, and that was
    /// against the rules. (The other faults are a text that cannot be read or
    /// that leaves a choice.)
    pub fn is_illegal_move(&self) -> bool {
        matches!(self.fault, Fault::Illegal(_) | Fault::NoMan)
    }
}

/// Whether a text is a move by its signs alone, in any notation.
pub fn is_move_text(text: &str) -> bool {
    let word = text.trim();
    word.parse::<Move>().is_ok() || describe(word).is_some()
}

fn describe(word: &str) -> Option<Description> {
    wxf::parse(word).or_else(|| chinese::parse(word))
}

impl Position {
    /// Reads a move in any notation of [`Notation`] with the variants met in the
    /// wild: both scripts, older names of the men, half- and full-width digits,
    /// the short form without a verb (炮25), `H` or `N`, `E` or `B`, `=` or `.`.
    ///
    /// A missing verb means 平 for the men that can go sideways, as in the
    /// example of the rule book; if that cannot be meant, and for the others,
    /// the only legal move that fits.
    ///
    /// # Errors
    /// If the text is not exactly one legal move of this position.
    pub fn read_move(&self, text: &str) -> Result<Move, NotationError> {
        let word = text.trim();
        if let Ok(mv) = word.parse::<Move>() {
            return if self.is_legal(mv, &self.legality()) {
                Ok(mv)
            } else {
                Err(NotationError::new(word, Fault::Illegal(Some(mv))))
            };
        }
        describe(word)
            .ok_or(Fault::Unreadable)
            .and_then(|description| description.resolve(self))
            .map_err(|fault| NotationError::new(word, fault))
    }

    /// Writes a move of the side to move.
    ///
    /// What Chinese and WXF cannot say (a move that no man makes, one of more
    /// than nine doubled men of a composed position) is written as coordinates,
    /// so that every move has a text.
    pub fn write_move(&self, mv: Move, notation: Notation) -> String {
        let described = match notation {
            Notation::Coordinates => None,
            Notation::Iccs => return format!("{}-{}", mv.from(), mv.to()).to_uppercase(),
            Notation::Chinese(script) => Description::of(self, mv)
                .map(|description| chinese::write(&description, self.side_to_move(), script)),
            Notation::Wxf => Description::of(self, mv).as_ref().map(wxf::write),
        };
        described.unwrap_or_else(|| mv.to_string())
    }
}
