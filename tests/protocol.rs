//! Dialogues with the real binary, one per client, from `data/transcripts`.
//!
//! A transcript is read line by line:
//!
//! ```text
//! # remark
//! @ A | B      arguments of the program
//! > LINE       send the line; \n, \r, \\ and \xNN stand for bytes
//! >> LINE      the same without an end of line
//! < PATTERN    a line that matches must come; others before it are skipped
//! ! PATTERN    no such line may come before the next < line is found
//! ~ MS         wait
//! ^            close the input
//! $            the program must end, with exit code 0
//! ```
//!
//! In a pattern `*` stands for any text. The whole line must match.
//!
//! `CHUHE_COMMAND` names another program to talk to, in words parted by spaces: a
//! build for another system behind its emulator, as `qemu-aarch64 FILE`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long an expected line may take.
const PATIENCE: Duration = Duration::from_secs(20);

struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines that have come and were not looked for yet.
    pending: Vec<String>,
    forbidden: Vec<String>,
}

impl Session {
    fn start(arguments: &[&str]) -> Self {
        let mut child = program()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = child.stdout.take().expect("it is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
                let text = String::from_utf8_lossy(&line);
                let _ = sender.send(text.trim_end_matches('\n').to_owned());
                line.clear();
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            pending: Vec::new(),
            forbidden: Vec::new(),
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the input is closed")?;
        input.write_all(bytes).map_err(|error| error.to_string())
    }

    fn drain(&mut self) -> Result<(), String> {
        self.pending.extend(self.lines.try_iter());
        self.pending.iter().try_for_each(|line| self.check(line))
    }

    fn check(&self, line: &str) -> Result<(), String> {
        match self.forbidden.iter().find(|pattern| matches(pattern, line)) {
            Some(pattern) => Err(format!("'{line}' must not come ({pattern})")),
            None => Ok(()),
        }
    }

    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        let mut skipped = Vec::new();
        loop {
            while !self.pending.is_empty() {
                let line = self.pending.remove(0);
                if matches(pattern, &line) {
                    self.forbidden.clear();
                    return Ok(());
                }
                self.check(&line)?;
                skipped.push(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.pending.push(line),
                Err(error) => {
                    let why = match error {
                        RecvTimeoutError::Timeout => "in time",
                        RecvTimeoutError::Disconnected => "before the output ended",
                    };
                    let seen = skipped.join("\n    ");
                    return Err(format!("expected '{pattern}' {why}, got\n    {seen}"));
                }
            }
        }
    }

    fn expect_end(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return match status.code() {
                    Some(0) => self.check_silence(),
                    code => Err(format!("exit code {code:?}")),
                };
            }
            thread::sleep(Duration::from_millis(5));
        }
        Err("the program does not end".to_owned())
    }

    /// Nothing may be on the error stream of a session that went well.
    fn check_silence(&mut self) -> Result<(), String> {
        let mut errors = String::new();
        if let Some(mut stream) = self.child.stderr.take() {
            let _ = stream.read_to_string(&mut errors);
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(format!("on the error stream: {errors}"))
        }
    }

    fn obey(&mut self, step: &str) -> Result<(), String> {
        let (kind, rest) = step.split_once(' ').unwrap_or((step, ""));
        match kind {
            ">" => self.send(&[&bytes(rest)[..], b"\n"].concat()),
            ">>" => self.send(&bytes(rest)),
            "<" => self.expect(rest),
            "!" => {
                self.forbidden.push(rest.to_owned());
                Ok(())
            }
            "~" => {
                let wait = rest.parse().map_err(|_| "a number of milliseconds")?;
                thread::sleep(Duration::from_millis(wait));
                self.drain()
            }
            "^" => {
                self.input = None;
                Ok(())
            }
            "$" => self.expect_end(),
            _ => Err("not a step".to_owned()),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program under test, without arguments.
fn program() -> Command {
    let command = std::env::var("CHUHE_COMMAND").unwrap_or_default();
    let mut words = command.split_whitespace();
    let mut program = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_chuhe")));
    program.args(words);
    program
}

/// Whether the whole line matches a pattern with `*` for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, .., last] = &parts[..] else {
        return pattern == line;
    };
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for part in &parts[1..parts.len() - 1] {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The bytes of a text with escapes.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            bytes.extend(letter.to_string().bytes());
            continue;
        }
        match letters.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('x') => {
                let digits: String = letters.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).expect("two hexadecimal digits"));
            }
            Some(other) => bytes.extend(other.to_string().bytes()),
            None => {}
        }
    }
    bytes
}

/// Plays a transcript; what went wrong, with the line.
fn play(text: &str) -> Result<(), String> {
    let arguments = text.lines().find_map(|line| line.strip_prefix("@ "));
    let arguments: Vec<&str> = arguments.map_or(Vec::new(), |line| line.split(" | ").collect());
    let mut session = Session::start(&arguments);
    for (index, step) in text.lines().enumerate() {
        if step.is_empty() || step.starts_with(['#', '@']) {
            continue;
        }
        let result = session.obey(step);
        result.map_err(|error| format!("line {}, '{step}': {error}", index + 1))?;
    }
    Ok(())
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    names.sort();
    assert!(names.len() > 20);
    // Two at a time: most of them wait most of the time.
    let (left, right) = names.split_at(names.len() / 2);
    let failures = thread::scope(|scope| {
        let halves = [left, right].map(|half| scope.spawn(|| play_all(half)));
        halves
            .map(|half| half.join().expect("no step panics"))
            .concat()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn play_all(names: &[std::path::PathBuf]) -> Vec<String> {
    let mut failures = Vec::new();
    for name in names {
        let text = fs::read_to_string(name).expect("it can be read");
        if let Err(error) = play(&text) {
            failures.push(format!("{}: {error}", name.display()));
        }
    }
    failures
}

#[test]
fn patterns() {
    for (pattern, line) in [
        ("readyok", "readyok"),
        ("bestmove *", "bestmove h2e2"),
        (
            "info depth * score * pv h2e2*",
            "info depth 3 score 4 nps 7 pv h2e2",
        ),
        ("*", ""),
    ] {
        assert!(matches(pattern, line), "{pattern}");
    }
    for (pattern, line) in [
        ("ready", "readyok"),
        ("a*b*b", "ab"),
        ("*move", "bestmove h2e2"),
    ] {
        assert!(!matches(pattern, line), "{pattern}");
    }
}
