//! Positions to test on, as proptest strategies that shrink well: a game
//! becomes shorter, a thrown position loses men.

use crate::attacks;
use crate::position::{MAX_MEN, Position, Setup};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};
use proptest::prelude::*;
use std::fmt;

#[path = "../../../tests/cases/mod.rs"]
pub(super) mod cases;

/// A game played at random from a position of the data files.
#[derive(Clone, Debug)]
pub(super) struct Line {
    start: &'static str,
    picks: Vec<u16>,
}

/// Random games of up to this many plies.
pub(super) fn lines(plies: usize) -> impl Strategy<Value = Line> {
    let starts: Vec<&'static str> = cases::all().iter().map(|case| case.fen).collect();
    let picks = prop::collection::vec(any::<u16>(), 0..=plies);
    (prop::sample::select(starts), picks).prop_map(|(start, picks)| Line { start, picks })
}

impl Line {
    pub(super) fn start(&self) -> Position {
        Position::from_fen(self.start).expect("the data files have legal positions")
    }

    /// Plays the game: `step` sees each position with the move to play, makes
    /// it, and the game ends where there is none.
    pub(super) fn play(&self, mut step: impl FnMut(&mut Position, Move)) -> Position {
        let mut position = self.start();
        for &pick in &self.picks {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            step(&mut position, moves[pick as usize % moves.len()]);
        }
        position
    }

    /// The position where it ends.
    pub(super) fn end(&self) -> Position {
        self.play(|position, mv| {
            position.make(mv);
        })
    }
}

/// A position that a failing test shows as FEN.
pub(super) struct Sample(pub(super) Position);

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_fen())
    }
}

/// Where games played at random lead to.
pub(super) fn played() -> impl Strategy<Value = Sample> {
    lines(120).prop_map(|line| Sample(line.end()))
}

/// A man to throw: which, and where among the points open to it.
#[derive(Clone, Debug)]
struct Throw {
    piece: Piece,
    pick: u16,
    /// Only points on the lines and at the horse's distance of this king.
    near: Option<Color>,
}

fn color() -> impl Strategy<Value = Color> {
    prop::sample::select(&Color::ALL[..])
}

fn throw() -> impl Strategy<Value = Throw> {
    let kind = prop::sample::select(&PieceType::ALL[1..]);
    let near = prop::option::of(color());
    (color(), kind, any::<u16>(), near).prop_map(|(color, kind, pick, near)| Throw {
        piece: Piece::new(color, kind),
        pick,
        near,
    })
}

/// Positions that no game reaches: any number of men of any kind, pawns
/// anywhere, up to 16 men a side, half of them where they bear on a king.
pub(super) fn thrown() -> impl Strategy<Value = Sample> {
    let palace = || 0..9_usize;
    let throws = prop::collection::vec(throw(), 0..=2 * (MAX_MEN - 1));
    (palace(), palace(), color(), throws).prop_filter_map(
        "the kings face each other",
        |(red, black, side, throws)| {
            let kings = [
                nth(attacks::palace(Color::Red), red),
                nth(attacks::palace(Color::Black), black),
            ];
            let mut setup = Setup {
                side,
                ..Setup::EMPTY
            };
            for color in Color::ALL {
                let king = Piece::new(color, PieceType::King);
                setup.board[kings[color.index()].index()] = Some(king);
            }
            for man in &throws {
                throw_on(&mut setup, kings, man);
            }
            clear_attackers(setup, kings[(!side).index()]).map(Sample)
        },
    )
}

fn nth(set: Bitboard, index: usize) -> Square {
    set.into_iter().nth(index).expect("there are that many")
}

fn throw_on(setup: &mut Setup, kings: [Square; 2], man: &Throw) {
    let points = match man.piece.kind {
        PieceType::Advisor => attacks::advisor_points(man.piece.color),
        PieceType::Bishop => attacks::bishop_points(man.piece.color),
        _ => Bitboard::ALL,
    };
    let near = man.near.map_or(Bitboard::ALL, |side| {
        let king = kings[side.index()];
        attacks::cross(king)
            | attacks::knight(king, Bitboard::EMPTY)
            | attacks::diagonal_neighbours(king)
    });
    let open: Vec<Square> = (points & near)
        .into_iter()
        .filter(|square| setup.board[square.index()].is_none())
        .collect();
    let own = |found: &&Option<Piece>| found.is_some_and(|p| p.color == man.piece.color);
    if !open.is_empty() && setup.board.iter().filter(own).count() < MAX_MEN {
        let square = open[man.pick as usize % open.len()];
        setup.board[square.index()] = Some(man.piece);
    }
}

/// Takes men off the board until the king of the side that is not to move is
/// safe; `None` if it is the other king that attacks it.
fn clear_attackers(mut setup: Setup, king: Square) -> Option<Position> {
    loop {
        if let Ok(position) = setup.clone().into_position() {
            return Some(position);
        }
        let board = super::reference::Board::of_setup(&setup);
        let attacker = board.attackers(king, setup.side).first()?;
        setup.board[attacker.index()] = None;
    }
}
