//! Pseudo-random numbers that are the same everywhere: SplitMix64 (Steele, Lea,
//! Flood, "Fast splittable pseudorandom number generators", 2014).

/// What the state grows by.
pub const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles a state into a number.
pub const fn scramble(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of numbers from a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        scramble(self.0)
    }

    /// A number below `bound`; 0 if that is 0. The bias of the multiplication does
    /// not matter for what this is used for.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_bits()) * bound as u128) >> 64) as usize
    }

    /// A number from `-range` to `range`.
    pub fn within(&mut self, range: f32) -> f32 {
        let unit = (self.next_bits() >> 40) as f32 / (1u64 << 24) as f32;
        (2.0 * unit - 1.0) * range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut random = Random::new(3);
        assert!((0..1000).all(|_| random.below(7) < 7));
        assert_eq!(random.below(0), 0);
    }
}
