//! `chuhe bench`: its arguments and its one call.

use crate::eval::nnue::simd::Backend;
use crate::rules::{RuleSet, Rules};
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

/// The protocol's `bench [depth]`.
pub(super) fn obey(arguments: &[String], print: &mut dyn FnMut(String)) {
    let mut options = BenchOptions::default();
    if let Some(depth) = arguments.first().and_then(|text| text.parse().ok()) {
        options.depth = depth;
    }
    let mut report = Vec::new();
    if let Err(error) = bench::run(options, &mut report) {
        print(format!("info string {error}"));
    }
    for line in String::from_utf8_lossy(&report).lines() {
        print(line.to_owned());
    }
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
    let result = bench::run(options, &mut io::stdout().lock())?;
    match args.expect {
        Some(expected) if expected != result.nodes => {
            Err(format!("expected {expected} nodes, got {}", result.nodes).into())
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
