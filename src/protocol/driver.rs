//! The loop between client and engine.
//!
//! A reader thread and the jobs of the engine send into one channel; this loop
//! alone owns the engine and writes. It knows what must wait and when to leave:
//!
//! - What follows a `stop` waits for the answer of the stopped search, and for
//!   its end, where a busy machine lets it come after the answer.
//! - In batch mode, and for commands given at the start, everything waits for
//!   the end of a search, unless only the client can end it.
//! - A job that prints lines (bench, perft) lets everything wait but a `stop`.
//! - The end of the input is the last command, and a `stop` for whatever does
//!   not end soon by itself.
//!
//! What the commands do stands in `obey`.

use super::console;
use super::input::{Gate, Input, spawn_reader};
use super::writer::Writer;
use super::{Command, Reply};
use crate::engine::{Engine, News};
use crate::search::Signals;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Runs a benchmark with these arguments until it is done or the signals say
/// stop, and prints its lines.
pub type BenchHook = fn(&[String], &Signals, &mut dyn FnMut(String));

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
pub(super) const LEAVING_PATIENCE: Duration = Duration::from_millis(300);
/// How long a search that ends by itself may take when the input has ended.
const LAST_SEARCH_TIME: Duration = Duration::from_secs(1);
/// A `quit` or the end of the input this soon behind `bench` or `perft` comes
/// from a script that wants the result, not from somebody who is tired of it.
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
    let gate = Gate::new();
    let mut driver = Driver {
        engine: Engine::new(sink),
        writer: Writer::new(output),
        hooks,
        receiver,
        gate: Arc::clone(&gate),
        queue: commands.into_iter().map(|line| (line, true)).collect(),
        stopped_at: None,
        ended_by_itself: false,
        started_by_script: false,
        job_started: Instant::now(),
        input_ended_at: None,
    };
    if let Err(error) = spawn_reader(input, sender, Arc::clone(&gate)) {
        log::error!("cannot start the reader thread: {error}");
        driver.input_ended_at = Some(Instant::now());
    }
    let ending = driver.run();
    driver.engine.stop();
    gate.close();
    ending.unwrap_or(Ending::OutputClosed)
}

pub(super) struct Driver<W> {
    pub(super) engine: Engine,
    pub(super) writer: Writer<W>,
    pub(super) hooks: Hooks,
    pub(super) receiver: Receiver<Input>,
    gate: Arc<Gate>,
    /// Lines that wait, and whether they were given at the start.
    queue: VecDeque<(Vec<u8>, bool)>,
    /// When a stop was sent to the running job.
    pub(super) stopped_at: Option<Instant>,
    /// The last search ended by itself and nothing was said since. A `stop` that
    /// crosses its answer must not be answered: the client would take that for
    /// the answer to its next `go`.
    pub(super) ended_by_itself: bool,
    /// The running job was started by a command given at the start.
    pub(super) started_by_script: bool,
    pub(super) job_started: Instant,
    input_ended_at: Option<Instant>,
}

impl<W: Write> Driver<W> {
    /// # Errors
    /// If nobody reads the output.
    fn run(&mut self) -> io::Result<Ending> {
        if self.hooks.interactive {
            self.writer
                .write(&Reply::Text(console::BANNER.to_owned()))?;
        }
        loop {
            while !self.must_wait() {
                let Some((line, from_script)) = self.queue.pop_front() else {
                    break;
                };
                if !from_script {
                    self.gate.leave(&line);
                }
                if self.on_line(&line, from_script)? {
                    return Ok(Ending::Quit);
                }
            }
            if self.input_ended_at.is_some() && self.queue.is_empty() && !self.engine.is_busy() {
                return Ok(Ending::InputClosed);
            }
            match self.next_input() {
                Ok(Input::Line(line)) => {
                    if self.can_overtake(&line) {
                        self.gate.leave(&line);
                        if self.on_line(&line, false)? {
                            return Ok(Ending::Quit);
                        }
                    } else {
                        self.queue.push_back((line, false));
                    }
                }
                Ok(Input::News(news)) => self.on_news(news)?,
                Ok(Input::End) => self.input_ended_at = Some(Instant::now()),
                Err(RecvTimeoutError::Timeout) if self.is_answer_due() => {
                    let outputs = self.engine.answer_now();
                    self.show(outputs)?;
                }
                Err(RecvTimeoutError::Timeout) if self.stopped_at.is_none() => self.stop()?,
                Err(_) => return Ok(Ending::InputClosed),
            }
        }
    }

    fn next_input(&self) -> Result<Input, RecvTimeoutError> {
        let deadlines = self.deadline().into_iter().chain(self.engine.answer_due());
        match deadlines.min() {
            None => Ok(self.receiver.recv()?),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.receiver.recv_timeout(left)
            }
        }
    }

    fn is_answer_due(&self) -> bool {
        self.engine
            .answer_due()
            .is_some_and(|due| due <= Instant::now())
    }

    /// Until when to wait once the input has ended: for the end of what is
    /// going on before it is stopped, and for the answer after that. `None`: as
    /// long as it takes.
    fn deadline(&self) -> Option<Instant> {
        let input_ended_at = self.input_ended_at?;
        if let Some(stopped_at) = self.stopped_at {
            return Some(stopped_at + 2 * LEAVING_PATIENCE);
        }
        if !self.engine.is_thinking() {
            let in_haste = input_ended_at <= self.job_started + SCRIPT_HASTE;
            let wanted = in_haste || self.is_batch();
            return (!wanted).then_some(input_ended_at);
        }
        if self.engine.waits_for_client() {
            return Some(input_ended_at);
        }
        (!self.is_batch()).then(|| self.job_started + LAST_SEARCH_TIME)
    }

    fn is_batch(&self) -> bool {
        self.engine.settings().batch || self.started_by_script
    }

    /// Whether commands wait for the end of what is going on.
    fn must_wait(&self) -> bool {
        if !self.engine.is_busy() {
            return false;
        }
        let to_the_end = self.is_batch() && !self.engine.waits_for_client();
        let ends = self.stopped_at.is_some() || self.engine.has_answered();
        ends || !self.engine.is_thinking() || to_the_end
    }

    /// Whether a command need not wait: because nothing does, or because it
    /// ends a job that only prints lines.
    fn can_overtake(&self, line: &[u8]) -> bool {
        if !self.must_wait() {
            return true; // then the queue is empty, too
        }
        if self.engine.is_thinking() {
            return false;
        }
        let in_haste = self.job_started.elapsed() <= SCRIPT_HASTE;
        match Command::parse(line, self.engine.settings().ranks) {
            Ok(Command::Stop) => !in_haste || self.queue.is_empty(),
            Ok(Command::Quit) => !in_haste || self.stopped_at.is_some(),
            _ => false,
        }
    }

    fn on_news(&mut self, news: News) -> io::Result<()> {
        let was_thinking = self.engine.is_thinking();
        let outputs = self.engine.on_news(news);
        self.show(outputs)?;
        self.after_job(was_thinking);
        Ok(())
    }

    /// Notes how a job has ended, if it has.
    pub(super) fn after_job(&mut self, was_thinking: bool) {
        if !self.engine.is_busy() {
            self.ended_by_itself = was_thinking && self.stopped_at.is_none();
            self.stopped_at = None;
            self.started_by_script = false;
        }
    }
}
