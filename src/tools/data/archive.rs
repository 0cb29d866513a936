//! The archive: many games in little room.
//!
//! ```text
//! magic      8 bytes   "CHUHEARC"
//! version    u32       1
//! order      u32       how moves are numbered, see ORDER
//! games      u64
//! plies      u64
//! checksum   u64       FNV-1a of all games as in a game file
//! then blocks of 1,000 games (the last holds the rest):
//!   games, plies, decoded, stored   u32 each; the last two in bytes
//!   checksum                        u64, FNV-1a of the block's games as in a game file
//!   payload                         zstd of
//!     start records                 32 bytes a game, as in the game file
//!     lengths                       u32 a game, in plies
//!     moves                         one byte a ply: the move's number
//!     scores                        one byte a ply, or 255 and an u16
//! ```
//!
//! A move's number is its place among the legal moves in rising order of (from,
//! to): an order of the board, not of the generator, so that no change of move
//! generation makes an archive unreadable. A score is the change against the
//! last score of the same side (at first against 0), wrapped to 16 bits and
//! zig-zagged: 0, -1, 1, -2 become 0, 1, 2, 3. Like things stand together
//! because they compress better so. Blocks are independent: damage costs one.

use crate::eval::nnue::format::{fnv1a, fnv1a_from};
use crate::position::Position;
use crate::tools::datagen::game_file::{self, START_BYTES, ScoredMove, SelfPlayGame, write_game};
use crate::types::Move;
use rayon::prelude::*;
use std::io::Read;

/// How an archive begins.
pub const MAGIC: &[u8; 8] = b"CHUHEARC";
const VERSION: u32 = 1;
/// The version of [`moves_in_order`]. A test guards it.
const ORDER: u32 = 1;
const HEADER_BYTES: usize = 40;
const BLOCK_HEADER_BYTES: usize = 24;
/// Games of a block.
const BLOCK_GAMES: usize = 1_000;
/// More than a block of long games decodes to; guards against absurd sizes.
const MAX_BLOCK_BYTES: usize = 1 << 28;
/// The byte before a score change of two bytes.
const WIDE: u8 = 255;

/// What an archive gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Its games, as in a game file.
    pub stream: Vec<u8>,
    /// Why some are missing.
    pub fault: Option<String>,
}

/// Packs games into an archive, on the current rayon pool.
///
/// # Errors
/// If a game plays an illegal move: its number and the move.
pub fn encode(games: &[SelfPlayGame]) -> Result<Vec<u8>, String> {
    let blocks: Vec<Block> = games
        .par_chunks(BLOCK_GAMES)
        .enumerate()
        .map(|(number, games)| Block::encode(games, number * BLOCK_GAMES))
        .collect::<Result<_, _>>()?;
    let plies: u64 = games.iter().map(|game| game.plies.len() as u64).sum();
    let mut checksum = fnv1a(&[]);
    for block in &blocks {
        checksum = fnv1a_from(checksum, &block.stream);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&ORDER.to_le_bytes());
    for word in [games.len() as u64, plies, checksum] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for block in &blocks {
        bytes.extend_from_slice(&block.stored);
    }
    Ok(bytes)
}

/// Unpacks an archive, on the current rayon pool. Damaged blocks are left out,
/// the first of them is named.
///
/// # Errors
/// If the header is not that of an archive that this version can read.
pub fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    let header: &[u8; HEADER_BYTES] = bytes
        .first_chunk()
        .filter(|header| header.starts_with(MAGIC))
        .ok_or("this is no archive")?;
    let version = word32(header, 8);
    if version != VERSION {
        return Err(format!(
            "archive version {version} is not known (this version reads {VERSION})"
        ));
    }
    let order = word32(header, 12);
    if order != ORDER {
        return Err(format!(
            "its moves are numbered in the order {order}, this version knows {ORDER}"
        ));
    }
    let (places, mut fault) = find_blocks(bytes);
    let count = |field: usize| -> u64 {
        let blocks = places.iter();
        blocks
            .map(|at| u64::from(word32(bytes, at + 4 * field)))
            .sum()
    };
    let counts = [count(0), count(1)];
    let blocks: Vec<Result<Vec<u8>, String>> = places
        .par_iter()
        .map(|&at| decode_block(&bytes[at..]).map_err(|text| format!("block at byte {at}: {text}")))
        .collect();
    let mut decoded = Decoded::default();
    let mut checksum = fnv1a(&[]);
    for block in blocks {
        match block {
            Ok(stream) => {
                checksum = fnv1a_from(checksum, &stream);
                decoded.stream.extend_from_slice(&stream);
            }
            Err(text) => fault = fault.or(Some(text)),
        }
    }
    let expected = [word64(header, 16), word64(header, 24)];
    if fault.is_none() && (counts != expected || checksum != word64(header, 32)) {
        fault = Some("blocks are missing, or the header at byte 0 is damaged".to_owned());
    }
    decoded.fault = fault;
    Ok(decoded)
}

/// Where the blocks begin, and where the chain of their sizes breaks.
fn find_blocks(bytes: &[u8]) -> (Vec<usize>, Option<String>) {
    let mut places = Vec::new();
    let mut at = HEADER_BYTES;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let Some(header) = rest.first_chunk::<BLOCK_HEADER_BYTES>() else {
            return (places, Some(format!("cut short at byte {}", bytes.len())));
        };
        let length = BLOCK_HEADER_BYTES + word32(header, 12) as usize;
        if length > rest.len() {
            let text = format!("the block at byte {at} is cut short or its size is damaged");
            return (places, Some(text));
        }
        places.push(at);
        at += length;
    }
    (places, None)
}

/// A block as it is stored, and what its games are in a game file.
struct Block {
    stored: Vec<u8>,
    stream: Vec<u8>,
}

impl Block {
    fn encode(games: &[SelfPlayGame], first: usize) -> Result<Self, String> {
        let (mut starts, mut lengths) = (Vec::new(), Vec::new());
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        let mut stream = Vec::new();
        for (index, game) in games.iter().enumerate() {
            let begin = stream.len();
            write_game(game, &mut stream);
            starts.extend_from_slice(&stream[begin..begin + START_BYTES]);
            lengths.extend_from_slice(&(game.plies.len() as u32).to_le_bytes());
            let number = number_moves(game, &mut moves);
            number.map_err(|text| format!("game {}: {text}", first + index + 1))?;
            write_scores(&game.plies, &mut scores);
        }
        let plies = moves.len();
        let payload = [starts, lengths, moves, scores].concat();
        let packed = ruzstd::encoding::compress_to_vec(
            payload.as_slice(),
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        let mut stored = Vec::with_capacity(BLOCK_HEADER_BYTES + packed.len());
        for word in [games.len(), plies, payload.len(), packed.len()] {
            stored.extend_from_slice(&(word as u32).to_le_bytes());
        }
        stored.extend_from_slice(&fnv1a(&stream).to_le_bytes());
        stored.extend_from_slice(&packed);
        Ok(Self { stored, stream })
    }
}

fn number_moves(game: &SelfPlayGame, numbers: &mut Vec<u8>) -> Result<(), String> {
    let mut position = game.start.clone();
    for (ply, ScoredMove { mv, .. }) in game.plies.iter().enumerate() {
        let number = moves_in_order(&position).binary_search_by_key(&place(*mv), |mv| place(*mv));
        let number = number.ok().and_then(|number| u8::try_from(number).ok());
        numbers.push(number.ok_or_else(|| format!("ply {ply} is the illegal move {mv}"))?);
        position.make(*mv);
    }
    Ok(())
}

/// The legal moves in rising order of (from, to).
fn moves_in_order(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|mv| place(*mv));
    moves
}

/// What moves are ordered by.
fn place(mv: Move) -> (usize, usize) {
    (mv.from().index(), mv.to().index())
}

fn write_scores(plies: &[ScoredMove], bytes: &mut Vec<u8>) {
    let mut last = [0; 2];
    for (index, ply) in plies.iter().enumerate() {
        let change = ply.score.wrapping_sub(last[index % 2]);
        last[index % 2] = ply.score;
        let code = zigzag(change);
        match u8::try_from(code) {
            Ok(byte) if byte < WIDE => bytes.push(byte),
            _ => {
                bytes.push(WIDE);
                bytes.extend_from_slice(&code.to_le_bytes());
            }
        }
    }
}

const fn zigzag(change: i16) -> u16 {
    ((change << 1) ^ (change >> 15)) as u16
}

const fn unzigzag(code: u16) -> i16 {
    (code >> 1) as i16 ^ -((code & 1) as i16)
}

/// The games of a block, as in a game file.
fn decode_block(block: &[u8]) -> Result<Vec<u8>, String> {
    let header: &[u8; BLOCK_HEADER_BYTES] = block.first_chunk().ok_or("it is cut short")?;
    let [games, plies, decoded, stored] =
        std::array::from_fn(|index| word32(header, 4 * index) as usize);
    if decoded > MAX_BLOCK_BYTES {
        return Err(format!("{decoded} bytes are too many for a block"));
    }
    let packed = &block[BLOCK_HEADER_BYTES..BLOCK_HEADER_BYTES + stored];
    let decoder =
        ruzstd::decoding::StreamingDecoder::new(packed).map_err(|fault| fault.to_string())?;
    let mut payload = Vec::new();
    decoder
        .take(decoded as u64 + 1)
        .read_to_end(&mut payload)
        .map_err(|fault| fault.to_string())?;
    if payload.len() != decoded {
        return Err(format!("{} bytes instead of {decoded}", payload.len()));
    }
    let stream = Reader::new(&payload, games, plies)
        .and_then(|mut reader| reader.games(games))
        .ok_or("its sizes contradict each other")??;
    if fnv1a(&stream) != word64(header, 16) {
        return Err("its checksum is wrong".to_owned());
    }
    Ok(stream)
}

/// The four parts of a block's payload.
struct Reader<'a> {
    starts: &'a [[u8; START_BYTES]],
    lengths: &'a [[u8; 4]],
    moves: &'a [u8],
    scores: &'a [u8],
}

impl<'a> Reader<'a> {
    fn new(payload: &'a [u8], games: usize, plies: usize) -> Option<Self> {
        let (starts, rest) = payload.split_at_checked(games.checked_mul(START_BYTES)?)?;
        let (lengths, rest) = rest.split_at_checked(games.checked_mul(4)?)?;
        let (moves, scores) = rest.split_at_checked(plies)?;
        Some(Self {
            starts: starts.as_chunks().0,
            lengths: lengths.as_chunks().0,
            moves,
            scores,
        })
    }

    /// All games; `None` if a part is too short.
    fn games(&mut self, count: usize) -> Option<Result<Vec<u8>, String>> {
        let mut stream = Vec::new();
        for number in 0..count {
            let length = u32::from_le_bytes(self.lengths[number]) as usize;
            match self.game(&self.starts[number], length)? {
                Ok(game) => write_game(&game, &mut stream),
                Err(text) => return Some(Err(format!("game {}: {text}", number + 1))),
            }
        }
        Some(Ok(stream))
    }

    fn game(
        &mut self,
        head: &[u8; START_BYTES],
        length: usize,
    ) -> Option<Result<SelfPlayGame, String>> {
        let (numbers, rest) = self.moves.split_at_checked(length)?;
        self.moves = rest;
        let mut game = match game_file::read_start(head) {
            Ok(game) => game,
            Err(text) => return Some(Err(text)),
        };
        let mut position = game.start.clone();
        let mut last = [0i16; 2];
        for (ply, &number) in numbers.iter().enumerate() {
            let moves = moves_in_order(&position);
            let Some(&mv) = moves.get(usize::from(number)) else {
                let count = moves.len();
                return Some(Err(format!("ply {ply} is move {number} of {count}")));
            };
            let score = &mut last[ply % 2];
            *score = score.wrapping_add(unzigzag(self.code()?));
            game.plies.push(ScoredMove { mv, score: *score });
            position.make(mv);
        }
        Some(Ok(game))
    }

    fn code(&mut self) -> Option<u16> {
        let (&byte, rest) = self.scores.split_first()?;
        self.scores = rest;
        if byte != WIDE {
            return Some(u16::from(byte));
        }
        let (wide, rest) = self.scores.split_first_chunk()?;
        self.scores = rest;
        Some(u16::from_le_bytes(*wide))
    }
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|index| bytes[at + index]))
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]))
}

#[cfg(test)]
pub(in crate::tools) mod tests {
    use super::*;
    use crate::tools::arena::stats::GameResult;
    use crate::types::Random;

    /// Random games with scores from one end to the other.
    pub(in crate::tools) fn random_games(count: u64) -> Vec<SelfPlayGame> {
        let game = |seed| {
            let mut random = Random::new(seed);
            let mut position = Position::start();
            let mut plies = Vec::new();
            while plies.len() < 80 && !position.legal_moves().is_empty() {
                let moves = position.legal_moves();
                let mv = moves[random.below(moves.len())];
                let score = (random.next_bits() >> random.below(16)) as i16;
                plies.push(ScoredMove { mv, score });
                position.make(mv);
            }
            SelfPlayGame {
                start: Position::start(),
                result: [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3],
                plies,
            }
        };
        (0..count).map(game).collect()
    }

    fn stream(games: &[SelfPlayGame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        games.iter().for_each(|game| write_game(game, &mut bytes));
        bytes
    }

    #[test]
    fn games_survive_their_archive() {
        for count in [0, 1, 30, BLOCK_GAMES as u64 + 5] {
            let games = random_games(count);
            let archive = encode(&games).unwrap();
            let expected = Decoded {
                stream: stream(&games),
                fault: None,
            };
            assert_eq!(decode(&archive), Ok(expected), "{count}");
        }
    }

    #[test]
    fn every_change_of_score_survives() {
        for change in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(change)), change);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }

    /// Archives outlive the move generator: should this test fail, then put the
    /// order right, or raise `ORDER` and refuse the old archives.
    #[test]
    fn the_order_of_moves_is_that_of_the_board() {
        assert_eq!(ORDER, 1);
        let moves = moves_in_order(&Position::start());
        let text: Vec<String> = moves.iter().map(Move::to_string).collect();
        let expected = "a0a1 a0a2 b0a2 b0c2 c0a2 c0e2 d0e1 e0e1 f0e1 g0e2 g0i2 h0g2 h0i2 i0i1 i0i2 \
             b2b1 b2a2 b2c2 b2d2 b2e2 b2f2 b2g2 b2b3 b2b4 b2b5 b2b6 b2b9 \
             h2h1 h2c2 h2d2 h2e2 h2f2 h2g2 h2i2 h2h3 h2h4 h2h5 h2h6 h2h9 \
             a3a4 c3c4 e3e4 g3g4 i3i4";
        assert_eq!(text.join(" "), expected);
    }

    #[test]
    fn an_illegal_move_is_named() {
        let mut games = random_games(2);
        games[1].plies[3].mv = "a0a9".parse().unwrap();
        assert_eq!(
            encode(&games).unwrap_err(),
            "game 2: ply 3 is the illegal move a0a9"
        );
    }

    #[test]
    fn damage_costs_its_block_alone() {
        let games = random_games(BLOCK_GAMES as u64 + 5);
        let archive = encode(&games).unwrap();
        let last = stream(&games[BLOCK_GAMES..]);
        // A bit in the first block's payload.
        let mut damaged = archive.clone();
        damaged[5_000] ^= 4;
        let decoded = decode(&damaged).unwrap();
        assert_eq!(decoded.stream, last);
        let fault = decoded.fault.unwrap();
        assert!(fault.starts_with("block at byte 40: "), "{fault}");
        // The end is missing.
        let decoded = decode(&archive[..archive.len() - 3]).unwrap();
        assert_eq!(decoded.stream, stream(&games[..BLOCK_GAMES]));
        assert!(decoded.fault.unwrap().contains("is cut short"));
        // A whole block is missing.
        let second =
            HEADER_BYTES + BLOCK_HEADER_BYTES + word32(&archive, HEADER_BYTES + 12) as usize;
        let decoded = decode(&archive[..second]).unwrap();
        assert_eq!(decoded.stream, stream(&games[..BLOCK_GAMES]));
        assert!(decoded.fault.is_some());
    }

    #[test]
    fn foreign_headers_are_refused() {
        let mut archive = encode(&random_games(1)).unwrap();
        archive[8] = 2;
        assert!(decode(&archive).unwrap_err().contains("version 2"));
        archive[8] = 1;
        archive[12] = 7;
        assert!(decode(&archive).unwrap_err().contains("order 7"));
        assert!(decode(b"CHUHEARC").is_err());
    }

    /// No flipped bit may be taken for a game, and none may panic.
    #[test]
    fn a_flipped_bit_anywhere_is_noticed() {
        let archive = encode(&random_games(3)).unwrap();
        let good = decode(&archive).unwrap();
        for at in 16..archive.len() {
            let mut damaged = archive.clone();
            damaged[at] ^= 1 << (at % 8);
            if let Ok(decoded) = decode(&damaged) {
                // (zstd has a few bits that mean nothing.)
                assert!(decoded.fault.is_some() || decoded == good, "{at}");
                assert!(
                    decoded.stream.is_empty() || decoded.stream == good.stream,
                    "{at}"
                );
            }
        }
    }
}
