//! A book of any format, as it is asked during a game.

use super::{BUILT_IN, BookError, BookMove, Collection, DatBook};
use crate::position::Position;
use std::fmt;
use std::path::Path;

/// The first bytes of an SQLite database.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// A format of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// BOOK.DAT.
    Dat,
    /// A position a line.
    Text,
    /// `.obk` or `.pfBook`.
    Sqlite,
}

impl BookFormat {
    /// The format of a file by its first bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(4_096)];
        let is_text = !head.contains(&0)
            && head.utf8_chunks().all(|chunk| {
                // Only a cut at the end of the head may be malformed.
                chunk.invalid().is_empty() || head.ends_with(chunk.invalid())
            });
        if bytes.starts_with(SQLITE_MAGIC) {
            Self::Sqlite
        } else if is_text {
            Self::Text
        } else {
            Self::Dat
        }
    }

    /// The format that a file name asks for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "dat" => Some(Self::Dat),
            "txt" => Some(Self::Text),
            "obk" => Some(Self::Sqlite),
            _ => None,
        }
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dat => "BOOK.DAT",
            Self::Text => "book text",
            Self::Sqlite => "SQLite",
        })
    }
}

/// A book.
#[derive(Debug)]
pub struct Book {
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Dat(DatBook),
    #[cfg(feature = "obk")]
    Sqlite(super::sqlite::SqliteBook),
}

impl Book {
    /// The book that comes with the program.
    ///
    /// # Errors
    /// If it is damaged, which a test excludes.
    pub fn built_in() -> Result<Self, BookError> {
        let contents = Contents::Dat(DatBook::read(BUILT_IN)?);
        Ok(Self { contents })
    }

    /// Opens a file, which is only read.
    ///
    /// # Errors
    /// If it cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes = head_or_all(path)?;
        let contents = match BookFormat::of(&bytes) {
            BookFormat::Dat => Contents::Dat(DatBook::read(&bytes)?),
            BookFormat::Text => Contents::Dat(read_text(&bytes)?.to_dat()),
            BookFormat::Sqlite => open_sqlite(path)?,
        };
        Ok(Self { contents })
    }

    /// The legal moves that the book knows here, the largest weight first.
    ///
    /// # Errors
    /// If a database cannot be asked.
    pub fn moves(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        match &self.contents {
            Contents::Dat(book) => Ok(book.moves(position)),
            #[cfg(feature = "obk")]
            Contents::Sqlite(book) => book.moves(position),
        }
    }
}

#[cfg(feature = "obk")]
fn open_sqlite(path: &Path) -> Result<Contents, BookError> {
    super::sqlite::SqliteBook::open(path).map(Contents::Sqlite)
}

#[cfg(not(feature = "obk"))]
fn open_sqlite(_: &Path) -> Result<Contents, BookError> {
    Err(BookError::NoSqlite)
}

fn read_text(bytes: &[u8]) -> Result<Collection, BookError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|fault| BookError::Foreign(format!("the text is not UTF-8: {fault}")))?;
    Collection::read_text(text)
}

/// The whole file, or only its beginning if it is a database, which may be huge.
fn head_or_all(path: &Path) -> Result<Vec<u8>, BookError> {
    use std::io::Read;
    let fault = |fault| BookError::Read(format!("{}: {fault}", path.display()));
    let mut file = std::fs::File::open(path).map_err(fault)?;
    let mut bytes = Vec::new();
    let limit = SQLITE_MAGIC.len() as u64;
    file.by_ref()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(fault)?;
    if bytes != SQLITE_MAGIC {
        file.read_to_end(&mut bytes).map_err(fault)?;
    }
    Ok(bytes)
}

impl Collection {
    /// Everything that a file holds.
    ///
    /// # Errors
    /// If it cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes = head_or_all(path)?;
        match BookFormat::of(&bytes) {
            BookFormat::Dat => Ok(Self::of_dat(&DatBook::read(&bytes)?)),
            BookFormat::Text => read_text(&bytes),
            #[cfg(feature = "obk")]
            BookFormat::Sqlite => super::sqlite::SqliteBook::open(path)?.collection(),
            #[cfg(not(feature = "obk"))]
            BookFormat::Sqlite => Err(BookError::NoSqlite),
        }
    }

    /// The bytes of a file in a format other than SQLite.
    pub fn to_bytes(&self, format: BookFormat, remarks: &str) -> Option<Vec<u8>> {
        match format {
            BookFormat::Dat => Some(self.to_dat().write()),
            BookFormat::Text => Some(self.write_text(remarks).into_bytes()),
            BookFormat::Sqlite => None,
        }
    }

    /// Writes a new `.obk` file.
    ///
    /// # Errors
    /// If the program was built without SQLite, or it reports an error.
    #[cfg_attr(not(feature = "obk"), allow(unused_variables))]
    pub fn write_obk(&self, path: &Path) -> Result<(), BookError> {
        #[cfg(feature = "obk")]
        return super::sqlite::write(self, path);
        #[cfg(not(feature = "obk"))]
        Err(BookError::NoSqlite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        assert_eq!(BookFormat::of(BUILT_IN), BookFormat::Dat);
        assert_eq!(BookFormat::of("# 书\n".as_bytes()), BookFormat::Text);
        assert_eq!(BookFormat::of(SQLITE_MAGIC), BookFormat::Sqlite);
        assert_eq!(
            BookFormat::of_name(Path::new("x/BOOK.DAT")),
            Some(BookFormat::Dat)
        );
        assert_eq!(BookFormat::of_name(Path::new("book")), None);
    }

    #[test]
    fn the_book_that_ships_is_sound() {
        let book = Book::built_in().unwrap();
        assert!(!book.moves(&Position::start()).unwrap().is_empty());
        assert_eq!(DatBook::read(BUILT_IN).unwrap().write(), BUILT_IN);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Book::open(Path::new("no/such/book.dat")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cannot read no/such/book.dat")
        );
    }
}
