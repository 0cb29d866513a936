//! What an engine says: [`Reply`], read and printed.
//!
//! Reading takes either dialect and never fails: what is not understood is
//! text. Printing is done by `ucci` and `uci`.

use super::option_line::OptionLine;
use super::words::{Words, is_keyword, text};
use super::{Dialect, ucci, uci};
use crate::engine::{BestMove, Info, Offer, Ranks, ShownScore};
use crate::types::{Bound, Move};

/// No line is longer: old clients copy lines into a kilobyte.
pub(super) const MAX_LINE: usize = 1_000;

/// What a hash table knows about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HashEntry {
    /// The best move.
    pub best: Option<Move>,
    /// A score that is reached at least, and the depth it was found with.
    pub lower: Option<(ShownScore, u32)>,
    /// A score that is reached at most, and the depth it was found with.
    pub upper: Option<(ShownScore, u32)>,
}

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Who the engine is.
    Id {
        /// `name`, `author` and so on.
        field: String,
        /// What it says.
        text: String,
    },
    /// An option.
    Option(OptionLine),
    /// The greeting is complete.
    Greeted(Dialect),
    /// Everything before `isready` is done.
    ReadyOk,
    /// A thinking line or a message.
    Info(Info),
    /// The answer to a search.
    BestMove(BestMove),
    /// The answer to a search without a legal move.
    NoMove,
    /// The answer to a probe.
    HashEntry(HashEntry),
    /// The engine leaves.
    Bye,
    /// Anything else.
    Text(String),
}

impl Reply {
    /// The line in a dialect, without its end.
    pub fn print(&self, dialect: Dialect, ranks: Ranks) -> String {
        match self {
            Self::Id { field, text } => format!("id {field} {text}"),
            Self::Option(line) => line.print(dialect),
            Self::Greeted(dialect) => format!("{}ok", dialect.greeting()),
            Self::ReadyOk => "readyok".to_owned(),
            Self::Info(info) => match dialect {
                Dialect::Ucci => ucci::info(info, ranks),
                Dialect::Uci => uci::info(info, ranks),
            },
            Self::BestMove(best) => match dialect {
                Dialect::Ucci => ucci::best_move(best, ranks),
                Dialect::Uci => uci::best_move(best, ranks),
            },
            Self::NoMove => match dialect {
                Dialect::Ucci => ucci::NO_MOVE.to_owned(),
                Dialect::Uci => uci::NO_MOVE.to_owned(),
            },
            Self::HashEntry(entry) => entry.print(ranks),
            Self::Bye => "bye".to_owned(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Reads a line of either dialect.
    pub fn parse(line: &[u8], ranks: Ranks) -> Self {
        Self::parse_known(line, ranks).unwrap_or_else(|| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            Self::Text(text(line))
        })
    }

    fn parse_known(line: &[u8], ranks: Ranks) -> Option<Self> {
        let mut words = Words::new(line);
        Some(match words.next()?.to_ascii_lowercase().as_slice() {
            b"id" => Self::Id {
                field: text(words.next()?),
                text: text(words.rest()),
            },
            b"option" => Self::Option(OptionLine::parse(words)?),
            b"ucciok" => Self::Greeted(Dialect::Ucci),
            b"uciok" => Self::Greeted(Dialect::Uci),
            b"readyok" => Self::ReadyOk,
            b"info" => Self::Info(parse_info(words, ranks)),
            b"bestmove" => parse_best_move(words, ranks)?,
            b"nobestmove" => Self::NoMove,
            b"pophash" => Self::HashEntry(HashEntry::parse(words, ranks)),
            b"bye" => Self::Bye,
            _ => return None,
        })
    }
}

impl HashEntry {
    fn print(&self, ranks: Ranks) -> String {
        let mut line = "pophash".to_owned();
        if let Some(best) = self.best {
            line += &format!(" bestmove {}", ranks.text(best));
        }
        for (word, bound) in [("lowerbound", self.lower), ("upperbound", self.upper)] {
            if let Some((score, depth)) = bound {
                line += &format!(" {word} {} depth {depth}", ucci::score(score));
            }
        }
        line
    }

    fn parse(mut words: Words<'_>, ranks: Ranks) -> Self {
        let mut entry = Self::default();
        while let Some(word) = words.next() {
            if is_keyword(word, "bestmove") {
                entry.best = words.next().and_then(|word| read_move(word, ranks));
            } else if is_keyword(word, "lowerbound") {
                entry.lower = Self::parse_bound(&mut words);
            } else if is_keyword(word, "upperbound") {
                entry.upper = Self::parse_bound(&mut words);
            }
        }
        entry
    }

    fn parse_bound(words: &mut Words<'_>) -> Option<(ShownScore, u32)> {
        let score = ucci::read_score(number(words)?);
        let depth = if words.accept("depth") {
            number(words)?
        } else {
            0
        };
        Some((score, depth))
    }
}

fn read_move(word: &[u8], ranks: Ranks) -> Option<Move> {
    ranks.parse(std::str::from_utf8(word).ok()?)
}

/// Takes the next word if it is a number that fits.
fn number<T: std::str::FromStr>(words: &mut Words<'_>) -> Option<T> {
    let number = std::str::from_utf8(words.peek()?).ok()?.parse().ok()?;
    words.next();
    Some(number)
}

fn parse_best_move(mut words: Words<'_>, ranks: Ranks) -> Option<Reply> {
    let word = words.next()?;
    let nothing = ["(none)", "null", "0000", "resign"];
    if nothing.iter().any(|text| is_keyword(word, text)) {
        return Some(Reply::NoMove);
    }
    let mut best = BestMove {
        mv: read_move(word, ranks)?,
        ponder: None,
        offer: None,
    };
    while let Some(word) = words.next() {
        if is_keyword(word, "ponder") {
            best.ponder = words.peek().and_then(|word| read_move(word, ranks));
        } else if is_keyword(word, "draw") {
            best.offer = Some(Offer::Draw);
        } else if is_keyword(word, "resign") {
            best.offer = Some(Offer::Resign);
        }
    }
    Some(Reply::BestMove(best))
}

fn parse_info(mut words: Words<'_>, ranks: Ranks) -> Info {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_slice() {
            b"message" | b"string" => return Info::message(text(words.rest())),
            b"depth" => info.depth = number(&mut words),
            b"seldepth" => info.selective_depth = number(&mut words),
            b"multipv" => info.rank = number(&mut words),
            b"score" => info.score = parse_score(&mut words),
            b"lowerbound" => info.bound = Some(Bound::Lower),
            b"upperbound" => info.bound = Some(Bound::Upper),
            b"wdl" => info.wdl = parse_shares(&mut words),
            b"nodes" => info.nodes = number(&mut words),
            b"nps" => info.nodes_per_second = number(&mut words),
            b"hashfull" => info.hashfull = number(&mut words),
            b"tbhits" => info.table_hits = number(&mut words),
            b"time" => info.time_ms = number(&mut words),
            b"currmove" => {
                info.current_move = words.next().and_then(|word| read_move(word, ranks));
            }
            b"currmovenumber" => info.current_number = number(&mut words),
            b"pv" => {
                info.pv = words.map_while(|word| read_move(word, ranks)).collect();
                break;
            }
            _ => {}
        }
    }
    info
}

fn parse_score(words: &mut Words<'_>) -> Option<ShownScore> {
    if words.accept("mate") {
        return number(words).map(uci::read_mate);
    }
    if words.accept("cp") {
        return number(words).map(ShownScore::Cp);
    }
    number(words).map(ucci::read_score)
}

fn parse_shares(words: &mut Words<'_>) -> Option<[u32; 3]> {
    Some([number(words)?, number(words)?, number(words)?])
}

/// Adds moves while the line stays short enough.
pub(super) fn push_pv(line: &mut String, pv: &[Move], ranks: Ranks) {
    if pv.is_empty() {
        return;
    }
    line.push_str(" pv");
    for &mv in pv {
        let text = ranks.text(mv);
        if line.len() + 1 + text.len() > MAX_LINE {
            break;
        }
        line.push(' ');
        line.push_str(&text);
    }
}

/// A message on one line, cut where it is too long.
pub(super) fn message(head: &str, text: &str) -> String {
    let mut line = head.to_owned();
    for letter in text.chars() {
        if line.len() + letter.len_utf8() > MAX_LINE {
            break;
        }
        line.push(if letter.is_control() { ' ' } else { letter });
    }
    line
}
