//! Evaluation: a move followed and the position evaluated.

use chuhe::eval::Evaluator;
use chuhe::eval::nnue::{self, Nnue, simd::Backend};
use chuhe::position::Position;
use chuhe::rules::Game;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;

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

/// A quiet move and a capture: both sides updated, then the output; and the same
/// as the search asks for it, with what is known of endings.
fn network(c: &mut Criterion) {
    let position = Position::from_fen(MIDDLEGAME).expect("the position is legal");
    for backend in Backend::all() {
        let mut network = nnue::built_in();
        Arc::make_mut(&mut network).backend = backend;
        let mut nnue = Nnue::new(Arc::clone(&network));
        let mut evaluator = Evaluator::new(&position, Some(&network));
        for (name, mv) in [("quiet", "b2b3"), ("capture", "e2e6")] {
            let mv = mv.parse().expect("a move");
            let mut after = position.clone();
            let change = after.make(mv).change;
            let title = |what: &str| format!("{what}, {name}, {}", backend.name());
            nnue.evaluate(&position);
            c.bench_function(&title("network"), |b| {
                b.iter(|| {
                    nnue.push(black_box(&change));
                    let score = nnue.evaluate(black_box(&after));
                    nnue.pop();
                    score
                });
            });
            evaluator.evaluate(&position);
            c.bench_function(&title("network and endings"), |b| {
                b.iter(|| {
                    evaluator.push(black_box(&change));
                    let score = evaluator.evaluate(black_box(&after));
                    evaluator.pop();
                    score
                });
            });
        }
        c.bench_function(
            &format!("network, from the cache, {}", backend.name()),
            |b| {
                b.iter(|| {
                    nnue.reset();
                    nnue.evaluate(black_box(&position))
                });
            },
        );
    }
}

criterion_group!(benches, evaluation, network);
criterion_main!(benches);
