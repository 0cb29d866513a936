//! FEN to [`Setup`] and back, in all the dialects met in the wild: `h` and `e`
//! for horse and elephant, `r` for Red to move, missing fields, empty points
//! written as several digits, a remark behind the counters.

use super::{Position, Setup, SetupError};
use crate::types::{Color, File, Piece, Rank, Square};
use std::fmt::Write as _;
use std::str::FromStr;

/// Move counters above this are taken for garbage and cut.
const MAX_COUNTER: u16 = 9_999;

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads the board field, then whatever else is there: side to move, two
    /// fields that are skipped, plies since a capture, move number. Anything
    /// behind is ignored.
    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut words = text.split_ascii_whitespace();
        let mut setup = Self {
            board: parse_board(words.next().ok_or(SetupError::Empty)?)?,
            ..Self::EMPTY
        };
        match words.next() {
            None | Some("w" | "W" | "r" | "R" | "-" | "--") => {}
            Some("b" | "B") => setup.side = Color::Black,
            Some(other) => return Err(SetupError::UnknownSide(other.to_owned())),
        }
        let mut counters = words
            .skip_while(|word| matches!(*word, "-" | "--"))
            .map_while(|word| word.parse::<u32>().ok())
            .map(|count| count.min(u32::from(MAX_COUNTER)) as u16);
        setup.plies_since_capture = counters.next().unwrap_or(0);
        setup.move_number = counters.next().unwrap_or(1).max(1);
        Ok(setup)
    }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], SetupError> {
    let text = text.strip_suffix('/').unwrap_or(text);
    let rows = text.split('/').count();
    if rows != Rank::COUNT {
        return Err(SetupError::RankCount(rows));
    }
    let mut board = [None; Square::COUNT];
    for (row, rank) in text.split('/').zip(Rank::all().rev()) {
        let mut width = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                width += empty as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(SetupError::UnknownLetter(letter))?;
            if let Some(file) = File::new(width) {
                board[Square::new(file, rank).index()] = Some(piece);
            }
            width += 1;
        }
        if width != File::COUNT {
            let text = row.to_owned();
            return Err(SetupError::RankWidth { text, width });
        }
    }
    Ok(board)
}

impl Position {
    /// Reads a FEN and checks the position.
    ///
    /// # Errors
    /// What is wrong with the text or with the position.
    pub fn from_fen(text: &str) -> Result<Self, SetupError> {
        text.parse::<Setup>()?.into_position()
    }

    /// The position as FEN, with all six fields.
    pub fn to_fen(&self) -> String {
        let mut fen = String::new();
        for rank in Rank::all().rev() {
            let mut empty = 0;
            for file in File::all() {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut fen, &mut empty);
                        fen.push(piece.letter());
                    }
                }
            }
            push_empty(&mut fen, &mut empty);
            fen.push(if rank.index() == 0 { ' ' } else { '/' });
        }
        let _ = write!(
            fen,
            "{} - - {} {}",
            self.side_to_move().fen_letter(),
            self.plies_since_capture(),
            self.move_number()
        );
        fen
    }
}

fn push_empty(fen: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(fen, "{empty}");
        *empty = 0;
    }
}
