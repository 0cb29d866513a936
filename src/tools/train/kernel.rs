//! The inner loops of training: sums of weight rows forward, sums of gradients
//! backward, and the optimiser.
//!
//! Plain loops over arrays of 64 numbers, compiled for the baseline, for AVX2
//! and for AVX-512; [`Level::detect`] chooses. No fused multiply-add and no
//! reordering: every level gives the same numbers. The `unsafe` calls into the
//! compiled-again loops are the price of choosing at run time; what each level
//! gains has still to be measured.

#![allow(unsafe_code)]

/// Hidden units of a tile.
pub(super) const TILE: usize = 64;

/// One number for each unit of a tile.
pub(super) type Row = [f32; TILE];

/// Inputs of one side of one position.
pub(super) type Inputs = arrayvec::ArrayVec<u16, 32>;

/// The inputs of a position, the side to move first, and its output bucket.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub(super) sides: [Inputs; 2],
    pub(super) bucket: usize,
}

/// Weights of a tile, or their gradients, or the optimiser's moments.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// A row for each input.
    pub(super) weights: Vec<Row>,
    pub(super) bias: Row,
    /// For each bucket a row for the side to move and one for the other.
    pub(super) output: Vec<[Row; 2]>,
}

/// Which instructions the loops use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2(Detected),
    #[cfg(target_arch = "x86_64")]
    Avx512(Detected),
}

/// Proof of a detection.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detected(());

macro_rules! levels {
    ($(#[$doc:meta])* $name:ident, $body:ident, $avx2:ident, $avx512:ident,
     ($($arg:ident: $type:ty),*)) => {
        $(#[$doc])*
        pub(super) fn $name(self, $($arg: $type),*) {
            match self {
                Self::Baseline => $body($($arg),*),
                // SAFETY: the value exists only where AVX2 was detected.
                #[cfg(target_arch = "x86_64")]
                Self::Avx2(_) => unsafe { $avx2($($arg),*) },
                // SAFETY: the value exists only where AVX-512 F was detected.
                #[cfg(target_arch = "x86_64")]
                Self::Avx512(_) => unsafe { $avx512($($arg),*) },
            }
        }
    };
}

impl Level {
    /// The fastest level of this processor.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512(Detected(()));
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2(Detected(()));
            }
        }
        Self::Baseline
    }

    levels! {
        /// For each position and side the sums before activation, and what the
        /// tile adds to each output.
        forward, forward_body, forward_avx2, forward_avx512,
        (tile: &Tile, batch: &[Features], sums: &mut [[Row; 2]], outputs: &mut [f32])
    }

    levels! {
        /// Adds the gradients of a batch, given the gradient of each output.
        backward, backward_body, backward_avx2, backward_avx512,
        (tile: &Tile, batch: &[Features], sums: &[[Row; 2]], slopes: &[f32], gradient: &mut Tile)
    }

    levels! {
        /// One step of AdamW on a row; the gradient is cleared.
        step, step_body, step_avx2, step_avx512,
        (weights: &mut Row, gradient: &mut Row, first: &mut Row, second: &mut Row, adam: Adam)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn forward_avx2(tile: &Tile, batch: &[Features], sums: &mut [[Row; 2]], outputs: &mut [f32]) {
    forward_body(tile, batch, sums, outputs);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn forward_avx512(tile: &Tile, batch: &[Features], sums: &mut [[Row; 2]], outputs: &mut [f32]) {
    forward_body(tile, batch, sums, outputs);
}

#[inline(always)]
fn forward_body(tile: &Tile, batch: &[Features], sums: &mut [[Row; 2]], outputs: &mut [f32]) {
    for ((features, sums), output) in batch.iter().zip(sums).zip(outputs) {
        let mut products = [0.0; TILE];
        for (side, kept) in sums.iter_mut().enumerate() {
            let mut sum = tile.bias;
            for &input in &features.sides[side] {
                let row = &tile.weights[usize::from(input)];
                for i in 0..TILE {
                    sum[i] += row[i];
                }
            }
            *kept = sum;
            let weights = &tile.output[features.bucket][side];
            for i in 0..TILE {
                let x = sum[i].clamp(0.0, 1.0);
                products[i] += x * x * weights[i];
            }
        }
        // A fixed order: four quarters onto each other, then one by one.
        let mut total = 0.0;
        for i in 0..TILE / 4 {
            total += (products[i] + products[i + 16]) + (products[i + 32] + products[i + 48]);
        }
        *output = total;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn backward_avx2(
    tile: &Tile,
    batch: &[Features],
    sums: &[[Row; 2]],
    slopes: &[f32],
    gradient: &mut Tile,
) {
    backward_body(tile, batch, sums, slopes, gradient);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn backward_avx512(
    tile: &Tile,
    batch: &[Features],
    sums: &[[Row; 2]],
    slopes: &[f32],
    gradient: &mut Tile,
) {
    backward_body(tile, batch, sums, slopes, gradient);
}

#[inline(always)]
fn backward_body(
    tile: &Tile,
    batch: &[Features],
    sums: &[[Row; 2]],
    slopes: &[f32],
    gradient: &mut Tile,
) {
    for ((features, sums), &slope) in batch.iter().zip(sums).zip(slopes) {
        for (side, sums) in sums.iter().enumerate() {
            let weights = &tile.output[features.bucket][side];
            let output = &mut gradient.output[features.bucket][side];
            let mut hidden = [0.0; TILE];
            for i in 0..TILE {
                let x = sums[i].clamp(0.0, 1.0);
                output[i] += slope * x * x;
                // Where the unit is clamped its slope is zero.
                let inside = if sums[i] > 0.0 && sums[i] < 1.0 {
                    2.0
                } else {
                    0.0
                };
                hidden[i] = slope * weights[i] * inside * x;
                gradient.bias[i] += hidden[i];
            }
            for &input in &features.sides[side] {
                let row = &mut gradient.weights[usize::from(input)];
                for i in 0..TILE {
                    row[i] += hidden[i];
                }
            }
        }
    }
}

/// The numbers of an optimiser step: AdamW (Loshchilov, Hutter 2019) with the
/// weights kept within a bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adam {
    /// Learning rate with the correction of both moments' start.
    pub(super) rate: f32,
    /// What a weight loses of itself.
    pub(super) decay: f32,
    /// Largest weight.
    pub(super) bound: f32,
}

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_avx2(weights: &mut Row, gradient: &mut Row, first: &mut Row, second: &mut Row, adam: Adam) {
    step_body(weights, gradient, first, second, adam);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn step_avx512(
    weights: &mut Row,
    gradient: &mut Row,
    first: &mut Row,
    second: &mut Row,
    adam: Adam,
) {
    step_body(weights, gradient, first, second, adam);
}

#[inline(always)]
fn step_body(weights: &mut Row, gradient: &mut Row, first: &mut Row, second: &mut Row, adam: Adam) {
    for i in 0..TILE {
        let g = gradient[i];
        first[i] = FIRST * first[i] + (1.0 - FIRST) * g;
        second[i] = SECOND * second[i] + (1.0 - SECOND) * g * g;
        let kept = weights[i] - adam.decay * weights[i];
        let moved = kept - adam.rate * first[i] / (second[i].sqrt() + EPSILON);
        weights[i] = moved.clamp(-adam.bound, adam.bound);
        gradient[i] = 0.0;
    }
}

impl Adam {
    /// The step with this number (from 1) at this learning rate.
    pub(super) fn new(step: u64, learning_rate: f32, decay: f32, bound: f32) -> Self {
        let step = i32::try_from(step).unwrap_or(i32::MAX);
        let correction =
            (1.0 - f64::from(SECOND).powi(step)).sqrt() / (1.0 - f64::from(FIRST).powi(step));
        Self {
            rate: (f64::from(learning_rate) * correction) as f32,
            decay: learning_rate * decay,
            bound,
        }
    }
}
