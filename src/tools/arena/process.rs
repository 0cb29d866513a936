//! Another program as a player, over pipes: UCCI or UCI, our own commands and
//! replies read backwards.

use super::player::{Answer, Fault, Player, Turn};
use crate::engine::{Ranks, ShownScore};
use crate::protocol::{Command, Dialect, Go, Placement, Reply};
use crate::rules::Game;
use crate::types::score::{mate_in, mated_in};
use crate::types::{Color, Score};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a program may take to greet, or to say that it is ready.
const START_PATIENCE: Duration = Duration::from_secs(10);
/// How long beyond its time a program may take before it counts as hanging.
const THINK_PATIENCE: Duration = Duration::from_secs(5);
/// How long a search without a clock may take.
const UNTIMED_PATIENCE: Duration = Duration::from_secs(120);

/// How to start a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    pub dialect: Dialect,
    /// How it counts ranks.
    pub ranks: Ranks,
    /// Options, name and value.
    pub options: Vec<(String, String)>,
}

/// A program that plays.
#[derive(Debug)]
pub struct Process {
    launch: Launch,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Vec<u8>>,
}

impl Drop for Running {
    /// Leaves no process behind.
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let deadline = Instant::now() + Duration::from_millis(500);
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(launch: &Launch) -> Result<Self, Fault> {
        let (program, arguments) = launch
            .command
            .split_first()
            .ok_or_else(|| Fault::NoStart("no program named".to_owned()))?;
        let mut child = std::process::Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Fault::NoStart(format!("cannot start {program}: {error}")))?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = pipes else {
            return Err(Fault::NoStart(format!("{program} has no pipes")));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            input,
            lines,
        })
    }

    fn send(&mut self, command: &Command, launch: &Launch) -> Result<(), Fault> {
        let mut line = command.print(launch.dialect, launch.ranks);
        line.push(b'\n');
        self.input.write_all(&line).map_err(|_| Fault::Crash)
    }

    /// The first reply that `wanted` makes something of.
    fn wait<T>(
        &self,
        patience: Duration,
        launch: &Launch,
        mut wanted: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Some(found) = wanted(Reply::parse(&line, launch.ranks)) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hang),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash),
            }
        }
    }
}

impl Process {
    /// A program that is started when its first game begins, and again after a
    /// crash.
    pub fn new(launch: Launch) -> Self {
        Self {
            launch,
            running: None,
        }
    }

    fn greet(&self, running: &mut Running) -> Result<(), Fault> {
        let launch = &self.launch;
        running.send(&Command::Greeting(launch.dialect), launch)?;
        running.wait(START_PATIENCE, launch, |reply| {
            matches!(reply, Reply::Greeted(_)).then_some(())
        })?;
        for (name, value) in &launch.options {
            let option = Command::SetOption {
                name: name.clone(),
                value: Some(value.clone().into_bytes()),
            };
            running.send(&option, launch)?;
        }
        Ok(())
    }

    fn ready(&self, running: &mut Running) -> Result<(), Fault> {
        running.send(&Command::IsReady, &self.launch)?;
        running.wait(START_PATIENCE, &self.launch, |reply| {
            (reply == Reply::ReadyOk).then_some(())
        })
    }

    fn ask(&self, running: &mut Running, game: &Game, turn: Turn) -> Result<Answer, Fault> {
        let launch = &self.launch;
        running.send(&Command::Position(placement(game)), launch)?;
        let go = go(turn, game.position().side_to_move(), launch.dialect);
        let start = Instant::now();
        running.send(&Command::Go(go), launch)?;
        let patience = turn
            .allowance()
            .map_or(UNTIMED_PATIENCE, |time| time + THINK_PATIENCE);
        let mut score = None;
        let mv = running.wait(patience, launch, |reply| match reply {
            Reply::Info(info) => {
                if info.rank.is_none_or(|rank| rank == 1) {
                    score = info.score.map(internal).or(score);
                }
                None
            }
            Reply::BestMove(best) => Some(Some(best.mv)),
            Reply::NoMove => Some(None),
            _ => None,
        })?;
        Ok(Answer {
            mv,
            score,
            time: start.elapsed(),
        })
    }
}

impl Player for Process {
    fn new_game(&mut self) -> Result<(), Fault> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let mut running = Running::start(&self.launch)?;
                self.greet(&mut running)?;
                running
            }
        };
        running.send(&Command::NewGame, &self.launch)?;
        self.ready(&mut running)?;
        self.running = Some(running);
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: Turn) -> Result<Answer, Fault> {
        let mut running = self.running.take().ok_or(Fault::Crash)?;
        let answer = self.ask(&mut running, game, turn)?;
        // A program that failed is dropped, and started afresh for its next game.
        self.running = Some(running);
        Ok(answer)
    }
}

/// The start of the line and all moves since.
fn placement(game: &Game) -> Placement {
    let (start, moves) = game.start_and_moves();
    Placement {
        fen: Some(start.to_fen()),
        moves,
        unreadable: None,
    }
}

fn go(turn: Turn, side: Color, dialect: Dialect) -> Go {
    let millis = |time: Duration| Some(time.as_millis() as i64);
    let mut go = Go::default();
    match turn {
        Turn::Nodes(nodes) | Turn::SoftNodes(nodes) => go.nodes = Some(nodes),
        Turn::Depth(depth) => go.depth = Some(depth),
        Turn::MoveTime(time) if dialect == Dialect::Uci => go.move_time = millis(time),
        Turn::MoveTime(time) => {
            go.time = millis(time);
            go.moves_to_go = Some(1);
        }
        Turn::Clock {
            own,
            opponent,
            increment,
            moves_to_go,
        } => {
            go.moves_to_go = moves_to_go;
            if dialect == Dialect::Uci {
                go.times[side.index()] = millis(own);
                go.times[(!side).index()] = millis(opponent);
                go.increments = [millis(increment); 2];
            } else {
                go.time = millis(own);
                go.increment = millis(increment);
                go.opponent_time = millis(opponent);
                go.opponent_increment = millis(increment);
            }
        }
    }
    go
}

/// A score as shown, on the scale of our own.
fn internal(score: ShownScore) -> Score {
    match score {
        ShownScore::Cp(score) => score,
        ShownScore::Mate(plies) if plies > 0 => mate_in(plies as usize),
        ShownScore::Mate(plies) => mated_in(plies.unsigned_abs() as usize),
    }
}
