//! One game judged by one rule set.

use crate::position::Position;
use crate::records::{Record, Stop};
use crate::rules::{CycleReport, Game, GameResult, Judgement, Reason, Rules};
use crate::types::Color;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cause {
    /// By the position and its history.
    Rule(Reason),
    /// The next move of the record is illegal: its mover has lost.
    IllegalMove,
}

/// What a rule set makes of a game.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    /// The rules.
    pub(super) rules: Rules,
    /// The first end of the game; `None` if it goes on.
    pub(super) end: Option<(GameResult, Cause)>,
    /// How many legal plies were played by then. An illegal move is the next one.
    pub(super) ply: usize,
    /// The cycle that the last ply closed.
    pub(super) cycle: Option<Cycle>,
}

/// A cycle with its positions.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// What the rules say.
    pub(super) report: CycleReport,
    /// The position before the first ply and those after each.
    pub(super) positions: Vec<Position>,
}

impl Ruling {
    /// Judges the main line of a record.
    pub(super) fn of(record: &Record, rules: Rules, claimant: Option<Color>) -> Self {
        let mut game = Game::with_rules(record.start().clone(), rules);
        game.play(record.moves())
            .expect("the moves of a record are legal");
        let (judgement, is_last) = match game.first_end(claimant) {
            Some(judgement) => (judgement, false),
            None => (game.judge(claimant), true),
        };
        let Judgement { ply, end, cycle } = judgement;
        let by_rule = end.map(|(result, reason)| (result, Cause::Rule(reason)));
        let offender = illegal_move(record).filter(|_| is_last);
        let by_illegal_move =
            || offender.map(|stop| (GameResult::Loses(stop.side), Cause::IllegalMove));
        Self {
            rules,
            end: by_rule.or_else(by_illegal_move),
            ply,
            cycle: cycle.map(|report| Cycle::new(record, report)),
        }
    }

    /// The result alone.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.end.map(|(result, _)| result)
    }

    /// Whether the cycle is what the ruling is about, or was not ruled on yet.
    pub(super) fn relevant_cycle(&self) -> Option<&Cycle> {
        let is_relevant = matches!(self.end, None | Some((_, Cause::Rule(Reason::Repetition))));
        self.cycle.as_ref().filter(|_| is_relevant)
    }

    /// The text in the record that could not be read as a move and on which the
    /// ruling would depend.
    pub(super) fn missing_move<'a>(&self, record: &'a Record) -> Option<&'a Stop> {
        record.stopped_by().filter(|_| self.end.is_none())
    }
}

/// The illegal move at which the main line ends, if it does.
pub(super) fn illegal_move(record: &Record) -> Option<&Stop> {
    record
        .stopped_by()
        .filter(|stop| stop.error.is_illegal_move())
}

impl Cycle {
    fn new(record: &Record, report: CycleReport) -> Self {
        let moves = record.moves();
        let mut position = record.start().clone();
        for &mv in &moves[..report.start] {
            position.make(mv);
        }
        let mut positions = vec![position.clone()];
        for &mv in &moves[report.start..report.start + report.length] {
            position.make(mv);
            positions.push(position.clone());
        }
        Self { report, positions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read_all;

    fn ruling(text: &str) -> Ruling {
        let records = read_all(text.as_bytes()).unwrap();
        Ruling::of(&records[0], Rules::default(), None)
    }

    const CHECKS: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w moves a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8";

    #[test]
    fn the_first_end_counts_and_what_follows_does_not() {
        // The record goes on with an illegal move; it was over before.
        let ended = ruling(&format!("{CHECKS} e8e9 a8a9 e9e5"));
        let lost = GameResult::Loses(Color::Red);
        assert_eq!(ended.end, Some((lost, Cause::Rule(Reason::Repetition))));
        assert_eq!(ended.ply, 8);
        let cycle = ended.relevant_cycle().unwrap();
        assert_eq!((cycle.report.start, cycle.positions.len()), (4, 5));
        assert_eq!(cycle.positions[0].key(), cycle.positions[4].key());
    }

    #[test]
    fn the_mover_of_an_illegal_move_has_lost() {
        let stopped = ruling(&format!("{CHECKS} e8e4"));
        let lost = GameResult::Loses(Color::Black);
        assert_eq!(
            (stopped.end, stopped.ply),
            (Some((lost, Cause::IllegalMove)), 7)
        );
        assert!(stopped.relevant_cycle().is_none());
    }

    #[test]
    fn an_open_cycle_is_kept_with_its_positions() {
        let open = ruling(CHECKS);
        assert_eq!(open.end, None);
        assert_eq!(open.relevant_cycle().unwrap().report.start, 3);
    }
}
