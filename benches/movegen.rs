//! The move generator: lists, counts, making moves, and the questions a search
//! asks about a move. Elements are moves (leaf moves for perft), except where
//! the name says positions.

mod samples;

use chuhe::position::{Level, Position, Targets, perft};
use chuhe::types::{Move, MoveList};
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use std::hint::black_box;
use std::time::Duration;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Runs `work` on every position; it says how many moves it has handled.
fn measure(
    group: &mut Group<'_>,
    name: &str,
    positions: &[Position],
    mut work: impl FnMut(&Position) -> usize,
) {
    let moves: usize = positions.iter().map(&mut work).sum();
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| black_box(positions).iter().map(&mut work).sum::<usize>());
    });
}

/// Legality and the list, into one array used again and again.
fn list(targets: Targets) -> impl FnMut(&Position) -> usize {
    let mut moves = MoveList::new();
    move |position| {
        moves.clear();
        position.generate(&position.legality(), targets, &mut moves);
        black_box(&moves).len()
    }
}

fn lists(criterion: &mut Criterion) {
    let reached = samples::reached();
    let mut group = criterion.benchmark_group("list");
    measure(&mut group, "all", &reached, list(Targets::All));
    measure(&mut group, "all, returned", &reached, |position| {
        black_box(position.legal_moves()).len()
    });
    measure(&mut group, "captures", &reached, list(Targets::Captures));
    measure(&mut group, "quiets", &reached, list(Targets::Quiets));
    measure(
        &mut group,
        "evasions",
        &samples::in_check(),
        list(Targets::All),
    );
    measure(
        &mut group,
        "legality alone, positions",
        &reached,
        |position| {
            black_box(position.legality());
            1
        },
    );
    group.finish();
}

fn counts(criterion: &mut Criterion) {
    let mut reached = samples::reached();
    for (name, level) in [("baseline", Level::Baseline), ("best", Level::detect())] {
        let mut group = criterion.benchmark_group(format!("count {name}"));
        let total: u64 = reached.iter_mut().map(|p| perft(p, 1, level)).sum();
        group.throughput(Throughput::Elements(total));
        group.bench_function("one ply", |bencher| {
            bencher.iter(|| {
                let positions = black_box(&mut reached).iter_mut();
                positions.map(|p| perft(p, 1, level)).sum::<u64>()
            });
        });
        let mut start = Position::start();
        for depth in [3, 4] {
            group.throughput(Throughput::Elements(perft(&mut start, depth, level)));
            group.bench_function(format!("perft {depth} from the start"), |bencher| {
                bencher.iter(|| perft(black_box(&mut start), depth, level));
            });
        }
        group.finish();
    }
}

/// Every legal move of every position.
fn moves(criterion: &mut Criterion) {
    let mut pairs: Vec<(Position, Vec<Move>)> = Vec::new();
    for position in samples::reached() {
        let moves = position.legal_moves().to_vec();
        pairs.push((position, moves));
    }
    let total: usize = pairs.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("move");
    group.throughput(Throughput::Elements(total as u64));
    let mut each = |name: &str, work: &dyn Fn(&mut Position, &[Move])| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (position, moves) in black_box(&mut pairs) {
                    work(position, moves);
                }
            });
        });
    };
    each("make and unmake", &|position, moves| {
        for &mv in moves {
            let undo = position.make(mv);
            black_box(&position);
            position.unmake(&undo);
        }
    });
    each("is_legal", &|position, moves| {
        let legality = position.legality();
        for &mv in moves {
            black_box(position.is_legal(mv, &legality));
        }
    });
    each("gives_check", &|position, moves| {
        for &mv in moves {
            black_box(position.gives_check(mv));
        }
    });
    each("see_at_least 0", &|position, moves| {
        for &mv in moves {
            black_box(position.see_at_least(mv, 0));
        }
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    lists(&mut criterion);
    counts(&mut criterion);
    moves(&mut criterion);
    criterion.final_summary();
}
