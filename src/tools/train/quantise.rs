//! Choosing the integer output weights so that the integer network says what the
//! floating-point one does.
//!
//! Rounding each weight to its nearest integer leaves errors that add up: those
//! of the output weights, and through them those of the input weights, in the
//! same direction for most positions because no hidden unit is negative. With
//! the input weights rounded, the outputs are linear in the output weights, so
//! this is a problem of least squares in integers over some positions. From the
//! nearest integers one weight after the other goes to its best value while the
//! others stand, until none moves (coordinate descent; compare Nagel et al., "Up
//! or Down? Adaptive Rounding for Post-Training Quantization", 2020).

use super::kernel::Features;
use crate::eval::nnue::format::LARGEST_OUTPUT_WEIGHT as LARGEST;
use crate::eval::nnue::simd::Backend;
use crate::eval::nnue::{Network, OUTPUT_UNIT, UNIT};
use rayon::prelude::*;

/// Passes over all weights at most.
const SWEEPS: usize = 100;
/// A bucket with fewer positions for each weight keeps the nearest integers.
const POSITIONS_PER_WEIGHT: usize = 4;
/// Rows of the matrix that share a pass over the positions.
const ROWS: usize = 16;

/// Moves the output weights and biases of `network` so that its outputs come
/// near these exact ones.
pub(super) fn settle(network: &mut Network, batch: &[Features], exact: &[f32]) {
    for bucket in 0..network.shape.buckets {
        let chosen: Vec<(&Features, f32)> = batch
            .iter()
            .zip(exact.iter().copied())
            .filter(|(features, _)| features.bucket == bucket)
            .collect();
        if chosen.len() >= POSITIONS_PER_WEIGHT * 2 * network.shape.hidden {
            let mut fit = Fit::new(network, bucket, &chosen);
            fit.descend(network, bucket);
        }
    }
}

/// Least squares for one bucket. The last unknown is the output bias.
struct Fit {
    unknowns: usize,
    /// Products of the unknowns' factors, summed over the positions.
    gram: Vec<Vec<f64>>,
    /// Products of the factors with what is missing to the exact output.
    pull: Vec<f64>,
}

impl Fit {
    fn new(network: &Network, bucket: usize, chosen: &[(&Features, f32)]) -> Self {
        let unknowns = 2 * network.shape.hidden + 1;
        let weights = &network.output_weights[bucket * 2 * network.shape.hidden..][..unknowns - 1];
        let bias = f64::from(network.output_biases[bucket]);
        let factors: Vec<Vec<f32>> = chosen
            .par_iter()
            .map(|(features, _)| factors(network, features))
            .collect();
        let missing = |(factors, (_, exact)): (&Vec<f32>, &(&Features, f32))| {
            let products = factors.iter().zip(weights);
            let sum: f64 = products
                .map(|(factor, weight)| f64::from(*factor) * f64::from(*weight))
                .sum();
            let wanted = f64::from(*exact) * OUTPUT_UNIT as f64;
            wanted - sum - f64::from(factors[unknowns - 1]) * bias
        };
        let missing: Vec<f64> = factors.par_iter().zip(chosen).map(missing).collect();
        let indices: Vec<usize> = (0..unknowns).collect();
        let rows: Vec<Vec<f64>> = indices
            .par_chunks(ROWS)
            .flat_map_iter(|block| gram_rows(block, &factors))
            .collect();
        let pull = |index: usize| {
            let products = factors.iter().zip(&missing);
            products
                .map(|(row, missing)| f64::from(row[index]) * missing)
                .sum()
        };
        Self {
            unknowns,
            gram: rows,
            pull: indices.into_par_iter().map(pull).collect(),
        }
    }

    fn descend(&mut self, network: &mut Network, bucket: usize) {
        let first = bucket * 2 * network.shape.hidden;
        for _ in 0..SWEEPS {
            let mut moved = false;
            for index in 0..self.unknowns {
                let steepness = self.gram[index][index];
                if steepness <= 0.0 {
                    continue;
                }
                let wish = (self.pull[index] / steepness).round();
                let change = if index + 1 == self.unknowns {
                    let bias = &mut network.output_biases[bucket];
                    let change = wish.clamp(-1e6, 1e6);
                    *bias = bias.saturating_add(change as i32);
                    change
                } else {
                    let weight = &mut network.output_weights[first + index];
                    let old = f64::from(*weight);
                    let limit = f64::from(LARGEST);
                    *weight = (old + wish).clamp(-limit, limit) as i16;
                    f64::from(*weight) - old
                };
                if change != 0.0 {
                    moved = true;
                    let row = self.gram[index].iter();
                    for (pull, product) in self.pull.iter_mut().zip(row) {
                        *pull -= product * change;
                    }
                }
            }
            if !moved {
                break;
            }
        }
    }
}

/// What each output weight is multiplied by in a position, and the output bias.
fn factors(network: &Network, features: &Features) -> Vec<f32> {
    let hidden = network.shape.hidden;
    let mut factors = Vec::with_capacity(2 * hidden + 1);
    for inputs in &features.sides {
        let mut units = network.biases.clone();
        for &input in inputs {
            let row = &network.weights[usize::from(input) * hidden..][..hidden];
            Backend::Scalar.add(row, &mut units);
        }
        factors.extend(units.iter().map(|unit| {
            let unit = f32::from((*unit).clamp(0, UNIT as i16)) / UNIT as f32;
            unit * unit
        }));
    }
    factors.push(1.0 / UNIT as f32);
    factors
}

fn gram_rows(block: &[usize], factors: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; factors[0].len()]; block.len()];
    for factors in factors {
        for (row, &index) in rows.iter_mut().zip(block) {
            let factor = f64::from(factors[index]);
            if factor != 0.0 {
                for (sum, other) in row.iter_mut().zip(factors) {
                    *sum += factor * f64::from(*other);
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::super::report::integer_output;
    use super::*;
    use crate::eval::nnue::Shape;
    use crate::types::Random;

    /// Positions of few inputs: as in games, the hidden units are not
    /// independent of each other, so that one weight can make up for others.
    fn positions(count: usize, seed: u64) -> Vec<Features> {
        let mut random = Random::new(seed);
        let mut position = || {
            let mut features = Features::default();
            for inputs in &mut features.sides {
                for _ in 0..20 {
                    inputs.push(random.below(8) as u16);
                }
            }
            features
        };
        (0..count).map(|_| position()).collect()
    }

    /// On positions that it has not seen, not only on its own.
    #[test]
    fn settled_weights_come_nearer_to_the_exact_outputs() {
        let shape = Shape {
            hidden: 64,
            buckets: 1,
            king_buckets: 1,
        };
        let mut model = Model::new(shape, 5);
        let nearest = model.quantise(400);
        let mut settled = nearest.clone();
        let batch = positions(2_048, 1);
        let exact = model.predict(&batch);
        settle(&mut settled, &batch, &exact);
        let fresh = positions(1_024, 2);
        let exact = model.predict(&fresh);
        let error = |network: &Network| -> f64 {
            let errors = fresh.iter().zip(&exact).map(|(features, exact)| {
                f64::from(exact * 400.0 - integer_output(network, features) as f32).powi(2)
            });
            errors.sum()
        };
        let (before, after) = (error(&nearest), error(&settled));
        assert!(after < 0.6 * before, "{before} {after}");
        assert!(settled.output_weights.iter().all(|w| w.abs() <= LARGEST));
    }
}
