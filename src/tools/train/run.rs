//! A training run: epochs over shuffled samples, learning-rate schedule,
//! checkpoints, reports.

use super::kernel::Features;
use super::manifest::NetManifest;
use super::model::Model;
use super::quantise;
use super::reader::{Samples, read_samples};
use super::report::{self, Progress};
use crate::eval::nnue::features::Perspective;
use crate::eval::nnue::{Network, Shape, bucket_of};
use crate::tools::data::record::{Filter, SCALE, Sample};
use crate::tools::data::source::DataError;
use crate::tools::datagen::game_file;
use crate::tools::output::{self, WriteError};
use crate::types::{PieceType, Random};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainOptions {
    /// Game files.
    pub data: Vec<PathBuf>,
    /// Where net, manifest, losses and checkpoint go.
    pub out: PathBuf,
    /// The shape of the network.
    pub shape: Shape,
    /// Passes over the samples.
    pub epochs: u32,
    /// Positions per optimiser step.
    pub batch: usize,
    /// Learning rate at the start; it falls to a hundredth as a cosine does.
    pub learning_rate: f32,
    /// Share of the search score in the target; the rest is the game's result.
    pub lambda: f32,
    /// Decay of the weights.
    pub decay: f32,
    /// Seed of everything random.
    pub seed: u64,
    /// Which positions are learned from.
    pub filter: Filter,
    /// Whether to go on from the checkpoint in `out`.
    pub resume: bool,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
}

/// Samples that are fetched from memory at once.
const GATHERED: usize = 256;

/// Samples by which the integer output weights are chosen.
const SETTLED: usize = 524_288;

/// Why training cannot go on.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The data cannot be read.
    #[error(transparent)]
    Read(#[from] DataError),
    /// There is nothing to learn from.
    #[error("the filter left no position to learn from")]
    NoSamples,
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The checkpoint does not fit this run.
    #[error("the checkpoint {0} does not fit these settings or is damaged")]
    Checkpoint(PathBuf),
}

/// What a run has come to.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The integer network.
    pub network: Network,
    /// Mean squared error of the last epoch, and on the held-out games.
    pub losses: (f64, f64),
}

/// Trains a network and writes everything to the output folder.
///
/// # Errors
/// If the data cannot be read or the output not be written.
pub fn train(options: &TrainOptions) -> Result<Trained, TrainError> {
    let samples = read_samples(&options.data, options.filter)?;
    log::info!(
        "{} games, {} plies, {} samples, {} held out",
        samples.games,
        samples.plies,
        samples.training.len(),
        samples.held_out.len()
    );
    if samples.training.is_empty() {
        return Err(TrainError::NoSamples);
    }
    std::fs::create_dir_all(&options.out).map_err(|fault| WriteError::new(&options.out, fault))?;
    Run::new(options, samples)?.finish()
}

struct Run<'a> {
    options: &'a TrainOptions,
    samples: Samples,
    model: Model,
    progress: Progress,
    last_checkpoint: Instant,
}

impl<'a> Run<'a> {
    fn new(options: &'a TrainOptions, samples: Samples) -> Result<Self, TrainError> {
        let mut run = Self {
            model: Model::new(options.shape, options.seed),
            options,
            samples,
            progress: Progress::default(),
            last_checkpoint: Instant::now(),
        };
        if options.resume {
            let path = options.out.join(report::CHECKPOINT);
            let settings = report::settings_hash(options, &run.samples.files);
            let fits = report::load_checkpoint(&path, settings, &mut run.model, &mut run.progress);
            if !fits {
                return Err(TrainError::Checkpoint(path));
            }
        }
        Ok(run)
    }

    fn steps_per_epoch(&self) -> usize {
        self.samples.training.len().div_ceil(self.options.batch)
    }

    fn finish(mut self) -> Result<Trained, TrainError> {
        while self.progress.epoch < self.options.epochs {
            self.epoch()?;
        }
        let mut network = self.model.quantise(SCALE as i32);
        let batch = self.spread(SETTLED);
        let exact = self.model.predict(&batch);
        quantise::settle(&mut network, &batch, &exact);
        let last = self.progress.epochs.last().copied().unwrap_or_default();
        let error = self.quantisation_error(&network);
        let manifest = NetManifest::new(self.options, &self.samples, &network, last, error);
        self.write("net.nnue", &network.write())?;
        self.write("net.toml", manifest.to_text().as_bytes())?;
        Ok(Trained {
            network,
            losses: (last.training, last.held_out),
        })
    }

    /// One pass, from wherever a checkpoint has left it.
    fn epoch(&mut self) -> Result<(), TrainError> {
        let order = shuffled(
            self.samples.training.len(),
            self.options.seed ^ u64::from(self.progress.epoch + 1),
        );
        let started = Instant::now();
        let first_step = self.progress.step_in_epoch;
        let (mut features, mut targets) = (Vec::new(), Vec::new());
        for step in first_step..self.steps_per_epoch() {
            let from = step * self.options.batch;
            let to = (from + self.options.batch).min(order.len());
            self.fill(&order[from..to], &mut features, &mut targets);
            self.progress.loss_sum += self.model.accumulate(&features, &targets);
            let rate = self.learning_rate();
            self.model.step(rate, self.options.decay);
            self.progress.step_in_epoch = step + 1;
            if self.last_checkpoint.elapsed() >= self.options.checkpoint_every {
                self.checkpoint()?;
            }
        }
        let count = ((self.steps_per_epoch() - first_step) * self.options.batch) as f64;
        let speed = count / started.elapsed().as_secs_f64().max(1e-9);
        let losses = report::EpochLosses {
            training: self.progress.loss_sum / self.samples.training.len() as f64,
            held_out: self.held_out_loss(),
        };
        self.progress.epochs.push(losses);
        self.progress.epoch += 1;
        self.progress.step_in_epoch = 0;
        self.progress.loss_sum = 0.0;
        log::info!(
            "epoch {}: loss {:.5}, held out {:.5}, {speed:.0} positions/s",
            self.progress.epoch,
            losses.training,
            losses.held_out
        );
        self.write("losses.csv", report::csv(&self.progress.epochs).as_bytes())?;
        self.write("losses.svg", report::svg(&self.progress.epochs).as_bytes())?;
        self.checkpoint()
    }

    /// From the full rate to a hundredth of it, as a cosine.
    fn learning_rate(&self) -> f32 {
        let steps = self.steps_per_epoch() as f64;
        let done = f64::from(self.progress.epoch) * steps + self.progress.step_in_epoch as f64;
        let share = done / (steps * f64::from(self.options.epochs));
        let factor = 0.01 + 0.99 * (0.5 + 0.5 * (std::f64::consts::PI * share).cos());
        self.options.learning_rate * factor as f32
    }

    /// The inputs and targets of these samples, written over those of the last
    /// batch.
    fn fill(&self, indices: &[u32], features: &mut Vec<Features>, targets: &mut Vec<f32>) {
        let salt = self.options.seed ^ u64::from(self.progress.epoch) << 32;
        let (shape, lambda) = (self.options.shape, self.options.lambda);
        features.resize_with(indices.len(), Features::default);
        targets.resize(indices.len(), 0.0);
        let places = features.par_chunks_mut(GATHERED);
        let places = places.zip(targets.par_chunks_mut(GATHERED));
        let chunks = places.zip(indices.par_chunks(GATHERED));
        chunks.for_each(|((features, targets), indices)| {
            // The samples lie anywhere in memory: fetched together, the waits for
            // them overlap.
            let sample = |&index: &u32| self.samples.training[index as usize];
            let samples: ArrayVec<Sample, GATHERED> = indices.iter().map(sample).collect();
            for (slot, (sample, index)) in samples.iter().zip(indices).enumerate() {
                let image = Random::new(salt ^ u64::from(*index)).next_bits() & 1 == 1;
                write_features(sample, shape, image, &mut features[slot]);
                targets[slot] = target(sample, lambda);
            }
        });
    }

    /// The inputs of this many samples, evenly spread over those learned from.
    fn spread(&self, count: usize) -> Vec<Features> {
        let samples = &self.samples.training;
        let step = samples.len().div_ceil(count).max(1);
        let chosen: Vec<&Sample> = samples.iter().step_by(step).collect();
        let shape = self.options.shape;
        let features = |sample: &&Sample| features(sample, shape);
        chosen.par_iter().map(features).collect()
    }

    fn held_out_loss(&mut self) -> f64 {
        let mut total = 0.0;
        for samples in self.samples.held_out.chunks(1 << 16) {
            let (features, targets): (Vec<_>, Vec<_>) = samples
                .iter()
                .map(|sample| {
                    let features = features(sample, self.options.shape);
                    (features, target(sample, self.options.lambda))
                })
                .unzip();
            total += self.model.loss(&features, &targets);
        }
        total / self.samples.held_out.len().max(1) as f64
    }

    /// Mean and largest difference between the integer network and the floating
    /// point one, in centipawns, over some held-out positions.
    fn quantisation_error(&mut self, network: &Network) -> (f64, f64) {
        let pool = if self.samples.held_out.is_empty() {
            &self.samples.training
        } else {
            &self.samples.held_out
        };
        let batch: Vec<Features> = pool
            .iter()
            .take(4_096)
            .map(|sample| features(sample, self.options.shape))
            .collect();
        let exact = self.model.predict(&batch);
        let mut sum = 0.0;
        let mut largest: f64 = 0.0;
        for (features, exact) in batch.iter().zip(exact) {
            let played = report::integer_output(network, features);
            let error = (f64::from(exact * SCALE) - f64::from(played)).abs();
            sum += error;
            largest = largest.max(error);
        }
        (sum / batch.len().max(1) as f64, largest)
    }

    fn checkpoint(&mut self) -> Result<(), TrainError> {
        let settings = report::settings_hash(self.options, &self.samples.files);
        let bytes = report::checkpoint(settings, &self.model, &self.progress);
        self.write(report::CHECKPOINT, &bytes)?;
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        output::write_whole(&self.options.out.join(name), bytes)?;
        Ok(())
    }
}

/// Fisher and Yates's shuffle.
fn shuffled(length: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut order: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

fn target(sample: &Sample, lambda: f32) -> f32 {
    let expected = super::model::sigmoid(f32::from(sample.score()) / SCALE);
    lambda * expected + (1.0 - lambda) * sample.result()
}

/// The inputs of a sample for a network of this shape.
pub(super) fn features(sample: &Sample, shape: Shape) -> Features {
    let mut features = Features::default();
    write_features(sample, shape, false, &mut features);
    features
}

/// `image` chooses between the two images of a position for a side whose king stands on
/// the middle file.
fn write_features(sample: &Sample, shape: Shape, image: bool, features: &mut Features) {
    let mut kings = [None; 2];
    let mut majors = 0;
    let men = game_file::men(&sample.packed);
    for (square, piece) in &men {
        match piece.kind {
            PieceType::King => kings[piece.color.index()] = Some(*square),
            PieceType::Rook | PieceType::Knight | PieceType::Cannon => majors += 1,
            _ => {}
        }
    }
    features.bucket = bucket_of(majors, shape.buckets);
    let us = sample.side();
    for (side, inputs) in [us, !us].into_iter().zip(&mut features.sides) {
        inputs.clear();
        let Some(king) = kings[side.index()] else {
            continue;
        };
        let mut view = Perspective::new(side, king, shape.king_buckets);
        if image && king.file().index() == 4 {
            view = view.mirror_image();
        }
        for &(square, piece) in &men {
            if let Some(input) = view.input(piece, square) {
                inputs.push(input);
            }
        }
    }
}
