//! The move generator: exact legal moves, nothing made and tested.
//!
//! One walk over the men hands (square, legal targets) to a [`Sink`]. The list
//! of all moves, captures, quiets, evasions (the masks of `legality` make them)
//! and the count are this walk with different sinks and masks; only the count
//! has a shortcut of its own for the usual node without restrictions, where
//! lines are counted from the line arrays and small men as sets.

use super::{Legality, Position};
use crate::attacks;
use crate::types::{Bitboard, Color, Move, MoveList, PieceType, Square};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// All legal moves.
    All,
    /// Moves that capture.
    Captures,
    /// Moves that do not.
    Quiets,
}

/// Takes the legal targets of one man after the other.
pub(super) trait Sink {
    fn add(&mut self, from: Square, targets: Bitboard);
}

impl Sink for MoveList {
    #[inline(always)]
    fn add(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }
}

/// Counts moves.
struct Counter(u32);

impl Sink for Counter {
    #[inline(always)]
    fn add(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.len();
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&self.legality(), Targets::All, &mut moves);
        moves
    }

    /// Appends the legal moves of this kind. `legality` must be this position's.
    pub fn generate(&self, legality: &Legality, targets: Targets, moves: &mut MoveList) {
        let mask = match targets {
            Targets::All => Bitboard::ALL,
            Targets::Captures => self.men_of(!self.side),
            Targets::Quiets => !self.occupied(),
        };
        self.for_each_man(self.side, legality, mask, moves);
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self, legality: &Legality) -> bool {
        self.count_of(self.side, legality) != 0
    }

    /// Hands every man of `us` with its legal targets inside the mask to the sink.
    #[inline(always)]
    fn for_each_man(&self, us: Color, legality: &Legality, mask: Bitboard, sink: &mut impl Sink) {
        let own = self.men_of(us);
        let mask = mask - own;
        let open = mask & legality.open;
        if !open.is_empty() {
            self.free_men(us, own - legality.tied, open, sink);
        }
        self.tied_men_and_king(us, legality, mask, sink);
    }

    /// Men for which the same mask holds.
    #[inline(always)]
    fn free_men(&self, us: Color, men: Bitboard, open: Bitboard, sink: &mut impl Sink) {
        let occupied = self.occupied();
        for from in men & self.men_of_kind(PieceType::Rook) {
            sink.add(from, attacks::rook(from, occupied) & open);
        }
        for from in men & self.men_of_kind(PieceType::Cannon) {
            sink.add(from, attacks::cannon(from, occupied) & open);
        }
        for from in men & self.men_of_kind(PieceType::Knight) {
            sink.add(from, attacks::knight(from, occupied) & open);
        }
        for from in men & self.men_of_kind(PieceType::Pawn) {
            sink.add(from, attacks::pawn(us, from) & open);
        }
        for from in men & self.men_of_kind(PieceType::Bishop) {
            sink.add(from, attacks::bishop(from, occupied) & open);
        }
        for from in men & self.men_of_kind(PieceType::Advisor) {
            sink.add(from, attacks::advisor(from) & open);
        }
    }

    /// Men with a mask of their own, and the king, whose squares are tested one
    /// by one.
    #[inline(always)]
    fn tied_men_and_king(
        &self,
        us: Color,
        legality: &Legality,
        mask: Bitboard,
        sink: &mut impl Sink,
    ) {
        let occupied = self.occupied();
        for from in legality.tied {
            if let Some(piece) = self.piece_on(from) {
                let targets = attacks::targets(piece, from, occupied) & mask;
                if !targets.is_empty() {
                    sink.add(from, targets & self.open_for(us, from));
                }
            }
        }
        let king = self.king(us);
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & mask {
            if self.is_king_safe_on(us, to) {
                safe |= Bitboard::of(to);
            }
        }
        sink.add(king, safe);
    }

    /// How many legal moves there are, without listing them.
    #[inline(always)]
    pub(super) fn count_legal(&self) -> u32 {
        // Two copies, so that the side is a constant in each.
        match self.side {
            Color::Red => self.count_of(Color::Red, &self.legality_of(Color::Red)),
            Color::Black => self.count_of(Color::Black, &self.legality_of(Color::Black)),
        }
    }

    #[inline(always)]
    fn count_of(&self, us: Color, legality: &Legality) -> u32 {
        let mut counter = Counter(0);
        if legality.open == Bitboard::ALL {
            counter.0 = self.count_free_men(us, self.men_of(us) - legality.tied);
            let mask = !self.men_of(us);
            self.tied_men_and_king(us, legality, mask, &mut counter);
        } else {
            self.for_each_man(us, legality, Bitboard::ALL, &mut counter);
        }
        counter.0
    }

    /// Counts the moves of unrestricted men: lines by their nine and ten bits,
    /// pawns, elephants and advisors as sets.
    #[inline(always)]
    fn count_free_men(&self, us: Color, men: Bitboard) -> u32 {
        let mut count = 0;
        for from in men & self.men_of_kind(PieceType::Rook) {
            count += self.count_lines(us, from, &attacks::RANK_ROOK, &attacks::FILE_ROOK);
        }
        for from in men & self.men_of_kind(PieceType::Cannon) {
            count += self.count_lines(us, from, &attacks::RANK_CANNON, &attacks::FILE_CANNON);
        }
        let (own, occupied) = (self.men_of(us), self.occupied());
        for from in men & self.men_of_kind(PieceType::Knight) {
            count += (attacks::knight(from, occupied) - own).len();
        }
        count += self.count_pawns(us, men & self.men_of_kind(PieceType::Pawn));
        count += self.count_bishops(us, men & self.men_of_kind(PieceType::Bishop));
        count + self.count_advisors(us, men & self.men_of_kind(PieceType::Advisor))
    }

    #[inline(always)]
    fn count_lines(
        &self,
        us: Color,
        from: Square,
        ranks: &attacks::RankTable,
        files: &attacks::FileTable,
    ) -> u32 {
        let (file, rank) = (from.file().index() & 15, from.rank().index() & 15);
        let own = &self.men.lines[us.index()];
        let enemy = &self.men.lines[(!us).index()];
        let on_rank = (own.ranks[rank] | enemy.ranks[rank]) as usize & 511;
        let on_file = (own.files[file] | enemy.files[file]) as usize & 1023;
        let along_rank = ranks[file][on_rank] & !own.ranks[rank];
        let along_file = files[rank][on_file] & !own.files[file];
        (u32::from(along_rank) | u32::from(along_file) << 16).count_ones()
    }

    #[inline(always)]
    fn count_pawns(&self, us: Color, pawns: Bitboard) -> u32 {
        let own = self.men_of(us);
        let forward = match us {
            Color::Red => pawns.bits() << 9,
            Color::Black => pawns.bits() >> 9,
        };
        let mut count = (Bitboard::from_bits(forward) - own).len();
        let crossed = match us {
            Color::Red => pawns & Bitboard::BLACK_HALF,
            Color::Black => pawns & Bitboard::RED_HALF,
        };
        if !crossed.is_empty() {
            let left = (crossed - attacks::FILE_A).bits() >> 1;
            let right = (crossed - attacks::FILE_I).bits() << 1;
            count += (Bitboard::from_bits(left) - own).len();
            count += (Bitboard::from_bits(right) - own).len();
        }
        count
    }

    /// Elephants live in one 45-bit half of the board: four shifts of the set.
    #[inline(always)]
    fn count_bishops(&self, us: Color, bishops: Bitboard) -> u32 {
        let half = |set: Bitboard| match us {
            Color::Red => set.bits() as u64,
            Color::Black => (set.bits() >> 45) as u64,
        };
        let bishops = half(bishops);
        if bishops == 0 {
            return 0;
        }
        let open = !half(self.occupied());
        let landing = attacks::BISHOP_POINTS & !half(self.men_of(us));
        ((((bishops << 8) & open) << 8) & landing).count_ones()
            + ((((bishops << 10) & open) << 10) & landing).count_ones()
            + ((((bishops >> 8) & open) >> 8) & landing).count_ones()
            + ((((bishops >> 10) & open) >> 10) & landing).count_ones()
    }

    /// An advisor on the centre point reaches the free corners, one on a corner
    /// only the centre.
    #[inline(always)]
    fn count_advisors(&self, us: Color, advisors: Bitboard) -> u32 {
        let own = self.men_of(us);
        let centre = attacks::palace_centre(us);
        let corners = attacks::advisor_points(us) - centre;
        let mut count = 0;
        if advisors.intersects(centre) {
            count += (corners - own).len();
        }
        if !own.intersects(centre) {
            count += (advisors & corners).len();
        }
        count
    }
}
