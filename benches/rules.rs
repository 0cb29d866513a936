//! What the verdict costs: where nothing repeats, and on a repetition.

use chuhe::position::Position;
use chuhe::rules::{Game, RuleSet, Rules};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A middle game, and a chase of a protected rook by a cannon (Asian rule book, D18).
const FEN: &str = "2bakab2/3r5/2n1c2c1/p1R1p1p2/7np/2P2CP2/P2rP3P/2N1C1N2/4A4/2B1KAB1R w";
const CHASE: &str = "f4f3 d3d7 f3f7 d7d3 f7f3 d3d7 f3f7 d7d3 f7f3";

fn game(set: RuleSet, moves: &str) -> Game {
    let position = Position::from_fen(FEN).expect("a legal position");
    let mut game = Game::with_rules(position, Rules::of(set));
    let moves = moves.split_whitespace();
    game.play(moves.map(|mv| mv.parse().expect("a move")))
        .expect("legal moves");
    game
}

/// Makes and unmakes all lines of this many plies.
fn walk(game: &mut Game, depth: u32, asks: bool) {
    if asks {
        black_box(game.verdict(0));
    }
    if depth == 0 {
        return;
    }
    for mv in game.position().legal_moves() {
        game.make(mv);
        walk(game, depth - 1, asks);
        game.unmake();
    }
}

fn verdicts(c: &mut Criterion) {
    for (name, asks) in [("walk", false), ("walk with verdicts", true)] {
        let mut game = game(RuleSet::Cxa, "");
        c.bench_function(name, |b| b.iter(|| walk(&mut game, 2, asks)));
    }
    for set in RuleSet::ALL {
        let game = game(set, CHASE);
        // A clone knows nothing yet.
        c.bench_function(&format!("repetition by {set}, new"), |b| {
            b.iter_batched_ref(
                || game.clone(),
                |game| black_box(game.verdict(0)),
                criterion::BatchSize::SmallInput,
            );
        });
    }
}

criterion_group!(benches, verdicts);
criterion_main!(benches);
