//! The reader thread: bytes in, lines out.

use crate::engine::News;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;
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

/// Longer lines lose their tail. A game of 100,000 plies takes half of it.
const MAX_LINE: usize = 1 << 20;

/// Reads lines until the end of the input or of the driver.
pub(super) fn spawn_reader(
    input: impl Read + Send + 'static,
    sender: SyncSender<Input>,
) -> std::io::Result<()> {
    let builder = thread::Builder::new().name("reader".to_owned());
    let read = move || {
        let mut input = BufReader::new(input);
        while let Some(line) = read_line(&mut input) {
            if sender.send(Input::Line(line)).is_err() {
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
    fn endless_lines_are_cut() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nquit\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1], b"quit");
    }
}
