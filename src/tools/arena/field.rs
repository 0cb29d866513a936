//! The field of players and the threads that play their games: the part that a
//! match and a tournament share.

use super::files::{Entry, FileError, Files};
use super::game::{Adjudication, Controls, PlayedGame, Reason, TimeControl, play};
use super::openings::RandomOpenings;
use super::player::Player;
use super::spec::{PlayerSpec, SpecError};
use crate::eval::nnue::format::fnv1a;
use crate::position::{Notation, Position};
use crate::records::{self, Record, pgn};
use crate::rules::Rules;
use crate::search::{HashSizeError, STACK_BYTES, Searcher};
use crate::tools::datagen::game_file::write_game;
use crate::tools::datagen::to_self_play;
use std::io;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use thiserror::Error;

/// Where games start.
#[derive(Clone, Debug)]
pub enum Openings {
    /// One after the other from a list, over again at its end.
    List(Vec<Position>),
    /// Made up.
    Random(RandomOpenings),
}

/// A player with a name and a clock.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called.
    pub name: String,
    /// Who it is.
    pub spec: PlayerSpec,
    /// Its clock.
    pub control: TimeControl,
}

/// Who plays, and how games are played.
#[derive(Clone, Debug)]
pub struct Field {
    /// The players.
    pub players: Vec<Entrant>,
    /// Where games start.
    pub openings: Openings,
    /// What the referee judges by; players in this process know it.
    pub rules: Rules,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// How much a move may exceed its time before it counts.
    pub margin: Duration,
    /// Games played at once.
    pub concurrency: usize,
    /// The hash table of players in this process, in megabytes.
    pub hash_mb: usize,
}

/// Why a match or tournament cannot go on.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A player cannot be set up.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// No memory for the search that makes openings.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// No thread to play on.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Round, board, game; see [`Entry`].
    pub place: [usize; 3],
    /// Red and Black.
    pub seats: [usize; 2],
    /// The number of its opening.
    pub opening: u64,
}

impl Field {
    /// What tells this event from others: players, clocks, rules, openings, and all
    /// else that its results depend on.
    pub fn describe(&self) -> String {
        let players: Vec<String> = self
            .players
            .iter()
            .map(|entrant| {
                let options = match &entrant.spec {
                    PlayerSpec::Program(launch) => format!("{:?}", launch.options),
                    _ => String::new(),
                };
                let Entrant {
                    name,
                    spec,
                    control,
                } = entrant;
                format!("{name} [{spec}{options} {control}]")
            })
            .collect();
        let openings = match &self.openings {
            Openings::List(list) => {
                let fens: Vec<String> = list.iter().map(Position::to_fen).collect();
                let hash = fnv1a(fens.join("\n").as_bytes());
                format!("{} openings {hash:016x}", list.len())
            }
            Openings::Random(random) => format!("{random:?}"),
        };
        format!(
            "{}; {:?}; {:?}; margin {:?}, hash {}; {openings}",
            players.join(", "),
            self.rules,
            self.adjudication,
            self.margin,
            self.hash_mb
        )
    }

    /// Plays games from the queue until it is empty or a game was not to be
    /// followed by others; `ended` hears of each and says whether to go on.
    ///
    /// # Errors
    /// If a player cannot be set up, or what `ended` says.
    pub fn play_all(
        &self,
        queue: &mut (dyn Iterator<Item = Job> + Send),
        ended: &(dyn Fn(&Job, &PlayedGame) -> Result<bool, ArenaError> + Sync),
    ) -> Result<(), ArenaError> {
        // `None` once no more games are to be started.
        let queue = Mutex::new(Some(queue));
        let work = || -> Result<(), ArenaError> {
            let mut worker = Worker::new(self)?;
            loop {
                let job = lock(&queue).as_mut().and_then(|queue| queue.next());
                let Some(job) = job else { return Ok(()) };
                let going_on = worker.play(&job).and_then(|game| ended(&job, &game));
                if !matches!(going_on, Ok(true)) {
                    *lock(&queue) = None;
                }
                going_on?;
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.concurrency.max(1))
                .map(|_| {
                    std::thread::Builder::new()
                        .stack_size(STACK_BYTES)
                        .spawn_scoped(scope, work)
                        .map_err(|fault| {
                            // Those already there would play everything first.
                            *lock(&queue) = None;
                            ArenaError::Thread(fault)
                        })
                })
                .collect::<Result<_, _>>()?;
            threads
                .into_iter()
                .map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .fold(Ok(()), Result::and)
        })
    }

    /// Writes a game to the files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(
        &self,
        files: &mut Files,
        event: &str,
        job: &Job,
        game: &PlayedGame,
    ) -> Result<Entry, ArenaError> {
        let entry = Entry::new(job.place, job.seats, game);
        let [pgn, training] = files.wants();
        let text = if pgn {
            self.to_pgn(event, job, game)
        } else {
            String::new()
        };
        let mut bytes = Vec::new();
        if training && game.failed().is_none() {
            write_game(&to_self_play(game), &mut bytes);
        }
        files.write(&entry, [text.as_bytes(), &bytes])?;
        Ok(entry)
    }

    fn to_pgn(&self, event: &str, job: &Job, game: &PlayedGame) -> String {
        let moves: Vec<_> = game.plies.iter().map(|&(mv, _)| mv).collect();
        let mut record = Record::from_moves(game.start.clone(), moves)
            .expect("the referee lets legal moves pass only");
        let [round, board, number] = job.place;
        let [red, black] = job.seats.map(|seat| &self.players[seat]);
        record.set_tag("Event", event);
        record.set_tag("Round", &format!("{}.{}", round + 1, number + 1));
        record.set_tag("Board", &(board + 1).to_string());
        record.set_tag("Red", &red.name);
        record.set_tag("Black", &black.name);
        record.set_tag("RedTimeControl", &red.control.to_string());
        record.set_tag("BlackTimeControl", &black.control.to_string());
        record.set_tag("Rules", self.rules.set.name());
        record.set_tag(
            "Termination",
            &match &game.reason {
                Reason::Fault(fault) => fault.to_string(),
                reason => reason.kind().to_owned(),
            },
        );
        record.set_result(match game.result.half_points() {
            0 => records::GameResult::BlackWins,
            1 => records::GameResult::Draw,
            _ => records::GameResult::RedWins,
        });
        pgn::write(&record, Notation::Iccs) + "\n"
    }
}

/// A thread's own things: the players it has running and what makes openings.
struct Worker<'f> {
    field: &'f Field,
    players: Vec<(usize, Box<dyn Player>)>,
    balance: Searcher,
}

impl<'f> Worker<'f> {
    fn new(field: &'f Field) -> Result<Self, ArenaError> {
        Ok(Self {
            field,
            players: Vec::new(),
            balance: Searcher::new(1, 4)?,
        })
    }

    /// Takes a player out of those running, or sets it up.
    fn take(&mut self, seat: usize) -> Result<Box<dyn Player>, SpecError> {
        let running = self.players.iter().position(|&(number, _)| number == seat);
        match running {
            Some(index) => Ok(self.players.swap_remove(index).1),
            None => self.field.players[seat].spec.build(self.field.hash_mb),
        }
    }

    fn play(&mut self, job: &Job) -> Result<PlayedGame, ArenaError> {
        let field = self.field;
        let start = match &field.openings {
            Openings::List(list) => list[job.opening as usize % list.len()].clone(),
            Openings::Random(random) => random.opening(job.opening, &mut self.balance),
        };
        let mut red = self.take(job.seats[0])?;
        let mut black = self.take(job.seats[1])?;
        // Whoever does not play now leaves: a large field must not fill the memory.
        self.players.clear();
        let controls = Controls {
            each: job.seats.map(|seat| field.players[seat].control),
            margin: field.margin,
        };
        let seats: [&mut dyn Player; 2] = [red.as_mut(), black.as_mut()];
        let game = play(seats, &start, controls, field.rules, field.adjudication);
        self.players = vec![(job.seats[0], red), (job.seats[1], black)];
        Ok(game)
    }
}

/// Whoever held the lock last has panicked; what it guards is whole all the same.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}
