//! The list of 32 men that XQF and DhtmlXQ share: sixteen points for Red, then
//! sixteen for Black, in the order of [`KINDS`]. Men of one kind may come in any
//! order. Neither format stores the side to move: it is the colour of the first
//! man that moves.

use super::RecordError;
use crate::position::{Position, Setup};
use crate::types::{Color, Move, Piece, PieceType, Square};
use PieceType::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};

/// The kinds of one side's slots.
const KINDS: [PieceType; 16] = [
    Rook, Knight, Bishop, Advisor, King, Advisor, Bishop, Knight, Rook, Cannon, Cannon, Pawn, Pawn,
    Pawn, Pawn, Pawn,
];

/// Where the men of the slots stand; `None` for a man that is not there.
pub(super) type Slots = [Option<Square>; 32];

/// The position with these men, in which `first` is to be played.
pub(super) fn position(slots: &Slots, first: Option<Move>) -> Result<Position, RecordError> {
    let mut setup = Setup::EMPTY;
    for (index, square) in slots.iter().enumerate() {
        let Some(square) = *square else { continue };
        let color = if index < 16 { Color::Red } else { Color::Black };
        let slot = &mut setup.board[square.index()];
        if slot.is_some() {
            return Err(RecordError::Crowded(square));
        }
        *slot = Some(Piece::new(color, KINDS[index % 16]));
    }
    if let Some(piece) = first.and_then(|mv| setup.board[mv.from().index()]) {
        setup.side = piece.color;
        return Ok(setup.into_position()?);
    }
    // No move to tell: Red, unless only Black can be to move.
    let other = Setup {
        side: Color::Black,
        ..setup.clone()
    };
    let position = setup.into_position();
    Ok(position.or_else(|error| other.into_position().map_err(|_| error))?)
}

/// The slots of a position, men of one kind from left to right.
///
/// # Errors
/// If a side has more men of a kind than there are slots.
pub(super) fn of(position: &Position, format: &'static str) -> Result<Slots, RecordError> {
    let mut slots = [None; 32];
    for side in Color::ALL {
        let offset = 16 * side.index();
        for kind in PieceType::ALL {
            let mut men: Vec<Square> = position.men(side, kind).into_iter().collect();
            men.sort_by_key(|square| (square.file(), square.rank()));
            let mut free = (0..16).filter(|&slot| KINDS[slot] == kind);
            for square in men {
                let slot = free.next().ok_or_else(|| RecordError::NotStorable {
                    format,
                    problem: format!("{side} has too many men of the kind {kind:?}"),
                })?;
                slots[offset + slot] = Some(square);
            }
        }
    }
    Ok(slots)
}

/// Refuses what would be read back with the other side to move: a start position
/// with Black to move and no move behind it.
pub(super) fn check_side(
    position: &Position,
    slots: &Slots,
    first: Option<Move>,
    format: &'static str,
) -> Result<(), RecordError> {
    let read_back = self::position(slots, first)?;
    if read_back.side_to_move() == position.side_to_move() {
        return Ok(());
    }
    let problem = "Black is to move and no move shows it".to_owned();
    Err(RecordError::NotStorable { format, problem })
}
