//! All inputs in order, their games in parallel.

use super::input::InputError;
use super::ruling::Ruling;
use super::tally::Tally;
use super::{Form, Input, JudgeOptions, json, text};
use crate::records::{Archive, RecordError};
use crate::rules::GameResult;
use crate::tools::progress_bar;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::{self, Write};

/// Files that are in memory at once.
const FILES_AT_ONCE: usize = 64;

/// Games that are judged before what they give is printed.
const GAMES_AT_ONCE: usize = 1_024;

/// How it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Games that were judged.
    pub games: usize,
    /// Files and games that could not be read, or not to their ends.
    pub failures: usize,
    /// The verdict on the last game, if all rule sets agree.
    verdict: Option<GameResult>,
}

impl Outcome {
    /// What the process returns. One game: 0 if it goes on (or the rule sets do
    /// not agree), 10 draw, 11 Red loses, 12 Black loses. Several: 0. Whenever
    /// something could not be read: 1.
    pub fn status(&self) -> u8 {
        use crate::types::Color::{Black, Red};
        match self.verdict {
            _ if self.failures > 0 => 1,
            Some(GameResult::Draw) if self.games == 1 => 10,
            Some(GameResult::Loses(Red)) if self.games == 1 => 11,
            Some(GameResult::Loses(Black)) if self.games == 1 => 12,
            _ => 0,
        }
    }
}

/// A game to be judged.
struct Job<'a> {
    source: &'a Input,
    archive: &'a Archive,
    index: usize,
}

/// What came of it.
struct Done {
    text: String,
    complaint: Option<String>,
    rulings: Vec<Ruling>,
}

/// Judges everything on the current rayon pool. `complain` gets a line for each
/// file or game that cannot be read; the others go on.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(
    options: &JudgeOptions,
    out: &mut dyn Write,
    complain: &mut dyn FnMut(String),
) -> io::Result<Outcome> {
    let bar = progress_bar(0);
    let mut outcome = Outcome::default();
    let mut tallies: Vec<Tally> = options
        .rules
        .iter()
        .map(|rules| Tally::new(rules.set))
        .collect();
    for inputs in options.inputs.chunks(FILES_AT_ONCE) {
        let archives: Vec<Result<Archive, InputError>> =
            inputs.par_iter().map(Input::open).collect();
        let mut jobs: Vec<Result<Job, String>> = Vec::new();
        for (source, archive) in inputs.iter().zip(&archives) {
            match archive {
                Err(error) => jobs.push(Err(format!("{source}: {error}"))),
                Ok(archive) => jobs.extend((0..archive.game_count()).map(|index| {
                    Ok(Job {
                        source,
                        archive,
                        index,
                    })
                })),
            }
        }
        bar.inc_length(jobs.len() as u64);
        for jobs in jobs.chunks(GAMES_AT_ONCE) {
            let done: Vec<Result<Done, &String>> = jobs
                .par_iter()
                .map(|job| {
                    let done = job.as_ref().map(|job| job.judge(options));
                    bar.inc(1);
                    done
                })
                .collect();
            bar.suspend(|| -> io::Result<()> {
                for done in done {
                    outcome.add(done, &mut tallies, out, complain)?;
                }
                out.flush()
            })?;
        }
    }
    finish(&bar, options, &outcome, &tallies, out)?;
    Ok(outcome)
}

fn finish(
    bar: &ProgressBar,
    options: &JudgeOptions,
    outcome: &Outcome,
    tallies: &[Tally],
    out: &mut dyn Write,
) -> io::Result<()> {
    bar.finish_and_clear();
    if options.is_summary && options.form == Form::Text {
        for tally in tallies {
            tally.write(out)?;
        }
        if outcome.failures > 0 {
            writeln!(out, "{} could not be read", outcome.failures)?;
        }
    }
    out.flush()
}

impl Outcome {
    fn add(
        &mut self,
        done: Result<Done, &String>,
        tallies: &mut [Tally],
        out: &mut dyn Write,
        complain: &mut dyn FnMut(String),
    ) -> io::Result<()> {
        let done = match done {
            Ok(done) => done,
            Err(complaint) => {
                self.failures += 1;
                complain(complaint.clone());
                return Ok(());
            }
        };
        out.write_all(done.text.as_bytes())?;
        if let Some(complaint) = done.complaint {
            self.failures += 1;
            out.flush()?;
            complain(complaint);
        }
        if let Some(first) = done.rulings.first() {
            self.games += 1;
            let agree = |ruling: &Ruling| ruling.result() == first.result();
            self.verdict = first.result().filter(|_| done.rulings.iter().all(agree));
        }
        for (tally, ruling) in tallies.iter_mut().zip(&done.rulings) {
            tally.add(ruling);
        }
        Ok(())
    }
}

impl Job<'_> {
    fn judge(&self, options: &JudgeOptions) -> Done {
        let label = self.label();
        let record = match self.archive.read(self.index) {
            Ok(record) => record,
            Err(error) => return Done::unreadable(self.source, &error),
        };
        let rulings: Vec<Ruling> = options
            .rules
            .iter()
            .map(|&rules| Ruling::of(&record, rules, options.claimant))
            .collect();
        let text = match (options.form, options.is_summary) {
            (Form::Json, is_summary) => {
                let (source, number) = (self.source.to_string(), self.index + 1);
                let lines = rulings
                    .iter()
                    .map(|ruling| json::line(&source, number, &record, ruling, is_summary));
                lines.collect()
            }
            (Form::Text, true) => text::summary(&label, &record, &rulings),
            (Form::Text, false) => text::report(&label, &record, &rulings),
        };
        let missing = rulings
            .iter()
            .find_map(|ruling| ruling.missing_move(&record));
        Done {
            complaint: missing
                .map(|stop| format!("{label}: judged up to ply {}: {stop}", stop.ply)),
            text,
            rulings,
        }
    }

    /// The source, and which game of it if there are several.
    fn label(&self) -> String {
        match self.archive.game_count() {
            1 => self.source.to_string(),
            _ => format!("{} game {}", self.source, self.index + 1),
        }
    }
}

impl Done {
    fn unreadable(source: &Input, error: &RecordError) -> Self {
        Self {
            text: String::new(),
            complaint: Some(format!("{source}: {error}")),
            rulings: Vec::new(),
        }
    }
}
