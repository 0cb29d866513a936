//! The binary: starts logging, runs the command line, turns its result into an
//! exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Clients merge standard error into the protocol: silent unless asked.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    chuhe::cli::run().unwrap_or_else(|error| {
        eprintln!("chuhe: {error}");
        ExitCode::FAILURE
    })
}
