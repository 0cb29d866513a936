//! Slow, obvious versions of every attack function, square by square.
//!
//! They fill the small tables of the fast versions at compile time and are the
//! yardstick in the tests of all of them. Written from the rules (`Square::offset` knows the
//! edge of the board), without a look at the fast ones.

use crate::types::{Bitboard, Color, Square};

/// The four straight steps: right, left, up, down (files, ranks).
pub const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// The four diagonal steps.
pub const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

const fn has(set: Bitboard, square: Square) -> bool {
    set.bits() >> square.index() & 1 != 0
}

const fn with(set: Bitboard, square: Square) -> Bitboard {
    Bitboard::from_bits(set.bits() | 1 << square.index())
}

const fn in_palace(square: Square, side: Color) -> bool {
    let file = square.file().index();
    file >= 3 && file <= 5 && square.rank().relative_index(side) <= 2
}

/// Whether the square lies in either palace.
pub const fn in_any_palace(square: Square) -> bool {
    in_palace(square, Color::Red) || in_palace(square, Color::Black)
}

const fn same_half(a: Square, b: Square) -> bool {
    (a.rank().index() < 5) == (b.rank().index() < 5)
}

/// Straight lines to the first man of either side, which is included.
pub const fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    slide(from, occupied, false)
}

/// Straight lines up to the first man, which is the screen and left out, and
/// the second man beyond it.
pub const fn cannon(from: Square, occupied: Bitboard) -> Bitboard {
    slide(from, occupied, true)
}

const fn slide(from: Square, occupied: Bitboard, jumps: bool) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = STRAIGHT[direction];
        let mut screens = 0;
        let mut next = from.offset(files, ranks);
        while let Some(square) = next {
            let is_occupied = has(occupied, square);
            if jumps {
                if screens == 0 && !is_occupied || screens == 1 && is_occupied {
                    set = with(set, square);
                }
                screens += is_occupied as u32;
                if screens == 2 {
                    break;
                }
            } else {
                set = with(set, square);
                if is_occupied {
                    break;
                }
            }
            next = square.offset(files, ranks);
        }
        direction += 1;
    }
    set
}

/// One straight step, then one diagonal step outward; blocked at the leg.
pub const fn knight(from: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = STRAIGHT[direction];
        if let Some(leg) = from.offset(files, ranks)
            && !has(occupied, leg)
        {
            let mut side = -1;
            while side <= 1 {
                let to = if files != 0 {
                    from.offset(2 * files, side)
                } else {
                    from.offset(side, 2 * ranks)
                };
                if let Some(to) = to {
                    set = with(set, to);
                }
                side += 2;
            }
        }
        direction += 1;
    }
    set
}

/// The squares from which a horse attacks `to`.
pub const fn knight_attackers(to: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while let Some(from) = Square::from_index(index) {
        if has(knight(from, occupied), to) {
            set = with(set, from);
        }
        index += 1;
    }
    set
}

/// Two diagonal steps on the own side of the river; blocked at the eye.
pub const fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = DIAGONAL[direction];
        if let Some(eye) = from.offset(files, ranks)
            && let Some(to) = eye.offset(files, ranks)
            && !has(occupied, eye)
            && same_half(from, to)
        {
            set = with(set, to);
        }
        direction += 1;
    }
    set
}

/// One diagonal step inside the palace, from a palace square.
pub const fn advisor(from: Square) -> Bitboard {
    palace_steps(from, &DIAGONAL)
}

/// One straight step inside the palace, from a palace square.
pub const fn king(from: Square) -> Bitboard {
    palace_steps(from, &STRAIGHT)
}

const fn palace_steps(from: Square, steps: &[(i32, i32); 4]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < 4 && in_any_palace(from) {
        let (files, ranks) = steps[direction];
        if let Some(to) = from.offset(files, ranks)
            && in_any_palace(to)
        {
            set = with(set, to);
        }
        direction += 1;
    }
    set
}

/// One step forward; over the river also sideways.
pub const fn pawn(side: Color, from: Square) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let forward = match side {
        Color::Red => 1,
        Color::Black => -1,
    };
    if let Some(to) = from.offset(0, forward) {
        set = with(set, to);
    }
    if from.rank().relative_index(side) >= 5 {
        if let Some(to) = from.offset(1, 0) {
            set = with(set, to);
        }
        if let Some(to) = from.offset(-1, 0) {
            set = with(set, to);
        }
    }
    set
}
