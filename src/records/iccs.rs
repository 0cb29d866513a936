//! Lists of moves as engines exchange them, one game a line or a block:
//!
//! ```text
//! 1-0 <TAB> - <TAB> h2e2 h9g7 ...        result, start (`-` or FEN), moves
//! position startpos moves h2e2 h9g7      as in UCCI; `position` may be missing
//! fen <FEN> moves ...    <FEN> moves ... the FEN alone is a game without moves
//! ```
//! The moves may be in any notation. Behind a FEN they may follow on the next
//! lines. A list in which rank 10 occurs counts ranks from 1, as some UCI
//! programs do.

use super::{GameResult, Record, RecordError, movetext};
use crate::position::Position;
use crate::types::Move;
use std::borrow::Cow;

/// Whether a line begins a game of a list.
pub(super) fn is_header(line: &str) -> bool {
    is_row(line) || is_position(line)
}

/// Whether it is a line of the three-column form.
pub(super) fn is_row(line: &str) -> bool {
    let mut columns = line.split('\t');
    let result = columns.next().unwrap_or_default();
    columns.next().is_some() && GameResult::from_text(result).is_some()
}

/// Whether it names a position, in the words of UCCI or as a FEN.
fn is_position(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or_default();
    matches!(first, "position" | "startpos" | "fen") || first.matches('/').count() == 9
}

/// Reads one game: a header line, and for a position the lines behind it.
///
/// # Errors
/// If the result or the start position is none.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
    let header = header.trim_end();
    if is_row(header) {
        return read_row(header);
    }
    if !is_position(header) {
        return Err(RecordError::field("game", header, "is no list of moves"));
    }
    let header = header
        .strip_prefix("position")
        .unwrap_or(header)
        .trim_start();
    let (start, moves) = match header.strip_prefix("startpos") {
        Some(moves) => (Position::start(), moves),
        None => {
            let fen = header.strip_prefix("fen").unwrap_or(header).trim_start();
            let (fen, moves) = split_fen(fen);
            (Position::from_fen(fen)?, moves)
        }
    };
    let moves = moves.trim_start();
    let moves = moves.strip_prefix("moves").unwrap_or(moves);
    let mut record = Record::new(start);
    movetext::read(&count_from_zero(&format!("{moves}\n{rest}")), &mut record)?;
    Ok(record)
}

fn read_row(row: &str) -> Result<Record, RecordError> {
    let mut columns = row.splitn(3, '\t').map(str::trim);
    let mut next = || columns.next().unwrap_or_default();
    let (result, start, moves) = (next(), next(), next());
    let result = GameResult::from_text(result)
        .ok_or_else(|| RecordError::field("result", result, "is no result"))?;
    let start = match start {
        "" | "-" | "startpos" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let mut record = Record::new(start);
    movetext::read(&count_from_zero(moves), &mut record)?;
    record.set_result(result);
    Ok(record)
}

/// Splits a line behind the fields of its FEN. What follows is moves if it
/// begins like them; an EPD's operations are dropped.
fn split_fen(line: &str) -> (&str, &str) {
    let is_field = |(index, word): (usize, &str)| match index {
        0 => true,
        1 => word.len() == 1,
        _ => matches!(word, "-" | "--") || word.parse::<u32>().is_ok(),
    };
    let mut end = 0;
    for (index, word) in line.split_ascii_whitespace().enumerate() {
        let begin = word.as_ptr() as usize - line.as_ptr() as usize;
        if !is_field((index, word)) {
            let is_moves = word == "moves" || word.parse::<Move>().is_ok();
            return (&line[..end], if is_moves { &line[begin..] } else { "" });
        }
        end = begin + word.len();
    }
    (line, "")
}

/// Rewrites the coordinates of a list that counts ranks from 1.
fn count_from_zero(moves: &str) -> Cow<'_, str> {
    let has_ten = |word: &str| word.contains("10") && word.parse::<Move>().is_ok();
    if !moves.contains("10") || !moves.split_ascii_whitespace().any(has_ten) {
        return Cow::Borrowed(moves);
    }
    let words = moves.split_ascii_whitespace().map(|word| {
        if word.contains("10") {
            return Cow::Borrowed(word);
        }
        let Ok(mv) = word.parse::<Move>() else {
            return Cow::Borrowed(word);
        };
        match (mv.from().offset(0, -1), mv.to().offset(0, -1)) {
            (Some(from), Some(to)) => Cow::Owned(Move::new(from, to).to_string()),
            _ => Cow::Borrowed(word),
        }
    });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Writes the main line as a row: result, start, moves.
pub fn write_row(record: &Record) -> String {
    let start = if *record.start() == Position::start() {
        "-".to_owned()
    } else {
        record.start().to_fen()
    };
    let result = match record.result() {
        GameResult::Draw => "1/2",
        other => other.pgn(),
    };
    format!("{result}\t{start}\t{}", moves_of(record))
}

/// Writes the main line as a UCCI position command.
pub fn write_ucci(record: &Record) -> String {
    let moves = moves_of(record);
    let keyword = if moves.is_empty() { "" } else { " moves " };
    format!("position fen {}{keyword}{moves}", record.start().to_fen())
}

/// The moves in coordinates, with the illegal one at which the record stops.
fn moves_of(record: &Record) -> String {
    let stop = record.stopped_by().and_then(|stop| stop.illegal_move());
    let moves = record.moves().into_iter().chain(stop);
    moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    #[test]
    fn every_form_of_a_list_is_the_same_game() {
        let moves = "h2e2 h9g7 h0g2";
        for text in [
            format!("1-0\t-\t{moves}"),
            format!("1-0\t{START_FEN}\tH2-E2 H9-G7 H0-G2\r\n"),
            format!("position startpos moves {moves}"),
            format!("position fen {START_FEN} moves {moves}"),
            format!("fen {START_FEN} moves {moves}"),
            format!("startpos moves {moves}"),
            format!("{START_FEN} moves {moves}"),
            format!("{START_FEN} {moves}"),
            format!("{START_FEN}\n1. 炮二平五 马8进7\n2. 马二进三 1-0"),
            "startpos moves h3e3 h10g8 h1g3".to_owned(),
        ] {
            let record = read(&text).expect(&text);
            assert_eq!(moves_of(&record), moves, "{text}");
        }
        let epd = read("4k4/9/9/9/9/9/9/9/5R3/3K5 w - - bm f1e1; id \"x\";").unwrap();
        assert!(epd.moves().is_empty() && epd.stopped_by().is_none());
    }

    #[test]
    fn rows_are_written_as_they_were_read() {
        for row in [
            "1/2\t-\th2e2 h9g7",
            "0-1\t4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 17\te1e0",
            "*\t-\t",
            "1-0\t-\th2e2 h2e2",
        ] {
            assert_eq!(write_row(&read(row).unwrap()), row);
        }
        let illegal = read("1-0\t-\th2e2 h2e2").unwrap();
        assert_eq!(illegal.stopped_by().unwrap().ply, 2);
        assert_eq!(
            read(&write_ucci(&illegal)).unwrap().stopped_by(),
            illegal.stopped_by()
        );
    }

    #[test]
    fn wrong_columns_are_named() {
        let error = read("1-0\t9/9\th2e2").unwrap_err();
        assert_eq!(
            error.to_string(),
            "start position: the board has 2 ranks, not 10"
        );
        let error = read("h2e2 h9g7").unwrap_err();
        assert!(error.to_string().contains("h2e2 h9g7"), "{error}");
    }
}
