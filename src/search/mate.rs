//! Forced mates: the mate by checks alone (连将杀), and the mate with a few quiet
//! moves each of which threatens one (λ-search: Thomsen, "Lambda-Search in Game
//! Trees", 2000). The attacker has few such moves and the defender few answers, so
//! the tree is narrow, and nothing in it is pruned or reduced: the normal search
//! looks late at what begins with sacrifices.
//!
//! Run at the root beside the iterations, for a share of their nodes. What is
//! found first is the shortest mate of its kind.

use super::worker::Worker;
use crate::position::Targets;
use crate::types::{Move, MoveList, Score};
use arrayvec::ArrayVec;

/// The longest mate looked for, in the attacker's moves.
const LONGEST: usize = 40;
/// Quiet moves of the attacker in one line.
const QUIETS: usize = 4;
/// One node for so many of the iterations' own, while the game is open.
const SHARE: u64 = 48;
/// The same in a game that is decided, and in one that is won: there is little else to
/// find.
const DECIDED_SHARE: u64 = 3;
const WON_SHARE: u64 = 1;
/// From this score on, either way, a game is decided.
const DECIDED: Score = 350;
/// From this score on it is won.
const WON: Score = 1_000;
/// Positions remembered by each hunt, a power of two.
const MEMORY: usize = 1 << 14;

/// The search for forced mates, kept between iterations.
#[derive(Debug)]
pub(super) struct MateSearch {
    by_checks: Hunt,
    by_threats: Hunt,
    /// The shortest mate found.
    line: Option<Vec<Move>>,
    /// Nodes of the whole search when these hunts last went on.
    seen: u64,
}

impl Default for MateSearch {
    fn default() -> Self {
        Self {
            by_checks: Hunt::new(0),
            by_threats: Hunt::new(QUIETS),
            line: None,
            seen: 0,
        }
    }
}

/// A search for mates with at most so many quiet moves, deeper and deeper.
#[derive(Debug)]
struct Hunt {
    quiets: usize,
    /// In so many moves there is no mate; grows.
    refuted: usize,
    /// Nodes that may be spent before the next iteration.
    left: u64,
    /// By key: a position and in how many moves the attacker has no mate there.
    memory: Vec<(u64, u8)>,
    /// By moves to the mate: the answer that last refuted an attack.
    refuters: [Option<Move>; LONGEST + 1],
    /// By moves to the mate: the attack that last led to it.
    strikes: [Option<Move>; LONGEST + 1],
}

impl Hunt {
    fn new(quiets: usize) -> Self {
        Self {
            quiets,
            refuted: 0,
            left: 0,
            memory: Vec::new(),
            refuters: [None; LONGEST + 1],
            strikes: [None; LONGEST + 1],
        }
    }

    fn is_refuted(&self, key: u64, moves: usize) -> bool {
        let entry = self.memory.get(key as usize % MEMORY);
        entry.is_some_and(|&(known, refuted)| known == key && usize::from(refuted) >= moves)
    }

    fn refute(&mut self, key: u64, moves: usize) {
        if self.memory.is_empty() {
            self.memory = vec![(0, 0); MEMORY];
        }
        self.memory[key as usize % MEMORY] = (key, moves as u8);
    }
}

/// The moves of a mate, the last first; empty where the side to move has none.
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
    pub(super) fn seek_mate(&mut self, score: Score) -> Option<Vec<Move>> {
        let searched = self.nodes - self.mate.seen;
        let share = match score {
            WON.. => WON_SHARE,
            _ if score.abs() >= DECIDED => DECIDED_SHARE,
            _ => SHARE,
        };
        let mut mates = std::mem::take(&mut self.mate);
        mates.by_checks.left += searched / SHARE;
        mates.by_threats.left += searched / share;
        for hunt in [&mut mates.by_checks, &mut mates.by_threats] {
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

    /// Looks for a mate in one move, then two and so on.
    fn pursue(&mut self, hunt: &mut Hunt, longest: usize) -> Option<Line> {
        while hunt.refuted < longest && !self.is_spent(hunt) {
            let moves = hunt.refuted + 1;
            let line = self.attack(hunt, moves, hunt.quiets);
            if line.is_some() || self.is_spent(hunt) {
                return line;
            }
            hunt.refuted = moves;
        }
        None
    }

    fn is_spent(&mut self, hunt: &Hunt) -> bool {
        hunt.left == 0 || self.must_stop()
    }

    /// A mate in at most this many moves of the side to move, all but so many of
    /// them checks.
    fn attack(&mut self, hunt: &mut Hunt, moves: usize, quiets: usize) -> Option<Line> {
        let quiets = quiets.min(moves - 1);
        let key = self.game.position().key() ^ (quiets as u64) << 56;
        if hunt.is_refuted(key, moves) {
            return None;
        }
        let (mut checks, mut others) = self.attacks(moves > 1);
        put_first(&mut checks, hunt.strikes[moves]);
        put_first(&mut others, hunt.strikes[moves]);
        let checks = checks.into_iter().map(|mv| (mv, 0));
        let others = others.into_iter().map(|mv| (mv, 1));
        for (mv, quiet) in checks.chain(others.filter(|_| quiets > 0)) {
            let line = self.step(hunt, mv, |worker, hunt| {
                if quiet > 0 && !worker.is_threatened(hunt, moves - 1) {
                    return None;
                }
                worker.defend(hunt, moves, quiets - quiet)
            });
            if line.is_some() {
                hunt.strikes[moves] = Some(mv);
            }
            if line.is_some() || self.is_spent(hunt) {
                return line;
            }
        }
        hunt.refute(key, moves);
        None
    }

    /// Whether the side to move cannot move, or passing would be answered by a
    /// mate by checks.
    fn is_threatened(&mut self, hunt: &mut Hunt, moves: usize) -> bool {
        if !self.game.position().has_legal_move(self.game.legality()) {
            return true;
        }
        self.game.make_null();
        let line = self.attack(hunt, moves, 0);
        self.game.unmake();
        line.is_some()
    }

    /// The longest of the lines that the answers lead to, if all of them are mated
    /// in at most this many moves, the one just made counted.
    fn defend(&mut self, hunt: &mut Hunt, moves: usize, quiets: usize) -> Option<Line> {
        let mut answers = MoveList::new();
        let position = self.game.position();
        position.generate(self.game.legality(), Targets::Captures, &mut answers);
        position.generate(self.game.legality(), Targets::Quiets, &mut answers);
        if moves == 1 {
            return answers.is_empty().then(Line::new);
        }
        put_first(&mut answers, hunt.refuters[moves]);
        let mut longest = Line::new();
        for answer in answers {
            let line = self.step(hunt, answer, |worker, hunt| {
                worker.attack(hunt, moves - 1, quiets)
            });
            let Some(line) = line else {
                hunt.refuters[moves] = Some(answer);
                return None;
            };
            if line.len() > longest.len() {
                longest = line;
            }
        }
        Some(longest)
    }

    /// Plays a move, and adds it to the line that is found behind it. Where a rule
    /// of repetition or a limit speaks, nothing is.
    fn step(
        &mut self,
        hunt: &mut Hunt,
        mv: Move,
        search: impl FnOnce(&mut Self, &mut Hunt) -> Option<Line>,
    ) -> Option<Line> {
        self.game.make(mv);
        self.nodes += 1;
        hunt.left = hunt.left.saturating_sub(1);
        let line = match self.ruling() {
            None => search(self, hunt),
            Some(_) => None,
        };
        self.game.unmake();
        let mut line = line?;
        line.push(mv);
        Some(line)
    }

    /// The checks, where it pays those first that leave the fewest answers; and
    /// the other moves. At the root only what is to be searched there.
    fn attacks(&self, sorted: bool) -> (MoveList, MoveList) {
        let position = self.game.position();
        let hints = position.check_hints();
        let mut moves = MoveList::new();
        position.generate(self.game.legality(), Targets::All, &mut moves);
        if self.ply() == 0 {
            moves.retain(|mv| self.root_moves.iter().any(|root| root.mv == *mv));
        }
        let gives_check = |mv: &Move| position.gives_check_by(*mv, &hints);
        let (mut checks, others): (MoveList, MoveList) = moves.into_iter().partition(gives_check);
        if sorted && checks.len() > 1 {
            let mut position = position.clone();
            let mut counted: ArrayVec<(usize, Move), { crate::types::MAX_MOVES }> = checks
                .iter()
                .map(|&mv| {
                    let undo = position.make(mv);
                    let answers = position.legal_moves().len();
                    position.unmake(&undo);
                    (answers, mv)
                })
                .collect();
            counted.sort_by_key(|(answers, _)| *answers);
            checks = counted.into_iter().map(|(_, mv)| mv).collect();
        }
        (checks, others)
    }
}

/// What has worked elsewhere is tried first, if it can be played.
fn put_first(moves: &mut MoveList, mv: Option<Move>) {
    if let Some(index) = moves.iter().position(|&other| Some(other) == mv) {
        moves[..=index].rotate_right(1);
    }
}
