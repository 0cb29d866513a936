//! Tests of reading and writing moves. The 700 moves of real records are in
//! `tests/records.rs`.

use super::*;
use crate::position::Setup;
use crate::types::{Color, Piece, PieceType, Square};
use proptest::prelude::*;

const ALL: [Notation; 5] = [
    Notation::Coordinates,
    Notation::Iccs,
    Notation::Chinese(Script::Simplified),
    Notation::Chinese(Script::Traditional),
    Notation::Wxf,
];

fn read(fen: &str, text: &str) -> Result<String, Fault> {
    Position::from_fen(fen)
        .unwrap()
        .read_move(text)
        .map(|mv| mv.to_string())
        .map_err(|error| error.fault)
}

/// Every text, read in the position, is this move.
fn all_are(fen: &str, mv: &str, texts: &str) {
    for text in texts.split(',') {
        assert_eq!(read(fen, text), Ok(mv.to_owned()), "{text} in {fen}");
    }
}

const START: &str = crate::position::START_FEN;
const BLACK_FIRST: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

#[test]
fn spellings_of_the_central_cannon() {
    all_are(
        START,
        "h2e2",
        "炮二平五,砲二平五,包2平5,炮２平５, 炮 二 平 五 ,炮二　平五,炮25,炮二五,炮2=5,炮２．５,\
         C2.5,C2=5,c2=5,Ｃ２＝５,h2e2,H2E2,H2-E2,h2-e2",
    );
    all_are(
        BLACK_FIRST,
        "h7e7",
        "炮８平５,炮8平5,砲八平五,炮85,C8.5,c8=5",
    );
    all_are(BLACK_FIRST, "h9g7", "马８进７,馬8進7,傌87,马87,H8+7,N8+7");
}

#[test]
fn doubled_men() {
    let two = "4k4/9/4P4/9/2C6/9/2C1P4/9/9/4K4 w";
    all_are(
        two,
        "c5d5",
        "前炮平六,前炮6,C+=6,C+.6,+C.6,+C=6,前炮 平 6,炮前平六,一炮平六,Ca=6",
    );
    all_are(two, "c3d3", "后炮平六,後砲平六,C-=6,-C.6,二炮平六,Cb.6");
    assert!(matches!(read(two, "炮七平六"), Err(Fault::Ambiguous(_))));
    assert_eq!(read(two, "中炮平六"), Err(Fault::NoMan));
    assert_eq!(read(two, "三炮平六"), Err(Fault::NoMan));
    assert_eq!(read(two, "前马进六"), Err(Fault::NoMan));
    // Only one of two can make it, so the file is enough: as in real records.
    let blocked = "3akab2/8c/n3b3c/4p3p/P6n1/1NB4N1/2C1P3P/5C3/4A4/2BAK4 b";
    all_are(blocked, "i7i3", "炮９進４,前炮进４");

    let three = "4k4/9/4P4/4P4/9/4P4/9/9/9/3K5 w";
    all_are(three, "e7d7", "前兵平六,一兵平六,P+=6,Pa=6,15=6,+P.6");
    all_are(three, "e6d6", "中兵平六,二兵平六,P.=6,P==6,.P=6,Pb.6,25=6");
    all_are(three, "e4e5", "后兵进一,三兵进一,P-+1,35+1");
    let start = Position::from_fen(three).unwrap();
    let middle = start.read_move("e6d6").unwrap();
    assert_eq!(
        start.write_move(middle, Notation::Chinese(Script::Simplified)),
        "中兵平六"
    );
    assert_eq!(start.write_move(middle, Notation::Wxf), "P.=6");
}

#[test]
fn pawns_doubled_on_two_files_are_counted_from_the_right() {
    let fen = "3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w";
    all_are(fen, "g7f7", "一兵平四,1兵平四,前三平四,Pa=4,13=4");
    all_are(fen, "g6f6", "二兵平四,后三平四,Pb=4,23=4,P-=4,后兵平四");
    all_are(fen, "c7d7", "三兵平六,前七平六,Pc=6,前兵平六");
    all_are(fen, "c6d6", "四兵平六,后七平六,Pd=6");
    assert!(matches!(read(fen, "前兵进一"), Err(Fault::Ambiguous(moves)) if moves.len() == 2));
    let black = "4k4/9/9/9/9/2p3p2/2p3p2/9/9/3K5 b";
    all_are(black, "c3d3", "一卒平4,１卒平４,前3平4,Pa=4");
    all_are(black, "g4f4", "四卒平６,后７平６,Pd=6");
    let position = Position::from_fen(black).unwrap();
    let mv = position.read_move("g4f4").unwrap();
    assert_eq!(
        position.write_move(mv, Notation::Chinese(Script::Traditional)),
        "四卒平６"
    );
}

#[test]
fn elephants_and_advisors_keep_the_file_form() {
    let fen = "4k4/9/9/9/4p4/2B6/9/3A5/9/2BAK4 w";
    all_are(fen, "c0e2", "相七进五,象七進五,E7+5,B7+5,后相进五");
    all_are(fen, "c4e2", "相七退五,E7-5,前相退五");
    all_are(fen, "d0e1", "仕六进五,士六進五,A6+5,后仕进五");
    all_are(fen, "d2e1", "仕六退五,A6-5");
    assert!(matches!(read(fen, "仕65"), Err(Fault::Ambiguous(_))));
}

#[test]
fn the_short_form_means_sideways_where_that_is_possible() {
    let open = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w";
    all_are(open, "i0h0", "车12,車一二,俥１２");
    all_are(open, "i0i2", "车一进二,车1+2");
    // A pawn cannot go three files aside: only forward is left.
    all_are(START, "g3g4", "兵31,兵三一");
    assert_eq!(
        read(START, "兵三平四"),
        Err(Fault::Illegal(Move::checked(
            "g3".parse().unwrap(),
            "f3".parse().unwrap(),
        )))
    );
}

#[test]
fn what_is_not_a_legal_move_is_said_so() {
    for text in [
        "",
        "炮",
        "炮二",
        "炮二平",
        "炮二平五 马",
        "C2",
        "C2=0",
        "C2=55",
        "胡说八道",
        "平二炮五",
        "e2e2",
        "炮零平五",
        "0000",
        "前前平五",
        "炮二平五六",
    ] {
        assert_eq!(read(START, text), Err(Fault::Unreadable), "{text}");
    }
    for text in ["炮一平五", "前炮平五", "马五进三", "R5+1", "C+=5", "15+1"] {
        assert_eq!(read(START, text), Err(Fault::NoMan), "{text}");
    }
    for (text, mv) in [
        ("炮二进九", None),
        ("炮二平八", Some("h2b2")),
        ("C2+6", Some("h2h8")),
        ("帅五进二", Some("e0e2")),
        ("马二平三", None),
        ("h2h8", Some("h2h8")),
    ] {
        let mv = mv.map(|mv| mv.parse().unwrap());
        assert_eq!(read(START, text), Err(Fault::Illegal(mv)), "{text}");
    }
    // A pinned rook may not leave the file.
    let pinned = "3kr4/9/9/9/9/9/9/4R4/9/4K4 w";
    assert!(matches!(
        read(pinned, "车五平四"),
        Err(Fault::Illegal(Some(_)))
    ));
    let error = Position::start().read_move(&"炮".repeat(1000)).unwrap_err();
    assert!(error.to_string().chars().count() < 100);
}

#[test]
fn moves_next_to_each_other_are_split() {
    let mut rest = "炮二平五马８进７,前车 退一2.炮25马87 x";
    let mut moves = Vec::new();
    while let Some((mv, behind)) = split_chinese_move(rest) {
        moves.push(mv);
        rest = behind.trim_start_matches([',', ' ', '2', '.']);
    }
    assert_eq!(moves, ["炮二平五", "马８进７", "前车 退一", "炮25", "马87"]);
    assert_eq!(rest, "x");
}

/// A composed position: kings and a crowd of men of few kinds, so that doubled
/// men of every kind and number come up.
fn crowd() -> impl Strategy<Value = Position> {
    let man = (0..90usize, 1..7usize, any::<bool>());
    (prop::collection::vec(man, 0..40), any::<bool>(), 0..6u8).prop_filter_map(
        "illegal set-up",
        |(men, red, narrow)| {
            let mut setup = Setup::EMPTY;
            setup.side = if red { Color::Red } else { Color::Black };
            let mut counts = [0; 2];
            for (index, kind, red) in men {
                let color = if red { Color::Red } else { Color::Black };
                let kind = PieceType::ALL[if narrow == 0 { 6 } else { kind }];
                let index = if narrow < 3 {
                    index / 9 * 9 + index % 3 * 3
                } else {
                    index
                };
                if counts[color.index()] < 15 && setup.board[index].is_none() {
                    setup.board[index] = Some(Piece::new(color, kind));
                    counts[color.index()] += 1;
                }
            }
            for square in Square::all() {
                let Some(piece) = setup.board[square.index()] else {
                    continue;
                };
                let points = match piece.kind {
                    PieceType::Advisor => crate::attacks::advisor_points(piece.color),
                    PieceType::Bishop => crate::attacks::bishop_points(piece.color),
                    _ => continue,
                };
                if !points.contains(square) {
                    setup.board[square.index()] = None;
                }
            }
            setup.board[3] = Some(Piece::new(Color::Red, PieceType::King));
            setup.board[86] = Some(Piece::new(Color::Black, PieceType::King));
            setup.into_position().ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn what_is_written_is_read_as_the_same_move(position in crowd()) {
        for mv in position.legal_moves() {
            for notation in ALL {
                let text = position.write_move(mv, notation);
                prop_assert_eq!(position.read_move(&text), Ok(mv), "{} in {}", text, position.to_fen());
            }
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(
        text in "[炮马兵前后中一二五平进退CHRPEA1-9+.=a-i ]{0,6}|\\PC{0,12}",
        position in crowd(),
    ) {
        if let Ok(mv) = position.read_move(&text) {
            prop_assert!(position.is_legal(mv, &position.legality()));
        }
        let _ = split_chinese_move(&text);
    }
}
