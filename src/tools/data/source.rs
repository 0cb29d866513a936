//! Reading data files of any kind: which one it is, what is in it, what is
//! wrong with it.

use super::archive;
use crate::tools::datagen::game_file::{GameFileError, Games, START_BYTES, SelfPlayGame};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Games as the generator writes them.
    Games,
    /// The same behind zstd.
    PackedGames,
    /// An archive.
    Archive,
}

impl Kind {
    /// Its name for a person.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "game file",
            Self::PackedGames => "game file behind zstd",
            Self::Archive => "archive",
        }
    }
}

/// Why a file gives nothing.
#[derive(Debug, Error)]
pub enum DataError {
    /// It cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, io::Error),
    /// It is something else.
    #[error("{0} holds no games: {1}")]
    Foreign(PathBuf, String),
    /// A folder without data files.
    #[error("the folder {0} holds no .gam, .gam.zst or .arc file")]
    Empty(PathBuf),
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Content {
    /// What it is.
    pub kind: Kind,
    /// Its size as it is stored.
    pub stored_bytes: usize,
    /// Its name in manifests.
    pub hash: String,
    /// Its games, as in a game file.
    pub stream: Vec<u8>,
    /// What hindered decoding, with the byte of the file.
    pub fault: Option<String>,
}

/// The files that these paths mean: a folder stands for the data files in it,
/// by name. A path may be given twice to weigh it double.
///
/// # Errors
/// If a folder cannot be read or holds nothing.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let error = |fault| DataError::File(path.clone(), fault);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(error)? {
            let entry = entry.map_err(error)?.path();
            let name = entry.to_string_lossy();
            if [".gam", ".gam.zst", ".arc"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                found.push(entry);
            }
        }
        if found.is_empty() {
            return Err(DataError::Empty(path.clone()));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// Reads a file, whatever its kind. Its content tells what it is, not its name.
///
/// # Errors
/// If it cannot be read, or if it does not even begin as a data file does.
pub fn load(path: &Path) -> Result<Content, DataError> {
    let bytes = std::fs::read(path).map_err(|fault| DataError::File(path.to_owned(), fault))?;
    decode(bytes).map_err(|fault| DataError::Foreign(path.to_owned(), fault))
}

fn decode(bytes: Vec<u8>) -> Result<Content, String> {
    const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let hash = super::hash_text(&bytes);
    let stored_bytes = bytes.len();
    let (kind, stream, fault) = if bytes.starts_with(archive::MAGIC) {
        let decoded = archive::decode(&bytes)?;
        (Kind::Archive, decoded.stream, decoded.fault)
    } else if bytes.starts_with(&ZSTD_MAGIC) {
        let (stream, fault) = unpack(&bytes);
        (Kind::PackedGames, stream, fault)
    } else {
        (Kind::Games, bytes, None)
    };
    // The first game tells a game file from something foreign.
    if let Some(Err(fault @ GameFileError::Start(0, _))) = Games::new(&stream).next()
        && Games::new(&stream).skip(1).all(|game| game.is_err())
    {
        return Err(fault.to_string());
    }
    if stream.len() < START_BYTES && stored_bytes > 0 {
        return Err(fault.unwrap_or_else(|| format!("{stored_bytes} bytes are too few")));
    }
    Ok(Content {
        kind,
        stored_bytes,
        hash,
        stream,
        fault,
    })
}

/// What zstd gives, as far as it goes.
fn unpack(bytes: &[u8]) -> (Vec<u8>, Option<String>) {
    let mut unpacked = Vec::new();
    let mut rest = bytes;
    // Several frames may stand behind each other.
    while !rest.is_empty() {
        let at = bytes.len() - rest.len();
        let fault = match ruzstd::decoding::StreamingDecoder::new(&mut rest) {
            Ok(mut decoder) => decoder
                .read_to_end(&mut unpacked)
                .err()
                .map(|f| f.to_string()),
            Err(fault) => Some(fault.to_string()),
        };
        if let Some(fault) = fault {
            let text = format!("the zstd frame at byte {at} is damaged: {fault}");
            return (unpacked, Some(text));
        }
    }
    (unpacked, None)
}

/// The games of a stream that are whole, and what is wrong with the others: a
/// message for the first fault, and how many there are.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The games.
    pub games: Vec<SelfPlayGame>,
    /// The first fault.
    pub fault: Option<String>,
    /// How many games or gaps could not be read.
    pub faults: u64,
}

impl Parsed {
    /// Reads the games of a file's content.
    pub fn new(content: &Content) -> Self {
        let mut parsed = Self::default();
        if let Some(fault) = &content.fault {
            parsed.add_fault(fault.clone());
        }
        for game in Games::new(&content.stream) {
            match game {
                Ok(game) => parsed.games.push(game),
                Err(fault) => parsed.add_fault(fault.to_string()),
            }
        }
        parsed
    }

    /// Notes a fault.
    pub fn add_fault(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
        self.faults += 1;
    }

    /// One line about all faults of a file, if there are any.
    pub fn complaint(&self, path: &Path) -> Option<String> {
        let fault = self.fault.as_ref()?;
        let more = match self.faults {
            0 | 1 => String::new(),
            count => format!(" (and {} more faults)", count - 1),
        };
        let kept = self.games.len();
        Some(format!(
            "{}: {fault}{more}; {kept} games are whole",
            path.display()
        ))
    }
}
