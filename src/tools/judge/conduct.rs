//! What a side did in a cycle, in a word: perpetual check (长将), check and idle
//! in turn (一将一闲), ...

use super::words;
use crate::rules::{CycleReport, PlyKind, PlyReport, RuleSet};
use crate::types::Color;

/// Describes the plies of a side.
pub(super) fn describe(cycle: &CycleReport, side: Color, set: RuleSet) -> String {
    let plies = cycle.plies.iter().filter(|ply| ply.piece.color == side);
    let is_hunt = set != RuleSet::Cxa
        && plies
            .clone()
            .all(|ply| ply.kind == PlyKind::Check || !ply.chases.is_empty());
    let mut kinds: Vec<PlyKind> = plies.map(|ply| kind(ply, is_hunt)).collect();
    kinds.sort_unstable_by(|a, b| b.cmp(a));
    kinds.dedup();
    match kinds[..] {
        [] => "nothing".to_owned(),
        [PlyKind::Idle] => "idle moves (闲)".to_owned(),
        [kind] => format!("perpetual {} (长{})", english(kind), chinese(kind)),
        [heavy, light] => format!(
            "{} and {} in turn (一{}一{})",
            english(heavy),
            english(light),
            chinese(heavy),
            chinese(light)
        ),
        [..] => {
            let names: Vec<String> = kinds
                .iter()
                .map(|&kind| words::kind(kind).to_string())
                .collect();
            names.join(", ")
        }
    }
}

/// The type that counts. Only the modern rules weigh a mate threat above a chase;
/// elsewhere a side that chases with every ply is named for that.
fn kind(ply: &PlyReport, is_hunt: bool) -> PlyKind {
    if is_hunt && ply.kind != PlyKind::Check {
        PlyKind::Chase
    } else {
        ply.kind
    }
}

fn english(kind: PlyKind) -> &'static str {
    words::kind(kind).english
}

fn chinese(kind: PlyKind) -> &'static str {
    words::kind(kind).chinese
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::{Game, Rules};

    fn conduct(set: RuleSet, fen: &str, cycle: &str) -> [String; 2] {
        let mut game = Game::with_rules(Position::from_fen(fen).unwrap(), Rules::of(set));
        game.play(cycle.split(' ').map(|mv| mv.parse().unwrap()))
            .unwrap();
        let cycle = game.judge(None).cycle.unwrap();
        Color::ALL.map(|side| describe(&cycle, side, set))
    }

    #[test]
    fn sides_are_named_for_what_they_do() {
        let checks = ("4k4/R8/9/9/9/9/9/9/9/3K5 w", "a8a9 e9e8 a9a8 e8e9");
        let expected = ["perpetual check (长将)", "idle moves (闲)"];
        assert_eq!(conduct(RuleSet::Cxa, checks.0, checks.1), expected);
        let chase = ("4k4/9/4n4/9/3c5/9/9/9/5R3/4K4 w", "f1d1 d5f5 d1f1 f5d5");
        let expected = "perpetual chase (长捉)";
        assert_eq!(conduct(RuleSet::Axf, chase.0, chase.1)[0], expected);
        // Each ply threatens mate, and one of two chases.
        let threats = ("4k4/4a4/9/c8/9/1n5R1/9/9/9/4K4 w", "h4h6 a6a7 h6h4 a7a6");
        let expected = "perpetual mate threat (长杀)";
        assert_eq!(conduct(RuleSet::Cxa, threats.0, threats.1)[0], expected);
        let mixed = (
            "4ka3/2R1a4/C8/p7p/1P5n1/9/4n4/4B4/9/4K1B2 w",
            "c8c9 e8d9 c9c8 d9e8",
        );
        assert_eq!(
            conduct(RuleSet::Cxa, mixed.0, mixed.1)[0],
            "check and check-capture threat in turn (一将一抽吃)"
        );
    }
}
