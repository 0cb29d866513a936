//! The move generator on known counts (see `cases`), at every processor level.
//!
//! Counts of up to [`QUICK`] nodes run always, the rest on request:
//! `cargo test --release --test perft -- --ignored`. A shallower walk checks at
//! each inner node what is kept incrementally and that `is_legal` agrees with
//! the list.

use chuhe::position::{Level, Position, perft};
use chuhe::types::{Move, Square};
use rayon::prelude::*;

mod cases;

use cases::Case;

/// The largest count of a normal run.
const QUICK: u64 = 20_000_000;
/// The largest count of a normal run without POPCNT.
const QUICK_BASELINE: u64 = 1_000_000;
/// The largest count that the checked walk visits one by one.
const WALK: u64 = 20_000;

fn position(case: &Case) -> Position {
    Position::from_fen(case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.fen))
}

/// Counts every row that `limits` lets through, the long ones first, and shows
/// all mismatches side by side.
fn run(level: Level, limits: impl Fn(u64) -> bool) {
    let mut rows: Vec<(Case, u32, u64)> = Vec::new();
    for case in cases::all() {
        for &(depth, count) in case.counts.iter().filter(|(_, count)| limits(*count)) {
            rows.push((case.clone(), depth, count));
        }
    }
    rows.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
    let wrong: Vec<String> = rows
        .par_iter()
        .with_max_len(1)
        .filter_map(|(case, depth, expected)| {
            let got = perft(&mut position(case), *depth, level);
            (got != *expected).then(|| {
                let Case { fen, note, .. } = case;
                format!("D{depth}: expected {expected}, got {got}: {fen} ({note})")
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{level:?}\n{}", wrong.join("\n"));
}

#[test]
fn known_counts() {
    run(Level::detect(), |count| count <= QUICK);
}

#[test]
fn known_counts_without_popcnt() {
    run(Level::Baseline, |count| count <= QUICK_BASELINE);
}

#[test]
#[ignore = "counts of more than 20 million: a quarter of a minute in a release build"]
fn large_counts() {
    run(Level::detect(), |count| count > QUICK);
}

#[test]
#[ignore = "counts of 1 to 200 million: some seconds in a release build"]
fn large_counts_without_popcnt() {
    run(Level::Baseline, |count| {
        count > QUICK_BASELINE && count < 200_000_000
    });
}

#[test]
fn every_node_is_consistent() {
    cases::all().par_iter().for_each(|case| {
        let deepest = case.counts.iter().rev().find(|(_, count)| *count <= WALK);
        if let Some(&(depth, count)) = deepest {
            assert_eq!(walk(&mut position(case), depth), count, "{}", case.fen);
        }
    });
}

/// Counts one by one and checks each position on the way.
fn walk(position: &mut Position, depth: u32) -> u64 {
    assert_eq!(position.verify(), Ok(()), "{}", position.to_fen());
    if depth == 0 {
        return 1;
    }
    let listed = check_legality(position);
    let before = position.clone();
    let mut nodes = 0;
    for mv in listed {
        let undo = position.make(mv);
        nodes += walk(position, depth - 1);
        position.unmake(&undo);
        assert_eq!(*position, before, "after taking back {mv}");
    }
    nodes
}

/// Whether `is_legal` says yes to the listed moves and to no other.
fn check_legality(position: &Position) -> Vec<Move> {
    let legality = position.legality();
    let mut listed = position.legal_moves().to_vec();
    listed.sort();
    let mut legal: Vec<Move> = Square::all()
        .flat_map(|from| Square::all().filter_map(move |to| Move::checked(from, to)))
        .filter(|&mv| position.is_legal(mv, &legality))
        .collect();
    legal.sort();
    assert_eq!(listed, legal, "{}", position.to_fen());
    listed
}
