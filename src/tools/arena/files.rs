//! What a match or tournament leaves on the disk: a journal to go on from, the
//! games as PGN and as training data.
//!
//! A game is written to the other files first and to the journal last, so a game
//! in the journal is everywhere. Each line of the journal also says how long the
//! other files were then; what a kill or a full disk has left behind that (at most
//! a game or a part of one) is cut off when the journal is opened again, and that
//! game is played again.

use super::game::PlayedGame;
use crate::tools::datagen::game_file::Games;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where results and games go.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Results, so that it goes on after a kill.
    pub journal: Option<PathBuf>,
    /// Games as PGN.
    pub pgn: Option<PathBuf>,
    /// Games in the training-data format.
    pub games: Option<PathBuf>,
}

/// Why the files cannot be used.
#[derive(Debug, Error)]
pub enum FileError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The journal is damaged, or no journal.
    #[error("{0}, line {1}: not a line of a journal")]
    Damaged(PathBuf, usize),
    /// The journal belongs to other players or other settings.
    #[error("{0} is the journal of another event: {1}")]
    OtherEvent(PathBuf, String),
}

/// The first line of a journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    event: String,
    sizes: [u64; 2],
}

/// A game in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The round of a tournament, the pair of a match; from 0.
    pub round: usize,
    /// The table of the round; 0 in a match.
    pub board: usize,
    /// The game of the encounter; from 0.
    pub game: usize,
    /// Red and Black, by number.
    pub seats: [usize; 2],
    /// Red's half points.
    pub points: usize,
    /// How it ended; of a fault, its name.
    pub reason: String,
    /// Who failed, if the game ended so.
    pub failed: Option<usize>,
    /// Its length.
    pub plies: usize,
    /// The most milliseconds that Red and Black took beyond what they had.
    pub overrun: [u64; 2],
    /// The sizes of the other files after this game.
    sizes: [u64; 2],
    /// Its line in the journal that it was read from.
    #[serde(skip)]
    line: usize,
}

impl Entry {
    /// A game that was played at this place.
    pub fn new(place: [usize; 3], seats: [usize; 2], game: &PlayedGame) -> Self {
        let [round, board, number] = place;
        Self {
            round,
            board,
            game: number,
            seats,
            points: game.result.half_points(),
            reason: game.reason.kind().to_owned(),
            failed: game.failed().map(|side| seats[side.index()]),
            plies: game.plies.len(),
            overrun: game.overrun.map(|time| time.as_millis() as u64),
            sizes: [0; 2],
            line: 0,
        }
    }

    /// Round, board, game.
    pub fn place(&self) -> [usize; 3] {
        [self.round, self.board, self.game]
    }

    /// Whether so many players can have played it: whoever failed has lost.
    fn is_possible(&self, players: usize) -> bool {
        let [red, black] = self.seats;
        let loser = match self.points {
            0 => Some(red),
            2 => Some(black),
            _ => None,
        };
        let has_result = self.points <= 2 && (self.failed.is_none() || self.failed == loser);
        has_result && red != black && red.max(black) < players
    }
}

/// The open files.
#[derive(Debug)]
pub struct Files {
    journal: Option<Output>,
    others: [Option<Output>; 2],
}

#[derive(Debug)]
struct Output {
    path: PathBuf,
    file: File,
    size: u64,
}

impl Files {
    /// Opens the files of the event with this description and so many players, and
    /// returns the games that its journal already has.
    ///
    /// # Errors
    /// If a file cannot be used, or the journal is not of this event; then it is
    /// left as it is.
    pub fn open(
        paths: &Paths,
        event: &str,
        players: usize,
    ) -> Result<(Self, Vec<Entry>), FileError> {
        let mut others = [Output::open(&paths.pgn)?, Output::open(&paths.games)?];
        let Some(mut journal) = Output::open(&paths.journal)? else {
            let journal = None;
            return Ok((Self { journal, others }, Vec::new()));
        };
        let bytes = journal.read()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let (lines, torn) = bytes.split_at(whole.map_or(0, |end| end + 1));
        let known = read_lines(&journal.path, lines, event, players)?;
        if known.is_none() && !is_begun_header(torn, event) {
            return Err(FileError::Damaged(journal.path, 1));
        }
        // It is ours: what a kill has left behind the last line end goes, or the
        // next line would be joined to it.
        if !torn.is_empty() {
            journal.cut(lines.len() as u64)?;
        }
        let entries = match known {
            Some((header, entries)) => {
                let sizes = entries.last().map_or(header.sizes, |entry| entry.sizes);
                let counts = [count_pgn, count_training];
                for ((output, size), count) in others.iter_mut().zip(sizes).zip(counts) {
                    if let Some(output) = output {
                        output.cut_unfinished(size, count)?;
                    }
                }
                entries
            }
            None => {
                let size = |output: &Option<Output>| output.as_ref().map_or(0, |o| o.size);
                let sizes = others.each_ref().map(size);
                let event = event.to_owned();
                journal.append(&line(&Header { event, sizes }))?;
                Vec::new()
            }
        };
        let journal = Some(journal);
        Ok((Self { journal, others }, entries))
    }

    /// What to say of an entry that this event cannot have.
    pub fn damaged(&self, entry: &Entry) -> FileError {
        let journal = self.journal.as_ref();
        let path = journal.map_or_else(PathBuf::new, |journal| journal.path.clone());
        FileError::Damaged(path, entry.line)
    }

    /// Whether games are wanted as PGN and as training data.
    pub fn wants(&self) -> [bool; 2] {
        self.others.each_ref().map(Option::is_some)
    }

    /// Writes a game: its PGN, its training data, and last its journal line. It is
    /// in all of them or in none: other games may be written after a failure.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, entry: &Entry, contents: [&[u8]; 2]) -> Result<(), FileError> {
        let before: Vec<u64> = self
            .outputs()
            .map(Output::measure)
            .collect::<Result<_, _>>()?;
        let written = self.append(entry, contents);
        if written.is_err() {
            for (output, size) in self.outputs().zip(before) {
                // A device cannot be cut; what is told is the first fault.
                let _ = output.cut(size);
            }
        }
        written
    }

    fn outputs(&mut self) -> impl Iterator<Item = &mut Output> {
        self.journal
            .iter_mut()
            .chain(self.others.iter_mut().flatten())
    }

    fn append(&mut self, entry: &Entry, contents: [&[u8]; 2]) -> Result<(), FileError> {
        let mut entry = entry.clone();
        for (index, contents) in contents.into_iter().enumerate() {
            if let Some(output) = &mut self.others[index] {
                output.append(contents)?;
                entry.sizes[index] = output.size;
            }
        }
        match &mut self.journal {
            Some(journal) => journal.append(&line(&entry)),
            None => Ok(()),
        }
    }
}

/// The games in the whole lines of a journal; `None` if it has none.
fn read_lines(
    path: &Path,
    bytes: &[u8],
    event: &str,
    players: usize,
) -> Result<Option<(Header, Vec<Entry>)>, FileError> {
    let damaged = |number| FileError::Damaged(path.to_owned(), number);
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let Some(first) = lines.next() else {
        return Ok(None);
    };
    let header: Header = serde_json::from_slice(first).map_err(|_| damaged(1))?;
    if header.event != event {
        return Err(FileError::OtherEvent(path.to_owned(), header.event));
    }
    let mut places = HashSet::new();
    let mut entries = Vec::new();
    for (index, line) in lines.enumerate() {
        let number = index + 2;
        let entry: Entry = serde_json::from_slice(line).map_err(|_| damaged(number))?;
        if !entry.is_possible(players) || !places.insert(entry.place()) {
            return Err(damaged(number));
        }
        entries.push(Entry {
            line: number,
            ..entry
        });
    }
    Ok(Some((header, entries)))
}

/// Whether a kill can have left these bytes of the first line of this event's
/// journal.
fn is_begun_header(bytes: &[u8], event: &str) -> bool {
    /// What may be missing of the two sizes.
    const ENDS: [&str; 5] = ["0]}", ",0]}", "]}", "}", ""];
    let event = event.to_owned();
    let is_of_event = |end: &&str| {
        let header = serde_json::from_slice(&[bytes, end.as_bytes()].concat());
        header.is_ok_and(|header: Header| header.event == event)
    };
    let sizes = [0; 2];
    let whole = line(&Header {
        event: event.clone(),
        sizes,
    });
    whole.starts_with(bytes) || ENDS.iter().any(is_of_event)
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

impl Output {
    fn open(path: &Option<PathBuf>) -> Result<Option<Self>, FileError> {
        let Some(path) = path else { return Ok(None) };
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            let file = options.create(true).read(true).append(true).open(path)?;
            let size = file.metadata()?.len();
            Ok((file, size))
        };
        let (file, size) = open(path).map_err(|fault| FileError::Io(path.clone(), fault))?;
        let path = path.clone();
        Ok(Some(Self { path, file, size }))
    }

    fn fault(&self, fault: io::Error) -> FileError {
        FileError::Io(self.path.clone(), fault)
    }

    /// Its size now: others may have added to it.
    fn measure(&mut self) -> Result<u64, FileError> {
        let metadata = self.file.metadata().map_err(|fault| self.fault(fault))?;
        self.size = metadata.len();
        Ok(self.size)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file
            .write_all(bytes)
            .map_err(|fault| self.fault(fault))?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    fn cut(&mut self, size: u64) -> Result<(), FileError> {
        self.file.set_len(size).map_err(|fault| self.fault(fault))?;
        self.size = size;
        Ok(())
    }

    fn read(&self) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        // No further: a device may be endless.
        (&self.file)
            .take(self.size)
            .read_to_end(&mut bytes)
            .map_err(|fault| self.fault(fault))?;
        Ok(bytes)
    }

    /// Cuts off what stands behind this size if it is one game at most: then it is
    /// the game that did not reach the journal. More was added by somebody else.
    fn cut_unfinished(&mut self, size: u64, count: fn(&[u8]) -> usize) -> Result<(), FileError> {
        /// No single game is longer.
        const LONGEST: u64 = 1 << 16;
        if self.size <= size || self.size - size > LONGEST {
            return Ok(());
        }
        let mut tail = Vec::new();
        let mut read = || {
            self.file.seek(SeekFrom::Start(size))?;
            self.file.read_to_end(&mut tail)
        };
        read().map_err(|fault| self.fault(fault))?;
        if count(&tail) <= 1 {
            self.cut(size)
        } else {
            Ok(())
        }
    }
}

/// Games in a piece of PGN, a torn one among them.
fn count_pgn(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).matches("[Event \"").count()
}

/// Games in a piece of training data, a torn one among them.
fn count_training(bytes: &[u8]) -> usize {
    Games::new(bytes).count()
}

#[cfg(test)]
mod tests;
