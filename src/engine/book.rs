//! The opening book at work: which books are open, and the answer to a `go` from
//! them.
//!
//! The books are asked in the order in which they were named; the first that
//! knows a move to play answers. A move that would bring a position back is never
//! played from a book: whether a repetition is lost is for the search to weigh.

use super::event::{BestMove, Info, MAX_CP, Output, ShownScore};
use super::request::GoRequest;
use super::settings::{BookSide, Settings};
use super::{evaluation, strength};
use crate::opening::{Book, BookError, BookMove, Choice, choose};
use crate::rules::Game;
use crate::search::Clock;
use crate::types::{Color, Move};
use std::path::{Path, PathBuf};

/// The books that are open.
#[derive(Debug, Default)]
pub(super) struct Library {
    books: Vec<Book>,
}

impl Library {
    /// The books that the settings ask for: the named files, or the one that comes
    /// with the program where none is named. What cannot be opened is left out;
    /// the first such error is returned beside the rest.
    pub(super) fn of(settings: &Settings) -> (Self, Option<BookError>) {
        if !settings.use_book {
            return (Self::default(), None);
        }
        let files = paths(&settings.book_files);
        let opened: Vec<Result<Book, BookError>> = if files.is_empty() {
            vec![Book::built_in()]
        } else {
            let named = |path: &PathBuf| {
                Book::open(&evaluation::locate(path)).map_err(|fault| name(fault, path))
            };
            files.iter().map(named).collect()
        };
        let mut library = Self::default();
        let mut error = None;
        for book in opened {
            match book {
                Ok(book) => library.books.push(book),
                Err(fault) => error = error.or(Some(fault)),
            }
        }
        (library, error)
    }

    /// The answer to a `go`, if a book has one.
    ///
    /// # Errors
    /// If a database cannot be asked.
    pub(super) fn answer(
        &self,
        game: &Game,
        banned: &[Move],
        go: &GoRequest,
        settings: &Settings,
    ) -> Result<Option<Vec<Output>>, BookError> {
        if !is_wanted(game, go, settings) {
            return Ok(None);
        }
        for book in &self.books {
            let mut moves = book.moves(game.position())?;
            moves.retain(|known| !banned.contains(&known.mv) && is_new_ground(game, known.mv));
            let mut random = strength::random(settings.seed, game.position().key());
            if let Some(best) = choose(&moves, settings.book_choice, &mut random) {
                let ponder = self.reply(game, best.mv)?;
                return Ok(Some(outputs(&moves, best, ponder)));
            }
        }
        Ok(None)
    }

    /// The reply that the first book which knows one likes best.
    fn reply(&self, game: &Game, mv: Move) -> Result<Option<Move>, BookError> {
        let mut game = game.clone();
        game.make(mv);
        for book in &self.books {
            let mut moves = book.moves(game.position())?;
            moves.retain(|known| is_new_ground(&game, known.mv));
            // The best one needs no chance.
            let mut random = crate::types::Random::new(0);
            if let Some(best) = choose(&moves, Choice::Best, &mut random) {
                return Ok(Some(best.mv));
            }
        }
        Ok(None)
    }
}

/// Whether a book may answer: only on the clock of a game, never where the client
/// wants thinking rather than a move (a fixed depth, node count or time is a
/// measurement), and only as deep and for the side that the settings allow.
fn is_wanted(game: &Game, go: &GoRequest, settings: &Settings) -> bool {
    let limits = &go.limits;
    let wants_thoughts = !matches!(limits.clock, Clock::Game { .. })
        || limits.infinite
        || limits.ponder
        || limits.mate.is_some()
        || !go.only_moves.is_empty()
        || settings.multi_pv > 1
        || settings.analyse_mode;
    let position = game.position();
    let by_number =
        2 * usize::from(position.move_number().saturating_sub(1)) + position.side_to_move().index();
    let ply = by_number.max(game.ply_count());
    let is_deep = settings.book_depth > 0 && ply >= settings.book_depth;
    let is_own_side = match settings.book_side {
        BookSide::Both => true,
        BookSide::Red => position.side_to_move() == Color::Red,
        BookSide::Black => position.side_to_move() == Color::Black,
    };
    !wants_thoughts && !is_deep && is_own_side
}

/// Whether the move leads to a position that the game has not had, so that no rule
/// can hold against it, and no limit is reached there.
fn is_new_ground(game: &Game, mv: Move) -> bool {
    let is_quiet = game.position().piece_on(mv.to()).is_none();
    if is_quiet && game.may_repeat_by(mv) {
        return false;
    }
    let mut game = game.clone();
    game.make(mv);
    game.verdict(0).is_none()
}

/// A line for each move, its weight as score, the chosen one last; then the move.
fn outputs(moves: &[BookMove], best: BookMove, ponder: Option<Move>) -> Vec<Output> {
    let line = |known: &BookMove, pv: Vec<Move>| {
        Output::Info(Info {
            depth: Some(0),
            score: Some(ShownScore::Cp(known.weight.clamp(-MAX_CP, MAX_CP))),
            nodes: Some(0),
            nodes_per_second: Some(0),
            time_ms: Some(0),
            pv,
            ..Info::default()
        })
    };
    let mut outputs = vec![Output::message("book move")];
    let others = moves.iter().filter(|known| known.mv != best.mv);
    outputs.extend(others.map(|known| line(known, vec![known.mv])));
    let pv = std::iter::once(best.mv).chain(ponder).collect();
    outputs.push(line(&best, pv));
    outputs.push(Output::BestMove(BestMove {
        mv: best.mv,
        ponder,
        offer: None,
    }));
    outputs
}

/// The names in a list. UCCI separates them by semicolons; elsewhere than on
/// Windows, where it stands behind the drive, the colon of the platform's own
/// lists does so, too.
fn paths(list: &[u8]) -> Vec<PathBuf> {
    let is_separator = |byte: &u8| *byte == b';' || cfg!(unix) && *byte == b':';
    list.split(is_separator)
        .map(<[u8]>::trim_ascii)
        .filter(|name| !name.is_empty())
        .map(evaluation::path)
        .collect()
}

/// Says which file it was, where the error does not.
fn name(fault: BookError, path: &Path) -> BookError {
    match fault {
        BookError::Read(_) => fault,
        other => BookError::Read(format!("{}: {other}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::Limits;
    use std::time::Duration;

    const TEXT: &str = "\
        rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w h2e2:9 b2e2:9 c3c4:1\n\
        rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b h9g7:4 b9c7:3\n";

    /// A library of one text file and its settings.
    fn library(name: &str, text: &str) -> (Library, Settings) {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}.txt", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let settings = Settings {
            book_files: path.to_str().unwrap().into(),
            seed: 1,
            ..Settings::default()
        };
        let (library, error) = Library::of(&settings);
        assert_eq!(error, None);
        std::fs::remove_file(path).unwrap();
        (library, settings)
    }

    fn timed() -> GoRequest {
        GoRequest {
            limits: Limits {
                clock: Clock::Game {
                    time: Duration::from_secs(60),
                    increment: Duration::ZERO,
                    moves_to_go: None,
                },
                ..Limits::default()
            },
            ..GoRequest::default()
        }
    }

    fn played(moves: &str) -> Game {
        let mut game = Game::new(Position::start());
        game.play(moves.split_whitespace().map(|mv| mv.parse().unwrap()))
            .unwrap();
        game
    }

    fn best(outputs: Option<Vec<Output>>) -> Option<(String, Option<String>)> {
        match outputs?.pop() {
            Some(Output::BestMove(best)) => {
                Some((best.mv.to_string(), best.ponder.map(|mv| mv.to_string())))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_book_answers_with_lines_and_a_reply_to_ponder_on() {
        let (library, settings) = library("lines", TEXT);
        let answer = library.answer(&played(""), &[], &timed(), &settings);
        let outputs = answer.unwrap().unwrap();
        let scores: Vec<i32> = outputs
            .iter()
            .filter_map(|output| match output {
                Output::Info(Info { score, .. }) => match (*score)? {
                    ShownScore::Cp(cp) => Some(cp),
                    ShownScore::Mate(_) => None,
                },
                _ => None,
            })
            .collect();
        assert_eq!(scores.len(), 3, "{outputs:?}");
        let (mv, ponder) = best(Some(outputs)).unwrap();
        let reply = match mv.as_str() {
            "h2e2" => Some("h9g7"),
            "b2e2" => Some("b9c7"),
            _ => None,
        };
        assert_eq!(ponder.as_deref(), reply);
    }

    #[test]
    fn the_settings_and_the_kind_of_search_are_heeded() {
        let (library, settings) = library("settings", TEXT);
        let game = played("");
        let ask = |go: &GoRequest, settings: &Settings| {
            best(library.answer(&game, &[], go, settings).unwrap())
        };
        let best_one = Settings {
            book_choice: Choice::Best,
            ..settings.clone()
        };
        assert!(ask(&timed(), &best_one).is_some_and(|(mv, _)| mv != "c3c4"));
        let with = |change: fn(&mut Limits)| {
            let mut go = timed();
            change(&mut go.limits);
            ask(&go, &settings)
        };
        assert_eq!(with(|limits| limits.infinite = true), None);
        assert_eq!(with(|limits| limits.ponder = true), None);
        assert_eq!(with(|limits| limits.mate = Some(3)), None);
        assert!(with(|limits| limits.depth = Some(3)).is_some());
        assert_eq!(with(|limits| limits.clock = Clock::None), None);
        let a_second = |limits: &mut Limits| {
            limits.clock = Clock::MoveTime(Duration::from_secs(1));
        };
        assert_eq!(with(a_second), None);
        for (other, answers) in [
            (
                Settings {
                    multi_pv: 2,
                    ..settings.clone()
                },
                false,
            ),
            (
                Settings {
                    analyse_mode: true,
                    ..settings.clone()
                },
                false,
            ),
            (
                Settings {
                    book_side: BookSide::Black,
                    ..settings.clone()
                },
                false,
            ),
            (
                Settings {
                    book_side: BookSide::Red,
                    ..settings.clone()
                },
                true,
            ),
            (
                Settings {
                    book_depth: 1,
                    ..settings.clone()
                },
                true,
            ),
        ] {
            assert_eq!(ask(&timed(), &other).is_some(), answers);
        }
        let deep = Settings {
            book_depth: 1,
            ..settings.clone()
        };
        let next = library.answer(&played("h2e2"), &[], &timed(), &deep);
        assert_eq!(next, Ok(None));
        let banned = ["h2e2", "b2e2", "c3c4"].map(|mv| mv.parse().unwrap());
        assert_eq!(
            library.answer(&game, &banned, &timed(), &settings),
            Ok(None)
        );
    }

    #[test]
    fn a_move_that_repeats_is_not_played() {
        // Red checks on two files for ever: the third time it has lost.
        let (library, settings) = library("repeats", "4k4/9/9/9/9/9/9/9/3R5/5K3 w d1e1:5\n");
        let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/3R5/5K3 w").unwrap());
        let ask = |game: &Game| best(library.answer(game, &[], &timed(), &settings).unwrap());
        assert_eq!(ask(&game), Some(("d1e1".to_owned(), None)));
        let cycle = ["d1e1", "e9d9", "e1d1", "d9e9"].map(|mv| mv.parse().unwrap());
        game.play(cycle).unwrap();
        assert_eq!(ask(&game), None);
    }

    #[test]
    fn files_that_cannot_be_opened_leave_the_others() {
        let good = std::env::temp_dir().join(format!("chuhe-good-{}.txt", std::process::id()));
        std::fs::write(&good, TEXT).unwrap();
        let settings = Settings {
            book_files: format!("no/such.dat;{}", good.display()).into_bytes(),
            ..Settings::default()
        };
        let (library, error) = Library::of(&settings);
        std::fs::remove_file(good).unwrap();
        assert_eq!(library.books.len(), 1);
        let error = error.unwrap().to_string();
        assert!(error.starts_with("cannot read no/such.dat"), "{error}");
        let off = Settings {
            use_book: false,
            ..settings
        };
        assert_eq!(Library::of(&off).0.books.len(), 0);
        assert_eq!(Library::of(&Settings::default()).0.books.len(), 1);
    }
}
