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
    books: Vec<OpenBook>,
}

/// A book and what a message needs.
#[derive(Debug)]
struct OpenBook {
    book: Book,
    /// Empty for the book that comes with the program.
    path: PathBuf,
    /// Whether a message has said that it cannot be asked.
    is_told: bool,
}

impl OpenBook {
    fn new(book: Book, path: &Path) -> Self {
        Self {
            book,
            path: path.to_owned(),
            is_told: false,
        }
    }
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
        let opened: Vec<Result<OpenBook, BookError>> = if files.is_empty() {
            vec![Book::built_in().map(|book| OpenBook::new(book, Path::new("")))]
        } else {
            let open = |path: &PathBuf| match Book::open(&evaluation::locate(path)) {
                Ok(book) => Ok(OpenBook::new(book, path)),
                Err(fault) => Err(name(fault, path)),
            };
            files.iter().map(open).collect()
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

    /// The answer to a `go`, if a book has one. A database that cannot be asked
    /// leaves it to the others; a message says so once.
    ///
    /// # Errors
    /// If a database cannot be asked for the first time and no other book answers.
    pub(super) fn answer(
        &mut self,
        game: &Game,
        banned: &[Move],
        go: &GoRequest,
        settings: &Settings,
    ) -> Result<Option<Vec<Output>>, BookError> {
        if !is_wanted(game, go, settings) {
            return Ok(None);
        }
        let mut error = None;
        let mut answer = None;
        for open in &mut self.books {
            let mut moves = match open.book.moves(game.position()) {
                Ok(moves) => moves,
                Err(fault) => {
                    // One message a time: that of another one comes next time.
                    if error.is_none() && !open.is_told {
                        open.is_told = true;
                        error = Some(name(fault, &open.path));
                    }
                    continue;
                }
            };
            moves.retain(|known| !banned.contains(&known.mv) && is_new_ground(game, known.mv));
            let mut random = strength::random(settings.seed, game.position().key());
            if let Some(best) = choose(&moves, settings.book_choice, &mut random) {
                answer = Some((moves, best));
                break;
            }
        }
        let Some((moves, best)) = answer else {
            return error.map_or(Ok(None), Err);
        };
        let message = error.map(|error| Output::message(error.to_string()));
        let ponder = self.reply(game, best.mv);
        let outputs = outputs(&moves, best, ponder);
        Ok(Some(message.into_iter().chain(outputs).collect()))
    }

    /// The reply that the first book which knows one likes best. A book that
    /// cannot be asked knows none: the move before it is played all the same.
    fn reply(&self, game: &Game, mv: Move) -> Option<Move> {
        let mut game = game.clone();
        game.make(mv);
        for open in &self.books {
            let mut moves = open.book.moves(game.position()).unwrap_or_default();
            moves.retain(|known| is_new_ground(&game, known.mv));
            // The best one needs no chance.
            let mut random = crate::types::Random::new(0);
            if let Some(best) = choose(&moves, Choice::Best, &mut random) {
                return Some(best.mv);
            }
        }
        None
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
        let (mut library, settings) = library("lines", TEXT);
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
        let (mut library, settings) = library("settings", TEXT);
        let game = played("");
        let mut ask = |go: &GoRequest, settings: &Settings| {
            best(library.answer(&game, &[], go, settings).unwrap())
        };
        let best_one = Settings {
            book_choice: Choice::Best,
            ..settings.clone()
        };
        assert!(ask(&timed(), &best_one).is_some_and(|(mv, _)| mv != "c3c4"));
        let mut with = |change: fn(&mut Limits)| {
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
        let (mut library, settings) = library("repeats", "4k4/9/9/9/9/9/9/9/3R5/5K3 w d1e1:5\n");
        let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/3R5/5K3 w").unwrap());
        let mut ask = |game: &Game| best(library.answer(game, &[], &timed(), &settings).unwrap());
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

    #[cfg(feature = "obk")]
    mod sqlite {
        use super::*;
        use rusqlite::Connection;
        use std::time::Instant;

        /// A book in a database of its own.
        fn database(name: &str, sql: &str) -> (PathBuf, OpenBook) {
            let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
            let connection = Connection::open(&path).unwrap();
            connection.execute_batch(sql).unwrap();
            connection.close().unwrap();
            let book = Book::open(&path).unwrap();
            let open = OpenBook::new(book, &path);
            (path, open)
        }

        /// The text of a message, if the first output is one.
        fn message(outputs: &[Output]) -> Option<&str> {
            match outputs.first()? {
                Output::Info(info) => info.message.as_deref(),
                _ => None,
            }
        }

        /// A table without the columns of a book opens, and fails when it is asked.
        #[test]
        fn a_book_that_fails_leaves_the_answer_to_the_others() {
            let (path, faulty) = database("faulty", "CREATE TABLE bhobk(x)");
            let (mut library, settings) = library("beside-faulty", TEXT);
            let ask = |library: &mut Library| library.answer(&played(""), &[], &timed(), &settings);
            let alone = ask(&mut library).unwrap().unwrap();
            library.books.insert(0, faulty);
            let mut first = ask(&mut library).unwrap().unwrap();
            let text = message(&first).unwrap();
            let is_named = text.contains(path.to_str().unwrap()) && text.contains("vmove");
            assert!(is_named, "{text}");
            first.remove(0);
            assert_eq!(first, alone);
            // It has been told.
            assert_eq!(ask(&mut library), Ok(Some(alone)));
            // Without another answer, too.
            library.books.truncate(1);
            assert_eq!(ask(&mut library), Ok(None));
            library.books[0].is_told = false;
            let error = ask(&mut library).unwrap_err().to_string();
            assert!(
                error.starts_with("cannot read ") && error.contains("vmove"),
                "{error}"
            );
            assert_eq!(ask(&mut library), Ok(None));
            std::fs::remove_file(path).unwrap();
        }

        #[test]
        fn a_database_in_use_does_not_cost_the_clock() {
            let (path, busy) = database(
                "busy",
                "CREATE TABLE bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid)",
            );
            let (mut library, settings) = library("beside-busy", TEXT);
            library.books.insert(0, busy);
            let mut other = Connection::open(&path).unwrap();
            let key = crate::opening::obk_key(&Position::start()) as i64;
            let lock = rusqlite::TransactionBehavior::Exclusive;
            let transaction = other.transaction_with_behavior(lock).unwrap();
            // e3e4, its own mirror image
            let row = "INSERT INTO bhobk VALUES (?1, 0x9787, 7, 0, 0, 0, 1)";
            transaction.execute(row, [key]).unwrap();
            let start = Instant::now();
            let mut ask = || {
                let outputs = library.answer(&played(""), &[], &timed(), &settings);
                outputs.unwrap().unwrap()
            };
            let outputs = ask();
            assert!(start.elapsed() < Duration::from_secs(2));
            assert!(message(&outputs).is_some_and(|text| text.contains("locked")));
            assert_ne!(best(Some(outputs)).unwrap().0, "e3e4");
            // It is asked again.
            transaction.commit().unwrap();
            assert_eq!(best(Some(ask())).unwrap().0, "e3e4");
            other.close().unwrap();
            drop(library);
            std::fs::remove_file(path).unwrap();
        }
    }
}
