//! Depth-limited proof-number search: which mates there are within so many moves.
//! The tree grows where least is missing to a proof (Allis, "Searching for Solutions
//! in Games and Artificial Intelligence", 1994), depth first with thresholds and a
//! memory (df-pn: Nagai, 2002). Nothing in it is pruned or reduced.
//!
//! Numbers are told from the side to move, so that one function serves both sides.

use super::tt::table_key_after;
use super::worker::Worker;
use crate::position::Targets;
use crate::types::{MAX_MOVES, Move, MoveList};
use arrayvec::ArrayVec;

/// What missing leaves add up to at most; reached only where all is decided.
const INFINITE: u32 = 1 << 30;
/// What is thought to be missing to the proof of a quiet attack that was not looked
/// at: more than behind a check, where the answers are counted.
const QUIET: u32 = 16;
/// The same for an answer that does not capture, and one that does.
const EVASION: u32 = 2;
const CAPTURE: u32 = 1;
/// The defender's moves from which on a quiet move is not thought to take all.
const MANY_MOVES: usize = 8;
/// Positions remembered at first, and at most; powers of two.
const SMALL_MEMORY: usize = 1 << 8;
const MEMORY: usize = 1 << 15;

/// What attacks are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Checks only (连将杀).
    Checks,
    /// Checks, and quiet moves that threaten a mate by checks (λ-search: Thomsen,
    /// "Lambda-Search in Game Trees", 2000).
    Threats,
    /// All moves.
    All,
}

/// How many leaves must be settled, at the least, until the side to move has reached
/// its end or failed. The attacker's end is a mate in time, the defender's none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const REACHED: Self = Self::new(0, INFINITE);
    const FAILED: Self = Self::new(INFINITE, 0);
    /// No limit.
    pub(super) const ALL: Self = Self::new(INFINITE, INFINITE);

    const fn new(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof }
    }

    /// From the other side.
    fn flipped(self) -> Self {
        Self::new(self.disproof, self.proof)
    }

    pub(super) fn has_reached(self) -> bool {
        self.proof == 0
    }

    pub(super) fn has_failed(self) -> bool {
        self.disproof == 0
    }

    fn exceeds(self, limit: Self) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest {
    pub(super) kind: Kind,
    /// Whether the attacker is to move.
    pub(super) attacks: bool,
    /// In how many more moves of the attacker there must be a mate.
    pub(super) moves: usize,
}

impl Quest {
    /// What is asked after a move of the side to move.
    pub(super) fn next(self) -> Self {
        Self {
            attacks: !self.attacks,
            moves: self.moves - usize::from(self.attacks),
            ..self
        }
    }

    /// Under what key the memory keeps a position.
    fn key(self, position: u64) -> u64 {
        if self.kind == Kind::Checks {
            !position
        } else {
            position
        }
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The numbers for a mate in `moves`.
    numbers: Numbers,
    moves: u8,
    /// The attacker mates in this many moves.
    mated: u8,
    /// It does not in fewer than this many.
    safe: u8,
    /// The move that mates.
    strike: Option<Move>,
}

impl Entry {
    fn new(key: u64) -> Self {
        Self {
            key,
            numbers: Numbers::ALL,
            moves: u8::MAX,
            mated: u8::MAX,
            safe: 0,
            strike: None,
        }
    }
}

/// What is known about the positions looked at; grows with their number, then
/// forgets.
#[derive(Debug, Default)]
pub(super) struct Memory {
    entries: Vec<Entry>,
    stores: usize,
}

impl Memory {
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    fn entry(&self, key: u64) -> Option<&Entry> {
        if self.entries.is_empty() {
            return None;
        }
        let entry = &self.entries[self.slot(key)];
        (entry.key == key).then_some(entry)
    }

    fn numbers(&self, key: u64, quest: Quest) -> Option<Numbers> {
        let entry = self.entry(key)?;
        let moves = quest.moves as u8;
        let attacker = if moves >= entry.mated {
            Numbers::REACHED
        } else if moves < entry.safe {
            Numbers::FAILED
        } else if moves == entry.moves {
            return Some(entry.numbers);
        } else {
            return None;
        };
        Some(if quest.attacks {
            attacker
        } else {
            attacker.flipped()
        })
    }

    /// The move that mates from here, if it is remembered.
    pub(super) fn strike(&self, position: u64, quest: Quest) -> Option<Move> {
        self.entry(quest.key(position))?.strike
    }

    fn store(&mut self, key: u64, quest: Quest, numbers: Numbers, best: Option<Move>) {
        self.grow();
        let slot = self.slot(key);
        let entry = &mut self.entries[slot];
        if entry.key != key {
            *entry = Entry::new(key);
        }
        let moves = quest.moves as u8;
        let attacker = if quest.attacks {
            numbers
        } else {
            numbers.flipped()
        };
        if attacker.has_reached() {
            if moves < entry.mated {
                entry.mated = moves;
                entry.strike = best;
            }
        } else if attacker.has_failed() {
            entry.safe = entry.safe.max(moves + 1);
        } else {
            entry.moves = moves;
            entry.numbers = numbers;
        }
    }

    /// Makes room before it gets narrow.
    fn grow(&mut self) {
        self.stores += 1;
        if self.stores * 2 <= self.entries.len() || self.entries.len() >= MEMORY {
            return;
        }
        let size = (self.entries.len() * 8).clamp(SMALL_MEMORY, MEMORY);
        let old = std::mem::replace(&mut self.entries, vec![Entry::new(0); size]);
        for entry in old.into_iter().filter(|entry| entry.key != 0) {
            let slot = self.slot(entry.key);
            self.entries[slot] = entry;
        }
    }
}

/// A move and the numbers of the position behind it, for the side to move there.
struct Branch {
    mv: Move,
    numbers: Numbers,
}

type Branches = ArrayVec<Branch, MAX_MOVES>;

/// A search with its own memory, and nodes that it may spend.
#[derive(Debug)]
pub(super) struct Prover {
    pub(super) memory: Memory,
    pub(super) left: u64,
}

impl Prover {
    pub(super) fn new() -> Self {
        Self {
            memory: Memory::default(),
            left: 0,
        }
    }
}

impl Worker<'_> {
    /// Looks at a position until one of the limits is reached or the nodes are
    /// spent; returns what is missing then.
    pub(super) fn prove(&mut self, prover: &mut Prover, quest: Quest, limit: Numbers) -> Numbers {
        let key = quest.key(self.table_key());
        let mut branches = if quest.attacks {
            self.attacks(&prover.memory, quest)
        } else {
            self.answers(&prover.memory, quest)
        };
        if !branches.is_empty()
            && let Some(numbers) = self.prove_threat(prover, quest, limit)
        {
            prover.memory.store(key, quest, numbers, None);
            return numbers;
        }
        loop {
            let (numbers, best, second) = sum_up(&branches);
            let best = best.map(|index| &mut branches[index]);
            if numbers.exceeds(limit) || self.is_spent(prover) {
                let mv = best.map(|branch| branch.mv);
                prover.memory.store(key, quest, numbers, mv);
                return numbers;
            }
            let Some(branch) = best else {
                return numbers;
            };
            // Until it is half as much worse than the second best, or decides here.
            let patience = second.saturating_add(second / 2 + 1);
            let others = numbers.disproof - branch.numbers.proof;
            let limit = Numbers::new(limit.disproof - others, limit.proof.min(patience));
            branch.numbers = self.prove_behind(prover, quest, branch.mv, limit);
        }
    }

    pub(super) fn is_spent(&mut self, prover: &Prover) -> bool {
        prover.left == 0 || self.must_stop()
    }

    /// Plays a move and looks at the position behind it. A move on which a rule of
    /// repetition or a limit speaks leads to no mate.
    pub(super) fn prove_behind(
        &mut self,
        prover: &mut Prover,
        quest: Quest,
        mv: Move,
        limit: Numbers,
    ) -> Numbers {
        self.game.make(mv);
        self.nodes += 1;
        prover.left = prover.left.saturating_sub(1);
        let numbers = match self.ruling() {
            None => self.prove(prover, quest.next(), limit),
            Some(_) if quest.attacks => Numbers::REACHED,
            Some(_) => Numbers::FAILED,
        };
        self.game.unmake();
        numbers
    }

    /// Where quiet attacks have to threaten something: if passing is not known to
    /// be answered by a mate by checks, what is missing to know it.
    fn prove_threat(
        &mut self,
        prover: &mut Prover,
        quest: Quest,
        limit: Numbers,
    ) -> Option<Numbers> {
        if quest.attacks || quest.kind != Kind::Threats || self.game.in_check() {
            return None;
        }
        let answers =
            |threat: Numbers| Numbers::new(threat.disproof, (threat.proof + QUIET).min(INFINITE));
        let threat = Quest {
            kind: Kind::Checks,
            attacks: true,
            moves: quest.moves,
        };
        self.game.make_null();
        let key = threat.key(self.table_key());
        let known = prover.memory.numbers(key, threat);
        let mut numbers = known.unwrap_or(Numbers::new(1, 1));
        if !numbers.has_reached() && !answers(numbers).exceeds(limit) {
            let limit = Numbers::new(limit.disproof - QUIET, limit.proof);
            numbers = self.prove(prover, threat, limit);
        }
        self.game.unmake();
        (!numbers.has_reached()).then(|| answers(numbers))
    }

    /// What is remembered of the position behind a move. Where it may have occurred
    /// before the rules are asked instead.
    fn recall(&self, memory: &Memory, quest: Quest, mv: Move) -> Option<Numbers> {
        if self.game.may_repeat_by(mv) {
            return None;
        }
        let key = table_key_after(self.game.position(), mv);
        let quest = quest.next();
        memory.numbers(quest.key(key), quest)
    }

    /// The moves of the attacker that may mate in time. At the root only what is to
    /// be searched there.
    fn attacks(&self, memory: &Memory, quest: Quest) -> Branches {
        let position = self.game.position();
        let hints = position.check_hints();
        let mut moves = MoveList::new();
        position.generate(self.game.legality(), Targets::All, &mut moves);
        if self.ply() == 0 {
            moves.retain(|mv| self.root_moves.iter().any(|root| root.mv == *mv));
        }
        let may_smother =
            quest.moves == 1 && quest.kind != Kind::Checks && self.defender_has_few_moves();
        let mut after = position.clone();
        let mut branches = Branches::new();
        for mv in moves {
            let is_check = position.gives_check_by(mv, &hints);
            let numbers = if is_check || may_smother {
                let undo = after.make(mv);
                let answers = after.legal_moves().len() as u32;
                after.unmake(&undo);
                if answers == 0 {
                    Numbers::FAILED
                } else if quest.moves == 1 {
                    continue;
                } else {
                    let known = self.recall(memory, quest, mv);
                    known.unwrap_or(Numbers::new(1, answers))
                }
            } else if quest.moves == 1 || quest.kind == Kind::Checks {
                continue;
            } else {
                let known = self.recall(memory, quest, mv);
                known.unwrap_or(Numbers::new(1, QUIET))
            };
            branches.push(Branch { mv, numbers });
        }
        branches
    }

    /// Whether the last quiet move of the attacker, who is to move, may leave the
    /// defender none.
    fn defender_has_few_moves(&self) -> bool {
        self.game.in_check() || {
            let mut passed = self.game.position().clone();
            passed.make_null();
            passed.legal_moves().len() < MANY_MOVES
        }
    }

    /// The moves of the defender.
    fn answers(&self, memory: &Memory, quest: Quest) -> Branches {
        let position = self.game.position();
        let branch = |&mv: &Move| {
            let known = self.recall(memory, quest, mv);
            let missing = match position.piece_on(mv.to()) {
                Some(_) => CAPTURE,
                None => EVASION,
            };
            let numbers = known.unwrap_or(Numbers::new(1, missing));
            Branch { mv, numbers }
        };
        position.legal_moves().iter().map(branch).collect()
    }
}

/// The numbers of a position by those behind its moves, which move is the best, and
/// what the second best misses.
fn sum_up(branches: &Branches) -> (Numbers, Option<usize>, u32) {
    let mut numbers = Numbers::new(INFINITE, 0);
    let (mut best, mut second) = (None, INFINITE);
    for (
        index,
        Branch {
            numbers: behind, ..
        },
    ) in branches.iter().enumerate()
    {
        numbers.disproof = (numbers.disproof + behind.proof).min(INFINITE);
        if behind.disproof < numbers.proof {
            second = numbers.proof;
            numbers.proof = behind.disproof;
            best = Some(index);
        } else {
            second = second.min(behind.disproof);
        }
    }
    if numbers.proof == 0 {
        numbers.disproof = INFINITE;
    }
    (numbers, best, second)
}
