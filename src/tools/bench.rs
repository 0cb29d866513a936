//! `chuhe bench`: the node count that names how this version plays, and its
//! speed.
//!
//! Fixed positions, fixed depth, one thread, a fresh searcher, no clock: the
//! count is the same on every run and machine. OpenBench reads the last line.
//! By protocol it runs beside the driver and can be stopped.

use crate::eval::nnue;
use crate::eval::nnue::simd::Backend;
use crate::position::{Position, SetupError};
use crate::rules::{Game, GameError, Rules};
use crate::search::{HashSizeError, Limits, Request, Searcher, Signals};
use crate::types::{Move, MoveTextError};
use std::io::{self, LineWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// One position a line: a FEN, perhaps with `moves` behind it.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// How to run the bench. The default is the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchOptions {
    /// Iterations of each search.
    pub depth: u32,
    /// Size of the hash table in megabytes.
    pub hash_mb: usize,
    /// Threads; only with one is the count the same on every run.
    pub threads: usize,
    /// The rules of repetition.
    pub rules: Rules,
    /// Whether the built-in network evaluates, else the hand-made evaluation.
    pub network: bool,
    /// What the network is computed with; `None`: the fastest there is.
    pub backend: Option<Backend>,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self {
            depth: 13,
            hash_mb: 16,
            threads: 1,
            rules: Rules::default(),
            network: true,
            backend: None,
        }
    }
}

/// Why a bench could not run.
#[derive(Debug, Error)]
pub enum BenchError {
    /// The output cannot be written.
    #[error("cannot write the report: {0}")]
    Output(#[from] io::Error),
    /// The table is too large.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// A position of the list is damaged.
    #[error("bench position {0}: {1}")]
    Position(usize, String),
    /// Somebody has lost patience: there are no totals.
    #[error("the bench was stopped")]
    Stopped,
}

/// The totals of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Their time.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The protocol's `bench [depth]`, until it is done or the signals say stop.
pub fn command(arguments: &[String], signals: &Signals, print: &mut dyn FnMut(String)) {
    let mut options = BenchOptions::default();
    if let Some(depth) = arguments.first().and_then(|text| text.parse().ok()) {
        options.depth = depth;
    }
    let result = run(options, signals, &mut LineWriter::new(Printer(print)));
    if let Err(error) = result {
        print(format!("info string {error}"));
    }
}

/// Prints whole lines, which is what a [`LineWriter`] hands on.
struct Printer<'a>(&'a mut dyn FnMut(String));

impl Write for Printer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            (self.0)(line.to_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Searches all positions, prints a line for each and the totals last.
///
/// # Errors
/// If the table cannot be allocated, `out` cannot be written, or the signals
/// have said stop.
pub fn run(
    options: BenchOptions,
    signals: &Signals,
    out: &mut dyn Write,
) -> Result<BenchResult, BenchError> {
    let mut searcher = Searcher::new(options.threads, options.hash_mb)?;
    if options.network {
        let mut network = nnue::built_in();
        if let Some(backend) = options.backend {
            Arc::make_mut(&mut network).backend = backend;
        }
        searcher.set_network(Some(network));
    }
    let mut total = BenchResult {
        nodes: 0,
        time: Duration::ZERO,
    };
    for (index, line) in POSITIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .enumerate()
    {
        let number = index + 1;
        let mut game = parse(line).map_err(|fault| BenchError::Position(number, fault))?;
        game.set_rules(options.rules);
        let limits = Limits {
            depth: Some(options.depth),
            ..Limits::default()
        };
        let start = Instant::now();
        let outcome = searcher.search(&Request::new(game, limits), signals, &mut |_| {});
        if signals.is_stopped() {
            return Err(BenchError::Stopped);
        }
        total.time += start.elapsed();
        total.nodes += outcome.progress.nodes;
        let best = outcome
            .best
            .map_or("(none)".to_owned(), |mv| mv.to_string());
        let nodes = outcome.progress.nodes;
        writeln!(
            out,
            "position {number}: {nodes} nodes, {best}, score {}",
            outcome.score
        )?;
    }
    writeln!(
        out,
        "{} nodes {} nps",
        total.nodes,
        total.nodes_per_second()
    )?;
    out.flush()?;
    Ok(total)
}

fn parse(line: &str) -> Result<Game, String> {
    let (fen, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let position = Position::from_fen(fen).map_err(|fault: SetupError| fault.to_string())?;
    let moves: Result<Vec<Move>, MoveTextError> =
        moves.split_ascii_whitespace().map(str::parse).collect();
    let mut game = Game::new(position);
    game.play(moves.map_err(|fault| fault.to_string())?)
        .map_err(|fault: GameError| fault.to_string())?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_read() {
        for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
            parse(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        }
    }

    #[test]
    fn the_command_prints_a_line_a_position_unless_stopped() {
        let printed = |signals: &Signals| {
            let mut lines = Vec::new();
            command(&["1".to_owned()], signals, &mut |line| lines.push(line));
            lines
        };
        let signals = Signals::new(false);
        let lines = printed(&signals);
        let positions = POSITIONS.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.len(), positions.count() + 1);
        assert!(lines.last().is_some_and(|line| line.ends_with(" nps")));
        signals.stop();
        assert_eq!(printed(&signals), ["info string the bench was stopped"]);
    }
}
