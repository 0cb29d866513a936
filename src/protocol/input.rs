//! The reader thread: bytes in, lines out.
//!
//! Lines may have to wait, for instance for a stopped search. A [`Gate`] bounds
//! how much waits: a client that writes faster than we obey fills its pipe, not
//! our memory.

use crate::engine::News;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// What the driver waits for.
pub(super) enum Input {
    /// A line without its end.
    Line(Vec<u8>),
    /// The client is gone.
    End,
    /// A job of the engine has something to tell.
    News(News),
}

/// Lets lines in while there is room.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// Bytes of lines that were read and not yet obeyed; `None`: nobody obeys
    /// any more.
    waiting: Mutex<Option<usize>>,
    room: Condvar,
}

/// Room for lines that wait.
const ROOM_BYTES: usize = 4 << 20;
/// What a line takes besides its text.
const LINE_OVERHEAD: usize = 64;

impl Gate {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            waiting: Mutex::new(Some(0)),
            room: Condvar::new(),
        })
    }

    /// Waits until the line has room; false if it is not wanted any more. An
    /// empty gate takes any line.
    fn enter(&self, line: &[u8]) -> bool {
        let is_full = |waiting: &mut Option<usize>| {
            waiting.is_some_and(|bytes| bytes > 0 && bytes + cost(line) > ROOM_BYTES)
        };
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = self.room.wait_while(waiting, is_full);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        match &mut *waiting {
            Some(bytes) => {
                *bytes += cost(line);
                true
            }
            None => false,
        }
    }

    /// The line is being obeyed.
    pub(super) fn leave(&self, line: &[u8]) {
        self.change(|bytes| Some(bytes.saturating_sub(cost(line))));
    }

    /// No more lines are wanted.
    pub(super) fn close(&self) {
        self.change(|_| None);
    }

    fn change(&self, to: impl FnOnce(usize) -> Option<usize>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = waiting.and_then(to);
        self.room.notify_all();
    }
}

fn cost(line: &[u8]) -> usize {
    line.len() + LINE_OVERHEAD
}

/// Longer lines lose their tail. A game of 100,000 plies takes half of it.
const MAX_LINE: usize = 1 << 20;

/// Reads lines until the end of the input or of the driver.
pub(super) fn spawn_reader(
    input: impl Read + Send + 'static,
    sender: SyncSender<Input>,
    gate: Arc<Gate>,
) -> std::io::Result<()> {
    let builder = thread::Builder::new().name("reader".to_owned());
    let read = move || {
        let mut input = BufReader::new(input);
        while let Some(line) = read_line(&mut input) {
            if !gate.enter(&line) || sender.send(Input::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(Input::End); // nobody listens: nothing to end
    };
    builder.spawn(read).map(drop)
}

/// The next line without LF or CR LF, cut at [`MAX_LINE`]; `None` at the end.
/// A last line without an end counts.
fn read_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let mut seen_any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return seen_any.then_some(line),
        };
        if buffer.is_empty() {
            return seen_any.then_some(line);
        }
        seen_any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Some(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input)).collect()
    }

    #[test]
    fn lines_end_with_lf_or_crlf_or_the_input() {
        let expected: Vec<Vec<u8>> = vec![b"uci".into(), b"".into(), b"\xcf\xf3 x".into()];
        assert_eq!(lines(b"uci\r\n\n\xcf\xf3 x"), expected);
        assert_eq!(lines(b"uci\n\r\n\xcf\xf3 x\n"), expected);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn the_gate_holds_what_has_no_room() {
        let gate = Gate::new();
        let line = vec![b'x'; ROOM_BYTES];
        assert!(gate.enter(&line), "the first line always fits");
        thread::scope(|scope| {
            let second = scope.spawn(|| gate.enter(b"y"));
            gate.leave(&line);
            assert!(second.join().unwrap());
            let third = scope.spawn(|| gate.enter(&line));
            gate.close();
            assert!(!third.join().unwrap());
        });
    }

    #[test]
    fn endless_lines_are_cut() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nquit\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1], b"quit");
    }
}
