//! Every command and reply through both dialects, and junk through the parsers.

use super::*;
use crate::engine::{BestMove, Info, MAX_CP, Offer, Ranks, ShownScore};
use crate::types::{Bound, Move};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

const DIALECTS: [Dialect; 2] = [Dialect::Ucci, Dialect::Uci];
const NUMBERINGS: [Ranks; 2] = [Ranks::FromZero, Ranks::FromOne];

fn a_move() -> impl Strategy<Value = Move> {
    (0u16..90, 0u16..90)
        .prop_filter_map("two squares", |(from, to)| Move::from_bits(from | to << 7))
}

fn some_moves() -> impl Strategy<Value = Vec<Move>> {
    vec(a_move(), 0..30)
}

fn a_word() -> impl Strategy<Value = String> {
    "[A-Za-z][A-Za-z0-9;:/-]{0,8}".prop_filter("no keyword", |word| {
        ![
            "name", "value", "type", "fen", "moves", "startpos", "default", "min", "max", "var",
        ]
        .contains(&word.to_lowercase().as_str())
    })
}

fn some_words() -> impl Strategy<Value = String> {
    vec(a_word(), 1..4).prop_map(|words| words.join(" "))
}

fn a_placement() -> impl Strategy<Value = Placement> {
    let fen = of(some_words().prop_map(|tail| format!("9/9/9/9/9/9/9/9/9/9 w {tail}")));
    let unreadable = of(a_word().prop_map(|word| format!("zz{word}")));
    (fen, some_moves(), unreadable).prop_map(|(fen, moves, unreadable)| Placement {
        fen,
        moves,
        unreadable,
    })
}

fn a_go() -> impl Strategy<Value = Go> {
    let flags = any::<(bool, bool, bool)>();
    let limits = any::<(
        Option<u32>,
        Option<u64>,
        Option<u32>,
        Option<i64>,
        Option<u32>,
    )>();
    let ucci = any::<(
        Option<i64>,
        Option<i64>,
        Option<i64>,
        Option<i64>,
        Option<u32>,
    )>();
    let uci = any::<([Option<i64>; 2], [Option<i64>; 2])>();
    (flags, limits, ucci, uci, some_moves()).prop_map(|(flags, limits, ucci, uci, moves)| Go {
        ponder: flags.0,
        draw: flags.1,
        infinite: flags.2,
        depth: limits.0,
        nodes: limits.1,
        mate: limits.2,
        move_time: limits.3,
        moves_to_go: limits.4,
        time: ucci.0,
        increment: ucci.1,
        opponent_time: ucci.2,
        opponent_increment: ucci.3,
        opponent_moves_to_go: ucci.4,
        times: uci.0,
        increments: uci.1,
        search_moves: moves,
    })
}

fn a_command() -> impl Strategy<Value = Command> {
    let value = of(
        vec(any::<u8>(), 1..20).prop_filter("no blanks around, no line end", |bytes| {
            !bytes.contains(&b'\n') && !bytes.contains(&b'\r') && {
                let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
                !blank(bytes.first()) && !blank(bytes.last())
            }
        }),
    );
    prop_oneof![
        Just(Command::Greeting(Dialect::Ucci)),
        Just(Command::Greeting(Dialect::Uci)),
        Just(Command::Cyclone),
        Just(Command::IsReady),
        (a_word(), value).prop_map(|(name, value)| Command::SetOption { name, value }),
        a_placement().prop_map(Command::Position),
        some_moves().prop_map(Command::BanMoves),
        a_go().prop_map(Command::Go),
        any::<bool>().prop_map(|draw| Command::PonderHit { draw }),
        Just(Command::Stop),
        a_placement().prop_map(Command::Probe),
        Just(Command::Quit),
        any::<u32>().prop_map(Command::Perft),
        Just(Command::Display),
        Just(Command::Eval),
        vec(a_word(), 0..3).prop_map(Command::Bench),
        Just(Command::Help),
    ]
}

fn a_score() -> impl Strategy<Value = ShownScore> {
    prop_oneof![
        (-MAX_CP..=MAX_CP).prop_map(ShownScore::Cp),
        // The mating side makes the last move, the mated side does not.
        (1i32..120).prop_map(|moves| ShownScore::Mate(2 * moves - 1)),
        (0i32..120).prop_map(|moves| ShownScore::Mate(-2 * moves)),
    ]
}

fn a_thinking_line() -> impl Strategy<Value = Info> {
    let numbers = any::<(
        Option<u32>,
        Option<u32>,
        Option<u64>,
        Option<u64>,
        Option<u64>,
    )>();
    let more = any::<(
        Option<u32>,
        Option<u64>,
        Option<u16>,
        Option<u16>,
        Option<[u32; 3]>,
    )>();
    let bound = of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]);
    (
        numbers,
        more,
        of(a_score()),
        bound,
        of(a_move()),
        some_moves(),
    )
        .prop_map(|(numbers, more, score, bound, current_move, pv)| Info {
            depth: numbers.0,
            selective_depth: numbers.1,
            nodes: numbers.2,
            nodes_per_second: numbers.3,
            time_ms: numbers.4,
            hashfull: more.0,
            table_hits: more.1,
            rank: more.2.map(usize::from),
            current_number: more.3.map(usize::from),
            wdl: more.4,
            score,
            bound: score.and(bound),
            current_move,
            pv,
            message: None,
        })
}

fn a_best_move() -> impl Strategy<Value = BestMove> {
    let offer = of(prop_oneof![Just(Offer::Draw), Just(Offer::Resign)]);
    (a_move(), of(a_move()), offer).prop_map(|(mv, ponder, offer)| BestMove { mv, ponder, offer })
}

fn an_option_line() -> impl Strategy<Value = OptionLine> {
    let kind = prop_oneof![
        Just(OptionKind::Label),
        Just(OptionKind::Button),
        any::<bool>().prop_map(OptionKind::Check),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (some_words(), vec(some_words(), 1..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        prop_oneof![Just(String::new()), some_words()].prop_map(OptionKind::Text),
    ];
    (some_words(), kind).prop_map(|(name, kind)| OptionLine { name, kind })
}

fn a_reply() -> impl Strategy<Value = Reply> {
    let bound = || of((a_score(), any::<u32>()));
    prop_oneof![
        (a_word(), some_words()).prop_map(|(field, text)| Reply::Id { field, text }),
        an_option_line().prop_map(Reply::Option),
        Just(Reply::Greeted(Dialect::Ucci)),
        Just(Reply::Greeted(Dialect::Uci)),
        Just(Reply::ReadyOk),
        a_thinking_line().prop_map(Reply::Info),
        some_words().prop_map(|text| Reply::Info(Info::message(text))),
        a_best_move().prop_map(Reply::BestMove),
        Just(Reply::NoMove),
        (of(a_move()), bound(), bound())
            .prop_map(|(best, lower, upper)| Reply::HashEntry(HashEntry { best, lower, upper })),
        Just(Reply::Bye),
        some_words().prop_map(|words| Reply::Text(format!("zz {words}"))),
    ]
}

/// What is left of a reply in a dialect without words for all of it.
fn as_carried(reply: &Reply, dialect: Dialect) -> Reply {
    let mut reply = reply.clone();
    match (&mut reply, dialect) {
        (Reply::Info(info), Dialect::Ucci) => info.bound = None,
        (Reply::BestMove(best), Dialect::Uci) => best.offer = None,
        _ => {}
    }
    reply
}

proptest! {
    #[test]
    fn commands_round_trip(command in a_command()) {
        for dialect in DIALECTS {
            for ranks in NUMBERINGS {
                let line = command.print(dialect, ranks);
                let text = String::from_utf8_lossy(&line).into_owned();
                let read = Command::parse(&line, ranks);
                prop_assert_eq!(read, Ok(command.clone()), "{}", text);
            }
        }
    }

    #[test]
    fn replies_round_trip(reply in a_reply()) {
        for dialect in DIALECTS {
            for ranks in NUMBERINGS {
                let line = reply.print(dialect, ranks);
                prop_assert!(line.len() <= 1_000 && !line.contains('\n'));
                let read = Reply::parse(line.as_bytes(), ranks);
                prop_assert_eq!(read, as_carried(&reply, dialect), "{}", line);
            }
        }
    }

    #[test]
    fn parsers_survive_any_bytes(line in vec(any::<u8>(), 0..200)) {
        for ranks in NUMBERINGS {
            let _ = Command::parse(&line, ranks);
            let _ = Reply::parse(&line, ranks);
        }
    }

    #[test]
    fn parsers_survive_damaged_lines(
        command in a_command(),
        reply in a_reply(),
        cuts in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let lines = [
            command.print(Dialect::Ucci, Ranks::FromZero),
            reply.print(Dialect::Uci, Ranks::FromOne).into_bytes(),
        ];
        for mut line in lines {
            for (index, byte) in &cuts {
                if !line.is_empty() {
                    let at = index.index(line.len());
                    line[at] = *byte;
                }
            }
            let _ = Command::parse(&line, Ranks::FromOne);
            let _ = Reply::parse(&line, Ranks::FromZero);
        }
    }
}

#[test]
fn a_new_game_is_said_differently() {
    for (dialect, text) in [
        (Dialect::Ucci, "setoption newgame"),
        (Dialect::Uci, "ucinewgame"),
    ] {
        let line = Command::NewGame.print(dialect, Ranks::FromZero);
        assert_eq!(line, text.as_bytes());
    }
}

#[test]
fn long_lines_lose_the_end_of_the_pv() {
    let moves = vec!["h2e2".parse::<Move>().expect("a move"); 1_000];
    let info = Info {
        depth: Some(1),
        pv: moves,
        ..Info::default()
    };
    for dialect in DIALECTS {
        for ranks in NUMBERINGS {
            let line = Reply::Info(info.clone()).print(dialect, ranks);
            assert!((990..=1_000).contains(&line.len()));
        }
        let message = Reply::Info(Info::message("炮".repeat(2_000)));
        assert!(message.print(dialect, Ranks::FromZero).len() <= 1_000);
    }
}

#[test]
fn lines_of_other_engines_are_understood() {
    let parse = |line: &str| Reply::parse(line.as_bytes(), Ranks::FromZero);
    for nothing in [
        "bestmove (none)",
        "bestmove null",
        "bestmove 0000",
        "nobestmove",
    ] {
        assert_eq!(parse(nothing), Reply::NoMove);
    }
    let Reply::Info(info) = parse("info depth 9 score mate -3 upperbound nodes 7 pv h2e2 (none)")
    else {
        panic!("an info line");
    };
    assert_eq!(info.score, Some(ShownScore::Mate(-6)));
    assert_eq!(
        (info.bound, info.nodes, info.pv.len()),
        (Some(Bound::Upper), Some(7), 1)
    );
    let Reply::Info(info) = parse("info score 9997 foo bar time") else {
        panic!("an info line");
    };
    assert_eq!(
        (info.score, info.time_ms),
        (Some(ShownScore::Mate(3)), None)
    );
    assert!(matches!(
        parse("bestmove h2e2 ponder h9g7 draw"),
        Reply::BestMove(_)
    ));
    assert_eq!(parse("hello\r"), Reply::Text("hello".to_owned()));
}
