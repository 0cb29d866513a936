//! The small hand-made evaluation: material and squares kept incrementally,
//! mobility and a little king safety computed on the spot, all tapered from
//! middlegame to endgame. The reference for the network, and what plays
//! without one.

use super::weights::{
    CANNON_MOBILITY, HOLLOW_CANNON, KNIGHT_MOBILITY, PALACE_ATTACK, PHASE, PHASE_MAX,
    ROOK_MOBILITY, SQUARES, TEMPO, Tapered,
};
use crate::attacks;
use crate::position::{Change, Position};
use crate::types::score::{EVAL_LIMIT, MAX_PLY};
use crate::types::{Color, Piece, PieceType, Score, Square};

/// Middlegame and endgame sums and the phase, from Red's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    middlegame: i32,
    endgame: i32,
    phase: i32,
}

impl Sum {
    fn add(&mut self, weight: Tapered, times: i32) {
        self.middlegame += i32::from(weight.0) * times;
        self.endgame += i32::from(weight.1) * times;
    }

    /// Adds (or with -1 takes away) a man.
    #[inline(always)]
    fn count(&mut self, piece: Piece, square: Square, times: i32) {
        let square = square.relative_to(piece.color);
        let file = square.file().index();
        let weight = SQUARES[piece.kind.index()][square.rank().index()][file.min(8 - file)];
        self.add(weight, times * sign(piece.color));
        self.phase += PHASE[piece.kind.index()] * times;
    }

    fn tapered(&self) -> i32 {
        let phase = self.phase.min(PHASE_MAX);
        (self.middlegame * phase + self.endgame * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::Red => 1,
        Color::Black => -1,
    }
}

/// The evaluation along a line.
#[derive(Clone, Debug)]
pub(super) struct Hce {
    /// One sum a position, the last one is the current.
    sums: Vec<Sum>,
}

impl Default for Hce {
    fn default() -> Self {
        let mut sums = Vec::with_capacity(MAX_PLY + 8);
        sums.push(Sum::default());
        Self { sums }
    }
}

impl Hce {
    pub(super) fn reset(&mut self, position: &Position) {
        let mut sum = Sum::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                sum.count(piece, square, 1);
            }
        }
        self.sums.clear();
        self.sums.push(sum);
    }

    pub(super) fn push(&mut self, change: &Change) {
        let mut sum = self.current();
        sum.count(change.piece, change.from, -1);
        sum.count(change.piece, change.to, 1);
        if let Some(captured) = change.captured {
            sum.count(captured, change.to, -1);
        }
        self.sums.push(sum);
    }

    pub(super) fn pop(&mut self) {
        self.sums.pop();
    }

    fn current(&self) -> Sum {
        *self.sums.last().expect("the first sum is never popped")
    }

    pub(super) fn evaluate(&self, position: &Position) -> Score {
        let mut sum = self.current();
        for side in Color::ALL {
            activity(position, side, &mut sum);
        }
        let score = sum.tapered() * sign(position.side_to_move()) + TEMPO;
        score.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

/// Mobility, attacks on the enemy palace, a cannon bare before the enemy king.
fn activity(position: &Position, side: Color, sum: &mut Sum) {
    let occupied = position.occupied();
    let own = position.men_of(side);
    let palace = attacks::palace(!side);
    let king = position.king(!side);
    let sign = sign(side);
    let mut palace_attacks = 0;
    for from in position.men(side, PieceType::Knight) {
        let targets = attacks::knight(from, occupied) - own;
        sum.add(KNIGHT_MOBILITY, sign * (targets.len() as i32 - 4));
        palace_attacks += (targets & palace).len();
    }
    for from in position.men(side, PieceType::Rook) {
        let targets = attacks::rook(from, occupied) - own;
        sum.add(ROOK_MOBILITY, sign * (targets.len() as i32 - 9));
        palace_attacks += (targets & palace).len();
    }
    for from in position.men(side, PieceType::Cannon) {
        let targets = attacks::cannon(from, occupied) - own;
        sum.add(CANNON_MOBILITY, sign * (targets.len() as i32 - 7));
        palace_attacks += (targets & palace).len();
        let segment = attacks::between(king, from);
        if !segment.is_empty() && !segment.intersects(occupied) {
            sum.add(HOLLOW_CANNON, sign);
        }
    }
    sum.add(PALACE_ATTACK, sign * palace_attacks as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(position: &Position) -> Score {
        let mut hce = Hce::default();
        hce.reset(position);
        hce.evaluate(position)
    }

    /// A short pseudo-random game.
    fn walk(seed: usize, mut visit: impl FnMut(&Position, &mut Hce)) {
        let mut position = Position::start();
        let mut hce = Hce::default();
        hce.reset(&position);
        let mut state = seed;
        for _ in 0..120 {
            visit(&position, &mut hce);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let undo = position.make(moves[(state >> 33) % moves.len()]);
            hce.push(&undo.change);
        }
    }

    #[test]
    fn incremental_sums_equal_recomputation() {
        for seed in 0..20 {
            walk(seed, |position, hce| {
                assert_eq!(hce.evaluate(position), evaluation(position));
            });
        }
    }

    #[test]
    fn the_evaluation_does_not_see_colours_or_wings() {
        for seed in 20..40 {
            walk(seed, |position, _| {
                let score = evaluation(position);
                assert_eq!(score, evaluation(&position.flip_sides()));
                assert_eq!(score, evaluation(&position.mirror_files()));
            });
        }
    }

    #[test]
    fn material_decides() {
        let score = |fen| evaluation(&Position::from_fen(fen).unwrap());
        assert!(score("3k5/9/9/9/9/9/9/9/9/R3K4 w") > 500);
        assert!(score("3k5/9/9/9/9/9/9/9/9/R3K4 b") < -500);
    }
}
