//! `chuhe analyse`: what the engine thinks of the moves of recorded games.
//!
//! Every position of the main line is searched; a move is judged by what it loses
//! of the expected result against the best move found. Reports are PGN with
//! comments, JSON, and one HTML page that needs nothing else.

mod html;
mod json;
mod judge;
mod pgn;

pub use judge::{Flaw, expectation};

use crate::eval::nnue::Network;
use crate::position::{Notation, Position, Script};
use crate::records::{Archive, Record};
use crate::rules::{Game, Rules};
use crate::search::{Event, HashSizeError, Limits, Request, Searcher, Signals};
use crate::tools::output::{self, WriteError};
use crate::tools::progress_bar;
use crate::types::score::MATE;
use crate::types::{Bound, Move, Score};
use rayon::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// What to analyse, and how.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// Files of any format that `records` reads.
    pub files: Vec<PathBuf>,
    /// What ends the search of each position.
    pub limits: Limits,
    /// Lines reported for each position, at least 1.
    pub multi_pv: usize,
    /// Hash table for each game, in megabytes.
    pub hash_mb: usize,
    /// The evaluation.
    pub network: Arc<Network>,
    /// The rules of the games.
    pub rules: Rules,
    /// Where the reports go.
    pub pgn: Option<PathBuf>,
    /// The same as JSON.
    pub json: Option<PathBuf>,
    /// The same as a page.
    pub html: Option<PathBuf>,
}

/// Why an analysis cannot be made or kept.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// No memory for a table.
    #[error(transparent)]
    Memory(#[from] HashSizeError),
    /// A report cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Nothing could be read.
    #[error("there is no game to analyse")]
    NoGame,
}

/// One line the engine found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// For the side to move.
    pub score: Score,
    /// Iterations.
    pub depth: u32,
    /// The moves.
    pub moves: Vec<Move>,
}

/// A position of the game and what the engine says about it.
#[derive(Clone, Debug)]
pub struct Analysed {
    /// The position.
    pub position: Position,
    /// The move played here; none at the end.
    pub played: Option<Move>,
    /// What was found, best first; empty where the game is over.
    pub lines: Vec<FoundLine>,
    /// For the side to move; mate if there is no move.
    pub score: Score,
}

/// A game and its analysis.
#[derive(Clone, Debug)]
pub struct AnalysedGame {
    /// Where it comes from.
    pub label: String,
    /// As recorded.
    pub record: Record,
    /// Every position of the main line, the last one included.
    pub positions: Vec<Analysed>,
}

impl AnalysedGame {
    /// What the move of this ply has lost of the expected result, in 0..=1.
    pub fn loss(&self, ply: usize) -> f64 {
        let before = self.positions.get(ply).map_or(0, |here| here.score);
        let after = self.positions.get(ply + 1).map_or(0, |next| -next.score);
        (expectation(before) - expectation(after)).max(0.0)
    }

    /// How bad the move of this ply was, if it was not the engine's choice.
    pub fn flaw(&self, ply: usize) -> Option<Flaw> {
        let here = self.positions.get(ply)?;
        let best = here.lines.first().and_then(|line| line.moves.first());
        if here.played.is_none() || here.played.as_ref() == best {
            return None;
        }
        Flaw::of(self.loss(ply))
    }
}

/// Analyses everything on the current rayon pool, several games at a time, and
/// writes the reports; `complain` hears of files that cannot be read, the others
/// go on.
///
/// # Errors
/// If there is no game at all, memory runs out, or a report cannot be written.
pub fn run(
    options: &AnalyseOptions,
    complain: &mut dyn FnMut(String),
) -> Result<Vec<AnalysedGame>, AnalyseError> {
    let records = read(&options.files, complain);
    if records.is_empty() {
        return Err(AnalyseError::NoGame);
    }
    let positions = records.iter().map(|(_, record)| record.moves().len() + 1);
    let bar = progress_bar(positions.sum::<usize>() as u64);
    let games: Vec<AnalysedGame> = records
        .into_par_iter()
        .map(|(label, record)| analyse(label, record, options, &|| bar.inc(1)))
        .collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    let reports = [
        (&options.pgn, pgn::write as fn(&[AnalysedGame]) -> String),
        (&options.json, json::write),
        (&options.html, html::write),
    ];
    for (path, report) in reports {
        if let Some(path) = path {
            output::write_whole(path, report(&games).as_bytes())?;
        }
    }
    Ok(games)
}

fn read(files: &[PathBuf], complain: &mut dyn FnMut(String)) -> Vec<(String, Record)> {
    let mut records = Vec::new();
    for path in files {
        let name = path.display();
        let archive = fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Archive::open(&bytes).map_err(|error| error.to_string()));
        let archive = match archive {
            Ok(archive) => archive,
            Err(error) => {
                complain(format!("{name}: {error}"));
                continue;
            }
        };
        let several = archive.game_count() > 1;
        for (index, record) in archive.records().enumerate() {
            let label = match several {
                true => format!("{name}#{}", index + 1),
                false => name.to_string(),
            };
            match record {
                Ok(record) => {
                    if let Some(stop) = record.stopped_by() {
                        complain(format!("{label}: {stop}"));
                    }
                    records.push((label, record));
                }
                Err(error) => complain(format!("{label}: {error}")),
            }
        }
    }
    records
}

/// Analyses one game; `tick` is called after each position.
fn analyse(
    label: String,
    record: Record,
    options: &AnalyseOptions,
    tick: &dyn Fn(),
) -> Result<AnalysedGame, AnalyseError> {
    let mut searcher = Searcher::new(1, options.hash_mb)?;
    searcher.set_network(Some(Arc::clone(&options.network)));
    let mut game = Game::with_rules(record.start().clone(), options.rules);
    let moves = record.moves();
    let mut positions = Vec::with_capacity(moves.len() + 1);
    for played in moves.iter().copied().map(Some).chain([None]) {
        let lines = search(&mut searcher, &game, options);
        positions.push(Analysed {
            position: game.position().clone(),
            played,
            score: lines.first().map_or(-MATE, |line| line.score),
            lines,
        });
        if let Some(mv) = played {
            game.make(mv);
        }
        tick();
    }
    Ok(AnalysedGame {
        label,
        record,
        positions,
    })
}

/// The best lines of the game's position.
fn search(searcher: &mut Searcher, game: &Game, options: &AnalyseOptions) -> Vec<FoundLine> {
    let request = Request {
        multi_pv: options.multi_pv.max(1),
        ..Request::new(game.clone(), options.limits.clone())
    };
    let mut lines: Vec<FoundLine> = Vec::new();
    searcher.search(&request, &Signals::new(false), &mut |event| {
        let Event::Line(line, _) = event else { return };
        if line.bound != Bound::Exact || line.pv.is_empty() {
            return;
        }
        let found = FoundLine {
            score: line.score,
            depth: line.depth,
            moves: line.pv,
        };
        // Lines of an iteration come best first and replace those before it.
        lines.truncate(line.rank - 1);
        lines.push(found);
    });
    lines
}

/// The text of a line of moves from a position.
fn line_text(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv, &position.legality()) {
            break;
        }
        texts.push(position.write_move(mv, Notation::Chinese(Script::Simplified)));
        position.make(mv);
    }
    texts
}

/// Moves of a line that are worth showing.
const SHOWN_MOVES: usize = 12;
