//! What books are made of: positions with their moves, to be counted, merged,
//! converted and written.

use super::dat::{DatBook, Record};
use super::lock::{Form, Lock};
use crate::position::Position;
use crate::types::Move;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The games in which a move was played, from the view of its mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u32 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// The share of points, a draw being half of one; 0 without a game.
    pub fn score(&self) -> f64 {
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(f64::from);
        (wins + draws / 2.0) / (wins + draws + losses).max(1.0)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

/// What is known about a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weighted {
    /// How much it is liked.
    pub weight: i32,
    /// The games, if they were counted.
    pub counts: Counts,
}

/// A position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub position: Position,
    /// Its moves.
    pub moves: BTreeMap<Move, Weighted>,
}

impl Entry {
    fn new(position: Position) -> Self {
        Self {
            position,
            moves: BTreeMap::new(),
        }
    }

    /// The weights of the moves that may be played.
    fn total(&self) -> i64 {
        self.moves
            .values()
            .map(|known| i64::from(known.weight.max(0)))
            .sum()
    }
}

/// Positions with their moves. Of a position and its mirror image only one is
/// held, where [`Self::add`] put it there: the one that BOOK.DAT stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    entries: BTreeMap<(u32, u32), Entry>,
    /// Moves of positions of which only the lock is known.
    nameless: BTreeMap<u32, BTreeMap<Move, i32>>,
}

impl Collection {
    /// The positions, in the order of their locks.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// How many positions there are, and how many moves.
    pub fn size(&self) -> (usize, usize) {
        let named: usize = self.entries().map(|entry| entry.moves.len()).sum();
        let nameless: usize = self.nameless.values().map(BTreeMap::len).sum();
        (self.entries.len() + self.nameless.len(), named + nameless)
    }

    /// The locks whose positions are not known, with their moves and weights.
    pub fn nameless(&self) -> impl Iterator<Item = (u32, &BTreeMap<Move, i32>)> {
        self.nameless.iter().map(|(lock, moves)| (*lock, moves))
    }

    /// Adds to what is known about a move, in the position or its mirror image,
    /// whichever is held. In a symmetric position the mirrored move gets the same.
    pub fn add(&mut self, position: &Position, mv: Move, more: Weighted) {
        let (lock, form) = Lock::stored(position);
        let held = match form {
            Form::Mirrored => position.mirror_files(),
            Form::AsItIs | Form::Symmetric => position.clone(),
        };
        let entry = self.entry_at(lock, held);
        let mut add = |mv| {
            let known = entry.moves.entry(mv).or_default();
            known.weight = known.weight.saturating_add(more.weight);
            known.counts += more.counts;
        };
        match form {
            Form::AsItIs => add(mv),
            Form::Mirrored => add(mv.mirror_file()),
            Form::Symmetric => {
                add(mv);
                if mv.mirror_file() != mv {
                    add(mv.mirror_file());
                }
            }
        }
    }

    fn entry_at(&mut self, lock: Lock, position: Position) -> &mut Entry {
        let new = || Entry::new(bare(&position));
        self.entries
            .entry((lock.lock1, lock.lock0))
            .or_insert_with(new)
    }

    /// Puts a move in as it stands, whichever form of the position would be
    /// stored.
    pub(super) fn put(&mut self, position: &Position, mv: Move, known: Weighted) {
        let entry = self.entry_at(Lock::of(position), position.clone());
        entry.moves.insert(mv, known);
    }

    pub(super) fn put_nameless(&mut self, lock: u32, mv: Move, weight: i32) {
        self.nameless.entry(lock).or_default().insert(mv, weight);
    }

    /// Changes or drops moves; positions without a move are dropped.
    pub fn retain(&mut self, mut keep: impl FnMut(&Position, Move, &mut Weighted) -> bool) {
        for entry in self.entries.values_mut() {
            let position = &entry.position;
            entry.moves.retain(|&mv, known| keep(position, mv, known));
        }
        self.entries.retain(|_, entry| !entry.moves.is_empty());
    }

    /// Adds everything that another collection holds.
    pub fn merge(&mut self, other: &Self) {
        for entry in other.entries() {
            let is_symmetric = Lock::stored(&entry.position).1 == Form::Symmetric;
            for (&mv, &known) in &entry.moves {
                // `add` gives the mirrored move its share.
                let mirrored = mv.mirror_file();
                if !is_symmetric || mv <= mirrored || !entry.moves.contains_key(&mirrored) {
                    self.add(&entry.position, mv, known);
                }
            }
        }
        for (&lock, moves) in &other.nameless {
            let own = self.nameless.entry(lock).or_default();
            for (&mv, &weight) in moves {
                let known = own.entry(mv).or_default();
                *known = known.saturating_add(weight);
            }
        }
    }

    /// The moves known in a position, in either form.
    pub fn find(&self, position: &Position) -> Option<&Entry> {
        let find = |lock: Lock| self.entries.get(&(lock.lock1, lock.lock0));
        find(Lock::of(position)).or_else(|| find(Lock::of_mirror(position)))
    }

    /// What a BOOK.DAT holds. Its positions are found by walking from the start,
    /// from each one that it knows over all legal moves. The rest stays without a
    /// position.
    pub fn of_dat(book: &DatBook) -> Self {
        let mut collection = Self::default();
        let mut named: HashMap<u32, HashSet<Move>> = HashMap::new();
        let mut queue = VecDeque::from([Position::start()]);
        let mut seen = HashSet::from([Lock::stored(&Position::start()).0]);
        collection.take_group(book, &Position::start(), &mut named);
        while let Some(position) = queue.pop_front() {
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.make(mv);
                let is_new = seen.insert(Lock::stored(&next).0);
                if is_new && collection.take_group(book, &next, &mut named) {
                    queue.push_back(next);
                }
            }
        }
        for record in book.groups().flatten() {
            let is_named = named.get(&record.lock);
            if !is_named.is_some_and(|moves| moves.contains(&record.mv)) {
                collection.put_nameless(record.lock, record.mv, i32::from(record.weight));
            }
        }
        collection
    }

    /// Takes the moves of a position over, in the form in which they are stored;
    /// whether there are any. A lock that has its position already belongs to that
    /// one alone: of two positions under one lock, only one would be written again.
    fn take_group(
        &mut self,
        book: &DatBook,
        position: &Position,
        named: &mut HashMap<u32, HashSet<Move>>,
    ) -> bool {
        let mut form = position.clone();
        let mut group = book.group(Lock::of(&form).lock1);
        if group.is_empty() {
            form = position.mirror_files();
            group = book.group(Lock::of(&form).lock1);
        }
        let is_taken = |record: &Record| named.contains_key(&record.lock);
        if group.first().is_none_or(is_taken) {
            return false;
        }
        let legality = form.legality();
        let mut is_known = false;
        for record in group {
            let is_legal = form.is_legal(record.mv, &legality);
            if is_legal && named.entry(record.lock).or_default().insert(record.mv) {
                let weight = i32::from(record.weight);
                let counts = Counts::default();
                self.put(&form, record.mv, Weighted { weight, counts });
                is_known = true;
            }
        }
        is_known
    }

    /// Moves that are not to be played, of weight 0 and less, are left out.
    pub(super) fn to_dat(&self) -> DatBook {
        let mut records = Vec::new();
        let entries: Vec<(&(u32, u32), &Entry)> = self.entries.iter().collect();
        for same_lock in entries.chunk_by(|a, b| a.0.0 == b.0.0) {
            let heaviest = same_lock.iter().max_by_key(|(_, entry)| entry.total());
            let Some(((lock, _), entry)) = heaviest else {
                continue;
            };
            let is_lost = |(_, other): &&(_, &Entry)| other != entry && other.total() > 0;
            for (_, lost) in same_lock.iter().filter(is_lost) {
                let fen = lost.position.to_fen();
                log::warn!("another position has the lock {lock:08x}; left out: {fen}");
            }
            let moves = entry.moves.iter();
            records.extend(moves.filter_map(|(&mv, known)| record(*lock, mv, known.weight)));
        }
        for (lock, moves) in self.nameless() {
            let moves = moves.iter();
            records.extend(moves.filter_map(|(&mv, &weight)| record(lock, mv, weight)));
        }
        DatBook::from_records(records)
    }
}

/// The record of a move, if it may be played.
fn record(lock: u32, mv: Move, weight: i32) -> Option<Record> {
    let weight = weight.clamp(0, i32::from(u16::MAX)) as u16;
    (weight > 0).then_some(Record { lock, mv, weight })
}

/// The position without its counters: a book does not know how it was reached.
fn bare(position: &Position) -> Position {
    let fen = position.to_fen();
    let end = fen
        .match_indices(' ')
        .nth(1)
        .map_or(fen.len(), |(at, _)| at);
    Position::from_fen(&fen[..end]).unwrap_or_else(|_| position.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(wins: u32, draws: u32, losses: u32) -> Weighted {
        Weighted {
            weight: 3,
            counts: Counts {
                wins,
                draws,
                losses,
            },
        }
    }

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        for mv in moves {
            position.make(mv.parse().unwrap());
        }
        position
    }

    #[test]
    fn a_position_and_its_mirror_image_are_one() {
        let mut collection = Collection::default();
        let reply = |text: &str| text.parse::<Move>().unwrap();
        collection.add(&after(&["h2e2"]), reply("h9g7"), counted(1, 0, 0));
        collection.add(&after(&["b2e2"]), reply("b9c7"), counted(0, 1, 0));
        collection.add(&Position::start(), reply("h2e2"), counted(0, 0, 1));
        assert_eq!(collection.size(), (2, 3));
        let entry = collection.find(&after(&["h2e2"])).unwrap();
        let known = entry.moves.values().next().unwrap();
        assert_eq!((known.weight, known.counts.games()), (6, 2));
        // The start position is symmetric: both cannons have it.
        let book = DatBook::of(&collection);
        let weights = book.moves(&Position::start());
        assert_eq!(weights.len(), 2);
        for text in ["h2e2", "b2e2"] {
            let moves = book.moves(&after(&[text]));
            assert_eq!((moves.len(), moves[0].weight), (1, 6), "{text}");
        }
    }

    #[test]
    fn merging_counts_every_game_once() {
        let mut one = Collection::default();
        one.add(
            &Position::start(),
            "h2e2".parse().unwrap(),
            counted(1, 2, 3),
        );
        let mut sum = one.clone();
        sum.merge(&one);
        let entry = sum.find(&Position::start()).unwrap();
        assert_eq!(entry.moves.len(), 2);
        for known in entry.moves.values() {
            assert_eq!((known.weight, known.counts.games()), (6, 12));
        }
    }

    #[test]
    fn a_book_comes_back_from_its_positions() {
        let mut collection = Collection::default();
        let line = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"];
        for (ply, mv) in line.iter().enumerate() {
            collection.add(&after(&line[..ply]), mv.parse().unwrap(), counted(1, 1, 1));
        }
        collection.put_nameless(77, "a0a9".parse().unwrap(), 12);
        let book = DatBook::of(&collection);
        let again = Collection::of_dat(&book);
        assert_eq!(again.size(), collection.size());
        assert_eq!(again.nameless().count(), 1);
        assert_eq!(DatBook::of(&again), book);
    }

    #[test]
    fn moves_not_to_be_played_stay_out_of_a_book() {
        let start = crate::position::START_FEN.rsplit_once(" - - ").unwrap().0;
        let text = format!("{start} h2e2:5 c3c4:0 g3g4:-7\nlock=0000004d a0a9:0 a0a8:2\n");
        let book = Collection::read_text(&text).unwrap().to_dat();
        let moves = book.moves(&Position::start());
        let texts: Vec<String> = moves.iter().map(|known| known.mv.to_string()).collect();
        assert_eq!(texts, ["h2e2"]);
        let nameless: Vec<Move> = book.group(0x4d).iter().map(|record| record.mv).collect();
        assert_eq!(nameless, ["a0a8".parse().unwrap()]);
    }

    #[test]
    fn counts_do_not_overflow() {
        let mut most = counted(u32::MAX, u32::MAX, u32::MAX).counts;
        most += most;
        assert_eq!((most.games(), most.score()), (u32::MAX, 0.5));
    }

    /// Four plies lead to two positions with the lock 92d0ba60.
    #[test]
    fn two_positions_under_one_lock_lose_no_move() {
        let lines = [
            ["i0i1", "b7d7", "e3e4", "h7e7", "i1f1"],
            ["b2f2", "a9a8", "c3c4", "b7b4", "f2f5"],
        ];
        let mut records = Vec::new();
        for line in &lines {
            for (ply, mv) in line.iter().enumerate() {
                let lock = Lock::of(&after(&line[..ply])).lock1;
                let mv = mv.parse().unwrap();
                records.push(Record {
                    lock,
                    mv,
                    weight: 7,
                });
            }
        }
        let book = DatBook::from_records(records);
        assert_eq!(book.group(0x92d0_ba60).len(), 2);
        for line in &lines {
            let moves = book.moves(&after(&line[..4]));
            let texts: Vec<String> = moves.iter().map(|known| known.mv.to_string()).collect();
            assert_eq!(texts, line[4..]);
        }
        let collection = Collection::of_dat(&book);
        assert_eq!(collection.nameless().count(), 1);
        assert_eq!(DatBook::of(&collection), book);
        let text = collection.write_text("");
        assert_eq!(DatBook::of(&Collection::read_text(&text).unwrap()), book);
    }
}
