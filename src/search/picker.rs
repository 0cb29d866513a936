//! Moves in the order in which they are worth trying, generated as late as
//! possible: most nodes are done after one or two.
//!
//! Stages: the table's move; captures that do not lose material, the most
//! valuable victim first; killers; quiet moves by history; captures that lose
//! material. The generator knows about checks, so evasions take the same way.

use super::history::{Histories, PieceTo};
use crate::position::{Targets, see_value};
use crate::rules::Game;
use crate::types::{Color, MAX_MOVES, Move, MoveList};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Killers,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// More than any history.
const REPETITION_BONUS: i32 = 1 << 20;

/// Which moves the picker yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// All.
    All,
    /// Captures that do not lose material (quiescence).
    GoodCaptures,
}

/// Yields the legal moves of a position one after the other.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    mode: Mode,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    before: [PieceTo; 3],
    moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    /// Where captures that lose material have been put aside, from the front.
    bad_captures: usize,
    skip_quiets: bool,
    /// Whether quiet moves that repeat a position come first.
    repetitions_first: bool,
}

impl Picker {
    /// A picker for the game's current position. `table_move` and `killers` may
    /// be illegal here.
    pub(super) fn new(
        mode: Mode,
        game: &Game,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        before: [PieceTo; 3],
    ) -> Self {
        let position = game.position();
        let usable = |mv: &Move| {
            position.is_legal(*mv, game.legality())
                && (mode == Mode::All || position.piece_on(mv.to()).is_some())
        };
        Self {
            stage: Stage::TableMove,
            mode,
            table_move: table_move.filter(usable),
            killers,
            before,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad_captures: 0,
            skip_quiets: false,
            repetitions_first: false,
        }
    }

    /// Quiet moves that may repeat a position come before the others, so that
    /// pruning does not lose them.
    pub(super) fn put_repetitions_first(&mut self) {
        self.repetitions_first = true;
    }

    /// From now on quiet moves are left out. Once set, never unset.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub(super) fn next(&mut self, game: &Game, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(game, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(game) {
                        return Some(mv);
                    }
                    self.stage = match self.mode {
                        Mode::All => Stage::Killers,
                        Mode::GoodCaptures => Stage::Done,
                    };
                    self.next = 0;
                }
                Stage::Killers => {
                    if self.next < self.killers.len() && !self.skip_quiets {
                        self.next += 1;
                        let killer = self.killers[self.next - 1];
                        if let Some(mv) = killer.filter(|&mv| self.is_usable_killer(game, mv)) {
                            return Some(mv);
                        }
                        self.killers[self.next - 1] = None;
                    } else {
                        self.stage = Stage::GenerateQuiets;
                    }
                }
                Stage::GenerateQuiets => {
                    self.next = self.moves.len();
                    if !self.skip_quiets {
                        self.generate_quiets(game, histories);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some(mv) = self.select_best()
                    {
                        if Some(mv) == self.table_move || self.killers.contains(&Some(mv)) {
                            continue;
                        }
                        return Some(mv);
                    }
                    self.next = 0;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.next < self.bad_captures {
                        self.next += 1;
                        return Some(self.moves[self.next - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate_captures(&mut self, game: &Game, histories: &Histories) {
        let position = game.position();
        position.generate(game.legality(), Targets::Captures, &mut self.moves);
        for &mv in &self.moves {
            let score = match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
                (Some(piece), Some(victim)) => {
                    7 * see_value(victim.kind) + histories.capture(piece, mv.to(), victim.kind) / 4
                }
                _ => 0,
            };
            self.scores.push(score);
        }
    }

    /// The best capture left that does not lose material; others are put aside.
    fn next_good_capture(&mut self, game: &Game) -> Option<Move> {
        while let Some(mv) = self.select_best() {
            if Some(mv) == self.table_move {
                continue;
            }
            let score = self.scores[self.next - 1];
            if game.position().see_at_least(mv, -score / 18) {
                return Some(mv);
            }
            // Behind `next` nothing is needed any more but what was put aside.
            self.moves[self.bad_captures] = mv;
            self.bad_captures += 1;
        }
        None
    }

    fn generate_quiets(&mut self, game: &Game, histories: &Histories) {
        let position = game.position();
        let side: Color = position.side_to_move();
        position.generate(game.legality(), Targets::Quiets, &mut self.moves);
        for &mv in &self.moves[self.next..] {
            let score = position.piece_on(mv.from()).map_or(0, |piece| {
                histories.quiet(side, mv, PieceTo::new(piece, mv.to()), &self.before)
            });
            let repeats = self.repetitions_first && game.may_repeat_by(mv);
            self.scores
                .push(score + REPETITION_BONUS * i32::from(repeats));
        }
    }

    fn is_usable_killer(&self, game: &Game, mv: Move) -> bool {
        Some(mv) != self.table_move
            && game.position().piece_on(mv.to()).is_none()
            && game.position().is_legal(mv, game.legality())
    }

    /// Moves the best of the rest to the front of the rest and steps over it.
    fn select_best(&mut self) -> Option<Move> {
        let rest = self.scores.get(self.next..)?;
        let (best, _) = rest
            .iter()
            .enumerate()
            .max_by_key(|&(index, &score)| (score, std::cmp::Reverse(index)))?;
        let best = self.next + best;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}
