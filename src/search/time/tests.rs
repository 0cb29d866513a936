//! Budgets for the clocks people play with, and games that must not flag.

use super::*;
use std::ops::RangeInclusive;

const OVERHEAD_MS: u64 = 30;
const MINUTE: u64 = 60_000;

fn budget(clock: Clock, move_number: u16) -> Budget {
    let limits = Limits {
        clock,
        overhead: Duration::from_millis(OVERHEAD_MS),
        ..Limits::default()
    };
    Budget::new(&limits, move_number).expect("there is a clock")
}

fn game(time_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Clock {
    Clock::Game {
        time: Duration::from_millis(time_ms),
        increment: Duration::from_millis(increment_ms),
        moves_to_go,
    }
}

/// A clock of a whole game.
#[derive(Clone, Copy, Debug)]
struct GameClock {
    time_ms: u64,
    increment_ms: u64,
    /// Moves in the first period; `None`: no periods.
    first: Option<u32>,
    /// Moves in each later period, and what tops the clock up for them.
    later: (u32, u64),
}

const fn sudden_death(time_ms: u64, increment_ms: u64) -> GameClock {
    GameClock {
        time_ms,
        increment_ms,
        first: None,
        later: (0, 0),
    }
}

const fn periods(time_ms: u64, first: u32, later: (u32, u64)) -> GameClock {
    GameClock {
        time_ms,
        increment_ms: 0,
        first: Some(first),
        later,
    }
}

/// The clocks of the modern rules, article 6.
const ARTICLE_6: [GameClock; 5] = [
    periods(90 * MINUTE, 40, (10, 15 * MINUTE)),
    periods(60 * MINUTE, 30, (10, 10 * MINUTE)),
    periods(10 * MINUTE, 40, (30, 5 * MINUTE)),
    periods(5 * MINUTE, 30, (30, 5 * MINUTE)),
    sudden_death(20 * MINUTE, 0),
];

/// Plays a game in which every move takes what `spend` says and `lag_ms` on top,
/// and checks the flag after each.
fn never_flags(clock: GameClock, lag_ms: i64, spend: impl Fn(Budget, u16) -> Duration) {
    let mut left = clock.time_ms as i64;
    let mut to_go = clock.first;
    // Without any increment no clock lasts for ever.
    let endless = clock.increment_ms > 0 || clock.first.is_some();
    for number in 1..=if endless { 200 } else { 60 } {
        let budget = budget(game(left as u64, clock.increment_ms, to_go), number);
        left -= spend(budget, number).as_millis() as i64 + lag_ms;
        assert!(left > 0, "flag at move {number} of {clock:?}");
        left += clock.increment_ms as i64;
        if let Some(rest) = &mut to_go {
            *rest -= 1;
            if *rest == 0 {
                *rest = clock.later.0;
                left += clock.later.1 as i64;
            }
        }
    }
}

#[test]
fn no_clock_falls_whatever_the_moves_take() {
    let others = [
        sudden_death(1_000, 10),
        sudden_death(10_000, 100),
        sudden_death(60_000, 0),
        sudden_death(180_000, 2_000),
        sudden_death(900_000, 10_000),
        periods(5_000, 1, (1, 5_000)),
    ];
    for clock in ARTICLE_6.into_iter().chain(others) {
        never_flags(clock, 2, |budget, _| budget.soft);
        never_flags(clock, 2, |budget, number| {
            // A troubled game: every third move takes all it may.
            if number % 3 == 0 {
                budget.hard
            } else {
                budget.soft
            }
        });
        if clock.increment_ms > 0 || clock.first.is_some() {
            never_flags(clock, 2, |budget, _| budget.hard);
        }
    }
}

#[test]
fn the_reserve_outlasts_a_slow_machine() {
    // Each move takes all it may and 4 ms on the way; one in twenty is held up.
    let mut left = 1_000.0;
    for number in 1..=300u16 {
        let budget = budget(game(left as u64, 10, None), number);
        let held_up = if number.is_multiple_of(20) { 22.0 } else { 4.0 };
        left -= millis(budget.hard) + held_up;
        assert!(left > 0.0, "flag at move {number}");
        left += 10.0;
    }
}

/// What a clock gives a move, as windows in milliseconds: what one may expect of
/// a sensible player, not what the formulas happen to say today.
struct Row {
    clock: Clock,
    move_number: u16,
    soft: RangeInclusive<u64>,
    hard: RangeInclusive<u64>,
}

fn row(
    (time_ms, increment_ms, moves_to_go): (u64, u64, Option<u32>),
    move_number: u16,
    soft: RangeInclusive<u64>,
    hard: RangeInclusive<u64>,
) -> Row {
    Row {
        clock: game(time_ms, increment_ms, moves_to_go),
        move_number,
        soft,
        hard,
    }
}

fn fixed(time_ms: u64, hard: RangeInclusive<u64>) -> Row {
    Row {
        clock: Clock::MoveTime(Duration::from_millis(time_ms)),
        move_number: 1,
        soft: hard.clone(),
        hard,
    }
}

/// Every kind of clock at its begin, in its middle and at its end.
#[rustfmt::skip] // a table
fn table() -> Vec<Row> {
    vec![
        // 90 minutes for 40 moves, then 15 for 10.
        row((90 * MINUTE, 0, Some(40)), 1, 120_000..=200_000, 300_000..=1_200_000),
        row((45 * MINUTE, 0, Some(20)), 21, 120_000..=200_000, 200_000..=1_000_000),
        row((2 * MINUTE, 0, Some(1)), 40, 100_000..=119_950, 119_000..=119_950),
        row((15 * MINUTE, 0, Some(10)), 41, 80_000..=120_000, 120_000..=450_000),
        // 60 minutes for 30 moves, then 10 for 10.
        row((60 * MINUTE, 0, Some(30)), 1, 110_000..=180_000, 250_000..=900_000),
        row((10 * MINUTE, 0, Some(10)), 31, 50_000..=90_000, 90_000..=300_000),
        row((MINUTE, 0, Some(2)), 39, 25_000..=40_000, 30_000..=50_000),
        // 10 minutes for 40 moves, then 5 for 30.
        row((10 * MINUTE, 0, Some(40)), 1, 12_000..=22_000, 30_000..=120_000),
        row((5 * MINUTE, 0, Some(30)), 41, 9_000..=16_000, 20_000..=75_000),
        // 5 minutes for 30 moves, all used up before the last ones.
        row((5 * MINUTE, 0, Some(30)), 1, 9_000..=16_000, 20_000..=75_000),
        row((3_000, 0, Some(5)), 26, 400..=800, 600..=2_000),
        row((200, 0, Some(5)), 26, 10..=60, 16..=120),
        // Sudden death, and blitz with an increment.
        row((20 * MINUTE, 0, None), 1, 12_000..=40_000, 30_000..=240_000),
        row((5 * MINUTE, 0, None), 40, 8_000..=25_000, 20_000..=120_000),
        row((3 * MINUTE, 2_000, None), 1, 3_000..=8_000, 8_000..=45_000),
        row((1_000, 10, None), 1, 10..=60, 30..=200),
        row((100, 10, None), 80, 3..=15, 8..=30),
        // Like byo-yomi: the same time again for each move.
        row((5_000, 0, Some(1)), 60, 4_500..=4_970, 4_900..=4_970),
        // A fixed time for each move.
        fixed(20, 10..=18), fixed(100, 70..=90), fixed(5_000, 4_900..=4_990),
        // Nothing left, all but.
        row((0, 0, None), 50, 1..=1, 1..=1),
        row((20, 0, Some(10)), 50, 1..=4, 1..=5),
        row((20, 0, Some(1)), 50, 5..=15, 5..=15),
    ]
}

#[test]
fn every_clock_gets_a_sensible_budget() {
    for Row {
        clock,
        move_number,
        soft,
        hard,
    } in table()
    {
        let budget = budget(clock, move_number);
        let (soft_ms, hard_ms) = (budget.soft.as_millis(), budget.hard.as_millis());
        let fits = |window: &RangeInclusive<u64>, ms: u128| window.contains(&(ms as u64));
        assert!(
            fits(&soft, soft_ms) && fits(&hard, hard_ms),
            "{clock:?}, move {move_number}: {soft_ms} ms not in {soft:?} or {hard_ms} ms not in {hard:?}"
        );
    }
}

#[test]
fn the_whole_clock_is_used_over_a_game() {
    let mut left = 60_000.0;
    for number in 1..=60 {
        left -= millis(budget(game(left as u64, 0, None), number).soft);
    }
    assert!(left < 12_000.0, "{left} ms unused after 60 moves");
    assert!(left > 2_000.0, "{left} ms left after 60 moves");
}

#[test]
fn a_last_move_or_a_fixed_time_takes_nearly_all() {
    let last = budget(game(5_000, 0, Some(1)), 20);
    assert!(last.hard >= Duration::from_millis(4_500));
    let fixed = budget(Clock::MoveTime(Duration::from_millis(100)), 1);
    assert_eq!(fixed.hard, Duration::from_millis(75));
    assert!(fixed.is_fixed());
}

#[test]
fn pondering_spends_more_but_never_more_than_there_is() {
    for (time, togo) in [
        (60_000, None),
        (60_000, Some(10)),
        (80, None),
        (500, Some(1)),
    ] {
        let mut limits = Limits {
            clock: game(time, 0, togo),
            overhead: Duration::from_millis(OVERHEAD_MS),
            ..Limits::default()
        };
        let plain = Budget::new(&limits, 20).expect("there is a clock");
        limits.ponders = true;
        let freer = Budget::new(&limits, 20).expect("there is a clock");
        assert!(
            freer.soft >= plain.soft && freer.hard == plain.hard,
            "{time}"
        );
        assert!(freer.hard < Duration::from_millis(time));
    }
}

#[test]
fn nearly_empty_clocks_still_get_a_move() {
    for time in [0, 1, 5, 20, 60] {
        for togo in [None, Some(1), Some(10)] {
            let budget = budget(game(time, 0, togo), 40);
            assert!(budget.hard >= Duration::from_millis(1));
            assert!(budget.hard <= Duration::from_millis(1 + time / 2), "{time}");
        }
    }
}

#[test]
fn without_a_clock_there_is_no_budget() {
    assert_eq!(Budget::new(&Limits::default(), 1), None);
}
