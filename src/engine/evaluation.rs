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
    let bytes = std::fs::read(locate(&path))
        .map_err(|fault| NetError::Read(format!("{}: {fault}", path.display())))?;
    Network::read(&bytes).map(|network| Some(Arc::new(network)))
}

/// Where a file is: relative names are looked for in the working directory, then
/// beside the program.
pub(super) fn locate(path: &Path) -> PathBuf {
    let beside = |program: PathBuf| Some(program.parent()?.join(path));
    match std::env::current_exe() {
        Ok(program) if path.is_relative() && !path.exists() => beside(program)
            .filter(|beside| beside.exists())
            .unwrap_or_else(|| path.to_owned()),
        _ => path.to_owned(),
    }
}

/// The bytes of a client as a path: any bytes on Unix, text elsewhere.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    {
        PathBuf::from(text(bytes))
    }
}

/// What a client wrote: UTF-8, else the code page of a Chinese Windows, in which
/// its clients send the names of files.
#[cfg(any(test, not(unix)))]
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(
        |_| {
            encoding_rs::GB18030
                .decode_without_bom_handling(bytes)
                .0
                .into_owned()
        },
        str::to_owned,
    )
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn names_of_files_come_in_utf8_and_gbk() {
        assert_eq!(text("棋谱\\开局.dat".as_bytes()), "棋谱\\开局.dat");
        assert_eq!(
            text(b"\xc6\xe5\xc6\xd7\\\xbf\xaa\xbe\xd6.dat"),
            "棋谱\\开局.dat"
        );
        assert_eq!(text(b"\xff\xfe"), "\u{fffd}\u{fffd}");
    }
}
