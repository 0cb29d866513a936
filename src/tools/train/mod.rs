//! `chuhe train`: from self-play games to a network.
//!
//! The reader filters positions; the model keeps its weights in tiles of 64
//! hidden units, each worked on by one thread, so that the result does not
//! depend on how many threads there are.

mod kernel;
mod model;
mod reader;
mod report;
mod run;

pub use model::Model;
pub use reader::{Filter, ReadError, Sample, Samples, read_game_file, read_samples};
pub use run::{TrainError, TrainOptions, Trained, train};
