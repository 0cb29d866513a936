//! One game between two players, with our rules as referee.

use super::control::Clocks;
pub use super::control::{Controls, TimeControl};
use super::player::{Answer, Fault, Player};
use super::stats::GameResult;
use crate::position::Position;
use crate::rules::{self, Game, Outcome, Rules};
use crate::types::{Color, Move, Score};
use std::time::Duration;

/// When a game is ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// A win when both sides agree on a score of at least this...
    pub win_score: Score,
    /// ...for this many plies. 0: never.
    pub win_plies: u32,
    /// A draw when the scores stay within this...
    pub draw_score: Score,
    /// ...for this many plies...
    pub draw_plies: u32,
    /// ...after this many. 0 plies above: never.
    pub draw_after: usize,
    /// A draw after this many plies in any case.
    pub max_plies: usize,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self {
            win_score: 1_500,
            win_plies: 6,
            draw_score: 8,
            draw_plies: 16,
            draw_after: 80,
            max_plies: 400,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No legal move, in check.
    Mate,
    /// No legal move, not in check.
    Stalemate,
    /// A repetition rule.
    Repetition,
    /// Too long without a capture, or too long at all.
    Limit,
    /// Both sides agreed, as far as their scores tell.
    Adjudication,
    /// A player failed.
    Fault(Fault),
}

impl Reason {
    /// Its name; of a fault, without the details.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Limit => "limit",
            Self::Adjudication => "adjudication",
            Self::Fault(fault) => fault.kind(),
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Where it started.
    pub start: Position,
    /// The moves with the score of their mover.
    pub plies: Vec<(Move, Score)>,
    /// The result for Red.
    pub result: GameResult,
    /// How it ended.
    pub reason: Reason,
    /// The most that a move took beyond what it was allowed, Red's and Black's.
    pub overrun: [Duration; 2],
}

impl PlayedGame {
    /// The side whose fault ended the game.
    pub fn failed(&self) -> Option<Color> {
        let loser = match self.result {
            GameResult::Win => Color::Black,
            GameResult::Draw | GameResult::Loss => Color::Red,
        };
        matches!(self.reason, Reason::Fault(_)).then_some(loser)
    }

    /// The result for Red on which both sides' scores agree after this many plies.
    pub fn agreed_after(&self, plies: usize, adjudication: Adjudication) -> Option<GameResult> {
        let result = agreed_result(&self.plies[..plies], adjudication)?;
        let first = self.start.side_to_move();
        let moved_last = if plies % 2 == 1 { first } else { !first };
        Some(for_red(result, moved_last))
    }
}

/// A result of this side as one of Red.
fn for_red(result: GameResult, side: Color) -> GameResult {
    match side {
        Color::Red => result,
        Color::Black => result.reversed(),
    }
}

struct Table<'a> {
    players: [&'a mut dyn Player; 2],
    clocks: Clocks,
}

/// Plays a game; the first player is Red.
pub fn play(
    players: [&mut dyn Player; 2],
    start: &Position,
    controls: impl Into<Controls>,
    rules: Rules,
    adjudication: Adjudication,
) -> PlayedGame {
    let mut table = Table {
        players,
        clocks: Clocks::new(controls.into()),
    };
    let mut game = Game::with_rules(start.clone(), rules);
    let mut plies = Vec::new();
    let mut fault = None;
    for (player, loser) in table.players.iter_mut().zip(Color::ALL) {
        if let Err(error) = player.new_game() {
            fault.get_or_insert((win_of(!loser), Reason::Fault(error)));
        }
    }
    let (result, reason) = fault.unwrap_or_else(|| {
        loop {
            if let Some(end) = board_end(&game, adjudication) {
                break end;
            }
            let side = game.position().side_to_move();
            if let Some(result) = agreed_result(&plies, adjudication) {
                let for_red = if side == Color::Black {
                    result
                } else {
                    result.reversed()
                };
                break (for_red, Reason::Adjudication);
            }
            match table.next_move(&game, side) {
                Ok((mv, score)) => {
                    plies.push((mv, score));
                    game.make(mv);
                }
                Err(fault) => break (win_of(!side), Reason::Fault(fault)),
            }
        }
    });
    PlayedGame {
        start: start.clone(),
        plies,
        result,
        reason,
        overrun: table.clocks.overrun(),
    }
}

fn win_of(side: Color) -> GameResult {
    match side {
        Color::Red => GameResult::Win,
        Color::Black => GameResult::Loss,
    }
}

/// Mate, stalemate, repetition and limits.
fn board_end(game: &Game, adjudication: Adjudication) -> Option<(GameResult, Reason)> {
    let side = game.position().side_to_move();
    if !game.position().has_legal_move(game.legality()) {
        let reason = if game.in_check() {
            Reason::Mate
        } else {
            Reason::Stalemate
        };
        return Some((win_of(!side), reason));
    }
    if let Some(verdict) = game.verdict(game.ply_count()) {
        let result = match verdict.outcome {
            Outcome::Win => win_of(side),
            Outcome::Loss => win_of(!side),
            Outcome::Draw => GameResult::Draw,
        };
        // The verdict is quick and has no reasons; they are asked for once a game.
        let reason = match game.judge(None).end {
            Some((_, rules::Reason::Limit(_))) => Reason::Limit,
            _ => Reason::Repetition,
        };
        return Some((result, reason));
    }
    (game.ply_count() >= adjudication.max_plies).then_some((GameResult::Draw, Reason::Limit))
}

/// What the scores of the last plies say, for the side that moved last.
fn agreed_result(plies: &[(Move, Score)], a: Adjudication) -> Option<GameResult> {
    let agree = |count: u32, test: &dyn Fn(Score) -> bool| {
        let signs = [1, -1].into_iter().cycle();
        let mut views = plies
            .iter()
            .rev()
            .zip(signs)
            .map(|((_, score), sign)| score * sign);
        let count = count as usize;
        count > 0 && plies.len() >= count && views.by_ref().take(count).all(test)
    };
    if agree(a.win_plies, &|score| score >= a.win_score) {
        return Some(GameResult::Win);
    }
    if agree(a.win_plies, &|score| score <= -a.win_score) {
        return Some(GameResult::Loss);
    }
    let long_enough = plies.len() >= a.draw_after;
    let drawn = long_enough && agree(a.draw_plies, &|score| score.abs() <= a.draw_score);
    drawn.then_some(GameResult::Draw)
}

impl Table<'_> {
    /// Asks the side to move, checks its answer and runs its clock.
    fn next_move(&mut self, game: &Game, side: Color) -> Result<(Move, Score), Fault> {
        let turn = self.clocks.turn(side);
        let Answer { mv, score, time } = self.players[side.index()].think(game, turn)?;
        self.clocks.charge(side, time)?;
        let mv = mv.ok_or(Fault::NoMove)?;
        if !game.position().is_legal(mv, game.legality()) {
            return Err(Fault::IllegalMove(mv.to_string()));
        }
        Ok((mv, score.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::player::{Own, Turn};
    use super::*;

    /// Answers what it is told to.
    struct Puppet(Vec<Answer>);

    impl Player for Puppet {
        fn new_game(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn think(&mut self, _: &Game, _: Turn) -> Result<Answer, Fault> {
            if self.0.is_empty() {
                Err(Fault::Crash)
            } else {
                Ok(self.0.remove(0))
            }
        }
    }

    fn answer(text: &str) -> Answer {
        Answer {
            mv: text.parse().ok(),
            ..Answer::default()
        }
    }

    fn against(red: Vec<Answer>) -> PlayedGame {
        let mut black = Own::new(1, None).unwrap();
        let control = TimeControl::Nodes(200);
        let players: [&mut dyn Player; 2] = [&mut Puppet(red), &mut black];
        play(
            players,
            &Position::start(),
            control,
            Rules::default(),
            Adjudication::default(),
        )
    }

    #[test]
    fn faults_lose_and_are_named() {
        let game = against(vec![answer("a0a5")]);
        assert_eq!(game.result, GameResult::Loss);
        assert_eq!(
            game.reason,
            Reason::Fault(Fault::IllegalMove("a0a5".to_owned()))
        );
        let game = against(vec![answer("none")]);
        assert_eq!(game.reason, Reason::Fault(Fault::NoMove));
        let game = against(vec![answer("h2e2")]);
        assert_eq!(
            (game.reason, game.plies.len()),
            (Reason::Fault(Fault::Crash), 2)
        );
    }

    #[test]
    fn a_game_of_the_engine_against_itself_ends() {
        let (mut red, mut black) = (Own::new(1, None).unwrap(), Own::new(1, None).unwrap());
        let players: [&mut dyn Player; 2] = [&mut red, &mut black];
        let game = play(
            players,
            &Position::start(),
            TimeControl::Nodes(300),
            Rules::default(),
            Adjudication::default(),
        );
        assert!(
            !matches!(game.reason, Reason::Fault(_)),
            "{:?}",
            game.reason
        );
    }

    #[test]
    fn agreed_scores_end_a_game() {
        let mv: Move = "a0a1".parse().unwrap();
        let plies = |scores: &[Score]| scores.iter().map(|&s| (mv, s)).collect::<Vec<_>>();
        let rules = Adjudication::default();
        let won = plies(&[-1600, 1600, -1700, 1700, -1800, 1800]);
        assert_eq!(agreed_result(&won, rules), Some(GameResult::Win));
        let lost = plies(&[1600, -1600, 1700, -1700, 1800, -1800]);
        assert_eq!(agreed_result(&lost, rules), Some(GameResult::Loss));
        let disputed = plies(&[1600, 1600, 1700, 1700, 1800, 1800]);
        assert_eq!(agreed_result(&disputed, rules), None);
        assert_eq!(
            agreed_result(&plies(&[0; 100]), rules),
            Some(GameResult::Draw)
        );
        assert_eq!(agreed_result(&plies(&[0; 60]), rules), None);
    }
}
