//! BOOK.DAT, the book of ElephantEye, XQWizard and XQWLight: records of eight
//! bytes, no header.
//!
//! ```text
//! 0  u32  lock of the position
//! 4  u8   from   5  u8  to     points of the 16 by 16 board
//! 6  u16  weight
//! ```
//! Records ascend by lock, then by move. Of a position and its mirror image the
//! one with the smaller words is stored; in symmetric positions every move is
//! there twice, as played and mirrored.

use super::lock::Lock;
use super::points;
use super::{BookError, BookMove, Collection};
use crate::position::Position;
use crate::types::Move;

const RECORD_BYTES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) lock: u32,
    pub(super) mv: Move,
    pub(super) weight: u16,
}

impl Record {
    fn read(bytes: &[u8; RECORD_BYTES]) -> Result<Self, String> {
        let [a, b, c, d, from, to, low, high] = *bytes;
        let problem = || format!("{from:02x} to {to:02x} is no move");
        Ok(Self {
            lock: u32::from_le_bytes([a, b, c, d]),
            mv: points::move_of(from, to).ok_or_else(problem)?,
            weight: u16::from_le_bytes([low, high]),
        })
    }

    /// What the file is sorted by.
    fn order(&self) -> (u32, u8, u8) {
        (
            self.lock,
            points::to_byte(self.mv.to()),
            points::to_byte(self.mv.from()),
        )
    }
}

/// The contents of a BOOK.DAT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatBook {
    /// In the order of the file.
    records: Vec<Record>,
}

impl DatBook {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is empty, a record is no move of a board, or they are not sorted by
    /// lock: then it is something else.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        let (chunks, rest) = bytes.as_chunks::<RECORD_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::Foreign(format!(
                "{} bytes are no whole number of records of {RECORD_BYTES}",
                bytes.len()
            )));
        }
        let mut records: Vec<Record> = Vec::with_capacity(chunks.len());
        for (index, chunk) in chunks.iter().enumerate() {
            let number = index + 1;
            let fault = |problem| BookError::Record { number, problem };
            let record = Record::read(chunk).map_err(fault)?;
            if records.last().is_some_and(|last| last.lock > record.lock) {
                return Err(fault("the locks do not ascend".to_owned()));
            }
            records.push(record);
        }
        Ok(Self { records })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(RECORD_BYTES * self.records.len());
        for record in &self.records {
            bytes.extend(record.lock.to_le_bytes());
            bytes.push(points::to_byte(record.mv.from()));
            bytes.push(points::to_byte(record.mv.to()));
            bytes.extend(record.weight.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_records(mut records: Vec<Record>) -> Self {
        records.sort_by_key(Record::order);
        Self { records }
    }

    /// How many moves it holds.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records of every lock.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Record]> {
        self.records.chunk_by(|a, b| a.lock == b.lock)
    }

    /// The records of a lock.
    pub(super) fn group(&self, lock: u32) -> &[Record] {
        let start = self.records.partition_point(|record| record.lock < lock);
        let rest = &self.records[start..];
        let length = rest.iter().take_while(|record| record.lock == lock).count();
        &rest[..length]
    }

    /// The legal moves that the book knows here, the largest weight first. A lock
    /// of 32 bits may belong to another position as well: its moves are mostly
    /// illegal here and left out.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut group = self.group(Lock::of(position).lock1);
        let is_mirrored = group.is_empty();
        if is_mirrored {
            group = self.group(Lock::of_mirror(position).lock1);
        }
        let legality = position.legality();
        let known = group.iter().map(|record| BookMove {
            mv: if is_mirrored {
                record.mv.mirror_file()
            } else {
                record.mv
            },
            weight: i32::from(record.weight),
            counts: None,
        });
        let mut moves: Vec<BookMove> = known
            .filter(|known| position.is_legal(known.mv, &legality))
            .collect();
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    /// The book of a collection. Positions that share a lock cannot both be kept:
    /// the one with the larger weights is.
    pub fn of(collection: &Collection) -> Self {
        collection.to_dat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three moves of a made-up book, as bytes.
    fn bytes() -> Vec<u8> {
        let lock = Lock::of(&Position::start()).lock1.to_le_bytes();
        let record = |mv: [u8; 2], weight: u16| {
            let mut bytes = lock.to_vec();
            bytes.extend(mv);
            bytes.extend(weight.to_le_bytes());
            bytes
        };
        [
            record([0xa4, 0xa7], 1473), // b2e2
            record([0xaa, 0xa7], 1473), // h2e2
            record([0xc3, 0x33], 9),    // a0a9, not legal here
        ]
        .concat()
    }

    #[test]
    fn files_survive_and_illegal_moves_are_left_out() {
        let book = DatBook::read(&bytes()).unwrap();
        assert_eq!(book.write(), bytes());
        let moves = book.moves(&Position::start());
        let texts: Vec<String> = moves.iter().map(|known| known.mv.to_string()).collect();
        assert_eq!(texts, ["b2e2", "h2e2"]);
        assert_eq!(moves[0].weight, 1473);
        let mut other = Position::start();
        other.make("c3c4".parse().unwrap());
        assert!(book.moves(&other).is_empty());
    }

    #[test]
    fn what_is_no_book_is_an_error() {
        assert_eq!(DatBook::read(b""), Err(BookError::Empty));
        assert!(matches!(
            DatBook::read(&bytes()[..20]),
            Err(BookError::Foreign(_))
        ));
        let mut damaged = bytes();
        damaged[12] = 0;
        let error = DatBook::read(&damaged).unwrap_err();
        assert_eq!(
            error.to_string(),
            "record 2 of the book is damaged: 00 to a7 is no move"
        );
        let mut unsorted = bytes();
        unsorted[0..4].fill(0xff);
        let error = DatBook::read(&unsorted).unwrap_err();
        assert!(error.to_string().contains("do not ascend"), "{error}");
    }
}
