//! The rounds that have been played, and the plan of the next.

use crate::types::Color;

/// A game of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Red and Black.
    pub seats: [usize; 2],
    /// Their half points.
    pub points: [usize; 2],
    /// Who lost by a fault of its own.
    pub failed: Option<usize>,
    /// Not played, because a player (or both) had withdrawn.
    pub is_forfeit: bool,
}

impl Encounter {
    /// A game that was played, by Red's half points.
    pub fn played(seats: [usize; 2], red_points: usize) -> Self {
        Self {
            seats,
            points: [red_points, 2 - red_points],
            failed: None,
            is_forfeit: false,
        }
    }

    /// A game that was not played; whoever is still there wins it.
    pub fn forfeit(seats: [usize; 2], is_there: [bool; 2]) -> Self {
        Self {
            seats,
            points: match is_there {
                [true, _] => [2, 0],
                [false, true] => [0, 2],
                [false, false] => [0, 0],
            },
            failed: None,
            is_forfeit: true,
        }
    }

    /// The player's seat, if it took part.
    pub fn side_of(&self, player: usize) -> Option<Color> {
        let index = self.seats.iter().position(|&seat| seat == player)?;
        Some(Color::ALL[index])
    }

    /// The opponent of a player who took part, and both their half points.
    pub(super) fn view(&self, player: usize) -> Option<(usize, usize, usize)> {
        let own = self.side_of(player)?.index();
        Some((self.seats[1 - own], self.points[own], self.points[1 - own]))
    }
}

/// A round that has been played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Its games in order of boards.
    pub games: Vec<Encounter>,
    /// Who had no opponent, and the half points for that.
    pub byes: Vec<(usize, usize)>,
}

/// A round that is to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Who sits at each board, Red first.
    pub boards: Vec<[usize; 2]>,
    /// Games at each board, with colours changing.
    pub games: usize,
    /// Who has no opponent, and the half points for that.
    pub byes: Vec<(usize, usize)>,
}

impl Plan {
    /// The seats of all games: board, game, Red and Black.
    pub fn seats(&self) -> impl Iterator<Item = (usize, usize, [usize; 2])> + '_ {
        self.boards.iter().enumerate().flat_map(|(board, &seats)| {
            (0..self.games).map(move |game| {
                let [first, second] = seats;
                let is_swapped = game % 2 == 1;
                (
                    board,
                    game,
                    if is_swapped { [second, first] } else { seats },
                )
            })
        })
    }
}

/// The rounds so far of these many players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// How many players entered, numbered by their seeds.
    pub players: usize,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Faults in a row after which a player is withdrawn; 0: never.
    pub patience: usize,
}

impl History {
    /// Nothing played yet.
    pub fn new(players: usize, patience: usize) -> Self {
        Self {
            players,
            rounds: Vec::new(),
            patience,
        }
    }

    /// All games in order.
    pub fn games(&self) -> impl DoubleEndedIterator<Item = &Encounter> {
        self.rounds.iter().flat_map(|round| &round.games)
    }

    /// Half points from games and byes.
    pub fn points(&self, player: usize) -> usize {
        let games = self.games().filter_map(|game| game.view(player));
        let byes = self.rounds.iter().flat_map(|round| &round.byes);
        let bye_points = byes.filter(|&&(who, _)| who == player).map(|bye| bye.1);
        games.map(|(_, points, _)| points).sum::<usize>() + bye_points.sum::<usize>()
    }

    /// Rounds without an opponent.
    pub fn byes(&self, player: usize) -> usize {
        let byes = self.rounds.iter().flat_map(|round| &round.byes);
        byes.filter(|&&(who, _)| who == player).count()
    }

    /// How many rounds brought these two together.
    pub fn meetings(&self, a: usize, b: usize) -> usize {
        let met = |game: &Encounter| game.seats.contains(&a) && game.seats.contains(&b);
        self.rounds
            .iter()
            .filter(|round| round.games.iter().any(met))
            .count()
    }

    /// The colours of a player's games, oldest first.
    pub fn colors(&self, player: usize) -> Vec<Color> {
        let played = self.games().filter(|game| !game.is_forfeit);
        played.filter_map(|game| game.side_of(player)).collect()
    }

    /// Whether a player has failed so often in a row that it plays no more.
    pub fn is_withdrawn(&self, player: usize) -> bool {
        let own = self
            .games()
            .rev()
            .filter(|game| !game.is_forfeit && game.seats.contains(&player));
        let failed = own.take_while(|game| game.failed == Some(player)).count();
        self.patience > 0 && failed >= self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_in_a_row_withdraw_a_player() {
        let mut history = History::new(2, 2);
        let fault = |failed| Encounter {
            failed,
            ..Encounter::played([0, 1], if failed == Some(0) { 0 } else { 2 })
        };
        let mut play = |failed| {
            history.rounds.push(Round {
                games: vec![fault(failed)],
                byes: Vec::new(),
            });
            history.is_withdrawn(0)
        };
        let withdrawn = [Some(0), None, Some(0), Some(0)].map(&mut play);
        assert_eq!(withdrawn, [false, false, false, true]);
        history.patience = 0;
        assert!(!history.is_withdrawn(0));
    }

    #[test]
    fn games_at_a_board_change_colours() {
        let plan = Plan {
            boards: vec![[4, 2]],
            games: 3,
            byes: Vec::new(),
        };
        let seats: Vec<_> = plan.seats().collect();
        assert_eq!(seats, [(0, 0, [4, 2]), (0, 1, [2, 4]), (0, 2, [4, 2])]);
    }
}
