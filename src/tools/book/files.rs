//! Books by name.

use super::BookToolError;
use crate::opening::{BUILT_IN, BookError, BookFormat, Collection, DatBook};
use crate::tools::output;
use std::io;
use std::path::Path;

/// The name under which the book that comes with the program is loaded.
pub const BUILT_IN_NAME: &str = "built-in";

/// Everything that a book holds.
///
/// # Errors
/// If it cannot be read or is no book.
pub fn load(path: &Path) -> Result<Collection, BookToolError> {
    let result = if path.as_os_str() == BUILT_IN_NAME {
        DatBook::read(BUILT_IN).map(|book| Collection::of_dat(&book))
    } else {
        Collection::open(path)
    };
    result.map_err(|fault| BookToolError::Book(path.to_owned(), fault))
}

/// Writes a book in the format that its name asks for; `remarks` go to the top of
/// a text.
///
/// # Errors
/// If the name tells no format or the file cannot be written. An older file of
/// this name stays then.
pub fn save(collection: &Collection, path: &Path, remarks: &str) -> Result<(), BookToolError> {
    let format =
        BookFormat::of_name(path).ok_or_else(|| BookToolError::Extension(path.to_owned()))?;
    let fault = |fault| BookToolError::Book(path.to_owned(), fault);
    match collection.to_bytes(format, remarks) {
        // All that it holds is known, but not to be played.
        Some(bytes) if bytes.is_empty() => return Err(fault(BookError::Empty)),
        Some(bytes) => output::write_whole(path, &bytes)?,
        None => {
            let mut cause = None;
            let result = output::replace(path, |draft| {
                collection.write_obk(draft).map_err(|error| {
                    cause = Some(error.clone());
                    io::Error::other(error)
                })
            });
            if let Some(cause) = cause {
                return Err(fault(cause));
            }
            result?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_without_a_move_to_play_is_not_written() {
        let line = format!("h2e2 0 {}", crate::position::START_FEN);
        let book = Collection::read_text(&line).unwrap();
        let name = format!("chuhe-unplayed-{}.dat", std::process::id());
        let path = std::env::temp_dir().join(name);
        let error = save(&book, &path, "").unwrap_err().to_string();
        assert!(error.contains("the book is empty"), "{error}");
        assert!(!path.exists());
        let path = path.with_extension("txt");
        save(&book, &path, "").unwrap();
        assert_eq!(load(&path).unwrap(), book);
        std::fs::remove_file(path).unwrap();
    }
}
