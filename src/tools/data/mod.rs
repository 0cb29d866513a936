//! `chuhe data`: what self-play games are kept in.
//!
//! Three forms: the game file (`datagen::game_file`), which the generator and
//! the match runner append to; the [`archive`], which keeps many games in little
//! room; and the [`record`], one position to learn from in 32 bytes. [`source`]
//! reads any of them without being told which it is.
//!
//! A damaged file never stops the others: what can be read of it is used, and
//! one message names the first byte that could not be.

pub mod archive;
pub mod convert;
pub mod inspect;
pub mod manifest;
pub mod record;
pub mod source;
pub mod tally;

use crate::eval::nnue::format::fnv1a;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The revision of the source, if the build was told: `CHUHE_REVISION=$(git
/// rev-parse HEAD) cargo build --release`.
pub const REVISION: &str = match option_env!("CHUHE_REVISION") {
    Some(revision) => revision,
    None => "unknown",
};

/// The path with something behind its name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The name by which manifests know these bytes.
pub fn hash_text(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes))
}
