//! `chuhe match`: its arguments, its one call and its table.

use super::play::{PlayArgs, default_name};
use crate::tools::arena::control::TimeControl;
use crate::tools::arena::field::Entrant;
use crate::tools::arena::runner::{self, MatchOptions, Standing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::arena::stats::{Decision, Sprt};
use crate::tools::progress_bar;
use clap::Args;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// More than anybody plays, and few enough to be counted.
const MAX_GAMES: u64 = 1_000_000_000;

#[derive(Args, Debug)]
pub(super) struct MatchArgs {
    /// First player: self, self:hce, self:NET, ucci:COMMAND, uci:COMMAND, or
    /// uci10:COMMAND for ranks counted from 1
    #[arg(long)]
    a: String,
    /// Second player
    #[arg(long)]
    b: String,
    /// Name of the first player
    #[arg(long)]
    name_a: Option<String>,
    /// Name of the second player
    #[arg(long)]
    name_b: Option<String>,
    /// Options of the first player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_a: Vec<String>,
    /// Options of the second player, NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Clock of the first player, if it has its own: [MOVES/]SECONDS+INCREMENT,
    /// nodes=N, depth=N or movetime=MILLISECONDS
    #[arg(long)]
    tc_a: Option<TimeControl>,
    /// Clock of the second player, if it has its own
    #[arg(long)]
    tc_b: Option<TimeControl>,
    /// Games at most, rounded up to pairs
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=MAX_GAMES))]
    games: u64,
    /// Stop when the difference is decided to be ELO0 or ELO1
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    #[command(flatten)]
    play: PlayArgs,
}

impl MatchArgs {
    fn players(&self) -> Result<Vec<Entrant>, Box<dyn Error>> {
        let entrant = |spec: &String, name: &Option<String>, options: &[String], control| {
            let mut player: PlayerSpec = spec.parse()?;
            for option in options {
                player.set_option(option)?;
            }
            Ok::<_, Box<dyn Error>>(Entrant {
                name: name.clone().unwrap_or_else(|| default_name(spec)),
                spec: player,
                control: Option::unwrap_or(control, self.play.control()),
            })
        };
        let mut players = vec![
            entrant(&self.a, &self.name_a, &self.option_a, self.tc_a)?,
            entrant(&self.b, &self.name_b, &self.option_b, self.tc_b)?,
        ];
        if players[0].name == players[1].name {
            players[0].name.push_str(" A");
            players[1].name.push_str(" B");
        }
        Ok(players)
    }
}

/// Runs the command.
pub(super) fn run(args: &MatchArgs) -> Result<ExitCode, Box<dyn Error>> {
    let sprt = match args.sprt.as_deref() {
        Some([elo0, elo1]) if elo0 < elo1 => Some(Sprt::new(*elo0, *elo1)),
        Some(_) => return Err("--sprt: ELO0 must be less than ELO1".into()),
        None => None,
    };
    let options = MatchOptions {
        field: args.play.field(args.players()?)?,
        pairs: args.games.div_ceil(2),
        sprt,
        paths: args.play.paths(),
    };
    let names: Vec<String> = options
        .field
        .players
        .iter()
        .map(|entrant| entrant.name.clone())
        .collect();
    let bar = progress_bar(2 * options.pairs);
    let result = runner::run(&options, &|standing| {
        bar.set_position(standing.games);
        bar.set_message(table(standing, sprt, &names));
        let is_due = standing.games > 0 && standing.games.is_multiple_of(10);
        if bar.is_hidden() && is_due && standing.score.played() > 0 {
            // Who does not read it any more hears of it at the end.
            let _ = writeln!(io::stdout(), "{}", line(standing, sprt));
        }
    })?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    writeln!(out, "{} against {}", names[0], names[1])?;
    write!(out, "{}", table(&result, sprt, &names).trim_start())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The score and the sequential test.
fn line(standing: &Standing, sprt: Option<Sprt>) -> String {
    let mut line = standing.score.to_string();
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        let llr = standing.score.llr(sprt.elo0, sprt.elo1);
        let decision = match standing.decision {
            Some(Decision::Accept) => "accepted",
            Some(Decision::Reject) => "rejected",
            None => "undecided",
        };
        let _ = write!(line, ", LLR {llr:.2} ({lower:.2}, {upper:.2}) {decision}");
    }
    line
}

/// The score, how games ended and who failed, a line each.
fn table(standing: &Standing, sprt: Option<Sprt>, names: &[String]) -> String {
    let mut table = format!("\n{}\n", line(standing, sprt));
    for ((reason, failed), count) in &standing.reasons {
        let of = match failed.and_then(|player| names.get(player)) {
            Some(name) => format!(" of {name}"),
            None => String::new(),
        };
        let _ = writeln!(table, "{count:6} {reason}{of}");
    }
    for (name, over) in names.iter().zip(standing.overrun) {
        if over > 0 {
            let _ = writeln!(table, "{name} took up to {over} ms more than it had");
        }
    }
    table
}
