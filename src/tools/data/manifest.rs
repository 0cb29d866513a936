//! What is known about data, as TOML beside them.

use super::source::{Content, Parsed};
use super::tally::Tally;
use super::{REVISION, beside};
use crate::eval::nnue::Network;
use crate::tools::output::{self, WriteError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// The version of both manifests, of data and of nets.
pub const FORMAT_VERSION: u32 = 2;

/// A data file as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name, without the folder.
    pub file: String,
    /// FNV-1a of its bytes.
    pub fnv1a: String,
    /// Its games that are whole.
    #[serde(default)]
    pub games: u64,
}

impl DataFile {
    /// The entry of a file that was read.
    pub fn new(path: &Path, content: &Content, parsed: &Parsed) -> Self {
        Self {
            file: file_name(path),
            fnv1a: content.hash.clone(),
            games: parsed.games.len() as u64,
        }
    }
}

/// A path's last part.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// How games were generated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// `hce`, or the checksum of the network.
    pub evaluation: String,
    /// Soft node limit of a move.
    pub nodes: u64,
    /// The seed.
    pub seed: u64,
    /// Game numbers: the first, and the one behind the last.
    pub game_numbers: [u64; 2],
    /// Games in a file.
    pub chunk: u64,
    /// Hash table in megabytes.
    pub hash_mb: u64,
}

/// How the scores of games were made anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescoring {
    /// `hce`, or the checksum of the network.
    pub evaluation: String,
    /// Soft node limit of a position.
    pub nodes: u64,
    /// Hash table in megabytes.
    pub hash_mb: u64,
}

/// The name of an evaluation in a manifest: `hce`, or the network's checksum.
pub fn evaluation_name(network: Option<&Network>) -> String {
    network.map_or_else(
        || "hce".to_owned(),
        |network| format!("{:016x}", network.checksum()),
    )
}

/// The manifest of data files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataManifest {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The engine that wrote the files.
    pub engine_version: String,
    /// The revision of its source.
    pub engine_revision: String,
    /// What all files hold together.
    pub total: Tally,
    /// Settings, if the files were generated together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<Generation>,
    /// Settings, if they are older games with new scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescoring: Option<Rescoring>,
    /// The files described.
    #[serde(default)]
    pub data: Vec<DataFile>,
    /// What they were made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<DataFile>,
}

impl DataManifest {
    /// A manifest of these files by this build.
    pub fn new(total: Tally, data: Vec<DataFile>, source: Vec<DataFile>) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
            engine_revision: REVISION.to_owned(),
            total,
            generation: None,
            rescoring: None,
            data,
            source,
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        let text = toml::to_string(self)
            .map_err(|fault| WriteError::new(path, io::Error::other(fault)))?;
        output::write_whole(path, text.as_bytes())
    }

    /// Reads it back.
    ///
    /// # Errors
    /// If the file cannot be read or is no such manifest, in one line.
    pub fn read(path: &Path) -> Result<Self, String> {
        read_toml(path)
    }
}

fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let fault = |fault: &dyn Display| {
        let text = fault.to_string();
        let line = text.lines().next().unwrap_or_default().to_owned();
        format!("cannot read the manifest {}: {line}", path.display())
    };
    let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
    toml::from_str(&text).map_err(|error| fault(&error))
}

/// Where the manifest of a single file lies.
pub fn path_beside(file: &Path) -> PathBuf {
    beside(file, ".toml")
}

/// The files named by any manifest, of data or of a net.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Named {
    /// Its data files.
    #[serde(default)]
    pub data: Vec<DataFile>,
    /// The network that it describes.
    #[serde(default)]
    pub net_checksum: Option<String>,
}

impl Named {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read or is no manifest, in one line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let named: Self = read_toml(path)?;
        if named.data.is_empty() && named.net_checksum.is_none() {
            return Err(format!(
                "cannot read the manifest {}: it names no files and no network",
                path.display()
            ));
        }
        Ok(named)
    }
}
