//! `chuhe bench`: its arguments and its one call.

use crate::eval::nnue::simd::Backend;
use crate::rules::{RuleSet, Rules};
use crate::search::Signals;
use crate::tools::bench::{self, BenchOptions};
use clap::Args;
use std::error::Error;
use std::io;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    /// Iterations of each search
    #[arg(long, default_value_t = BenchOptions::default().depth)]
    depth: u32,
    /// Hash table in megabytes
    #[arg(long, default_value_t = BenchOptions::default().hash_mb)]
    hash: usize,
    /// Threads; with more than one the count changes from run to run
    #[arg(long, default_value_t = BenchOptions::default().threads)]
    threads: usize,
    /// Rules of repetition
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Evaluate by hand instead of by the network
    #[arg(long)]
    hce: bool,
    /// Compute the network with scalar, avx2 or avx512 instructions instead of
    /// the fastest; the count must not change
    #[arg(long)]
    level: Option<Backend>,
    /// Fail unless this is the node count
    #[arg(long, value_name = "NODES")]
    expect: Option<u64>,
}

/// Runs the command.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode, Box<dyn Error>> {
    let options = BenchOptions {
        depth: args.depth,
        hash_mb: args.hash,
        threads: args.threads,
        rules: Rules::of(args.rules),
        network: !args.hce,
        backend: args.level,
    };
    let result = bench::run(options, &Signals::new(false), &mut io::stdout().lock())?;
    match args.expect {
        Some(expected) if expected != result.nodes => {
            Err(format!("expected {expected} nodes, got {}", result.nodes).into())
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
