//! The formats of a tournament, and the plan of the next round.

use super::history::{History, Plan};
use super::knockout::{Cup, follow};
use super::standings::{TieBreak, standings_of};
use super::{schedule, swiss};

/// How a tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody against everybody (循环制), so many times.
    RoundRobin {
        /// Times everybody meets everybody.
        cycles: usize,
        /// Games of an encounter.
        games: usize,
    },
    /// The first players against all others.
    Gauntlet {
        /// How many players are challenged.
        challengers: usize,
        /// Times they meet each of the others.
        cycles: usize,
        /// Games of an encounter.
        games: usize,
    },
    /// Whoever loses is out (淘汰制).
    Knockout {
        /// Games of an encounter.
        games: usize,
        /// How often two more games are played after a tie.
        replays: usize,
    },
    /// Round robins in groups (分组循环), and perhaps a knockout of the best.
    Groups {
        /// How many groups.
        groups: usize,
        /// How many of each go on; 0: nobody.
        advance: usize,
        /// Games of an encounter.
        games: usize,
        /// How often two more games are played after a tie.
        replays: usize,
    },
    /// Players with equal points meet (积分编排制).
    Swiss {
        /// Rounds.
        rounds: usize,
        /// Games of an encounter.
        games: usize,
    },
}

impl Format {
    /// The tie-breaks in their order, where nothing else is asked for.
    ///
    /// The Swiss system compares the opponents first (对手分), formats in which
    /// all meet the same opponents the results against them (小分).
    pub fn tie_breaks(&self) -> Vec<TieBreak> {
        use TieBreak::{BlackWins, Direct, Fouls, Minor, Opponents, Wins};
        match self {
            Self::Swiss { .. } => vec![Opponents, Minor, Wins, Direct, Fouls, BlackWins],
            _ => vec![Minor, Wins, Direct, Fouls, BlackWins],
        }
    }

    /// The next round; `None` at the end.
    pub fn next(&self, history: &History) -> Option<Plan> {
        let (players, played) = (history.players, history.rounds.len());
        match *self {
            Self::RoundRobin { cycles, games } => {
                let rounds = schedule::round_robin_rounds(players);
                (played < rounds * cycles).then(|| {
                    let (boards, idle) = schedule::round_robin(players, played % rounds);
                    Plan {
                        boards: turned(boards, played / rounds),
                        games,
                        byes: idle.map(|player| (player, 0)).into_iter().collect(),
                    }
                })
            }
            Self::Gauntlet {
                challengers,
                cycles,
                games,
            } => (played < cycles).then(|| Plan {
                games,
                ..schedule::gauntlet(players, challengers, played)
            }),
            Self::Knockout { games, replays } => {
                let field: Vec<usize> = (0..players).collect();
                follow(Cup { games, replays }, &field, &history.rounds).plan
            }
            Self::Groups {
                groups,
                advance,
                games,
                replays,
            } => {
                let members = members(players, groups);
                let rounds = group_rounds(&members);
                if played < rounds {
                    return Some(group_round(&members, played, games));
                }
                let field = self.qualified(history, &members, advance);
                let cup = Cup { games, replays };
                follow(cup, &field, &history.rounds[rounds..]).plan
            }
            Self::Swiss { rounds, games } => {
                (played < rounds).then(|| swiss::pair(history, games))?
            }
        }
    }

    /// The groups of players; one where there are none.
    pub fn groups(&self, players: usize) -> Vec<Vec<usize>> {
        match *self {
            Self::Groups { groups, .. } => members(players, groups),
            _ => vec![(0..players).collect()],
        }
    }

    /// Rounds that the groups play before the knockout begins.
    pub(super) fn group_rounds(&self, players: usize) -> usize {
        match *self {
            Self::Groups { groups, .. } => group_rounds(&members(players, groups)),
            _ => 0,
        }
    }

    /// How far each player has come in knockout games: what comes before points.
    pub fn stages(&self, history: &History) -> Vec<usize> {
        let mut stages = vec![0; history.players];
        let (cup, field, rounds) = match *self {
            Self::Knockout { games, replays } => {
                let field = (0..history.players).collect();
                (Cup { games, replays }, field, &history.rounds[..])
            }
            Self::Groups {
                groups,
                advance,
                games,
                replays,
            } => {
                let members = members(history.players, groups);
                let rounds = group_rounds(&members);
                if history.rounds.len() < rounds {
                    return stages;
                }
                let field = self.qualified(history, &members, advance);
                (Cup { games, replays }, field, &history.rounds[rounds..])
            }
            _ => return stages,
        };
        let survived = follow(cup, &field, rounds).survived;
        let is_after_groups = usize::from(matches!(self, Self::Groups { .. }));
        for (player, stage) in field.into_iter().zip(survived) {
            stages[player] = stage + is_after_groups;
        }
        stages
    }

    /// The best of each group after the group games, all first ones before all
    /// second ones. Every other row runs backwards, so that the first and the
    /// second of a group are far apart in the bracket.
    fn qualified(&self, history: &History, members: &[Vec<usize>], advance: usize) -> Vec<usize> {
        let mut group_games = history.clone();
        group_games.rounds.truncate(group_rounds(members));
        let ranked: Vec<Vec<usize>> = members
            .iter()
            .map(|group| {
                let rows = standings_of(&group_games, group, &[], &self.tie_breaks());
                rows.into_iter().map(|row| row.player).collect()
            })
            .collect();
        (0..advance)
            .flat_map(|place| {
                let row = ranked
                    .iter()
                    .filter_map(move |group| group.get(place).copied());
                let mut row: Vec<usize> = row.collect();
                if place % 2 == 1 && ranked.len() % 2 == 1 {
                    row.reverse();
                }
                row
            })
            .collect()
    }
}

/// Boards with colours changed in every other cycle.
fn turned(mut boards: Vec<[usize; 2]>, cycle: usize) -> Vec<[usize; 2]> {
    if cycle % 2 == 1 {
        boards.iter_mut().for_each(|board| board.reverse());
    }
    boards
}

/// Seeds dealt out to and fro (蛇形编排): 1 2 3 3 2 1 1 2 3.
fn members(players: usize, groups: usize) -> Vec<Vec<usize>> {
    let groups = groups.clamp(1, players.max(1));
    let mut members = vec![Vec::new(); groups];
    for player in 0..players {
        let (row, place) = (player / groups, player % groups);
        let group = if row % 2 == 0 {
            place
        } else {
            groups - 1 - place
        };
        members[group].push(player);
    }
    members
}

fn group_rounds(members: &[Vec<usize>]) -> usize {
    let rounds = members
        .iter()
        .map(|group| schedule::round_robin_rounds(group.len()));
    rounds.max().unwrap_or(0)
}

/// The games of all groups in a round; small groups may have ended before.
fn group_round(members: &[Vec<usize>], round: usize, games: usize) -> Plan {
    let mut plan = Plan {
        games,
        ..Plan::default()
    };
    for group in members {
        if round < schedule::round_robin_rounds(group.len()) {
            let (boards, idle) = schedule::round_robin(group.len(), round);
            let seats = boards
                .into_iter()
                .map(|board| board.map(|seat| group[seat]));
            plan.boards.extend(seats);
            plan.byes.extend(idle.map(|seat| (group[seat], 0)));
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::super::history::{Encounter, Round};
    use super::*;

    /// Plays a tournament that the better seed always wins.
    fn play(format: Format, players: usize) -> History {
        let mut history = History::new(players, 0);
        while let Some(plan) = format.next(&history) {
            let result = |[red, black]: [usize; 2]| if red < black { 2 } else { 0 };
            let games = plan.seats().map(|(_, _, seats)| seats);
            history.rounds.push(Round {
                games: games
                    .map(|seats| Encounter::played(seats, result(seats)))
                    .collect(),
                byes: plan.byes.clone(),
            });
            assert!(history.rounds.len() < 500, "it does not end");
        }
        history
    }

    #[test]
    fn all_formats_end_with_the_right_number_of_games() {
        let games = |format, players| play(format, players).games().count();
        let (cycles, one) = (2, 1);
        let robin = Format::RoundRobin { cycles, games: one };
        assert_eq!(games(robin, 5), 20);
        let gauntlet = Format::Gauntlet {
            challengers: 1,
            cycles,
            games: 2,
        };
        assert_eq!(games(gauntlet, 4), 12);
        let swiss = Format::Swiss {
            rounds: 4,
            games: one,
        };
        assert_eq!(games(swiss, 9), 16);
        let cup = Format::Knockout {
            games: 2,
            replays: 1,
        };
        // A pair of games that the better seed wins twice is no tie.
        assert_eq!(games(cup, 6), 10);
        // 3 + 3 games in groups of three, then two semi-finals and a final.
        let groups = Format::Groups {
            groups: 2,
            advance: 2,
            games: one,
            replays: 0,
        };
        assert_eq!(games(groups, 6), 9);
    }

    #[test]
    fn a_double_round_robin_changes_colours() {
        let robin = Format::RoundRobin {
            cycles: 2,
            games: 1,
        };
        let history = play(robin, 4);
        for player in 0..4 {
            let colors = history.colors(player);
            assert_eq!(colors.iter().filter(|color| color.index() == 0).count(), 3);
        }
    }

    #[test]
    fn groups_are_dealt_to_and_fro_and_their_best_go_on() {
        assert_eq!(members(7, 3), [vec![0, 5, 6], vec![1, 4], vec![2, 3]]);
        let groups = Format::Groups {
            groups: 2,
            advance: 2,
            games: 1,
            replays: 0,
        };
        let history = play(groups, 8);
        let stages = groups.stages(&history);
        // 0 3 4 7 and 1 2 5 6: 0 and 1 in the final, 2 and 3 out before it.
        assert_eq!(stages, [3, 2, 1, 1, 0, 0, 0, 0]);
        // Nobody meets an opponent of the own group in the semi-finals.
        let semi = &history.rounds[3].games;
        assert!(semi.iter().all(|game| {
            let groups = members(8, 2);
            !groups
                .iter()
                .any(|g| game.seats.iter().all(|s| g.contains(s)))
        }));
    }
}
