//! Numbers that begin with a cache line, so that no vector of theirs lies across
//! two of them: that makes every load of 512 bits twice as dear.

use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;
const PER_LINE: usize = LINE_BYTES / size_of::<i16>();

/// A slice of fixed length on a cache line.
#[derive(Debug)]
pub struct Aligned {
    /// The numbers, with what comes before the first whole line.
    room: Vec<i16>,
    start: usize,
}

impl Aligned {
    /// So many zeros.
    pub(super) fn zeros(length: usize) -> Self {
        let mut room = vec![0; length + PER_LINE];
        let address = room.as_ptr();
        // Numbers lie on multiples of two bytes: some number starts a line.
        let starts_line = |at: &usize| address.wrapping_add(*at).addr().is_multiple_of(LINE_BYTES);
        let start = (0..PER_LINE).find(starts_line).unwrap_or(0);
        room.truncate(start + length);
        Self { room, start }
    }

    /// Makes room for more, behind what is there.
    #[cold]
    pub(super) fn grow(&mut self, length: usize) {
        let mut grown = Self::zeros(length.max(self.len()));
        grown[..self.len()].copy_from_slice(self);
        *self = grown;
    }
}

impl Deref for Aligned {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        &self.room[self.start..]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        &mut self.room[self.start..]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        let mut clone = Self::zeros(self.len());
        clone.copy_from_slice(self);
        clone
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Aligned {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_with_a_line_and_survive() {
        for length in [0, 1, 64, 100_000] {
            let mut numbers = Aligned::zeros(length);
            for (number, value) in numbers.iter_mut().zip(0_u32..) {
                *number = value as i16;
            }
            let mut more = numbers.clone();
            assert_eq!(more, numbers);
            more.grow(length + 64);
            assert_eq!(more[..length], *numbers);
            assert_eq!(more[length..], [0; 64]);
            for aligned in [&numbers, &more] {
                assert_eq!(aligned.as_ptr().addr() % LINE_BYTES, 0);
            }
        }
    }
}
