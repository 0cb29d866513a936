//! `chuhe convert`: its arguments and its one call.

use super::pool;
use crate::records::encoding::TextEncoding;
use crate::tools;
use crate::tools::convert::{self, ConvertOptions, ConvertReport, Target};
use clap::{Args, ValueEnum};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// The end of the help.
pub(super) const NOTES: &str = "\
Reads PGN, DhtmlXQ, XQF, CBR, CBL, CBF and move lists in any notation and encoding.
Formats to write:
  pgn              PGN, Chinese moves in simplified characters
  pgn-traditional  PGN, Chinese moves in traditional characters
  pgn-iccs         PGN, moves like H2-E2
  pgn-wxf          PGN, moves like C2=5
  ubb              DhtmlXQ
  xqf              XQF version 0x0A, a game a file
  ucci             a line for an engine: position fen ... moves ...
  rows             a line with result, start and moves
  fen              the FEN of the start, then the moves
  epd              the last position

Exit status 1 if a file or a game could not be converted.";

#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// Records, and folders of records
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The format to write
    #[arg(long)]
    to: Target,
    /// The file to write; for several inputs or folders the folder
    #[arg(long)]
    out: PathBuf,
    /// The encoding of text
    #[arg(long, default_value = "utf-8")]
    encoding: Encoding,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Encoding {
    #[value(name = "utf-8")]
    Utf8,
    #[value(name = "utf-16")]
    Utf16,
    #[value(name = "gb18030", alias = "gbk")]
    Gb18030,
    #[value(name = "big5")]
    Big5,
}

/// Runs the command.
pub(super) fn run(args: ConvertArgs) -> Result<ExitCode, Box<dyn Error>> {
    let options = ConvertOptions {
        inputs: args.inputs,
        out: args.out,
        target: args.to,
        encoding: match args.encoding {
            Encoding::Utf8 => TextEncoding::Utf8,
            Encoding::Utf16 => TextEncoding::Utf16Le,
            Encoding::Gb18030 => TextEncoding::Gb18030,
            Encoding::Big5 => TextEncoding::Big5,
        },
        force: args.force,
    };
    let bar = tools::progress_bar(0);
    let complain = |line: String| bar.suspend(|| eprintln!("chuhe: {line}"));
    let announce = |files: usize| bar.set_length(files as u64);
    let report = pool(args.threads)?
        .install(|| convert::convert(&options, &complain, &announce, &|| bar.inc(1)));
    bar.finish_and_clear();
    let ConvertReport {
        files,
        games,
        failures,
    } = report?;
    println!("{files} files, {games} games, {failures} failures");
    Ok(ExitCode::from(u8::from(failures > 0)))
}
