//! The loop between client and engine.
//!
//! A reader thread and the jobs of the engine send into one channel; this loop
//! alone owns the engine and writes. It knows which commands count in which
//! state, which must wait, and when to leave:
//!
//! - During a search only `isready`, `stop`, `ponderhit`, `probe`, greetings and
//!   the commands for people count; the rest is ignored.
//! - What follows a `stop` waits for the answer of the stopped search.
//! - In batch mode, and for commands given at the start, everything waits for
//!   the end of the search, unless only the client can end it.
//! - The end of the input is a `stop` and the last command, except right behind
//!   a command whose job ends by itself.

use super::console;
use super::input::{Input, spawn_reader};
use super::option_line::OptionLine;
use super::writer::Writer;
use super::{Command, CommandError, Dialect, Go, HashEntry, Placement, Reply};
use crate::engine::{
    Engine, GoRequest, Info, News, NoMove, OptionError, Output, ShownScore, options,
};
use crate::search::TableEntry;
use crate::types::Bound;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// Runs a benchmark with these arguments and prints its lines.
pub type BenchHook = fn(&[String], &mut dyn FnMut(String));

/// What the driver cannot do itself, because it lives above it.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// The command `bench`.
    pub bench: BenchHook,
    /// Whether a person sits at a terminal: then there is a banner, and unknown
    /// commands are reported.
    pub interactive: bool,
}

/// Why the driver has ended. None of it is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client said so.
    Quit,
    /// The client has closed our input.
    InputClosed,
    /// The client reads no more.
    OutputClosed,
}

/// Lines and news on their way to the driver.
const CHANNEL_CAPACITY: usize = 1_024;
/// How long a stopped search may take to end before we leave without it.
const LEAVING_PATIENCE: Duration = Duration::from_millis(300);
/// The end of the input this soon behind a command that takes time comes from a
/// script that wants the result, not from a client that has died; so does a
/// `quit` behind `bench` or `perft`.
const SCRIPT_HASTE: Duration = Duration::from_millis(200);

/// Speaks with a client until one of both leaves. `commands` are obeyed first,
/// each search to its end.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    hooks: Hooks,
    commands: Vec<Vec<u8>>,
) -> Ending {
    let (sender, receiver) = sync_channel(CHANNEL_CAPACITY);
    let for_news = sender.clone();
    let sink = Arc::new(move |news: News| {
        let _ = for_news.send(Input::News(news)); // the driver may have left
    });
    let mut driver = Driver {
        engine: Engine::new(sink),
        writer: Writer::new(output),
        hooks,
        receiver,
        queue: commands.into_iter().map(|line| (line, true)).collect(),
        stopping: false,
        ended_by_itself: false,
        started_by_script: false,
        job_started: Instant::now(),
        input_ended: false,
    };
    if let Err(error) = spawn_reader(input, sender) {
        log::error!("cannot start the reader thread: {error}");
        driver.input_ended = true;
    }
    let ending = driver.run();
    driver.engine.stop();
    ending.unwrap_or(Ending::OutputClosed)
}

struct Driver<W> {
    engine: Engine,
    writer: Writer<W>,
    hooks: Hooks,
    receiver: Receiver<Input>,
    /// Lines that wait, and whether they were given at the start.
    queue: VecDeque<(Vec<u8>, bool)>,
    /// A stop was sent to the running search.
    stopping: bool,
    /// The last search ended by itself and nothing was said since. A `stop` that
    /// crosses its answer must not be answered: the client would take that for
    /// the answer to its next `go`.
    ended_by_itself: bool,
    started_by_script: bool,
    job_started: Instant,
    input_ended: bool,
}

impl<W: Write> Driver<W> {
    /// # Errors
    /// If nobody reads the output.
    fn run(&mut self) -> io::Result<Ending> {
        if self.hooks.interactive {
            self.text(console::BANNER)?;
        }
        loop {
            while !self.must_wait() {
                let Some((line, from_script)) = self.queue.pop_front() else {
                    break;
                };
                if self.on_line(&line, from_script)? {
                    return Ok(Ending::Quit);
                }
            }
            if self.input_ended && self.queue.is_empty() {
                if !self.engine.is_busy() {
                    return Ok(Ending::InputClosed);
                }
                if !self.must_wait() {
                    self.stop()?;
                }
            }
            match self.next_input() {
                Some(Input::Line(line)) => {
                    if self.queue.is_empty() && !self.must_wait() || self.is_urgent(&line) {
                        if self.on_line(&line, false)? {
                            return Ok(Ending::Quit);
                        }
                    } else {
                        self.queue.push_back((line, false));
                    }
                }
                Some(Input::News(news)) => self.on_news(news)?,
                Some(Input::End) => self.on_end_of_input(),
                None => return Ok(Ending::InputClosed),
            }
        }
    }

    /// The next input; `None` if there will be none, or if a stopped search
    /// does not end after the client has left.
    fn next_input(&mut self) -> Option<Input> {
        if !(self.input_ended && self.stopping) {
            return self.receiver.recv().ok();
        }
        self.receiver.recv_timeout(2 * LEAVING_PATIENCE).ok()
    }

    /// Whether commands wait for the end of what is going on.
    fn must_wait(&self) -> bool {
        if !self.engine.is_busy() {
            return false;
        }
        let batch = self.engine.settings().batch || self.started_by_script;
        self.stopping || !self.engine.is_thinking() || batch && !self.engine.waits_for_client()
    }

    /// Whether a command may overtake those that wait: it ends a job that only
    /// prints lines.
    fn is_urgent(&self, line: &[u8]) -> bool {
        if !self.engine.is_busy() || self.engine.is_thinking() {
            return false;
        }
        match Command::parse(line, self.engine.settings().ranks) {
            Ok(Command::Stop) => true,
            Ok(Command::Quit) => self.job_started.elapsed() > SCRIPT_HASTE,
            _ => false,
        }
    }

    fn on_end_of_input(&mut self) {
        self.input_ended = true;
        if !self.engine.is_busy() || self.engine.waits_for_client() {
            return;
        }
        if self.job_started.elapsed() <= SCRIPT_HASTE {
            self.started_by_script = true;
        } else if !self.engine.is_thinking() {
            self.queue.clear();
            self.engine.stop();
            self.stopping = true;
        }
    }

    fn on_news(&mut self, news: News) -> io::Result<()> {
        let was_thinking = self.engine.is_thinking();
        let outputs = self.engine.on_news(news);
        self.write_outputs(outputs)?;
        self.after_job(was_thinking);
        Ok(())
    }

    /// Notes how a job has ended, if it has.
    fn after_job(&mut self, was_thinking: bool) {
        if !self.engine.is_busy() {
            self.ended_by_itself = was_thinking && !self.stopping;
            self.stopping = false;
            self.started_by_script = false;
        }
    }

    /// Obeys a line; true if it says to leave.
    fn on_line(&mut self, line: &[u8], from_script: bool) -> io::Result<bool> {
        if self.engine.settings().debug {
            let text = String::from_utf8_lossy(line);
            self.message(&format!("received [{text}]"))?;
        }
        match Command::parse(line, self.engine.settings().ranks) {
            Ok(Command::Quit) => {
                self.leave()?;
                return Ok(true);
            }
            Ok(Command::Stop) => self.stop()?,
            Ok(command) => {
                self.ended_by_itself = false;
                if self.engine.is_busy() {
                    self.obey_busy(command)?;
                } else {
                    self.obey_idle(command, from_script)?;
                }
            }
            Err(CommandError::Blank) => {}
            Err(error) => {
                log::debug!("{error}");
                self.explain(&error)?;
            }
        }
        Ok(false)
    }

    fn stop(&mut self) -> io::Result<()> {
        if self.engine.is_busy() {
            self.stopping = true;
            let outputs = self.engine.stop();
            self.write_outputs(outputs)?;
            self.after_job(false);
        } else if std::mem::take(&mut self.ended_by_itself) {
            log::debug!("this stop has crossed the answer");
        } else if self.writer.dialect == Some(Dialect::Ucci) {
            self.writer.write(&Reply::NoMove)?;
        }
        Ok(())
    }

    /// Commands that count while something is going on.
    fn obey_busy(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::PonderHit { draw } => {
                let outputs = self.engine.ponder_hit(draw);
                self.write_outputs(outputs)?;
                self.after_job(true);
                Ok(())
            }
            Command::Greeting(_)
            | Command::IsReady
            | Command::Probe(_)
            | Command::Display
            | Command::Eval
            | Command::Help => self.obey_any_time(command),
            other => {
                log::debug!("ignored during a search: {other:?}");
                Ok(())
            }
        }
    }

    fn obey_idle(&mut self, command: Command, from_script: bool) -> io::Result<()> {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Position(placement) => self.set_position(placement),
            Command::BanMoves(moves) => {
                self.engine.ban_moves(&moves);
                Ok(())
            }
            Command::Go(go) => {
                self.started_by_script = from_script;
                self.job_started = Instant::now();
                self.go(go)
            }
            Command::Perft(depth) => {
                self.job_started = Instant::now();
                let outputs = self.engine.perft(depth);
                self.write_outputs(outputs)
            }
            Command::Bench(arguments) => {
                self.job_started = Instant::now();
                let bench = self.hooks.bench;
                let job = Box::new(move |_: &_, print: &mut dyn FnMut(String)| {
                    bench(&arguments, print);
                });
                let outputs = self.engine.start_lines(job);
                self.write_outputs(outputs)
            }
            other => self.obey_any_time(other),
        }
    }

    /// Commands that do not disturb a search.
    fn obey_any_time(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Greeting(dialect) => self.greet(dialect),
            Command::IsReady => self.writer.write(&Reply::ReadyOk),
            Command::Probe(placement) => self.probe(&placement),
            Command::Display => self.texts(&self.engine.describe()),
            Command::Eval => self.texts(&self.engine.evaluation()),
            Command::Help => console::HELP.iter().try_for_each(|line| self.text(line)),
            _ => Ok(()), // nothing to do: ponderhit without a search, Cyclone's greeting
        }
    }

    fn greet(&mut self, dialect: Dialect) -> io::Result<()> {
        self.writer.dialect = Some(dialect);
        for line in console::identity(dialect) {
            self.writer.write(&line)?;
        }
        for row in options::TABLE {
            if let Some(line) = OptionLine::of(row, dialect) {
                self.writer.write(&Reply::Option(line))?;
            }
        }
        self.writer.write(&Reply::Greeted(dialect))
    }

    fn set_option(&mut self, name: &str, value: Option<&[u8]>) -> io::Result<()> {
        let result = self.engine.set_option(name, value);
        self.writer.ranks = self.engine.settings().ranks;
        match result {
            Ok(()) => Ok(()),
            Err(error @ OptionError::Memory { .. }) => self.message(&error.to_string()),
            Err(error) => {
                log::debug!("{error}");
                self.explain(&error)
            }
        }
    }

    fn set_position(&mut self, placement: Placement) -> io::Result<()> {
        let fen = placement.fen.as_deref();
        if let Err(error) = self.engine.set_position(fen, &placement.moves) {
            return self.message(&error.to_string());
        }
        match placement.unreadable {
            Some(word) => self.message(&format!(
                "Illegal move: '{word}' is not a move; the position before it holds"
            )),
            None => Ok(()),
        }
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        let side = self.engine.game().position().side_to_move();
        let mut limits = go.limits(side, self.engine.settings().use_millisec);
        if self.writer.written_dialect() == Dialect::Uci {
            // UCI has no way to answer with a score alone.
            limits.depth = limits.depth.map(|depth| depth.max(1));
        }
        let outputs = self.engine.go(GoRequest {
            limits,
            only_moves: go.search_moves,
            draw_offered: go.draw,
        });
        self.write_outputs(outputs)?;
        self.after_job(true);
        Ok(())
    }

    fn probe(&mut self, placement: &Placement) -> io::Result<()> {
        let fen = placement.fen.as_deref();
        let entry = match self.engine.probe(fen, &placement.moves) {
            Ok(entry) => entry,
            Err(error) => {
                log::debug!("{error}");
                None
            }
        };
        let entry = entry.map(hash_entry).unwrap_or_default();
        self.writer.write(&Reply::HashEntry(entry))
    }

    /// Stops what is going on, says good-bye, and waits a moment for the search
    /// to end.
    fn leave(&mut self) -> io::Result<()> {
        self.engine.stop();
        if self.writer.dialect == Some(Dialect::Ucci) {
            self.writer.write(&Reply::Bye)?;
        }
        let deadline = Instant::now() + LEAVING_PATIENCE;
        while self.engine.is_busy() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.receiver.recv_timeout(left) {
                Ok(Input::News(news)) => drop(self.engine.on_news(news)),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn write_outputs(&mut self, outputs: Vec<Output>) -> io::Result<()> {
        for output in outputs {
            match output {
                Output::Info(info) => {
                    if let Some(info) = self.fitted(info) {
                        self.writer.write(&Reply::Info(info))?;
                    }
                }
                Output::BestMove(best) => self.writer.write(&Reply::BestMove(best))?,
                Output::NoMove(reason) => self.no_move(reason)?,
                Output::Line(line) => self.text(&line)?,
            }
        }
        Ok(())
    }

    fn no_move(&mut self, reason: NoMove) -> io::Result<()> {
        if self.writer.written_dialect() == Dialect::Uci && reason == NoMove::Lost {
            self.writer.write(&Reply::Info(Info {
                depth: Some(0),
                score: Some(ShownScore::Mate(0)),
                ..Info::default()
            }))?;
        }
        self.writer.write(&Reply::NoMove)
    }

    /// A thinking line without what the clients of the dialect stumble over.
    fn fitted(&self, mut info: Info) -> Option<Info> {
        if self.writer.written_dialect() == Dialect::Uci {
            return Some(info);
        }
        if !info.is_exact() {
            return None; // UCCI has no word for a bound
        }
        let settings = self.engine.settings();
        if settings.multi_pv == 1 {
            info.rank = None;
        }
        if info.current_move.is_some() {
            info.depth = None;
        }
        info.current_number = None;
        info.table_hits = None;
        if !settings.debug {
            info.selective_depth = None;
            info.hashfull = None;
        }
        Some(info)
    }

    /// An oddity, for those who want to know.
    fn explain(&mut self, error: &dyn std::error::Error) -> io::Result<()> {
        if self.hooks.interactive || self.engine.settings().debug {
            self.message(&error.to_string())?;
        }
        Ok(())
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.writer.write(&Reply::Info(Info::message(text)))
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.writer.write(&Reply::Text(text.to_owned()))
    }

    fn texts(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.text(line))
    }
}

fn hash_entry(entry: TableEntry) -> HashEntry {
    let bound = Some((ShownScore::from(entry.score), entry.depth.max(0) as u32));
    HashEntry {
        best: entry.best,
        lower: bound.filter(|_| entry.bound != Bound::Upper),
        upper: bound.filter(|_| entry.bound != Bound::Lower),
    }
}
