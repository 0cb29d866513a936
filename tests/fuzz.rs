//! The whole driver, in process, fed with mixtures of good and damaged lines.
//!
//! Nothing is checked but that it ends, without a panic, and that it still
//! answers afterwards. The normal run is short; the long one is for releases:
//! `cargo test --release --test fuzz -- --ignored`.

use chuhe::position::Setup;
use chuhe::protocol::{Ending, Hooks, run};
use proptest::prelude::*;
use proptest::sample::Index;
use std::io::Cursor;
use std::time::Instant;

const HOOKS: Hooks = Hooks {
    bench: |arguments, _, print| print(format!("{} nodes 1 nps", arguments.len())),
    interactive: false,
};

/// Lines that mean something, commands that take long left out.
const LINES: &[&str] = &[
    "ucci",
    "uci",
    "ucicyclone",
    "isready",
    "setoption usemillisec false",
    "setoption usemillisec on",
    "setoption batch true",
    "setoption batch false",
    "setoption debug true",
    "setoption name Hash value 2",
    "setoption hashsize 1",
    "setoption threads 2",
    "setoption name Threads value 1",
    "setoption newgame",
    "setoption name MultiPV value 3",
    "setoption name Skill Level value 2",
    "setoption name UCI_ShowWDL value true",
    "setoption ranks 1-10",
    "setoption ranks 0-9",
    "setoption randomness large",
    "setoption peace_offers true",
    "setoption bookfiles C:\\books\\a.dat;b.dat",
    "setoption usehash false",
    "setoption promotion true",
    "ucinewgame",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2 i9h9",
    "position startpos moves h3e3 h10g8",
    "position fen r1bakab1r/9/1cn4c1/p1p1p1p1p/5n3/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R w - - 0 1",
    "position fen 3k5/9/9/9/9/9/4P4/9/4A4/3AK4 w moves e3e4 d9d8",
    "position fen 3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1",
    "position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
    "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w",
    "fen 4k4/4a4/9/9/9/9/9/9/4A4/3K5 b moves e9d9",
    "startpos moves b0c2",
    "banmoves h2e2 b2e2 b0c2 zzzz",
    "go depth 1",
    "go depth 2",
    "go depth 0",
    "go nodes 100",
    "go movetime 1",
    "go time 0",
    "go time 0 increment 0 opptime 9 oppincrement 9",
    "go wtime 10 btime -10 winc 1 binc 1 movestogo 3",
    "go infinite",
    "go ponder time 0 increment 0",
    "go draw depth 1",
    "go mate 1 nodes 50",
    "go depth 1 searchmoves h2e2 b0c2",
    "go perft 1",
    "perft 2",
    "ponderhit",
    "ponderhit draw",
    "stop",
    "stop",
    "probe startpos",
    "probe fen 3k5/9/9/9/9/9/4P4/9/4A4/3AK4 w moves e3e4",
    "d",
    "eval",
    "help",
    "bench 1 2 3",
    "",
    "xyzzy \u{1F409}",
];

/// Damage to a line.
#[derive(Clone, Debug)]
enum Damage {
    Replace(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Cut(Index),
    Double,
    Append(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        (index(), any::<u8>()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (index(), any::<u8>()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        index().prop_map(Damage::Remove),
        index().prop_map(Damage::Cut),
        Just(Damage::Double),
        index().prop_map(Damage::Append),
    ]
}

fn apply(line: &mut Vec<u8>, damage: &Damage) {
    match damage {
        Damage::Double => line.extend_from_within(..),
        Damage::Append(other) => {
            line.push(b' ');
            line.extend_from_slice(LINES[other.index(LINES.len())].as_bytes());
        }
        Damage::Insert(at, byte) => line.insert(at.index(line.len() + 1), *byte),
        Damage::Cut(at) => line.truncate(at.index(line.len() + 1)),
        _ if line.is_empty() => {}
        Damage::Replace(at, byte) => {
            let at = at.index(line.len());
            line[at] = *byte;
        }
        Damage::Remove(at) => {
            line.remove(at.index(line.len()));
        }
    }
}

/// Whether a damaged line asks for something that takes long or much memory.
fn is_costly(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let number = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse::<u64>().ok())
        .max();
    let number = number.unwrap_or(0);
    let is_long = text.contains("go") || text.contains("perft");
    is_long && number > 3
        || text.contains("hash") && number > 8
        || text.contains("thread") && number > 4
        || text.contains("bookfiles")
}

fn a_line() -> impl Strategy<Value = Vec<u8>> {
    let damages = prop_oneof![
        3 => Just(Vec::new()),
        2 => proptest::collection::vec(damage(), 1..4),
    ];
    (any::<Index>(), damages).prop_map(|(index, damages)| {
        let whole = LINES[index.index(LINES.len())].as_bytes();
        let mut line = whole.to_vec();
        damages.iter().for_each(|damage| apply(&mut line, damage));
        let bad = !damages.is_empty() && is_costly(&line);
        if bad { whole.to_vec() } else { line }
    })
}

/// Runs a session; its output.
fn session(lines: &[Vec<u8>]) -> (Ending, String) {
    let mut input = lines.join(&b'\n');
    // Whatever happened, this is answered: a stop ends searches, and batch mode
    // lets them end.
    input.extend_from_slice(b"\nstop\nstop\nisready\nposition startpos\nisready\n");
    let mut output = Vec::new();
    let ending = run(Cursor::new(input), &mut output, HOOKS, Vec::new());
    (ending, String::from_utf8_lossy(&output).into_owned())
}

fn survives(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let started = Instant::now();
    let (ending, output) = session(lines);
    let quits = lines.iter().any(|line| {
        line.to_ascii_lowercase()
            .windows(4)
            .any(|part| part == b"quit")
    });
    if !quits {
        prop_assert_eq!(ending, Ending::InputClosed);
        prop_assert!(output.contains("readyok"), "{}", output);
    }
    prop_assert!(!output.contains("internal error"), "{}", output);
    // Whatever it searches, a stop ends; loading and clearing take their time.
    let allowed = 20 + lines.len() as u64 / 20;
    prop_assert!(started.elapsed().as_secs() < allowed, "slow");
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None, // a failure is printed, and becomes a case of its own
        ..ProptestConfig::default()
    }
}

#[test]
fn commands_given_at_the_start_are_not_cut_short() {
    let commands = ["ucci", "go depth 4", "isready", "quit"];
    let commands = commands.map(|line| line.as_bytes().to_vec()).to_vec();
    let mut output = Vec::new();
    let ending = run(Cursor::new("stop\nquit\n"), &mut output, HOOKS, commands);
    assert_eq!(ending, Ending::Quit);
    let output = String::from_utf8_lossy(&output);
    let tail = output.split_once("ucciok\n").expect("it was greeted").1;
    assert!(tail.contains("info depth 4 "), "{tail}");
    assert!(tail.contains("bestmove "));
    assert!(tail.ends_with("readyok\nbye\n"), "{tail}");
}

#[test]
fn an_output_that_nobody_reads_is_the_end() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let input = Cursor::new("position startpos\ngo infinite\n");
    assert_eq!(run(input, Closed, HOOKS, Vec::new()), Ending::OutputClosed);
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn the_driver_survives(lines in proptest::collection::vec(a_line(), 0..60)) {
        survives(&lines)?;
    }

    #[test]
    fn setups_are_refused_or_sound(text in "[rnbakcpRNBAKCPheHE0-9/]{0,90}( [wbr-]){0,2}") {
        if let Ok(position) = text.parse::<Setup>().map(Setup::into_position) {
            prop_assert!(position.is_err() || position.is_ok_and(|p| p.verify().is_ok()));
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    #[ignore = "ten million lines"]
    fn the_driver_survives_for_long(lines in proptest::collection::vec(a_line(), 4_900..5_100)) {
        survives(&lines)?;
    }
}

proptest! {
    #![proptest_config(config(1_000_000))]

    #[test]
    #[ignore = "a million FENs"]
    fn damaged_fens_are_refused_or_sound(damages in proptest::collection::vec(damage(), 1..8)) {
        let mut text = chuhe::position::START_FEN.as_bytes().to_vec();
        damages.iter().for_each(|damage| apply(&mut text, damage));
        let text = String::from_utf8_lossy(&text);
        if let Ok(Ok(position)) = text.parse::<Setup>().map(Setup::into_position) {
            prop_assert_eq!(position.verify(), Ok(()));
            let again = chuhe::position::Position::from_fen(&position.to_fen());
            prop_assert_eq!(again, Ok(position));
        }
    }
}
