//! What a match or tournament leaves on the disk: a journal to go on from, the
//! games as PGN and as training data.
//!
//! A game is written to the other files first and to the journal last, so a game
//! in the journal is everywhere. Each line of the journal also says how long the
//! other files were then; what a kill or a full disk has left behind that (at most
//! a game or a part of one) is cut off when the journal is opened again, and that
//! game is played again.

use super::game::PlayedGame;
use serde::{Deserialize, Serialize};
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
    #[serde(default)]
    sizes: [u64; 2],
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
        }
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
    /// Opens the files of the event with this description, and returns the games
    /// that its journal already has.
    ///
    /// # Errors
    /// If a file cannot be used, or the journal is not of this event.
    pub fn open(paths: &Paths, event: &str) -> Result<(Self, Vec<Entry>), FileError> {
        let mut others = [Output::open(&paths.pgn)?, Output::open(&paths.games)?];
        let sizes = |others: &[Option<Output>; 2]| {
            others
                .each_ref()
                .map(|output| output.as_ref().map_or(0, |output| output.size))
        };
        let Some(mut journal) = Output::open(&paths.journal)? else {
            let journal = None;
            return Ok((Self { journal, others }, Vec::new()));
        };
        let text = journal.read_whole_lines()?;
        let mut entries = Vec::new();
        match text.split_once('\n') {
            None => {
                let sizes = sizes(&others);
                let event = event.to_owned();
                journal.append(&line(&Header { event, sizes }))?;
            }
            Some((first, rest)) => {
                let damaged = |number| FileError::Damaged(journal.path.clone(), number);
                let header: Header = serde_json::from_str(first).map_err(|_| damaged(1))?;
                if header.event != event {
                    return Err(FileError::OtherEvent(journal.path, header.event));
                }
                for (index, line) in rest.lines().enumerate() {
                    let entry: Entry = serde_json::from_str(line)
                        .ok()
                        .filter(|entry: &Entry| entry.points <= 2)
                        .ok_or_else(|| damaged(index + 2))?;
                    entries.push(entry);
                }
                let known = entries.last().map_or(header.sizes, |entry| entry.sizes);
                for (output, known) in others.iter_mut().flatten().zip(known) {
                    output.cut_unfinished(known)?;
                }
            }
        }
        let journal = Some(journal);
        Ok((Self { journal, others }, entries))
    }

    /// Whether games are wanted as PGN and as training data.
    pub fn wants(&self) -> [bool; 2] {
        self.others.each_ref().map(Option::is_some)
    }

    /// Writes a game: its PGN, its training data, and last its journal line.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, entry: &Entry, contents: [&[u8]; 2]) -> Result<(), FileError> {
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

    /// The text up to its last line end; what a kill has left behind that is cut
    /// off, or the next line would be joined to it.
    fn read_whole_lines(&mut self) -> Result<String, FileError> {
        let mut text = String::new();
        // No further: a device may be endless.
        (&self.file)
            .take(self.size)
            .read_to_string(&mut text)
            .map_err(|fault| self.fault(fault))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        if self.size > whole as u64 {
            self.cut(whole as u64)?;
        }
        Ok(text)
    }

    /// Cuts off what stands behind this size if it is one game at most: then it is
    /// the game that did not reach the journal. More was added by somebody else.
    fn cut_unfinished(&mut self, size: u64) -> Result<(), FileError> {
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
        let games = String::from_utf8_lossy(&tail).matches("[Event \"").count();
        if games <= 1 { self.cut(size) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(round: usize) -> Entry {
        Entry {
            round,
            board: 0,
            game: 0,
            seats: [0, 1],
            points: 2,
            reason: "mate".to_owned(),
            failed: None,
            plies: 3,
            overrun: [0; 2],
            sizes: [0; 2],
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("chuhe-files-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn paths(folder: &Path) -> Paths {
        Paths {
            journal: Some(folder.join("journal")),
            pgn: Some(folder.join("pgn")),
            games: None,
        }
    }

    /// Cuts the files of three games after every possible number of bytes, as a
    /// kill would, and goes on: each game is there once.
    #[test]
    fn a_kill_at_any_byte_loses_and_doubles_nothing() {
        let folder = folder("kill");
        let paths = paths(&folder);
        let (journal, pgn) = (folder.join("journal"), folder.join("pgn"));
        let text = |round: usize| format!("[Event \"x\"]\n[Round \"{round}\"]\n*\n\n");
        let play = |from: usize| {
            let (mut files, known) = Files::open(&paths, "event").unwrap();
            assert!(known.len() >= from, "a game of the journal was lost");
            for round in known.len()..3 {
                let game = text(round);
                files.write(&entry(round), [game.as_bytes(), b""]).unwrap();
            }
        };
        play(0);
        let whole = [&journal, &pgn].map(|path| std::fs::read(path).unwrap());
        let lines: Vec<usize> = (0..whole[0].len())
            .filter(|&at| whole[0][at] == b'\n')
            .collect();
        let game = text(0).len();
        for (games, window) in lines.windows(2).enumerate() {
            // The journal holds `games` games, the PGN that and a part of the next.
            for cut in 0..=game {
                std::fs::write(&journal, &whole[0][..window[0] + 1 + cut % 7]).unwrap();
                std::fs::write(&pgn, &whole[1][..games * game + cut]).unwrap();
                play(games);
                let after = [&journal, &pgn].map(|path| std::fs::read(path).unwrap());
                assert_eq!(after, whole, "{games} games, {cut} bytes more");
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn games_of_others_are_left_alone() {
        let folder = folder("others");
        let paths = paths(&folder);
        let pgn = folder.join("pgn");
        drop(Files::open(&paths, "event").unwrap());
        let others = "[Event \"y\"]\n*\n[Event \"z\"]\n*\n";
        std::fs::write(&pgn, others).unwrap();
        drop(Files::open(&paths, "event").unwrap());
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), others);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = folder("wrong");
        let paths = paths(&folder);
        drop(Files::open(&paths, "one").unwrap());
        let other = Files::open(&paths, "two").unwrap_err();
        assert!(matches!(other, FileError::OtherEvent(..)), "{other}");
        std::fs::write(folder.join("journal"), "rubbish\n").unwrap();
        let damaged = Files::open(&paths, "one").unwrap_err();
        assert!(matches!(damaged, FileError::Damaged(_, 1)), "{damaged}");
        let nowhere = Paths {
            pgn: Some(folder.join("no/such/folder")),
            ..Paths::default()
        };
        assert!(matches!(Files::open(&nowhere, ""), Err(FileError::Io(..))));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
