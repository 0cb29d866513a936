//! The search from outside: mates, rules, limits, stops.

use chuhe::position::Position;
use chuhe::rules::Game;
use chuhe::search::{Clock, Event, Limits, Outcome, Request, Searcher, Signals};
use chuhe::types::score::{is_mate, mate_plies};
use chuhe::types::{Bound, Move, Random};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).expect("the test position is legal"));
    let moves = moves
        .split_ascii_whitespace()
        .map(|text| text.parse::<Move>().expect("a move"));
    game.play(moves).expect("the test moves are legal");
    game
}

fn searcher() -> Searcher {
    Searcher::new(1, 16).expect("16 MB can be had")
}

fn search(game: Game, limits: Limits) -> Outcome {
    searcher().search(
        &Request::new(game, limits),
        &Signals::new(false),
        &mut |_| {},
    )
}

fn nodes(count: u64) -> Limits {
    Limits {
        nodes: Some(count),
        ..Limits::default()
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    let cases = [
        // (position, plies to the mate)
        ("3k5/9/9/9/9/9/9/2R6/1R7/4K4 w", 1),
        ("R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w", 3),
        (
            "4kab2/4a4/2P1bc3/p3pR2p/5cp2/PC1r5/4P3P/N1C3N2/4A1n2/2BA1K3 b",
            3,
        ),
        ("2N6/9/5k3/9/5n3/9/2R1r4/B2A4B/4A4/5K3 w", 5),
    ];
    for (fen, plies) in cases {
        let outcome = search(game(fen, ""), nodes(100_000));
        assert_eq!(mate_plies(outcome.score), Some(plies), "{fen}: {outcome:?}");
    }
}

/// Whether the side to move mates in this many of its moves, by trying all.
fn can_mate(position: &mut Position, moves: usize) -> bool {
    moves > 0
        && position.legal_moves().into_iter().any(|attack| {
            let undo = position.make(attack);
            let mates = position.legal_moves().into_iter().all(|answer| {
                let undo = position.make(answer);
                let mates = can_mate(position, moves - 1);
                position.unmake(&undo);
                mates
            });
            position.unmake(&undo);
            mates
        })
}

/// In positions of random games: few nodes find the mates in two that trying all
/// moves finds, and nothing shorter than what is there.
#[test]
fn short_mates_agree_with_trying_all_moves() {
    let mut random = Random::new(6);
    let mut found = [0; 3];
    while found[1] + found[2] < 40 {
        let mut position = Position::start();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
            let mate = (1..=2).find(|&moves| can_mate(&mut position, moves));
            if mate.is_none() && random.below(200) > 0 {
                continue;
            }
            let outcome = search(Game::new(position.clone()), nodes(5_000));
            let told = mate_plies(outcome.score).filter(|&plies| (0..=3).contains(&plies));
            let exact = mate.map(|moves| 2 * moves as i32 - 1);
            assert_eq!(told, exact, "{}: {outcome:?}", position.to_fen());
            found[mate.unwrap_or(0)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 5), "{found:?}");
}

/// Mates in four to six with sacrifices and quiet moves, of which the plain
/// search at these nodes sees nothing.
#[test]
fn forced_mates_are_found_early() {
    let cases = [
        // (position, plies to the mate)
        ("c4k2c/4R1R2/b1N6/9/9/6B2/6n2/5r3/C2K5/9 w", 7),
        ("2b6/3ka4/4P4/3N5/4N1b2/1r7/9/3A5/4Ap3/2BK2p2 w", 7),
        ("1R3nb2/3kaR1n1/4b4/3P5/9/6B2/9/4B1CC1/4Acc1r/5K3 w", 7),
        ("4k4/4P4/b4a3/4r4/9/2B6/9/3R2p2/4p4/3K2B2 b", 7),
        ("3ak4/4a1P2/9/2p1R2Cp/6p2/2B6/1r4P2/2nA5/3pA4/5KB2 w", 11),
    ];
    for (fen, plies) in cases {
        let mut lines = Vec::new();
        let mut keep = |event| {
            if let Event::Line(line, _) = event {
                lines.push(line);
            }
        };
        let request = Request::new(game(fen, ""), nodes(60_000));
        let outcome = searcher().search(&request, &Signals::new(false), &mut keep);
        assert_eq!(mate_plies(outcome.score), Some(plies), "{fen}: {outcome:?}");
        // The line told is one: legal, as long as the mate, nobody can move then.
        let line = lines.last().expect("there were iterations");
        assert_eq!(line.pv.len() as i32, plies, "{line:?}");
        let mut game = game(fen, "");
        game.play(line.pv.iter().copied()).expect("legal moves");
        assert!(game.position().legal_moves().is_empty(), "{line:?}");
    }
}

#[test]
fn a_forced_mate_keeps_to_the_moves_that_are_asked_for() {
    let start = game("2b6/3ka4/4P4/3N5/4N1b2/1r7/9/3A5/4Ap3/2BK2p2 w", "");
    let mut request = Request::new(start, nodes(60_000));
    let free = searcher().search(&request, &Signals::new(false), &mut |_| {});
    let best = free.best.expect("there is a move");
    request.banned_moves = vec![best];
    let other = searcher().search(&request, &Signals::new(false), &mut |_| {});
    assert_ne!(other.best, Some(best));
    assert!(other.score < free.score, "{other:?}");
}

#[test]
fn having_no_move_loses_in_check_or_not() {
    for fen in [
        "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b", // mated
        "3k5/4R4/9/9/9/9/9/9/9/4K4 b",   // stalemated
    ] {
        let outcome = search(game(fen, ""), nodes(1_000));
        assert_eq!(outcome.best, None, "{fen}");
    }
    // Stalemating is a win: the king of the lone side is locked in.
    let outcome = search(game("3k5/9/4R4/9/9/9/9/9/9/4K4 w", ""), nodes(10_000));
    assert_eq!(mate_plies(outcome.score), Some(1), "{outcome:?}");
}

#[test]
fn a_perpetual_check_is_not_played_for_a_draw() {
    // Red is a rook down and has only checks; they lose when repeated, so the
    // score must not come near a draw.
    let fen = "3k5/9/9/9/9/9/9/4r4/r3p4/2R2K3 w";
    let outcome = search(game(fen, ""), nodes(200_000));
    assert!(outcome.score < -300, "{outcome:?}");
}

#[test]
fn the_natural_limit_makes_a_draw() {
    let outcome = search(
        game("3ak4/9/9/9/9/9/9/9/R8/3K5 w - - 119 90", ""),
        nodes(20_000),
    );
    assert!(
        outcome.score.abs() < 50 || is_mate(outcome.score),
        "{outcome:?}"
    );
}

#[test]
fn a_node_limit_is_kept_to_the_node() {
    for count in [1, 10, 1_000, 12_345] {
        let outcome = search(Game::new(Position::start()), nodes(count));
        assert!(outcome.best.is_some());
        assert!(
            outcome.progress.nodes <= count + 1,
            "{} of {count}",
            outcome.progress.nodes
        );
    }
}

#[test]
fn a_clock_is_kept() {
    for (clock, most_ms) in [
        (Clock::MoveTime(Duration::from_millis(100)), 100),
        (
            Clock::Game {
                time: Duration::from_millis(1),
                increment: Duration::ZERO,
                moves_to_go: None,
            },
            30,
        ),
    ] {
        let limits = Limits {
            clock,
            ..Limits::default()
        };
        let mut searcher = searcher();
        let start = Instant::now();
        let request = Request::new(Game::new(Position::start()), limits);
        let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
        let spent = start.elapsed();
        assert!(outcome.best.is_some());
        // A loaded test machine gets some grace.
        assert!(
            spent < Duration::from_millis(most_ms + 100),
            "{spent:?} of {most_ms} ms"
        );
    }
}

#[test]
fn a_stop_ends_an_infinite_search_and_only_a_stop_does() {
    let mated_soon = "3k5/9/9/9/9/9/9/2R6/1R7/4K4 w";
    let limits = Limits {
        depth: Some(3),
        infinite: true,
        ..Limits::default()
    };
    let signals = Arc::new(Signals::new(false));
    let stopper = {
        let signals = Arc::clone(&signals);
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            signals.stop();
        })
    };
    let start = Instant::now();
    let request = Request::new(game(mated_soon, ""), limits);
    let outcome = searcher().search(&request, &signals, &mut |_| {});
    let spent = start.elapsed();
    stopper.join().expect("the stopper does not panic");
    assert!(spent >= Duration::from_millis(200), "{spent:?}");
    assert!(spent < Duration::from_millis(400), "{spent:?}");
    assert!(is_mate(outcome.score));
}

#[test]
fn banned_and_wanted_moves_are_respected_while_possible() {
    let start = Game::new(Position::start());
    let mut request = Request::new(start.clone(), nodes(5_000));
    request.only_moves = vec!["a0a1".parse().unwrap(), "h2e2".parse().unwrap()];
    request.banned_moves = vec!["h2e2".parse().unwrap()];
    let outcome = searcher().search(&request, &Signals::new(false), &mut |_| {});
    assert_eq!(outcome.best, "a0a1".parse().ok());
    request.only_moves.clear();
    request.banned_moves = start.position().legal_moves().into_iter().collect();
    let outcome = searcher().search(&request, &Signals::new(false), &mut |_| {});
    assert!(
        outcome.best.is_some(),
        "an answer is owed even if all are banned"
    );
}

#[test]
fn several_lines_differ_and_come_best_first() {
    let mut request = Request::new(
        Game::new(Position::start()),
        Limits {
            depth: Some(7),
            ..Limits::default()
        },
    );
    request.multi_pv = 4;
    let mut lines = Vec::new();
    searcher().search(&request, &Signals::new(false), &mut |event| {
        if let Event::Line(line, _) = event
            && line.depth == 7
            && line.bound == Bound::Exact
        {
            lines.push(line);
        }
    });
    assert_eq!(
        lines.iter().map(|line| line.rank).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
    let mut first: Vec<_> = lines.iter().map(|line| line.pv[0]).collect();
    first.dedup();
    assert_eq!(first.len(), 4);
}

#[test]
fn two_threads_find_the_mate_too() {
    let mut searcher = Searcher::new(2, 16).expect("16 MB can be had");
    let fen = "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w";
    let request = Request::new(game(fen, ""), nodes(200_000));
    let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
    assert_eq!(mate_plies(outcome.score), Some(3));
}
