//! Endings with exact values, searched: a sample of the positions behind
//! `eval::endgame`, two of each class of material.

use chuhe::eval::nnue;
use chuhe::rules::Game;
use chuhe::search::{Limits, Request, Searcher, Signals};
use chuhe::tools::suite::{Suite, judge, parse};

/// Counts the positions that come out right at these nodes, by hand or by the
/// network, and names the others.
fn solved(network: bool, nodes: u64) -> (usize, usize, Vec<String>) {
    let text = include_str!("data/egtb/positions.tsv");
    let Suite { puzzles, left_out } = parse(text);
    assert_eq!(left_out, []);
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
    searcher.set_network(network.then(nnue::built_in));
    let mut failed = Vec::new();
    for (puzzle, position) in &puzzles {
        searcher.new_game();
        let request = Request::new(Game::new(position.clone()), limits.clone());
        let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
        if judge(puzzle, position.side_to_move(), &outcome).result != Some(true) {
            failed.push(format!("{} {} {}", puzzle.id, puzzle.fen, outcome.score));
        }
    }
    (puzzles.len() - failed.len(), puzzles.len(), failed)
}

#[test]
fn exact_values_are_found_with_the_network() {
    let (solved, all, failed) = solved(true, 2_000);
    assert!(solved * 100 >= all * 95, "{solved} of {all}: {failed:#?}");
}

#[test]
fn exact_values_are_found_by_hand() {
    let (solved, all, failed) = solved(false, 2_000);
    assert!(solved * 100 >= all * 90, "{solved} of {all}: {failed:#?}");
}
