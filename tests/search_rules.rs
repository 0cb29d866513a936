//! The search under the repetition rules: it leaves a repetition that would lose,
//! repeats when the opponent is at fault, never reports a mate that is none, and
//! finds the same move whatever the table has heard on other paths.

use chuhe::position::Position;
use chuhe::rules::{Basis, Game, Outcome, RuleSet, Rules};
use chuhe::search::{Limits, Outcome as SearchOutcome, Request, Searcher, Signals};
use chuhe::types::score::{is_loss, is_mate};
use chuhe::types::{Color, Move};
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

struct Case {
    id: String,
    sets: Vec<RuleSet>,
    position: Position,
    moves: Vec<Move>,
    offender: Option<Color>,
}

/// All cases of all families whose rule sets judge by cycles. The platform's rule
/// counts over twenty rounds, more than these games are cut to.
fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules");
    let mut cases = Vec::new();
    for family in ["seed", "wxf", "axfmin", "chasetable", "derived"] {
        let text = std::fs::read_to_string(folder.join(format!("{family}.jsonl")))
            .expect("the file of the family");
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).expect("a JSON object");
            let list = |key: &str| {
                let items = value[key].as_array().expect("a list").iter();
                items.map(|item| item.as_str().expect("a text"))
            };
            cases.push(Case {
                id: value["id"].as_str().expect("a name").to_owned(),
                sets: list("ruleset")
                    .map(|set| set.parse().expect("a rule set"))
                    .collect(),
                position: Position::from_fen(value["fen"].as_str().expect("a FEN")).expect("legal"),
                moves: list("moves")
                    .map(|mv| mv.parse().expect("a move"))
                    .collect(),
                offender: match value["verdict"].as_str() {
                    Some("red_loses") => Some(Color::Red),
                    Some("black_loses") => Some(Color::Black),
                    _ => None,
                },
            });
        }
    }
    cases
}

fn search(game: &Game, nodes: u64) -> SearchOutcome {
    let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let request = Request::new(game.clone(), limits);
    searcher.search(&request, &Signals::new(false), &mut |_| {})
}

/// Whether the game is over on the board and the side to move has won or lost.
fn final_outcome(game: &Game) -> Option<Outcome> {
    let verdict = game.verdict(game.ply_count())?;
    (verdict.basis == Basis::Final).then_some(verdict.outcome)
}

/// Whether the move leads to a position from which the opponent can end the game
/// at once as lost by rule for the mover.
fn loses_by_rule(game: &Game, mv: Move) -> bool {
    let mut game = game.clone();
    game.make(mv);
    if final_outcome(&game) == Some(Outcome::Win) {
        return true;
    }
    let replies = game.position().legal_moves();
    replies.into_iter().any(|reply| {
        game.make(reply);
        let lost = final_outcome(&game) == Some(Outcome::Loss);
        game.unmake();
        lost
    })
}

/// The last point of a case at which the offender could still turn off.
fn last_chance(case: &Case, set: RuleSet) -> Option<Game> {
    let offender = case.offender?;
    let mut game = Game::with_rules(case.position.clone(), Rules::of(set));
    let mut chance = None;
    for &mv in &case.moves {
        if game.position().side_to_move() == offender && loses_by_rule(&game, mv) {
            chance = Some(game.clone());
            break;
        }
        game.make(mv);
        if final_outcome(&game).is_some() {
            break;
        }
    }
    chance
}

#[test]
fn the_offender_turns_off_while_anything_else_is_better() {
    let (mut left, mut lost_anyway) = (0, Vec::new());
    for case in cases() {
        for &set in &case.sets {
            let Some(game) = last_chance(&case, set) else {
                continue;
            };
            let outcome = search(&game, 20_000);
            let best = outcome.best.expect("there is a legal move");
            if !loses_by_rule(&game, best) {
                left += 1;
                continue;
            }
            // Losing by rule is right only where every other move loses, too. (The two
            // searches share nothing: the second may need longer for what the first saw.)
            let moves = game.position().legal_moves();
            let others: Vec<Move> = moves
                .into_iter()
                .filter(|&mv| !loses_by_rule(&game, mv))
                .collect();
            if !others.is_empty() {
                let mut request = Request::new(
                    game.clone(),
                    Limits {
                        nodes: Some(40_000),
                        ..Limits::default()
                    },
                );
                request.only_moves = others;
                let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
                let rest = searcher.search(&request, &Signals::new(false), &mut |_| {});
                assert!(
                    is_loss(rest.score),
                    "{} by {set}: {best} loses by rule, {:?} scores {}",
                    case.id,
                    rest.best,
                    rest.score
                );
            }
            lost_anyway.push(case.id.clone());
        }
    }
    println!(
        "{left} left, {} lost anyway: {lost_anyway:?}",
        lost_anyway.len()
    );
    assert!(left > 100, "{left}");
}

/// What the victim of a forbidden repetition may count on: it may go on, and does
/// not think itself mated or lost by it.
#[test]
fn the_victim_is_not_afraid_of_the_repetition() {
    for case in cases() {
        for &set in &case.sets {
            let Some(offender) = case.offender else {
                continue;
            };
            let mut game = Game::with_rules(case.position.clone(), Rules::of(set));
            for &mv in case.moves.iter().take(case.moves.len() / 2) {
                game.make(mv);
            }
            if game.position().side_to_move() == offender || final_outcome(&game).is_some() {
                continue;
            }
            let outcome = search(&game, 10_000);
            let lost_by_rule = is_loss(outcome.score) && !is_mate(outcome.score);
            assert!(!lost_by_rule, "{} by {set}: {outcome:?}", case.id);
        }
    }
}

/// Where only a forbidden repetition holds, the offender is lost by the rule set
/// and saved where nothing is forbidden.
#[test]
fn a_forbidden_repetition_saves_only_without_rules() {
    let mut saved = 0;
    for case in cases() {
        let Some(set) = case.sets.first() else {
            continue;
        };
        let (Some(mut game), Some(_)) = (last_chance(&case, *set), case.offender) else {
            continue;
        };
        let by_rule = search(&game, 20_000).score;
        if by_rule < -300 {
            game.set_rules(Rules::of(RuleSet::None));
            saved += i32::from(search(&game, 20_000).score > -100);
        }
    }
    assert!(saved >= 20, "{saved}");
}

/// A mate score is a mate: playing the reported line ends the game by mate.
#[test]
fn reported_mates_are_mates() {
    for case in cases().into_iter().filter(|case| case.offender.is_some()) {
        for &set in &case.sets {
            let mut game = Game::with_rules(case.position.clone(), Rules::of(set));
            for &mv in case.moves.iter().take(5) {
                game.make(mv);
            }
            let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
            let limits = Limits {
                nodes: Some(8_000),
                ..Limits::default()
            };
            let request = Request::new(game.clone(), limits);
            let mut line = Vec::new();
            let outcome = searcher.search(&request, &Signals::new(false), &mut |event| {
                if let chuhe::search::Event::Line(reported, _) = event {
                    line = reported.pv;
                }
            });
            // Lines are cut by the table now and then; those that are whole must be right.
            let plies = (chuhe::types::score::MATE - outcome.score.abs()) as usize;
            if is_mate(outcome.score)
                && line.len() == plies
                && line.first() == outcome.best.as_ref()
            {
                game.play(line.iter().copied()).expect("the line is legal");
                assert!(
                    !game.position().has_legal_move(game.legality()),
                    "{} by {set}: {line:?} is no mate",
                    case.id
                );
            }
        }
    }
}

/// Graph history: the same position is drawn on one path and not on another. What
/// the table learned on a path where it repeats must not decide where it does not.
#[test]
fn the_table_does_not_carry_repetitions_to_other_paths() {
    // Red is a rook up; after shuffling twice every natural move repeats.
    let fen = "3ak4/4a4/9/9/9/9/9/9/R8/3K5 w";
    let mut searcher = Searcher::new(1, 4).expect("4 MB can be had");
    let position = Position::from_fen(fen).expect("legal");
    let mut repeated = Game::new(position.clone());
    let shuffle = [
        "a1b1", "e9f9", "b1a1", "f9e9", "a1b1", "e9f9", "b1a1", "f9e9",
    ];
    let moves = shuffle[..7]
        .iter()
        .map(|text| text.parse::<Move>().expect("a move"));
    repeated.play(moves).expect("legal moves");
    let limits = Limits {
        nodes: Some(50_000),
        ..Limits::default()
    };
    let drawish = Request::new(repeated, limits.clone());
    let _ = searcher.search(&drawish, &Signals::new(false), &mut |_| {});
    // The same table, the same position, a fresh game: still winning.
    let fresh = Request::new(Game::new(position), limits);
    let outcome = searcher.search(&fresh, &Signals::new(false), &mut |_| {});
    assert!(outcome.score > 200, "{outcome:?}");
}

/// Games of the engine against itself end under every rule set as the referee
/// says, ply by ply.
#[test]
fn self_play_and_referee_agree_under_every_rule_set() {
    for set in RuleSet::ALL {
        for seed in 0..3_usize {
            let mut game = Game::with_rules(Position::start(), Rules::of(set));
            let mut searcher = Searcher::new(1, 1).expect("1 MB can be had");
            for ply in 0..160 {
                let moves = game.position().legal_moves();
                let judgement = game.judge(None).end;
                let over = game.verdict(game.ply_count());
                if moves.is_empty() {
                    assert!(judgement.is_some());
                    break;
                }
                assert_eq!(judgement.is_some(), over.is_some(), "{set}");
                if over.is_some() {
                    break;
                }
                let mv = if ply < 6 {
                    moves[(seed * 7919 + ply * 104_729) % moves.len()]
                } else {
                    let limits = Limits {
                        nodes: Some(150),
                        ..Limits::default()
                    };
                    let request = Request::new(game.clone(), limits);
                    let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
                    outcome.best.expect("there is a legal move")
                };
                game.make(mv);
            }
        }
    }
}

/// Plays fast games under each rule set (`CHUHE_GAMES` of them, 1,000 unless said)
/// and looks at those lost by a repetition rule: the loser must have had nothing
/// better. Prints how games end.
#[test]
#[ignore = "a thousand games under each of three rule sets take minutes"]
fn no_game_is_lost_to_a_rule_that_a_better_move_avoids() {
    let games = std::env::var("CHUHE_GAMES").map_or(1_000, |text| text.parse().expect("a number"));
    for set in [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer] {
        let ends: Vec<(String, Option<String>)> = (0..games)
            .into_par_iter()
            .map(|number| play_fast(set, number))
            .collect();
        let mut counts = std::collections::BTreeMap::<String, u32>::new();
        for (end, _) in &ends {
            *counts.entry(end.clone()).or_default() += 1;
        }
        println!("{set}: {counts:?}");
        let needless: Vec<&String> = ends
            .iter()
            .filter_map(|(_, fault)| fault.as_ref())
            .collect();
        assert!(needless.is_empty(), "{set}: {needless:#?}");
    }
}

/// How a game ended, and, if it was lost needlessly, where.
fn play_fast(set: RuleSet, number: u64) -> (String, Option<String>) {
    use chuhe::tools::arena::openings::RandomOpenings;
    let openings = RandomOpenings {
        plies: (4, 9),
        nodes: 500,
        balance: 300,
        seed: 17,
    };
    let mut searcher = Searcher::new(1, 2).expect("2 MB can be had");
    let start = openings.opening(number, &mut searcher);
    let mut game = Game::with_rules(start, Rules::of(set));
    let limits = Limits {
        nodes: Some(500),
        ..Limits::default()
    };
    for _ in 0..400 {
        if !game.position().has_legal_move(game.legality()) {
            return ("mate or stalemate".to_owned(), None);
        }
        match final_outcome(&game) {
            Some(Outcome::Draw) if game.position().plies_since_capture() >= 120 => {
                return ("natural limit".to_owned(), None);
            }
            Some(Outcome::Draw) => return ("repetition, drawn".to_owned(), None),
            Some(outcome) => return ("repetition, lost".to_owned(), needless(game, outcome)),
            None => {}
        }
        let request = Request::new(game.clone(), limits.clone());
        let outcome = searcher.search(&request, &Signals::new(false), &mut |_| {});
        game.make(outcome.best.expect("there is a legal move"));
    }
    ("400 plies".to_owned(), None)
}

/// Goes back to the loser's last move and looks for a better one.
fn needless(mut game: Game, outcome: Outcome) -> Option<String> {
    let end = game.position().to_fen();
    game.unmake();
    if outcome == Outcome::Loss {
        game.unmake(); // the opponent closed the cycle
    }
    let moves = game.position().legal_moves();
    let others: Vec<Move> = moves
        .into_iter()
        .filter(|&mv| !loses_by_rule(&game, mv))
        .collect();
    if others.is_empty() {
        return None;
    }
    let mut request = Request::new(
        game.clone(),
        Limits {
            nodes: Some(5_000),
            ..Limits::default()
        },
    );
    request.only_moves = others;
    let mut searcher = Searcher::new(1, 2).expect("2 MB can be had");
    let rest = searcher.search(&request, &Signals::new(false), &mut |_| {});
    // Anything but a loss would have been better.
    (!is_loss(rest.score)).then(|| format!("{end}: {:?} scores {}", rest.best, rest.score))
}
