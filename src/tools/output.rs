//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {fault}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub fault: io::Error,
}

impl WriteError {
    /// Why this file cannot be written.
    pub fn new(path: &Path, fault: io::Error) -> Self {
        let path = path.to_owned();
        Self { path, fault }
    }
}

/// Writes a file beside its place and moves it there when it is complete, so that
/// a full disk leaves what was there before and nothing else. What is no file (a
/// pipe, a device like `/dev/stdout`) is written to.
///
/// # Errors
/// If it cannot be written or moved.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    if fs::metadata(path).is_ok_and(|what| !what.is_file()) {
        return fs::write(path, bytes).map_err(|fault| WriteError::new(path, fault));
    }
    replace(path, |draft| fs::write(draft, bytes))
}

/// Several files, all or none: none is moved to its place before all are written.
///
/// # Errors
/// If one cannot be written or moved.
pub fn write_all_whole(files: &[(PathBuf, Vec<u8>)]) -> Result<(), WriteError> {
    if let [(path, bytes)] = files {
        return write_whole(path, bytes);
    }
    let write = |(path, bytes): &(PathBuf, Vec<u8>)| {
        let written = if path.is_dir() {
            Err(io::Error::from(io::ErrorKind::IsADirectory))
        } else {
            fs::write(draft_of(path), bytes)
        };
        written.map_err(|fault| WriteError::new(path, fault))
    };
    let place = |(path, _): &(PathBuf, Vec<u8>)| {
        fs::rename(draft_of(path), path).map_err(|fault| WriteError::new(path, fault))
    };
    let written = files.iter().try_for_each(write);
    let placed = written.and_then(|()| files.iter().try_for_each(place));
    if placed.is_err() {
        for (path, _) in files {
            let _ = fs::remove_file(draft_of(path));
        }
    }
    placed
}

/// The same for a file that `make` writes under the name it is given.
///
/// # Errors
/// If `make` fails or the file cannot be moved.
pub fn replace(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), WriteError> {
    let draft = draft_of(path);
    let result = make(&draft).and_then(|()| fs::rename(&draft, path));
    result.map_err(|fault| {
        let _ = fs::remove_file(&draft);
        WriteError::new(path, fault)
    })
}

/// A name in the same folder, with the number of this process.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = std::env::temp_dir().join(format!("chuhe-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("book.txt");
        write_whole(&path, b"old").unwrap();
        let full = |draft: &Path| {
            fs::write(draft, b"ne")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let error = replace(&path, full).unwrap_err();
        assert!(error.to_string().contains("book.txt"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(write_whole(&folder.join("no/such/folder"), b"").is_err());
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // A folder is no file, and stays.
        assert!(write_whole(&folder, b"").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn several_files_replace_what_was_there_all_or_none() {
        let folder = std::env::temp_dir().join(format!("chuhe-several-{}", std::process::id()));
        fs::create_dir_all(folder.join("c")).unwrap();
        let file = |name: &str| (folder.join(name), name.as_bytes().to_vec());
        fs::write(folder.join("a"), "old").unwrap();
        let error = write_all_whole(&[file("a"), file("b"), file("c")]).unwrap_err();
        assert_eq!(error.path, folder.join("c"));
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        write_all_whole(&[file("a"), file("b")]).unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"a");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        write_whole(Path::new("/dev/null"), b"lost").unwrap();
        let what = fs::metadata("/dev/null").unwrap().file_type();
        assert!(what.is_char_device());
    }
}
