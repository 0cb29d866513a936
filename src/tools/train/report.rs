//! What a training run leaves behind: losses and checkpoint.

use super::kernel::Features;
use super::model::Model;
use super::run::TrainOptions;
use crate::eval::nnue::format::fnv1a;
use crate::eval::nnue::simd::Backend;
use crate::eval::nnue::{Network, OUTPUT_UNIT, UNIT};
use crate::tools::data::manifest::DataFile;
use std::fmt::Write as _;
use std::path::Path;

/// The name of the checkpoint file.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";
const MAGIC: &[u8; 8] = b"CHUHETRN";

/// Mean squared errors of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EpochLosses {
    pub(super) training: f64,
    pub(super) held_out: f64,
}

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    pub(super) epoch: u32,
    pub(super) step_in_epoch: usize,
    pub(super) loss_sum: f64,
    pub(super) epochs: Vec<EpochLosses>,
}

/// One row for each epoch.
pub(super) fn csv(epochs: &[EpochLosses]) -> String {
    let mut text = "epoch,training,held_out\n".to_owned();
    for (index, losses) in epochs.iter().enumerate() {
        let EpochLosses { training, held_out } = losses;
        let _ = writeln!(text, "{},{training:.7},{held_out:.7}", index + 1);
    }
    text
}

/// The curves of both losses.
pub(super) fn svg(epochs: &[EpochLosses]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 360.0;
    let values = epochs
        .iter()
        .flat_map(|losses| [losses.training, losses.held_out]);
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    let span = (high - low).max(1e-9);
    let x = |index: usize| 40.0 + (WIDTH - 60.0) * index as f64 / (epochs.len().max(2) - 1) as f64;
    let y = |value: f64| HEIGHT - 30.0 - (HEIGHT - 60.0) * (value - low) / span;
    let curve = |value: fn(&EpochLosses) -> f64| {
        let point = |(index, losses)| format!("{:.1},{:.1}", x(index), y(value(losses)));
        epochs
            .iter()
            .enumerate()
            .map(point)
            .collect::<Vec<_>>()
            .join(" ")
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <polyline fill=\"none\" stroke=\"#1f77b4\" points=\"{}\"/>\n\
         <polyline fill=\"none\" stroke=\"#d62728\" points=\"{}\"/>\n\
         <text x=\"40\" y=\"20\" fill=\"#1f77b4\">training {:.5}</text>\n\
         <text x=\"200\" y=\"20\" fill=\"#d62728\">held out {:.5}</text>\n\
         <text x=\"40\" y=\"{}\">{} epochs, {low:.5} to {high:.5}</text>\n</svg>\n",
        curve(|losses| losses.training),
        curve(|losses| losses.held_out),
        epochs.last().map_or(0.0, |losses| losses.training),
        epochs.last().map_or(0.0, |losses| losses.held_out),
        HEIGHT - 8.0,
        epochs.len(),
    )
}

/// What must be equal for a checkpoint to be continued: the settings, and the data
/// by what they hold. A folder may have grown since.
pub(super) fn settings_hash(options: &TrainOptions, files: &[DataFile]) -> u64 {
    let settings = format!(
        "{:?} {} {} {} {} {} {} {:?} {:?}",
        options.shape,
        options.epochs,
        options.batch,
        options.learning_rate,
        options.lambda,
        options.decay,
        options.seed,
        options.filter,
        files,
    );
    fnv1a(settings.as_bytes())
}

/// A checkpoint: settings, progress, weights and moments, checksum last.
pub(super) fn checkpoint(settings: u64, model: &Model, progress: &Progress) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let words = [
        settings,
        model.steps(),
        u64::from(progress.epoch),
        progress.step_in_epoch as u64,
        progress.loss_sum.to_bits(),
        progress.epochs.len() as u64,
    ];
    let losses = progress.epochs.iter();
    let losses = losses.flat_map(|losses| [losses.training.to_bits(), losses.held_out.to_bits()]);
    for word in words.into_iter().chain(losses) {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for number in model.save() {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let checksum = fnv1a(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Goes on from a checkpoint; false if there is none that fits.
pub(super) fn load_checkpoint(
    path: &Path,
    settings: u64,
    model: &mut Model,
    progress: &mut Progress,
) -> bool {
    let Ok(bytes) = std::fs::read(path) else {
        return false;
    };
    restore(&bytes, settings, model, progress).is_some()
}

fn restore(bytes: &[u8], settings: u64, model: &mut Model, progress: &mut Progress) -> Option<()> {
    let (content, checksum) = bytes.split_last_chunk::<8>()?;
    let rest = content.strip_prefix(MAGIC)?;
    if fnv1a(content) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let mut words = rest
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word));
    if words.next()? != settings {
        return None;
    }
    let steps = words.next()?;
    let mut loaded = Progress {
        epoch: u32::try_from(words.next()?).ok()?,
        step_in_epoch: usize::try_from(words.next()?).ok()?,
        loss_sum: f64::from_bits(words.next()?),
        epochs: Vec::new(),
    };
    let count = usize::try_from(words.next()?).ok()?;
    for _ in 0..count {
        loaded.epochs.push(EpochLosses {
            training: f64::from_bits(words.next()?),
            held_out: f64::from_bits(words.next()?),
        });
    }
    let numbers = rest.get(8 * (6 + 2 * count)..)?;
    let numbers: Vec<f32> = numbers
        .as_chunks::<4>()
        .0
        .iter()
        .map(|n| f32::from_le_bytes(*n))
        .collect();
    if !model.restore(&numbers, steps) {
        return None;
    }
    *progress = loaded;
    Some(())
}

/// The output of the integer network, in centipawns, computed from inputs alone.
pub(super) fn integer_output(network: &Network, features: &Features) -> i32 {
    let hidden = network.shape.hidden;
    let mut sum = 0;
    for (side, inputs) in features.sides.iter().enumerate() {
        let mut units = network.biases.clone();
        for &input in inputs {
            let row = &network.weights[usize::from(input) * hidden..][..hidden];
            Backend::Scalar.add(row, &mut units);
        }
        let weights = &network.output_weights[(2 * features.bucket + side) * hidden..][..hidden];
        sum += Backend::Scalar.output(&units, weights);
    }
    let bias = i64::from(network.output_biases[features.bucket]);
    ((sum / UNIT + bias) * i64::from(network.scale) / (UNIT * OUTPUT_UNIT)) as i32
}
