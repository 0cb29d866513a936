//! The positions that the benches work on: what a search meets a few plies
//! from the start and from middlegames.

use chuhe::position::Position;

/// The start, two openings, and middlegames from quiet to wild.
const ROOTS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "rnbakab1r/9/1c2c1n2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C4/9/R1BAKABNR w",
    "r1bakabnr/9/1cn4c1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
    "r2akab1r/3n5/4b1n2/p1p1p1p1p/4c4/1cP3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w",
    "4Ckb1r/3n1r1c1/b4an2/p5p2/8p/2p5P/PNc1P1P2/R3B4/R3A4/4KABNC b",
];

/// How many positions of each root: together they stay in the second cache, as
/// the positions of a search do.
const PER_ROOT: usize = 80;

/// Positions two and three plies from the roots, evenly picked.
pub(crate) fn reached() -> Vec<Position> {
    pick(|_| true)
}

/// Those in check.
#[allow(dead_code)] // of use in one of the benches
pub(crate) fn in_check() -> Vec<Position> {
    pick(Position::in_check)
}

fn pick(accept: impl Fn(&Position) -> bool) -> Vec<Position> {
    ROOTS
        .iter()
        .flat_map(|fen| {
            let root = Position::from_fen(fen).expect("the roots are legal positions");
            let mut found = Vec::new();
            collect(&root, 3, &mut found);
            found.retain(&accept);
            let step = (found.len() / PER_ROOT).max(1);
            found.into_iter().step_by(step).take(PER_ROOT)
        })
        .collect()
}

fn collect(position: &Position, plies: u32, found: &mut Vec<Position>) {
    if plies <= 1 {
        found.push(position.clone());
    }
    if plies > 0 {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.make(mv);
            collect(&next, plies - 1, found);
        }
    }
}
