//! `chuhe judge`: its arguments and its one call.

use super::{pool, read};
use crate::rules::{RuleSet, RuleSetError, Rules};
use crate::tools::judge::{self, Form, Input, JudgeOptions, cases};
use crate::types::Color;
use clap::{Args, ValueEnum};
use std::error::Error;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// The end of the help.
pub(super) const NOTES: &str = "\
Reads PGN, DhtmlXQ, XQF and move lists in any notation and encoding, and judges
the main line of each game up to the first position in which it is over. Who
makes an illegal move has lost.

Exit status for one game: 0 it goes on, or the rule sets do not agree; 10 draw;
11 Red loses; 12 Black loses. For several games: 0. If a file, a game or a move
that matters could not be read: 1. For --cases: 1 if a check has failed.";

#[derive(Args, Debug)]
pub(super) struct JudgeArgs {
    /// Game records; `-` is standard input
    #[arg(required_unless_present_any = ["fen", "cases"])]
    files: Vec<PathBuf>,
    /// Judge this position (or `startpos`) with the moves of --moves
    #[arg(long, conflicts_with_all = ["files", "cases"])]
    fen: Option<String>,
    /// Moves in any notation, separated by blanks
    #[arg(
        long,
        requires = "fen",
        conflicts_with = "files",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
    /// Check a file of cases with known verdicts (JSON lines)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "rules", "claim", "json", "summary"])]
    cases: Option<PathBuf>,
    /// Rule sets, separated by commas: CXA, AXF (WXF, CCGC), Computer, Sky,
    /// Classic1956, Classic1959, None; or `all`
    #[arg(long, default_value = "CXA")]
    rules: RuleSets,
    /// At which occurrence of a position it is judged
    #[arg(long, default_value_t = Rules::default().fold, value_parser = clap::value_parser!(u8).range(2..))]
    fold: u8,
    /// Checks of a mate threat, at most
    #[arg(long, default_value_t = Rules::default().mate_threat_depth, value_parser = clap::value_parser!(u8).range(1..=8))]
    mate_threat_depth: u8,
    /// Plies without a capture that draw the game; 0 for never
    #[arg(long, default_value_t = Rules::default().natural_limit)]
    natural_limit: u16,
    /// Who claims the draw by the natural limit
    #[arg(long)]
    claim: Option<Claimant>,
    /// A JSON object a line for each game and rule set
    #[arg(long)]
    json: bool,
    /// One line a game without the evidence, and totals
    #[arg(long)]
    summary: bool,
    /// Threads to judge with
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// A list of rule sets.
#[derive(Clone, Debug)]
struct RuleSets(Vec<RuleSet>);

impl FromStr for RuleSets {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self(RuleSet::ALL.to_vec()));
        }
        let sets: Result<Vec<RuleSet>, _> =
            text.split(',').map(|name| name.trim().parse()).collect();
        sets.map(Self)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Claimant {
    Red,
    Black,
}

impl JudgeArgs {
    /// These numbers with the default rule set.
    fn numbers(&self) -> Rules {
        Rules {
            fold: self.fold,
            mate_threat_depth: self.mate_threat_depth,
            natural_limit: self.natural_limit,
            ..Rules::default()
        }
    }

    fn options(self) -> JudgeOptions {
        let numbers = self.numbers();
        let input = |path: PathBuf| match path.as_os_str() == "-" {
            true => Input::Stdin,
            false => Input::File(path),
        };
        JudgeOptions {
            inputs: match self.fen {
                Some(fen) => vec![Input::Moves {
                    fen,
                    moves: self.moves,
                }],
                None => self.files.into_iter().map(input).collect(),
            },
            rules: self
                .rules
                .0
                .into_iter()
                .map(|set| Rules { set, ..numbers })
                .collect(),
            claimant: self.claim.map(|claimant| match claimant {
                Claimant::Red => Color::Red,
                Claimant::Black => Color::Black,
            }),
            form: if self.json { Form::Json } else { Form::Text },
            is_summary: self.summary,
        }
    }
}

/// Runs the command.
pub(super) fn run(args: JudgeArgs) -> Result<ExitCode, Box<dyn Error>> {
    let pool = pool(args.threads)?;
    // A locked handle cannot move to another thread, the plain one can.
    let mut out = BufWriter::new(io::stdout());
    if let Some(path) = &args.cases {
        let (text, rules) = (read(path)?, args.numbers());
        let result = pool.install(|| cases::run(&text, rules, &mut out))?;
        return Ok(ExitCode::from(u8::from(result.failed > 0)));
    }
    let options = args.options();
    let mut complain = |line: String| eprintln!("chuhe: {line}");
    let outcome = pool.install(|| judge::run(&options, &mut out, &mut complain))?;
    Ok(ExitCode::from(outcome.status()))
}
