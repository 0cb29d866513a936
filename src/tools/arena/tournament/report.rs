//! The tables of a tournament, as text and as JSON.

use super::format::Format;
use super::history::{Encounter, History};
use super::standings::{Row, TieBreak, standings, standings_of};
use crate::types::Color;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The standings, with a cross table for every group or, in the Swiss system and
/// in a knockout, the games round by round.
pub fn text(format: &Format, history: &History, names: &[String], order: &[TieBreak]) -> String {
    let mut text = String::new();
    let has_cup = matches!(format, Format::Knockout { .. });
    let is_swiss = matches!(format, Format::Swiss { .. });
    if matches!(format, Format::Groups { .. }) {
        group_tables(&mut text, format, history, names, order);
    } else {
        let rows = standings(history, &format.stages(history), order);
        let games: Vec<Vec<String>> = rows
            .iter()
            .map(|row| match (has_cup, is_swiss) {
                (true, _) => Vec::new(),
                (_, true) => by_round(history, &rows, row.player),
                _ => crosses(history, &rows, row.player),
            })
            .collect();
        table(&mut text, &rows, names, order, &games);
        text.push('\n');
        if !has_cup {
            return text;
        }
    }
    cup_games(&mut text, format, history, names);
    text
}

/// A table for each group, a single one, too; the knockout after them is no part
/// of it.
fn group_tables(
    text: &mut String,
    format: &Format,
    history: &History,
    names: &[String],
    order: &[TieBreak],
) {
    let mut history = history.clone();
    history
        .rounds
        .truncate(format.group_rounds(history.players));
    for (number, group) in format.groups(history.players).iter().enumerate() {
        let _ = writeln!(text, "Group {}", number + 1);
        let rows = standings_of(&history, group, &[], order);
        let games: Vec<Vec<String>> = rows
            .iter()
            .map(|row| crosses(&history, &rows, row.player))
            .collect();
        table(text, &rows, names, order, &games);
        text.push('\n');
    }
}

fn table(
    text: &mut String,
    rows: &[Row],
    names: &[String],
    order: &[TieBreak],
    games: &[Vec<String>],
) {
    let name_width = rows
        .iter()
        .map(|row| names[row.player].chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    let columns = games.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = games.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max((column + 1).to_string().len())
        })
        .collect();
    let _ = write!(text, "{:>4}  {:name_width$}", "", "name");
    for (column, width) in widths.iter().enumerate() {
        let _ = write!(text, " {:>width$}", column + 1);
    }
    let _ = write!(text, " {:>6} {:>12}", "points", "+ = -");
    for tie_break in order {
        if *tie_break != TieBreak::Direct {
            let _ = write!(text, " {:>10}", tie_break.name());
        }
    }
    text.push('\n');
    for (row, games) in rows.iter().zip(games) {
        let name = &names[row.player];
        let _ = write!(text, "{:>4}. {name:name_width$}", row.rank);
        for (cell, width) in games.iter().zip(&widths) {
            let _ = write!(text, " {cell:>width$}");
        }
        let [wins, draws, losses] = row.results;
        let results = format!("+{wins} ={draws} -{losses}");
        let _ = write!(text, " {:>6} {results:>12}", halves(row.points));
        for tie_break in order {
            let value = match tie_break {
                TieBreak::Opponents => halves(row.opponents),
                TieBreak::Minor => format!("{:.2}", row.minor as f64 / 4.0),
                TieBreak::Wins => row.wins.to_string(),
                TieBreak::Fouls => row.fouls.to_string(),
                TieBreak::BlackWins => row.black_wins.to_string(),
                TieBreak::Direct => continue,
            };
            let _ = write!(text, " {value:>10}");
        }
        text.push('\n');
    }
}

/// Half points as points.
fn halves(half_points: usize) -> String {
    format!("{:.1}", half_points as f64 / 2.0)
}

/// A player's results against every row of the table, a sign a game.
fn crosses(history: &History, rows: &[Row], player: usize) -> Vec<String> {
    rows.iter()
        .map(|row| {
            if row.player == player {
                return "*".to_owned();
            }
            let games = history.games().filter_map(|game| game.view(player));
            let signs = games
                .filter(|&(opponent, ..)| opponent == row.player)
                .map(|(_, own, _)| sign(own));
            let signs: String = signs.collect();
            if signs.is_empty() {
                ".".to_owned()
            } else {
                signs
            }
        })
        .collect()
}

const fn sign(half_points: usize) -> char {
    match half_points {
        0 => '0',
        1 => '=',
        _ => '1',
    }
}

/// A player's rounds: the opponent's place in the table, the colour and the
/// result: `3r1` beat the third with Red.
fn by_round(history: &History, rows: &[Row], player: usize) -> Vec<String> {
    let place = |opponent: usize| {
        let found = rows.iter().position(|row| row.player == opponent);
        found.map_or(0, |index| index + 1)
    };
    let cell = |games: &[Encounter]| {
        let own: Vec<&Encounter> = games.iter().filter(|g| g.seats.contains(&player)).collect();
        let first = own
            .first()
            .and_then(|game| Some((game.view(player)?.0, *game)));
        let (opponent, first) = first?;
        let color = match first.side_of(player) {
            Some(Color::Red) => 'r',
            _ => 'b',
        };
        let signs: String = own
            .iter()
            .filter_map(|game| Some(sign(game.view(player)?.1)))
            .collect();
        Some(format!("{}{color}{signs}", place(opponent)))
    };
    history
        .rounds
        .iter()
        .map(|round| {
            let is_idle = round.byes.iter().any(|&(who, _)| who == player);
            let idle = || if is_idle { "bye" } else { "-" }.to_owned();
            cell(&round.games).unwrap_or_else(idle)
        })
        .collect()
}

/// The knockout rounds, an encounter a line.
fn cup_games(text: &mut String, format: &Format, history: &History, names: &[String]) {
    let first = format.group_rounds(history.players);
    for (number, round) in history.rounds.iter().enumerate().skip(first) {
        let _ = writeln!(text, "Round {}", number + 1);
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for game in &round.games {
            let [a, b] = game.seats;
            if !pairs.contains(&[a, b]) && !pairs.contains(&[b, a]) {
                pairs.push([a, b]);
            }
        }
        for [a, b] in pairs {
            let views = round.games.iter().filter_map(|game| game.view(a));
            let own = views.filter(|&(opponent, ..)| opponent == b);
            let (won, lost) = own.fold((0, 0), |sum, (_, own, other)| (sum.0 + own, sum.1 + other));
            let (a, b) = (&names[a], &names[b]);
            let _ = writeln!(text, "  {a} {} - {} {b}", halves(won), halves(lost));
        }
    }
    let rows = standings(history, &format.stages(history), &[]);
    if format.next(history).is_none()
        && let Some(first) = rows.first()
        && first.stage > 0
    {
        let _ = writeln!(text, "Winner: {}", names[first.player]);
    }
}

/// Everything as one JSON object.
pub fn json(format: &Format, history: &History, names: &[String], order: &[TieBreak]) -> Value {
    let rows = standings(history, &format.stages(history), order);
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let [wins, draws, losses] = row.results;
            json!({
                "rank": row.rank,
                "name": names[row.player],
                "seed": row.player + 1,
                "stage": row.stage,
                "points": row.points as f64 / 2.0,
                "won": wins, "drawn": draws, "lost": losses,
                "byes": row.byes,
                "opponents": row.opponents as f64 / 2.0,
                "minor": row.minor as f64 / 4.0,
                "wins": row.wins,
                "fouls": row.fouls,
                "black_wins": row.black_wins,
                "withdrawn": history.is_withdrawn(row.player),
            })
        })
        .collect();
    let rounds: Vec<Value> = history
        .rounds
        .iter()
        .map(|round| {
            let games: Vec<Value> = round
                .games
                .iter()
                .map(|game| {
                    let [red, black] = game.seats.map(|seat| &names[seat]);
                    let points = game.points.map(|points| points as f64 / 2.0);
                    json!({
                        "red": red, "black": black, "points": points,
                        "failed": game.failed.map(|seat| &names[seat]),
                        "forfeit": game.is_forfeit,
                    })
                })
                .collect();
            let byes: Vec<&String> = round.byes.iter().map(|&(who, _)| &names[who]).collect();
            json!({ "games": games, "byes": byes })
        })
        .collect();
    let order: Vec<&str> = order.iter().map(|tie_break| tie_break.name()).collect();
    json!({ "tie_breaks": order, "standings": rows, "rounds": rounds })
}

#[cfg(test)]
mod tests {
    use super::super::history::Round;
    use super::*;

    fn names(count: usize) -> Vec<String> {
        ["Ann", "Bo", "楚河", "Dee"][..count]
            .iter()
            .map(|&name| name.to_owned())
            .collect()
    }

    fn history(players: usize, rounds: &[(&[[usize; 2]], Option<usize>)]) -> History {
        let mut history = History::new(players, 0);
        for (boards, idle) in rounds {
            history.rounds.push(Round {
                games: boards
                    .iter()
                    .map(|&seats| Encounter::played(seats, 2))
                    .collect(),
                byes: idle.map(|player| (player, 2)).into_iter().collect(),
            });
        }
        history
    }

    #[test]
    fn a_cross_table_has_a_sign_for_each_game() {
        let format = Format::RoundRobin {
            cycles: 1,
            games: 2,
        };
        let history = history(2, &[(&[[0, 1], [1, 0]], None)]);
        let table = text(&format, &history, &names(2), &[TieBreak::Wins]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[0], "      name  1  2 points        + = -       wins");
        assert_eq!(lines[1], "   1. Ann   * 10    1.0     +1 =0 -1          1");
        assert_eq!(lines[2], "   1. Bo   01  *    1.0     +1 =0 -1          1");
    }

    #[test]
    fn a_swiss_table_goes_round_by_round() {
        let format = Format::Swiss {
            rounds: 2,
            games: 1,
        };
        let history = history(3, &[(&[[0, 1]], Some(2)), (&[[2, 0]], Some(1))]);
        let table = text(&format, &history, &names(3), &[TieBreak::Opponents]);
        assert!(table.contains("1. 楚河   bye 2r1    2.0"), "{table}");
        assert!(table.contains("Ann  3r1 1b0    1.0"), "{table}");
        let json = json(&format, &history, &names(3), &[TieBreak::Opponents]);
        assert_eq!(json["standings"][0]["name"], "楚河");
        assert_eq!(json["rounds"][1]["byes"][0], "Bo");
    }

    /// The final of a single group was counted in its table, and the winner was not
    /// named.
    #[test]
    fn a_single_group_has_a_table_and_a_final() {
        let format = Format::Groups {
            groups: 1,
            advance: 2,
            games: 1,
            replays: 0,
        };
        let group: [(&[[usize; 2]], _); 3] = [
            (&[[0, 1]], Some(2)),
            (&[[1, 2]], Some(0)),
            (&[[0, 2]], Some(1)),
        ];
        let mut history = history(3, &group);
        for round in &mut history.rounds {
            round.byes[0].1 = 0;
        }
        let plan = format.next(&history).unwrap();
        assert_eq!(plan.boards, [[0, 1]]);
        let game = Encounter::played([0, 1], 0);
        let games = vec![game];
        let byes = Vec::new();
        history.rounds.push(Round { games, byes });
        assert_eq!(format.next(&history), None);
        let text = text(&format, &history, &names(3), &[]);
        let expected = [
            "Group 1",
            "      name 1 2 3 points        + = -",
            "   1. Ann  * 1 1    2.0     +2 =0 -0",
            "   2. Bo   0 * 1    1.0     +1 =0 -1",
            "   3. 楚河   0 0 *    0.0     +0 =0 -2",
            "",
            "Round 4",
            "  Ann 0.0 - 1.0 Bo",
            "Winner: Bo",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    /// Two of a group meet again in the knockout: that is no part of its table.
    #[test]
    fn a_cross_table_is_of_the_group_only() {
        let format = Format::Groups {
            groups: 1,
            advance: 2,
            games: 1,
            replays: 0,
        };
        let history = history(2, &[(&[[0, 1]], None), (&[[0, 1]], None)]);
        let text = text(&format, &history, &names(2), &[]);
        assert!(text.contains("1. Ann  * 1    1.0     +1 =0 -0"), "{text}");
        assert!(text.ends_with("Winner: Ann\n"), "{text}");
    }

    #[test]
    fn a_knockout_lists_its_encounters() {
        let format = Format::Knockout {
            games: 1,
            replays: 0,
        };
        let history = history(4, &[(&[[0, 3], [1, 2]], None), (&[[0, 1]], None)]);
        let text = text(&format, &history, &names(4), &[]);
        assert!(text.contains("  Ann 1.0 - 0.0 Dee\n"), "{text}");
        assert!(text.ends_with("Winner: Ann\n"), "{text}");
    }
}
