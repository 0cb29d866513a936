//! A file of cases: positions, moves and the verdicts that are known.
//!
//! An object a line: `id`, `ruleset` (a list), `fen`, `moves` (a list), and
//! `verdict`, which is `red_loses`, `black_loses`, `draw` or `continue` and holds
//! after the last move by every rule set of the list. Other fields are left alone.

use super::words;
use crate::position::Position;
use crate::rules::{Game, GameResult, RuleSet, Rules};
use crate::tools::progress_bar;
use crate::types::Move;
use rayon::prelude::*;
use serde::Deserialize;
use std::io::{self, Write};

#[derive(Debug, Deserialize)]
struct Case {
    #[serde(default)]
    id: String,
    ruleset: Vec<String>,
    fen: String,
    moves: Vec<String>,
    verdict: String,
}

/// How the checks went; each listed rule set of a case is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CasesResult {
    /// Verdicts as the file says.
    pub passed: usize,
    /// Other verdicts, and cases that cannot be used.
    pub failed: usize,
}

/// What came of one line: how many checks passed, and what went wrong with each
/// of the others.
#[derive(Default)]
struct Checked {
    passed: usize,
    failures: Vec<String>,
}

/// Runs the cases of a text on the current rayon pool, prints a line for each
/// mismatch and the totals last. The rule sets are those of each case, their
/// numbers those of `rules`.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(text: &str, rules: Rules, out: &mut dyn Write) -> io::Result<CasesResult> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let bar = progress_bar(lines.len() as u64);
    let checked: Vec<Checked> = lines
        .par_iter()
        .map(|&(number, line)| {
            let checked = check(number, line, rules);
            bar.inc(1);
            checked
        })
        .collect();
    bar.finish_and_clear();
    let mut result = CasesResult::default();
    for Checked { passed, failures } in checked {
        result.passed += passed;
        result.failed += failures.len();
        for failure in failures {
            writeln!(out, "{failure}")?;
        }
    }
    writeln!(out, "{} passed, {} failed", result.passed, result.failed)?;
    out.flush()?;
    Ok(result)
}

fn check(number: usize, line: &str, rules: Rules) -> Checked {
    let mut checked = Checked::default();
    match serde_json::from_str::<Case>(line) {
        Err(error) => {
            let failure = format!("line {number}: {error}");
            checked.failures.push(failure);
        }
        Ok(case) => {
            for set in &case.ruleset {
                match case.check(set, rules) {
                    Ok(()) => checked.passed += 1,
                    Err(fault) => {
                        let id = &case.id;
                        let failure = format!("line {number}: {id} by {set}: {fault}");
                        checked.failures.push(failure);
                    }
                }
            }
        }
    }
    checked
}

impl Case {
    /// Checks one of the rule sets; says what is wrong.
    fn check(&self, set: &str, rules: Rules) -> Result<(), String> {
        let set: RuleSet = set.parse().map_err(text)?;
        let expected = self.verdict.as_str();
        if !["red_loses", "black_loses", "draw", "continue"].contains(&expected) {
            return Err(format!("'{expected}' is no verdict"));
        }
        let got = words::result(self.judge(Rules { set, ..rules })?).code;
        if got == expected {
            Ok(())
        } else {
            Err(format!("expected {expected}, got {got}"))
        }
    }

    /// The verdict after the last move. The mover of an illegal move has lost.
    fn judge(&self, rules: Rules) -> Result<Option<GameResult>, String> {
        let position = Position::from_fen(&self.fen).map_err(text)?;
        let moves: Result<Vec<Move>, _> = self.moves.iter().map(|mv| mv.parse()).collect();
        let mut game = Game::with_rules(position, rules);
        Ok(match game.play(moves.map_err(text)?) {
            Ok(()) => game.judge(None).end.map(|(result, _)| result),
            Err(_) => Some(GameResult::Loses(game.position().side_to_move())),
        })
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mismatches_and_broken_lines_are_named() {
        let case = |id: &str, set: &str, moves: &str, verdict: &str| {
            format!(
                r#"{{"id":"{id}","ruleset":[{set}],"fen":"4k4/R8/9/9/9/9/9/9/9/3K5 w","moves":[{moves}],"verdict":"{verdict}","why":1}}"#
            )
        };
        let cycle = [r#""a8a9","e9e8","a9a8","e8e9""#; 2].join(",");
        let text = [
            case("good", r#""cxa","WXF""#, &cycle, "red_loses"),
            String::new(),
            case("bad", r#""none","Computer""#, &cycle, "red_loses"),
            case("once", r#""cxa""#, "", "continue"),
            case("illegal", r#""cxa""#, r#""a8a9","e9e5""#, "black_loses"),
            case("set", r#""fide""#, "", "draw"),
            case("verdict", r#""cxa""#, "", "won"),
            case("move", r#""cxa""#, r#""a8""#, "draw"),
            "nonsense".to_owned(),
        ]
        .join("\n");
        let mut out = Vec::new();
        let result = run(&text, Rules::default(), &mut out).unwrap();
        assert_eq!((result.passed, result.failed), (5, 5));
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(
            lines[0],
            "line 3: bad by none: expected red_loses, got draw"
        );
        assert!(lines[1].starts_with("line 6: set by fide: 'fide' is not a rule set"));
        assert_eq!(lines[2], "line 7: verdict by cxa: 'won' is no verdict");
        assert!(lines[3].starts_with("line 8: move by cxa: "));
        assert!(lines[4].starts_with("line 9: expected"));
        assert_eq!(lines[5], "5 passed, 5 failed");
    }
}
