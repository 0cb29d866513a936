//! The inner loops of training: sums of weight rows forward, sums of gradients
//! backward, and the optimiser.
//!
//! Plain loops over arrays of 64 numbers, compiled for the baseline, for AVX2
//! and for AVX-512; [`Level::detect`] chooses. No fused multiply-add and no
//! reordering: every level gives the same numbers. The `unsafe` calls into the
//! compiled-again loops are the price of choosing at run time; what each level
//! gains the ignored test at the end measures.

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

/// The gradient of an output, and its squared error.
pub(super) type Slope = (f32, f32);

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
        Self::all().pop().unwrap_or(Self::Baseline)
    }

    /// All levels of this processor, slowest first.
    fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut levels = vec![Self::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                levels.push(Self::Avx2(Detected(())));
            }
            if is_x86_feature_detected!("avx512f") {
                levels.push(Self::Avx512(Detected(())));
            }
        }
        levels
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
        (tile: &Tile, batch: &[Features], sums: &[[Row; 2]], slopes: &[Slope], gradient: &mut Tile)
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
        *output = total(&products);
    }
}

/// The sum of a row in a fixed order that vectors can follow: quarters onto each
/// other, then halves until one number is left. (Plain loops: a closure would
/// not be compiled for the level.)
#[inline(always)]
fn total(row: &Row) -> f32 {
    let mut sum = [0.0; TILE / 4];
    for i in 0..TILE / 4 {
        sum[i] = (row[i] + row[i + 32]) + (row[i + 16] + row[i + 48]);
    }
    for i in 0..8 {
        sum[i] += sum[i + 8];
    }
    for i in 0..4 {
        sum[i] += sum[i + 4];
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3])
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn backward_avx2(
    tile: &Tile,
    batch: &[Features],
    sums: &[[Row; 2]],
    slopes: &[Slope],
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
    slopes: &[Slope],
    gradient: &mut Tile,
) {
    backward_body(tile, batch, sums, slopes, gradient);
}

#[inline(always)]
fn backward_body(
    tile: &Tile,
    batch: &[Features],
    sums: &[[Row; 2]],
    slopes: &[Slope],
    gradient: &mut Tile,
) {
    for ((features, sums), &(slope, _)) in batch.iter().zip(sums).zip(slopes) {
        for (side, sums) in sums.iter().enumerate() {
            let weights = &tile.output[features.bucket][side];
            let mut hidden = [0.0; TILE];
            for (hidden, (&sum, weight)) in hidden.iter_mut().zip(sums.iter().zip(weights)) {
                // Where the unit is clamped its slope is zero.
                let x = if sum > 0.0 && sum < 1.0 { sum } else { 0.0 };
                *hidden = 2.0 * slope * weight * x;
            }
            for (bias, hidden) in gradient.bias.iter_mut().zip(&hidden) {
                *bias += hidden;
            }
            let output = &mut gradient.output[features.bucket][side];
            for i in 0..TILE {
                let x = sums[i].clamp(0.0, 1.0);
                output[i] += slope * x * x;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::features::INPUTS;
    use crate::types::Random;
    use std::time::Instant;

    struct Work {
        tile: Tile,
        batch: Vec<Features>,
        sums: Vec<[Row; 2]>,
        outputs: Vec<f32>,
        slopes: Vec<Slope>,
        gradient: Tile,
    }

    /// Random positions with 24 men.
    fn work(positions: usize) -> Work {
        let mut random = Random::new(1);
        let mut tile = Tile {
            weights: vec![[0.0; TILE]; INPUTS],
            bias: [0.1; TILE],
            output: vec![[[0.0; TILE]; 2]],
        };
        let gradient = tile.clone();
        let rows = tile.weights.iter_mut().chain(&mut tile.output[0]);
        rows.flatten()
            .for_each(|weight| *weight = random.within(0.2));
        let mut batch = vec![Features::default(); positions];
        for inputs in batch.iter_mut().flat_map(|features| &mut features.sides) {
            inputs.extend((0..24).map(|_| random.below(INPUTS) as u16));
        }
        Work {
            tile,
            batch,
            sums: vec![[[0.0; TILE]; 2]; positions],
            outputs: vec![0.0; positions],
            slopes: (0..positions).map(|_| (random.within(0.1), 0.0)).collect(),
            gradient,
        }
    }

    impl Work {
        fn run(&mut self, level: Level) {
            level.forward(&self.tile, &self.batch, &mut self.sums, &mut self.outputs);
            let (sums, slopes) = (&self.sums, &self.slopes);
            level.backward(&self.tile, &self.batch, sums, slopes, &mut self.gradient);
        }
    }

    #[test]
    fn every_level_gives_the_same_numbers() {
        let results: Vec<_> = Level::all()
            .into_iter()
            .map(|level| {
                let mut work = work(50);
                work.run(level);
                let (mut first, mut second) = ([0.1; TILE], [0.2; TILE]);
                let (weights, gradient) =
                    (&mut work.tile.weights[5], &mut work.gradient.weights[5]);
                let adam = Adam::new(3, 0.01, 0.01, 1.98);
                level.step(weights, gradient, &mut first, &mut second, adam);
                let tiles = [work.tile, work.gradient];
                (
                    work.outputs,
                    work.sums,
                    first,
                    second,
                    tiles.map(|t| (t.weights, t.bias, t.output)),
                )
            })
            .collect();
        assert!(results.iter().all(|result| *result == results[0]));
        assert!(results[0].0.iter().any(|output| *output != 0.0));
    }

    #[test]
    #[ignore = "a measurement: run it alone, with --release --nocapture"]
    fn speed_of_each_level() {
        for level in Level::all() {
            let mut work = work(2_048);
            work.run(level);
            let best = (0..30).map(|_| {
                let start = Instant::now();
                work.run(level);
                start.elapsed().as_nanos() / 2_048
            });
            println!("{level:?}: {:?} ns a position and tile", best.min());
        }
    }
}
