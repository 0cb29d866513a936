//! Game records: text or bytes to moves and back.
//!
//! Leans on `types`, `attacks` and `position`. [`Archive`] finds out format and
//! encoding by content and hands out [`Record`]s one by one; every format has a
//! file of its own.
//!
//! | format | read | written | file |
//! |---|---|---|---|
//! | FEN with UCCI moves, ICCS lists, result-start-moves lines | yes | yes | `iccs` |
//! | PGN with ICCS, Chinese or WXF moves; bare move text | yes | yes | `pgn`, `movetext` |
//! | DhtmlXQ (UBB) | yes | yes | `dhtmlxq` |
//! | XQF, versions up to 0x12 | yes | 0x0A | `xqf` |
//! | CBR, CBL | yes | no | `cbr` |
//! | CBF, main line | yes | no | `cbf` |
//!
//! A record that cannot be used at all is a [`RecordError`]. A record with an
//! illegal or unreadable move is read up to there, and the record says so
//! ([`Record::stopped_by`]): by the rules the mover of an illegal move has lost,
//! so a judge must see it.

mod archive;
pub mod cbf;
pub mod cbr;
pub mod dhtmlxq;
pub mod encoding;
mod error;
pub mod iccs;
mod movetext;
pub mod pgn;
mod record;
mod result;
mod slots;
mod tree;
pub mod xqf;

pub use archive::{Archive, Format, read_all};
pub use error::RecordError;
pub use record::{Record, Stop};
pub use result::GameResult;
pub use tree::{NodeId, Step, Tree};
