//! `chuhe suite`: how many puzzles the search solves.
//!
//! A puzzle names best moves, a mate distance or an expected result. The report
//! counts, by source and goal, what was solved of each. Positions with exact
//! values from endgame tables are puzzles, too.

use super::progress_bar;
use crate::eval::nnue;
use crate::position::Position;
use crate::rules::Game;
use crate::search::{HashSizeError, Limits, Outcome, Request, Searcher};
use crate::types::score::mate_plies;
use crate::types::{Color, Move};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use thiserror::Error;

/// A won or lost position scores at least this, a drawn one less.
const WON: i32 = 150;
/// A position that an endgame table calls drawn scores at most this.
const EXACT_DRAW: i32 = 50;

/// One puzzle, in the field names of the suite files.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Puzzle {
    /// Its name.
    #[serde(default)]
    pub id: String,
    /// The position.
    pub fen: String,
    /// The collections it comes from.
    #[serde(default)]
    pub src: Vec<String>,
    /// What the source claims: `mate`, `red wins`, `black wins`, `draw`; of an
    /// exact value `win`, `draw` or `loss` for the side to move.
    #[serde(default)]
    pub goal: String,
    /// Whether the goal is an exact value from an endgame table.
    #[serde(skip)]
    pub exact: bool,
    /// Moves to the mate, as the source claims.
    pub mate: Option<u32>,
    /// Moves to the mate, as an engine found.
    pub engine_mate: Option<u32>,
    /// Best moves.
    #[serde(default)]
    pub bm: Vec<String>,
}

impl Puzzle {
    /// The mate distance in moves, the checked one if there is one.
    pub fn mate_distance(&self) -> Option<u32> {
        self.engine_mate.or(self.mate)
    }
}

/// What a suite file holds.
#[derive(Debug, Default)]
pub struct Suite {
    /// The puzzles, in the order of the file.
    pub puzzles: Vec<(Puzzle, Position)>,
    /// The lines that are none, or whose position is impossible.
    pub left_out: Vec<LineFault>,
}

/// Why a line of a suite is left out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct LineFault {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

/// Why a suite cannot be run.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The table is too large.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// The report cannot be written.
    #[error("cannot write the report: {0}")]
    Output(#[from] io::Error),
}

/// Reads a suite: JSON lines, EPD with `bm`, `dm` and `id`, or exact values in
/// columns parted by tabs. Empty lines and those that begin with `#` say nothing.
pub fn parse(text: &str) -> Suite {
    let mut suite = Suite::default();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_line(line) {
            Ok(puzzle) => suite.puzzles.push(puzzle),
            Err(fault) => suite.left_out.push(LineFault {
                line: index + 1,
                fault,
            }),
        }
    }
    suite
}

fn parse_line(line: &str) -> Result<(Puzzle, Position), String> {
    let puzzle = if line.starts_with('{') {
        serde_json::from_str(line).map_err(|error| error.to_string())?
    } else if line.contains('\t') {
        parse_exact(line)?
    } else {
        parse_epd(line)
    };
    let position = Position::from_fen(&puzzle.fen).map_err(|error| error.to_string())?;
    Ok((puzzle, position))
}

/// Name of the material, FEN, `win`, `draw` or `loss` for the side to move, and
/// the plies to the mate.
fn parse_exact(line: &str) -> Result<Puzzle, String> {
    let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [set, fen, result, plies] = columns[..] else {
        return Err(format!("{} columns, not 4", columns.len()));
    };
    if !["win", "draw", "loss"].contains(&result) {
        return Err(format!("unknown result {result:?}"));
    }
    if plies.parse::<u32>().is_err() {
        return Err(format!("{plies:?} is no number of plies"));
    }
    Ok(Puzzle {
        id: format!("{set}, {result} in {plies}"),
        fen: fen.to_owned(),
        src: vec![set.to_owned()],
        goal: result.to_owned(),
        exact: true,
        ..Puzzle::default()
    })
}

/// Four FEN fields, then operations that end with semicolons.
fn parse_epd(line: &str) -> Puzzle {
    let mut puzzle = Puzzle::default();
    let end = line
        .match_indices(' ')
        .nth(3)
        .map_or(line.len(), |(at, _)| at);
    line[..end].clone_into(&mut puzzle.fen);
    // Counters may stand between the fields and the first operation.
    let operations = line[end..].trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
    for operation in operations.split(';') {
        let (code, value) = operation.trim().split_once(' ').unwrap_or_default();
        match code {
            "bm" => puzzle.bm = value.split_ascii_whitespace().map(str::to_owned).collect(),
            "dm" => puzzle.mate = value.trim().parse().ok(),
            "id" => value.trim_matches('"').clone_into(&mut puzzle.id),
            _ => {}
        }
    }
    puzzle
}

/// What a search made of a puzzle; `None` where the puzzle does not ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// The best move is one of those named.
    pub best_move: Option<bool>,
    /// The mate is at most as far away as named.
    pub mate: Option<bool>,
    /// The score is on the side of the claimed result.
    pub result: Option<bool>,
}

/// Compares a search with what the puzzle asks.
pub fn judge(puzzle: &Puzzle, side: Color, outcome: &Outcome) -> Solved {
    let named = |mv: Move| puzzle.bm.iter().any(|text| text.parse() == Ok(mv));
    let found = mate_plies(outcome.score).filter(|&plies| plies > 0);
    let score = outcome.score;
    Solved {
        best_move: (!puzzle.bm.is_empty()).then(|| outcome.best.is_some_and(named)),
        mate: puzzle
            .mate_distance()
            .map(|moves| found.is_some_and(|plies| (plies as u32).div_ceil(2) <= moves)),
        result: match (puzzle.goal.as_str(), side) {
            ("win", _) if puzzle.exact => Some(score > WON),
            ("loss", _) if puzzle.exact => Some(score < -WON),
            ("draw", _) if puzzle.exact => Some(score.abs() <= EXACT_DRAW),
            ("red wins", Color::Red) | ("black wins", Color::Black) => Some(score >= WON),
            ("red wins", Color::Black) | ("black wins", Color::Red) => Some(score <= -WON),
            ("draw", _) => Some(score.abs() < WON),
            _ => None,
        },
    }
}

/// Counts of one group: asked and solved.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    best_move: [u32; 2],
    mate: [u32; 2],
    result: [u32; 2],
}

impl Tally {
    fn add(&mut self, solved: Solved) {
        for (counts, solved) in [
            (&mut self.best_move, solved.best_move),
            (&mut self.mate, solved.mate),
            (&mut self.result, solved.result),
        ] {
            if let Some(solved) = solved {
                counts[0] += u32::from(solved);
                counts[1] += 1;
            }
        }
    }
}

/// Searches all puzzles on the current rayon pool, each with a fresh searcher of
/// one thread, and prints counts by group and in all. With `failures`, a line
/// for each puzzle not solved.
///
/// # Errors
/// If a table cannot be allocated or `out` cannot be written.
pub fn run(
    puzzles: &[(Puzzle, Position)],
    limits: &Limits,
    hash_mb: usize,
    failures: bool,
    out: &mut dyn Write,
) -> Result<(), SuiteError> {
    let bar = progress_bar(puzzles.len() as u64);
    let solve = |searcher: &mut Option<Searcher>, (puzzle, position): &(Puzzle, Position)| {
        let searcher = match searcher {
            Some(searcher) => searcher,
            None => {
                let mut fresh = Searcher::new(1, hash_mb)?;
                fresh.set_network(Some(nnue::built_in()));
                searcher.insert(fresh)
            }
        };
        searcher.new_game();
        let request = Request::new(Game::new(position.clone()), limits.clone());
        let outcome = searcher.find(&request);
        bar.inc(1);
        Ok((judge(puzzle, position.side_to_move(), &outcome), outcome))
    };
    let results: Result<Vec<(Solved, Outcome)>, SuiteError> =
        puzzles.par_iter().map_init(|| None, solve).collect();
    bar.finish_and_clear();

    report(puzzles, &results?, failures, out)
}

/// The counts by group and in all, and on demand the failures.
fn report(
    puzzles: &[(Puzzle, Position)],
    results: &[(Solved, Outcome)],
    failures: bool,
    out: &mut dyn Write,
) -> Result<(), SuiteError> {
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for ((puzzle, _), (solved, outcome)) in puzzles.iter().zip(results) {
        all.add(*solved);
        let mut names: Vec<String> = puzzle
            .src
            .iter()
            .map(|src| format!("{src}, {}", puzzle.goal))
            .collect();
        names.extend(puzzle.exact.then(|| format!("exact {}", puzzle.goal)));
        names.extend(
            puzzle
                .mate_distance()
                .map(|moves| format!("mate in {moves:2}")),
        );
        for name in names {
            groups.entry(name).or_default().add(*solved);
        }
        let failed = [solved.best_move, solved.mate, solved.result].contains(&Some(false));
        if failures && failed {
            let best = outcome
                .best
                .map_or("(none)".to_owned(), |mv| mv.to_string());
            writeln!(
                out,
                "{}: {best} {} ; {}",
                puzzle.id, outcome.score, puzzle.fen
            )?;
        }
    }
    writeln!(
        out,
        "{:44} {:>14} {:>14} {:>14}",
        "group", "best move", "mate", "result"
    )?;
    for (name, tally) in groups.iter().chain([(&"all".to_owned(), &all)]) {
        let cell = |[solved, asked]: [u32; 2]| match asked {
            0 => String::new(),
            _ => format!("{solved}/{asked}"),
        };
        let (best, mate, result) = (cell(tally.best_move), cell(tally.mate), cell(tally.result));
        let share = match tally.result {
            [_, 0] => String::new(),
            [solved, asked] => format!("{:.1} %", f64::from(solved * 100) / f64::from(asked)),
        };
        let line = format!("{name:44} {best:>14} {mate:>14} {result:>14} {share:>8}");
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE_IN_1: &str = "3k5/9/9/9/9/9/9/2R6/1R7/4K4 w";

    #[test]
    fn both_formats_are_read() {
        let text = format!(
            "{{\"id\": \"a\", \"fen\": \"{MATE_IN_1}\", \"goal\": \"mate\", \"mate\": 1, \"bm\": [\"b1d1\"]}}\n\
             {MATE_IN_1} - - bm b1d1 c2d2; dm 1; id \"b\";\n"
        );
        let Suite { puzzles, left_out } = parse(&text);
        assert_eq!(left_out, []);
        assert_eq!(puzzles.len(), 2);
        assert_eq!(puzzles[1].0.id, "b");
        assert_eq!(puzzles[1].0.bm, ["b1d1", "c2d2"]);
        assert_eq!(puzzles[1].0.mate, Some(1));
    }

    #[test]
    fn lines_that_are_no_puzzles_are_named_and_left_out() {
        let advisor_astray = "{\"fen\": \"3k5/9/9/9/9/9/9/2R6/1R7/1A2K4 w\"}";
        let text = format!(
            "# mates\n{{\"fen\": 3}}\n\n{MATE_IN_1} - - dm 1;\nnonsense\n{advisor_astray}\n\
             {MATE_IN_1} - - bm b1d1;\n"
        );
        let Suite { puzzles, left_out } = parse(&text);
        assert_eq!(puzzles.len(), 2);
        assert_eq!(puzzles[1].0.bm, ["b1d1"]);
        let lines: Vec<usize> = left_out.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [2, 5, 6]);
    }

    const EXACT: &str = "# set\tfen\tresult\tDTM plies\n\
        KRvK\t3k5/9/9/9/9/9/9/9/5R3/4K4 w - - 0 1\twin\t1\n\
        KRvK\t3k5/9/9/4R4/9/9/9/9/9/4K4 b - - 0 1\tloss\t2\n\
        KBvK\t3k5/9/9/9/9/9/9/4B4/9/4K4 b - - 0 1\tdraw\t0\n";

    #[test]
    fn exact_values_are_read() {
        let puzzles = parse(EXACT).puzzles;
        let puzzle = &puzzles[1].0;
        assert_eq!(puzzles.len(), 3);
        assert_eq!(puzzle.id, "KRvK, loss in 2");
        assert_eq!((puzzle.goal.as_str(), puzzle.exact), ("loss", true));
        for (bad, why) in [
            ("KRvK\t3k5/9/9/9/9/9/9/9/5R3/4K4 w\twin", "3 columns, not 4"),
            (
                "KRvK\t3k5/9/9/9/9/9/9/9/5R3/4K4 w\twon\t1",
                "unknown result",
            ),
            ("KRvK\t3k5/9/9/9/9/9/9/9/5R3/4K4 w\twin\tx", "no number"),
            ("KRvK\t3k5/9 w\twin\t1", "line 1"),
        ] {
            let Suite { puzzles, left_out } = parse(bad);
            assert!(puzzles.is_empty(), "{bad}");
            let [fault] = &left_out[..] else {
                panic!("{left_out:?}")
            };
            assert!(fault.to_string().contains(why), "{fault}");
        }
    }

    #[test]
    fn exact_values_are_judged_from_the_side_to_move() {
        let puzzles = parse(EXACT).puzzles;
        let solved = |index: usize, score| {
            let outcome = Outcome {
                score,
                ..Outcome::default()
            };
            judge(&puzzles[index].0, Color::Black, &outcome).result
        };
        assert_eq!(
            [solved(0, 151), solved(0, 150), solved(0, -500)],
            [Some(true), Some(false), Some(false)]
        );
        assert_eq!([solved(1, -151), solved(1, 151)], [Some(true), Some(false)]);
        assert_eq!([solved(2, -50), solved(2, 51)], [Some(true), Some(false)]);
    }

    #[test]
    fn exact_values_are_counted_by_set_and_by_result() {
        let limits = Limits {
            nodes: Some(1_000),
            ..Limits::default()
        };
        let mut out = Vec::new();
        run(&parse(EXACT).puzzles, &limits, 1, false, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for (group, cell) in [
            ("KRvK, win ", " 1/1  100.0 %"),
            ("exact win ", " 1/1  100.0 %"),
            ("exact loss ", " 1/1  100.0 %"),
            ("exact draw ", "/1 "),
        ] {
            let line = text.lines().find(|line| line.starts_with(group));
            assert!(line.is_some_and(|line| line.contains(cell)), "{text}");
        }
    }

    #[test]
    fn a_solved_puzzle_is_counted() {
        let puzzles = parse(&format!("{MATE_IN_1} - - bm b1d1; dm 1; id \"b\";")).puzzles;
        let limits = Limits {
            nodes: Some(1_000),
            ..Limits::default()
        };
        let mut out = Vec::new();
        run(&puzzles, &limits, 1, true, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let last = text.lines().last().unwrap();
        assert_eq!(
            last.split_ascii_whitespace().collect::<Vec<_>>(),
            ["all", "1/1", "1/1"]
        );
    }
}
