//! The network while it learns: tiles of 64 hidden units in floating point.

use super::kernel::{Adam, Features, Level, Row, TILE, Tile};
use crate::eval::nnue::features::INPUTS;
use crate::eval::nnue::{Network, OUTPUT_UNIT, Shape, UNIT};
use crate::types::Random;
use rayon::prelude::*;

/// Positions whose hidden layers are kept at once: one tile's share fits the
/// second-level cache.
const SUB_BATCH: usize = 2_048;
/// Positions that are worth handing to another thread for what is done once a
/// position and not for each tile.
const MIN_SHARE: usize = 512;
/// Weights stay within what the integers of the engine can hold.
const WEIGHT_BOUND: f32 = 1.98;
/// As large as an output weight may be: 127 in 256.
const OUTPUT_BOUND: f32 = 0.496;

impl Tile {
    fn zero(shape: Shape) -> Self {
        Self {
            weights: vec![[0.0; TILE]; shape.inputs()],
            bias: [0.0; TILE],
            output: vec![[[0.0; TILE]; 2]; shape.buckets],
        }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        let output = self.output.iter().flatten();
        self.weights.iter().chain([&self.bias]).chain(output)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let output = self.output.iter_mut().flatten();
        self.weights
            .iter_mut()
            .chain([&mut self.bias])
            .chain(output)
    }

    /// All rows but those of the inputs.
    fn other_rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let output = self.output.iter_mut().flatten();
        [&mut self.bias].into_iter().chain(output)
    }
}

/// With several king buckets the row of an input is a sum: one that all buckets share
/// and one of its own. So what is learned of a man with the king in one place serves
/// in all, and a bucket only learns what is different in it ("factoriser").
#[derive(Clone, Debug)]
struct Factor {
    shared: Vec<Row>,
    first: Vec<Row>,
    second: Vec<Row>,
    /// For each bucket and input.
    own: Vec<Row>,
}

impl Factor {
    fn new(shared: &[Row], shape: Shape) -> Self {
        let zeros = |length| vec![[0.0; TILE]; length];
        Self {
            shared: shared.to_vec(),
            first: zeros(INPUTS),
            second: zeros(INPUTS),
            own: zeros(shape.inputs()),
        }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        let moments = self.first.iter().chain(&self.second);
        self.shared.iter().chain(moments).chain(&self.own)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let moments = self.first.iter_mut().chain(&mut self.second);
        self.shared.iter_mut().chain(moments).chain(&mut self.own)
    }

    /// A step of both parts, and their sums.
    fn step(&mut self, level: Level, adam: Adam, of: [&mut [Row]; 4]) {
        let [sums, gradient, first, second] = of;
        for input in 0..INPUTS {
            let mut slope = [0.0; TILE];
            for row in gradient.iter().skip(input).step_by(INPUTS) {
                for i in 0..TILE {
                    slope[i] += row[i];
                }
            }
            let (one, two) = (&mut self.first[input], &mut self.second[input]);
            level.step(&mut self.shared[input], &mut slope, one, two, adam);
        }
        for at in 0..sums.len() {
            let own = &mut self.own[at];
            let (one, two) = (&mut first[at], &mut second[at]);
            level.step(own, &mut gradient[at], one, two, adam);
            let shared = &self.shared[at % INPUTS];
            for i in 0..TILE {
                sums[at][i] = (shared[i] + own[i]).clamp(-adam.bound, adam.bound);
            }
        }
    }
}

/// A tile with all that learning it takes.
#[derive(Clone, Debug)]
struct Learner {
    tile: Tile,
    /// The parts of the input rows, if they have any.
    factor: Option<Factor>,
    gradient: Tile,
    first: Tile,
    second: Tile,
    /// Scratch: sums and partial outputs of a sub-batch.
    sums: Vec<[Row; 2]>,
    outputs: Vec<f32>,
}

impl Learner {
    fn step(&mut self, level: Level, adam: Adam) {
        let Self {
            tile,
            factor,
            gradient,
            first,
            second,
            ..
        } = self;
        let mut tiles = [tile, gradient, first, second];
        match factor {
            Some(factor) => {
                let inputs = tiles.each_mut().map(|tile| tile.weights.as_mut_slice());
                factor.step(level, adam, inputs);
                step_rows(level, adam, tiles.map(Tile::other_rows_mut));
            }
            None => step_rows(level, adam, tiles.map(Tile::rows_mut)),
        }
        let output = self.tile.output.iter_mut().flatten().flatten();
        output.for_each(|weight| *weight = weight.clamp(-OUTPUT_BOUND, OUTPUT_BOUND));
    }

    /// All rows that a continued run needs.
    fn rows(&self) -> impl Iterator<Item = &Row> {
        let tiles = [&self.tile, &self.first, &self.second];
        let factor = self.factor.iter().flat_map(Factor::rows);
        tiles.into_iter().flat_map(Tile::rows).chain(factor)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let tiles = [&mut self.tile, &mut self.first, &mut self.second];
        let factor = self.factor.iter_mut().flat_map(Factor::rows_mut);
        tiles.into_iter().flat_map(Tile::rows_mut).chain(factor)
    }
}

/// A step of rows: weights, gradients, first and second moments.
fn step_rows<'a>(level: Level, adam: Adam, of: [impl Iterator<Item = &'a mut Row>; 4]) {
    let [weights, gradients, firsts, seconds] = of;
    for (((weights, gradient), first), second) in weights.zip(gradients).zip(firsts).zip(seconds) {
        level.step(weights, gradient, first, second, adam);
    }
}

/// One output bias for each bucket, with gradient and moments.
#[derive(Clone, Copy, Debug, Default)]
struct Bias {
    value: f32,
    gradient: f32,
    first: f32,
    second: f32,
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Model {
    shape: Shape,
    level: Level,
    learners: Vec<Learner>,
    biases: Vec<Bias>,
    steps: u64,
}

/// A target for each position: the expected result, 0 to 1.
pub(super) type Targets = [f32];

impl Model {
    /// A network with small random weights.
    ///
    /// # Panics
    /// If the shape is not supported.
    pub fn new(shape: Shape, seed: u64) -> Self {
        assert!(shape.is_supported());
        let mut random = Random::new(seed);
        let input_range = (1.0f32 / 32.0).sqrt();
        let output_range = (1.0 / (2.0 * shape.hidden as f32)).sqrt();
        let mut learner = || {
            let mut tile = Tile::zero(shape);
            let (one_bucket, others) = tile.weights.split_at_mut(INPUTS);
            one_bucket
                .iter_mut()
                .flatten()
                .for_each(|w| *w = random.within(input_range));
            for bucket in others.chunks_mut(INPUTS) {
                bucket.copy_from_slice(one_bucket);
            }
            let is_factored = shape.king_buckets > 1;
            let factor = is_factored.then(|| Factor::new(one_bucket, shape));
            tile.output
                .iter_mut()
                .flatten()
                .flatten()
                .for_each(|w| *w = random.within(output_range));
            Learner {
                tile,
                factor,
                gradient: Tile::zero(shape),
                first: Tile::zero(shape),
                second: Tile::zero(shape),
                sums: vec![[[0.0; TILE]; 2]; SUB_BATCH],
                outputs: vec![0.0; SUB_BATCH],
            }
        };
        Self {
            shape,
            level: Level::detect(),
            learners: (0..shape.hidden / TILE).map(|_| learner()).collect(),
            biases: vec![Bias::default(); shape.buckets],
            steps: 0,
        }
    }

    /// How many optimiser steps have been made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The raw outputs of a sub-batch, in tile order so that the sum does not
    /// depend on the threads; `finish` makes something of each.
    fn outputs<T: Send>(
        &mut self,
        batch: &[Features],
        finish: impl Fn(usize, f32) -> T + Sync,
    ) -> Vec<T> {
        let level = self.level;
        self.learners.par_iter_mut().for_each(|learner| {
            let (sums, outputs) = (&mut learner.sums, &mut learner.outputs);
            level.forward(&learner.tile, batch, sums, outputs);
        });
        let (biases, learners) = (&self.biases, &self.learners);
        let output = |(index, features): (usize, &Features)| {
            let bias = biases[features.bucket].value;
            let tiles = learners.iter();
            finish(
                index,
                tiles.fold(bias, |sum, learner| sum + learner.outputs[index]),
            )
        };
        let indexed = batch.par_iter().enumerate();
        indexed.with_min_len(MIN_SHARE).map(output).collect()
    }

    /// The sum of squared errors of the expected results.
    pub(super) fn loss(&mut self, batch: &[Features], targets: &Targets) -> f64 {
        let mut total = 0.0;
        for (batch, targets) in batch.chunks(SUB_BATCH).zip(targets.chunks(SUB_BATCH)) {
            let error = |index: usize, output| sigmoid(output) - targets[index];
            for error in self.outputs(batch, error) {
                total += f64::from(error * error);
            }
        }
        total
    }

    /// The outputs of these positions.
    pub(super) fn predict(&mut self, batch: &[Features]) -> Vec<f32> {
        batch
            .chunks(SUB_BATCH)
            .flat_map(|batch| self.outputs(batch, |_, output| output))
            .collect()
    }

    /// Adds up the gradients of a batch; returns the sum of squared errors.
    pub(super) fn accumulate(&mut self, batch: &[Features], targets: &Targets) -> f64 {
        let count = batch.len() as f32;
        let mut total = 0.0;
        for (batch, targets) in batch.chunks(SUB_BATCH).zip(targets.chunks(SUB_BATCH)) {
            let slopes = self.outputs(batch, |index, output| {
                let expected = sigmoid(output);
                let error = expected - targets[index];
                let slope = 2.0 * error * expected * (1.0 - expected) / count;
                (slope, error * error)
            });
            for ((slope, squared), features) in slopes.iter().zip(batch) {
                total += f64::from(*squared);
                self.biases[features.bucket].gradient += slope;
            }
            let level = self.level;
            self.learners.par_iter_mut().for_each(|learner| {
                let gradient = &mut learner.gradient;
                level.backward(&learner.tile, batch, &learner.sums, &slopes, gradient);
            });
        }
        total
    }

    /// One optimiser step with the gradients added up.
    pub(super) fn step(&mut self, learning_rate: f32, decay: f32) {
        self.steps += 1;
        let adam = Adam::new(self.steps, learning_rate, decay, WEIGHT_BOUND);
        let level = self.level;
        let learners = self.learners.par_iter_mut();
        learners.for_each(|learner| learner.step(level, adam));
        for bias in &mut self.biases {
            let (mut value, mut gradient) = ([bias.value; TILE], [bias.gradient; TILE]);
            let (mut first, mut second) = ([bias.first; TILE], [bias.second; TILE]);
            level.step(&mut value, &mut gradient, &mut first, &mut second, adam);
            *bias = Bias {
                value: value[0],
                gradient: 0.0,
                first: first[0],
                second: second[0],
            };
        }
    }

    /// All gradients, for a test.
    #[cfg(test)]
    fn gradient(&self, tile: usize, row: usize, unit: usize) -> f32 {
        self.learners[tile].gradient.weights[row][unit]
    }

    /// The weights as the integers that the engine plays.
    pub fn quantise(&self, scale: i32) -> Network {
        let hidden = self.shape.hidden;
        let mut network = Network::zero(self.shape);
        network.scale = scale;
        let unit = |weight: f32, unit: i64| (f64::from(weight) * unit as f64).round() as i32;
        for (index, learner) in self.learners.iter().enumerate() {
            let at = index * TILE;
            for i in 0..TILE {
                network.biases[at + i] = unit(learner.tile.bias[i], UNIT) as i16;
                for (input, row) in learner.tile.weights.iter().enumerate() {
                    network.weights[input * hidden + at + i] = unit(row[i], UNIT) as i16;
                }
                for (bucket, sides) in learner.tile.output.iter().enumerate() {
                    for (side, row) in sides.iter().enumerate() {
                        let place = (2 * bucket + side) * hidden + at + i;
                        network.output_weights[place] = unit(row[i], OUTPUT_UNIT) as i16;
                    }
                }
            }
        }
        for (bias, target) in self.biases.iter().zip(&mut network.output_biases) {
            *target = unit(bias.value, UNIT * OUTPUT_UNIT);
        }
        network
    }

    /// All numbers that a continued run needs.
    pub(super) fn save(&self) -> Vec<f32> {
        let mut numbers = Vec::new();
        for learner in &self.learners {
            learner
                .rows()
                .for_each(|row| numbers.extend_from_slice(row));
        }
        for bias in &self.biases {
            numbers.extend([bias.value, bias.first, bias.second]);
        }
        numbers
    }

    /// Takes the numbers of [`Self::save`] back; false if there are more or
    /// fewer than this shape has.
    pub(super) fn restore(&mut self, numbers: &[f32], steps: u64) -> bool {
        if numbers.len() != self.save().len() {
            return false;
        }
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next().unwrap_or_default();
        for learner in &mut self.learners {
            learner
                .rows_mut()
                .flatten()
                .for_each(|number| *number = next());
        }
        for bias in &mut self.biases {
            bias.value = next();
            bias.first = next();
            bias.second = next();
        }
        self.steps = steps;
        true
    }
}

/// The expected result of an output.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::eval::nnue::features::KING_PLACES;

    const fn shape(hidden: usize) -> Shape {
        Shape {
            hidden,
            king_buckets: 1,
            buckets: 2,
        }
    }

    const FACTORED: Shape = Shape {
        king_buckets: KING_PLACES,
        ..shape(64)
    };

    fn batch() -> (Vec<Features>, Vec<f32>) {
        let features = |own: &[u16], enemy: &[u16], bucket| Features {
            sides: [
                own.iter().copied().collect(),
                enemy.iter().copied().collect(),
            ],
            bucket,
        };
        let batch = vec![
            features(&[1, 5, 600], &[2, 7], 0),
            features(&[5, 9], &[1, 600, 688], 1),
            features(&[0], &[5], 0),
        ];
        (batch, vec![0.9, 0.2, 0.5])
    }

    /// The gradient says how the loss changes when a weight does.
    #[test]
    fn gradients_equal_finite_differences() {
        let (batch, targets) = batch();
        let mut model = Model::new(shape(64), 1);
        model.accumulate(&batch, &targets);
        for (row, unit) in [(5, 3), (600, 40), (688, 63), (0, 0), (1, 17)] {
            let exact = f64::from(model.gradient(0, row, unit));
            let loss = |change: f32| {
                let mut changed = model.clone();
                changed.learners[0].tile.weights[row][unit] += change;
                changed.loss(&batch, &targets) / batch.len() as f64
            };
            let step = 2e-3;
            let difference = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
            assert!(
                (exact - difference).abs() < 2e-5 + exact.abs() * 0.02,
                "{row} {unit}: {exact} {difference}"
            );
        }
    }

    #[test]
    fn learning_lowers_the_loss() {
        let (batch, targets) = batch();
        let mut model = Model::new(shape(128), 2);
        let before = model.loss(&batch, &targets);
        for _ in 0..200 {
            model.accumulate(&batch, &targets);
            model.step(0.002, 0.0);
        }
        assert!(model.loss(&batch, &targets) < before / 20.0);
    }

    #[test]
    fn a_restored_model_goes_on_alike() {
        let (batch, targets) = batch();
        for shape in [shape(64), FACTORED] {
            let mut model = Model::new(shape, 3);
            model.accumulate(&batch, &targets);
            model.step(0.01, 0.01);
            let mut copy = Model::new(shape, 99);
            assert!(copy.restore(&model.save(), model.steps()));
            for model in [&mut model, &mut copy] {
                model.accumulate(&batch, &targets);
                model.step(0.01, 0.01);
            }
            assert_eq!(model.save(), copy.save());
            assert!(!copy.restore(&[0.0], 1));
        }
    }

    /// What is learned in one king bucket is known in the others, but less there.
    #[test]
    fn buckets_learn_from_each_other() {
        let (batch, targets) = batch();
        let mut model = Model::new(FACTORED, 5);
        let before = model.quantise(400);
        for _ in 0..50 {
            model.accumulate(&batch, &targets);
            model.step(0.01, 0.0);
        }
        let after = model.quantise(400);
        let moved = |bucket: usize, input: usize| -> i32 {
            let row = (bucket * INPUTS + input) * 64..(bucket * INPUTS + input + 1) * 64;
            let rows = before.weights[row.clone()].iter().zip(&after.weights[row]);
            rows.map(|(old, new)| i32::from(old.abs_diff(*new))).sum()
        };
        for input in [1, 5, 9] {
            assert!(moved(0, input) > moved(3, input), "{input}");
            assert!(moved(3, input) > 0, "{input}");
            assert_eq!(moved(3, input), moved(5, input));
        }
        assert_eq!((moved(0, 300), moved(3, 300)), (0, 0));
    }

    #[test]
    fn the_threads_do_not_change_the_result() {
        let (batch, targets) = batch();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut model = Model::new(shape(256), 4);
                for _ in 0..5 {
                    model.accumulate(&batch, &targets);
                    model.step(0.01, 0.01);
                }
                model.save()
            })
        };
        assert_eq!(run(1), run(2));
    }
}
