//! Schedules that are known in advance: round robin and gauntlet.

use super::history::Plan;

/// How many rounds a single round robin has.
pub(super) const fn round_robin_rounds(players: usize) -> usize {
    match players {
        0 | 1 => 0,
        count if count % 2 == 0 => count - 1,
        count => count,
    }
}

/// A round of a round robin, by the Berger tables. With an odd number of players
/// one has nothing to do. Colours are even, or differ by one game.
///
/// With `n` players (a missing one added if `n` is odd) numbered from 1, those meet
/// in round `k` whose numbers add up to `k + 1` modulo `n - 1`; the one left over
/// meets `n`. If the sum is odd the smaller number has Red, else the larger one;
/// `n` has Black against the lower half.
pub(super) fn round_robin(players: usize, round: usize) -> (Vec<[usize; 2]>, Option<usize>) {
    let even = players + players % 2;
    let modulus = even - 1;
    let mut boards = Vec::new();
    let mut idle = None;
    for a in 1..even {
        let b = (2 * modulus + round + 2 - a) % modulus;
        let b = if b == 0 { modulus } else { b };
        match b {
            _ if a == b && even > players => idle = Some(a - 1),
            _ if a == b && a <= even / 2 => boards.insert(0, [a - 1, even - 1]),
            _ if a == b => boards.insert(0, [even - 1, a - 1]),
            _ if a > b => {}
            _ if (a + b) % 2 == 1 => boards.push([a - 1, b - 1]),
            _ => boards.push([b - 1, a - 1]),
        }
    }
    (boards, idle)
}

/// A cycle of a gauntlet: each of the first players meets each of the others.
pub(super) fn gauntlet(players: usize, challengers: usize, cycle: usize) -> Plan {
    let mut boards = Vec::new();
    for other in challengers..players {
        for challenger in 0..challengers {
            let is_red = (challenger + other + cycle).is_multiple_of(2);
            boards.push(if is_red {
                [challenger, other]
            } else {
                [other, challenger]
            });
        }
    }
    Plan {
        boards,
        ..Plan::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published Berger table for seven or eight players, 1 for the first
    /// player.
    const EIGHT: [[[usize; 2]; 4]; 7] = [
        [[1, 8], [2, 7], [3, 6], [4, 5]],
        [[8, 5], [6, 4], [7, 3], [1, 2]],
        [[2, 8], [3, 1], [4, 7], [5, 6]],
        [[8, 6], [7, 5], [1, 4], [2, 3]],
        [[3, 8], [4, 2], [5, 1], [6, 7]],
        [[8, 7], [1, 6], [2, 5], [3, 4]],
        [[4, 8], [5, 3], [6, 2], [7, 1]],
    ];

    fn sorted(mut boards: Vec<[usize; 2]>) -> Vec<[usize; 2]> {
        boards.sort_unstable();
        boards
    }

    #[test]
    fn eight_players_meet_as_published() {
        for (round, expected) in EIGHT.iter().enumerate() {
            let (boards, idle) = round_robin(8, round);
            assert_eq!(boards[0], expected[0].map(|number| number - 1));
            let expected = expected.map(|board| board.map(|number| number - 1));
            assert_eq!(sorted(boards), sorted(expected.to_vec()), "round {round}");
            assert_eq!(idle, None);
        }
    }

    #[test]
    fn everybody_meets_everybody_once_with_even_colours() {
        for players in 2..=64 {
            let mut meetings = vec![0; players * players];
            let mut reds = vec![0i32; players];
            for round in 0..round_robin_rounds(players) {
                let (boards, idle) = round_robin(players, round);
                let mut seen: Vec<usize> = boards.iter().flatten().copied().chain(idle).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..players).collect::<Vec<_>>(), "{players}");
                for [red, black] in boards {
                    meetings[red.min(black) * players + red.max(black)] += 1;
                    reds[red] += 1;
                    reds[black] -= 1;
                }
            }
            for a in 0..players {
                assert!((a + 1..players).all(|b| meetings[a * players + b] == 1));
            }
            let allowed = i32::from(players % 2 == 0);
            assert!(reds.iter().all(|diff| diff.abs() <= allowed), "{reds:?}");
        }
    }

    #[test]
    fn a_gauntlet_is_one_against_all() {
        let boards = [0, 1].map(|cycle| gauntlet(4, 1, cycle).boards);
        assert_eq!(boards[0], [[1, 0], [0, 2], [3, 0]]);
        assert_eq!(boards[1], [[0, 1], [2, 0], [0, 3]]);
        assert_eq!(gauntlet(5, 2, 0).boards.len(), 6);
    }
}
