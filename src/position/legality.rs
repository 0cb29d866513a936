//! Legality by masks, once a node.
//!
//! For every enemy man that could hit our king after one of our moves, the walk
//! reports three sets: where uninvolved men may go (*open*), which of our men
//! take part (*tied*), and where those may go (*tied_open*). Each report is
//! exact for its own attacker, so the intersection over all attackers is exact
//! for the move: nothing is made and tested. `seg` are the squares strictly
//! between king and attacker s, `b` = seg & occupied:
//!
//! | attacker | men in seg | open | tied | tied_open |
//! |---|---|---|---|---|
//! | rook, or king on the file | 0 (check) | seg + s | | |
//! | | 1, own | all | it | seg + s |
//! | cannon | 0, seg not empty | all but seg | | |
//! | | 1 (check) | seg - b + s | it, if own | all but seg |
//! | | 2 | all | the own ones | seg - b + s |
//! | horse | leg empty (check) | leg + s | | |
//! | | leg own | all | it | s |
//! | pawn | (check) | s | | |
//!
//! Everything else restricts nothing. A captured attacker needs no care (its
//! square is in its own sets), nor does a double check: in xiangqi one move may
//! parry two checks, and the intersection says which.
//!
//! Everything on the way to perft's counting is `inline(always)`, because
//! inlining is what carries the processor level down (see `perft`).

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// What restricts the moves of the side to move, computed once a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legality {
    /// Where men that are not tied may go.
    pub(super) open: Bitboard,
    /// Men with restrictions of their own: pinned by a rook or the facing king,
    /// screens of cannons, blockers of horse legs.
    pub(super) tied: Bitboard,
    checkers: Bitboard,
}

impl Legality {
    /// The enemy men that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The men whose moves are restricted beyond what holds for all.
    #[inline(always)]
    pub fn tied(&self) -> Bitboard {
        self.tied
    }
}

/// One row of the table above.
struct Report {
    attacker: Square,
    open: Bitboard,
    tied: Bitboard,
    tied_open: Bitboard,
    is_check: bool,
}

trait Visitor {
    fn visit(&mut self, report: Report);
}

impl Visitor for Legality {
    #[inline(always)]
    fn visit(&mut self, report: Report) {
        self.open &= report.open;
        self.tied |= report.tied;
        if report.is_check {
            self.checkers |= Bitboard::of(report.attacker);
        }
    }
}

/// Collects where one tied man may go.
struct ForMan {
    man: Square,
    open: Bitboard,
}

impl Visitor for ForMan {
    #[inline(always)]
    fn visit(&mut self, report: Report) {
        self.open &= if report.tied.contains(self.man) {
            report.tied_open
        } else {
            report.open
        };
    }
}

impl Position {
    /// The restrictions on the moves of the side to move, checks included.
    #[inline(always)]
    pub fn legality(&self) -> Legality {
        self.legality_of(self.side)
    }

    /// As [`Self::legality`], for a side that the caller may know at compile
    /// time.
    #[inline(always)]
    pub(super) fn legality_of(&self, us: Color) -> Legality {
        let mut legality = Legality {
            open: Bitboard::ALL,
            tied: Bitboard::EMPTY,
            checkers: Bitboard::EMPTY,
        };
        self.walk(us, &mut legality);
        legality
    }

    /// Where a tied man may go as far as the safety of its king is concerned.
    #[inline(always)]
    pub(super) fn open_for(&self, us: Color, man: Square) -> Bitboard {
        let mut visitor = ForMan {
            man,
            open: Bitboard::ALL,
        };
        self.walk(us, &mut visitor);
        visitor.open
    }

    #[inline(always)]
    fn walk(&self, us: Color, visitor: &mut impl Visitor) {
        let them = !us;
        let king = self.king(us);
        let occupied = self.occupied();
        let own = self.men_of(us);
        let enemy = self.men_of(them);
        let on_lines = attacks::cross(king) & enemy;

        let rooks = self.men_of_kind(PieceType::Rook) | self.men_of_kind(PieceType::King);
        for attacker in rooks & on_lines {
            let segment = attacks::between(king, attacker);
            let blockers = segment & occupied;
            if blockers.is_empty() {
                visitor.visit(Report {
                    attacker,
                    open: segment | Bitboard::of(attacker),
                    tied: Bitboard::EMPTY,
                    tied_open: Bitboard::ALL,
                    is_check: true,
                });
            } else if !blockers.has_several() && blockers.intersects(own) {
                visitor.visit(Report {
                    attacker,
                    open: Bitboard::ALL,
                    tied: blockers,
                    tied_open: segment | Bitboard::of(attacker),
                    is_check: false,
                });
            }
        }

        for attacker in self.men_of_kind(PieceType::Cannon) & on_lines {
            let segment = attacks::between(king, attacker);
            let blockers = segment & occupied;
            if blockers.is_empty() {
                visitor.visit(Report {
                    attacker,
                    open: !segment,
                    tied: Bitboard::EMPTY,
                    tied_open: Bitboard::ALL,
                    is_check: false,
                });
            } else if !blockers.has_several() {
                visitor.visit(Report {
                    attacker,
                    open: (segment - blockers) | Bitboard::of(attacker),
                    tied: blockers & own,
                    tied_open: !segment,
                    is_check: true,
                });
            } else if blockers.is_pair() {
                visitor.visit(Report {
                    attacker,
                    open: Bitboard::ALL,
                    tied: blockers & own,
                    tied_open: (segment - blockers) | Bitboard::of(attacker),
                    is_check: false,
                });
            }
        }

        let horses = self.men_of_kind(PieceType::Knight) & enemy;
        for attacker in horses & attacks::knight_attackers(king, Bitboard::EMPTY) {
            let leg = Bitboard::of(attacks::leg(attacker, king));
            if !leg.intersects(occupied) {
                visitor.visit(Report {
                    attacker,
                    open: leg | Bitboard::of(attacker),
                    tied: Bitboard::EMPTY,
                    tied_open: Bitboard::ALL,
                    is_check: true,
                });
            } else if leg.intersects(own) {
                visitor.visit(Report {
                    attacker,
                    open: Bitboard::ALL,
                    tied: leg,
                    tied_open: Bitboard::of(attacker),
                    is_check: false,
                });
            }
        }

        let pawns = self.men_of_kind(PieceType::Pawn) & enemy;
        for attacker in pawns & attacks::pawn_attackers(them, king) {
            visitor.visit(Report {
                attacker,
                open: Bitboard::of(attacker),
                tied: Bitboard::EMPTY,
                tied_open: Bitboard::ALL,
                is_check: true,
            });
        }
    }

    /// Whether the move is legal for the side to move: a man of its own that
    /// reaches the square, and its king safe afterwards.
    #[inline]
    pub fn is_legal(&self, mv: Move, legality: &Legality) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let own = self.men_of(self.side);
        if piece.color != self.side
            || own.contains(to)
            || !attacks::targets(piece, from, self.occupied()).contains(to)
        {
            return false;
        }
        if piece.kind == PieceType::King {
            self.is_king_safe_on(self.side, to)
        } else if legality.tied.contains(from) {
            self.open_for(self.side, from).contains(to)
        } else {
            legality.open.contains(to)
        }
    }

    /// Whether the king of `us` would be safe on the square next to it.
    #[inline(always)]
    pub(super) fn is_king_safe_on(&self, us: Color, to: Square) -> bool {
        let occupied = self.occupied() ^ (self.men_of(us) & self.men_of_kind(PieceType::King));
        !self.is_attacked_among(to, !us, occupied)
    }

    /// Whether a man of `by` attacks the square of the other side's palace.
    /// The facing king counts as a rook on its file.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.is_attacked_among(square, by, self.occupied())
    }

    #[inline(always)]
    fn is_attacked_among(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemy = self.men_of(by);
        let rooks = self.men_of_kind(PieceType::Rook) | self.men_of_kind(PieceType::King);
        let cannons = self.men_of_kind(PieceType::Cannon);
        let horses = self.men_of_kind(PieceType::Knight);
        let pawns = self.men_of_kind(PieceType::Pawn);
        let on_lines = attacks::cross(square) & enemy;
        (on_lines.intersects(rooks) && attacks::rook(square, occupied).intersects(rooks & on_lines))
            || (on_lines.intersects(cannons)
                && attacks::cannon(square, occupied).intersects(cannons & on_lines))
            || attacks::knight_attackers(square, occupied).intersects(horses & enemy)
            || attacks::pawn_attackers(by, square).intersects(pawns & enemy)
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side), !self.side)
    }

    /// All men of both sides that attack the square among these occupied ones.
    /// Kings attack as far as they step; a facing king is not among them.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = (attacks::pawn_attackers(Color::Red, square) & self.men_of(Color::Red))
            | (attacks::pawn_attackers(Color::Black, square) & self.men_of(Color::Black));
        (attacks::rook(square, occupied) & self.men_of_kind(PieceType::Rook))
            | (attacks::cannon(square, occupied) & self.men_of_kind(PieceType::Cannon))
            | (attacks::knight_attackers(square, occupied) & self.men_of_kind(PieceType::Knight))
            | (attacks::bishop(square, occupied) & self.men_of_kind(PieceType::Bishop))
            | (attacks::advisor(square) & self.men_of_kind(PieceType::Advisor))
            | (attacks::king(square) & self.men_of_kind(PieceType::King))
            | (pawns & self.men_of_kind(PieceType::Pawn))
    }
}
