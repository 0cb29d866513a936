//! A match: pairs of games from common openings, several at once, counted as
//! they end, continued after a kill.

use super::field::{ArenaError, Field, Job, lock};
use super::files::{Entry, Files, Paths};
use super::game::PlayedGame;
use super::stats::{Decision, GameResult, Score, Sprt};
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;

/// Red and Black in the two games of a pair.
const SEATS: [[usize; 2]; 2] = [[0, 1], [1, 0]];

/// What to play.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The two players, and how they play.
    pub field: Field,
    /// Pairs of games at most; each opening is played with both colours.
    pub pairs: u64,
    /// Ends the match when it has decided.
    pub sprt: Option<Sprt>,
    /// Where results and games are kept.
    pub paths: Paths,
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The score of the first player.
    pub score: Score,
    /// Games played, those of unfinished pairs, too.
    pub games: u64,
    /// How games ended, counted; with the player's number if it failed.
    pub reasons: BTreeMap<(String, Option<usize>), u32>,
    /// The most milliseconds that a move of each player took beyond what it had.
    pub overrun: [u64; 2],
    /// What the sequential test decided.
    pub decision: Option<Decision>,
}

/// What is known of the games so far.
struct Ledger {
    halves: BTreeMap<usize, [Option<GameResult>; 2]>,
    standing: Standing,
    sprt: Option<Sprt>,
}

impl Ledger {
    fn enter(&mut self, entry: &Entry) {
        let standing = &mut self.standing;
        standing.games += 1;
        let reason = (entry.reason.clone(), entry.failed);
        *standing.reasons.entry(reason).or_default() += 1;
        for (seat, over) in entry.seats.into_iter().zip(entry.overrun) {
            if let Some(worst) = standing.overrun.get_mut(seat) {
                *worst = over.max(*worst);
            }
        }
        let red = match entry.points {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            _ => GameResult::Win,
        };
        let is_first_red = entry.seats[0] == 0;
        let result = if is_first_red { red } else { red.reversed() };
        let halves = self.halves.entry(entry.round).or_default();
        halves[usize::from(!is_first_red)] = Some(result);
        if let [Some(first), Some(second)] = *halves {
            standing.score.add_pair([first, second]);
            if standing.decision.is_none() {
                standing.decision = self.sprt.and_then(|sprt| sprt.decision(&standing.score));
            }
        }
    }
}

/// Plays a match; `tell` hears how it stands at the start and after each game.
///
/// # Errors
/// If a player cannot be set up or a file not be used. Games already played stay
/// in the journal.
pub fn run(
    options: &MatchOptions,
    tell: &(dyn Fn(&Standing) + Sync),
) -> Result<Standing, ArenaError> {
    let MatchOptions { field, paths, .. } = options;
    let event = format!("match: {}", field.describe());
    let (files, known) = Files::open(paths, &event, SEATS.len())?;
    let is_planned =
        |entry: &&Entry| entry.board == 0 && SEATS.get(entry.game) == Some(&entry.seats);
    if let Some(entry) = known.iter().find(|entry| !is_planned(entry)) {
        return Err(files.damaged(entry).into());
    }
    let mut ledger = Ledger {
        halves: BTreeMap::new(),
        standing: Standing::default(),
        sprt: options.sprt,
    };
    known.iter().for_each(|entry| ledger.enter(entry));
    let known: HashSet<[usize; 3]> = known.iter().map(Entry::place).collect();
    let pairs = match ledger.standing.decision {
        Some(_) => 0,
        None => options.pairs,
    };
    let mut missing = (0..pairs)
        .flat_map(|pair| {
            SEATS.into_iter().enumerate().map(move |(game, seats)| Job {
                place: [pair as usize, 0, game],
                seats,
                opening: pair,
            })
        })
        .filter(|job| !known.contains(&job.place));
    tell(&ledger.standing);
    let (files, ledger) = (Mutex::new(files), Mutex::new(ledger));
    let ended = |job: &Job, game: &PlayedGame| {
        let entry = field.write(&mut lock(&files), "Chuhe match", job, game)?;
        let mut ledger = lock(&ledger);
        ledger.enter(&entry);
        tell(&ledger.standing);
        Ok(ledger.standing.decision.is_none())
    };
    field.play_all(&mut missing, &ended)?;
    let ledger = ledger
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    Ok(ledger.standing)
}
