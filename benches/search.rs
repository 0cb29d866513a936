//! The search: a fixed tree, and the hash table alone.

use chuhe::position::Position;
use chuhe::rules::Game;
use chuhe::search::{Limits, Request, Searcher, Signals, Table, TableEntry};
use chuhe::types::Bound;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn fixed_depth(c: &mut Criterion) {
    let mut searcher = Searcher::new(1, 16).expect("16 MB can be had");
    let limits = Limits {
        depth: Some(9),
        ..Limits::default()
    };
    let request = Request::new(Game::new(Position::start()), limits);
    let mut run = || {
        searcher.new_game();
        searcher.search(&request, &Signals::new(false), &mut |_| {})
    };
    let nodes = run().progress.nodes;
    let mut group = c.benchmark_group("search");
    group
        .throughput(Throughput::Elements(nodes))
        .sample_size(20);
    group.bench_function("start position, depth 9", |b| b.iter(&mut run));
    group.finish();
}

fn table(c: &mut Criterion) {
    let table = Table::new(64).expect("64 MB can be had");
    let entry = TableEntry {
        best: "h2e2".parse().ok(),
        score: 31,
        eval: Some(28),
        bound: Bound::Exact,
        depth: 7,
        was_pv: false,
    };
    let mut key = 1_u64;
    c.bench_function("table: probe a random key", |b| {
        b.iter(|| {
            key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            table.probe(black_box(key), 5)
        });
    });
    c.bench_function("table: store a random key", |b| {
        b.iter(|| {
            key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            table.store(black_box(key), 5, entry);
        });
    });
}

criterion_group!(benches, fixed_depth, table);
criterion_main!(benches);
