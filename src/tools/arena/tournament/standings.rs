//! Points and tie-breaks: who stands where.
//!
//! A game gives 1, 1/2 or 0 points; here they are counted in halves, 小分 in
//! quarters. The names are those of the Chinese competition rules, the counting is
//! the published practice:
//!
//! - 对手分 *opponents*: the points of all opponents met (Buchholz).
//! - 小分 *minor*: the points of the opponents beaten and half those of the
//!   opponents drawn with (Sonneborn and Berger).
//! - 胜局 *wins*: games won.
//! - 直胜 *direct*: points from the games among those still tied, if all of them
//!   met each other.
//! - 犯规 *fouls*: games lost by a fault of one's own; fewer is better.
//! - 后手胜局 *black-wins*: games won with Black.
//!
//! A game that was not played (an opponent who had withdrawn; a bye is as many games
//! as the others play in that round) counts for 对手分 as one against an opponent
//! with as many points as oneself, and is no 胜局.

use super::history::{Encounter, History};
use crate::types::Color;
use std::cmp::Reverse;
use std::str::FromStr;
use thiserror::Error;

/// What parts players with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// 对手分.
    Opponents,
    /// 小分.
    Minor,
    /// 胜局.
    Wins,
    /// 直胜.
    Direct,
    /// 犯规.
    Fouls,
    /// 后手胜局.
    BlackWins,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Opponents,
        Self::Minor,
        Self::Wins,
        Self::Direct,
        Self::Fouls,
        Self::BlackWins,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opponents => "opponents",
            Self::Minor => "minor",
            Self::Wins => "wins",
            Self::Direct => "direct",
            Self::Fouls => "fouls",
            Self::BlackWins => "black-wins",
        }
    }

    /// Its Chinese name.
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::Opponents => "对手分",
            Self::Minor => "小分",
            Self::Wins => "胜局",
            Self::Direct => "直胜",
            Self::Fouls => "犯规",
            Self::BlackWins => "后手胜局",
        }
    }
}

/// A text that names no tie-break.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a tie-break (opponents, minor, wins, direct, fouls, black-wins)")]
pub struct TieBreakError(String);

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        Self::ALL
            .into_iter()
            .find(|tie_break| [tie_break.name(), tie_break.chinese()].contains(&text))
            .ok_or_else(|| TieBreakError(text.to_owned()))
    }
}

/// A line of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The player's number.
    pub player: usize,
    /// Its place from 1; players whom nothing parts share one.
    pub rank: usize,
    /// Stages survived in a knockout.
    pub stage: usize,
    /// Half points.
    pub points: usize,
    /// Games won, drawn and lost, forfeits among them.
    pub results: [usize; 3],
    /// Rounds without an opponent.
    pub byes: usize,
    /// 对手分, in half points.
    pub opponents: usize,
    /// 小分, in quarter points.
    pub minor: usize,
    /// 胜局.
    pub wins: usize,
    /// 犯规.
    pub fouls: usize,
    /// 后手胜局.
    pub black_wins: usize,
}

/// The table of all players; `stages` as of [`super::Format::stages`].
pub fn standings(history: &History, stages: &[usize], order: &[TieBreak]) -> Vec<Row> {
    let players: Vec<usize> = (0..history.players).collect();
    standings_of(history, &players, stages, order)
}

/// The table of these players, from the games among them.
pub(super) fn standings_of(
    history: &History,
    players: &[usize],
    stages: &[usize],
    order: &[TieBreak],
) -> Vec<Row> {
    let among = |game: &&Encounter| game.seats.iter().all(|seat| players.contains(seat));
    let games: Vec<Encounter> = history.games().filter(among).copied().collect();
    let mut points = vec![0; history.players];
    for game in &games {
        for (seat, half_points) in game.seats.into_iter().zip(game.points) {
            points[seat] += half_points;
        }
    }
    for &(player, half_points) in history.rounds.iter().flat_map(|round| &round.byes) {
        points[player] += half_points;
    }
    let mut rows: Vec<Row> = players
        .iter()
        .map(|&player| Row {
            stage: stages.get(player).copied().unwrap_or(0),
            ..row(history, &games, &points, player)
        })
        .collect();
    rows.sort_by_key(|row| (Reverse((row.stage, row.points)), row.player));
    let mut start = 0;
    while start < rows.len() {
        let key = (rows[start].stage, rows[start].points);
        let tied = rows[start..]
            .iter()
            .take_while(|row| (row.stage, row.points) == key);
        let end = start + tied.count();
        part(&mut rows[start..end], start + 1, &games, order);
        start = end;
    }
    rows
}

fn row(history: &History, games: &[Encounter], points: &[usize], player: usize) -> Row {
    let mut row = Row {
        player,
        points: points[player],
        byes: history.byes(player),
        ..Row::default()
    };
    for &(who, half_points) in history.rounds.iter().flat_map(|round| &round.byes) {
        if who == player {
            // Two half points for each game that was not played.
            row.opponents += half_points / 2 * points[player];
        }
    }
    for game in games {
        let Some((opponent, own, other)) = game.view(player) else {
            continue;
        };
        row.results[match own.cmp(&other) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal if own > 0 => 1,
            _ => 2,
        }] += 1;
        row.fouls += usize::from(game.failed == Some(player));
        if game.is_forfeit {
            row.opponents += points[player];
            continue;
        }
        row.opponents += points[opponent];
        row.minor += own * points[opponent];
        if own > other {
            row.wins += 1;
            row.black_wins += usize::from(game.side_of(player) == Some(Color::Black));
        }
    }
    row
}

/// Parts rows that are tied so far by the next of the tie-breaks, and each group
/// that is still tied by those after it. The rows take the places from `rank` on.
fn part(rows: &mut [Row], rank: usize, games: &[Encounter], order: &[TieBreak]) {
    let Some((&first, rest)) = order.split_first().filter(|_| rows.len() > 1) else {
        rows.iter_mut().for_each(|row| row.rank = rank);
        return;
    };
    let values: Vec<(usize, i64)> = rows
        .iter()
        .map(|row| (row.player, value(row, first, rows, games)))
        .collect();
    let of = |row: &Row| {
        let found = values.iter().find(|&&(player, _)| player == row.player);
        found.map_or(0, |&(_, value)| value)
    };
    rows.sort_by_key(|row| (Reverse(of(row)), row.player));
    let mut start = 0;
    while start < rows.len() {
        let tied = rows[start..]
            .iter()
            .take_while(|row| of(row) == of(&rows[start]));
        let end = start + tied.count();
        part(&mut rows[start..end], rank + start, games, rest);
        start = end;
    }
}

/// What a row has of a tie-break; more is better.
fn value(row: &Row, tie_break: TieBreak, tied: &[Row], games: &[Encounter]) -> i64 {
    let count = match tie_break {
        TieBreak::Opponents => row.opponents,
        TieBreak::Minor => row.minor,
        TieBreak::Wins => row.wins,
        TieBreak::Direct => direct(row.player, tied, games),
        TieBreak::Fouls => return -(row.fouls as i64),
        TieBreak::BlackWins => row.black_wins,
    };
    count as i64
}

/// Half points against the other tied players; 0 for all unless all have met.
fn direct(player: usize, tied: &[Row], games: &[Encounter]) -> usize {
    let met = |a: usize, b: usize| {
        let both = |game: &Encounter| game.seats.contains(&a) && game.seats.contains(&b);
        games.iter().any(both)
    };
    let all_met = tied
        .iter()
        .enumerate()
        .all(|(index, a)| tied[index + 1..].iter().all(|b| met(a.player, b.player)));
    if !all_met {
        return 0;
    }
    let views = games.iter().filter_map(|game| game.view(player));
    views
        .filter(|&(opponent, ..)| tied.iter().any(|row| row.player == opponent))
        .map(|(_, own, _)| own)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::history::Round;
    use super::*;

    fn round(games: &[([usize; 2], usize)], byes: &[(usize, usize)]) -> Round {
        Round {
            games: games
                .iter()
                .map(|&(seats, red)| Encounter::played(seats, red))
                .collect(),
            byes: byes.to_vec(),
        }
    }

    fn history(players: usize, rounds: Vec<Round>) -> History {
        History {
            rounds,
            ..History::new(players, 0)
        }
    }

    /// A round robin of four, by hand:
    ///
    /// ```text
    ///    a  b  c  d   points   小分
    /// a  .  1  0  1   2        b 1.5 + d 0.5 = 2
    /// b  0  .  1  ½   1.5      c 2 + d/2 0.25 = 2.25
    /// c  1  0  .  1   2        a 2 + d 0.5 = 2.5
    /// d  0  ½  0  .   0.5      b/2 = 0.75
    /// ```
    #[test]
    fn four_players_by_hand() {
        let history = history(
            4,
            vec![
                round(&[([0, 3], 2), ([1, 2], 2)], &[]),
                round(&[([3, 2], 0), ([0, 1], 2)], &[]),
                round(&[([1, 3], 1), ([2, 0], 2)], &[]),
            ],
        );
        let rows = standings(&history, &[], &[TieBreak::Minor]);
        let table: Vec<_> = rows
            .iter()
            .map(|row| (row.player, row.rank, row.points, row.minor))
            .collect();
        assert_eq!(
            table,
            [(2, 1, 4, 10), (0, 2, 4, 8), (1, 3, 3, 9), (3, 4, 1, 3)]
        );
        // Two wins each, but the second beat the first; one of c's with Black.
        for order in [
            vec![TieBreak::Direct],
            vec![TieBreak::Wins, TieBreak::Direct],
            vec![TieBreak::BlackWins],
        ] {
            let rows = standings(&history, &[], &order);
            let leaders: Vec<_> = rows[..2].iter().map(|row| (row.player, row.rank)).collect();
            assert_eq!(leaders, [(2, 1), (0, 2)], "{order:?}");
        }
        // Nothing parts them: they share the place, the next is third.
        let rows = standings(&history, &[], &[TieBreak::Wins]);
        let ranks: Vec<_> = rows.iter().map(|row| (row.player, row.rank)).collect();
        assert_eq!(ranks, [(0, 1), (2, 1), (1, 3), (3, 4)]);
    }

    /// A Swiss tournament of five in three rounds, by hand:
    ///
    /// ```text
    ///    round 1   2      3      points  对手分
    /// a  c 1       b 1    d ½    2.5     c 1 + b 2 + d 1.5 = 4.5
    /// b  d 1       a 0    bye    2       d 1.5 + a 2.5 + own 2 = 6
    /// c  a 0       bye    e 0    1       a 2.5 + own 1 + e 2 = 5.5
    /// d  b 0       e 1    a ½    1.5     b 2 + e 2 + a 2.5 = 6.5
    /// e  bye       d 0    c 1    2       own 2 + d 1.5 + c 1 = 4.5
    /// ```
    #[test]
    fn five_players_with_byes_by_hand() {
        let history = history(
            5,
            vec![
                round(&[([0, 2], 2), ([3, 1], 0)], &[(4, 2)]),
                round(&[([1, 0], 0), ([3, 4], 2)], &[(2, 2)]),
                round(&[([0, 3], 1), ([4, 2], 2)], &[(1, 2)]),
            ],
        );
        let rows = standings(&history, &[], &[TieBreak::Opponents]);
        let table: Vec<_> = rows
            .iter()
            .map(|row| (row.player, row.points, row.opponents, row.wins, row.byes))
            .collect();
        let expected = [
            (0, 5, 9, 2, 0),
            (1, 4, 12, 1, 1),
            (4, 4, 9, 1, 1),
            (3, 3, 13, 1, 0),
            (2, 2, 11, 0, 1),
        ];
        assert_eq!(table, expected);
        // b and e never met: the direct encounter cannot part them.
        let rows = standings(&history, &[], &[TieBreak::Direct]);
        assert_eq!((rows[1].rank, rows[2].rank), (2, 2));
    }

    /// Three players, two games an encounter, by hand. A bye counted as one game, so
    /// the best player had the fewest 对手分:
    ///
    /// ```text
    ///    round 1   2     3     points  对手分
    /// a  bye       b 2   c 1   5       2 (own 5 + b 3 + c 4) = 24
    /// b  c 1       a 0   bye   3       2 (c 4 + a 5 + own 3) = 24
    /// c  b 1       bye   a 1   4       2 (b 3 + own 4 + a 5) = 24
    /// ```
    #[test]
    fn a_bye_counts_as_many_games_as_an_encounter_has() {
        let history = history(
            3,
            vec![
                round(&[([1, 2], 2), ([2, 1], 2)], &[(0, 4)]),
                round(&[([0, 1], 2), ([1, 0], 0)], &[(2, 4)]),
                round(&[([0, 2], 2), ([2, 0], 2)], &[(1, 4)]),
            ],
        );
        let rows = standings(&history, &[], &[TieBreak::Opponents]);
        let table: Vec<_> = rows
            .iter()
            .map(|row| (row.player, row.points, row.opponents))
            .collect();
        assert_eq!(table, [(0, 10, 48), (2, 8, 48), (1, 6, 48)]);
    }

    #[test]
    fn faults_and_forfeits_count_as_what_they_are() {
        let mut fault = Encounter::played([0, 1], 0);
        fault.failed = Some(0);
        let forfeit = Encounter::forfeit([0, 1], [false, true]);
        let history = history(
            2,
            vec![Round {
                games: vec![fault, forfeit, Encounter::played([1, 0], 0)],
                byes: Vec::new(),
            }],
        );
        let rows = standings(&history, &[], &[TieBreak::Fouls]);
        assert_eq!((rows[0].player, rows[0].points, rows[0].wins), (1, 4, 1));
        assert_eq!((rows[1].fouls, rows[1].results), (1, [1, 0, 2]));
        assert_eq!(Encounter::forfeit([0, 1], [false; 2]).points, [0, 0]);
    }

    #[test]
    fn names_are_read() {
        for tie_break in TieBreak::ALL {
            assert_eq!(tie_break.name().parse(), Ok(tie_break));
            assert_eq!(tie_break.chinese().parse(), Ok(tie_break));
        }
        assert!("luck".parse::<TieBreak>().is_err());
    }
}
