//! A game: a position and the line of plies that led to it.

use crate::position::{Change, Legality, Position, Undo};
use crate::types::Move;
use thiserror::Error;

/// One ply of the line.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    /// How to take it back; `None` for a null move.
    pub(super) undo: Option<Undo>,
    /// The key of the position before it.
    pub(super) key: u64,
    /// The restrictions in the position before it.
    pub(super) legality: Legality,
}

/// A position with its history. The restrictions on legal moves are computed
/// once for each position, when it is reached.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    legality: Legality,
    plies: Vec<Ply>,
}

/// A move of a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {number} ({mv}) is not legal")]
pub struct GameError {
    /// The illegal move.
    pub mv: Move,
    /// Its number in the list, from 1.
    pub number: usize,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Self {
        Self {
            legality: position.legality(),
            position,
            plies: Vec::new(),
        }
    }

    /// Plays a list of moves from here.
    ///
    /// # Errors
    /// At the first illegal move; the moves before it stay played.
    pub fn play(&mut self, moves: impl IntoIterator<Item = Move>) -> Result<(), GameError> {
        for (index, mv) in moves.into_iter().enumerate() {
            if !self.position.is_legal(mv, &self.legality) {
                let number = index + 1;
                return Err(GameError { mv, number });
            }
            self.make(mv);
        }
        Ok(())
    }

    /// The current position.
    #[inline(always)]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The restrictions on the moves of the current position.
    #[inline(always)]
    pub fn legality(&self) -> &Legality {
        &self.legality
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.legality.in_check()
    }

    /// How many plies have been played, null moves included.
    #[inline(always)]
    pub fn ply_count(&self) -> usize {
        self.plies.len()
    }

    pub(super) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// What the last ply did; `None` at the start and after a null move.
    pub fn last_change(&self) -> Option<&Change> {
        Some(&self.plies.last()?.undo.as_ref()?.change)
    }

    /// The position where the line starts and the moves since, null moves left
    /// out.
    pub fn start_and_moves(&self) -> (Position, Vec<Move>) {
        let mut game = self.clone();
        let mut moves = Vec::with_capacity(self.plies.len());
        while game.ply_count() > 0 {
            let change = game.last_change().copied();
            moves.extend(change.map(|change| Move::new(change.from, change.to)));
            game.unmake();
        }
        moves.reverse();
        (game.position, moves)
    }

    /// Makes room for this many more plies, so that a search does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.plies.reserve(plies);
    }

    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Change {
        let key = self.position.key();
        let undo = self.position.make(mv);
        self.plies.push(Ply {
            undo: Some(undo),
            key,
            legality: self.legality,
        });
        self.legality = self.position.legality();
        undo.change
    }

    /// Passes, see [`Position::make_null`]. No repetition reaches back over it.
    #[inline]
    pub fn make_null(&mut self) {
        self.plies.push(Ply {
            undo: None,
            key: self.position.key(),
            legality: self.legality,
        });
        self.position.make_null();
        self.legality = self.position.legality();
    }

    /// Takes the last ply back, null move or not.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn unmake(&mut self) {
        let ply = self.plies.pop().expect("a ply was made before");
        match &ply.undo {
            Some(undo) => self.position.unmake(undo),
            None => self.position.make_null(),
        }
        self.legality = ply.legality;
    }
}
