//! What is known about a trained network, as TOML beside it.

use super::reader::Samples;
use super::report::EpochLosses;
use super::run::TrainOptions;
use crate::eval::nnue::Network;
use crate::tools::data::REVISION;
use crate::tools::data::manifest::{DataFile, FORMAT_VERSION};
use serde::Serialize;

/// The manifest. Who tests the network adds the bench number and the matches.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NetManifest {
    format_version: u32,
    engine_version: &'static str,
    engine_revision: &'static str,
    net_checksum: String,
    hidden: usize,
    king_buckets: usize,
    output_buckets: usize,
    epochs: u32,
    batch: usize,
    learning_rate: f64,
    lambda: f64,
    decay: f64,
    seed: u64,
    max_score: i16,
    max_copies: u32,
    no_checks: bool,
    foresight_percent: u32,
    games: u64,
    plies: u64,
    training_positions: usize,
    held_out_positions: usize,
    training_loss: f64,
    held_out_loss: f64,
    quantisation_error_mean_cp: f64,
    quantisation_error_max_cp: f64,
    data: Vec<DataFile>,
}

impl NetManifest {
    pub(super) fn new(
        options: &TrainOptions,
        samples: &Samples,
        network: &Network,
        losses: EpochLosses,
        (mean_error, largest_error): (f64, f64),
    ) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            engine_version: env!("CARGO_PKG_VERSION"),
            engine_revision: REVISION,
            net_checksum: format!("{:016x}", network.checksum()),
            hidden: options.shape.hidden,
            king_buckets: options.shape.king_buckets,
            output_buckets: options.shape.buckets,
            epochs: options.epochs,
            batch: options.batch,
            learning_rate: as_written(options.learning_rate),
            lambda: as_written(options.lambda),
            decay: as_written(options.decay),
            seed: options.seed,
            max_score: options.filter.max_score,
            max_copies: options.filter.max_copies,
            no_checks: options.filter.no_checks,
            foresight_percent: options.filter.foresight_percent,
            games: samples.games,
            plies: samples.plies,
            training_positions: samples.training.len(),
            held_out_positions: samples.held_out.len(),
            training_loss: rounded(losses.training, 7),
            held_out_loss: rounded(losses.held_out, 7),
            quantisation_error_mean_cp: rounded(mean_error, 3),
            quantisation_error_max_cp: rounded(largest_error, 3),
            data: samples.files.clone(),
        }
    }

    pub(super) fn to_text(&self) -> String {
        toml::to_string(self).expect("plain numbers and texts have a form in TOML")
    }
}

/// The number that a person wrote: 0.0015, not its nearest neighbour in binary.
fn as_written(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (number * unit).round() / unit
}
