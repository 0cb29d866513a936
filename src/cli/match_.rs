//! `chuhe match`: its arguments and its one call.

use super::read;
use crate::rules::{RuleSet, Rules};
use crate::tools::arena::game::{Adjudication, TimeControl};
use crate::tools::arena::openings::{self, RandomOpenings};
use crate::tools::arena::runner::{self, MatchOptions, Openings};
use crate::tools::arena::spec::{PlayerSpec, parse_clock};
use crate::tools::arena::stats::{Decision, Score, Sprt};
use crate::tools::progress_bar;
use clap::Args;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct MatchArgs {
    /// First player: self, self:hce, self:NET, ucci:COMMAND, uci:COMMAND, or
    /// uci10:COMMAND for ranks counted from 1
    #[arg(long)]
    a: PlayerSpec,
    /// Second player
    #[arg(long)]
    b: PlayerSpec,
    /// Options of the first player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_a: Vec<String>,
    /// Options of the second player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Clock: [MOVES/]SECONDS+INCREMENT
    #[arg(long, group = "control")]
    tc: Option<String>,
    /// Nodes a move
    #[arg(long, group = "control")]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, group = "control")]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, group = "control")]
    movetime: Option<u64>,
    /// Games at most, rounded up to pairs
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Hash table of players in this process, in megabytes
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Openings, a FEN a line; else random legal plies
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop when the difference is decided to be ELO0 or ELO1
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Rules of the referee
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Play every game to its end on the board
    #[arg(long)]
    no_adjudication: bool,
    /// Keep results here, and go on from them
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Append games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Append games in the training-data format
    #[arg(long, value_name = "FILE")]
    games_out: Option<PathBuf>,
}

impl MatchArgs {
    fn control(&self) -> Result<TimeControl, Box<dyn Error>> {
        Ok(match (&self.tc, self.nodes, self.depth, self.movetime) {
            (Some(text), ..) => parse_clock(text)?,
            (_, Some(nodes), ..) => TimeControl::Nodes(nodes),
            (_, _, Some(depth), _) => TimeControl::Depth(depth),
            (.., Some(millis)) => TimeControl::MoveTime(Duration::from_millis(millis)),
            _ => TimeControl::Nodes(5_000),
        })
    }

    fn openings(&self) -> Result<Openings, Box<dyn Error>> {
        Ok(match &self.openings {
            Some(path) => {
                let list = openings::parse(&read(path)?);
                Openings::List(list.map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => Openings::Random(RandomOpenings {
                plies: (6, 9),
                nodes: 2_000,
                balance: 200,
                seed: self.seed,
            }),
        })
    }
}

/// Runs the command.
pub(super) fn run(mut args: MatchArgs) -> Result<ExitCode, Box<dyn Error>> {
    let (control, openings) = (args.control()?, args.openings()?);
    for (player, options) in [(&mut args.a, &args.option_a), (&mut args.b, &args.option_b)] {
        for option in options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("'{option}' is not NAME=VALUE"))?;
            player.set_option(name, value);
        }
    }
    let adjudication = Adjudication::default();
    let options = MatchOptions {
        players: [args.a, args.b],
        control,
        openings,
        rules: Rules::of(args.rules),
        adjudication: if args.no_adjudication {
            Adjudication {
                win_plies: 0,
                draw_plies: 0,
                ..adjudication
            }
        } else {
            adjudication
        },
        pairs: args.games.div_ceil(2),
        concurrency: args.concurrency,
        hash_mb: args.hash,
        sprt: args.sprt.map(|bounds| Sprt::new(bounds[0], bounds[1])),
        journal: args.journal,
        pgn: args.pgn,
        games: args.games_out,
    };
    let bar = progress_bar(2 * options.pairs);
    let result = runner::run(&options, &|news| {
        bar.inc(1);
        bar.set_message(news.score.to_string());
        let Score { games, .. } = news.score;
        if bar.is_hidden() && games.iter().sum::<u32>().is_multiple_of(10) {
            println!("{}", news.score);
        }
    })?;
    bar.finish_and_clear();
    println!("{}", result.score);
    if let Some(sprt) = options.sprt {
        let (lower, upper) = sprt.bounds();
        let llr = result.score.llr(sprt.elo0, sprt.elo1);
        let decision = match result.decision {
            Some(Decision::Accept) => "accepted",
            Some(Decision::Reject) => "rejected",
            None => "undecided",
        };
        println!("LLR {llr:.2} ({lower:.2}, {upper:.2}): {decision}");
    }
    for (reason, count) in &result.reasons {
        println!("{count:6} {reason}");
    }
    Ok(ExitCode::SUCCESS)
}
