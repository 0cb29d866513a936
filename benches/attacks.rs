//! Attack look-ups of each kind, on the men and boards of real positions.

mod samples;

use chuhe::attacks;
use chuhe::types::{Bitboard, Color, PieceType, Square};
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use std::hint::black_box;
use std::time::Duration;

/// A man and the occupied squares round it.
type Case = (Square, Bitboard);

/// The men of a kind in all sample positions.
fn men(kind: PieceType) -> Vec<Case> {
    let positions = samples::reached();
    let men = |position: &chuhe::position::Position| {
        let occupied = position.occupied();
        let squares = position.men_of_kind(kind).into_iter();
        squares.map(|square| (square, occupied)).collect::<Vec<_>>()
    };
    positions.iter().flat_map(men).collect()
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    cases: &[Case],
    look_up: impl Fn(Square, Bitboard) -> Bitboard,
) {
    group.throughput(Throughput::Elements(cases.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let mut all = Bitboard::EMPTY;
            for &(square, occupied) in black_box(cases) {
                all ^= look_up(square, occupied);
            }
            all
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let mut group = criterion.benchmark_group("attacks");
    let of = |kind| men(kind);
    measure(&mut group, "rook", &of(PieceType::Rook), attacks::rook);
    measure(
        &mut group,
        "cannon",
        &of(PieceType::Cannon),
        attacks::cannon,
    );
    measure(
        &mut group,
        "knight",
        &of(PieceType::Knight),
        attacks::knight,
    );
    measure(
        &mut group,
        "bishop",
        &of(PieceType::Bishop),
        attacks::bishop,
    );
    measure(
        &mut group,
        "advisor",
        &of(PieceType::Advisor),
        |square, _| attacks::advisor(square),
    );
    measure(&mut group, "pawn", &of(PieceType::Pawn), |square, _| {
        attacks::pawn(Color::Red, square)
    });
    let kings = of(PieceType::King);
    measure(&mut group, "king", &kings, |square, _| {
        attacks::king(square)
    });
    measure(
        &mut group,
        "knight attackers of a king",
        &kings,
        attacks::knight_attackers,
    );
    group.finish();
    criterion.final_summary();
}
