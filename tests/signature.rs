//! The bench is a checksum: the same on every run, whatever ran before.

use chuhe::eval::nnue::simd::Backend;
use chuhe::position::Position;
use chuhe::rules::Game;
use chuhe::search::{Limits, Request, Searcher, Signals};
use chuhe::tools::bench::{self, BenchOptions};

#[test]
fn the_bench_gives_one_number() {
    let count = |backend| {
        let options = BenchOptions {
            depth: 6,
            backend,
            ..BenchOptions::default()
        };
        let mut report = Vec::new();
        let result =
            bench::run(options, &Signals::new(false), &mut report).expect("the bench runs");
        let text = String::from_utf8(report).expect("the report is ASCII");
        let last = text.lines().last().expect("there are totals").to_owned();
        assert!(
            last.starts_with(&format!("{} nodes ", result.nodes)),
            "{last}"
        );
        assert!(last.ends_with(" nps"), "{last}");
        result.nodes
    };
    let expected = count(None);
    for backend in Backend::all() {
        assert_eq!(count(Some(backend)), expected, "{}", backend.name());
    }
}

#[test]
fn a_new_game_forgets_everything() {
    let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
    let limits = Limits {
        depth: Some(8),
        ..Limits::default()
    };
    let request = Request::new(Game::new(Position::start()), limits);
    let mut search = || {
        searcher.new_game();
        let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
        (outcome.best, outcome.score, outcome.progress.nodes)
    };
    assert_eq!(search(), search());
}
