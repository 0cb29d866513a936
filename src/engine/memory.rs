//! How much memory a hash table may ask for.
//!
//! Linux grants more than there is and kills the process when the pages are
//! used, so that a table of a silly size would be the end of the game. Where
//! the system tells what is available, a larger request is refused beforehand.

/// Megabytes that can be had now; `None` where the system does not say.
pub(super) fn available_mb() -> Option<usize> {
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
    fn the_system_file_is_understood() {
        let text = "MemTotal:  8000000 kB\nMemAvailable:    2048000 kB\n";
        assert_eq!(parse(text), Some(2000));
        assert_eq!(parse("MemTotal: 1 kB\n"), None);
        assert_eq!(parse("MemAvailable: many kB\n"), None);
    }
}
