//! Opening books: their formats, what they know about a position, and the choice
//! of a move.
//!
//! Leans on `types` and `position`. Whether a book move may be played at all is a
//! question of the rules and asked in `engine`.
//!
//! | format | read | written | file |
//! |---|---|---|---|
//! | BOOK.DAT (ElephantEye, XQWizard, XQWLight) | yes | yes | `dat` |
//! | text, a position a line | yes | yes | `text` |
//! | `.obk` (BHGUI), feature `obk` | yes | yes | `sqlite` |
//! | `.pfBook`, feature `obk` | yes | no | `sqlite` |
//!
//! A [`Book`] answers questions about a position, a [`Collection`] is what books
//! are made of, merged and converted with.

mod book;
mod choice;
mod collection;
mod dat;
mod error;
mod lock;
mod obk_key;
mod points;
#[cfg(feature = "obk")]
mod sqlite;
mod text;

pub use book::{Book, BookFormat};
pub use choice::{BookMove, Choice, choose};
pub use collection::{Collection, Counts, Entry, Weighted};
pub use dat::DatBook;
pub use error::BookError;
pub use lock::Lock;
pub use obk_key::obk_key;

/// The book that comes with the program, as BOOK.DAT. `book/opening` tells how it
/// was made.
pub const BUILT_IN: &[u8] = include_bytes!("../../book/opening/chuhe.dat");
