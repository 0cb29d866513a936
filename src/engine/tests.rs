//! The engine as its owner sees it: commands in, news back, outputs out.

use super::*;
use crate::search::{Clock, Limits};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const MATED: &str = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
/// Hardly any moves are left.
const FEW: &str = "3k5/9/9/9/9/9/4P4/9/4A4/3AK4 w";

fn engine() -> (Engine, Receiver<News>) {
    let (sender, receiver) = channel();
    let sender = std::sync::Mutex::new(sender);
    let sink = Arc::new(move |news| {
        let _ = sender.lock().expect("no holder panics").send(news);
    });
    (Engine::new(sink), receiver)
}

/// Hands news back until the engine is idle or nothing comes for a while.
fn settle(engine: &mut Engine, news: &Receiver<News>, patience_ms: u64) -> Vec<Output> {
    let mut outputs = Vec::new();
    while engine.is_busy() {
        match news.recv_timeout(Duration::from_millis(patience_ms)) {
            Ok(news) => outputs.extend(engine.on_news(news)),
            Err(_) => break,
        }
    }
    outputs
}

fn depth(depth: u32) -> GoRequest {
    GoRequest {
        limits: Limits {
            depth: Some(depth),
            ..Limits::default()
        },
        ..GoRequest::default()
    }
}

fn infinite() -> GoRequest {
    GoRequest {
        limits: Limits {
            infinite: true,
            ..Limits::default()
        },
        ..GoRequest::default()
    }
}

fn best_move(outputs: &[Output]) -> BestMove {
    match outputs.last() {
        Some(Output::BestMove(best)) => *best,
        other => panic!("no best move but {other:?}"),
    }
}

#[test]
fn an_exact_line_precedes_the_best_move() {
    let (mut engine, news) = engine();
    assert!(engine.go(depth(2)).is_empty());
    assert!(engine.is_thinking() && !engine.waits_for_client());
    let outputs = settle(&mut engine, &news, 10_000);
    let best = best_move(&outputs);
    let last_line = outputs.iter().rev().find_map(|output| match output {
        Output::Info(info) if !info.pv.is_empty() => Some(info),
        _ => None,
    });
    let line = last_line.expect("a line before the best move");
    assert_eq!((line.pv[0], line.is_exact()), (best.mv, true));
    assert_eq!(engine.game().ply_count(), 0, "the move is not played");
}

#[test]
fn an_infinite_search_waits_for_the_stop() {
    let (mut engine, news) = engine();
    engine.go(infinite());
    assert!(engine.waits_for_client());
    let outputs = settle(&mut engine, &news, 100);
    assert!(
        !outputs
            .iter()
            .any(|output| matches!(output, Output::BestMove(_)))
    );
    let mut outputs = engine.stop();
    outputs.extend(settle(&mut engine, &news, 10_000));
    best_move(&outputs);
}

#[test]
fn pondering_ends_with_the_hit_and_the_clock() {
    let (mut engine, news) = engine();
    let mut request = depth(1);
    request.limits.ponder = true;
    request.limits.clock = Clock::MoveTime(Duration::from_millis(100));
    engine.go(request);
    settle(&mut engine, &news, 100);
    assert!(engine.is_thinking());
    let mut outputs = engine.ponder_hit(true);
    outputs.extend(settle(&mut engine, &news, 10_000));
    best_move(&outputs);
}

#[test]
fn a_lost_position_is_answered_at_once_or_after_the_stop() {
    let (mut engine, _news) = engine();
    engine.set_position(Some(MATED), &[]).unwrap();
    assert_eq!(engine.go(depth(4)), [Output::NoMove(NoMove::Lost)]);
    assert!(!engine.is_busy());
    assert!(engine.go(infinite()).is_empty());
    assert!(engine.is_busy());
    assert_eq!(engine.stop(), [Output::NoMove(NoMove::Lost)]);
    assert!(!engine.is_busy());
    let outputs = engine.go(depth(0));
    assert!(matches!(&outputs[0], Output::Info(info) if info.score.is_some()));
    assert_eq!(outputs[1], Output::NoMove(NoMove::DepthZero));
}

#[test]
fn a_search_that_fails_is_answered_with_a_legal_move() {
    let (mut engine, _news) = engine();
    let first: Move = "a0a1".parse().unwrap();
    engine.ban_moves(&[first]);
    engine.go(infinite());
    let report = Err("a bug".to_owned());
    assert!(
        engine.on_news(News::Searched(report)).is_empty(),
        "held back"
    );
    let best = best_move(&engine.stop());
    assert!(engine.game().position().legal_moves().contains(&best.mv));
    assert_ne!(best.mv, first);
    assert!(!engine.is_busy());
    assert!(engine.searcher.is_some(), "there is a new one");
}

#[test]
fn bans_hold_until_the_next_position_and_give_way_when_all_are_banned() {
    let (mut engine, news) = engine();
    engine.set_position(Some(FEW), &[]).unwrap();
    let moves = engine.game().position().legal_moves();
    assert!(!moves.is_empty());
    for &keep in &moves {
        engine.set_position(Some(FEW), &[]).unwrap();
        let banned: Vec<Move> = moves.iter().copied().filter(|&mv| mv != keep).collect();
        engine.ban_moves(&banned);
        engine.go(depth(1));
        let outputs = settle(&mut engine, &news, 10_000);
        assert_eq!(best_move(&outputs).mv, keep);
    }
    engine.ban_moves(&moves);
    let outputs = engine.go(depth(1));
    assert!(matches!(&outputs[..], [Output::Info(info)] if info.message.is_some()));
    best_move(&settle(&mut engine, &news, 10_000));
}

#[test]
fn bad_positions_leave_the_old_one() {
    let (mut engine, _news) = engine();
    let start = engine.game().position().to_fen();
    for bad in ["", "9/9/9 w", "rnbakabnr/9/9/9/9/9/9/9/9/9 w"] {
        let error = engine.set_position(Some(bad), &[]).unwrap_err();
        assert!(error.to_string().starts_with("Unsupported position: "));
        assert_eq!(engine.game().position().to_fen(), start);
    }
    let moves: Vec<Move> = ["h2e2", "h2e2", "b2b3"]
        .map(|text| text.parse().unwrap())
        .into();
    let error = engine.set_position(None, &moves).unwrap_err();
    assert!(matches!(error, PositionError::Move(_)));
    assert_eq!(engine.game().ply_count(), 1);
}

#[test]
fn the_weakest_level_answers_at_once_with_legal_moves() {
    let (mut engine, news) = engine();
    engine.set_option("Skill Level", Some(b"0")).unwrap();
    let mut seen = std::collections::HashSet::new();
    for seed in 1..20 {
        engine
            .set_option("Seed", Some(seed.to_string().as_bytes()))
            .unwrap();
        engine.go(depth(20));
        let best = best_move(&settle(&mut engine, &news, 10_000));
        assert!(engine.game().position().legal_moves().contains(&best.mv));
        seen.insert(best.mv);
    }
    assert!(seen.len() > 3, "varied play: {seen:?}");
}

#[test]
fn perft_prints_lines_and_stops() {
    let (mut engine, news) = engine();
    assert!(engine.perft(3).is_empty());
    assert!(engine.is_busy() && !engine.is_thinking());
    let outputs = settle(&mut engine, &news, 10_000);
    let total = Output::Line("Nodes searched: 79666".to_owned());
    assert_eq!(outputs.last(), Some(&total));
    engine.perft(30);
    engine.stop();
    settle(&mut engine, &news, 10_000);
    assert!(!engine.is_busy());
}

#[test]
fn a_job_that_panics_is_reported() {
    let (mut engine, news) = engine();
    engine.start_lines(Box::new(|_, print| {
        print("one line".to_owned());
        panic!("a bug in bench");
    }));
    let outputs = settle(&mut engine, &news, 10_000);
    assert_eq!(outputs.len(), 2);
    assert!(!engine.is_busy());
}

#[test]
fn a_late_search_is_answered_without_and_ends_in_silence() {
    let (mut engine, news) = engine();
    engine.go(infinite());
    assert_eq!(
        engine.answer_due(),
        None,
        "nothing to answer with, nobody asks"
    );
    let mut lines = 0;
    while lines < 3 {
        let one = news.recv_timeout(Duration::from_secs(10));
        lines += engine.on_news(one.expect("the search reports")).len();
    }
    assert_eq!(engine.answer_due(), None, "nobody asks");
    // From here on its news are not looked at, as if it got no processor.
    assert!(engine.stop().is_empty());
    assert!(engine.answer_due().is_some());
    let outputs = engine.answer_now();
    let best = best_move(&outputs);
    assert!(
        engine
            .game()
            .position()
            .is_legal(best.mv, engine.game().legality())
    );
    assert!(engine.is_busy() && engine.has_answered());
    assert_eq!(engine.answer_due(), None, "one answer is enough");
    assert!(engine.stop().is_empty());
    assert!(settle(&mut engine, &news, 10_000).is_empty());
    assert!(!engine.is_busy());
    engine.go(depth(1));
    best_move(&settle(&mut engine, &news, 10_000));
}

#[test]
fn an_answer_is_due_when_the_clock_says_so() {
    let (mut engine, news) = engine();
    let limits = Limits {
        clock: Clock::MoveTime(Duration::from_millis(300)),
        ponder: true,
        ..Limits::default()
    };
    engine.go(GoRequest {
        limits,
        ..GoRequest::default()
    });
    let one = news.recv_timeout(Duration::from_secs(10));
    engine.on_news(one.expect("the search reports"));
    assert_eq!(engine.answer_due(), None, "the clock stands still");
    let hit_at = Instant::now();
    engine.ponder_hit(false);
    let due = engine.answer_due().expect("the clock runs");
    assert!(due > hit_at + Duration::from_millis(200));
    assert!(due <= Instant::now() + Duration::from_millis(300));
    settle(&mut engine, &news, 10_000);
}
