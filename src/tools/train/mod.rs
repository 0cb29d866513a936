//! `chuhe train`: from self-play games to a network.
//!
//! The reader filters positions; the model keeps its weights in tiles of 64
//! hidden units, each worked on by one thread, so that the result does not
//! depend on how many threads there are.

mod kernel;
mod manifest;
mod model;
mod quantise;
mod reader;
mod report;
mod run;
mod verify;

pub use model::Model;
pub use reader::{Samples, read_samples};
pub use run::{TrainError, TrainOptions, Trained, train};
pub use verify::verify;
