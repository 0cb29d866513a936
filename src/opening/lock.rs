//! The keys of BOOK.DAT.
//!
//! Three words for every man on every point, drawn from the stream of RC4 with a
//! key of zero bytes; a position has the exclusive or of its men's words, and of
//! the words of the side to move if that is Black. All are computed by the
//! compiler.

use crate::position::Position;
use crate::types::{Color, Piece, Square};

/// The three words of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// What the file stores, and what counts first when two are compared.
    pub lock1: u32,
    /// What else tells positions apart.
    pub lock0: u32,
    /// The word for a hash table; not used by books.
    pub key: u32,
}

const fn xor(a: Lock, b: Lock) -> Lock {
    Lock {
        lock1: a.lock1 ^ b.lock1,
        lock0: a.lock0 ^ b.lock0,
        key: a.key ^ b.key,
    }
}

/// RC4, see "Applied Cryptography" by Schneier, section 17.1.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    /// The key is all zeros; its length does not matter then.
    const fn new() -> Self {
        let mut state = [0; 256];
        let mut i = 0;
        while i < 256 {
            state[i] = i as u8;
            i += 1;
        }
        let mut j = 0u8;
        i = 0;
        while i < 256 {
            j = j.wrapping_add(state[i]);
            let swapped = state[i];
            state[i] = state[j as usize];
            state[j as usize] = swapped;
            i += 1;
        }
        Self { state, i: 0, j: 0 }
    }

    const fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let a = self.state[self.i as usize];
        self.j = self.j.wrapping_add(a);
        let b = self.state[self.j as usize];
        self.state[self.i as usize] = b;
        self.state[self.j as usize] = a;
        self.state[a.wrapping_add(b) as usize]
    }

    const fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    const fn item(&mut self) -> Lock {
        let key = self.word();
        let lock0 = self.word();
        let lock1 = self.word();
        Lock { lock1, lock0, key }
    }
}

struct Items {
    side: Lock,
    men: [[Lock; Square::COUNT]; 14],
}

/// Points off the board take words from the stream, too.
const fn items() -> Items {
    let mut stream = Rc4::new();
    let none = Lock {
        lock1: 0,
        lock0: 0,
        key: 0,
    };
    let mut items = Items {
        side: stream.item(),
        men: [[none; Square::COUNT]; 14],
    };
    let mut piece = 0;
    while piece < 14 {
        let mut byte = 0;
        while byte < 256 {
            let item = stream.item();
            let (row, column) = (byte / 16, byte % 16);
            if row >= 3 && row <= 12 && column >= 3 && column <= 11 {
                items.men[piece][(12 - row) * 9 + column - 3] = item;
            }
            byte += 1;
        }
        piece += 1;
    }
    items
}

static ITEMS: Items = items();

fn item(piece: Piece, square: Square) -> Lock {
    ITEMS.men[piece.index()][square.index()]
}

/// Which of a position and its mirror image a book stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The position.
    AsItIs,
    /// Its mirror image.
    Mirrored,
    /// Both are the same.
    Symmetric,
}

impl Lock {
    /// The words of a position.
    pub fn of(position: &Position) -> Self {
        Self::compute(position, |square| square)
    }

    /// The words of its mirror image.
    pub fn of_mirror(position: &Position) -> Self {
        Self::compute(position, Square::mirror_file)
    }

    fn compute(position: &Position, place: impl Fn(Square) -> Square) -> Self {
        let side = match position.side_to_move() {
            Color::Red => Self::default(),
            Color::Black => ITEMS.side,
        };
        position
            .occupied()
            .into_iter()
            .fold(side, |lock, square| match position.piece_on(square) {
                Some(piece) => xor(lock, item(piece, place(square))),
                None => lock,
            })
    }

    /// The form of a position that is stored, and its words: the smaller ones.
    pub(super) fn stored(position: &Position) -> (Self, Form) {
        let (own, mirror) = (Self::of(position), Self::of_mirror(position));
        let order = (own.lock1, own.lock0).cmp(&(mirror.lock1, mirror.lock0));
        match order {
            std::cmp::Ordering::Less => (own, Form::AsItIs),
            std::cmp::Ordering::Equal => (own, Form::Symmetric),
            std::cmp::Ordering::Greater => (mirror, Form::Mirrored),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{File, Rank};

    #[test]
    fn the_stream_is_the_one_of_the_format() {
        assert_eq!(
            ITEMS.side,
            Lock {
                key: 0x4189_18de,
                lock0: 0x3a5d_37a3,
                lock1: 0x671e_068a
            }
        );
        assert_eq!(
            ITEMS.men[0][Square::new(File::new(4).unwrap(), Rank::new(0).unwrap()).index()],
            Lock {
                key: 0xbb99_fe32,
                lock0: 0x1690_781b,
                lock1: 0xffa2_bed5
            }
        );
        assert_eq!(
            Lock::of(&Position::start()),
            Lock {
                key: 0xe6db_463e,
                lock0: 0x8f89_9c24,
                lock1: 0x0526_56d5
            }
        );
        assert_eq!(Lock::stored(&Position::start()).1, Form::Symmetric);
    }
}
