//! Extensions: the singular move (Anantharaman, Campbell, Hsu 1990; in the form
//! that only asks about the table's move).

use super::node::Node;
use super::worker::Worker;
use crate::types::score::is_decisive;
use crate::types::{Bound, Move, Score};

/// What leaving out the table's move has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singular {
    /// So many plies more for the move, or less.
    Extend(i32),
    /// Other moves cut off as well: this score will do (multi-cut).
    Cut(Score),
}

/// Back-and-forth moves are not extended once there have been this many plies
/// without a capture: fortresses would never end.
const SHUFFLE_PLIES: u16 = 10;

impl Worker<'_> {
    /// Searches the node without the table's move. If all others fall short of
    /// its score by a margin, it is the only good one and gets more depth.
    pub(super) fn singular<const PV: bool>(&mut self, node: &Node, mv: Move) -> Singular {
        let p = &self.shared.params;
        let outlook = &node.outlook;
        let depth = outlook.depth;
        let ply = self.ply();
        let Some(entry) = node.entry else {
            return Singular::Extend(0);
        };
        if depth < p.singular_limit() + i32::from(outlook.was_pv)
            || entry.bound == Bound::Upper
            || entry.depth < depth - 3
            || is_decisive(entry.score)
            || ply >= 2 * self.root_depth as usize
            || self.shuffles(mv)
        {
            return Singular::Extend(0);
        }
        let margin = p.singular_margin() * (1 + i32::from(outlook.was_pv && !PV)) * depth / 16;
        let bound = entry.score - margin;
        let saved = self.stack.at(ply).marks();
        self.stack.at(ply).excluded = Some(mv);
        let score = self.node::<false>(bound - 1, bound, (depth - 1) / 2, outlook.cut_node);
        let frame = self.stack.at(ply);
        frame.excluded = None;
        frame.restore_marks(saved);
        if self.is_stopped() {
            return Singular::Extend(0);
        }
        let p = &self.shared.params;
        if score < bound {
            let wide = p.double_margin() + i32::from(PV) * p.double_pv();
            let very_wide = p.triple_margin() + i32::from(PV) * p.double_pv();
            let quiet = !node.table_move_captures;
            return Singular::Extend(
                1 + i32::from(score < bound - wide) + i32::from(quiet && score < bound - very_wide),
            );
        }
        if score >= outlook.beta && !is_decisive(score) {
            return Singular::Cut(score);
        }
        Singular::Extend(if entry.score >= outlook.beta {
            -2
        } else if outlook.cut_node {
            -1
        } else {
            0
        })
    }

    /// Whether the move takes back our last one in a position where nothing has
    /// happened for long.
    fn shuffles(&mut self, mv: Move) -> bool {
        let ply = self.ply();
        ply >= 20
            && self.game.position().plies_since_capture() >= SHUFFLE_PLIES
            && (self.stack.before(ply, 2).mv)
                .is_some_and(|last| last.from() == mv.to() && last.to() == mv.from())
    }
}
