//! A match: pairs of games from common openings, several at once, counted as
//! they end, continued after a kill.

use super::game::{Adjudication, PlayedGame, Reason, TimeControl, play};
use super::openings::RandomOpenings;
use super::player::Player;
use super::spec::{PlayerSpec, SpecError};
use super::stats::{Decision, GameResult, Score, Sprt};
use crate::position::{Notation, Position};
use crate::records::{Record, pgn};
use crate::rules::Rules;
use crate::search::Searcher;
use crate::tools::datagen::game_file::write_game;
use crate::tools::datagen::to_self_play;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// Where games start.
#[derive(Clone, Debug)]
pub enum Openings {
    /// One after the other from a list, over again at its end.
    List(Vec<Position>),
    /// Made up.
    Random(RandomOpenings),
}

/// What to play.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The two players.
    pub players: [PlayerSpec; 2],
    /// Their clock.
    pub control: TimeControl,
    /// Where games start; each opening is played with both colours.
    pub openings: Openings,
    /// What the referee judges by; players in this process know it.
    pub rules: Rules,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Pairs of games at most.
    pub pairs: u64,
    /// Games played at once.
    pub concurrency: usize,
    /// The hash table of players in this process, in megabytes.
    pub hash_mb: usize,
    /// Ends the match when it has decided.
    pub sprt: Option<Sprt>,
    /// Where results are kept, so that a match goes on after a kill.
    pub journal: Option<PathBuf>,
    /// Where games go, as PGN.
    pub pgn: Option<PathBuf>,
    /// Where games go, in the training-data format.
    pub games: Option<PathBuf>,
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A player cannot be set up.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// No memory for the search that makes openings.
    #[error(transparent)]
    Hash(#[from] crate::search::HashSizeError),
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The journal belongs to another match or is damaged.
    #[error("{0}, line {1}: not a result of a match")]
    Journal(PathBuf, usize),
}

/// What is told after each game.
#[derive(Clone, Debug)]
pub struct News {
    /// The pair, from 0.
    pub pair: u64,
    /// 0: the first player was Red; 1: the second.
    pub half: usize,
    /// The result for the first player.
    pub result: GameResult,
    /// How the game ended.
    pub reason: Reason,
    /// How long it was.
    pub plies: usize,
    /// The score so far.
    pub score: Score,
}

/// How a match went.
#[derive(Clone, Debug, Default)]
pub struct MatchResult {
    /// The score of the first player.
    pub score: Score,
    /// How games ended, counted.
    pub reasons: BTreeMap<String, u32>,
    /// What the sequential test decided.
    pub decision: Option<Decision>,
}

/// A line of the journal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry {
    pair: u64,
    half: usize,
    /// Half points of the first player.
    points: usize,
}

#[derive(Default)]
struct Ledger {
    results: BTreeMap<u64, [Option<GameResult>; 2]>,
    score: Score,
    reasons: BTreeMap<String, u32>,
    decision: Option<Decision>,
}

impl Ledger {
    fn enter(&mut self, pair: u64, half: usize, result: GameResult, sprt: Option<Sprt>) {
        let halves = self.results.entry(pair).or_default();
        halves[half] = Some(result);
        if let [Some(first), Some(second)] = *halves {
            self.score.add_pair([first, second]);
            if self.decision.is_none() {
                self.decision = sprt.and_then(|sprt| sprt.decision(&self.score));
            }
        }
    }
}

struct Files {
    journal: Option<File>,
    pgn: Option<File>,
    games: Option<File>,
}

/// Plays a match; `tell` hears of each game that ends.
///
/// # Errors
/// If a player cannot be set up or a file not be used. Games already played stay
/// in the journal.
pub fn run(
    options: &MatchOptions,
    tell: &(dyn Fn(News) + Sync),
) -> Result<MatchResult, MatchError> {
    let mut ledger = Ledger::default();
    if let Some(path) = &options.journal {
        read_journal(path, &mut ledger, options.sprt)?;
    }
    let files = Mutex::new(Files {
        journal: open(options.journal.as_deref())?,
        pgn: open(options.pgn.as_deref())?,
        games: open(options.games.as_deref())?,
    });
    let ledger = Mutex::new(ledger);
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let work = || {
        let outcome = play_pairs(options, &ledger, &files, &next, &stop, tell);
        if outcome.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        outcome
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.concurrency.max(1))
            .map(|_| {
                std::thread::Builder::new()
                    .stack_size(crate::search::STACK_BYTES)
                    .spawn_scoped(scope, work)
                    .map_err(|fault| MatchError::File(PathBuf::from("thread"), fault))
            })
            .collect::<Result<_, _>>()?;
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    let ledger = ledger
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    Ok(MatchResult {
        score: ledger.score,
        reasons: ledger.reasons,
        decision: ledger.decision,
    })
}

fn play_pairs(
    options: &MatchOptions,
    ledger: &Mutex<Ledger>,
    files: &Mutex<Files>,
    next: &AtomicU64,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), MatchError> {
    let mut players = [
        options.players[0].build(options.hash_mb)?,
        options.players[1].build(options.hash_mb)?,
    ];
    let mut balance = Searcher::new(1, 4)?;
    loop {
        let pair = next.fetch_add(1, Ordering::Relaxed);
        if pair >= options.pairs || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let known = lock(ledger).results.get(&pair).copied().unwrap_or_default();
        if known.iter().all(Option::is_some) {
            continue;
        }
        let start = match &options.openings {
            Openings::List(list) => list[pair as usize % list.len()].clone(),
            Openings::Random(random) => random.opening(pair, &mut balance),
        };
        for (half, result) in known.iter().enumerate() {
            if result.is_none() && !stop.load(Ordering::Relaxed) {
                let game = play_half(options, &mut players, &start, half);
                record(options, ledger, files, pair, half, &game, stop, tell)?;
            }
        }
    }
}

fn play_half(
    options: &MatchOptions,
    players: &mut [Box<dyn Player>; 2],
    start: &Position,
    half: usize,
) -> PlayedGame {
    let [first, second] = players;
    let (first, second): (&mut dyn Player, &mut dyn Player) = (first.as_mut(), second.as_mut());
    let seats = if half == 0 {
        [first, second]
    } else {
        [second, first]
    };
    let (control, rules) = (options.control, options.rules);
    play(seats, start, control, rules, options.adjudication)
}

#[expect(
    clippy::too_many_arguments,
    reason = "what the threads of a match share"
)]
fn record(
    options: &MatchOptions,
    ledger: &Mutex<Ledger>,
    files: &Mutex<Files>,
    pair: u64,
    half: usize,
    game: &PlayedGame,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), MatchError> {
    let result = if half == 0 {
        game.result
    } else {
        game.result.reversed()
    };
    write_files(options, &mut lock(files), pair, half, result, game)?;
    let score = {
        let mut ledger = lock(ledger);
        *ledger.reasons.entry(game.reason.to_string()).or_default() += 1;
        ledger.enter(pair, half, result, options.sprt);
        if ledger.decision.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        ledger.score
    };
    tell(News {
        pair,
        half,
        result,
        reason: game.reason.clone(),
        plies: game.plies.len(),
        score,
    });
    Ok(())
}

fn write_files(
    options: &MatchOptions,
    files: &mut Files,
    pair: u64,
    half: usize,
    result: GameResult,
    game: &PlayedGame,
) -> Result<(), MatchError> {
    let write = |file: &mut Option<File>, path: &Option<PathBuf>, bytes: Vec<u8>| match (file, path)
    {
        (Some(file), Some(path)) => file
            .write_all(&bytes)
            .map_err(|fault| MatchError::File(path.clone(), fault)),
        _ => Ok(()),
    };
    if files.pgn.is_some() {
        let text = to_pgn(options, pair, half, game);
        write(&mut files.pgn, &options.pgn, text.into_bytes())?;
    }
    if files.games.is_some() && !matches!(game.reason, Reason::Fault(_)) {
        let mut bytes = Vec::new();
        write_game(&to_self_play(game), &mut bytes);
        write(&mut files.games, &options.games, bytes)?;
    }
    // Last, so that a game in the journal is in the other files, too.
    let entry = Entry {
        pair,
        half,
        points: result.half_points(),
    };
    let mut line = serde_json::to_vec(&entry).unwrap_or_default();
    line.push(b'\n');
    write(&mut files.journal, &options.journal, line)
}

fn to_pgn(options: &MatchOptions, pair: u64, half: usize, game: &PlayedGame) -> String {
    let moves: Vec<_> = game.plies.iter().map(|&(mv, _)| mv).collect();
    let mut record = Record::from_moves(game.start.clone(), moves)
        .expect("the referee lets legal moves pass only");
    let name = |index: usize| match &options.players[index] {
        PlayerSpec::Program(launch) => launch.command.join(" "),
        other => format!("{other:?}"),
    };
    record.set_tag("Event", "Chuhe match");
    record.set_tag("Round", &format!("{}.{}", pair + 1, half + 1));
    record.set_tag("Red", &name(half));
    record.set_tag("Black", &name(1 - half));
    record.set_tag("Termination", &game.reason.to_string());
    record.set_result(match game.result {
        GameResult::Win => crate::records::GameResult::RedWins,
        GameResult::Draw => crate::records::GameResult::Draw,
        GameResult::Loss => crate::records::GameResult::BlackWins,
    });
    pgn::write(&record, Notation::Iccs)
}

/// Whoever held the lock last has panicked; the numbers are whole all the same.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

fn open(path: Option<&Path>) -> Result<Option<File>, MatchError> {
    path.map(|path| {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|fault| MatchError::File(path.to_owned(), fault))
    })
    .transpose()
}

fn read_journal(path: &Path, ledger: &mut Ledger, sprt: Option<Sprt>) -> Result<(), MatchError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(fault) => return Err(MatchError::File(path.to_owned(), fault)),
    };
    // A kill may have cut the last line.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (index, line) in whole.lines().enumerate() {
        let damaged = || MatchError::Journal(path.to_owned(), index + 1);
        let entry: Entry = serde_json::from_str(line).map_err(|_| damaged())?;
        let result = match entry.points {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            _ => return Err(damaged()),
        };
        if entry.half > 1 {
            return Err(damaged());
        }
        ledger.enter(entry.pair, entry.half, result, sprt);
    }
    Ok(())
}
