//! Another program as a player, over pipes: UCCI or UCI, our own commands and
//! replies read backwards.

use super::player::{Answer, Fault, Player, Turn};
use crate::engine::{Ranks, ShownScore};
use crate::protocol::{Command, Dialect, Go, Placement, Reply};
use crate::rules::Game;
use crate::types::score::{mate_in, mated_in};
use crate::types::{Color, Move, Score};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How long a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To greet, or to say that it is ready.
    pub start: Duration,
    /// Beyond its time for a move, before it counts as hanging.
    pub think: Duration,
    /// For a move without a clock.
    pub untimed: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            think: Duration::from_secs(5),
            untimed: Duration::from_secs(120),
        }
    }
}

/// Lines that wait to be read; a program that prints more is held up until then.
const LINES_AHEAD: usize = 4_096;
/// The longest line that is looked at.
const MAX_LINE: u64 = 1 << 16;

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
    /// How long it may take.
    pub patience: Patience,
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
    lines: Receiver<Line>,
}

/// A line of the program and when it came.
#[derive(Debug)]
struct Line {
    text: Vec<u8>,
    at: Instant,
}

/// Sends on what the program prints, until either end is gone. A line without
/// end is cut into pieces: memory is bounded whatever is printed.
fn listen(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut text = Vec::new();
        let read = (&mut output).take(MAX_LINE).read_until(b'\n', &mut text);
        let at = Instant::now();
        if !matches!(read, Ok(1..)) || lines.send(Line { text, at }).is_err() {
            return;
        }
    }
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
        let (sender, lines) = sync_channel(LINES_AHEAD);
        std::thread::spawn(move || listen(output, &sender));
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

    /// The first reply that `wanted` makes something of, and when it came.
    fn wait<T>(
        &self,
        patience: Duration,
        launch: &Launch,
        mut wanted: impl FnMut(Reply) -> Option<T>,
    ) -> Result<(T, Instant), Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                // However much is printed, the deadline stands.
                Ok(line) if line.at > deadline => return Err(Fault::Hang),
                Ok(line) => {
                    let text = line.text.trim_ascii_end();
                    if let Some(found) = wanted(Reply::parse(text, launch.ranks)) {
                        return Ok((found, line.at));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hang),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash),
            }
        }
    }

    /// Forgets what was printed unasked, so that it answers no later question.
    fn forget_lines(&self) {
        for _ in self.lines.try_iter().take(2 * LINES_AHEAD) {}
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
        running.wait(launch.patience.start, launch, |reply| {
            matches!(reply, Reply::Greeted(_)).then_some(())
        })?;
        // No books in matches, unless the options behind this say so.
        let book = match launch.dialect {
            Dialect::Ucci => "usebook",
            Dialect::Uci => "OwnBook",
        };
        let no_book = (book.to_owned(), "false".to_owned());
        for (name, value) in std::iter::once(&no_book).chain(&launch.options) {
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
        let patience = self.launch.patience.start;
        running.wait(patience, &self.launch, |reply| {
            (reply == Reply::ReadyOk).then_some(())
        })?;
        Ok(())
    }

    fn ask(&self, running: &mut Running, game: &Game, turn: Turn) -> Result<Answer, Fault> {
        let launch = &self.launch;
        running.send(&Command::Position(placement(game)), launch)?;
        let go = go(turn, game.position().side_to_move(), launch.dialect);
        running.forget_lines();
        let start = Instant::now();
        running.send(&Command::Go(go), launch)?;
        let Patience { think, untimed, .. } = launch.patience;
        let patience = turn.allowance().map_or(untimed, |time| time + think);
        let mut score = None;
        let (mv, at) = running.wait(patience, launch, |reply| match reply {
            Reply::Info(info) => {
                if info.rank.is_none_or(|rank| rank == 1) {
                    score = info.score.map(internal).or(score);
                }
                None
            }
            Reply::BestMove(best) => Some(Ok(Some(best.mv))),
            Reply::NoMove => Some(Ok(None)),
            Reply::Text(text) => unreadable_answer(&text),
            _ => None,
        })?;
        Ok(Answer {
            mv: mv?,
            score,
            time: at.saturating_duration_since(start),
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

/// An answer whose move cannot be read, or is missing.
fn unreadable_answer(text: &str) -> Option<Result<Option<Move>, Fault>> {
    /// Enough to be recognized, and harmless in a table or a tag.
    const SHOWN: usize = 8;
    let mut words = text.split_whitespace();
    if !words.next()?.eq_ignore_ascii_case("bestmove") {
        return None;
    }
    Some(match words.next() {
        Some(word) => Err(Fault::IllegalMove(word.chars().take(SHOWN).collect())),
        None => Ok(None),
    })
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
            opponent_increment,
            moves_to_go,
        } => {
            go.moves_to_go = moves_to_go;
            if dialect == Dialect::Uci {
                go.times[side.index()] = millis(own);
                go.times[(!side).index()] = millis(opponent);
                go.increments[side.index()] = millis(increment);
                go.increments[(!side).index()] = millis(opponent_increment);
            } else {
                go.time = millis(own);
                go.increment = millis(increment);
                go.opponent_time = millis(opponent);
                go.opponent_increment = millis(opponent_increment);
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
