//! Which evaluation plays: the built-in network, another file, or the
//! hand-made one.

use super::settings::{Amount, Settings};
use crate::eval::nnue::{self, NetError, Network};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The network that the settings ask for; `None`: evaluate by hand, which is also
/// what little `knowledge` means.
///
/// # Errors
/// If a file was named that is no network.
pub(super) fn choose(settings: &Settings) -> Result<Option<Arc<Network>>, NetError> {
    if !settings.use_nnue || settings.knowledge <= Amount::Small {
        return Ok(None);
    }
    if settings.eval_file.is_empty() {
        return Ok(Some(nnue::built_in()));
    }
    let path = path(&settings.eval_file);
    let bytes =
        read(&path).map_err(|fault| NetError::Read(format!("{}: {fault}", path.display())))?;
    Network::read(&bytes).map(|network| Some(Arc::new(network)))
}

/// Relative names are looked for in the working directory, then beside the
/// program.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let result = std::fs::read(path);
    match (&result, std::env::current_exe()) {
        (Err(_), Ok(program)) if path.is_relative() => {
            let beside = program.parent().map(|folder| folder.join(path));
            beside
                .and_then(|beside| std::fs::read(beside).ok())
                .map_or(result, Ok)
        }
        _ => result,
    }
}

/// The bytes of a client as a path: any bytes on Unix, UTF-8 elsewhere.
fn path(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    {
        PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
    }
}
