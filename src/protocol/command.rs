//! What a client says: [`Command`], read and printed.
//!
//! One parser takes the union of UCCI, UCI and UCI-Cyclone at all times, since
//! clients mix them. Printing needs a [`Dialect`].

use super::go::Go;
use super::words::{Words, is_keyword, joined, text};
use super::{Dialect, ucci, uci};
use crate::engine::Ranks;
use crate::types::Move;
use thiserror::Error;

/// A position: where it starts and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The start in FEN, with whatever the client wrote behind it; `None`: the
    /// usual start position.
    pub fen: Option<String>,
    /// The moves, up to the first that cannot be read.
    pub moves: Vec<Move>,
    /// The first word of the list that is no move.
    pub unreadable: Option<String>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The client speaks this protocol from here on.
    Greeting(Dialect),
    /// The client speaks UCI-Cyclone, which needs no answer.
    Cyclone,
    /// Answer when everything before this is done.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name, in any spelling.
        name: String,
        /// The value, in bytes of any encoding; `None` for buttons.
        value: Option<Vec<u8>>,
    },
    /// Another game begins.
    NewGame,
    /// Set the position.
    Position(Placement),
    /// Do not play these moves.
    BanMoves(Vec<Move>),
    /// Think.
    Go(Go),
    /// The predicted move was played; `draw`: with a draw offer.
    PonderHit {
        /// Whether the opponent offers a draw.
        draw: bool,
    },
    /// Answer now.
    Stop,
    /// What does the hash table say about this position?
    Probe(Placement),
    /// Leave.
    Quit,
    /// Count legal move sequences.
    Perft(u32),
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Run the benchmark with these arguments.
    Bench(Vec<String>),
    /// Explain the commands.
    Help,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Nothing but blanks.
    #[error("the line is empty")]
    Blank,
    /// The first word is not known.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// Something is missing behind the first word.
    #[error("'{command}' needs {needs}")]
    Incomplete {
        /// The command.
        command: &'static str,
        /// What it needs.
        needs: &'static str,
    },
}

impl Command {
    /// Reads a line. `ranks` is how moves are numbered where they do not show
    /// it themselves.
    ///
    /// # Errors
    /// If the line is no command.
    pub fn parse(line: &[u8], ranks: Ranks) -> Result<Self, CommandError> {
        let mut words = Words::new(line);
        let first = words.next().ok_or(CommandError::Blank)?;
        Ok(match first.to_ascii_lowercase().as_slice() {
            b"ucci" => Self::Greeting(Dialect::Ucci),
            b"uci" => Self::Greeting(Dialect::Uci),
            b"ucicyclone" => Self::Cyclone,
            b"isready" => Self::IsReady,
            b"setoption" => return set_option(words),
            b"ucinewgame" | b"uccinewgame" | b"newgame" => Self::NewGame,
            b"position" => Self::Position(placement("position", words, ranks)?),
            b"fen" | b"startpos" => Self::Position(placement("position", Words::new(line), ranks)?),
            b"banmoves" => Self::BanMoves(moves(words, ranks)),
            b"go" => go(words, ranks),
            b"ponderhit" => Self::PonderHit {
                draw: words.accept("draw"),
            },
            b"stop" => Self::Stop,
            b"probe" => Self::Probe(placement("probe", words, ranks)?),
            b"quit" | b"exit" => Self::Quit,
            b"perft" => match number(words.next()) {
                Some(depth) => Self::Perft(depth),
                None => return Err(NO_PERFT_DEPTH),
            },
            b"d" | b"display" => Self::Display,
            b"eval" => Self::Eval,
            b"bench" => Self::Bench(words.map(text).collect()),
            b"help" | b"?" => Self::Help,
            _ => return Err(CommandError::Unknown(text(first))),
        })
    }

    /// The line in a dialect, without its end.
    pub fn print(&self, dialect: Dialect, ranks: Ranks) -> Vec<u8> {
        match self {
            Self::Greeting(Dialect::Ucci) => b"ucci".to_vec(),
            Self::Greeting(Dialect::Uci) => b"uci".to_vec(),
            Self::Cyclone => b"ucicyclone".to_vec(),
            Self::IsReady => b"isready".to_vec(),
            Self::SetOption { name, value } => match dialect {
                Dialect::Ucci => ucci::set_option(name, value.as_deref()),
                Dialect::Uci => uci::set_option(name, value.as_deref()),
            },
            Self::NewGame => match dialect {
                Dialect::Ucci => ucci::NEW_GAME.into(),
                Dialect::Uci => uci::NEW_GAME.into(),
            },
            Self::Position(placement) => placement.print("position", ranks).into_bytes(),
            Self::BanMoves(moves) => {
                let mut line = "banmoves".to_owned();
                push_moves(&mut line, moves, ranks);
                line.into_bytes()
            }
            Self::Go(go) => format!("go{}", go.print(ranks)).into_bytes(),
            Self::PonderHit { draw: false } => b"ponderhit".to_vec(),
            Self::PonderHit { draw: true } => b"ponderhit draw".to_vec(),
            Self::Stop => b"stop".to_vec(),
            Self::Probe(placement) => placement.print("probe", ranks).into_bytes(),
            Self::Quit => b"quit".to_vec(),
            Self::Perft(depth) => format!("go perft {depth}").into_bytes(),
            Self::Display => b"d".to_vec(),
            Self::Eval => b"eval".to_vec(),
            Self::Bench(arguments) => {
                let words = std::iter::once("bench").chain(arguments.iter().map(String::as_str));
                words.collect::<Vec<_>>().join(" ").into_bytes()
            }
            Self::Help => b"help".to_vec(),
        }
    }
}

impl Placement {
    fn print(&self, command: &str, ranks: Ranks) -> String {
        let mut line = match &self.fen {
            Some(fen) => format!("{command} fen {fen}"),
            None => format!("{command} startpos"),
        };
        if !self.moves.is_empty() || self.unreadable.is_some() {
            line += " moves";
            push_moves(&mut line, &self.moves, ranks);
        }
        if let Some(word) = &self.unreadable {
            line += " ";
            line += word;
        }
        line
    }
}

fn push_moves(line: &mut String, moves: &[Move], ranks: Ranks) {
    for &mv in moves {
        line.push(' ');
        line.push_str(&ranks.text(mv));
    }
}

const NO_PERFT_DEPTH: CommandError = CommandError::Incomplete {
    command: "perft",
    needs: "a depth",
};

/// `name X value Y`, or `X Y`.
fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    let (name, value) = if words.accept("name") {
        let name = joined(words.clone().take_while(|word| !is_keyword(word, "value")));
        let found = words.any(|word| is_keyword(word, "value"));
        (name, found.then(|| words.rest()))
    } else {
        let name = words.next().map(text).unwrap_or_default();
        let value = words.rest();
        (name, (!value.is_empty()).then_some(value))
    };
    if name.is_empty() {
        return Err(CommandError::Incomplete {
            command: "setoption",
            needs: "a name",
        });
    }
    let value = value.map(<[u8]>::to_vec);
    Ok(Command::SetOption { name, value })
}

/// `fen F [moves ...]`, `startpos [moves ...]`, or a FEN without a word before it.
fn placement(
    command: &'static str,
    mut words: Words<'_>,
    ranks: Ranks,
) -> Result<Placement, CommandError> {
    let mut placement = Placement::default();
    let is_move_list = |word: &&[u8]| is_keyword(word, "moves");
    let has_fen = words.accept("fen") || words.peek().is_some_and(|word| word.contains(&b'/'));
    if has_fen {
        let fen = words.clone().take_while(|word| !is_move_list(word));
        placement.fen = Some(joined(fen));
    } else if !words.accept("startpos") {
        return Err(CommandError::Incomplete {
            command,
            needs: "'startpos' or 'fen' and a position",
        });
    }
    if words.any(|word| is_move_list(&word)) {
        let list: Vec<String> = words.map(text).filter(|word| !is_no_move(word)).collect();
        let ranks = ranks.evident_in(list.iter().map(String::as_str));
        for word in list {
            match ranks.parse(&word) {
                Some(mv) => placement.moves.push(mv),
                None => {
                    placement.unreadable = Some(word);
                    break;
                }
            }
        }
    }
    Ok(placement)
}

/// Words that stand for no move and are skipped.
fn is_no_move(word: &str) -> bool {
    matches!(word, "0000" | "(none)" | "null")
}

/// All moves among the words; what is none is skipped.
fn moves(words: Words<'_>, ranks: Ranks) -> Vec<Move> {
    let list: Vec<&str> = words
        .filter_map(|word| std::str::from_utf8(word).ok())
        .collect();
    let ranks = ranks.evident_in(list.iter().copied());
    list.into_iter()
        .filter_map(|word| ranks.parse(word))
        .collect()
}

fn go(words: Words<'_>, ranks: Ranks) -> Command {
    let mut ahead = words.clone();
    if ahead.accept("perft")
        && let Some(depth) = number(ahead.next())
    {
        return Command::Perft(depth);
    }
    Command::Go(Go::parse(words, ranks))
}

fn number(word: Option<&[u8]>) -> Option<u32> {
    std::str::from_utf8(word?).ok()?.parse().ok()
}
