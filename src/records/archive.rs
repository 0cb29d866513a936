//! A file with one game or many: what format it is, and its games one by one.
//!
//! The games of a text file are only cut apart here; each is read when it is
//! asked for, so that several threads can share a big file.

use super::encoding::{self, TextEncoding};
use super::{Record, RecordError, cbf, cbr, dhtmlxq, iccs, movetext, pgn, xqf};
use std::fmt;
use std::ops::Range;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows of result, start and moves; FEN with moves.
    List,
    /// Move text without tags.
    Moves,
    /// PGN.
    Pgn,
    /// DhtmlXQ, UBB.
    DhtmlXq,
    /// XQF.
    Xqf,
    /// CBR, or several of them in a CBL.
    Cbr,
    /// CBF.
    Cbf,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::List => "move list",
            Self::Moves => "move text",
            Self::Pgn => "PGN",
            Self::DhtmlXq => "DhtmlXQ",
            Self::Xqf => "XQF",
            Self::Cbr => "CBR",
            Self::Cbf => "CBF",
        })
    }
}

/// The contents of a record file.
#[derive(Clone, Debug)]
pub struct Archive {
    format: Format,
    contents: Contents,
}

#[derive(Clone, Debug)]
enum Contents {
    Binary {
        bytes: Vec<u8>,
        games: Vec<Range<usize>>,
    },
    Text {
        text: String,
        encoding: TextEncoding,
        games: Vec<Game>,
    },
}

/// One game of a text.
#[derive(Clone, Debug)]
struct Game {
    /// The number of its first line.
    line: usize,
    range: Range<usize>,
}

impl Archive {
    /// Finds out format and encoding by content and cuts the games apart.
    ///
    /// # Errors
    /// If the file is empty or in no format or encoding we know.
    pub fn open(bytes: &[u8]) -> Result<Self, RecordError> {
        let binary = |format, games: Vec<Range<usize>>| {
            if games.is_empty() {
                return Err(RecordError::Empty);
            }
            let bytes = bytes.to_vec();
            let contents = Contents::Binary { bytes, games };
            Ok(Self { format, contents })
        };
        let whole = std::iter::once(0..bytes.len()).collect();
        if xqf::is_xqf(bytes) {
            return binary(Format::Xqf, whole);
        }
        if cbr::is_record(bytes) {
            return binary(Format::Cbr, whole);
        }
        if cbr::is_library(bytes) {
            return binary(Format::Cbr, cbr::split(bytes));
        }
        if bytes.trim_ascii().is_empty() {
            return Err(RecordError::Empty);
        }
        let (text, encoding) = encoding::decode(bytes)?;
        let (format, parts) = split(&text)?;
        let games = parts
            .into_iter()
            .map(|(line, part)| {
                let start = part.as_ptr() as usize - text.as_ptr() as usize;
                let range = start..start + part.len();
                Game { line, range }
            })
            .collect();
        let contents = Contents::Text {
            text,
            encoding,
            games,
        };
        Ok(Self { format, contents })
    }

    /// The format found.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The encoding of a text file.
    pub fn encoding(&self) -> Option<TextEncoding> {
        match &self.contents {
            Contents::Binary { .. } => None,
            Contents::Text { encoding, .. } => Some(*encoding),
        }
    }

    /// How many games there are; at least one.
    pub fn game_count(&self) -> usize {
        match &self.contents {
            Contents::Binary { games, .. } => games.len(),
            Contents::Text { games, .. } => games.len(),
        }
    }

    /// Reads a game.
    ///
    /// # Errors
    /// If it cannot be used; the error names the line if there are several.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn read(&self, index: usize) -> Result<Record, RecordError> {
        let (text, games) = match &self.contents {
            Contents::Binary { bytes, games } => {
                let bytes = &bytes[games[index].clone()];
                return match self.format {
                    Format::Cbr => cbr::read(bytes),
                    _ => xqf::read(bytes),
                };
            }
            Contents::Text { text, games, .. } => (text, games),
        };
        let Game { line, ref range } = games[index];
        let part = &text[range.clone()];
        let record = match self.format {
            Format::List => iccs::read(part),
            Format::DhtmlXq => dhtmlxq::read(part),
            Format::Cbf => cbf::read(part),
            Format::Pgn | Format::Moves | Format::Xqf | Format::Cbr => pgn::read(part),
        };
        record.map_err(|error| {
            if games.len() == 1 {
                return error;
            }
            let source = Box::new(error);
            RecordError::Line { line, source }
        })
    }

    /// Reads all games in order.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, RecordError>> {
        (0..self.game_count()).map(|index| self.read(index))
    }
}

/// Reads all games of a file.
///
/// # Errors
/// At the first game that cannot be used.
pub fn read_all(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    Archive::open(bytes)?.records().collect()
}

/// Games with the numbers of their first lines.
type Parts<'a> = Vec<(usize, &'a str)>;

fn split(text: &str) -> Result<(Format, Parts<'_>), RecordError> {
    if text.contains("[DhtmlXQ") {
        return Ok((Format::DhtmlXq, dhtmlxq::split(text)));
    }
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with(['#', '%']);
    let first = text.lines().find(is_content).ok_or(RecordError::Empty)?;
    let first = first.trim_start_matches(['\u{feff}', ' ', '\t']);
    if pgn::is_tag_line(first) {
        return Ok((Format::Pgn, pgn::split(text)));
    }
    if iccs::is_header(first) {
        return Ok((Format::List, split_list(text)));
    }
    if cbf::is_cbf(text) {
        return Ok((Format::Cbf, vec![(1, text)]));
    }
    if movetext::begins_with_move(text) {
        return Ok((Format::Moves, vec![(1, text)]));
    }
    Err(RecordError::UnknownFormat)
}

/// A game begins at every header line. Behind a position its moves may go on over
/// lines; every other line is a game of its own, right or wrong.
fn split_list(text: &str) -> Parts<'_> {
    let mut games: Vec<(usize, Range<usize>)> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let range = at..at + line.len();
        at = range.end;
        if line.trim().is_empty() || line.starts_with('#') {
            is_open &= !line.starts_with('#');
        } else if is_open && !iccs::is_header(line) {
            if let Some((_, last)) = games.last_mut() {
                last.end = range.end;
            }
        } else {
            is_open = !iccs::is_row(line);
            games.push((index + 1, range));
        }
    }
    games
        .into_iter()
        .map(|(line, range)| (line, &text[range]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        for (text, format, count) in [
            ("1-0\t-\th2e2\n0-1\t-\th2e2 h9g7\n", Format::List, 2),
            (
                "# games\nposition startpos moves h2e2\n4k4/9/9/9/9/9/9/9/9/3K5 w\nd0d1\n\n*\t-\t",
                Format::List,
                3,
            ),
            ("\n[Game \"x\"]\n*\n[Game \"y\"]\n*", Format::Pgn, 2),
            ("1. 炮二平五 马8进7", Format::Moves, 1),
            ("h2e2 h9g7\nh0g2", Format::Moves, 1),
            (
                "forum text [DhtmlXQ]\n[DhtmlXQ_movelist][/DhtmlXQ_movelist][/DhtmlXQ]\n[DhtmlXQ]",
                Format::DhtmlXq,
                2,
            ),
        ] {
            let archive = Archive::open(text.as_bytes()).expect(text);
            assert_eq!(
                (archive.format(), archive.game_count()),
                (format, count),
                "{text}"
            );
            assert_eq!(archive.encoding(), Some(TextEncoding::Utf8));
        }
    }

    #[test]
    fn one_bad_game_does_not_spoil_the_others() {
        let text = "1-0\t-\th2e2\nrubbish\n1-0\t9/9\th2e2\n0-1\t-\th2e2\n";
        let archive = Archive::open(text.as_bytes()).unwrap();
        let games: Vec<_> = archive.records().collect();
        assert!(games[0].is_ok() && games[3].is_ok());
        let errors: Vec<String> = games
            .iter()
            .filter_map(|game| Some(game.as_ref().err()?.to_string()))
            .collect();
        assert_eq!(
            errors,
            [
                "line 2: game: 'rubbish' is no list of moves",
                "line 3: start position: the board has 2 ranks, not 10",
            ]
        );
    }

    #[test]
    fn what_is_no_record_is_an_error() {
        for (bytes, error) in [
            (&b""[..], RecordError::Empty),
            (b" \r\n", RecordError::Empty),
            (b"# nothing\n", RecordError::Empty),
            (b"Dear Sir or Madam", RecordError::UnknownFormat),
            (b"CCBridgeLibrary\0", RecordError::Empty),
            (b"\x7fELF\x00\x01", RecordError::Encoding),
        ] {
            assert_eq!(Archive::open(bytes).unwrap_err(), error);
        }
        assert!(matches!(
            read_all(b"XQ\x0a"),
            Err(RecordError::Truncated(_))
        ));
    }
}
