//! `chuhe perft`: counts of one position, or a check of a whole suite.

use super::progress_bar;
use crate::position::{Level, Position, SetupError, perft};
use crate::types::Move;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Counts the sequences behind each legal move, in the order of generation.
/// Runs on the current rayon pool; `tick` is called after each part.
pub fn divide(position: &Position, depth: u32, tick: &(impl Fn() + Sync)) -> Vec<(Move, u64)> {
    let level = Level::detect();
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    // One task for each pair of first and second move: even work for all cores.
    moves
        .par_iter()
        .map(|&mv| {
            let mut after = position.clone();
            after.make(mv);
            let count = if depth >= 4 {
                let replies: Vec<Move> = after.legal_moves().into_iter().collect();
                let count_after = |&reply: &Move| {
                    let mut end = after.clone();
                    end.make(reply);
                    perft(&mut end, depth - 2, level)
                };
                replies.par_iter().map(count_after).sum()
            } else {
                perft(&mut after, depth.saturating_sub(1), level)
            };
            tick();
            (mv, count)
        })
        .collect()
}

/// Prints the count behind each move, a blank line and the total to `out`; time
/// and speed go to the log of the caller as the returned text.
///
/// # Errors
/// If `out` cannot be written.
pub fn print_divide(position: &Position, depth: u32, out: &mut dyn Write) -> io::Result<String> {
    let start = Instant::now();
    let bar = progress_bar(position.legal_moves().len() as u64);
    let counts = match depth {
        0 => Vec::new(),
        _ => divide(position, depth, &|| bar.inc(1)),
    };
    bar.finish_and_clear();
    let total: u64 = match depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    for (mv, count) in &counts {
        writeln!(out, "{mv}: {count}")?;
    }
    writeln!(out, "\nNodes searched: {total}")?;
    out.flush()?;
    Ok(speed(total, start.elapsed()))
}

fn speed(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-9);
    format!("{seconds:.3} s, {:.0} nodes/s", nodes as f64 / seconds)
}

/// A position of a suite with its counts by depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    /// The position.
    pub fen: String,
    /// Depth and count.
    pub counts: Vec<(u32, u64)>,
    /// What the position is about.
    pub note: String,
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: '{text}' is not 'FEN ; Dn COUNT ; ...'")]
pub struct SuiteError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The part that cannot be read.
    pub text: String,
}

/// Reads a suite: a position a line, `FEN ; D1 44 ; D2 1920 ; # note`; blank
/// lines and lines that start with `#` are skipped.
///
/// # Errors
/// At the first line of another form.
pub fn parse_suite(text: &str) -> Result<Vec<SuiteLine>, SuiteError> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default().to_owned();
        let (mut counts, mut note) = (Vec::new(), String::new());
        for field in fields.filter(|field| !field.is_empty()) {
            if let Some(text) = field.strip_prefix('#') {
                text.trim().clone_into(&mut note);
                break;
            }
            let count = parse_count(field).ok_or_else(|| SuiteError {
                line: index + 1,
                text: field.to_owned(),
            })?;
            counts.push(count);
        }
        lines.push(SuiteLine { fen, counts, note });
    }
    Ok(lines)
}

fn parse_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field
        .strip_prefix(['D', 'd'])?
        .split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}

/// How a suite went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteResult {
    /// Positions with all counts right.
    pub passed: usize,
    /// Positions with a wrong count or a FEN that cannot be read.
    pub failed: usize,
}

/// Runs the counts up to `max_nodes`, prints a line for each position and the
/// totals last.
///
/// # Errors
/// If `out` cannot be written.
pub fn run_suite(
    lines: &[SuiteLine],
    max_nodes: Option<u64>,
    out: &mut dyn Write,
) -> io::Result<SuiteResult> {
    let bar = progress_bar(lines.len() as u64);
    let mut result = SuiteResult::default();
    for line in lines {
        let (ok, report) = match check_line(line, max_nodes) {
            Ok((ok, report)) => (ok, report),
            Err(error) => (false, format!(" {error}")),
        };
        if ok {
            result.passed += 1;
        } else {
            result.failed += 1;
        }
        let verdict = if ok { "ok  " } else { "FAIL" };
        bar.suspend(|| writeln!(out, "{verdict} {} ;{report}", line.fen))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(out, "{} passed, {} failed", result.passed, result.failed)?;
    out.flush()?;
    Ok(result)
}

fn check_line(line: &SuiteLine, max_nodes: Option<u64>) -> Result<(bool, String), SetupError> {
    let position = Position::from_fen(&line.fen)?;
    let mut report = String::new();
    let mut ok = true;
    for &(depth, expected) in &line.counts {
        if max_nodes.is_some_and(|max| expected > max) {
            let _ = write!(report, " D{depth} skipped");
            continue;
        }
        let count: u64 = match depth {
            0 => 1,
            _ => divide(&position, depth, &|| {})
                .iter()
                .map(|(_, n)| n)
                .sum(),
        };
        ok &= count == expected;
        let _ = write!(report, " D{depth} {count}");
        if count != expected {
            let _ = write!(report, " (expected {expected})");
        }
    }
    Ok((ok, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_read_and_faults_named() {
        let text = "# a remark\n\nFEN w ; D1 4 ; D2 16 ; # note\n";
        let lines = parse_suite(text).unwrap();
        assert_eq!(lines[0].counts, [(1, 4), (2, 16)]);
        assert_eq!(
            (lines[0].fen.as_str(), lines[0].note.as_str()),
            ("FEN w", "note")
        );
        let error = parse_suite("FEN ; Dx 4").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1: 'Dx 4' is not 'FEN ; Dn COUNT ; ...'"
        );
    }

    #[test]
    fn a_wrong_count_and_a_bad_fen_fail() {
        let suite = format!(
            "{0} ; D1 44 ; D2 1920\n{0} ; D1 45\nnonsense ; D1 1\n",
            crate::position::START_FEN
        );
        let lines = parse_suite(&suite).unwrap();
        let mut out = Vec::new();
        let result = run_suite(&lines, Some(1_000_000), &mut out).unwrap();
        assert_eq!(
            result,
            SuiteResult {
                passed: 1,
                failed: 2
            }
        );
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("D1 44 (expected 45)"), "{text}");
        assert!(text.ends_with("1 passed, 2 failed\n"), "{text}");
    }

    #[test]
    fn divide_adds_up_at_every_depth() {
        let mut position = Position::start();
        for depth in 1..=4 {
            let sum: u64 = divide(&position, depth, &|| {})
                .iter()
                .map(|(_, n)| n)
                .sum();
            assert_eq!(sum, perft(&mut position, depth, Level::Baseline));
        }
    }
}
