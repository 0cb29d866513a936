//! The game file: whole self-play games with the score of every ply.
//!
//! Games stand back to back, all numbers little-endian:
//!
//! ```text
//! bytes 0-11   occupied squares, 90 bits, bit = 9 * rank + file
//!      12-27   32 nibbles in ascending square order, the low nibble first:
//!              0-6 Red K A B N R C P, 7-13 Black the same
//!      28-29   i16 result for Red: 0 loss, 1 draw, 2 win
//!      30      0
//!      31      side to move: 0 Red, 1 Black
//! then per ply u16 move (from * 90 + to), i16 score for the side to move
//! end          four zero bytes
//! ```

use crate::position::{Position, Setup, SetupError};
use crate::tools::arena::stats::GameResult;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use thiserror::Error;

/// Bytes of a position in the start record.
pub const START_BYTES: usize = 32;
/// What stands behind the last ply.
const END: [u8; 4] = [0; 4];

/// A move played and the score that its search returned, for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score.
    pub score: i16,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayGame {
    /// Where it starts, behind its random opening.
    pub start: Position,
    /// The result for Red.
    pub result: GameResult,
    /// The moves.
    pub plies: Vec<ScoredMove>,
}

/// Why a game file cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFileError {
    /// The file ends inside a game.
    #[error("the file ends inside the game at byte {0}")]
    CutShort(usize),
    /// A start position that is none.
    #[error("the game at byte {0} does not start from a position: {1}")]
    Start(usize, SetupError),
    /// A number that means nothing.
    #[error("the game at byte {0} is damaged: {1}")]
    Damaged(usize, String),
}

/// Reads the games of a file one after the other.
#[derive(Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Games<'a> {
    /// The games in these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn read(&mut self) -> Result<SelfPlayGame, GameFileError> {
        let begin = self.at;
        let rest = &self.bytes[begin..];
        let head: &[u8; START_BYTES] = rest.first_chunk().ok_or(GameFileError::CutShort(begin))?;
        let start = unpack_position(head).map_err(|fault| GameFileError::Start(begin, fault))?;
        let damaged = |text: String| GameFileError::Damaged(begin, text);
        let mut game = SelfPlayGame {
            start,
            result: unpack_result(head).map_err(damaged)?,
            plies: Vec::new(),
        };
        for (index, ply) in rest[START_BYTES..].as_chunks::<4>().0.iter().enumerate() {
            if *ply == END {
                self.at = begin + START_BYTES + 4 * (index + 1);
                return Ok(game);
            }
            let code = u16::from_le_bytes([ply[0], ply[1]]);
            let squares = (
                Square::from_index(usize::from(code / 90)),
                Square::from_index(usize::from(code % 90)),
            );
            let mv = match squares {
                (Some(from), Some(to)) => Move::checked(from, to),
                _ => None,
            };
            game.plies.push(ScoredMove {
                mv: mv.ok_or_else(|| damaged(format!("move {code}")))?,
                score: i16::from_le_bytes([ply[2], ply[3]]),
            });
        }
        Err(GameFileError::CutShort(begin))
    }

    /// Goes behind the next end mark, where another game may begin.
    fn skip(&mut self) {
        let begin = (self.at + START_BYTES).min(self.bytes.len());
        let quads = self.bytes[begin..].as_chunks::<4>().0;
        self.at = quads
            .iter()
            .position(|quad| *quad == END)
            .map_or(self.bytes.len(), |index| begin + 4 * (index + 1));
    }
}

impl Iterator for Games<'_> {
    type Item = Result<SelfPlayGame, GameFileError>;

    /// The next game; after an error, the one behind the next end mark.
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let game = self.read();
        if game.is_err() {
            self.skip();
        }
        Some(game)
    }
}

/// Appends a game to a file's bytes.
pub fn write_game(game: &SelfPlayGame, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&pack_position(&game.start));
    bytes.extend_from_slice(&(game.result.half_points() as i16).to_le_bytes());
    bytes.push(0);
    bytes.push(game.start.side_to_move().index() as u8);
    for ply in &game.plies {
        let code = ply.mv.from().index() * 90 + ply.mv.to().index();
        bytes.extend_from_slice(&(code as u16).to_le_bytes());
        bytes.extend_from_slice(&ply.score.to_le_bytes());
    }
    bytes.extend_from_slice(&END);
}

/// Occupied squares and men, the first 28 bytes of a record.
pub fn pack_position(position: &Position) -> [u8; 28] {
    let mut bytes = [0; 28];
    let occupied = position.occupied();
    bytes[..12].copy_from_slice(&occupied.bits().to_le_bytes()[..12]);
    for (index, square) in occupied.into_iter().enumerate() {
        if let Some(piece) = position.piece_on(square) {
            bytes[12 + index / 2] |= (piece.index() as u8) << (4 * (index % 2));
        }
    }
    bytes
}

/// A game without moves from its start record.
///
/// # Errors
/// If it is none, as a text.
pub fn read_start(head: &[u8; START_BYTES]) -> Result<SelfPlayGame, String> {
    Ok(SelfPlayGame {
        start: unpack_position(head).map_err(|fault| fault.to_string())?,
        result: unpack_result(head)?,
        plies: Vec::new(),
    })
}

fn unpack_result(head: &[u8; START_BYTES]) -> Result<GameResult, String> {
    match head[28] {
        0 => Ok(GameResult::Loss),
        1 => Ok(GameResult::Draw),
        2 => Ok(GameResult::Win),
        other => Err(format!("result {other}")),
    }
}

fn unpack_position(head: &[u8; START_BYTES]) -> Result<Position, SetupError> {
    let mut setup = Setup::EMPTY;
    for (square, piece) in men(head) {
        setup.board[square.index()] = Some(piece);
    }
    setup.side = if head[31] & 1 == 0 {
        Color::Red
    } else {
        Color::Black
    };
    setup.into_position()
}

/// The men of a packed position in ascending square order. Squares and nibbles
/// that mean nothing are left out.
pub fn men(packed: &[u8; START_BYTES]) -> ArrayVec<(Square, Piece), 32> {
    let mut occupied = [0; 16];
    occupied[..12].copy_from_slice(&packed[..12]);
    let squares = Bitboard::from_bits(u128::from_le_bytes(occupied));
    let mut men = ArrayVec::new();
    for (index, square) in squares.into_iter().take(men.capacity()).enumerate() {
        let code = packed[12 + index / 2] >> (4 * (index % 2)) & 15;
        if let Some(piece) = PIECES[usize::from(code)] {
            men.push((square, piece));
        }
    }
    men
}

/// What a nibble stands for.
const PIECES: [Option<Piece>; 16] = {
    let mut pieces = [None; 16];
    let mut code = 0;
    while code < 14 {
        let (color, kind) = (Color::ALL[code / 7], PieceType::ALL[code % 7]);
        pieces[code] = Some(Piece { color, kind });
        code += 1;
    }
    pieces
};

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> SelfPlayGame {
        let mv = |text: &str| text.parse().unwrap();
        SelfPlayGame {
            start: Position::start(),
            result: GameResult::Draw,
            plies: vec![
                ScoredMove {
                    mv: mv("h2e2"),
                    score: 31,
                },
                ScoredMove {
                    mv: mv("h9g7"),
                    score: -28,
                },
            ],
        }
    }

    #[test]
    fn games_survive_their_file() {
        let mut bytes = Vec::new();
        write_game(&game(), &mut bytes);
        write_game(&game(), &mut bytes);
        let games: Vec<_> = Games::new(&bytes).collect();
        assert_eq!(games, [Ok(game()), Ok(game())]);
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_games() {
        let mut bytes = Vec::new();
        write_game(&game(), &mut bytes);
        let whole = bytes.len();
        write_game(&game(), &mut bytes);
        for cut in whole + 1..bytes.len() {
            let games: Vec<_> = Games::new(&bytes[..cut]).collect();
            assert_eq!(
                games,
                [Ok(game()), Err(GameFileError::CutShort(whole))],
                "{cut}"
            );
        }
    }

    #[test]
    fn a_damaged_game_does_not_take_the_next_ones_with_it() {
        let mut bytes = Vec::new();
        for _ in 0..3 {
            write_game(&game(), &mut bytes);
        }
        let whole = bytes.len() / 3;
        for at in whole..2 * whole - 4 {
            let mut damaged = bytes.clone();
            damaged[at] = 255;
            let games: Vec<_> = Games::new(&damaged).collect();
            assert_eq!(games[0], Ok(game()), "{at}");
            assert_eq!(games.last(), Some(&Ok(game())), "{at}");
        }
    }

    #[test]
    fn damage_is_named() {
        let mut bytes = Vec::new();
        write_game(&game(), &mut bytes);
        bytes[28] = 7;
        assert!(matches!(
            Games::new(&bytes).next(),
            Some(Err(GameFileError::Damaged(0, _)))
        ));
        bytes[28] = 1;
        bytes[32..34].copy_from_slice(&u16::MAX.to_le_bytes());
        assert!(matches!(
            Games::new(&bytes).next(),
            Some(Err(GameFileError::Damaged(0, _)))
        ));
        bytes[0..12].fill(0);
        assert!(matches!(
            Games::new(&bytes).next(),
            Some(Err(GameFileError::Start(0, _)))
        ));
    }
}
