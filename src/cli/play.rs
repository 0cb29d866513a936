//! What `chuhe match` and `chuhe tournament` have in common: clocks, openings,
//! rules, files.

use super::read;
use crate::rules::{RuleSet, Rules};
use crate::tools::arena::control::{MAX_SECONDS, TIME_MARGIN, TimeControl};
use crate::tools::arena::field::{Entrant, Field, Openings};
use crate::tools::arena::files::Paths;
use crate::tools::arena::game::Adjudication;
use crate::tools::arena::openings::{self, RandomOpenings};
use crate::tools::arena::process::Patience;
use clap::Args;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// Clock: [MOVES/]SECONDS+INCREMENT
    #[arg(long, group = "control")]
    tc: Option<TimeControl>,
    /// Nodes a move
    #[arg(long, group = "control", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, group = "control", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, group = "control", value_parser = clap::value_parser!(u64).range(1..=1_000 * MAX_SECONDS))]
    movetime: Option<u64>,
    /// Milliseconds by which a move may exceed its time
    #[arg(long, default_value_t = TIME_MARGIN.as_millis() as u64)]
    margin: u64,
    /// Seconds that a program may take to start
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=MAX_SECONDS))]
    start_limit: u64,
    /// Seconds beyond its time after which a program that is silent hangs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(..=MAX_SECONDS))]
    hang_limit: u64,
    /// Games at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    concurrency: u16,
    /// Hash table of players in this process, in megabytes
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Openings, a FEN or EPD a line; else a balanced set that is built in
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    openings: Option<PathBuf>,
    /// Random legal plies as openings, by this seed
    #[arg(long)]
    seed: Option<u64>,
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

impl PlayArgs {
    /// The clock of players who have none of their own.
    pub(super) fn control(&self) -> TimeControl {
        match (self.tc, self.nodes, self.depth, self.movetime) {
            (Some(clock), ..) => clock,
            (_, Some(nodes), ..) => TimeControl::Nodes(nodes),
            (_, _, Some(depth), _) => TimeControl::Depth(depth),
            (.., Some(millis)) => TimeControl::MoveTime(Duration::from_millis(millis)),
            _ => TimeControl::Nodes(5_000),
        }
    }

    pub(super) fn paths(&self) -> Paths {
        Paths {
            journal: self.journal.clone(),
            pgn: self.pgn.clone(),
            games: self.games_out.clone(),
        }
    }

    /// These players, and how they play.
    pub(super) fn field(&self, mut players: Vec<Entrant>) -> Result<Field, Box<dyn Error>> {
        let patience = Patience {
            start: Duration::from_secs(self.start_limit),
            think: Duration::from_secs(self.hang_limit),
            ..Patience::default()
        };
        for entrant in &mut players {
            entrant.spec.set_patience(patience);
        }
        let adjudication = Adjudication::default();
        Ok(Field {
            players,
            openings: self.read_openings()?,
            rules: Rules::of(self.rules),
            adjudication: if self.no_adjudication {
                Adjudication {
                    win_plies: 0,
                    draw_plies: 0,
                    ..adjudication
                }
            } else {
                adjudication
            },
            margin: Duration::from_millis(self.margin),
            concurrency: usize::from(self.concurrency),
            hash_mb: self.hash,
        })
    }

    fn read_openings(&self) -> Result<Openings, Box<dyn Error>> {
        Ok(match (&self.openings, self.seed) {
            (Some(path), _) => {
                let list = openings::parse(&read(path)?);
                Openings::List(list.map_err(|error| format!("{}: {error}", path.display()))?)
            }
            (None, Some(seed)) => Openings::Random(RandomOpenings {
                plies: (6, 9),
                nodes: 2_000,
                balance: 200,
                seed,
            }),
            (None, None) => Openings::List(openings::balanced()?),
        })
    }
}

/// The file name of a program, or the spec: what a player without a name is
/// called.
pub(super) fn default_name(spec: &str) -> String {
    let command = spec.split_once(':').map_or(
        spec,
        |(kind, rest)| {
            if kind == "self" { spec } else { rest }
        },
    );
    let program = command.split_whitespace().next().unwrap_or(command);
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.to_owned()
}
