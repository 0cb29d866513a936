//! Moves in the order in which they are worth trying, generated as late as
//! possible: most nodes are done after one or two.
//!
//! Stages: the table's move; captures that do not lose material, the most
//! valuable victim first; quiet moves by history, checks and threats; captures
//! that lose material. The generator knows about checks, so evasions take the same way.

use super::history::{Context, Histories, PieceTo};
use crate::position::{Targets, see_value};
use crate::rules::Game;
use crate::types::{MAX_MOVES, Move, MoveList, PieceType, Score};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// More than any history.
const REPETITION_BONUS: i32 = 1 << 20;
/// For a quiet check that does not lose material.
const CHECK_BONUS: i32 = 8_000;
/// For a cannon that comes to the file of the opponent's king.
const AIM_BONUS: i32 = 4_000;
/// For leaving a square where a cheaper man attacks, or against entering one, by
/// the man's value.
const THREAT_FACTOR: i32 = 24;
/// What a check may lose in exchange and still be one to look at early.
const CHECK_LOSS: Score = 54;

/// Which moves the picker yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// All.
    All,
    /// Captures that do not lose material (quiescence).
    GoodCaptures,
}

/// Which quiet moves are still wanted: fewer and fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Quiets {
    None,
    Checks,
    All,
}

/// Yields the legal moves of a position one after the other.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    mode: Mode,
    table_move: Option<Move>,
    moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    /// Where captures that lose material have been put aside, from the front.
    bad_captures: usize,
    quiets: Quiets,
    /// Whether quiet moves that repeat a position come first.
    repetitions_first: bool,
}

impl Picker {
    /// A picker for the game's current position, where `table_move` may be
    /// illegal.
    pub(super) fn new(mode: Mode, game: &Game, table_move: Option<Move>) -> Self {
        let position = game.position();
        let usable = |mv: &Move| {
            position.is_legal(*mv, game.legality())
                && (mode == Mode::All || position.piece_on(mv.to()).is_some())
        };
        Self {
            stage: Stage::TableMove,
            mode,
            table_move: table_move.filter(usable),
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad_captures: 0,
            quiets: Quiets::All,
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
        self.quiets = Quiets::None;
    }

    /// From now on quiet moves that give no check are left out. Once set, never unset.
    pub(super) fn skip_quiets_but_checks(&mut self) {
        self.quiets = self.quiets.min(Quiets::Checks);
    }

    /// The next move. Without a context quiet moves come in no particular order.
    pub(super) fn next(
        &mut self,
        game: &Game,
        histories: &Histories,
        context: Option<&Context>,
    ) -> Option<Move> {
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
                        Mode::All => Stage::GenerateQuiets,
                        Mode::GoodCaptures => Stage::Done,
                    };
                }
                Stage::GenerateQuiets => {
                    self.next = self.moves.len();
                    if self.quiets > Quiets::None {
                        self.generate_quiets(game, histories, context);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(mv) = self.next_quiet(game, context) {
                        if Some(mv) == self.table_move {
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

    /// The best quiet move that is still wanted; of checks alone the next one, they are
    /// too few to look for the best.
    fn next_quiet(&mut self, game: &Game, context: Option<&Context>) -> Option<Move> {
        let wanted = match self.quiets {
            Quiets::None => return None,
            Quiets::All => return self.select_best(),
            Quiets::Checks => context?,
        };
        let mut rest = self.moves.get(self.next..)?.iter();
        let gives_check = |&&mv: &&Move| game.position().gives_check_by(mv, &wanted.checks);
        let found = rest.find(gives_check).copied();
        self.next = self.moves.len() - rest.len();
        found
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

    fn generate_quiets(&mut self, game: &Game, histories: &Histories, context: Option<&Context>) {
        let position = game.position();
        position.generate(game.legality(), Targets::Quiets, &mut self.moves);
        for &mv in &self.moves[self.next..] {
            let mut score = context.map_or(0, |context| quiet_score(game, histories, context, mv));
            if self.repetitions_first && game.may_repeat_by(mv) {
                score += REPETITION_BONUS;
            }
            self.scores.push(score);
        }
    }

    /// Moves the best of the rest to the front of the rest and steps over it.
    fn select_best(&mut self) -> Option<Move> {
        let rest = self.scores.get(self.next..)?;
        // Two plain passes are faster than one that keeps the index.
        let highest = *rest.iter().max()?;
        let best = self.next + rest.iter().position(|&score| score == highest)?;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// How early a quiet move is worth trying.
fn quiet_score(game: &Game, histories: &Histories, context: &Context, mv: Move) -> i32 {
    let position = game.position();
    let Some(piece) = position.piece_on(mv.from()) else {
        return 0;
    };
    let mut score = histories.quiet(context, mv, PieceTo::new(piece, mv.to()));
    if position.gives_check_by(mv, &context.checks) && position.see_at_least(mv, -CHECK_LOSS) {
        score += CHECK_BONUS;
    }
    let kings_file = position.king(!piece.color).file();
    if piece.kind == PieceType::Cannon
        && mv.to().file() == kings_file
        && mv.from().file() != kings_file
    {
        score += AIM_BONUS;
    }
    let attacked = context.threats.by_lesser_than(piece.kind);
    let escapes = i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to()));
    score + THREAT_FACTOR * see_value(piece.kind) * escapes
}
