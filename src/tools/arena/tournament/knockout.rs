//! Knockout: the bracket, and how far everybody has come in it.

use super::history::{Plan, Round};

/// How a knockout is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cup {
    /// Games of an encounter.
    pub(super) games: usize,
    /// How often two more games are played after a tie. Then the better seed goes
    /// on.
    pub(super) replays: usize,
}

/// Where a knockout stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CupState {
    /// What is to be played next; `None` after the final.
    pub(super) plan: Option<Plan>,
    /// For each of the field, how many stages it has survived.
    pub(super) survived: Vec<usize>,
}

/// Follows a knockout through the rounds played so far. The field is in order of
/// seeds.
pub(super) fn follow(cup: Cup, field: &[usize], rounds: &[Round]) -> CupState {
    let mut rounds = rounds.iter();
    let mut survived = vec![0; field.len()];
    let mut alive: Vec<Option<usize>> = bracket(field.len());
    while alive.len() > 1 {
        let ties: Vec<[usize; 2]> = alive
            .chunks(2)
            .filter_map(|pair| Some([pair[0]?, pair[1]?]))
            .collect();
        let mut scores = vec![0i32; field.len()];
        let mut open = ties.clone();
        for replay in 0..=cup.replays {
            if open.is_empty() {
                break;
            }
            let Some(round) = rounds.next() else {
                let plan = Some(Plan {
                    boards: open.iter().map(|tie| tie.map(|seed| field[seed])).collect(),
                    games: if replay == 0 { cup.games } else { 2 },
                    byes: Vec::new(),
                });
                return CupState { plan, survived };
            };
            for game in &round.games {
                for (seat, points) in game.seats.into_iter().zip(game.points) {
                    if let Some(seed) = field.iter().position(|&player| player == seat) {
                        scores[seed] += points as i32;
                    }
                }
            }
            open.retain(|&[a, b]| scores[a] == scores[b]);
        }
        alive = alive
            .chunks(2)
            .map(|pair| {
                let winner = match (pair[0], pair[1]) {
                    (Some(a), Some(b)) if scores[b] > scores[a] => b,
                    (Some(a), Some(b)) if scores[b] == scores[a] => a.min(b),
                    (Some(a), _) => a,
                    (None, b) => b?,
                };
                survived[winner] += 1;
                Some(winner)
            })
            .collect();
    }
    CupState {
        plan: None,
        survived,
    }
}

/// The seeds in the order of the bracket: the first two can meet in the final only,
/// the first four from the semi-finals on. Free places fall to the best seeds.
fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut seeds = vec![0];
    while seeds.len() < players {
        let last = 2 * seeds.len() - 1;
        seeds = seeds
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    seeds
        .into_iter()
        .map(|seed| (seed < players).then_some(seed))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::history::Encounter;
    use super::*;

    const CUP: Cup = Cup {
        games: 1,
        replays: 1,
    };

    fn play(plan: &Plan, result: impl Fn([usize; 2]) -> usize) -> Round {
        let games = plan.seats().map(|(_, _, seats)| seats);
        Round {
            games: games
                .map(|seats| Encounter::played(seats, result(seats)))
                .collect(),
            byes: Vec::new(),
        }
    }

    #[test]
    fn the_bracket_keeps_the_best_apart() {
        let numbers = |players| -> Vec<_> { bracket(players) };
        assert_eq!(numbers(4), [Some(0), Some(3), Some(1), Some(2)]);
        assert_eq!(numbers(3), [Some(0), None, Some(1), Some(2)]);
        let eight: Vec<usize> = numbers(8).into_iter().flatten().collect();
        assert_eq!(eight, [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn the_better_seed_wins_everything_for_every_size() {
        for players in 2..=64 {
            let field: Vec<usize> = (100..100 + players).collect();
            let mut rounds = Vec::new();
            let end = loop {
                let state = follow(CUP, &field, &rounds);
                let Some(plan) = state.plan else {
                    break state.survived;
                };
                rounds.push(play(&plan, |[red, black]| if red < black { 2 } else { 0 }));
            };
            assert_eq!(rounds.len(), players.next_power_of_two().ilog2() as usize);
            assert_eq!(end[0], rounds.len());
            assert_eq!(end[1], rounds.len() - 1);
            let games: usize = rounds.iter().map(|round| round.games.len()).sum();
            assert_eq!(games, players - 1);
        }
    }

    #[test]
    fn ties_are_replayed_and_then_the_seed_decides() {
        let field = [0, 1, 2, 3];
        let first = follow(CUP, &field, &[]).plan.unwrap();
        assert_eq!((&first.boards[..], first.games), (&[[0, 3], [1, 2]][..], 1));
        // 0 and 3 draw, 2 beats 1.
        let rounds = vec![play(&first, |[red, _]| if red == 0 { 1 } else { 0 })];
        let replay = follow(CUP, &field, &rounds).plan.unwrap();
        assert_eq!((&replay.boards[..], replay.games), (&[[0, 3]][..], 2));
        let rounds = vec![rounds[0].clone(), play(&replay, |_| 1)];
        let last = follow(CUP, &field, &rounds);
        assert_eq!(last.plan.unwrap().boards, [[0, 2]]);
        assert_eq!(last.survived, [1, 0, 1, 0]);
    }
}
