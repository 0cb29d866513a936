//! Evaluation: a move followed and the position evaluated.

use chuhe::eval::Evaluator;
use chuhe::position::Position;
use chuhe::rules::Game;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const MIDDLEGAME: &str =
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/5n3/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R w - - 0 1";

fn evaluation(c: &mut Criterion) {
    let position = Position::from_fen(MIDDLEGAME).expect("the position is legal");
    let mut evaluator = Evaluator::new(&position, None);
    c.bench_function("evaluate", |b| {
        b.iter(|| evaluator.evaluate(black_box(&position)));
    });
    let mut game = Game::new(position.clone());
    let mv = game.position().legal_moves()[0];
    c.bench_function("make, follow, evaluate, take back", |b| {
        b.iter(|| {
            let change = game.make(black_box(mv));
            evaluator.push(&change);
            let score = evaluator.evaluate(game.position());
            evaluator.pop();
            game.unmake();
            score
        });
    });
    c.bench_function("start a new line", |b| {
        b.iter(|| evaluator.reset(black_box(&position)));
    });
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
