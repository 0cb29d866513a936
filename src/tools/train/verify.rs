//! `chuhe train verify`: whether a manifest still tells the truth.

use crate::eval::nnue::Network;
use crate::tools::data::hash_text;
use crate::tools::data::manifest::Named;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Looks for the files that a manifest names in its own folder and then in
/// these, hashes them anew and says what each came to. A net manifest `X.toml`
/// describes the network `X.nnue` beside it. Returns how many files are missing
/// or other than named.
///
/// # Errors
/// If `out` cannot be written, or if there is no such manifest.
pub fn verify(manifest: &Path, folders: &[PathBuf], out: &mut dyn Write) -> io::Result<usize> {
    let named = Named::read(manifest).map_err(io::Error::other)?;
    let home = manifest.parent().unwrap_or(Path::new(".")).to_owned();
    let places: Vec<&Path> = [home.as_path()]
        .into_iter()
        .chain(folders.iter().map(PathBuf::as_path))
        .collect();
    let mut faults = 0;
    let mut report = |name: &str, found: Result<String, String>, expected: &str| {
        let verdict = match found {
            Ok(hash) if hash == expected => "right".to_owned(),
            Ok(hash) => format!("WRONG: {hash}, the manifest says {expected}"),
            Err(fault) => format!("MISSING: {fault}"),
        };
        faults += usize::from(verdict != "right");
        writeln!(out, "{name}: {verdict}")
    };
    if let Some(expected) = &named.net_checksum {
        let path = manifest.with_extension("nnue");
        let network = std::fs::read(&path)
            .map_err(|fault| fault.to_string())
            .and_then(|bytes| Network::read(&bytes).map_err(|fault| fault.to_string()));
        let found = network.map(|network| format!("{:016x}", network.checksum()));
        report(&path.display().to_string(), found, expected)?;
    }
    for file in &named.data {
        let path = places
            .iter()
            .map(|folder| folder.join(&file.file))
            .find(|path| path.exists());
        let found = match path {
            Some(path) => std::fs::read(path)
                .map(|bytes| hash_text(&bytes))
                .map_err(|fault| fault.to_string()),
            None => Err("in none of the folders".to_owned()),
        };
        report(&file.file, found, &file.fnv1a)?;
    }
    out.flush()?;
    Ok(faults)
}
