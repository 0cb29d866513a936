//! What the threads of a search share, used from all sides at once and in small:
//! something for a race detector to watch. `tests/scripts/data_races.sh` runs this
//! under ThreadSanitizer, which fails it on any race.
//!
//! Without a detector it checks what a race would break in the end: no entry of the
//! table is a mixture of two, a signal reaches every thread, a limit on nodes holds
//! for all threads together.

use chuhe::engine::{Engine, GoRequest, News, Output};
use chuhe::eval::nnue;
use chuhe::rules::Game;
use chuhe::search::{Clock, Limits, Request, Searcher, Signals, Table, TableEntry, table_key};
use chuhe::types::{Bound, Move, Score};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const THREADS: usize = 3;
/// Enough for a few iterations on each thread.
const NODES: u64 = 6_000;
const PATIENCE: Duration = Duration::from_secs(60);

fn start() -> Game {
    Game::new(chuhe::position::Position::start())
}

fn nodes(nodes: u64) -> Request {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    Request::new(start(), limits)
}

fn searcher(threads: usize) -> Searcher {
    Searcher::new(threads, 1).expect("a megabyte can be had")
}

fn is_legal(mv: Option<Move>) -> bool {
    mv.is_some_and(|mv| start().position().legal_moves().contains(&mv))
}

/// Does `work` on a thread of its own, and calls `poll` again and again until it ends.
fn meanwhile<T: Send>(poll: impl Fn(), work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let work = scope.spawn(work);
        while !work.is_finished() {
            poll();
            thread::yield_now();
        }
        work.join().expect("the work is done")
    })
}

/// An entry all parts of which tell the number.
fn marked(number: u16) -> TableEntry {
    let number = Score::from(number);
    TableEntry {
        best: None,
        score: number,
        eval: Some(-number),
        bound: Bound::Exact,
        depth: number % 50,
        was_pv: number % 2 == 1,
    }
}

/// Stores numbers of its own among those of others; returns how many it found.
fn store_and_probe(table: &Table, id: u16) -> usize {
    const ROUNDS: u16 = 2_000;
    let mut found = 0;
    for number in (0..ROUNDS).map(|round| 3 * round + id) {
        // Small keys lie in one cluster: the leading bits tell the place.
        table.store(u64::from(number % 5), 0, marked(number));
        if let Some(entry) = table.probe(u64::from((number + 1) % 5), 0) {
            assert_eq!(entry, marked(entry.score as u16));
            found += 1;
        }
    }
    found
}

#[test]
fn an_entry_is_never_a_mixture_of_two() {
    let table = Table::new(1).expect("a megabyte can be had");
    let found: usize = thread::scope(|scope| {
        let table = &table;
        let spawn = |id| scope.spawn(move || store_and_probe(table, id));
        let threads = [0, 1, 2].map(spawn);
        for _ in 0..10 {
            table.next_generation();
            assert!(table.hashfull() <= 1);
            table.clear();
            thread::yield_now();
        }
        let found = threads.map(|thread| thread.join().expect("entries are whole"));
        found.iter().sum()
    });
    assert!(found > 0, "the threads met in the table");
}

#[test]
fn threads_search_together_and_vote() {
    let mut searcher = searcher(THREADS);
    searcher.set_network(Some(nnue::built_in()));
    let (table, signals) = (searcher.table(), Signals::new(false));
    let key = table_key(&start());
    let poll = || {
        table.probe(key, 0);
        assert!(table.hashfull() <= 1000 && signals.elapsed().is_some());
    };
    for _ in 0..2 {
        let mut lines = 0;
        let outcome = meanwhile(poll, || {
            searcher.search(&nodes(NODES), &signals, &mut |_| lines += 1)
        });
        assert!(is_legal(outcome.best) && lines > 0, "{outcome:?}");
        let counted = outcome.progress.nodes;
        assert!((NODES..NODES * 3 / 2).contains(&counted), "{counted} nodes");
    }
    assert!(table.probe(key, 0).is_some());
}

#[test]
fn a_stop_and_a_ponder_hit_come_from_outside() {
    let endless = Limits {
        infinite: true,
        ..Limits::default()
    };
    let pondering = Limits {
        ponder: true,
        clock: Clock::MoveTime(Duration::from_millis(20)),
        ..Limits::default()
    };
    let mut searcher = searcher(THREADS);
    for limits in [endless, pondering] {
        let ponder = limits.ponder;
        let signals = &Signals::new(ponder);
        let (told, first) = channel();
        let mut told = Some(told);
        let mut report = |_| {
            // Only once: to tell more would keep the threads in step.
            if let Some(told) = told.take() {
                told.send(()).expect("the other thread waits");
            }
        };
        let act = move || {
            let told = first.recv_timeout(PATIENCE);
            if ponder {
                signals.ponder_hit();
            } else {
                signals.stop();
            }
            told.expect("a search reports");
        };
        let poll = || {
            assert!(!signals.is_pondering() || ponder);
            assert!(!signals.is_stopped() || !ponder);
        };
        let outcome = meanwhile(poll, || {
            thread::scope(|scope| {
                scope.spawn(act);
                searcher.search(&Request::new(start(), limits), signals, &mut report)
            })
        });
        assert!(is_legal(outcome.best), "{outcome:?}");
        assert!(signals.elapsed().is_some(), "the clock runs");
        assert_eq!(signals.is_stopped(), !ponder);
    }
}

#[test]
fn a_table_is_asked_while_it_is_used_emptied_and_replaced() {
    let mut searcher = searcher(THREADS);
    let (old, key) = (searcher.table(), table_key(&start()));
    let poll = || {
        old.probe(key, 0);
        old.hashfull();
    };
    let search = |searcher: &mut Searcher| {
        searcher.search(&nodes(NODES / 4), &Signals::new(false), &mut |_| {});
        assert!(searcher.table().probe(key, 0).is_some());
    };
    meanwhile(poll, || {
        search(&mut searcher);
        searcher.new_game();
        assert_eq!(old.probe(key, 0), None);
        search(&mut searcher);
        searcher.clear_hash();
        assert_eq!(old.probe(key, 0), None);
        searcher.set_threads(2);
        search(&mut searcher);
        searcher.set_hash_mb(2).expect("two megabytes can be had");
        search(&mut searcher);
        searcher.set_network(Some(nnue::built_in()));
        search(&mut searcher);
    });
    assert!(old.probe(key, 0).is_some(), "the old table stays as it was");
}

/// Hands news back until the engine has nothing more to do.
fn settle(engine: &mut Engine, news: &Receiver<News>) -> Vec<Output> {
    let mut outputs = Vec::new();
    while engine.is_busy() {
        let news = news.recv_timeout(PATIENCE).expect("the search ends");
        outputs.extend(engine.on_news(news));
    }
    outputs
}

#[test]
fn the_engine_listens_while_it_thinks() {
    let (sender, news) = channel();
    let sender = Mutex::new(sender);
    let sink = move |news| {
        let _ = sender.lock().expect("no holder panics").send(news);
    };
    let mut engine = Engine::new(Arc::new(sink));
    let set = |engine: &mut Engine, name, value: &str| {
        let set = engine.set_option(name, Some(value.as_bytes()));
        set.unwrap_or_else(|error| panic!("{error}"));
    };
    for (threads, hash) in [("2", "1"), ("3", "2")] {
        set(&mut engine, "Threads", threads);
        set(&mut engine, "Hash", hash);
        let go = GoRequest {
            limits: Limits {
                infinite: true,
                ..Limits::default()
            },
            ..GoRequest::default()
        };
        assert!(engine.go(go).is_empty());
        for _ in 0..8 {
            let news = news.recv_timeout(PATIENCE).expect("there are news");
            engine.on_news(news);
            engine.probe(None, &[]).expect("there is such a position");
        }
        let mut outputs = engine.stop();
        outputs.extend(settle(&mut engine, &news));
        assert!(matches!(outputs.last(), Some(Output::BestMove(_))));
        engine.new_game();
        assert_eq!(engine.probe(None, &[]), Ok(None));
    }
}
