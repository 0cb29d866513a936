//! A game: a position, the line of plies that led to it, and the rules it is
//! played by.

use super::Rules;
use super::memo::StrikeMemo;
use super::repetition::{self, KeyFilter};
use crate::position::{Change, Legality, Position, Undo};
use crate::types::{Color, Move};
use thiserror::Error;

/// One ply of the line.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    /// How to take it back; `None` for a null move.
    undo: Option<Undo>,
    /// The key of the position before it.
    pub(super) key: u64,
    /// The restrictions in the position before it.
    legality: Legality,
    /// How far a repetition could reach back from the position before it.
    reach: u32,
}

/// A ply as those see it who look back.
#[derive(Clone, Copy, Debug)]
pub(super) struct PastPly<'a> {
    /// How to take it back; `None` for a null move.
    pub(super) undo: Option<&'a Undo>,
    /// Who moved.
    pub(super) side: Color,
    /// Whether it gave check.
    pub(super) gives_check: bool,
}

/// A position with its history. The restrictions on legal moves are computed
/// once for each position, when it is reached.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    legality: Legality,
    plies: Vec<Ply>,
    rules: Rules,
    /// How many plies lie behind the last capture, null move or the start: no
    /// repetition reaches farther back. Unlike the position's count it does not
    /// depend on what the natural limit leaves out.
    reach: u32,
    /// Counts the positions before the plies.
    filter: KeyFilter,
    /// Plies that have been judged by these rules.
    memo: StrikeMemo,
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
    /// A game that starts here, by the default rules.
    pub fn new(position: Position) -> Self {
        Self::with_rules(position, Rules::default())
    }

    /// A game that starts here, by these rules.
    pub fn with_rules(position: Position, rules: Rules) -> Self {
        Self {
            legality: position.legality(),
            position,
            plies: Vec::new(),
            rules,
            reach: 0,
            filter: KeyFilter::new(),
            memo: StrikeMemo::new(),
        }
    }

    /// The rules the game is played by.
    #[inline(always)]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Goes on by other rules, which then hold for the past as well.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.memo = StrikeMemo::new();
    }

    pub(super) fn memo(&self) -> &StrikeMemo {
        &self.memo
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

    /// How many plies back a repetition of the current position can lie.
    #[inline(always)]
    pub(super) fn reach(&self) -> usize {
        self.reach as usize
    }

    /// Whether the current position may have occurred before; seldom wrong.
    #[inline(always)]
    pub(super) fn may_be_repetition(&self) -> bool {
        self.reach >= 4 && self.filter.count(self.position.key()) != 0
    }

    /// Whether the current position has occurred before in the line.
    #[inline]
    pub fn has_occurred(&self) -> bool {
        self.may_be_repetition() && repetition::find(self).is_some()
    }

    /// Whether this quiet move may lead back to a position of the line; seldom
    /// wrong when it says so, never when it does not.
    #[inline]
    pub fn may_repeat_by(&self, mv: Move) -> bool {
        self.reach >= 3 && self.filter.count(self.position.key_after(mv)) != 0
    }

    #[inline(always)]
    pub(super) fn filter(&self) -> &KeyFilter {
        &self.filter
    }

    /// The plies of the line, the newest first.
    pub(super) fn history(&self) -> impl Iterator<Item = PastPly<'_>> + Clone {
        let us = self.position.side_to_move();
        let earlier = self.plies.iter().rev().map(|ply| &ply.legality);
        let after = std::iter::once(&self.legality).chain(earlier);
        let plies = self.plies.iter().rev().zip(after).enumerate();
        plies.map(move |(distance, (ply, after))| PastPly {
            undo: ply.undo.as_ref(),
            side: if distance % 2 == 0 { !us } else { us },
            gives_check: after.in_check(),
        })
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
        self.push(Some(undo), key);
        self.reach = match undo.change.captured {
            Some(_) => 0,
            None => self.reach + 1,
        };
        undo.change
    }

    /// Passes, see [`Position::make_null`]. No repetition reaches back over it.
    #[inline]
    pub fn make_null(&mut self) {
        let key = self.position.key();
        self.position.make_null();
        self.push(None, key);
        self.reach = 0;
    }

    #[inline(always)]
    fn push(&mut self, undo: Option<Undo>, key: u64) {
        self.plies.push(Ply {
            undo,
            key,
            legality: self.legality,
            reach: self.reach,
        });
        self.filter.add(key);
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
        self.filter.remove(ply.key);
        self.reach = ply.reach;
        self.legality = ply.legality;
    }
}
