//! A stretch of the game with every position in it, men followed by identity.
//!
//! Nothing is captured in a cycle, so a man is known by the square it stands on
//! at the end (section 3 of the specification).

use super::chase::{Attacks, Pawns, Turn};
use super::check_capture::ThreatFinder;
use super::{Game, RuleSet, Rules};
use crate::position::Position;
use crate::types::{Color, Move, Square};

/// One ply of a [`Line`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePly {
    pub(super) mv: Move,
    pub(super) side: Color,
    pub(super) gives_check: bool,
}

/// The newest plies of a game, oldest first, without captures or null moves.
#[derive(Debug)]
pub(super) struct Line {
    /// The position before every ply, and the last one.
    positions: Vec<Position>,
    plies: Vec<LinePly>,
    rules: Rules,
}

impl Line {
    /// The last `length` plies.
    pub(super) fn new(game: &Game, length: usize) -> Self {
        let mut position = game.position().clone();
        let mut positions = Vec::with_capacity(length + 1);
        let mut plies = Vec::with_capacity(length);
        positions.push(position.clone());
        for ply in game.history().take(length) {
            let undo = ply.undo.expect("a cycle has no null move");
            position.unmake(undo);
            positions.push(position.clone());
            plies.push(LinePly {
                mv: Move::new(undo.change.from, undo.change.to),
                side: ply.side,
                gives_check: ply.gives_check,
            });
        }
        positions.reverse();
        plies.reverse();
        Self {
            positions,
            plies,
            rules: game.rules(),
        }
    }

    pub(super) fn plies(&self) -> &[LinePly] {
        &self.plies
    }

    /// The plies of one side, by index.
    pub(super) fn plies_of(&self, side: Color) -> impl Iterator<Item = (usize, LinePly)> + Clone {
        let plies = self.plies.iter().copied().enumerate();
        plies.filter(move |(_, ply)| ply.side == side)
    }

    /// Those of them that give no check.
    pub(super) fn quiet_plies_of(
        &self,
        side: Color,
    ) -> impl Iterator<Item = (usize, LinePly)> + Clone {
        self.plies_of(side).filter(|(_, ply)| !ply.gives_check)
    }

    pub(super) fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    pub(super) fn after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    /// The position at the end.
    pub(super) fn last(&self) -> &Position {
        &self.positions[self.plies.len()]
    }

    /// The identity of the man that stands on the square after the ply: where it
    /// stands at the end.
    pub(super) fn identity(&self, ply: usize, square: Square) -> Square {
        self.plies[ply + 1..].iter().fold(square, |at, later| {
            if later.mv.from() == at {
                later.mv.to()
            } else {
                at
            }
        })
    }

    /// The ply, no check, as a move that may chase.
    pub(super) fn turn(&self, ply: usize) -> Turn<'_> {
        let mv = self.plies[ply].mv;
        Turn::new(self.before(ply), self.after(ply), mv, self.rules)
    }

    /// What the ply, no check, chases.
    pub(super) fn attacks(&self, ply: usize, pawns: Pawns) -> Attacks {
        self.turn(ply).chases(pawns)
    }

    /// Whether the rules know a case in which pawns chase (article 27.2).
    pub(super) fn counts_pawns(&self) -> bool {
        self.rules.set == RuleSet::Cxa
    }

    /// What the ply, no check, threatens by checks.
    pub(super) fn threats(&self, ply: usize) -> ThreatFinder<'_> {
        ThreatFinder::new(self.before(ply), self.after(ply), self.rules)
    }
}
