//! The Swiss system (积分编排制): players with equal points meet, nobody meets
//! twice while that can be avoided, colours stay even.
//!
//! A round is paired from the top. The first player not yet paired gets the best
//! opponent that leaves the rest pairable (`matching`); best is whoever has the
//! nearest score, then whose colours fit, then who stands half a score group below
//! (the first round thus pairs the upper half with the lower half). So whatever a
//! set of pairings can avoid is avoided, without search.

use super::history::{History, Plan};
use super::matching::can_all_be_paired;
use crate::types::Color;

/// The most by which a player's colours may differ while that can be avoided.
const MAX_DIFFERENCE: i32 = 2;

/// The next round; `None` if fewer than two players are left. Each board plays
/// this many games, and who has no opponent is given them.
pub(super) fn pair(history: &History, games: usize) -> Option<Plan> {
    let mut ranking: Vec<usize> = (0..history.players)
        .filter(|&player| !history.is_withdrawn(player))
        .collect();
    if ranking.len() < 2 {
        return None;
    }
    let points: Vec<usize> = (0..history.players)
        .map(|player| history.points(player))
        .collect();
    ranking.sort_by_key(|&player| (std::cmp::Reverse(points[player]), player));
    let field = Field::new(history, points);
    let (boards, idle) = field.pair(&ranking)?;
    let seated = boards
        .into_iter()
        .enumerate()
        .map(|(board, pair)| field.seat(pair, board));
    Some(Plan {
        boards: seated.collect(),
        games,
        byes: idle.into_iter().map(|player| (player, 2 * games)).collect(),
    })
}

/// What pairing asks for again and again.
struct Field<'h> {
    history: &'h History,
    points: Vec<usize>,
    colors: Vec<Vec<Color>>,
    meetings: Vec<Vec<usize>>,
}

/// Pairs of players, and who has no opponent.
type Pairs = (Vec<[usize; 2]>, Option<usize>);

impl<'h> Field<'h> {
    fn new(history: &'h History, points: Vec<usize>) -> Self {
        let players = 0..history.players;
        let meetings = |a: usize| {
            players
                .clone()
                .map(move |b| history.meetings(a, b))
                .collect()
        };
        Self {
            meetings: players.clone().map(meetings).collect(),
            colors: players
                .clone()
                .map(|player| history.colors(player))
                .collect(),
            history,
            points,
        }
    }

    /// Pairs the ranking by the strictest demands that can be met: colours, no
    /// second bye, no second meeting.
    fn pair(&self, ranking: &[usize]) -> Option<Pairs> {
        let meetings = |a: usize, b: usize| self.meetings[a][b];
        let fits = |a, b| meetings(a, b) == 0 && self.is_seatable(a, b);
        let fewest = ranking
            .iter()
            .map(|&player| self.history.byes(player))
            .min()?;
        let rounds = self.history.rounds.len();
        self.pair_with_bye(ranking, fewest, &fits)
            .or_else(|| self.pair_with_bye(ranking, fewest, &|a, b| meetings(a, b) == 0))
            .or_else(|| self.pair_with_bye(ranking, rounds, &|a, b| meetings(a, b) == 0))
            .or_else(|| {
                (1..=rounds).find_map(|most| {
                    self.pair_with_bye(ranking, fewest, &|a, b| meetings(a, b) <= most)
                })
            })
    }

    /// With an odd number, the lowest player with at most this many byes has none
    /// to play, if the others can then be paired.
    fn pair_with_bye(
        &self,
        ranking: &[usize],
        most_byes: usize,
        may_meet: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Pairs> {
        if ranking.len().is_multiple_of(2) {
            return Some((self.pair_all(ranking, may_meet)?, None));
        }
        let mut idle: Vec<usize> = ranking.iter().rev().copied().collect();
        idle.retain(|&player| self.history.byes(player) <= most_byes);
        idle.sort_by_key(|&player| self.history.byes(player));
        idle.into_iter().find_map(|idle| {
            let others: Vec<usize> = ranking.iter().copied().filter(|&p| p != idle).collect();
            Some((self.pair_all(&others, may_meet)?, Some(idle)))
        })
    }

    fn pair_all(
        &self,
        ranking: &[usize],
        may_meet: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<[usize; 2]>> {
        if !can_all_be_paired(ranking, may_meet) {
            return None;
        }
        let mut left = ranking.to_vec();
        let mut boards = Vec::new();
        while let Some((&first, others)) = left.split_first() {
            let opponents = self.by_preference(first, others);
            let (second, rest) = opponents.into_iter().find_map(|second| {
                let rest: Vec<usize> = others.iter().copied().filter(|&p| p != second).collect();
                let is_good = may_meet(first, second) && can_all_be_paired(&rest, may_meet);
                is_good.then_some((second, rest))
            })?;
            boards.push([first, second]);
            left = rest;
        }
        Some(boards)
    }

    /// The others, the best opponents first.
    fn by_preference(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let group = others
            .iter()
            .take_while(|&&player| self.points[player] == self.points[first])
            .count();
        // Half the group (with the first) below the first; below the group its top.
        let ideal = |gap: usize| {
            if gap == 0 {
                group.div_ceil(2)
            } else {
                group + 1
            }
        };
        let mut opponents: Vec<_> = others
            .iter()
            .enumerate()
            .map(|(index, &player)| {
                let gap = self.points[first] - self.points[player];
                let clash = self.wish(first).is_some() && self.wish(first) == self.wish(player);
                (gap, clash, (index + 1).abs_diff(ideal(gap)), player)
            })
            .collect();
        opponents.sort_unstable();
        opponents.into_iter().map(|(.., player)| player).collect()
    }

    /// Games with Red less games with Black.
    fn difference(&self, player: usize) -> i32 {
        let sign = |color: &Color| if *color == Color::Red { 1 } else { -1 };
        self.colors[player].iter().map(sign).sum()
    }

    /// Whether a player may have this colour: not the third time running, and
    /// with colours still even enough.
    fn may_have(&self, player: usize, color: Color) -> bool {
        let is_third = matches!(self.colors[player][..], [.., a, b] if a == color && b == color);
        let step = if color == Color::Red { 1 } else { -1 };
        !is_third && (self.difference(player) + step).abs() <= MAX_DIFFERENCE
    }

    /// Whether two players can meet with colours that both may have.
    fn is_seatable(&self, a: usize, b: usize) -> bool {
        self.may_sit([a, b]) || self.may_sit([b, a])
    }

    fn may_sit(&self, [red, black]: [usize; 2]) -> bool {
        self.may_have(red, Color::Red) && self.may_have(black, Color::Black)
    }

    /// The colour that a player should have next: the one it had less often, or
    /// not the last one. `None` before its first game.
    fn wish(&self, player: usize) -> Option<Color> {
        match self.difference(player) {
            0 => self.colors[player].last().map(|&color| !color),
            difference if difference > 0 => Some(Color::Black),
            _ => Some(Color::Red),
        }
    }

    /// Gives colours to a pair, the higher player first.
    fn seat(&self, [high, low]: [usize; 2], board: usize) -> [usize; 2] {
        let (high_red, low_red) = ([high, low], [low, high]);
        match (self.may_sit(high_red), self.may_sit(low_red)) {
            (true, false) => return high_red,
            (false, true) => return low_red,
            _ => {}
        }
        let urgency = |player: usize| self.difference(player).abs();
        let is_high_red = match (self.wish(high), self.wish(low)) {
            (None, None) => board.is_multiple_of(2),
            (Some(wish), None) => wish == Color::Red,
            (None, Some(wish)) => wish == Color::Black,
            (Some(a), Some(b)) if a != b => a == Color::Red,
            (Some(_), Some(wish)) if urgency(low) > urgency(high) => wish == Color::Black,
            (Some(wish), Some(_)) if urgency(high) > urgency(low) => wish == Color::Red,
            (Some(wish), Some(_)) => match self.last_difference(high, low) {
                Some(high_had) => high_had == Color::Black,
                None => wish == Color::Red,
            },
        };
        if is_high_red { high_red } else { low_red }
    }

    /// The colour of `a` in the last of the games, counted from the end, in which
    /// the two had different colours.
    fn last_difference(&self, a: usize, b: usize) -> Option<Color> {
        let pairs = self.colors[a].iter().rev().zip(self.colors[b].iter().rev());
        pairs.into_iter().find(|(a, b)| a != b).map(|(&a, _)| a)
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::{Encounter, Round};
    use super::*;
    use crate::types::Random;

    fn play(history: &mut History, result: &mut dyn FnMut([usize; 2]) -> usize) -> Plan {
        let plan = pair(history, 1).expect("enough players");
        let games = plan
            .boards
            .iter()
            .map(|&seats| Encounter::played(seats, result(seats)))
            .collect();
        let byes = plan.byes.clone();
        history.rounds.push(Round { games, byes });
        plan
    }

    /// The better seed always wins: worked out by hand.
    #[test]
    fn six_players_by_hand() {
        let mut history = History::new(6, 0);
        let mut better = |[red, black]: [usize; 2]| if red < black { 2 } else { 0 };
        // Upper half against lower half, Red alternating by board.
        let plan = play(&mut history, &mut better);
        assert_eq!(plan.boards, [[0, 3], [4, 1], [2, 5]]);
        // Winners 0 (was Red), 1 (Black), 2 (Red): 0 takes 1, whose colours fit; 2
        // takes the first of the losers whose colours fit: 3 had Black as he did
        // not, and is the top one.
        let plan = play(&mut history, &mut better);
        assert_eq!(plan.boards, [[1, 0], [3, 2], [5, 4]]);
        // 0 has 2 points, then 1, 2, 4 with one each (4 beat 5), 3 and 5 without.
        assert_eq!(
            (0..6).map(|p| history.points(p)).collect::<Vec<_>>(),
            [4, 2, 4, 0, 2, 0]
        );
        // 0 and 2 lead. Both had Red, then Black.
        let plan = play(&mut history, &mut better);
        assert_eq!(plan.boards[0], [0, 2]);
    }

    #[test]
    fn an_odd_player_sits_out_once_and_gets_the_point() {
        let mut history = History::new(5, 0);
        let mut idle = Vec::new();
        for _ in 0..5 {
            let plan = play(&mut history, &mut |_| 1);
            assert_eq!((plan.boards.len(), plan.byes.len()), (2, 1));
            assert_eq!(plan.byes[0].1, 2);
            idle.push(plan.byes[0].0);
        }
        assert_eq!(idle[0], 4);
        idle.sort_unstable();
        assert_eq!(idle, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_withdrawn_are_not_paired() {
        let mut history = History::new(4, 1);
        let mut game = Encounter::played([0, 2], 2);
        game.failed = Some(2);
        history.rounds.push(Round {
            games: vec![game, Encounter::played([3, 1], 1)],
            byes: Vec::new(),
        });
        let plan = pair(&history, 1).unwrap();
        assert!(!plan.boards.iter().flatten().any(|&player| player == 2));
        assert_eq!((plan.boards.len(), plan.byes.len()), (1, 1));
    }

    /// Whether some choice of an idle player lets all others meet somebody new.
    fn could_avoid(history: &History, players: &[usize], fewest: usize) -> bool {
        let new = |a: usize, b: usize| history.meetings(a, b) == 0;
        if players.len().is_multiple_of(2) {
            return can_all_be_paired(players, &new);
        }
        players.iter().any(|&idle| {
            let others: Vec<usize> = players.iter().copied().filter(|&p| p != idle).collect();
            history.byes(idle) <= fewest && can_all_be_paired(&others, &new)
        })
    }

    /// Tournaments with random results, of every size: nobody meets twice while it
    /// can be avoided, nobody sits out twice before all did (or to avoid a second
    /// meeting), and colours stay even.
    #[test]
    fn what_can_be_avoided_is_avoided() {
        for players in 2..=64 {
            let mut random = Random::new(players as u64);
            let mut history = History::new(players, 0);
            let rounds = (players - 1).min(9);
            for round in 0..rounds {
                let before = history.clone();
                let mut result = |_| random.below(3);
                let plan = play(&mut history, &mut result);
                let all: Vec<usize> = (0..players).collect();
                let again = |&[a, b]: &[usize; 2]| before.meetings(a, b) > 0;
                if plan.boards.iter().any(again) {
                    assert!(
                        !could_avoid(&before, &all, rounds),
                        "{players}, round {round}"
                    );
                }
                let mut seen: Vec<usize> = plan.boards.iter().flatten().copied().collect();
                seen.extend(plan.byes.iter().map(|bye| bye.0));
                seen.sort_unstable();
                assert_eq!(seen, all);
            }
            let field = Field::new(&history, Vec::new());
            // With many players for the rounds nothing forces colours or byes.
            if players > 2 * rounds {
                for player in 0..players {
                    assert!(field.difference(player).abs() <= MAX_DIFFERENCE);
                    assert!(history.byes(player) <= 1);
                    let colors = &field.colors[player];
                    assert!(!colors.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]));
                }
            }
        }
    }
}
