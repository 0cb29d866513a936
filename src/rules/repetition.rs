//! Finding the cycle that the last ply closed.

use super::Game;

/// A stretch of the game's line between two occurrences of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cycle {
    /// How many plies it has; even.
    pub(super) length: usize,
    /// How often the position has occurred before, as far as it was looked for.
    pub(super) occurrences: usize,
}

/// The shortest cycle that ends at the current position, and whether the
/// position has occurred before that, too. The line reaches back to the last
/// capture or null move.
pub(super) fn find(game: &Game) -> Option<Cycle> {
    let plies = game.plies();
    let key = game.position().key();
    let mut cycle = None::<Cycle>;
    for (index, ply) in plies.iter().enumerate().rev() {
        let reversible = ply.undo.is_some_and(|undo| undo.change.captured.is_none());
        if !reversible {
            break;
        }
        let distance = plies.len() - index;
        if distance.is_multiple_of(2) && ply.key == key {
            match &mut cycle {
                None => {
                    cycle = Some(Cycle {
                        length: distance,
                        occurrences: 1,
                    });
                }
                Some(cycle) => cycle.occurrences += 1,
            }
        }
    }
    cycle
}

/// For the side to move and for its opponent: whether each of its plies in the
/// cycle gave check.
pub(super) fn checks_always(game: &Game, cycle: Cycle) -> [bool; 2] {
    let plies = game.plies();
    let mut always = [true; 2];
    // The ply at distance d from here led to the position that the next ply
    // starts from: whether that is a check is noted there.
    for distance in 1..=cycle.length {
        let in_check = if distance == 1 {
            game.in_check()
        } else {
            plies[plies.len() - distance + 1].legality.in_check()
        };
        always[distance % 2] &= in_check;
    }
    always
}
