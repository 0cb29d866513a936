//! FEN: round trips, the dialects of other programs, every error.

use super::samples::{Sample, cases, played, thrown};
use crate::position::{MAX_MEN, Position, START_FEN, Setup, SetupError};
use crate::types::{Color, Piece, PieceType, Square};
use proptest::prelude::*;

fn read(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("'{fen}': {error}"))
}

fn board_of_start() -> &'static str {
    START_FEN.split_once(' ').unwrap().0
}

#[test]
fn the_start_round_trips() {
    let start = Position::start();
    assert_eq!(start.to_fen(), START_FEN);
    assert_eq!(start.side_to_move(), Color::Red);
    assert_eq!(start.occupied().len(), 32);
    let e0: Square = "e0".parse().unwrap();
    assert_eq!(
        start.piece_on(e0),
        Some(Piece::new(Color::Red, PieceType::King))
    );
}

/// All forms of one position give the same position.
#[test]
fn men_and_sides_in_every_dialect() {
    let start = Position::start();
    for board in [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        // Horse and elephant by their English letters, alone and mixed.
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR",
        "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKAENR",
        // King and advisor of some old tools.
        "rnbmgmbnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBSGSBNR",
        // Empty points in several digits, also zero ones.
        "rnbakabnr/54/1c5c1/p1p1p1p1p/111111111/9/P1P1P1P1P/1C5C1/36/RNBAKABNR",
        "rnbakabnr/9/1c23c1/p1p1p1p1p/0900/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        // A slash too many.
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR/",
    ] {
        assert_eq!(read(board), start, "{board}");
        for red in ["w", "W", "r", "R", "-", "--"] {
            assert_eq!(read(&format!("{board} {red}")), start, "{board} {red}");
            assert_eq!(read(&format!("  {board}\t{red} - - 0 1\r\n")), start);
        }
        for black in ["b", "B"] {
            let position = read(&format!("{board} {black}"));
            assert_eq!(position.side_to_move(), Color::Black);
            assert_eq!(position.occupied(), start.occupied());
        }
    }
}

/// What follows the side to move, and the two counters read from it.
#[test]
fn counters_in_every_dialect() {
    for (tail, plies, number) in [
        ("", 0, 1),
        ("w", 0, 1),
        ("w -", 0, 1),
        ("w - -", 0, 1),
        ("w --", 0, 1),
        ("w - - 7", 7, 1),
        ("w - - 7 30", 7, 30),
        ("w -- 7 30", 7, 30),
        ("w 7 30", 7, 30),
        ("w - - 0 0", 0, 1),
        // No numbers: each counter has its default.
        ("w - - x y", 0, 1),
        ("w - - -3 -4", 0, 1),
        ("w - - 7 ?", 7, 1),
        ("w - - 7.5 1e3", 0, 1),
        // Absurd numbers are cut, or ignored where no machine word holds them.
        ("w - - 10000 65536", 9_999, 9_999),
        ("w - - 99999999999999999999 99999999999999999999", 0, 1),
        // A remark behind the counters, and the counters once more.
        ("w - - 7 30 - - 0 1", 7, 30),
        ("w - - 7 30 ;C30.\u{fffd}\u{fffd} - - 0 1", 7, 30),
        ("w - - 0 1 ;中炮对屏风马 - - 5 9", 0, 1),
        ("w - - 7 30;C30 - - 0 1", 7, 1),
        ("r - - 7 30 moves h2e2", 7, 30),
    ] {
        let fen = format!("{} {tail}", board_of_start());
        let position = read(&fen);
        let counters = (position.plies_since_capture(), position.move_number());
        assert_eq!(counters, (plies, number), "'{fen}'");
        assert_eq!(position.side_to_move(), Color::Red);
    }
}

/// Positions that never occur in play but do in compositions.
#[test]
fn unusual_but_legal() {
    for fen in [
        "4k4/9/9/9/9/9/9/9/9/3K5 w",
        "3k5/9/9/9/9/9/9/NNNNN4/PPPPPPPPP/3NK4 w",
        "NNN1k1NNN/9/9/9/9/nnnnnnnnn/9/9/9/5K3 b",
        "PP1k5/9/9/9/9/9/9/9/9/4K2pp w",
    ] {
        let position = read(fen);
        assert_eq!(position.verify(), Ok(()), "{fen}");
        assert_eq!(position.to_fen(), format!("{fen} - - 0 1"));
    }
}

#[track_caller]
fn assert_error(fen: &str, error: SetupError, message: &str) {
    assert_eq!(error.to_string(), message);
    assert_eq!(Position::from_fen(fen), Err(error), "'{fen}'");
}

#[test]
fn faults_of_the_text() {
    assert_error("", SetupError::Empty, "the FEN is empty");
    assert_error(" \t\r\n", SetupError::Empty, "the FEN is empty");
    let ranks = |fen, count| {
        let message = format!("the board has {count} ranks, not 10");
        assert_error(fen, SetupError::RankCount(count), &message);
    };
    ranks("startpos", 1);
    ranks(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        8,
    );
    ranks("4k4/9/9/9/9/9/9/9/9/9/3K5 w", 11);
    ranks("/", 1);
    ranks("4k4/9/9/9/9/9/9/9/3K5/", 9);
}

#[test]
fn faults_of_a_rank() {
    for (rank, width) in [
        ("", 0),
        ("8", 8),
        ("55", 10),
        ("9R", 10),
        ("RRRRRRRRRR", 10),
    ] {
        let error = SetupError::RankWidth {
            text: rank.to_owned(),
            width,
        };
        let message = format!("rank '{rank}' is {width} points wide, not 9");
        assert_error(&format!("4k4/9/9/{rank}/9/9/9/9/9/3K5 w"), error, &message);
    }
    for letter in ['x', 'Q', '?', '炮', '½'] {
        let fen = format!("4k4/9/9/4{letter}4/9/9/9/9/9/3K5 w");
        let message = format!("'{letter}' is not a man");
        assert_error(&fen, SetupError::UnknownLetter(letter), &message);
    }
    for side in ["x", "red", "wb", "0"] {
        let fen = format!("{} {side} - - 0 1", board_of_start());
        let message = format!("'{side}' is not a side to move (w or b)");
        assert_error(&fen, SetupError::UnknownSide(side.to_owned()), &message);
    }
}

#[test]
fn faults_of_the_kings() {
    use Color::{Black, Red};
    let none = "9/9/9/9/9/9/9/9/9/4K4 w";
    assert_error(none, SetupError::NoKing(Black), "Black has no king");
    let none = "4k4/9/9/9/9/9/9/9/9/9 w";
    assert_error(none, SetupError::NoKing(Red), "Red has no king");
    let two = "4k4/9/9/9/9/9/9/9/9/3K1K3 w";
    assert_error(
        two,
        SetupError::SeveralKings(Red),
        "Red has more than one king",
    );
    let two = "3kk4/9/9/9/9/9/9/9/9/5K3 w";
    assert_error(
        two,
        SetupError::SeveralKings(Black),
        "Black has more than one king",
    );
    // Check not answered by a rook, a cannon, a horse, a pawn; kings facing.
    for (fen, side) in [
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", Red),
        ("4k4/9/4p4/9/4C4/9/9/9/9/3K5 w", Red),
        ("4k4/9/3N5/9/9/9/9/9/9/3K5 w", Red),
        ("4k4/9/9/9/9/9/9/9/9/3Kp4 b", Black),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", Red),
        ("4k4/9/9/9/9/9/9/9/9/4K4 b", Black),
    ] {
        let message = format!(
            "{side} is to move and could take the king (check not answered, or kings facing)"
        );
        assert_error(fen, SetupError::KingCapturable(side), &message);
    }
}

#[test]
fn men_out_of_place_or_too_many() {
    for (fen, letter, square, name) in [
        ("4k4/9/9/9/9/9/9/9/9/2K6 w", 'K', "c0", "Red King"),
        ("9/9/9/4k4/9/9/9/9/9/4K4 w", 'k', "e6", "Black King"),
        ("4k4/9/9/9/9/9/9/9/9/3KA4 w", 'A', "e0", "Red Advisor"),
        ("4k4/3a5/9/9/9/9/9/9/9/3K5 w", 'a', "d8", "Black Advisor"),
        ("4k4/9/9/9/9/2b6/9/9/9/3K5 w", 'b', "c4", "Black Bishop"),
        ("4k4/9/9/9/9/9/9/9/9/B2K5 w", 'B', "a0", "Red Bishop"),
    ] {
        let error = SetupError::Unreachable {
            piece: Piece::from_letter(letter).unwrap(),
            square: square.parse().unwrap(),
        };
        assert_error(fen, error, &format!("a {name} cannot stand on {square}"));
    }
    let full = "4k4/9/9/9/9/9/9/9/PPPPPPPPP/PPP1KPP2 w";
    assert_error(
        &full.replace("4k4", "3rk4").replace("PPP1KPP2", "PPPPKPP1P"),
        SetupError::TooManyMen(Color::Red, MAX_MEN + 1),
        "Red has 17 men, more than 16",
    );
    assert_eq!(
        read(&full.replace("PPP1KPP2", "PPP1KPPP1"))
            .occupied()
            .len(),
        17
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn positions_of_games_round_trip(Sample(position) in played()) {
        let fen = position.to_fen();
        prop_assert_eq!(Position::from_fen(&fen), Ok(position));
    }

    #[test]
    fn thrown_positions_round_trip(Sample(position) in thrown()) {
        let fen = position.to_fen();
        prop_assert_eq!(Position::from_fen(&fen), Ok(position));
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_text_of_fen_letters_never_panics(text in "[rnbakcpRNBAKCP0-9/ wb-]{0,120}") {
        survive(&text);
    }
}

/// One change to a text: what, where, and the character for it.
fn edits() -> impl Strategy<Value = Vec<(u8, u16, char)>> {
    let letters: Vec<char> = "rnbakcpRNBAKCP0123456789/ wb-x炮".chars().collect();
    let letter = prop_oneof![4 => prop::sample::select(letters), 1 => any::<char>()];
    prop::collection::vec((0..4_u8, any::<u16>(), letter), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn damaged_fens_never_panic(index in any::<prop::sample::Index>(), edits in edits()) {
        let cases = cases::all();
        let fen = index.get(&cases).fen;
        let mut text: Vec<char> = format!("{fen} - - 3 17").chars().collect();
        for (what, at, letter) in edits {
            let at = at as usize % text.len().max(1);
            match what {
                0 => text.insert(at, letter),
                1 if !text.is_empty() => text[at] = letter,
                2 if !text.is_empty() => text.swap(at, 0),
                _ => text.truncate(at.max(text.len().saturating_sub(9))),
            }
        }
        survive(&text.into_iter().collect::<String>());
    }
}

/// Whatever is accepted is a position that works; a refusal can be printed.
fn survive(text: &str) {
    match text.parse::<Setup>().and_then(Setup::into_position) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(position) => {
            assert_eq!(position.verify(), Ok(()), "'{text}'");
            let again = Position::from_fen(&position.to_fen());
            assert_eq!(again.as_ref(), Ok(&position), "'{text}'");
            for mv in position.legal_moves() {
                position.clone().make(mv);
            }
        }
    }
}
