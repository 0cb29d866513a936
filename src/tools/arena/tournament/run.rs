//! Playing a tournament: round after round, on the same threads and with the same
//! referee and files as a match.

use super::format::Format;
use super::history::{Encounter, History, Plan, Round};
use crate::tools::arena::field::{ArenaError, Field, Job, lock};
use crate::tools::arena::files::{Entry, Files, Paths};
use crate::tools::arena::game::PlayedGame;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// What to play.
#[derive(Clone, Debug)]
pub struct TournamentOptions {
    /// The players in order of their seeds, and how they play.
    pub field: Field,
    /// Who meets whom.
    pub format: Format,
    /// Faults in a row after which a player is withdrawn; 0: never.
    pub patience: usize,
    /// Where results and games are kept.
    pub paths: Paths,
}

/// What is told while a tournament goes on.
#[derive(Debug)]
pub enum TournamentNews<'n> {
    /// A round begins: its number from 0, and what will be played.
    Begins(usize, &'n Plan),
    /// A game has ended, now or before a restart.
    Ended(&'n Entry),
    /// A round is over.
    Over(&'n History),
}

/// Hears of it.
type Listener<'l> = dyn Fn(TournamentNews) + Sync + 'l;

/// A game's round, board and number.
type Place = [usize; 3];

/// Plays a tournament to its end.
///
/// # Errors
/// If a player cannot be set up or a file not be used. Games already played stay
/// in the journal.
pub fn run(options: &TournamentOptions, tell: &Listener) -> Result<History, ArenaError> {
    let mut event = Event::open(options, tell)?;
    while let Some(plan) = options.format.next(&event.history) {
        tell(TournamentNews::Begins(event.history.rounds.len(), &plan));
        event.play(&plan)?;
        tell(TournamentNews::Over(&event.history));
    }
    event.check_known(&[], false)?;
    Ok(event.history)
}

/// A tournament under way.
struct Event<'t> {
    options: &'t TournamentOptions,
    tell: &'t Listener<'t>,
    files: Mutex<Files>,
    /// Games played now or before a restart.
    known: BTreeMap<Place, Entry>,
    history: History,
    /// How many openings the rounds so far had.
    openings: u64,
}

impl<'t> Event<'t> {
    fn open(options: &'t TournamentOptions, tell: &'t Listener) -> Result<Self, ArenaError> {
        let TournamentOptions {
            field,
            format,
            patience,
            paths,
        } = options;
        let players = field.players.len();
        let event = format!("{format:?}, patience {patience}: {}", field.describe());
        let (files, known) = Files::open(paths, &event, players)?;
        Ok(Self {
            options,
            tell,
            files: Mutex::new(files),
            known: known
                .into_iter()
                .map(|entry| (entry.place(), entry))
                .collect(),
            history: History::new(players, *patience),
            openings: 0,
        })
    }

    /// Plays a round, and adds it to the history.
    fn play(&mut self, plan: &Plan) -> Result<(), ArenaError> {
        let jobs = jobs(plan, self.history.rounds.len(), self.openings);
        self.openings += openings(plan);
        let is_there = |player| !self.history.is_withdrawn(player);
        let missing: Vec<Job> = jobs
            .iter()
            .filter(|job| !self.known.contains_key(&job.place))
            .filter(|job| job.seats.into_iter().all(is_there))
            .copied()
            .collect();
        self.check_known(&jobs, missing.is_empty())?;
        let already = jobs.iter().filter_map(|job| self.known.get(&job.place));
        already.for_each(|entry| (self.tell)(TournamentNews::Ended(entry)));
        let known = Mutex::new(std::mem::take(&mut self.known));
        let field = &self.options.field;
        let ended = |job: &Job, game: &PlayedGame| {
            let entry = field.write(&mut lock(&self.files), "Chuhe tournament", job, game)?;
            (self.tell)(TournamentNews::Ended(&entry));
            lock(&known).insert(job.place, entry);
            Ok(true)
        };
        field.play_all(&mut missing.into_iter(), &ended)?;
        let known = known
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        let games = jobs.iter().map(|job| match known.get(&job.place) {
            Some(entry) => Encounter {
                failed: entry.failed,
                ..Encounter::played(job.seats, entry.points)
            },
            None => Encounter::forfeit(job.seats, job.seats.map(is_there)),
        });
        let round = Round {
            games: games.collect(),
            byes: plan.byes.clone(),
        };
        self.history.rounds.push(round);
        self.known = known;
        Ok(())
    }

    /// Whether the journal can be of this event: what it knows of this round is in
    /// the plan, and it knows of a later one only if this one is over.
    fn check_known(&self, jobs: &[Job], is_over: bool) -> Result<(), ArenaError> {
        let round = self.history.rounds.len();
        let is_planned = |place: &Place, entry: &Entry| {
            let job = jobs.binary_search_by_key(place, |job| job.place);
            job.is_ok_and(|index| jobs[index].seats == entry.seats)
        };
        let mut known = self.known.range([round, 0, 0]..);
        let strange = known.find(|(place, entry)| match place[0] == round {
            true => !is_planned(place, entry),
            false => !is_over,
        });
        match strange {
            Some((_, entry)) => Err(lock(&self.files).damaged(entry).into()),
            None => Ok(()),
        }
    }
}

/// The games of a round. The two games of a pair with both colours have the same
/// opening, the pairs of an event have one after the other.
fn jobs(plan: &Plan, round: usize, first_opening: u64) -> Vec<Job> {
    let pairs = plan.games.div_ceil(2);
    plan.seats()
        .map(|(board, game, seats)| Job {
            place: [round, board, game],
            seats,
            opening: first_opening + (board * pairs + game / 2) as u64,
        })
        .collect()
}

/// How many openings a round has.
fn openings(plan: &Plan) -> u64 {
    (plan.boards.len() * plan.games.div_ceil(2)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::tools::arena::control::{TIME_MARGIN, TimeControl};
    use crate::tools::arena::field::{Entrant, Openings};
    use crate::tools::arena::game::Adjudication;
    use crate::tools::arena::openings::RandomOpenings;
    use crate::types::Move;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn options(players: &[(&str, &str)], format: Format, paths: Paths) -> TournamentOptions {
        let entrant = |&(name, spec): &(&str, &str)| Entrant {
            name: name.to_owned(),
            spec: spec.parse().unwrap(),
            control: TimeControl::Nodes(50),
        };
        TournamentOptions {
            field: Field {
                players: players.iter().map(entrant).collect(),
                openings: Openings::Random(RandomOpenings {
                    plies: (6, 9),
                    nodes: 100,
                    balance: 300,
                    seed: 1,
                }),
                rules: Rules::default(),
                adjudication: Adjudication::default(),
                margin: TIME_MARGIN,
                concurrency: 2,
                hash_mb: 1,
            },
            format,
            patience: 2,
            paths,
        }
    }

    const SWISS: Format = Format::Swiss {
        rounds: 3,
        games: 1,
    };

    const ROBIN: Format = Format::RoundRobin {
        cycles: 1,
        games: 2,
    };

    /// An empty folder.
    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_tournament_goes_on_where_it_was_interrupted() {
        let folder = folder("swiss");
        let journal = folder.join("journal");
        let paths = Paths {
            journal: Some(journal.clone()),
            ..Paths::default()
        };
        let players = [
            ("a", "self"),
            ("b", "self:hce"),
            ("c", "self"),
            ("d", "self:hce"),
        ];
        let options = options(&players, SWISS, paths);
        let whole = run(&options, &|_| {}).unwrap();
        assert_eq!(whole.games().count(), 6);
        // The same again after all lines from the third game on were lost.
        let text = std::fs::read_to_string(&journal).unwrap();
        let lines: Vec<&str> = text.lines().take(3).collect();
        std::fs::write(&journal, lines.join("\n") + "\n").unwrap();
        let again = run(&options, &|_| {}).unwrap();
        assert_eq!(again, whole);
        assert_eq!(
            std::fs::read_to_string(&journal).unwrap().lines().count(),
            7
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Each digit of a finished journal made another: it is that of this event, or
    /// the line is named; no panic, and no other tournament.
    #[test]
    fn a_changed_digit_is_named_or_does_no_harm() {
        let folder = folder("digit");
        let journal = folder.join("journal");
        let paths = Paths {
            journal: Some(journal.clone()),
            ..Paths::default()
        };
        let players = [("a", "self:hce"), ("b", "self:hce"), ("c", "self:hce")];
        let mut options = options(&players, ROBIN, paths);
        options.field.concurrency = 1;
        options.field.adjudication.max_plies = 2;
        let whole = run(&options, &|_| {}).unwrap();
        let good = std::fs::read_to_string(&journal).unwrap();
        let first_game = good.find('\n').unwrap() + 1;
        for (at, digit) in good.bytes().enumerate().skip(first_game) {
            // What a game took and how long files were is not of the event.
            let field = good[..at].rsplit('"').nth(1).unwrap();
            let is_of_event = ["round", "board", "game", "seats", "points", "failed"];
            if !digit.is_ascii_digit() || !is_of_event.contains(&field) {
                continue;
            }
            for other in (b'0'..=b'9').filter(|&other| other != digit) {
                let mut bytes = good.clone().into_bytes();
                bytes[at] = other;
                std::fs::write(&journal, &bytes).unwrap();
                let is_named = match run(&options, &|_| {}) {
                    Ok(history) => {
                        // Another result cannot be known for one.
                        assert_eq!(field, "points");
                        assert_eq!(history.games().count(), whole.games().count());
                        continue;
                    }
                    Err(error) => error.to_string().contains(", line "),
                };
                assert!(is_named, "{field} {at}");
                assert_eq!(std::fs::read(&journal).unwrap(), bytes);
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// From a list of ten openings, ten encounters had the first one all.
    #[test]
    fn every_encounter_has_an_opening_of_its_own() {
        let folder = folder("list");
        let pgn = folder.join("pgn");
        let paths = Paths {
            pgn: Some(pgn.clone()),
            ..Paths::default()
        };
        let players = ["a", "b", "c", "d", "e"].map(|name| (name, "self:hce"));
        let mut options = options(&players, ROBIN, paths);
        options.field.adjudication.max_plies = 2;
        let start = Position::start();
        let after = |&mv: &Move| {
            let mut position = start.clone();
            position.make(mv);
            position
        };
        let list: Vec<Position> = start.legal_moves()[..10].iter().map(after).collect();
        options.field.openings = Openings::List(list);
        run(&options, &|_| {}).unwrap();
        let text = std::fs::read_to_string(&pgn).unwrap();
        let mut starts = BTreeMap::new();
        for line in text.lines().filter(|line| line.starts_with("[FEN ")) {
            *starts.entry(line).or_insert(0) += 1;
        }
        assert_eq!(starts.len(), 10, "{starts:?}");
        assert!(starts.values().all(|&games| games == 2), "{starts:?}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_engine_that_does_not_start_is_withdrawn() {
        let robin = Format::RoundRobin {
            cycles: 1,
            games: 1,
        };
        let players = [
            ("a", "self:hce"),
            ("broken", "uci:/nonexistent/engine"),
            ("c", "self:hce"),
            ("d", "self:hce"),
        ];
        let options = options(&players, robin, Paths::default());
        let played = AtomicUsize::new(0);
        let history = run(&options, &|news| {
            if matches!(news, TournamentNews::Ended(_)) {
                played.fetch_add(1, Ordering::Relaxed);
            }
        })
        .unwrap();
        // It fails twice, the third game is not played.
        assert_eq!(played.into_inner(), 5);
        assert_eq!(history.points(1), 0);
        assert_eq!(history.games().filter(|game| game.is_forfeit).count(), 1);
        assert!(history.is_withdrawn(1));
    }
}
