//! What is known exactly about endings with few attackers: material that cannot
//! win, or hardly ever does, pulls a score towards 0; material that wins keeps
//! the score or raises it.
//!
//! Leans on `types` and `position`. A network meets few bare endings in its games
//! and gives a horse against two elephants (例和, drawn by theory) the value of a
//! horse. The grades below are the win, draw and loss counts of complete retrograde tables of
//! 103 material classes, put as rules of attackers against guards, so that classes
//! between the counted ones follow. A percentage in a comment is the share of wins
//! among the legal positions with the attacker to move.
//!
//! Guards are advisors and elephants, attackers all other men but kings. A pawn on
//! the last rank (底兵) is no attacker by itself.

use crate::position::Position;
use crate::types::{Color, PieceType, Rank, Score, Square};

/// With more attackers than this on the board nothing is known.
const MOST_ATTACKERS: u32 = 3;
/// The least that winning material is worth. After correction and damping by the
/// search a clear advantage must be left.
const WON: Score = 300;

/// The parts of a score.
const WHOLE: i32 = 16;

/// What a class of material promises the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grade {
    /// It wins, but for accidents.
    Won,
    /// The score keeps so many parts of [`WHOLE`].
    Keeps(i32),
}

/// Nothing is known.
const OPEN: Grade = Grade::Keeps(WHOLE);
/// Between classes that win in every second position and drawn ones.
const HALF: Grade = Grade::Keeps(WHOLE / 2);
/// Wins in one position out of four or five.
const SELDOM: Grade = Grade::Keeps(2);
/// Wins hardly ever, or never.
const DRAWN: Grade = Grade::Keeps(1);

/// The men of a side by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Force {
    rooks: u32,
    knights: u32,
    cannons: u32,
    /// Pawns that can still move forward.
    pawns: u32,
    /// Pawns on the last rank.
    spent: u32,
    advisors: u32,
    bishops: u32,
}

impl Force {
    fn of(position: &Position, side: Color) -> Self {
        let count = |kind| position.men(side, kind).len();
        let pawns = position.men(side, PieceType::Pawn);
        let on_last_rank = |pawn: &Square| pawn.rank().relative_index(side) == Rank::COUNT - 1;
        let spent = pawns.into_iter().filter(on_last_rank).count() as u32;
        Self {
            rooks: count(PieceType::Rook),
            knights: count(PieceType::Knight),
            cannons: count(PieceType::Cannon),
            pawns: pawns.len() - spent,
            spent,
            advisors: count(PieceType::Advisor),
            bishops: count(PieceType::Bishop),
        }
    }

    const fn attackers(&self) -> u32 {
        self.rooks + self.knights + self.cannons + self.pawns + self.spent
    }

    const fn guards(&self) -> (u32, u32) {
        (self.advisors, self.bishops)
    }
}

/// The evaluation with what is known of the material, from the view of the side to
/// move. The order of positions within a class stays.
#[inline]
pub(super) fn adjust(position: &Position, score: Score) -> Score {
    let others = position.men_of_kind(PieceType::King)
        | position.men_of_kind(PieceType::Advisor)
        | position.men_of_kind(PieceType::Bishop);
    if (position.occupied() - others).len() > MOST_ATTACKERS {
        return score;
    }
    let us = position.side_to_move();
    let (ours, theirs) = (Force::of(position, us), Force::of(position, !us));
    match (ours.attackers(), theirs.attackers()) {
        (_, 0) => against_guards(&ours, &theirs).apply(score),
        (0, _) => -against_guards(&theirs, &ours).apply(-score),
        (1, 1) => match against_one(&ours, &theirs) {
            OPEN => -against_one(&theirs, &ours).apply(-score),
            grade => grade.apply(score),
        },
        _ => score,
    }
}

impl Grade {
    /// Which of two grades is the better one for the attacker.
    const fn rank(self) -> i32 {
        match self {
            Self::Won => WHOLE + 1,
            Self::Keeps(parts) => parts,
        }
    }

    /// A score from the view of the attacker.
    fn apply(self, score: Score) -> Score {
        match self {
            Self::Won => score.max(WON + score / 8),
            Self::Keeps(parts) => score * parts / WHOLE,
        }
    }
}

/// Attackers against guards alone.
fn against_guards(attack: &Force, defence: &Force) -> Grade {
    let units = single(attack, defence);
    let pawns = attack.pawns + attack.spent;
    match (attack.attackers(), units) {
        // Another attacker takes nothing from men that win without it.
        (0 | 1, _) | (_, Grade::Won) => units,
        (2, _) if attack.knights == 1 && pawns == 1 => knight_and_pawn(attack, defence),
        (2, _) if attack.cannons == 1 && pawns == 1 => cannon_and_pawn(attack, defence),
        (2, _) if pawns == 2 => two_pawns(attack, defence),
        _ => OPEN,
    }
}

/// The best that one of the attackers can do without the others.
fn single(attack: &Force, defence: &Force) -> Grade {
    let guards = defence.guards();
    let rook = match guards {
        // 82 %: the fortress of all four guards must be reached first.
        (2, 2) => OPEN,
        _ => Grade::Won,
    };
    let knight = match guards {
        (0 | 1, 0) => Grade::Won,
        (0, 1) => SELDOM, // 24 %
        _ => DRAWN,       // at most 9 %
    };
    let pawn = match guards {
        (0, 0) => Grade::Won,
        _ => DRAWN, // at most 8 %
    };
    let attackers = [
        (attack.rooks, rook),
        (attack.knights, knight),
        (attack.cannons, cannon(attack, guards)),
        (attack.pawns, pawn),
    ];
    attackers
        .into_iter()
        .filter(|&(men, _)| men > 0)
        .map(|(_, grade)| grade)
        .max_by_key(|&grade| grade.rank())
        .unwrap_or(DRAWN)
}

/// A cannon needs a screen of its own: with an advisor at home it wins against
/// few guards, with elephants or nothing it never does (KCBBvK: 0 %), and the
/// enemy's advisors are screens for a mate in one at best (5 %).
fn cannon(attack: &Force, guards: (u32, u32)) -> Grade {
    match (attack.guards(), guards) {
        ((0, _), _) => DRAWN,
        (_, (_, 0) | (0, 1)) => Grade::Won,
        ((1, 0), (1, 1)) => SELDOM, // 14 %
        ((1, 0), _) => DRAWN,       // at most 9 %
        // Not counted; more screens can only help.
        _ => SELDOM,
    }
}

/// Even a spent pawn helps a horse, as long as there is no pair of elephants.
fn knight_and_pawn(attack: &Force, defence: &Force) -> Grade {
    match (defence.guards(), attack.pawns) {
        ((_, 0) | (0 | 1, 1), _) => Grade::Won, // at least 99.5 %
        ((_, 2), 0) => SELDOM,
        _ => OPEN, // 79 to 88 %
    }
}

/// A cannon and a spent pawn are hardly more than the cannon.
fn cannon_and_pawn(attack: &Force, defence: &Force) -> Grade {
    match (defence.guards(), attack.pawns) {
        _ if attack.advisors > 0 => OPEN, // not counted
        (_, 0) => SELDOM,
        ((_, 0), _) => Grade::Won, // 84 %, all but the spent
        ((0 | 1, 1), _) => OPEN,   // 51 to 65 %
        ((_, 2), _) => DRAWN,      // 8 % against two elephants
        _ => HALF,
    }
}

/// Two pawns beat advisors, and one elephant if neither pawn is spent.
fn two_pawns(attack: &Force, defence: &Force) -> Grade {
    match (defence.guards(), attack.pawns) {
        (_, 0) => DRAWN,
        ((_, 0), _) | ((0, 1), 2) => Grade::Won, // 86 to 98 %, 74 %
        ((0, 1), _) => SELDOM,
        ((0, 2), 2) => OPEN,   // 60 %
        ((1, 1), 2) => SELDOM, // 23 %
        _ => DRAWN,            // at most 11 %
    }
}

/// One attacker against one attacker.
fn against_one(attack: &Force, defence: &Force) -> Grade {
    let pawn = defence.pawns + defence.spent == 1;
    match defence.guards() {
        (0, 0) if attack.rooks == 1 && pawn => Grade::Won,
        // A rook beats a horse (99 %) and a cannon even with advisors.
        (_, 0) if attack.rooks == 1 && defence.knights + defence.cannons == 1 => Grade::Won,
        // The horse must hold the pawn: 17 %.
        _ if attack.knights == 1 && pawn => SELDOM,
        _ => OPEN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: &str = include_str!("../../tests/data/egtb/material-results.tsv");
    const POSITIONS: &str = include_str!("../../tests/data/egtb/positions.tsv");

    fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
    }

    /// The men of one half of a name like `KCAvKAA`.
    fn force(name: &str) -> Force {
        let count = |letter| name.matches(letter).count() as u32;
        Force {
            rooks: count('R'),
            knights: count('N'),
            cannons: count('C'),
            pawns: count('P'),
            spent: 0,
            advisors: count('A'),
            bishops: count('B'),
        }
    }

    /// The grade of a class, and the share of wins with the attacker to move.
    fn class(fields: &[&str]) -> (Grade, f64) {
        let (red, black) = fields[0].split_once('v').unwrap();
        let (red, black) = (force(red), force(black));
        let (attack, defence, from) = match red.attackers() {
            0 => (black, red, 6),
            _ => (red, black, 2),
        };
        let number = |index: usize| fields[index].parse::<f64>().unwrap();
        let legal = number(from) + number(from + 1) + number(from + 2);
        let grade = match defence.attackers() {
            0 => against_guards(&attack, &defence),
            _ => against_one(&attack, &defence),
        };
        (grade, number(from) / legal)
    }

    #[test]
    fn grades_agree_with_the_counts_of_every_class() {
        let mut classes = 0;
        for fields in lines(COUNTS) {
            let (grade, share) = class(&fields);
            let name = fields[0];
            match share {
                0.95.. => assert_eq!(grade, Grade::Won, "{name}: {share}"),
                0.5.. => assert!(grade.rank() >= OPEN.rank(), "{name}: {share}"),
                ..0.25 => assert!(grade.rank() <= SELDOM.rank(), "{name}: {share}"),
                _ => panic!("{name}: no class wins in {share} of its positions"),
            }
            classes += 1;
        }
        assert_eq!(classes, 103);
    }

    #[test]
    fn sides_and_wings_are_alike() {
        for fields in lines(POSITIONS) {
            let position = Position::from_fen(fields[1]).unwrap();
            for score in [-700, -60, 0, 35, 400] {
                let adjusted = adjust(&position, score);
                assert_eq!(adjusted, adjust(&position.flip_sides(), score));
                assert_eq!(adjusted, adjust(&position.mirror_files(), score));
            }
        }
    }

    #[test]
    fn drawn_material_is_near_0_and_winning_material_keeps_its_score() {
        let grades: Vec<(&str, Grade)> = lines(COUNTS)
            .map(|fields| (fields[0], class(&fields).0))
            .collect();
        for fields in lines(POSITIONS) {
            let position = Position::from_fen(fields[1]).unwrap();
            let (_, grade) = grades.iter().find(|(name, _)| *name == fields[0]).unwrap();
            let name = fields[0];
            let attacker = match name.starts_with("Kv") {
                true => Color::Black,
                false => Color::Red,
            };
            let sign = match position.side_to_move() == attacker {
                true => 1,
                false => -1,
            };
            let adjusted = [-100, 0, 350, 800].map(|score| sign * adjust(&position, sign * score));
            assert!(adjusted.is_sorted(), "{name}: {adjusted:?}");
            if *grade == DRAWN {
                assert!(adjusted[3] <= 50, "{name}: {adjusted:?}");
                assert!(adjusted[0] < 0, "{name}: {adjusted:?}");
            } else if *grade == Grade::Won && fields[2] != "draw" {
                assert!(
                    adjusted[0] > 250 && adjusted[3] == 800,
                    "{name}: {adjusted:?}"
                );
            }
        }
    }

    #[test]
    fn more_attackers_and_fuller_boards_are_left_alone() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "3k1ab2/4a4/4b4/4p4/9/4C4/4P4/4B1N2/4A4/2BA1K3 b",
            "3k1ab2/4a4/4b4/9/9/4C4/9/4B1R2/4A4/2BAK4 b",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!([-90, 0, 250].map(|s| adjust(&position, s)), [-90, 0, 250]);
        }
    }

    #[test]
    fn a_pawn_on_the_last_rank_is_spent() {
        let adjusted = |fen| adjust(&Position::from_fen(fen).unwrap(), 320);
        assert_eq!(adjusted("3P5/9/4k4/9/9/9/9/9/9/5K3 w"), 20);
        assert_eq!(adjusted("9/3P5/4k4/9/9/9/9/9/9/5K3 w"), 340);
        assert_eq!(adjusted("9/3k5/9/9/9/9/9/9/4K4/6p2 b"), 20);
    }

    #[test]
    fn guards_alone_are_nothing() {
        let position = Position::from_fen("3k5/4a4/9/9/9/9/9/4B4/4A4/2B1K4 w").unwrap();
        assert_eq!([-320, 0, 160].map(|s| adjust(&position, s)), [-20, 0, 10]);
    }
}
