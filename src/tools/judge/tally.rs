//! Counts over many games.

use super::ruling::{Cause, Ruling};
use super::words;
use crate::rules::{GameResult, Reason, RuleSet};
use std::collections::HashMap;
use std::io::{self, Write};

/// What a game is counted under.
type Kind = (Option<GameResult>, Option<Cause>);

/// The order in which results are printed.
const RESULTS: [Option<GameResult>; 4] = [
    None,
    Some(GameResult::Draw),
    Some(GameResult::Loses(crate::types::Color::Red)),
    Some(GameResult::Loses(crate::types::Color::Black)),
];

/// How games ended by one rule set.
#[derive(Debug)]
pub(super) struct Tally {
    set: RuleSet,
    counts: HashMap<Kind, usize>,
}

impl Tally {
    /// Nothing counted yet.
    pub(super) fn new(set: RuleSet) -> Self {
        Self {
            set,
            counts: HashMap::new(),
        }
    }

    /// Counts a game.
    pub(super) fn add(&mut self, ruling: &Ruling) {
        let kind = (ruling.result(), ruling.end.map(|(_, cause)| cause));
        *self.counts.entry(kind).or_default() += 1;
    }

    /// A line with results, and one for each reason.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let sum = |accept: &dyn Fn(&Kind) -> bool| -> usize {
            let accepted = self.counts.iter().filter(|(kind, _)| accept(kind));
            accepted.map(|(_, count)| count).sum()
        };
        write!(out, "{}: {} games", self.set, sum(&|_| true))?;
        for result in RESULTS {
            let count = sum(&|kind| kind.0 == result);
            write!(out, ", {}: {count}", words::result(result))?;
        }
        writeln!(out)?;
        for cause in causes() {
            let in_all = sum(&|kind| kind.1 == Some(cause));
            if in_all == 0 {
                continue;
            }
            write!(out, "{in_all:8} {}", words::cause(cause))?;
            let results = RESULTS.into_iter().filter(Option::is_some);
            let parts: Vec<String> = results
                .map(|result| (result, sum(&|kind| *kind == (result, Some(cause)))))
                .filter(|&(_, count)| count > 0)
                .map(|(result, count)| format!("{}: {count}", words::result(result)))
                .collect();
            writeln!(out, ": {}", parts.join(", "))?;
        }
        Ok(())
    }
}

/// All causes, in the order in which they are printed.
fn causes() -> impl Iterator<Item = Cause> {
    use crate::rules::Limit::{Material, Natural, Total};
    [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::Repetition,
        Reason::TooLong,
        Reason::Limit(Natural),
        Reason::Limit(Material),
        Reason::Limit(Total),
    ]
    .into_iter()
    .map(Cause::Rule)
    .chain([Cause::IllegalMove])
}
