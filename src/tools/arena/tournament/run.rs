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
    let TournamentOptions {
        field,
        format,
        patience,
        paths,
    } = options;
    let event = format!("{format:?}, patience {patience}: {}", field.describe());
    let (files, known) = Files::open(paths, &event)?;
    let files = Mutex::new(files);
    let mut known: BTreeMap<Place, Entry> = known
        .into_iter()
        .map(|entry| ([entry.round, entry.board, entry.game], entry))
        .collect();
    let mut history = History::new(field.players.len(), *patience);
    while let Some(plan) = format.next(&history) {
        let round = history.rounds.len();
        tell(TournamentNews::Begins(round, &plan));
        let round = play_round(options, &history, &plan, &files, &mut known, tell)?;
        history.rounds.push(round);
        tell(TournamentNews::Over(&history));
    }
    Ok(history)
}

fn play_round(
    options: &TournamentOptions,
    history: &History,
    plan: &Plan,
    files: &Mutex<Files>,
    known: &mut BTreeMap<Place, Entry>,
    tell: &Listener,
) -> Result<Round, ArenaError> {
    let field = &options.field;
    let round = history.rounds.len();
    let is_there = |seats: [usize; 2]| seats.map(|player| !history.is_withdrawn(player));
    let games: Vec<(Place, [usize; 2])> = plan
        .seats()
        .map(|(board, game, seats)| ([round, board, game], seats))
        .collect();
    let missing: Vec<Job> = games
        .iter()
        .filter(|(place, seats)| is_there(*seats) == [true; 2] && !known.contains_key(place))
        .map(|&(place, seats)| Job {
            place,
            seats,
            opening: opening(place),
        })
        .collect();
    let already = games.iter().filter_map(|(place, _)| known.get(place));
    already.for_each(|entry| tell(TournamentNews::Ended(entry)));
    let results = Mutex::new(std::mem::take(known));
    let ended = |job: &Job, game: &PlayedGame| {
        let entry = field.write(&mut lock(files), "Chuhe tournament", job, game)?;
        tell(TournamentNews::Ended(&entry));
        lock(&results).insert(job.place, entry);
        Ok(true)
    };
    field.play_all(&mut missing.into_iter(), &ended)?;
    *known = results
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    let games = games
        .into_iter()
        .map(|(place, seats)| match known.get(&place) {
            Some(entry) => Encounter {
                failed: entry.failed,
                ..Encounter::played(seats, entry.points)
            },
            None => Encounter::forfeit(seats, is_there(seats)),
        });
    Ok(Round {
        games: games.collect(),
        byes: plan.byes.clone(),
    })
}

/// The number of a game's opening: the two games of a pair with both colours have
/// the same.
fn opening([round, board, game]: Place) -> u64 {
    const MANY: usize = 1_000;
    ((round * MANY + board) * MANY + game / 2) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::tools::arena::control::{TIME_MARGIN, TimeControl};
    use crate::tools::arena::field::{Entrant, Openings};
    use crate::tools::arena::game::Adjudication;
    use crate::tools::arena::openings::RandomOpenings;
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

    #[test]
    fn a_tournament_goes_on_where_it_was_interrupted() {
        let folder = std::env::temp_dir().join(format!("chuhe-swiss-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
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
