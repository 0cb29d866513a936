//! The rule cases under `data/rules`, one file a family, by every rule set that a
//! case lists, and as seen in both mirrors; and what must hold for any game.
//!
//! A line of a file is one case: FEN, moves, rule sets, and the verdict after the
//! last move. `source` and `why` say where it comes from.

use chuhe::position::Position;
use chuhe::rules::{Basis, Game, GameResult, Outcome, PlyKind, Reason, RuleSet, Rules, Verdict};
use chuhe::types::{Color, Move};
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

/// Cases held to be wrong, by name, with the reason from the rule text.
const DISPUTED: &[(&str, &str)] = &[];

struct Case {
    id: String,
    sets: Vec<RuleSet>,
    position: Position,
    moves: Vec<Move>,
    /// `None`: the game goes on.
    verdict: Option<GameResult>,
}

impl Case {
    fn read(line: &str) -> Self {
        let value: Value = serde_json::from_str(line).expect("a JSON object");
        let text = |key: &str| value[key].as_str().expect("a text field");
        let list = |key: &str| {
            let items = value[key].as_array().expect("a list").iter();
            items.map(|item| item.as_str().expect("a list of texts"))
        };
        Self {
            id: text("id").to_owned(),
            sets: list("ruleset")
                .map(|set| set.parse().expect("a rule set"))
                .collect(),
            position: Position::from_fen(text("fen")).expect("a legal position"),
            moves: list("moves")
                .map(|mv| mv.parse().expect("a move"))
                .collect(),
            verdict: match text("verdict") {
                "red_loses" => Some(GameResult::Loses(Color::Red)),
                "black_loses" => Some(GameResult::Loses(Color::Black)),
                "draw" => Some(GameResult::Draw),
                "continue" => None,
                other => panic!("unknown verdict {other}"),
            },
        }
    }

    /// The same case with the sides exchanged.
    fn with_sides_flipped(&self) -> Self {
        let flip = |result| match result {
            GameResult::Loses(side) => GameResult::Loses(!side),
            GameResult::Draw => GameResult::Draw,
        };
        Self {
            id: format!("{} (sides exchanged)", self.id),
            sets: self.sets.clone(),
            position: self.position.flip_sides(),
            moves: self.moves.iter().map(|mv| mv.flip_rank()).collect(),
            verdict: self.verdict.map(flip),
        }
    }

    /// The same case in the left-right mirror.
    fn mirrored(&self) -> Self {
        Self {
            id: format!("{} (mirrored)", self.id),
            sets: self.sets.clone(),
            position: self.position.mirror_files(),
            moves: self.moves.iter().map(|mv| mv.mirror_file()).collect(),
            verdict: self.verdict,
        }
    }

    fn game(&self, set: RuleSet) -> Game {
        let mut game = Game::with_rules(self.position.clone(), Rules::of(set));
        game.play(self.moves.iter().copied()).expect("legal moves");
        game
    }

    /// What went wrong with each rule set.
    fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for &set in &self.sets {
            let got = self.game(set).judge(None).end.map(|(result, _)| result);
            if got != self.verdict {
                failures.push(format!(
                    "{} by {set}: expected {:?}, got {got:?}",
                    self.id, self.verdict
                ));
            }
        }
        failures
    }
}

fn cases(family: &str) -> Vec<Case> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/rules/{family}.jsonl"));
    let text = std::fs::read_to_string(path).expect("the file of the family");
    text.lines().map(Case::read).collect()
}

fn check_family(family: &str) {
    let mut failures = Vec::new();
    for case in cases(family) {
        if DISPUTED.iter().any(|&(id, _)| id == case.id) {
            assert!(
                !case.failures().is_empty(),
                "{} passes: remove it from the list",
                case.id
            );
            continue;
        }
        let mirrored = case.mirrored();
        for case in [
            &case,
            &case.with_sides_flipped(),
            &mirrored,
            &mirrored.with_sides_flipped(),
        ] {
            failures.extend(case.failures());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Figures of the rules of 1956 and 1959.
#[test]
fn seed() {
    check_family("seed");
}

/// Figures of the Asian rule book.
#[test]
fn wxf() {
    check_family("wxf");
}

/// Minimal positions for the Asian rules.
#[test]
fn axfmin() {
    check_family("axfmin");
}

/// One attacker, one victim, all states of protection.
#[test]
fn chasetable() {
    check_family("chasetable");
}

/// One clause each.
#[test]
fn derived() {
    check_family("derived");
}

/// Decisions of the TianTian platform.
#[test]
fn sky() {
    check_family("sky");
}

/// The first end of the game is at or before the end of the case.
#[test]
fn games_end_where_the_rules_first_say_so() {
    let families = ["seed", "wxf", "axfmin", "chasetable", "derived", "sky"];
    for case in families.iter().flat_map(|family| cases(family)) {
        for &set in &case.sets {
            let game = case.game(set);
            let first = game.first_end(None);
            assert_eq!(
                first.is_some(),
                case.verdict.is_some(),
                "{} by {set}",
                case.id
            );
            if let Some(first) = first {
                assert!(first.ply <= game.ply_count(), "{} by {set}", case.id);
                let result = first.end.map(|(result, _)| result);
                assert_eq!(
                    result, case.verdict,
                    "{} by {set} at ply {}",
                    case.id, first.ply
                );
            }
        }
    }
}

fn game(fen: &str, rules: Rules, moves: &str) -> Game {
    let position = Position::from_fen(fen).expect("a legal position");
    let mut game = Game::with_rules(position, rules);
    let moves = moves
        .split_whitespace()
        .map(|mv| mv.parse().expect("a move"));
    game.play(moves).expect("legal moves");
    game
}

const ROOK_CHECKS: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w";
const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9 ";

#[test]
fn the_search_tells_a_second_occurrence_from_a_third() {
    let at = |moves: &str, root: usize| {
        let verdict = game(ROOK_CHECKS, Rules::default(), moves).verdict(root);
        verdict.map(|verdict| (verdict.outcome, verdict.basis))
    };
    // Red, to move, has checked with every ply.
    assert_eq!(
        at(&CHECKS.repeat(2), 0),
        Some((Outcome::Loss, Basis::Final))
    );
    assert_eq!(
        at(&CHECKS.repeat(2), 8),
        Some((Outcome::Loss, Basis::Final))
    );
    // The root itself does not count as inside the search.
    assert_eq!(at(CHECKS, 0), None);
    assert_eq!(
        at(&format!("{CHECKS} a8a9"), 0),
        Some((Outcome::Win, Basis::Settled))
    );
    assert_eq!(at(&format!("{CHECKS} a8a9"), 1), None);
    // Another way back: the position before was not the same.
    let other_way = at("a8b8 e9f9 b8c8 f9e9 c8b8", 0);
    assert_eq!(other_way, Some((Outcome::Draw, Basis::Twofold)));
}

#[test]
fn the_fold_is_a_number_of_the_rules() {
    let verdict = |fold, times| {
        let rules = Rules {
            fold,
            ..Rules::default()
        };
        game(ROOK_CHECKS, rules, &CHECKS.repeat(times)).verdict(usize::MAX / 2)
    };
    let lost = Some(Verdict {
        outcome: Outcome::Loss,
        basis: Basis::Final,
    });
    assert_eq!((verdict(2, 1), verdict(3, 1)), (lost, None));
    assert_eq!(
        (verdict(3, 2), verdict(4, 2), verdict(4, 3)),
        (lost, None, lost)
    );
}

#[test]
fn none_forbids_nothing() {
    let judgement = game(ROOK_CHECKS, Rules::of(RuleSet::None), &CHECKS.repeat(2)).judge(None);
    assert_eq!(judgement.end, Some((GameResult::Draw, Reason::Repetition)));
}

/// Section 9, decision 8: another way back in between makes it a draw.
#[test]
fn the_whole_stretch_must_be_of_the_same_class() {
    let quiet = "a8b8 e9f9 b8a8 f9e9 ";
    let judge = |moves: &str| game(ROOK_CHECKS, Rules::default(), moves).judge(None).end;
    let draw = Some((GameResult::Draw, Reason::Repetition));
    assert_eq!(judge(&format!("{quiet}{CHECKS}")), draw);
    let loss = Some((GameResult::Loses(Color::Red), Reason::Repetition));
    assert_eq!(judge(&format!("{quiet}{}", CHECKS.repeat(2))), loss);
}

#[test]
fn the_referee_gives_its_reasons() {
    // The horse protects the cannon, but may not leave the file of the kings.
    let fen = "4k4/9/4n4/9/3c5/9/9/9/5R3/4K4 w";
    let cycle = "f1d1 d5f5 d1f1 f5d5 ".repeat(2);
    let judgement = game(fen, Rules::default(), &cycle).judge(None);
    let loss = (GameResult::Loses(Color::Red), Reason::Repetition);
    assert_eq!(judgement.end, Some(loss));
    let cycle = judgement.cycle.expect("a cycle");
    assert_eq!((cycle.start, cycle.length, cycle.occurrences), (4, 4, 3));
    let kinds: Vec<PlyKind> = cycle.plies.iter().map(|ply| ply.kind).collect();
    assert_eq!(kinds[0], PlyKind::Chase);
    assert_eq!(kinds[1], PlyKind::Idle);
    let attack = &cycle.plies[0].chases[0];
    assert_eq!(attack.attacker.square.to_string(), "d1");
    assert_eq!(attack.victim.square.to_string(), "d5");
    assert_eq!(attack.roots.len(), 1);
    assert_eq!(attack.roots[0].man.square.to_string(), "e7");
    assert!(attack.roots[0].fault.is_some());
}

/// The result that the search sees with nothing but the game before it.
fn on_the_board(game: &Game) -> Option<GameResult> {
    let us = game.position().side_to_move();
    let verdict = game.verdict(game.ply_count())?;
    assert_eq!(verdict.basis, Basis::Final);
    Some(match verdict.outcome {
        Outcome::Draw => GameResult::Draw,
        Outcome::Win => GameResult::Loses(!us),
        Outcome::Loss => GameResult::Loses(us),
    })
}

/// The result that the referee sees.
fn refereed(game: &Game) -> Option<GameResult> {
    game.judge(None).end.map(|(result, _)| result)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Random games in which both sides like to take their last move back, from
    /// positions of the cases, so that repetitions of all kinds arise.
    #[test]
    fn mirrors_do_not_change_a_verdict_and_the_referee_agrees(
        start in 0..1_000usize,
        set in 0..RuleSet::ALL.len(),
        choices in proptest::collection::vec(any::<u16>(), 40..80),
    ) {
        let starts = cases("wxf");
        let case = &starts[start % starts.len()];
        let rules = Rules::of(RuleSet::ALL[set]);
        let mut game = Game::with_rules(case.position.clone(), rules);
        let mut mirrors = [
            Game::with_rules(case.position.flip_sides(), rules),
            Game::with_rules(case.position.mirror_files(), rules),
        ];
        let mut played: Vec<Move> = Vec::new();
        for choice in choices {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let back = played.iter().rev().nth(1).and_then(|mv| Move::checked(mv.to(), mv.from()));
            let mv = match back {
                Some(back) if choice % 8 != 0 && moves.contains(&back) => back,
                _ => moves[choice as usize % moves.len()],
            };
            game.make(mv);
            mirrors[0].make(mv.flip_rank());
            mirrors[1].make(mv.mirror_file());
            played.push(mv);
            if game.position().has_legal_move(game.legality()) {
                prop_assert_eq!(on_the_board(&game), refereed(&game));
            }
            for root in [0, game.ply_count()] {
                let verdict = game.verdict(root);
                for mirror in &mirrors {
                    prop_assert_eq!(mirror.verdict(root), verdict);
                }
            }
        }
        while game.ply_count() > 0 {
            game.unmake();
        }
        prop_assert_eq!(game.position(), &case.position);
    }
}
