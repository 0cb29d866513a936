//! The tree of a game: the main line, and the variations where a format has them.
//!
//! Nodes live in one vector and are linked by index, so that a line of any length
//! is built, walked and dropped without recursion. Node 0 is the start position;
//! it has no move. The first child of a node is the main continuation.

use crate::types::Move;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position.
    pub const ROOT: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The root is nobody's child, so its number stands for "none" in links.
const NONE: NodeId = NodeId::ROOT;

#[derive(Clone, Debug)]
struct Node<M> {
    mv: Option<M>,
    comment: String,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, parent: NodeId) -> Self {
        Self {
            mv,
            comment: String::new(),
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        }
    }
}

/// A tree of moves with comments. What is a move is up to the user: readers of
/// formats that store coordinates keep unchecked ones here first.
///
/// Trees are equal if their lines and comments are, in whatever order they grew.
#[derive(Clone, Debug)]
pub struct Tree<M = Move> {
    nodes: Vec<Node<M>>,
}

/// A node as files store it that write a tree in a row: a node is followed by its
/// whole continuation, then by the alternative to it.
#[derive(Clone, Debug)]
pub(super) struct StoredNode<M> {
    pub(super) mv: M,
    pub(super) comment: String,
    /// Whether a continuation follows.
    pub(super) has_next: bool,
    /// Whether an alternative follows behind all that continues it.
    pub(super) has_alternative: bool,
}

/// A step of a walk through a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The move of this node is made.
    Enter(NodeId),
    /// And taken back, all its continuations done.
    Leave(NodeId),
}

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Self {
            nodes: vec![Node::new(None, NodeId::ROOT)],
        }
    }
}

impl<M: PartialEq> PartialEq for Tree<M> {
    fn eq(&self, other: &Self) -> bool {
        let same_node = |a, b| self.mv(a) == other.mv(b) && self.comment(a) == other.comment(b);
        let same_step = |steps| match steps {
            (Step::Enter(a), Step::Enter(b)) => same_node(a, b),
            (Step::Leave(_), Step::Leave(_)) => true,
            _ => false,
        };
        // A walk tells the shape of its tree, so equal steps mean equal trees.
        self.move_count() == other.move_count()
            && same_node(NodeId::ROOT, NodeId::ROOT)
            && self.walk().zip(other.walk()).all(same_step)
    }
}

impl<M: Eq> Eq for Tree<M> {}

impl<M> Tree<M> {
    /// How many moves there are, variations included.
    pub fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The move that leads to the node; `None` at the root.
    pub fn mv(&self, node: NodeId) -> Option<&M> {
        self.nodes[node.index()].mv.as_ref()
    }

    /// The comment behind the move, or the one on the game at the root.
    pub fn comment(&self, node: NodeId) -> &str {
        &self.nodes[node.index()].comment
    }

    /// The node before; `None` at the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| self.nodes[node.index()].parent)
    }

    /// The main continuation.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].first_child)
    }

    /// The next alternative to the node's move.
    pub fn alternative(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].next_sibling)
    }

    /// Whether the node is the main continuation of the one before.
    pub fn is_first(&self, node: NodeId) -> bool {
        self.next(self.nodes[node.index()].parent) == Some(node)
    }

    /// The main continuations from a node on, the node itself not included.
    pub fn line(&self, from: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(from), |&node| self.next(node))
    }

    /// All nodes but the root, depth first, main continuations first.
    pub fn walk(&self) -> impl Iterator<Item = Step> {
        let first = self.next(NodeId::ROOT).map(Step::Enter);
        std::iter::successors(first, |&step| match step {
            Step::Enter(node) => Some(match self.next(node) {
                Some(child) => Step::Enter(child),
                None => Step::Leave(node),
            }),
            Step::Leave(node) => match (self.alternative(node), self.parent(node)) {
                (Some(other), _) => Some(Step::Enter(other)),
                (None, Some(NodeId::ROOT) | None) => None,
                (None, Some(parent)) => Some(Step::Leave(parent)),
            },
        })
    }

    /// Appends a continuation, behind those that are there.
    pub(super) fn add(&mut self, parent: NodeId, mv: M) -> NodeId {
        let index = u32::try_from(self.nodes.len()).expect("a file has fewer than 2^32 moves");
        let node = NodeId(index);
        self.nodes.push(Node::new(Some(mv), parent));
        let last = self.nodes[parent.index()].last_child;
        match some(last) {
            Some(last) => self.nodes[last.index()].next_sibling = node,
            None => self.nodes[parent.index()].first_child = node,
        }
        self.nodes[parent.index()].last_child = node;
        node
    }

    /// Appends all moves of the game from nodes in a row. `read` is told the ply of
    /// the next one, counted from 1, and says `None` where the row ends early.
    pub(super) fn add_row<E>(
        &mut self,
        mut read: impl FnMut(usize) -> Result<Option<StoredNode<M>>, E>,
    ) -> Result<(), E> {
        // Where the next node hangs, and where alternatives are still to come.
        let mut parent = (NodeId::ROOT, 0);
        let mut pending = Vec::new();
        loop {
            let ply = parent.1 + 1;
            let Some(node) = read(ply)? else {
                return Ok(());
            };
            let id = self.add(parent.0, node.mv);
            self.set_comment(id, node.comment);
            if node.has_alternative {
                pending.push(parent);
            }
            if node.has_next {
                parent = (id, ply);
            } else if let Some(branching) = pending.pop() {
                parent = branching;
            } else {
                return Ok(());
            }
        }
    }

    /// Replaces the comment of a node.
    pub(super) fn set_comment(&mut self, node: NodeId, comment: String) {
        self.nodes[node.index()].comment = comment;
    }

    /// Takes the comment of a node out.
    pub(super) fn take_comment(&mut self, node: NodeId) -> String {
        std::mem::take(&mut self.nodes[node.index()].comment)
    }
}

fn some(node: NodeId) -> Option<NodeId> {
    (node != NONE).then_some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_enters_and_leaves_in_order() {
        // 1 (2 (4) (5)) then 3 as an alternative to 1
        let mut tree = Tree::default();
        let one = tree.add(NodeId::ROOT, 'a');
        let two = tree.add(one, 'b');
        let three = tree.add(NodeId::ROOT, 'c');
        let four = tree.add(two, 'd');
        let five = tree.add(two, 'e');
        let path: String = tree
            .walk()
            .map(|step| match step {
                Step::Enter(node) => *tree.mv(node).unwrap(),
                Step::Leave(_) => '.',
            })
            .collect();
        assert_eq!(path, "abd.e...c.");
        assert_eq!(
            tree.line(NodeId::ROOT).collect::<Vec<_>>(),
            [one, two, four]
        );
        assert_eq!(tree.alternative(one), Some(three));
        assert!(tree.is_first(four) && !tree.is_first(five));
        assert_eq!(tree.move_count(), 5);
        assert_eq!(Tree::<char>::default().walk().next(), None);
    }

    #[test]
    fn a_row_of_nodes_becomes_a_tree() {
        // a (b (d) (e)) then c as an alternative to a; small: a continuation
        // follows, star: an alternative.
        let grow = |row: &str| {
            let mut marks = row.split(' ').filter(|word| !word.is_empty());
            let mut plies = Vec::new();
            let mut tree = Tree::default();
            let result = tree.add_row(|ply| {
                plies.push(ply);
                let Some(word) = marks.next() else {
                    return Err("cut off");
                };
                let mv = word.chars().next().unwrap_or_default();
                Ok((mv != '0').then(|| StoredNode {
                    mv: mv.to_ascii_lowercase(),
                    comment: String::new(),
                    has_next: mv.is_ascii_lowercase(),
                    has_alternative: word.ends_with('*'),
                }))
            });
            result.map(|()| (tree, plies))
        };
        let mut tree = Tree::default();
        let a = tree.add(NodeId::ROOT, 'a');
        let b = tree.add(a, 'b');
        for (parent, mv) in [(b, 'd'), (b, 'e'), (NodeId::ROOT, 'c')] {
            tree.add(parent, mv);
        }
        let whole = grow("a* b D* E C rest").unwrap();
        assert_eq!(whole, (tree, vec![1, 2, 3, 3, 1]));
        assert_eq!(grow("a* b D* E"), Err("cut off"));
        assert_eq!(grow("a 0").unwrap().0.move_count(), 1);
    }

    #[test]
    fn equality_is_of_lines_not_of_the_order_of_growth() {
        let grow = |deep_first: bool| {
            let mut tree = Tree::default();
            let one = tree.add(NodeId::ROOT, 'a');
            if deep_first {
                tree.add(one, 'b');
            }
            tree.add(NodeId::ROOT, 'c');
            if !deep_first {
                tree.add(one, 'b');
            }
            tree
        };
        assert_eq!(grow(true), grow(false));
        let mut commented = grow(true);
        commented.set_comment(NodeId::ROOT, "x".to_owned());
        assert_ne!(commented, grow(true));
    }
}
