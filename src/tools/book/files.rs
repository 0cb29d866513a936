//! Books by name.

use super::BookToolError;
use crate::opening::{BUILT_IN, BookFormat, Collection, DatBook};
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
    match collection.to_bytes(format, remarks) {
        Some(bytes) => output::write_whole(path, &bytes)?,
        None => {
            let mut fault = None;
            let result = output::replace(path, |draft| {
                collection.write_obk(draft).map_err(|error| {
                    fault = Some(error.clone());
                    io::Error::other(error)
                })
            });
            if let Some(fault) = fault {
                return Err(BookToolError::Book(path.to_owned(), fault));
            }
            result?;
        }
    }
    Ok(())
}
