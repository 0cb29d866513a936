//! The platform's rule (天天象棋): counters of checks and chases over rounds.
//!
//! Section 4.6 of the specification. The platform publishes limits, not a
//! procedure, and its observed decisions deviate from a plain reading. This is a
//! reading that agrees with all of those in the test data:
//!
//! * A side is counted as long as each of its plies hits, by a check or a chase of
//!   the Asian kind, but with no regard to pins of the attacker. An idle ply
//!   starts afresh, and so does a capture.
//! * An answer to a check that also attacks does not break the row, but it is not
//!   counted: the attack comes with the answer.
//! * A side must vary when it has chased one man 6 times, checked with every ply 6
//!   times for each man that takes part (18 at most), or mixed both 12 times, 18
//!   with several men.
//! * When the game goes round in a cycle, that is looked at once for each passage.
//!   The side that is full first must vary; on the same passage the one that did
//!   the heavier thing, and with equal things the one that was first.
//! * Perpetual check loses against a perpetual chase whoever was first, and is a
//!   draw against itself. A cycle with a ply that neither hits nor answers a hit is
//!   a draw at the fifth occurrence; one without is not.

use super::Game;
use super::chase::Pawns;
use super::line::Line;
use super::repetition::Repetition;
use crate::types::{Bitboard, Color};

/// Chases of one man that are too many.
const CHASE_LIMIT: u8 = 6;
/// Checks by one man that are too many, and how many men are told apart.
const CHECK_LIMIT: u32 = 6;
const CHECK_MEN: u32 = 3;
/// Checks and chases in mixture, by one man and by more.
const MIXED_LIMIT: u32 = 12;
const MIXED_LIMIT_SEVERAL: u32 = 18;
/// The occurrence at which a position is drawn.
const DRAW_FOLD: usize = 5;
/// No row of hits in fewer plies without a capture is too long.
pub(super) const SHORTEST_ROW: usize = 2 * CHASE_LIMIT as usize - 1;
/// In this many plies most rows of hits end.
const A_GLANCE: usize = 4;
/// A cycle fills a counter in so many passages or never.
const PASSAGES: usize = 20;

/// What a ply is to the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    /// A check, by these men.
    Check(Bitboard),
    /// Attacks by these men on those.
    Chase { men: Bitboard, victims: Bitboard },
    /// An answer to a check that attacks something.
    AttackInAnswer,
    /// Anything else.
    Idle,
}

/// What a side must not do without end, the lightest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Offence {
    Chase,
    Mixed,
    Check,
}

/// When a side's counter is full: after which ply, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Full {
    offence: Offence,
    ply: usize,
}

/// The newest plies.
struct Row {
    line: Line,
    /// What each ply of the line is, back to the last idle ply of its side;
    /// earlier ones do not matter and are called idle.
    hits: Vec<Hit>,
    /// Whether a side has no idle ply in the line.
    is_open_ended: bool,
}

/// The side that has gone on too long in a line that does not repeat.
pub(super) fn offender(game: &Game) -> Option<Color> {
    let mut row = Row::of(game, game.reach().min(A_GLANCE));
    if row.is_open_ended {
        row = Row::of(game, game.reach());
    }
    let full = Color::ALL.map(|side| row.full(side, 0, 0));
    loser(full, |full| full.ply).map(|(offender, _)| offender)
}

/// Judges the repetition of the current position: the side that must vary, and
/// whether it is time. If it is not, this is what the cycle will come to when it
/// is played on.
pub(super) fn rule(game: &Game, found: &Repetition) -> (Option<Color>, bool) {
    let row = Row::of(game, game.reach());
    let (played, length) = (row.hits.len(), found.shortest);
    let start = row.start_of_cycle(length);
    // In which passage of the cycle a ply lies; 0: before the cycle.
    let passage = |full: &Full| (full.ply + 1).saturating_sub(start).div_ceil(length);
    let full = Color::ALL.map(|side| row.full(side, length, PASSAGES));
    if let [Some(red), Some(black)] = full
        && red.offence == Offence::Check
        && black.offence == Offence::Check
    {
        return (None, red.ply.max(black.ply) < played);
    }
    match loser(full, passage) {
        Some((side, full)) => {
            let end = start + passage(&full) * length;
            (Some(side), end <= played)
        }
        None => {
            let is_frequent = found.occurrences >= DRAW_FOLD;
            (None, is_frequent && row.has_plain_ply(length))
        }
    }
}

/// The side that must vary: the one that is full first, measured by `time`.
fn loser(full: [Option<Full>; 2], time: impl Fn(&Full) -> usize) -> Option<(Color, Full)> {
    let [red, black] = full;
    let (Some(red), Some(black)) = (red, black) else {
        return red
            .map(|full| (Color::Red, full))
            .or(black.map(|full| (Color::Black, full)));
    };
    let checks_against_chase =
        |a: Full, b: Full| a.offence == Offence::Check && b.offence == Offence::Chase;
    let red_first = if checks_against_chase(red, black) {
        true
    } else if checks_against_chase(black, red) {
        false
    } else {
        let rank = |full: &Full| (time(full), std::cmp::Reverse(full.offence), full.ply);
        rank(&red) < rank(&black)
    };
    Some(if red_first {
        (Color::Red, red)
    } else {
        (Color::Black, black)
    })
}

impl Row {
    /// The last `length` plies.
    fn of(game: &Game, length: usize) -> Self {
        let line = Line::new(game, length);
        let mut hits = vec![Hit::Idle; length];
        let mut is_open = [true; 2];
        for (index, ply) in line.plies().iter().enumerate().rev() {
            let is_open = &mut is_open[ply.side.index()];
            if *is_open {
                hits[index] = hit(&line, index);
                *is_open = hits[index] != Hit::Idle;
            }
        }
        Self {
            line,
            hits,
            is_open_ended: is_open.contains(&true),
        }
    }

    /// The first ply of the periodic end of the line.
    fn start_of_cycle(&self, length: usize) -> usize {
        let plies = self.line.plies();
        let first = plies.len() - length;
        let same = (0..first)
            .rev()
            .take_while(|&ply| plies[ply].mv == plies[ply + length].mv);
        first - same.count()
    }

    /// When the side's counter is full if the last `length` plies are gone through
    /// so many more times.
    fn full(&self, side: Color, length: usize, passages: usize) -> Option<Full> {
        let played = self.hits.len();
        let first_of_side = self.line.plies().first()?.side;
        let mut counter = Counter::default();
        (0..played + length * passages).find_map(|ply| {
            let is_own = (ply % 2 == 0) == (first_of_side == side);
            if !is_own {
                return None;
            }
            let index = if ply < played {
                ply
            } else {
                played - length + (ply - played) % length
            };
            counter.add(self.hits[index]);
            let offence = counter.offence()?;
            Some(Full { offence, ply })
        })
    }

    /// Whether a ply of the cycle neither hits nor answers a hit.
    fn has_plain_ply(&self, length: usize) -> bool {
        let cycle = self.hits.len() - length..self.hits.len();
        cycle.clone().any(|ply| {
            let before = if ply == cycle.start {
                cycle.end - 1
            } else {
                ply - 1
            };
            hit(&self.line, ply) == Hit::Idle && hit(&self.line, before) == Hit::Idle
        })
    }
}

fn hit(line: &Line, index: usize) -> Hit {
    let ply = line.plies()[index];
    let identify = |square| line.identity(index, square);
    if ply.gives_check {
        let men = line.after(index).legality().checkers();
        return Hit::Check(men.into_iter().map(identify).collect());
    }
    let attacks = line.attacks(index, Pawns::Idle);
    if attacks.is_empty() {
        return Hit::Idle;
    }
    if line.before(index).in_check() {
        return Hit::AttackInAnswer;
    }
    let men = attacks.iter().map(|attack| identify(attack.attacker));
    let victims = attacks.iter().map(|attack| identify(attack.victim));
    Hit::Chase {
        men: men.collect(),
        victims: victims.collect(),
    }
}

/// Counts one side's hits in a row.
struct Counter {
    hits: u32,
    checks: u32,
    only_checks: bool,
    men: Bitboard,
    chased: [u8; 90],
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            hits: 0,
            checks: 0,
            only_checks: true,
            men: Bitboard::EMPTY,
            chased: [0; 90],
        }
    }
}

impl Counter {
    fn add(&mut self, hit: Hit) {
        match hit {
            Hit::Check(men) => {
                self.hits += 1;
                self.checks += 1;
                self.men |= men;
                self.chased = [0; 90];
            }
            Hit::Chase { men, victims } => {
                self.hits += 1;
                self.only_checks = false;
                self.men |= men;
                let before = std::mem::replace(&mut self.chased, [0; 90]);
                for victim in victims {
                    self.chased[victim.index()] = before[victim.index()] + 1;
                }
            }
            Hit::AttackInAnswer => self.only_checks = false,
            Hit::Idle => *self = Self::default(),
        }
    }

    fn offence(&self) -> Option<Offence> {
        let mixed_limit = if self.men.has_several() {
            MIXED_LIMIT_SEVERAL
        } else {
            MIXED_LIMIT
        };
        if self.only_checks {
            let limit = CHECK_LIMIT * self.men.len().clamp(1, CHECK_MEN);
            (self.checks >= limit).then_some(Offence::Check)
        } else if self.checks > 0 && self.hits >= mixed_limit {
            Some(Offence::Mixed)
        } else {
            self.chased
                .iter()
                .any(|&count| count >= CHASE_LIMIT)
                .then_some(Offence::Chase)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::{RuleSet, Rules, repetition};

    fn game(fen: &str, moves: &str) -> Game {
        let position = Position::from_fen(fen).expect("a legal position");
        let mut game = Game::with_rules(position, Rules::of(RuleSet::Sky));
        let moves = moves
            .split_whitespace()
            .map(|mv| mv.parse().expect("a move"));
        game.play(moves).expect("legal moves");
        game
    }

    fn ruling(game: &Game) -> (Option<Color>, bool) {
        let found = repetition::find(game).expect("a repetition");
        rule(game, &found)
    }

    #[test]
    fn six_chases_are_too_many_without_a_repetition_as_well() {
        let fen = "4k4/9/9/9/9/9/9/c8/2R6/3K5 w";
        let moves = "c1c2 a2a3 c2c3 a3a4 c3c4 a4a5 c4c5 a5a6 c5c6 a6a7";
        assert_eq!(offender(&game(fen, moves)), None);
        assert_eq!(
            offender(&game(fen, &format!("{moves} c6c7"))),
            Some(Color::Red)
        );
    }

    #[test]
    fn six_checks_by_one_man_are_too_many() {
        let cycle = "a8a9 e9e8 a9a8 e8e9 ";
        let one = "4k4/R8/9/9/9/9/9/9/9/3K5 w";
        assert_eq!(
            ruling(&game(one, &cycle.repeat(2))),
            (Some(Color::Red), false)
        );
        assert_eq!(
            ruling(&game(one, &cycle.repeat(3))),
            (Some(Color::Red), true)
        );
        // Nobody hits: a draw at the fifth occurrence.
        let idle = "d0d1 e9f9 d1d0 f9e9 ";
        assert_eq!(ruling(&game(one, &idle.repeat(3))), (None, false));
        assert_eq!(ruling(&game(one, &idle.repeat(4))), (None, true));
    }

    #[test]
    fn an_idle_ply_starts_the_count_afresh() {
        let fen = "3aka3/9/9/c8/9/7R1/9/9/9/3K5 w";
        let cycle = "h4h6 a6a7 h6h4 a7a6 ";
        assert_eq!(ruling(&game(fen, &cycle.repeat(4))), (None, true));
    }
}
