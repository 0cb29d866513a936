//! Threads and memory for the search, as far as they can be had.
//!
//! Linux grants more than there is and kills the process when the pages are
//! used, so that a table of a silly size would be the end of the game. Where
//! the system tells what is available, a larger request is refused beforehand.

use super::{OptionError, Settings};
use crate::search::Searcher;

/// Gives the searcher the threads and the hash table that the settings ask for.
/// A table of the right size is kept as it is.
///
/// # Errors
/// If the memory cannot be had; table and setting stay as they were.
pub(super) fn fit(searcher: &mut Searcher, settings: &mut Settings) -> Result<(), OptionError> {
    let threads = settings.effective_threads();
    if searcher.threads() != threads {
        searcher.set_threads(threads);
    }
    let wanted = settings.effective_hash_mb();
    let kept = searcher.hash_mb();
    if wanted == kept {
        return Ok(());
    }
    let fits = available_mb().is_none_or(|free| wanted <= free);
    if !fits || searcher.set_hash_mb(wanted).is_err() {
        settings.hash_mb = kept;
        return Err(OptionError::Memory { wanted, kept });
    }
    Ok(())
}

/// Megabytes that can be had now; `None` where the system does not say.
fn available_mb() -> Option<usize> {
    if !cfg!(any(target_os = "linux", target_os = "android")) {
        return None;
    }
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(meminfo: &str) -> Option<usize> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let mut searcher = Searcher::new(1, 2).expect("two megabytes can be had");
        let mut settings = Settings {
            hash_mb: 1 << 40,
            ..Settings::default()
        };
        let refused = fit(&mut searcher, &mut settings);
        if available_mb().is_some() {
            let wanted = 1 << 40;
            assert_eq!(refused, Err(OptionError::Memory { wanted, kept: 2 }));
            assert_eq!((searcher.hash_mb(), settings.hash_mb), (2, 2));
        }
        settings.hash_mb = 3;
        assert_eq!(fit(&mut searcher, &mut settings), Ok(()));
        assert_eq!(searcher.hash_mb(), 3);
    }

    #[test]
    fn the_system_file_is_understood() {
        let text = "MemTotal:  8000000 kB\nMemAvailable:    2048000 kB\n";
        assert_eq!(parse(text), Some(2000));
        assert_eq!(parse("MemTotal: 1 kB\n"), None);
        assert_eq!(parse("MemAvailable: many kB\n"), None);
    }
}
