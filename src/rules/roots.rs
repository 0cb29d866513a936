//! Protection (根): who can really take back, and what the whole exchange wins.
//!
//! Section 5, items 3 to 5 of the specification; articles 25.3 and 28(3) of the
//! modern rules, the appendix on false roots of the Asian ones. Every question is
//! about one capture, [`Capture`], on a [`Board`] on which nobody looks at whose
//! turn it is.

use super::board::Board;
use crate::types::{Bitboard, Color, PieceType, Square};

/// One capture to be weighed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capture {
    before: Board,
    after: Board,
    side: Color,
    from: Square,
    to: Square,
}

/// A man that seems to protect the victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root {
    /// Where it stands.
    pub(super) square: Square,
    /// Why it is a false root (假根); `None` for a real one (真根).
    pub(super) fault: Option<RootFault>,
}

/// Why a man cannot take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootFault {
    /// It would leave its king to the man on this square: it is pinned, or the
    /// capture has given a check that it does not answer. The facing king counts.
    Exposes(Square),
    /// After the capture it does not reach the square: a cannon whose screen has
    /// gone, or that looked through the man that has taken.
    OutOfReach,
}

/// What the men are worth to the rules (article 25.3): a rook is two horses or
/// cannons. Advisor and elephant, equal, are below those. The pawn's value floats
/// and is dealt with where captures are added up.
const fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Rook => 4,
        PieceType::Knight | PieceType::Cannon => 2,
        PieceType::Advisor | PieceType::Bishop | PieceType::Pawn => 1,
        PieceType::King => 100,
    }
}

/// The first attacker that the king of `side` did not have on `before`. A king
/// that has moved itself should have left every attack: all are new to it.
fn new_threat(before: &Board, after: &Board, side: Color) -> Option<Square> {
    let king_has_moved = before.men(side, PieceType::King) != after.men(side, PieceType::King);
    let forgiven = if king_has_moved {
        Bitboard::EMPTY
    } else {
        before.threats_to_king(side)
    };
    (after.threats_to_king(side) - forgiven).first()
}

impl Capture {
    /// The capture of the man on `to` by the one on `from`, which must attack it.
    pub(super) fn new(before: Board, side: Color, from: Square, to: Square) -> Self {
        let after = before.after(from, to);
        Self {
            before,
            after,
            side,
            from,
            to,
        }
    }

    /// Whether the capture is legal, an attack on the own king that is there
    /// anyway forgiven: that side may just be answering a check, and what it
    /// could not carry out for that reason is not new afterwards (section 5,
    /// item 3).
    pub(super) fn is_safe(&self) -> bool {
        new_threat(&self.before, &self.after, self.side).is_none()
    }

    /// Whether the victim could legally take the attacker instead: with equal
    /// men an exchange (兑) and no attack (item 4).
    pub(super) fn is_mutual(&self) -> bool {
        let them = !self.side;
        self.before.attackers(self.from, them).contains(self.to)
            && new_threat(&self.before, &self.before.after(self.to, self.from), them).is_none()
    }

    /// Whether somebody can legally take back: the victim has a real root.
    pub(super) fn has_real_root(&self) -> bool {
        let them = !self.side;
        self.after
            .attackers(self.to, them)
            .into_iter()
            .any(|root| self.fault_of(root).is_none())
    }

    /// Why the man, which reaches the square after the capture, may not take back.
    fn fault_of(&self, root: Square) -> Option<RootFault> {
        let taken_back = self.after.after(root, self.to);
        new_threat(&self.before, &taken_back, !self.side).map(RootFault::Exposes)
    }

    /// All roots, the real and the false ones, for the record.
    pub(super) fn roots(&self) -> impl Iterator<Item = Root> + '_ {
        let them = !self.side;
        let reaching = self.after.attackers(self.to, them);
        let seeming = self.before.attackers(self.to, them) - reaching;
        let real_or_exposed = reaching.into_iter().map(|square| Root {
            square,
            fault: self.fault_of(square),
        });
        real_or_exposed.chain(seeming.into_iter().map(|square| Root {
            square,
            fault: Some(RootFault::OutOfReach),
        }))
    }

    /// Whether the complete exchange on the square wins material, each side free
    /// to stop when it is its turn (articles 25.3, 28(3)): more attackers than
    /// protectors (少根子), or a dearer man for a cheaper one. A trade in which a
    /// pawn goes either way is no gain.
    pub(super) fn wins_exchange(&self) -> bool {
        let (Some(mover), Some(victim)) = (
            self.before.piece_on(self.from),
            self.before.piece_on(self.to),
        ) else {
            return false;
        };
        let trade = Trade {
            gained: value(victim.kind),
            lost: 0,
            pawns: victim.kind == PieceType::Pawn,
        };
        let own = self.side;
        let exchange = Exchange {
            base: self.before,
            own,
            square: self.to,
        };
        !exchange.saved_by_reply(&self.after, mover.kind, trade)
    }
}

/// What has gone from the board so far in an exchange.
#[derive(Clone, Copy)]
struct Trade {
    gained: i32,
    lost: i32,
    pawns: bool,
}

impl Trade {
    const fn is_gain(self) -> bool {
        self.lost == 0 || (!self.pawns && self.gained > self.lost)
    }
}

/// An exchange on one square, played out over all orders of taking. There are
/// few; the first that settles the question ends the search.
struct Exchange {
    base: Board,
    own: Color,
    square: Square,
}

impl Exchange {
    /// Whether the other side, whose turn it is, can keep the trade from being a
    /// gain. `kind` is what stands on the square.
    fn saved_by_reply(&self, board: &Board, kind: PieceType, trade: Trade) -> bool {
        if !trade.is_gain() {
            return true; // and stops here
        }
        let trade = Trade {
            lost: trade.lost + value(kind),
            pawns: trade.pawns || kind == PieceType::Pawn,
            ..trade
        };
        self.takers(board, !self.own)
            .any(|(next, taker)| !self.won_by_going_on(&next, taker, trade))
    }

    /// Whether the attacking side, whose turn it is, has a gain.
    fn won_by_going_on(&self, board: &Board, kind: PieceType, trade: Trade) -> bool {
        if trade.is_gain() {
            return true;
        }
        let trade = Trade {
            gained: trade.gained + value(kind),
            pawns: trade.pawns || kind == PieceType::Pawn,
            ..trade
        };
        self.takers(board, self.own)
            .any(|(next, taker)| !self.saved_by_reply(&next, taker, trade))
    }

    /// Every legal way of taking on the square: the board afterwards, and the
    /// man that has taken.
    fn takers(&self, board: &Board, side: Color) -> impl Iterator<Item = (Board, PieceType)> {
        let board = *board;
        let men: Bitboard = board.attackers(self.square, side);
        men.into_iter().filter_map(move |from| {
            let next = board.after(from, self.square);
            let kind = board.piece_on(from)?.kind;
            new_threat(&self.base, &next, side)
                .is_none()
                .then_some((next, kind))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn sq(text: &str) -> Square {
        text.parse().expect("a square")
    }

    /// Red's capture on the board of the FEN.
    fn capture(fen: &str, from: &str, to: &str) -> Capture {
        let board = Board::of(&Position::from_fen(fen).expect("a legal position"));
        Capture::new(board, Color::Red, sq(from), sq(to))
    }

    #[test]
    fn a_pinned_protector_is_a_false_root() {
        // The horse on e7 stands before its king: a rook, and a facing king.
        for fen in [
            "4k4/9/4n4/9/3c5/9/9/4R4/3R5/4K4",
            "4k4/9/4n4/9/3c5/9/9/9/3R5/4K4",
        ] {
            let capture = capture(fen, "d1", "d5");
            assert!(!capture.has_real_root());
            assert!(capture.wins_exchange());
            let roots: Vec<Root> = capture.roots().collect();
            assert_eq!(roots.len(), 1);
            assert!(matches!(roots[0].fault, Some(RootFault::Exposes(_))));
        }
        assert!(capture("5k3/9/4n4/9/3c5/9/9/9/3R5/4K4", "d1", "d5").has_real_root());
    }

    #[test]
    fn a_cannon_needs_its_screen_after_the_capture() {
        // The rook that takes was the screen.
        let capture = capture("5k3/9/9/9/c1R1n4/9/9/9/9/3K5", "c5", "e5");
        assert!(!capture.has_real_root());
        let roots: Vec<Root> = capture.roots().collect();
        assert_eq!(roots[0].fault, Some(RootFault::OutOfReach));
    }

    #[test]
    fn the_king_protects_what_nobody_else_attacks() {
        let alone = "9/3k5/3n5/9/9/9/3R5/9/9/4K4";
        assert!(capture(alone, "d3", "d7").has_real_root());
        let covered = "9/3k5/3n5/9/9/9/3R5/9/3R5/4K4";
        assert!(!capture(covered, "d3", "d7").has_real_root());
    }

    #[test]
    fn a_king_in_check_does_not_step_back_along_the_line() {
        // The horse takes on d9; the rook that checks the king on d8 covers d9 through it.
        let capture = capture("3n5/3k5/2N6/9/3R5/9/9/9/9/4K4 b", "c7", "d9");
        assert!(!capture.has_real_root());
        assert!(capture.wins_exchange());
    }

    #[test]
    fn equal_men_that_can_take_each_other_are_exchanged() {
        let open = capture("3k5/9/9/9/r3R4/9/9/9/9/4K4", "e5", "a5");
        assert!(open.is_mutual() && open.is_safe());
        // The attacker is pinned, the victim is not.
        let attacker_pinned = capture("4k4/4r4/9/9/r3R4/9/9/9/9/4K4", "e5", "a5");
        assert!(attacker_pinned.is_mutual() && !attacker_pinned.is_safe());
        let victim_pinned = capture("4k4/9/9/9/R3r4/9/9/9/9/4RK3", "a5", "e5");
        assert!(!victim_pinned.is_mutual() && victim_pinned.is_safe());
        // With a second rook before the king nothing is pinned.
        assert!(capture("4k4/9/4r4/9/R3r4/9/9/9/9/4RK3", "a5", "e5").is_mutual());
        // A horse whose leg is blocked cannot take back.
        let blocked = "4k4/9/9/3n5/3P5/4N4/9/9/9/5K3";
        assert!(!capture(blocked, "e4", "d6").is_mutual());
    }

    #[test]
    fn values_decide_a_protected_exchange() {
        // Horse takes a protected rook: a gain. Rook takes a protected horse: none.
        assert!(capture("3k5/9/9/3r4r/9/2N6/9/9/9/4K4", "c4", "d6").wins_exchange());
        assert!(!capture("3k5/9/9/3n4r/9/9/9/3R5/9/4K4", "d2", "d6").wins_exchange());
        // Two rooks against one protector (少根子).
        assert!(capture("4k4/4a4/9/9/r2c4R/9/9/9/3R5/4K4", "d1", "d5").wins_exchange());
        assert!(!capture("4k4/4a4/9/9/r2c5/9/9/9/3R5/4K4", "d1", "d5").wins_exchange());
    }

    #[test]
    fn a_pawn_is_won_only_for_nothing() {
        assert!(capture("3k5/9/9/9/9/4p4/9/4R4/9/4K4", "e2", "e4").wins_exchange());
        assert!(!capture("3k5/9/9/9/9/4pp3/9/4N4/9/4K4", "e2", "e4").is_mutual());
        assert!(!capture("3k5/9/9/9/4r4/4p4/9/4R4/9/4K4", "e2", "e4").wins_exchange());
    }
}
