//! Games played at random through the public interface: taking back restores
//! everything, and what a game carries along equals what is computed afresh.

use chuhe::position::Position;
use chuhe::rules::{Game, GameError};
use chuhe::types::Move;
use proptest::prelude::*;

#[path = "cases/mod.rs"]
mod cases;

/// A ply: a pass where it is allowed and the number says so, else a legal move.
fn play(game: &mut Game, pick: u16) -> bool {
    let moves = game.position().legal_moves();
    if pick.is_multiple_of(8) && !game.in_check() {
        game.make_null();
        assert_eq!(game.last_change(), None);
        return true;
    }
    let Some(&mv) = moves.get(usize::from(pick) % moves.len().max(1)) else {
        return false;
    };
    let (moved, captured) = (
        game.position().piece_on(mv.from()),
        game.position().piece_on(mv.to()),
    );
    let change = game.make(mv);
    assert_eq!((change.from, change.to), (mv.from(), mv.to()));
    assert_eq!((Some(change.piece), change.captured), (moved, captured));
    assert_eq!(game.last_change(), Some(&change));
    true
}

fn check(game: &Game, plies: usize) {
    assert_eq!(game.ply_count(), plies);
    assert_eq!(*game.legality(), game.position().legality());
    assert_eq!(game.in_check(), game.position().in_check());
    assert_eq!(game.position().verify(), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn taking_back_restores_every_position(
        start in prop::sample::select(cases::all()),
        picks in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let mut game = Game::new(Position::from_fen(start.fen).unwrap());
        let mut before: Vec<Position> = Vec::new();
        for pick in picks {
            let position = game.position().clone();
            if !play(&mut game, pick) {
                break;
            }
            before.push(position);
            check(&game, before.len());
        }
        while let Some(position) = before.pop() {
            game.unmake();
            prop_assert_eq!(game.position(), &position);
            check(&game, before.len());
        }
        prop_assert_eq!(game.last_change(), None);
    }
}

#[test]
fn a_list_of_moves_is_played_up_to_the_first_illegal_one() {
    let moves =
        |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
    let mut game = Game::new(Position::start());
    assert_eq!(game.play(moves("h2e2 h9g7 h0g2")), Ok(()));
    assert_eq!(game.ply_count(), 3);
    // The cannon on e2 has left h2.
    let error = game.play(moves("i9h9 h2h4 a9a8")).unwrap_err();
    let mv = "h2h4".parse().unwrap();
    assert_eq!(error, GameError { mv, number: 2 });
    assert_eq!(error.to_string(), "move 2 (h2h4) is not legal");
    assert_eq!(game.ply_count(), 4);
}
