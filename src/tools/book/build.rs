//! From games to a book: counting, choosing, checking, weighing.

use super::games::{BookGame, Sources};
use super::{BookToolError, Judge};
use crate::opening::{Collection, Counts, Lock, Weighted};
use crate::position::Position;
use crate::records::GameResult;
use crate::types::{Color, Move, Score};
use std::collections::HashMap;

/// What goes into a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildOptions {
    /// Plies of a game that count.
    pub plies: usize,
    /// Games in which a move must have been played.
    pub min_games: u32,
    /// The share of points that a move must have scored.
    pub min_score: f64,
    /// Nodes of the search that checks each position; 0: no check.
    pub nodes: u64,
    /// How far a move may fall behind the best one by that search, in
    /// centipawns.
    pub margin: Score,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            plies: 40,
            min_games: 4,
            min_score: 0.35,
            nodes: 0,
            margin: 80,
        }
    }
}

/// What went into a book and what did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// Games that count.
    pub games: usize,
    /// Games without a result or without a start that can be read.
    pub skipped: usize,
    /// Positions and moves that were played often enough and scored enough.
    pub chosen: (usize, usize),
    /// Positions that were searched.
    pub searched: usize,
    /// Moves that the search rejected.
    pub rejected: usize,
    /// Positions and moves of the book.
    pub kept: (usize, usize),
}

/// A move is worth nothing at this share of points.
const WORTHLESS_SCORE: f64 = 0.3;

/// A position counts if this many games have reached it.
const MIN_GAMES_OF_POSITION: u32 = 2;

/// Makes a book.
///
/// # Errors
/// If the games cannot be read, a search cannot be made, or nothing is left.
pub fn build(
    sources: &Sources,
    options: BuildOptions,
    judge: &mut Judge,
) -> Result<(Collection, BuildReport), BookToolError> {
    let mut report = BuildReport::default();
    let mut book = count(sources, options, &mut report)?;
    book.retain(|_, _, known| {
        let is_chosen = known.counts.games() >= options.min_games
            && known.counts.score() >= options.min_score.max(WORTHLESS_SCORE);
        known.weight = weight(known.counts);
        is_chosen
    });
    report.chosen = book.size();
    if options.nodes > 0 {
        check(&mut book, options, judge, &mut report)?;
    }
    report.kept = book.size();
    if report.kept.1 == 0 {
        return Err(BookToolError::Nothing);
    }
    Ok((book, report))
}

/// The more games and the more points, the heavier.
fn weight(counts: Counts) -> i32 {
    let weight = f64::from(counts.games()) * (counts.score() - WORTHLESS_SCORE);
    (weight.round() as i32).clamp(1, i32::from(u16::MAX))
}

/// Counts the moves of all positions that enough games have reached. Those are
/// found in a first pass, which keeps the second small.
fn count(
    sources: &Sources,
    options: BuildOptions,
    report: &mut BuildReport,
) -> Result<Collection, BookToolError> {
    let mut visits: HashMap<u64, u32> = HashMap::new();
    let unreadable = sources.each(options.plies, |game| {
        if game.result == GameResult::Unknown {
            report.skipped += 1;
            return;
        }
        report.games += 1;
        walk(&game, |position, _| {
            *visits.entry(stored_key(position)).or_default() += 1;
        });
    })?;
    report.skipped += unreadable;
    let least = options.min_games.max(MIN_GAMES_OF_POSITION);
    visits.retain(|_, visits| *visits >= least);
    let mut book = Collection::default();
    sources.each(options.plies, |game| {
        walk(&game, |position, mv| {
            if game.result != GameResult::Unknown && visits.contains_key(&stored_key(position)) {
                let counts = counts(game.result, position.side_to_move());
                book.add(position, mv, Weighted { weight: 0, counts });
            }
        });
    })?;
    Ok(book)
}

/// Every position of a game with its move, each once.
pub(super) fn walk(game: &BookGame, mut visit: impl FnMut(&Position, Move)) {
    let mut position = game.start.clone();
    let mut seen = Vec::with_capacity(game.moves.len());
    for &mv in &game.moves {
        if !position.is_legal(mv, &position.legality()) {
            return;
        }
        if !seen.contains(&position.key()) {
            seen.push(position.key());
            visit(&position, mv);
        }
        position.make(mv);
    }
}

/// One number for a position and its mirror image.
pub(super) fn stored_key(position: &Position) -> u64 {
    let words = |lock: Lock| u64::from(lock.lock1) << 32 | u64::from(lock.lock0);
    words(Lock::of(position)).min(words(Lock::of_mirror(position)))
}

fn counts(result: GameResult, mover: Color) -> Counts {
    let winner = match result {
        GameResult::RedWins => Some(Color::Red),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw | GameResult::Unknown => None,
    };
    Counts {
        wins: u32::from(winner == Some(mover)),
        draws: u32::from(winner.is_none()),
        losses: u32::from(winner == Some(!mover)),
    }
}

/// Searches every position of the book and every position its moves lead to, and
/// drops the moves that fall too far behind the best one. What falls behind a
/// little loses weight in proportion.
fn check(
    book: &mut Collection,
    options: BuildOptions,
    judge: &mut Judge,
    report: &mut BuildReport,
) -> Result<(), BookToolError> {
    let mut positions = Vec::new();
    let mut places = HashMap::new();
    let mut note = |position: &Position| {
        places.entry(stored_key(position)).or_insert_with(|| {
            positions.push(stored_form(position));
            positions.len() - 1
        });
    };
    for entry in book.entries() {
        note(&entry.position);
        entry
            .moves
            .keys()
            .for_each(|&mv| note(&after(&entry.position, mv)));
    }
    let scores = judge.scores(&positions, options.nodes)?;
    report.searched = positions.len();
    // Any margin and any score of a journal can be added up as these.
    let value = |position: &Position| f64::from(scores[places[&stored_key(position)]]);
    let mut best: HashMap<u64, f64> = HashMap::new();
    for entry in book.entries() {
        let replies = entry
            .moves
            .keys()
            .map(|&mv| -value(&after(&entry.position, mv)));
        let most = replies.fold(value(&entry.position), f64::max);
        best.insert(stored_key(&entry.position), most);
    }
    let margin = f64::from(options.margin);
    let before = book.size().1;
    book.retain(|position, mv, known| {
        let deficit = best[&stored_key(position)] + value(&after(position, mv));
        let left = (margin + 1.0 - deficit) / (margin + 1.0);
        known.weight = ((f64::from(known.weight) * left).round() as i32).max(1);
        deficit <= margin
    });
    report.rejected = before - book.size().1;
    Ok(())
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.make(mv);
    next
}

/// The form under which a position and its mirror image are searched: the FEN
/// that comes first, without counters.
fn stored_form(position: &Position) -> Position {
    let bare = |position: &Position| {
        let fen = position.to_fen();
        fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
    };
    let fen = bare(position).min(bare(&position.mirror_files()));
    Position::from_fen(&fen).unwrap_or_else(|_| position.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(name: &str, text: &str) -> Sources {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Sources { paths: vec![path] }
    }

    const GAMES: &str = "1-0\t-\th2e2 h9g7 h0g2\n0-1\t-\tb2e2 b9c7 b0c2\n1/2\t-\th2e2 h9g7\n\
        *\t-\th2e2 h9g7\n1-0\t-\ta3a4\n1-0\t-\th2e2 b7b0\n";

    #[test]
    fn games_and_their_mirror_images_are_counted() {
        let sources = sources("build", GAMES);
        let options = BuildOptions {
            min_games: 2,
            min_score: 0.3,
            ..BuildOptions::default()
        };
        let mut judge = Judge::open(None).unwrap();
        let (book, report) = build(&sources, options, &mut judge).unwrap();
        assert_eq!((report.games, report.skipped), (5, 1));
        let start = book.find(&Position::start()).unwrap();
        assert_eq!(start.moves.len(), 2, "a3a4 was played once: {start:?}");
        let known = start.moves.values().next().unwrap();
        let Counts {
            wins,
            draws,
            losses,
        } = known.counts;
        assert_eq!((wins, draws, losses), (2, 1, 1));
        assert_eq!(known.weight, 1); // 4 * (0.625 - 0.3)
        let too_much = BuildOptions {
            min_games: 9,
            ..options
        };
        assert!(matches!(
            build(&sources, too_much, &mut judge),
            Err(BookToolError::Nothing)
        ));
        std::fs::remove_file(&sources.paths[0]).unwrap();
    }

    #[test]
    fn a_blunder_is_dropped_by_the_check() {
        // The rook can take a rook, or let it live.
        let fen = "3k5/9/9/9/9/9/9/9/r8/R3K4 w";
        let game = |mv: &str| format!("1-0\t{fen}\t{mv}\n").repeat(2);
        let sources = sources("check", &(game("a0a1") + &game("a0b0")));
        let options = BuildOptions {
            min_games: 2,
            nodes: 2_000,
            ..BuildOptions::default()
        };
        let mut judge = Judge::open(None).unwrap();
        let (book, report) = build(&sources, options, &mut judge).unwrap();
        assert_eq!((report.chosen, report.searched), ((1, 2), 3));
        let entry = book.find(&Position::from_fen(fen).unwrap()).unwrap();
        // The book may hold the mirror image.
        let texts: Vec<String> = entry.moves.keys().map(Move::to_string).collect();
        assert!(texts == ["a0a1"] || texts == ["i0i1"], "{texts:?}");
        assert_eq!(report.rejected, 1);
        let generous = BuildOptions {
            margin: Score::MAX,
            ..options
        };
        let (_, report) = build(&sources, generous, &mut judge).unwrap();
        assert_eq!(report.rejected, 0);
        std::fs::remove_file(&sources.paths[0]).unwrap();
    }
}
