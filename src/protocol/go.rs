//! The words of `go`, and what they limit.

use super::words::{Words, is_keyword};
use crate::engine::Ranks;
use crate::search::{Clock, Limits};
use crate::types::score::MAX_PLY;
use crate::types::{Color, Move};
use std::time::Duration;

/// Times above this (115 days) are cut, so that nobody has to care for
/// overflow.
const MAX_MILLISECONDS: i64 = 10_000_000_000;

/// `go draw` without a limit: think this long.
const BARE_DRAW_TIME: Duration = Duration::from_secs(1);

/// A `go` command: the union of the words of both protocols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Think until stopped.
    pub infinite: bool,
    /// Search this many plies.
    pub depth: Option<u32>,
    /// Search about this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Moves until more time is given.
    pub moves_to_go: Option<u32>,
    /// UCCI: what the side to move has left, in the unit of the option
    /// `usemillisec`.
    pub time: Option<i64>,
    /// UCCI: what each of its moves adds.
    pub increment: Option<i64>,
    /// UCCI: what the opponent has left.
    pub opponent_time: Option<i64>,
    /// UCCI: what each move of the opponent adds.
    pub opponent_increment: Option<i64>,
    /// UCCI: moves until the opponent is given more time.
    pub opponent_moves_to_go: Option<u32>,
    /// UCI: milliseconds that Red and Black have left.
    pub times: [Option<i64>; 2],
    /// UCI: milliseconds that each move of Red and Black adds.
    pub increments: [Option<i64>; 2],
    /// If not empty, consider only these moves.
    pub search_moves: Vec<Move>,
}

impl Go {
    /// Reads the words behind `go`, in any order. What means nothing is
    /// skipped, and so are keywords whose number is none or out of range.
    pub(super) fn parse(mut words: Words<'_>, ranks: Ranks) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_slice() {
                b"ponder" => go.ponder = true,
                b"draw" => go.draw = true,
                b"infinite" => go.infinite = true,
                b"depth" => set(&mut go.depth, &mut words),
                b"nodes" => set(&mut go.nodes, &mut words),
                b"mate" => set(&mut go.mate, &mut words),
                b"movetime" => set(&mut go.move_time, &mut words),
                b"movestogo" => set(&mut go.moves_to_go, &mut words),
                b"time" => set(&mut go.time, &mut words),
                b"increment" => set(&mut go.increment, &mut words),
                b"opptime" => set(&mut go.opponent_time, &mut words),
                b"oppincrement" => set(&mut go.opponent_increment, &mut words),
                b"oppmovestogo" => set(&mut go.opponent_moves_to_go, &mut words),
                b"wtime" => set(&mut go.times[0], &mut words),
                b"btime" => set(&mut go.times[1], &mut words),
                b"winc" => set(&mut go.increments[0], &mut words),
                b"binc" => set(&mut go.increments[1], &mut words),
                b"searchmoves" => go.search_moves = parse_moves(&mut words, ranks),
                _ => {}
            }
        }
        go
    }

    /// The words behind `go`, each with a blank before it.
    pub(super) fn print(&self, ranks: Ranks) -> String {
        let mut text = String::new();
        for (flag, word) in [
            (self.ponder, "ponder"),
            (self.draw, "draw"),
            (self.infinite, "infinite"),
        ] {
            if flag {
                text += " ";
                text += word;
            }
        }
        let small = |number: Option<u32>| number.map(i128::from);
        let time = |number: Option<i64>| number.map(i128::from);
        for (word, number) in [
            ("wtime", time(self.times[0])),
            ("btime", time(self.times[1])),
            ("winc", time(self.increments[0])),
            ("binc", time(self.increments[1])),
            ("time", time(self.time)),
            ("movestogo", small(self.moves_to_go)),
            ("increment", time(self.increment)),
            ("opptime", time(self.opponent_time)),
            ("oppmovestogo", small(self.opponent_moves_to_go)),
            ("oppincrement", time(self.opponent_increment)),
            ("depth", small(self.depth)),
            ("nodes", self.nodes.map(i128::from)),
            ("mate", small(self.mate)),
            ("movetime", time(self.move_time)),
        ] {
            if let Some(number) = number {
                text += &format!(" {word} {number}");
            }
        }
        if !self.search_moves.is_empty() {
            text += " searchmoves";
            for &mv in &self.search_moves {
                text += " ";
                text += &ranks.text(mv);
            }
        }
        text
    }

    /// What ends the search when `side` is to move.
    pub fn limits(&self, side: Color, use_millisec: bool) -> Limits {
        let mut limits = Limits {
            soft_nodes: None,
            depth: self.depth.map(|depth| depth.min(MAX_PLY as u32)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            mate: self.mate,
            clock: self.clock(side, use_millisec),
            infinite: self.infinite,
            ponder: self.ponder,
            ponders: false,
            overhead: Duration::ZERO,
        };
        let is_limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.clock != Clock::None;
        if !is_limited && !limits.infinite {
            if self.draw {
                limits.clock = Clock::MoveTime(BARE_DRAW_TIME);
            } else {
                limits.infinite = true;
            }
        }
        limits
    }

    fn clock(&self, side: Color, use_millisec: bool) -> Clock {
        let game = self.game_clock(side, use_millisec);
        let Some(move_time) = self.move_time.map(milliseconds) else {
            return game;
        };
        match game {
            Clock::Game { time, .. } => Clock::MoveTime(move_time.min(time)),
            _ => Clock::MoveTime(move_time),
        }
    }

    fn game_clock(&self, side: Color, use_millisec: bool) -> Clock {
        let unit = if use_millisec { 1 } else { 1_000 };
        let in_units = |time: i64| milliseconds(time.saturating_mul(unit));
        let ours_or_theirs = |pair: [Option<i64>; 2]| {
            pair[side.index()]
                .or(pair[(!side).index()])
                .map(milliseconds)
        };
        let time = self.time.map(in_units);
        let time = time.or_else(|| ours_or_theirs(self.times));
        let increment = self.increment.map(in_units);
        let increment = increment.or_else(|| ours_or_theirs(self.increments));
        // An increment alone is at least some time.
        let Some(time) = time.or(increment) else {
            return Clock::None;
        };
        // A bare `go time T` gives all of T to this move.
        let bare = self.time.is_some() && increment.is_none() && self.opponent_time.is_none();
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        Clock::Game {
            time,
            increment: increment.unwrap_or_default(),
            moves_to_go: moves_to_go.or(bare.then_some(1)),
        }
    }
}

fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64)
}

/// Takes the number behind a keyword. A word that is no number stays, it may be
/// a keyword; a number that does not fit is taken and forgotten.
fn set<T: std::str::FromStr>(target: &mut Option<T>, words: &mut Words<'_>) {
    let Some(text) = words.peek().and_then(|word| std::str::from_utf8(word).ok()) else {
        return;
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        words.next();
        if let Ok(number) = text.parse() {
            *target = Some(number);
        }
    }
}

/// Takes the moves at the head of the words; junk between them is skipped, a
/// keyword of `go` ends the list.
fn parse_moves(words: &mut Words<'_>, ranks: Ranks) -> Vec<Move> {
    const KEYWORDS: [&str; 17] = [
        "ponder",
        "draw",
        "infinite",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "movestogo",
        "time",
        "increment",
        "opptime",
        "oppincrement",
        "oppmovestogo",
        "wtime",
        "btime",
        "winc",
        "binc",
    ];
    let mut list = Vec::new();
    while let Some(word) = words.peek() {
        if KEYWORDS.iter().any(|keyword| is_keyword(word, keyword)) {
            break;
        }
        words.next();
        list.extend(std::str::from_utf8(word));
    }
    let ranks = ranks.evident_in(list.iter().copied());
    list.into_iter()
        .filter_map(|word| ranks.parse(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(Words::new(text.as_bytes()), Ranks::FromZero)
    }

    fn game(time: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock::Game {
            time: Duration::from_millis(time),
            increment: Duration::from_millis(increment),
            moves_to_go,
        }
    }

    fn clock(text: &str) -> Clock {
        go(text).limits(Color::Red, true).clock
    }

    #[test]
    fn clocks_of_both_protocols() {
        assert_eq!(clock("time 8000 movestogo 20"), game(8000, 0, Some(20)));
        assert_eq!(clock("time 8000"), game(8000, 0, Some(1)));
        assert_eq!(
            clock("time 6000 increment 100 opptime 5000 oppincrement 100"),
            game(6000, 100, None)
        );
        assert_eq!(clock("opptime 5000 time 6000"), game(6000, 0, None));
        assert_eq!(
            clock("wtime 6000 btime 5000 winc 100 binc 200"),
            game(6000, 100, None)
        );
        assert_eq!(clock("btime 100"), game(100, 0, None));
        assert_eq!(clock("wtime -100 btime 1000"), game(0, 0, None));
        assert_eq!(
            clock("movetime 500"),
            Clock::MoveTime(Duration::from_millis(500))
        );
        assert_eq!(
            clock("movetime 500 wtime 300"),
            Clock::MoveTime(Duration::from_millis(300))
        );
        let black = go("wtime 6000 btime 5000").limits(Color::Black, true);
        assert_eq!(black.clock, game(5000, 0, None));
        let seconds = go("time 2 increment 1").limits(Color::Red, false);
        assert_eq!(seconds.clock, game(2000, 1000, None));
        let movetime = go("movetime 500").limits(Color::Red, false);
        assert_eq!(movetime.clock, Clock::MoveTime(Duration::from_millis(500)));
    }

    #[test]
    fn what_has_no_limit_runs_until_stopped() {
        for text in [
            "",
            "infinite",
            "ponder",
            "depth",
            "depth x",
            "time x",
            "wtime",
            "draw infinite",
        ] {
            assert!(go(text).limits(Color::Red, true).infinite, "{text}");
        }
        for text in [
            "depth 3",
            "blah 3 depth 3",
            "nodes 5",
            "mate 2",
            "time 0",
            "draw",
        ] {
            assert!(!go(text).limits(Color::Red, true).infinite, "{text}");
        }
        let huge = go("nodes 99999999999999999999").limits(Color::Red, true);
        assert_eq!((huge.nodes, huge.infinite), (None, true));
        let combined = go("depth 20 movetime 5000").limits(Color::Red, true);
        assert_eq!(combined.depth, Some(20));
        assert_ne!(combined.clock, Clock::None);
    }

    #[test]
    fn searchmoves_end_at_a_keyword() {
        let go = go("searchmoves a0a1 junk H2-E2 depth 3");
        assert_eq!(go.search_moves.len(), 2);
        assert_eq!(go.depth, Some(3));
    }
}
