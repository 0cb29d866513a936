//! What the commands do, idle and during a search.
//!
//! During a search only `isready`, `stop`, `ponderhit`, `probe`, greetings and
//! the commands for people count; the rest is ignored.

use super::console;
use super::driver::{Driver, LEAVING_PATIENCE};
use super::input::Input;
use super::option_line::OptionLine;
use super::{Command, CommandError, Dialect, Go, HashEntry, Placement, Reply};
use crate::engine::{GoRequest, Info, OptionError, Output, ShownScore, options};
use crate::search::TableEntry;
use crate::types::Bound;
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> Driver<W> {
    /// Obeys a line; true if it says to leave.
    ///
    /// # Errors
    /// If nobody reads the output, as everything here.
    pub(super) fn on_line(&mut self, line: &[u8], from_script: bool) -> io::Result<bool> {
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
            Err(error) => self.explain(&error)?,
        }
        Ok(false)
    }

    pub(super) fn stop(&mut self) -> io::Result<()> {
        if self.engine.is_busy() {
            self.stopped_at = Some(Instant::now());
            let outputs = self.engine.stop();
            self.show(outputs)?;
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
                self.show(outputs)?;
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
                let request = self.go_request(go);
                self.begin_job(from_script);
                let outputs = self.engine.go(request);
                self.show(outputs)?;
                self.after_job(true);
                Ok(())
            }
            Command::Perft(depth) => {
                self.begin_job(from_script);
                let outputs = self.engine.perft(depth);
                self.show(outputs)
            }
            Command::Bench(arguments) => {
                self.begin_job(from_script);
                let bench = self.hooks.bench;
                let outputs = self.engine.start_lines(Box::new(move |signals, print| {
                    bench(&arguments, signals, print);
                }));
                self.show(outputs)
            }
            other => self.obey_any_time(other),
        }
    }

    fn begin_job(&mut self, from_script: bool) {
        self.job_started = Instant::now();
        self.started_by_script = from_script;
    }

    /// Commands that do not disturb a search.
    fn obey_any_time(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Greeting(dialect) => self.greet(dialect),
            Command::IsReady => self.writer.write(&Reply::ReadyOk),
            Command::Probe(placement) => self.probe(&placement),
            Command::Display => self.texts(self.engine.describe()),
            Command::Eval => self.texts(self.engine.evaluation()),
            Command::Help => self.texts(console::HELP.iter().map(|&line| line.to_owned())),
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
            Err(
                error @ (OptionError::Memory { .. }
                | OptionError::Network(_)
                | OptionError::Book(_)),
            ) => self.message(&error.to_string()),
            Err(error) => self.explain(&error),
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

    fn go_request(&self, go: Go) -> GoRequest {
        let side = self.engine.game().position().side_to_move();
        let mut limits = go.limits(side, self.engine.settings().use_millisec);
        if self.writer.written_dialect() == Dialect::Uci {
            // UCI has no way to answer with a score alone.
            limits.depth = limits.depth.map(|depth| depth.max(1));
        }
        GoRequest {
            limits,
            only_moves: go.search_moves,
            draw_offered: go.draw,
        }
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

    pub(super) fn show(&mut self, outputs: Vec<Output>) -> io::Result<()> {
        let settings = self.engine.settings();
        let mut outputs = outputs.into_iter();
        outputs.try_for_each(|output| self.writer.show(output, settings))
    }

    /// An oddity, for those who want to know.
    fn explain(&mut self, error: &dyn std::error::Error) -> io::Result<()> {
        log::debug!("{error}");
        if self.hooks.interactive || self.engine.settings().debug {
            self.message(&error.to_string())?;
        }
        Ok(())
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.writer.write(&Reply::Info(Info::message(text)))
    }

    fn texts(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut lines = lines.into_iter();
        lines.try_for_each(|line| self.writer.write(&Reply::Text(line)))
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
