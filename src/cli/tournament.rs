//! `chuhe tournament`: its arguments, its one call and what it prints.

use super::play::{PlayArgs, default_name};
use crate::tools::arena::field::Entrant;
use crate::tools::arena::tournament::{
    self, Format, History, Plan, TieBreak, TournamentNews, TournamentOptions,
};
use crate::tools::output::write_whole;
use crate::tools::progress_bar;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The end of the help.
pub(super) const NOTES: &str = "\
Players are seeded in the order in which they are given. --option and --clock name
a player: --option 'old:Hash=64' --clock 'old:nodes=2000'.

Tie-breaks: opponents (对手分), minor (小分), wins (胜局), direct (直胜), fouls (犯规),
black-wins (后手胜局); separated by commas.";

#[derive(Args, Debug)]
pub(super) struct TournamentArgs {
    /// A player, NAME=SPEC or SPEC: self, self:hce, self:NET, ucci:COMMAND,
    /// uci:COMMAND, or uci10:COMMAND for ranks counted from 1
    #[arg(
        long = "player",
        short = 'p',
        value_name = "[NAME=]SPEC",
        required = true
    )]
    players: Vec<String>,
    /// An option of a player
    #[arg(long, value_name = "PLAYER:NAME=VALUE")]
    option: Vec<String>,
    /// The clock of a player that has its own: [MOVES/]SECONDS+INCREMENT, nodes=N,
    /// depth=N or movetime=MILLISECONDS
    #[arg(long, value_name = "PLAYER:CLOCK")]
    clock: Vec<String>,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t = Kind::RoundRobin)]
    format: Kind,
    /// Games of an encounter, with colours changing [default: 1 in the Swiss
    /// system, else 2]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    games: Option<u16>,
    /// Rounds of the Swiss system [default: enough for one winner, and two more]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: Option<u16>,
    /// How often everybody meets everybody
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    cycles: u16,
    /// How many groups
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    groups: u16,
    /// How many of each group go on to a knockout
    #[arg(long, default_value_t = 0)]
    advance: u16,
    /// How many of the first players run the gauntlet
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    challengers: u16,
    /// How often a tied knockout encounter goes on for two more games; then the
    /// better seed goes on
    #[arg(long, default_value_t = 2)]
    replays: u16,
    /// Faults in a row (crash, hang, illegal move, time) after which a player is
    /// withdrawn; 0 for never
    #[arg(long, default_value_t = 3)]
    withdraw_after: usize,
    /// What parts players with equal points
    #[arg(long, value_delimiter = ',')]
    tie_breaks: Vec<TieBreak>,
    /// Write the table and all results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    RoundRobin,
    Gauntlet,
    Knockout,
    Groups,
    Swiss,
}

impl TournamentArgs {
    fn entrants(&self) -> Result<Vec<Entrant>, Box<dyn Error>> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for text in &self.players {
            let (name, spec) = match text.split_once('=') {
                Some((name, spec)) if !name.contains([':', '/']) => (name.to_owned(), spec),
                _ => (default_name(text), text.as_str()),
            };
            if entrants.iter().any(|entrant| entrant.name == name) {
                return Err(format!("two players are called '{name}': give NAME=SPEC").into());
            }
            entrants.push(Entrant {
                name,
                spec: spec.parse()?,
                control: self.play.control(),
            });
        }
        if entrants.len() < 2 {
            return Err("a tournament needs two players or more".into());
        }
        for text in &self.option {
            let (entrant, option) = addressed(&mut entrants, text)?;
            entrant.spec.set_option(option)?;
        }
        for text in &self.clock {
            let (entrant, clock) = addressed(&mut entrants, text)?;
            entrant.control = clock.parse()?;
        }
        Ok(entrants)
    }

    fn format(&self, players: usize) -> Format {
        let games = |default: u16| usize::from(self.games.unwrap_or(default));
        let cycles = usize::from(self.cycles);
        let replays = usize::from(self.replays);
        match self.format {
            Kind::RoundRobin => Format::RoundRobin {
                cycles,
                games: games(2),
            },
            Kind::Gauntlet => Format::Gauntlet {
                challengers: usize::from(self.challengers).min(players - 1),
                cycles,
                games: games(2),
            },
            Kind::Knockout => Format::Knockout {
                games: games(2),
                replays,
            },
            Kind::Groups => Format::Groups {
                groups: usize::from(self.groups).min(players / 2),
                advance: usize::from(self.advance),
                games: games(2),
                replays,
            },
            Kind::Swiss => Format::Swiss {
                rounds: self.rounds.map_or_else(
                    || (players.next_power_of_two().ilog2() as usize + 2).min(players - 1),
                    usize::from,
                ),
                games: games(1),
            },
        }
    }
}

/// The player named before the first colon, and what comes after it.
fn addressed<'e, 't>(
    entrants: &'e mut [Entrant],
    text: &'t str,
) -> Result<(&'e mut Entrant, &'t str), String> {
    let (name, rest) = text
        .split_once(':')
        .ok_or_else(|| format!("'{text}' does not begin with PLAYER:"))?;
    let found = entrants.iter_mut().find(|entrant| entrant.name == name);
    let entrant = found.ok_or_else(|| format!("nobody is called '{name}'"))?;
    Ok((entrant, rest))
}

/// Runs the command.
pub(super) fn run(args: &TournamentArgs) -> Result<ExitCode, Box<dyn Error>> {
    let entrants = args.entrants()?;
    let names: Vec<String> = entrants
        .iter()
        .map(|entrant| entrant.name.clone())
        .collect();
    let format = args.format(names.len());
    let order = match &args.tie_breaks[..] {
        [] => format.tie_breaks(),
        order => order.to_vec(),
    };
    let options = TournamentOptions {
        field: args.play.field(entrants)?,
        format,
        patience: args.withdraw_after,
        paths: args.play.paths(),
    };
    let bar = progress_bar(0);
    let history = tournament::run(&options, &|news| {
        tell(&bar, &news, &options, &names, &order)
    })?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    write!(
        out,
        "{}",
        tournament::text(&format, &history, &names, &order)
    )?;
    out.flush()?;
    if let Some(path) = &args.json {
        let json = tournament::json(&format, &history, &names, &order);
        write_whole(path, format!("{json:#}\n").as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what happens; on a terminal, the table so far stands under the bar.
fn tell(
    bar: &ProgressBar,
    news: &TournamentNews,
    options: &TournamentOptions,
    names: &[String],
    order: &[TieBreak],
) {
    let print = |line: String| {
        if bar.is_hidden() {
            // Who does not read it any more hears of it at the end.
            let _ = writeln!(io::stdout(), "{line}");
        } else {
            bar.println(line);
        }
    };
    match news {
        TournamentNews::Begins(round, plan) => {
            bar.inc_length(plan.seats().count() as u64);
            print(format!("Round {}{}", round + 1, idle(plan, names)));
        }
        TournamentNews::Ended(entry) => {
            bar.inc(1);
            let [red, black] = entry.seats.map(|seat| &names[seat]);
            let result = ["0-1", "1/2-1/2", "1-0"][entry.points.min(2)];
            let reason = &entry.reason;
            print(format!("  {red} - {black}  {result}  {reason}"));
        }
        TournamentNews::Over(history) => {
            bar.set_message(live(options, history, names, order));
        }
    }
}

fn live(
    options: &TournamentOptions,
    history: &History,
    names: &[String],
    order: &[TieBreak],
) -> String {
    let table = tournament::text(&options.format, history, names, order);
    format!("\n{table}")
}

/// Who sits out.
fn idle(plan: &Plan, names: &[String]) -> String {
    let idle: Vec<&str> = plan
        .byes
        .iter()
        .map(|&(player, _)| names[player].as_str())
        .collect();
    match idle[..] {
        [] => String::new(),
        _ => format!(", without an opponent: {}", idle.join(", ")),
    }
}
