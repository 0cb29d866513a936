//! The referee: what a position of a game means by the rules, with the evidence.
//!
//! The same code as the search's verdict, and the reasons as data: for every ply
//! of the cycle its type, who attacks whom, what protects and why that does not
//! help. How it is printed is not decided here.

use super::chase::{Attack, Harmless, Manner, Pawns, Turn};
use super::check_capture::CheckCapture;
use super::line::{Line, LinePly};
use super::roots::RootFault;
use super::{Class, Game, Limit, RuleSet, limit, repetition, sky, verdict};
use crate::position::Position;
use crate::types::{Color, Move, Piece, Square};

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Nobody wins.
    Draw,
    /// This side loses.
    Loses(Color),
}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The side to move is mated (将死).
    Checkmate,
    /// The side to move has no legal move and is not in check (困毙).
    Stalemate,
    /// The position has been repeated too often; see the cycle.
    Repetition,
    /// The side has checked or chased too long without a repetition. Only the
    /// platform has such a rule.
    TooLong,
    /// A draw without a repetition.
    Limit(Limit),
}

/// What the rules say about the position that a game has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// How many plies have been played.
    pub ply: usize,
    /// How the game has ended and why; `None` if it goes on.
    pub end: Option<(GameResult, Reason)>,
    /// The cycle that the last ply has closed, judged or not.
    pub cycle: Option<CycleReport>,
}

/// A cycle and what happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleReport {
    /// How many plies had been played when it began.
    pub start: usize,
    /// How many plies it has.
    pub length: usize,
    /// How often the position has occurred.
    pub occurrences: usize,
    /// The side that has broken a rule, whether or not it is time to say so.
    pub offender: Option<Color>,
    /// What each side did, Red first. The platform's rule has no classes.
    pub classes: Option<[Class; 2]>,
    /// Every ply, oldest first.
    pub plies: Vec<PlyReport>,
}

/// The type of a ply (section 3 of the specification), the lightest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlyKind {
    /// Nothing of the below (闲).
    Idle,
    /// A threat to win a man by checks (抽吃).
    CheckCapture,
    /// An attack (捉).
    Chase,
    /// A threat to mate by checks (杀).
    Kill,
    /// A check (将).
    Check,
}

/// One ply of a cycle with the evidence for its type. All squares are those after
/// the ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyReport {
    /// The move.
    pub mv: Move,
    /// Who moved.
    pub piece: Piece,
    /// The heaviest type that fits (从重).
    pub kind: PlyKind,
    /// The men that give check.
    pub checkers: Vec<Man>,
    /// The first check of a threatened mate.
    pub mate_threat: Option<Move>,
    /// A threat to win a man by checks.
    pub check_capture: Option<CheckCapture>,
    /// The attacks that make the ply a chase.
    pub chases: Vec<AttackReport>,
    /// Attacks that the move made and that are no chase.
    pub harmless: Vec<AttackReport>,
}

/// A man and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// What it is.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

/// An attack with the roots of the victim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackReport {
    /// Who attacks.
    pub attacker: Man,
    /// Who is attacked.
    pub victim: Man,
    /// How the move made the attack.
    pub manner: Manner,
    /// Why it is no chase, if it is none.
    pub harmless: Option<Harmless>,
    /// What seems to protect the victim.
    pub roots: Vec<RootReport>,
}

/// A man that seems to protect another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RootReport {
    /// Who protects.
    pub man: Man,
    /// Why it is a false root (假根); `None` for a real one (真根).
    pub fault: Option<RootFault>,
}

impl Game {
    /// What the rules say about the current position. The natural limit is judged
    /// on the claim of `claimant`, if known; otherwise either side's claim must
    /// hold (article 23.3).
    pub fn judge(&self, claimant: Option<Color>) -> Judgement {
        let cycle = repetition::find(self).map(|found| {
            let ruling = verdict::rule(self, &found);
            let report = CycleReport {
                start: self.ply_count() - found.shortest,
                length: found.shortest,
                occurrences: found.occurrences,
                offender: ruling.offender,
                classes: ruling.classes,
                plies: reports(self, found.shortest, ruling.classes),
            };
            (report, ruling.is_due)
        });
        let due = cycle.as_ref().filter(|(_, is_due)| *is_due);
        Judgement {
            ply: self.ply_count(),
            end: self.end(due.map(|(report, _)| report.offender), claimant),
            cycle: cycle.map(|(report, _)| report),
        }
    }

    /// The first position of the game at which it was over, if any. Plies after it
    /// do not count.
    pub fn first_end(&self, claimant: Option<Color>) -> Option<Judgement> {
        let mut replay = self.clone();
        let mut moves = Vec::with_capacity(self.ply_count());
        while let Some(change) = replay.last_change() {
            moves.push(Move::new(change.from, change.to));
            replay.unmake();
        }
        loop {
            if replay.is_over(claimant) {
                return Some(replay.judge(claimant));
            }
            replay.make(moves.pop()?);
        }
    }

    /// As [`Self::judge`], without the reasons.
    fn is_over(&self, claimant: Option<Color>) -> bool {
        let due = if self.may_be_repetition() {
            repetition::find(self)
                .map(|found| verdict::rule(self, &found))
                .filter(|ruling| ruling.is_due)
        } else {
            None
        };
        self.end(due.map(|ruling| ruling.offender), claimant)
            .is_some()
    }

    /// Mate and stalemate come first, then the ruling on a repetition, then the
    /// limits.
    fn end(
        &self,
        ruling: Option<Option<Color>>,
        claimant: Option<Color>,
    ) -> Option<(GameResult, Reason)> {
        let us = self.position().side_to_move();
        if !self.position().has_legal_move(self.legality()) {
            let reason = if self.in_check() {
                Reason::Checkmate
            } else {
                Reason::Stalemate
            };
            return Some((GameResult::Loses(us), reason));
        }
        if let Some(offender) = ruling {
            let result = offender.map_or(GameResult::Draw, GameResult::Loses);
            return Some((result, Reason::Repetition));
        }
        if let Some(limit) = limit::reached(self, claimant) {
            return Some((GameResult::Draw, Reason::Limit(limit)));
        }
        let is_repetition = self.may_be_repetition() && repetition::find(self).is_some();
        if self.rules().set == RuleSet::Sky && !is_repetition {
            let offender = sky::offender(self)?;
            return Some((GameResult::Loses(offender), Reason::TooLong));
        }
        None
    }
}

fn reports(game: &Game, length: usize, classes: Option<[Class; 2]>) -> Vec<PlyReport> {
    let line = Line::new(game, length);
    (0..length)
        .map(|ply| {
            let side = line.plies()[ply].side;
            let class = classes.map(|classes| classes[side.index()]);
            report(&line, ply, class)
        })
        .collect()
}

fn report(line: &Line, ply: usize, class: Option<Class>) -> PlyReport {
    let after = line.after(ply);
    let LinePly {
        mv, gives_check, ..
    } = line.plies()[ply];
    let mut report = PlyReport {
        mv,
        piece: man(after, mv.to()).piece,
        kind: PlyKind::Check,
        checkers: Vec::new(),
        mate_threat: None,
        check_capture: None,
        chases: Vec::new(),
        harmless: Vec::new(),
    };
    if gives_check {
        let checkers = after.legality().checkers().into_iter();
        report.checkers = checkers.map(|square| man(after, square)).collect();
        return report;
    }
    let turn = line.turn(ply);
    let mut chases = turn.chases(Pawns::Idle);
    if chases.is_empty() && class == Some(Class::Forbidden) && line.counts_pawns() {
        chases = turn.chases(Pawns::Chase);
    }
    let describe = |attack, reason| attack_report(&turn, after, attack, reason);
    let harmless = turn.harmless_attacks();
    report.chases = chases
        .into_iter()
        .map(|attack| describe(attack, None))
        .collect();
    report.harmless = harmless
        .map(|(attack, reason)| describe(attack, Some(reason)))
        .collect();
    report.mate_threat = line.threats(ply).mate();
    report.check_capture = line.threats(ply).capture();
    report.kind = if report.mate_threat.is_some() {
        PlyKind::Kill
    } else if !report.chases.is_empty() {
        PlyKind::Chase
    } else if report.check_capture.is_some() {
        PlyKind::CheckCapture
    } else {
        PlyKind::Idle
    };
    report
}

fn attack_report(
    turn: &Turn,
    after: &Position,
    attack: Attack,
    harmless: Option<Harmless>,
) -> AttackReport {
    let capture = turn.capture(&attack);
    let roots = capture.roots().map(|root| RootReport {
        man: man(after, root.square),
        fault: root.fault,
    });
    AttackReport {
        attacker: man(after, attack.attacker),
        victim: man(after, attack.victim),
        manner: attack.manner,
        harmless,
        roots: roots.collect(),
    }
}

fn man(position: &Position, square: Square) -> Man {
    let piece = position
        .piece_on(square)
        .expect("evidence names occupied squares");
    Man { piece, square }
}
