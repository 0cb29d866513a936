//! The network file.
//!
//! ```text
//! magic      8 bytes   "CHUHENET"
//! version    u32       3
//! hidden     u32       H, a multiple of 64
//! kings      u32       K, king buckets: 1 or 6
//! buckets    u32       O, output buckets
//! scale      u32       centipawns of an output of 1 (400)
//! payload    u32       its length as stored, in bytes
//! checksum   u64       FNV-1a of the payload as decoded
//! payload    zstd of the low-byte plane and then the high-byte plane of
//!            W [K][689][H] i16, b [H] i16, out_w [O][2][H] i16, out_b [O] i32 as
//!            two i16
//! ```
//!
//! All numbers are little-endian. The two planes compress better apart. Version 2, which
//! is read too, has no word for K: 1.

use super::aligned::Aligned;
use super::features::{INPUTS, KING_PLACES};
use super::simd::Backend;
use std::io::Read;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u32 = 3;
/// The version before king buckets.
const PLAIN_VERSION: u32 = 2;

/// The accumulator is this wide at most.
const MAX_HIDDEN: usize = 2048;
/// There are at most this many output buckets.
const MAX_BUCKETS: usize = 16;
/// Hidden units come in groups of this many.
pub const GROUP: usize = 64;

/// Why a file is no network that this engine can play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// The file does not start as a network does.
    #[error("this is not a Chuhe network")]
    Magic,
    /// A version that this engine does not know.
    #[error("network format {0} is not known (this engine reads {PLAIN_VERSION} and {VERSION})")]
    Version(u32),
    /// A shape that this engine cannot play.
    #[error(
        "a network with {hidden} hidden units, {kings} king buckets and {buckets} output buckets is not supported"
    )]
    Shape {
        /// Hidden units.
        hidden: u32,
        /// King buckets.
        kings: u32,
        /// Output buckets.
        buckets: u32,
    },
    /// The file ends early or holds more than it should.
    #[error("the network is cut short or damaged ({0})")]
    Damaged(String),
    /// The weights are not those that were written.
    #[error("the checksum of the network is wrong")]
    Checksum,
    /// The file cannot be read at all.
    #[error("cannot read the network: {0}")]
    Read(String),
}

/// The largest output weight: its product with a unit of 255 fits 16 bits, which
/// the fast backends rely on.
pub const LARGEST_OUTPUT_WEIGHT: i16 = 127;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// H, the hidden units of each side.
    pub hidden: usize,
    /// K, the king buckets: 1, or 6 where each place of the own king has inputs of
    /// its own.
    pub king_buckets: usize,
    /// O, the output buckets.
    pub buckets: usize,
}

impl Shape {
    /// Whether the engine can play such a network.
    pub fn is_supported(self) -> bool {
        self.hidden > 0
            && self.hidden <= MAX_HIDDEN
            && self.hidden.is_multiple_of(GROUP)
            && (1..=MAX_BUCKETS).contains(&self.buckets)
            && [1, KING_PLACES].contains(&self.king_buckets)
    }

    /// The inputs of a side.
    pub fn inputs(self) -> usize {
        self.king_buckets * INPUTS
    }
}

/// The integer weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its shape.
    pub shape: Shape,
    /// What an output of 1 is worth.
    pub scale: i32,
    /// Input weights, H for each input, times 255.
    pub weights: Aligned,
    /// Hidden biases, times 255.
    pub biases: Vec<i16>,
    /// Output weights: for each bucket H of the side to move, then H of the
    /// other; times 256.
    pub output_weights: Aligned,
    /// Output biases, times 255 * 256.
    pub output_biases: Vec<i32>,
    /// What this processor computes it with; not in the file.
    pub backend: Backend,
}

impl Network {
    /// A network of this shape that says 0.
    ///
    /// # Panics
    /// If the shape is not supported.
    pub fn zero(shape: Shape) -> Self {
        assert!(shape.is_supported());
        let Shape {
            hidden, buckets, ..
        } = shape;
        Self {
            shape,
            scale: 400,
            weights: Aligned::zeros(shape.inputs() * hidden),
            biases: vec![0; hidden],
            output_weights: Aligned::zeros(buckets * 2 * hidden),
            output_biases: vec![0; buckets],
            backend: Backend::detect(),
        }
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// What is wrong with it, see [`NetError`].
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?;
        let mut header = Header(rest);
        let version = header.word()?;
        let hidden = header.word()?;
        let kings = match version {
            VERSION => header.word()?,
            PLAIN_VERSION => 1,
            _ => return Err(NetError::Version(version)),
        };
        let buckets = header.word()?;
        let shape = Shape {
            hidden: hidden as usize,
            king_buckets: kings as usize,
            buckets: buckets as usize,
        };
        let scale = header.word()?;
        if !shape.is_supported() || scale > 10_000 {
            return Err(NetError::Shape {
                hidden,
                kings,
                buckets,
            });
        }
        let length = header.word()?;
        let checksum = u64::from(header.word()?) | u64::from(header.word()?) << 32;
        let payload = header.0;
        let mut network = Self::zero(shape);
        network.scale = scale as i32;
        if payload.len() != length as usize {
            let text = format!("{} bytes of {length}", payload.len());
            return Err(NetError::Damaged(text));
        }
        let planes = decompress(payload, 2 * network.word_count())?;
        if fnv1a(&planes) != checksum {
            return Err(NetError::Checksum);
        }
        network.fill(&planes);
        let is_large = |weight: &i16| weight.unsigned_abs() > LARGEST_OUTPUT_WEIGHT.unsigned_abs();
        if let Some(weight) = network.output_weights.iter().find(|&w| is_large(w)) {
            return Err(NetError::Damaged(format!("an output weight of {weight}")));
        }
        Ok(network)
    }

    /// Writes the network file.
    pub fn write(&self) -> Vec<u8> {
        let words = self.words();
        let low = words.iter().map(|&word| word as u8);
        let high = words.iter().map(|&word| (word >> 8) as u8);
        let planes: Vec<u8> = low.chain(high).collect();
        let payload = ruzstd::encoding::compress_to_vec(
            planes.as_slice(),
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        let mut bytes = MAGIC.to_vec();
        for word in [
            VERSION,
            self.shape.hidden as u32,
            self.shape.king_buckets as u32,
            self.shape.buckets as u32,
            self.scale as u32,
            payload.len() as u32,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&fnv1a(&planes).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// The number that names these weights.
    pub fn checksum(&self) -> u64 {
        let bytes: Vec<u8> = self
            .words()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        fnv1a(&bytes)
    }

    fn word_count(&self) -> usize {
        self.weights.len() + self.biases.len() + self.output_weights.len() + 2 * self.shape.buckets
    }

    fn words(&self) -> Vec<i16> {
        let mut words = Vec::with_capacity(self.word_count());
        words.extend_from_slice(&self.weights);
        words.extend_from_slice(&self.biases);
        words.extend_from_slice(&self.output_weights);
        for bias in &self.output_biases {
            words.extend([*bias as i16, (*bias >> 16) as i16]);
        }
        words
    }

    fn fill(&mut self, planes: &[u8]) {
        let (low, high) = planes.split_at(planes.len() / 2);
        let mut words = low
            .iter()
            .zip(high)
            .map(|(&low, &high)| i16::from_le_bytes([low, high]));
        let targets: [&mut [i16]; 3] = [
            &mut self.weights,
            &mut self.biases,
            &mut self.output_weights,
        ];
        for target in targets {
            for (slot, word) in target.iter_mut().zip(&mut words) {
                *slot = word;
            }
        }
        for bias in &mut self.output_biases {
            let low = words.next().unwrap_or_default();
            let high = words.next().unwrap_or_default();
            *bias = i32::from(low as u16) | i32::from(high) << 16;
        }
    }
}

/// What is left of a header.
struct Header<'a>(&'a [u8]);

impl Header<'_> {
    fn word(&mut self) -> Result<u32, NetError> {
        let (word, rest) = self
            .0
            .split_first_chunk()
            .ok_or_else(|| NetError::Damaged("no whole header".to_owned()))?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*word))
    }
}

/// Decodes at most `length` bytes, and insists on exactly that many.
fn decompress(payload: &[u8], length: usize) -> Result<Vec<u8>, NetError> {
    let damaged = |error: &dyn std::fmt::Display| NetError::Damaged(error.to_string());
    let decoder = ruzstd::decoding::StreamingDecoder::new(payload).map_err(|e| damaged(&e))?;
    let mut planes = Vec::with_capacity(length);
    decoder
        .take(length as u64 + 1)
        .read_to_end(&mut planes)
        .map_err(|e| damaged(&e))?;
    if planes.len() != length {
        let text = format!("{} bytes of weights, {length} expected", planes.len());
        return Err(NetError::Damaged(text));
    }
    Ok(planes)
}

/// The FNV-1a hash (Fowler, Noll, Vo), 64 bits.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_from(0xcbf2_9ce4_8422_2325, bytes)
}

/// The same, going on from the hash of what came before.
pub fn fnv1a_from(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A network with small pseudo-random weights.
    pub(in crate::eval) fn random(shape: Shape, seed: u64) -> Network {
        let mut state = seed;
        let mut next = move |range: i32| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) as i32).rem_euclid(2 * range + 1) - range
        };
        let mut network = Network::zero(shape);
        network.weights.fill_with(|| next(120) as i16);
        network.biases.fill_with(|| next(200) as i16);
        network.output_weights.fill_with(|| next(127) as i16);
        network.output_biases.fill_with(|| next(100_000));
        network
    }

    /// One of each kind.
    pub(in crate::eval) const SHAPES: [Shape; 3] = [
        shape(64, 1, 1),
        shape(128, 1, 4),
        shape(128, KING_PLACES, 8),
    ];

    const fn shape(hidden: usize, king_buckets: usize, buckets: usize) -> Shape {
        Shape {
            hidden,
            king_buckets,
            buckets,
        }
    }

    #[test]
    fn a_network_survives_its_file() {
        for shape in SHAPES {
            let network = random(shape, 3);
            assert_eq!(Network::read(&network.write()), Ok(network));
        }
    }

    #[test]
    fn every_fault_has_its_message() {
        let good = random(SHAPES[0], 5).write();
        assert_eq!(Network::read(b"rubbish"), Err(NetError::Magic));
        assert_eq!(Network::read(&[0; 100]), Err(NetError::Magic));
        assert!(matches!(
            Network::read(&good[..20]),
            Err(NetError::Damaged(_))
        ));
        let mut bytes = good.clone();
        bytes[8] = 9;
        assert_eq!(Network::read(&bytes), Err(NetError::Version(9)));
        let mut bytes = good.clone();
        bytes[12] = 65;
        assert!(matches!(
            Network::read(&bytes),
            Err(NetError::Shape { hidden: 65, .. })
        ));
        let mut bytes = good.clone();
        bytes[32] ^= 1;
        assert_eq!(Network::read(&bytes), Err(NetError::Checksum));
        let mut bytes = good.clone();
        bytes[16] = 5;
        let fault = Network::read(&bytes).unwrap_err().to_string();
        assert!(fault.contains(" 5 king buckets "), "{fault}");
        for length in [40, good.len() / 2, good.len() - 1] {
            assert!(matches!(
                Network::read(&good[..length]),
                Err(NetError::Damaged(_))
            ));
        }
    }

    #[test]
    fn the_version_before_king_buckets_is_read() {
        let network = random(SHAPES[1], 8);
        let now = network.write();
        let mut then = now[..16].to_vec();
        then[8] = PLAIN_VERSION as u8;
        then.extend_from_slice(&now[20..]);
        assert_eq!(Network::read(&then), Ok(network));
    }

    #[test]
    fn output_weights_that_do_not_fit_the_fast_backends_are_refused() {
        let mut network = random(SHAPES[0], 6);
        network.output_weights[9] = -LARGEST_OUTPUT_WEIGHT;
        assert!(Network::read(&network.write()).is_ok());
        network.output_weights[9] = -LARGEST_OUTPUT_WEIGHT - 1;
        let fault = Network::read(&network.write());
        assert!(matches!(fault, Err(NetError::Damaged(_))), "{fault:?}");
    }

    #[test]
    fn a_flipped_bit_anywhere_is_noticed() {
        let good = random(SHAPES[0], 7).write();
        let network = Network::read(&good).unwrap();
        for at in (0..good.len()).step_by(997) {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            if let Ok(read) = Network::read(&bytes) {
                // The scale is not under the checksum.
                assert_eq!(read.weights, network.weights);
            }
        }
    }
}
