//! What a move text says, apart from how it is written: a man by kind and place,
//! a verb, a number. Both notations translate to and from this.
//!
//! Numbers are seen from the mover: file 1 is at its right hand, a verb's forward
//! is towards the enemy. The number after the verb is a distance for men that
//! move straight (king, rook, cannon, pawn) going forward or back, else a file.

use super::Fault;
use crate::attacks;
use crate::position::{MAX_MEN, Position};
use crate::types::{Bitboard, Color, File, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;

/// The verb: 进, 退 or 平.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Forward,
    Back,
    Sideways,
}

/// Which of several equal men on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// 前: nearest to the enemy.
    Front,
    /// 中: neither front nor rear.
    Middle,
    /// 后: farthest from the enemy.
    Rear,
    /// 一 to 九: counted from the front, over all files with doubled men of the
    /// kind, the mover's right-hand file first.
    Nth(u8),
}

/// Where the man stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On this file.
    File(u8),
    /// One of several on a file, which may be named.
    Tandem { order: Order, file: Option<u8> },
}

/// A move in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) kind: PieceType,
    pub(super) place: Place,
    /// The short form leaves it out.
    pub(super) action: Option<Action>,
    pub(super) target: u8,
}

/// Men of one kind and side, at most.
type Men = ArrayVec<Square, MAX_MEN>;

impl Description {
    /// Describes a move of the side to move. `None` if there are no words for
    /// it: not a move such a man makes, or the tenth or later doubled man.
    pub(super) fn of(position: &Position, mv: Move) -> Option<Self> {
        let piece = position.piece_on(mv.from())?;
        if piece.color != position.side_to_move() {
            return None;
        }
        let (action, target) = route(piece, mv)?;
        Some(Self {
            kind: piece.kind,
            place: place_of(position, piece, mv.from())?,
            action: Some(action),
            target,
        })
    }

    /// The one legal move that fits.
    pub(super) fn resolve(&self, position: &Position) -> Result<Move, Fault> {
        let piece = Piece::new(position.side_to_move(), self.kind);
        let men = self.men(position, piece);
        if men.is_empty() {
            return Err(Fault::NoMan);
        }
        let mut first = None;
        for actions in self.readings() {
            let moves: Vec<Move> = men
                .iter()
                .flat_map(|&from| actions.iter().map(move |&action| (from, action)))
                .filter_map(|(from, action)| {
                    Move::checked(from, destination(piece, from, action, self.target)?)
                })
                .collect();
            if moves.iter().any(|mv| reaches(position, piece, *mv)) {
                return choose(position, moves);
            }
            first = first.or(Some(moves));
        }
        choose(position, first.unwrap_or_default())
    }

    /// The verbs the text can mean, best reading first.
    fn readings(&self) -> &'static [&'static [Action]] {
        use Action::{Back, Forward, Sideways};
        match self.action {
            Some(Forward) => &[&[Forward]],
            Some(Back) => &[&[Back]],
            Some(Sideways) => &[&[Sideways]],
            None if moves_straight(self.kind) => &[&[Sideways], &[Forward, Back]],
            None => &[&[Forward, Back]],
        }
    }

    /// The men that the text can mean.
    fn men(&self, position: &Position, piece: Piece) -> Men {
        let all = position.men(piece.color, piece.kind);
        let on_file = |number: u8| match file_of(piece.color, number) {
            Some(file) => all & Bitboard::file(file),
            None => Bitboard::EMPTY,
        };
        let (order, groups) = match self.place {
            Place::File(number) => return front_first(piece.color, on_file(number)),
            Place::Tandem { order, file: None } => (order, tandems(piece.color, all)),
            Place::Tandem {
                order,
                file: Some(number),
            } => (order, tandems(piece.color, on_file(number))),
        };
        match order {
            Order::Front => groups
                .iter()
                .filter_map(|men| men.first())
                .copied()
                .collect(),
            Order::Rear => groups
                .iter()
                .filter_map(|men| men.last())
                .copied()
                .collect(),
            Order::Middle => groups
                .iter()
                .flat_map(|men| men[1..men.len() - 1].iter())
                .copied()
                .collect(),
            Order::Nth(number) => groups
                .iter()
                .flatten()
                .skip(usize::from(number).wrapping_sub(1))
                .take(1)
                .copied()
                .collect(),
        }
    }
}

/// The only legal one of these moves.
fn choose(position: &Position, moves: Vec<Move>) -> Result<Move, Fault> {
    let legality = position.legality();
    let legal: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| position.is_legal(mv, &legality))
        .collect();
    match (&legal[..], &moves[..]) {
        (&[mv], _) => Ok(mv),
        ([], &[mv]) => Err(Fault::Illegal(Some(mv))),
        ([], _) => Err(Fault::Illegal(None)),
        _ => Err(Fault::Ambiguous(legal)),
    }
}

/// Whether the man moves like that, the safety of its king aside.
fn reaches(position: &Position, piece: Piece, mv: Move) -> bool {
    let targets = attacks::targets(piece, mv.from(), position.occupied());
    (targets - position.men_of(piece.color)).contains(mv.to())
}

/// Whether the kind goes along lines, so that 平 is a verb for it.
fn moves_straight(kind: PieceType) -> bool {
    use PieceType::{Cannon, King, Pawn, Rook};
    matches!(kind, King | Rook | Cannon | Pawn)
}

/// The number of a file, 1 at the right hand of the side.
fn number_of(side: Color, file: File) -> u8 {
    match side {
        Color::Red => 9 - file.index() as u8,
        Color::Black => 1 + file.index() as u8,
    }
}

/// The file with this number, seen from the side.
fn file_of(side: Color, number: u8) -> Option<File> {
    let number = usize::from(number);
    match side {
        Color::Red => File::new(9_usize.checked_sub(number)?),
        Color::Black => File::new(number.checked_sub(1)?),
    }
}

/// Verb and number of a move; `None` if the man never moves like that.
fn route(piece: Piece, mv: Move) -> Option<(Action, u8)> {
    let rank = |square: Square| square.rank().relative_index(piece.color) as i32;
    let ahead = rank(mv.to()) - rank(mv.from());
    let file = number_of(piece.color, mv.to().file());
    let aside = mv.from().file().index().abs_diff(mv.to().file().index());
    let action = match ahead {
        0 => Action::Sideways,
        1.. => Action::Forward,
        _ => Action::Back,
    };
    let steps = ahead.unsigned_abs() as usize;
    if moves_straight(piece.kind) {
        return match (steps, aside) {
            (0, _) => Some((action, file)),
            (_, 0) => Some((action, steps as u8)),
            _ => None,
        };
    }
    (ranks_for(piece.kind, aside)? == steps).then_some((action, file))
}

/// How many ranks a horse, elephant or advisor goes when it goes this many files.
fn ranks_for(kind: PieceType, files: usize) -> Option<usize> {
    match (kind, files) {
        (PieceType::Knight, 1) => Some(2),
        (PieceType::Knight, 2) => Some(1),
        (PieceType::Bishop, 2) => Some(2),
        (PieceType::Advisor, 1) => Some(1),
        _ => None,
    }
}

/// The inverse of [`route`]: where verb and number lead from a square.
fn destination(piece: Piece, from: Square, action: Action, target: u8) -> Option<Square> {
    let sign = match (action, piece.color) {
        (Action::Sideways, _) => 0,
        (Action::Forward, Color::Red) | (Action::Back, Color::Black) => 1,
        (Action::Back, Color::Red) | (Action::Forward, Color::Black) => -1,
    };
    if moves_straight(piece.kind) && action != Action::Sideways {
        return from.offset(0, sign * i32::from(target));
    }
    let aside = file_of(piece.color, target)?.index() as i32 - from.file().index() as i32;
    if moves_straight(piece.kind) {
        return from.offset(aside, 0);
    }
    let ranks = ranks_for(piece.kind, aside.unsigned_abs() as usize)? as i32;
    (sign != 0).then(|| from.offset(aside, sign * ranks))?
}

/// The men in order from the front.
fn front_first(side: Color, men: Bitboard) -> Men {
    let mut men: Men = men.into_iter().collect();
    if side == Color::Red {
        men.reverse();
    }
    men
}

/// The men by file, the mover's right-hand file first, from the front; only
/// files with two or more.
fn tandems(side: Color, men: Bitboard) -> ArrayVec<Men, { File::COUNT }> {
    (1..=File::COUNT as u8)
        .filter_map(|number| file_of(side, number))
        .map(|file| men & Bitboard::file(file))
        .filter(|men| men.has_several())
        .map(|men| front_first(side, men))
        .collect()
}

/// The words for where a man stands. Doubled elephants and advisors never make
/// the same move, so the file is enough for them.
fn place_of(position: &Position, piece: Piece, from: Square) -> Option<Place> {
    use PieceType::{Advisor, Bishop, King};
    let all = position.men(piece.color, piece.kind);
    let is_doubled = (all & Bitboard::file(from.file())).has_several();
    if !is_doubled || matches!(piece.kind, King | Advisor | Bishop) {
        return Some(Place::File(number_of(piece.color, from.file())));
    }
    let groups = tandems(piece.color, all);
    let index = groups.iter().flatten().position(|&man| man == from)?;
    let order = match (groups.len(), groups[0].len(), index) {
        (1, 2 | 3, 0) => Order::Front,
        (1, 3, 1) => Order::Middle,
        (1, 2 | 3, _) => Order::Rear,
        (_, _, 0..9) => Order::Nth(index as u8 + 1),
        _ => return None,
    };
    Some(Place::Tandem { order, file: None })
}
