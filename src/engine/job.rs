//! Threads that work while the client is listened to.
//!
//! Whatever takes time (a search, perft, bench) runs on a thread of its own and
//! sends [`News`] to whoever owns the engine. A job that panics is caught here:
//! the failure becomes a piece of news, too.

use super::Ranks;
use crate::position::{Level, Position, perft};
use crate::search::{Event, Outcome, Request, STACK_BYTES, Searcher, Signals};
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

/// What a job has to tell.
#[derive(Debug)]
pub enum News {
    /// Progress of a search.
    Search(Event),
    /// A search has ended, or failed with this report.
    Searched(Result<Box<Finished>, String>),
    /// A line of text.
    Line(String),
    /// A job that prints lines has ended, or failed with this report.
    Done(Result<(), String>),
}

/// The end of a search.
#[derive(Debug)]
pub struct Finished {
    /// The searcher comes home.
    pub(super) searcher: Searcher,
    /// What it found.
    pub(super) outcome: Outcome,
}

/// Where news go. They may come from several threads.
pub type Sink = Arc<dyn Fn(News) + Send + Sync>;

/// A job that prints lines, such as a bench; it may look at the signals and end
/// early.
pub type LineJob = Box<dyn FnOnce(&Signals, &mut dyn FnMut(String)) + Send>;

/// Starts a search.
///
/// # Errors
/// If the system has no thread to give; the searcher is lost then.
pub(super) fn search(
    mut searcher: Searcher,
    request: Request,
    signals: Arc<Signals>,
    sink: Sink,
) -> io::Result<()> {
    spawn("search", move || {
        let mut report = |event| sink(News::Search(event));
        let run = || searcher.search(&request, &signals, &mut report);
        let result = catch_unwind(AssertUnwindSafe(run));
        sink(News::Searched(match result {
            Ok(outcome) => Ok(Box::new(Finished { searcher, outcome })),
            Err(panic) => Err(describe(&*panic)),
        }));
    })
}

/// Starts a job that prints lines.
///
/// # Errors
/// If the system has no thread to give.
pub(super) fn lines(job: LineJob, signals: Arc<Signals>, sink: Sink) -> io::Result<()> {
    spawn("lines", move || {
        let mut print = |line| sink(News::Line(line));
        let result = catch_unwind(AssertUnwindSafe(|| job(&signals, &mut print)));
        sink(News::Done(result.map_err(|panic| describe(&*panic))));
    })
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn(work).map(drop)
}

fn describe(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    text.or(owned).unwrap_or("unknown failure").to_owned()
}

/// Subtrees of this depth are counted without looking at the signals: a few
/// milliseconds.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// Deeper than any perft that ends; shallow enough for the stack.
const MAX_PERFT_DEPTH: u32 = 60;

/// Perft with a line for each root move and the total at the end. A stop leaves
/// the rest out.
pub(super) fn divide(
    mut position: Position,
    depth: u32,
    ranks: Ranks,
    signals: &Signals,
    print: &mut dyn FnMut(String),
) {
    let depth = depth.min(MAX_PERFT_DEPTH);
    let level = Level::detect();
    let mut total = u64::from(depth == 0);
    if depth > 0 {
        for mv in position.legal_moves() {
            let undo = position.make(mv);
            let nodes = count(&mut position, depth - 1, level, signals);
            position.unmake(&undo);
            if signals.is_stopped() {
                return;
            }
            print(format!("{}: {nodes}", ranks.text(mv)));
            total = total.saturating_add(nodes);
        }
    }
    print(String::new());
    print(format!("Nodes searched: {total}"));
}

fn count(position: &mut Position, depth: u32, level: Level, signals: &Signals) -> u64 {
    if depth <= UNINTERRUPTED_DEPTH {
        return perft(position, depth, level);
    }
    let mut nodes = 0u64;
    for mv in position.legal_moves() {
        if signals.is_stopped() {
            break;
        }
        let undo = position.make(mv);
        nodes = nodes.saturating_add(count(position, depth - 1, level, signals));
        position.unmake(&undo);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(depth: u32, signals: &Signals) -> Vec<String> {
        let mut lines = Vec::new();
        divide(
            Position::start(),
            depth,
            Ranks::FromZero,
            signals,
            &mut |line| {
                lines.push(line);
            },
        );
        lines
    }

    #[test]
    fn divide_counts_and_stops() {
        let lines = divided(2, &Signals::new(false));
        assert_eq!(lines.len(), 44 + 2);
        assert!(lines.contains(&"h2e2: 45".to_owned()), "{lines:?}");
        assert_eq!(lines[45], "Nodes searched: 1920");
        assert_eq!(divided(0, &Signals::new(false))[1], "Nodes searched: 1");

        let signals = Signals::new(false);
        signals.stop();
        assert!(divided(40, &signals).is_empty());
    }
}
