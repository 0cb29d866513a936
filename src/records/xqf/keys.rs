//! How versions from 0x0B on are scrambled.
//!
//! Four key bytes of the header give shifts for points and moves and a mask over
//! everything behind the header. All arithmetic is modulo 256, but for the length
//! of comments.

use super::{HEADER, LAST_PLAIN, POINTS};

/// Masked with the key bytes of the header, this is subtracted from the nodes.
const PHRASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// What undoes the scrambling. All zero for a plain file.
pub(super) struct Keys {
    version: u8,
    points: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// Added to the length of comments.
    pub(super) length: u32,
    pad: [u8; 32],
}

impl Keys {
    /// The keys of a file with this header.
    pub(super) fn of(header: &[u8; HEADER]) -> Self {
        let version = header[2];
        if version <= LAST_PLAIN {
            return Self {
                version,
                points: 0,
                from: 0,
                to: 0,
                length: 0,
                pad: [0; 32],
            };
        }
        let points = spread(header[0x0d]).wrapping_mul(header[0x0d]);
        let from = spread(header[0x0e]).wrapping_mul(points);
        let to = spread(header[0x0f]).wrapping_mul(from);
        let sum = u32::from(header[0x0c]) * 256 + u32::from(header[0x0d]);
        let mask = header[3];
        let words: [u8; 4] = std::array::from_fn(|i| (header[0x0c + i] & mask) | header[0x08 + i]);
        Self {
            version,
            points,
            from,
            to,
            length: sum % 32_000 + 767,
            pad: std::array::from_fn(|i| PHRASE[i] & words[i % 4]),
        }
    }

    /// The point bytes of the 32 slots.
    pub(super) fn points(&self, header: &[u8; HEADER]) -> [u8; 32] {
        let mut points = [0; 32];
        for (index, byte) in header[POINTS..POINTS + 32].iter().enumerate() {
            // From version 0x0C on the slots are rotated as well.
            let slot = if self.version >= 0x0c {
                (usize::from(self.points) + index + 1) % 32
            } else {
                index
            };
            points[slot] = byte.wrapping_sub(self.points);
        }
        points
    }

    /// The plain byte for one that stands at this offset of the file.
    pub(super) fn plain(&self, byte: u8, offset: usize) -> u8 {
        byte.wrapping_sub(self.pad[offset % 32])
    }
}

/// The polynomial of the format.
fn spread(key: u8) -> u8 {
    let square = key.wrapping_mul(key);
    let mut value = square.wrapping_mul(3).wrapping_add(9);
    value = value.wrapping_mul(3).wrapping_add(8);
    value = value.wrapping_mul(2).wrapping_add(1);
    value.wrapping_mul(3).wrapping_add(8)
}
