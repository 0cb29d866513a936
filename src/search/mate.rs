//! Forced mates at the root, looked for beside the iterations for a share of their
//! nodes: the normal search looks late at what begins with sacrifices. Three hunts,
//! each of which sees more moves of the attacker than the one before it and gets
//! less deep; each looks for a mate in one move, then in two and so on, so that what
//! it finds first is the shortest of its kind.

use super::proof::{Kind, Numbers, Prover, Quest};
use super::worker::Worker;
use crate::types::{Move, Score};

/// The longest mate looked for, in the attacker's moves.
const LONGEST: usize = 40;
/// Nodes for each thousand of the iterations' own: for mates by checks at all times; for
/// those by threats, and as many for those by all moves, while the game is open, when it
/// is decided, and when it is won, where there is little else to find.
const FOR_CHECKS: u64 = 20;
const FOR_OTHERS: u64 = 10;
const FOR_OTHERS_DECIDED: u64 = 200;
const FOR_OTHERS_WON: u64 = 500;
/// From this score on a game is decided.
const DECIDED: Score = 350;
/// From this score on it is won.
const WON: Score = 600;
/// Nodes at least for the moves of a mate that is proved.
const LINE_NODES: u64 = 2_000;

/// The search for forced mates, kept between iterations.
#[derive(Debug)]
pub(super) struct MateSearch {
    hunts: [Hunt; 3],
    /// The shortest mate found.
    line: Option<Line>,
    /// Nodes of the whole search when these hunts last went on.
    seen: u64,
}

impl Default for MateSearch {
    fn default() -> Self {
        Self {
            hunts: [Kind::Checks, Kind::Threats, Kind::All].map(Hunt::new),
            line: None,
            seen: 0,
        }
    }
}

/// A search for mates of one kind, deeper and deeper.
#[derive(Debug)]
struct Hunt {
    kind: Kind,
    /// In so many moves there is no mate; grows.
    refuted: usize,
    prover: Prover,
}

impl Hunt {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            refuted: 0,
            prover: Prover::new(),
        }
    }
}

/// The moves of a mate.
type Line = Vec<Move>;

impl MateSearch {
    /// Takes note of a shorter mate that the iterations have found.
    pub(super) fn note(&mut self, line: &[Move]) {
        self.line = Some(line.to_vec());
    }
}

impl Worker<'_> {
    /// Goes on looking for a mate, as far as the nodes searched since the last
    /// call and the score of the position allow. Returns the shortest line known.
    pub(super) fn seek_mate(&mut self, score: Score) -> Option<Line> {
        let searched = self.nodes - self.mate.seen;
        let for_others = match score {
            WON.. => FOR_OTHERS_WON,
            DECIDED.. => FOR_OTHERS_DECIDED,
            _ => FOR_OTHERS,
        };
        let mut mates = std::mem::take(&mut self.mate);
        for hunt in &mut mates.hunts {
            let effort = match hunt.kind {
                Kind::Checks => FOR_CHECKS,
                Kind::Threats | Kind::All => for_others,
            };
            hunt.prover.left += searched * effort / 1_000;
            let longest = mates.line.as_ref().map_or(LONGEST, |line| line.len() / 2);
            if let Some(mut line) = self.pursue(hunt, longest) {
                line.reverse();
                mates.line = Some(line);
            }
        }
        mates.seen = self.nodes;
        self.mate = mates;
        self.mate.line.clone()
    }

    /// Looks for a mate in one move, then two and so on. Returns its line, the last
    /// move first.
    fn pursue(&mut self, hunt: &mut Hunt, longest: usize) -> Option<Line> {
        while hunt.refuted < longest && !self.is_spent(&hunt.prover) {
            let quest = Quest {
                kind: hunt.kind,
                attacks: true,
                moves: hunt.refuted + 1,
            };
            let numbers = self.prove(&mut hunt.prover, quest, Numbers::ALL);
            if numbers.has_reached() {
                hunt.prover.left = hunt.prover.left.max(LINE_NODES);
                return self.mating_line(&mut hunt.prover, quest);
            }
            if !numbers.has_failed() {
                return None;
            }
            hunt.refuted = quest.moves;
        }
        None
    }

    /// The moves of a mate that the attacker, who is to move, has in this many, the
    /// last first. `None` where the nodes end, or where a rule of repetition or a
    /// limit would speak.
    fn mating_line(&mut self, prover: &mut Prover, quest: Quest) -> Option<Line> {
        if !self.prove(prover, quest, Numbers::ALL).has_reached() {
            return None;
        }
        let strike = prover.memory.strike(self.table_key(), quest)?;
        self.follow(strike, |worker| {
            worker.longest_defence(prover, quest.next())
        })
    }

    /// The line of the answer that puts the mate off the longest.
    fn longest_defence(&mut self, prover: &mut Prover, quest: Quest) -> Option<Line> {
        let answers = self.game.position().legal_moves();
        if answers.is_empty() {
            return Some(Line::new());
        }
        for moves in (1..=quest.moves).rev() {
            let shorter = Quest {
                moves: moves - 1,
                ..quest
            };
            for &answer in &answers {
                let holds = moves == 1
                    || self
                        .prove_behind(prover, shorter, answer, Numbers::ALL)
                        .has_failed();
                if self.is_spent(prover) {
                    return None;
                }
                if holds {
                    let quest = Quest { moves, ..quest }.next();
                    return self.follow(answer, |worker| worker.mating_line(prover, quest));
                }
            }
        }
        None
    }

    /// Plays a move and adds it to the line behind it.
    fn follow(
        &mut self,
        mv: Move,
        line_behind: impl FnOnce(&mut Self) -> Option<Line>,
    ) -> Option<Line> {
        self.game.make(mv);
        self.nodes += 1;
        let line = match self.ruling() {
            None => line_behind(self),
            Some(_) => None,
        };
        self.game.unmake();
        let mut line = line?;
        line.push(mv);
        Some(line)
    }
}
