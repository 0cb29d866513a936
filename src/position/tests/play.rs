//! What is kept incrementally, on games played at random: key and sets, taking
//! moves back, passing, and the two symmetries of the board.

use super::samples::{Line, Sample, lines, played, thrown};
use crate::position::{Level, Position, START_FEN, Setup, perft};
use crate::types::{Color, Move, Square};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn taking_back_restores_every_position(line in lines(200)) {
        check_line(&line);
    }

    #[test]
    fn equal_arrangements_have_equal_keys(line in lines(120)) {
        // The key from the moves, and the key from putting the men one by one.
        let played = line.end();
        let placed = Position::from_fen(&played.to_fen()).unwrap();
        prop_assert_eq!(&placed, &played);
        prop_assert_eq!(placed.key(), played.key());
    }

    #[test]
    fn symmetric_where_games_lead(Sample(position) in played()) {
        check_symmetry(&position);
    }

    #[test]
    fn symmetric_on_thrown_positions(Sample(position) in thrown()) {
        check_symmetry(&position);
    }
}

/// The largest counters a setup can hold, as after tens of thousands of moves:
/// one stops, the other starts anew, and taking back restores both.
#[test]
fn counters_do_not_overflow() {
    let mut setup: Setup = START_FEN.parse().unwrap();
    setup.side = Color::Black;
    (setup.plies_since_capture, setup.move_number) = (u16::MAX, u16::MAX);
    let before = setup.into_position().unwrap();
    let mut position = before.clone();
    let undo = position.make("h9g7".parse().unwrap());
    let counters = (position.plies_since_capture(), position.move_number());
    assert_eq!(counters, (u16::MAX, 0));
    position.unmake(&undo);
    assert_eq!(position, before);
}

fn check_line(line: &Line) {
    let mut made = Vec::new();
    let mut last = line.play(|position, mv| {
        let before = position.clone();
        check_null(position);
        let expected_key = position.key_after(mv);
        let undo = position.make(mv);
        check_made(&before, position, mv);
        assert_eq!(
            position.key(),
            expected_key,
            "key after {mv} in {}",
            before.to_fen()
        );
        assert_eq!(undo.key(), before.key());
        assert_eq!(undo.change.captured, before.piece_on(mv.to()));
        made.push((before, undo));
    });
    for (before, undo) in made.into_iter().rev() {
        last.unmake(&undo);
        assert_eq!(last, before);
    }
    assert_eq!(last, line.start());
}

/// What a move changes and what it leaves, read off the board.
fn check_made(before: &Position, after: &Position, mv: Move) {
    assert_eq!(after.verify(), Ok(()), "{mv} in {}", before.to_fen());
    assert_eq!(after.side_to_move(), !before.side_to_move());
    assert_eq!(after.piece_on(mv.to()), before.piece_on(mv.from()));
    assert_eq!(after.piece_on(mv.from()), None);
    for square in Square::all().filter(|&s| s != mv.from() && s != mv.to()) {
        assert_eq!(after.piece_on(square), before.piece_on(square));
    }
    let quiet_plies = match before.piece_on(mv.to()) {
        None => before.plies_since_capture() + 1,
        Some(_) => 0,
    };
    assert_eq!(after.plies_since_capture(), quiet_plies);
    let full_moves = before.move_number() + before.side_to_move().index() as u16;
    assert_eq!(after.move_number(), full_moves);
}

/// Passing changes the side to move and the key, and passing again undoes it.
fn check_null(position: &Position) {
    if position.in_check() {
        return;
    }
    let mut passed = position.clone();
    passed.make_null();
    assert_eq!(passed.verify(), Ok(()));
    assert_eq!(passed.side_to_move(), !position.side_to_move());
    assert_eq!(passed.plies_since_capture(), position.plies_since_capture());
    assert_ne!(passed.key(), position.key());
    passed.make_null();
    assert_eq!(&passed, position);
}

fn check_symmetry(position: &Position) {
    let flipped = position.flip_sides();
    let mirrored = position.mirror_files();
    assert_eq!(flipped.verify(), Ok(()));
    assert_eq!(mirrored.verify(), Ok(()));
    assert_eq!(&flipped.flip_sides(), position);
    assert_eq!(&mirrored.mirror_files(), position);
    assert_eq!(flipped.mirror_files(), mirrored.flip_sides());
    assert_ne!(flipped.key(), position.key());
    compare_mapped(position, &flipped, Move::flip_rank);
    compare_mapped(position, &mirrored, Move::mirror_file);
}

/// The image has the images of the moves.
fn compare_mapped(position: &Position, image: &Position, map: fn(Move) -> Move) {
    let sorted = |mut moves: Vec<Move>| {
        moves.sort();
        moves
    };
    let expected = sorted(position.legal_moves().into_iter().map(map).collect());
    let moves = sorted(image.legal_moves().to_vec());
    assert_eq!(moves, expected, "{}", position.to_fen());
    for mv in position.legal_moves() {
        assert_eq!(position.gives_check(mv), image.gives_check(map(mv)));
        assert_eq!(map(map(mv)), mv);
    }
    let count = |position: &Position| perft(&mut position.clone(), 2, Level::detect());
    assert_eq!(count(image), count(position), "{}", position.to_fen());
}
