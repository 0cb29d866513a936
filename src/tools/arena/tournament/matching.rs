//! Maximum matching in a general graph: the question whether everybody left can
//! still be paired (Edmonds' blossom algorithm, "Paths, Trees, and Flowers", 1965).

use std::collections::VecDeque;

/// No vertex.
const NONE: usize = usize::MAX;

/// Whether all these players can be paired off, two by two, so that `may_meet`
/// allows each pair.
pub(super) fn can_all_be_paired(
    players: &[usize],
    may_meet: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let count = players.len();
    if count % 2 == 1 {
        return false;
    }
    let neighbours = (0..count)
        .map(|a| {
            let meets = |&b: &usize| a != b && may_meet(players[a], players[b]);
            (0..count).filter(meets).collect()
        })
        .collect();
    let mut graph = Graph {
        neighbours,
        mate: vec![NONE; count],
    };
    (0..count).all(|vertex| graph.mate[vertex] != NONE || graph.augment(vertex))
}

struct Graph {
    neighbours: Vec<Vec<usize>>,
    mate: Vec<usize>,
}

/// The alternating tree that grows from a free vertex.
struct Search {
    parent: Vec<usize>,
    base: Vec<usize>,
    is_outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Graph {
    /// Pairs this free vertex by an augmenting path, if there is one. If there is
    /// none now, there is none later, and the vertex stays free for good.
    fn augment(&mut self, root: usize) -> bool {
        let count = self.mate.len();
        let mut search = Search {
            parent: vec![NONE; count],
            base: (0..count).collect(),
            is_outer: vec![false; count],
            queue: VecDeque::from([root]),
        };
        search.is_outer[root] = true;
        while let Some(vertex) = search.queue.pop_front() {
            for index in 0..self.neighbours[vertex].len() {
                let next = self.neighbours[vertex][index];
                let same_blossom = search.base[vertex] == search.base[next];
                if same_blossom || self.mate[vertex] == next {
                    continue;
                }
                let closes_cycle = next == root
                    || self.mate[next] != NONE && search.parent[self.mate[next]] != NONE;
                if closes_cycle {
                    self.contract(&mut search, vertex, next);
                } else if search.parent[next] == NONE {
                    search.parent[next] = vertex;
                    let mate = self.mate[next];
                    if mate == NONE {
                        self.flip(&search, next);
                        return true;
                    }
                    search.is_outer[mate] = true;
                    search.queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Exchanges paired and unpaired edges on the path that ends here.
    fn flip(&mut self, search: &Search, end: usize) {
        let mut vertex = end;
        while vertex != NONE {
            let parent = search.parent[vertex];
            let next = self.mate[parent];
            self.mate[vertex] = parent;
            self.mate[parent] = vertex;
            vertex = next;
        }
    }

    /// Makes one vertex of the odd cycle that this edge closes.
    fn contract(&self, search: &mut Search, a: usize, b: usize) {
        let base = self.common_base(search, a, b);
        let mut in_blossom = vec![false; self.mate.len()];
        self.mark(search, &mut in_blossom, a, base, b);
        self.mark(search, &mut in_blossom, b, base, a);
        for vertex in 0..self.mate.len() {
            if in_blossom[search.base[vertex]] {
                search.base[vertex] = base;
                if !search.is_outer[vertex] {
                    search.is_outer[vertex] = true;
                    search.queue.push_back(vertex);
                }
            }
        }
    }

    fn common_base(&self, search: &Search, a: usize, b: usize) -> usize {
        let mut above_a = vec![false; self.mate.len()];
        let mut vertex = search.base[a];
        loop {
            above_a[vertex] = true;
            if self.mate[vertex] == NONE {
                break;
            }
            vertex = search.base[search.parent[self.mate[vertex]]];
        }
        vertex = search.base[b];
        while !above_a[vertex] {
            vertex = search.base[search.parent[self.mate[vertex]]];
        }
        vertex
    }

    /// Marks the way from a vertex up to the base, and turns parents round.
    fn mark(
        &self,
        search: &mut Search,
        in_blossom: &mut [bool],
        from: usize,
        base: usize,
        child: usize,
    ) {
        let (mut vertex, mut child) = (from, child);
        while search.base[vertex] != base {
            let mate = self.mate[vertex];
            in_blossom[search.base[vertex]] = true;
            in_blossom[search.base[mate]] = true;
            search.parent[vertex] = child;
            child = mate;
            vertex = search.parent[mate];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Random;

    /// By trying everything.
    fn obviously(players: &[usize], may_meet: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((&first, rest)) = players.split_first() else {
            return true;
        };
        (0..rest.len()).any(|index| {
            let mut others = rest.to_vec();
            let second = others.remove(index);
            may_meet(first, second) && obviously(&others, may_meet)
        })
    }

    #[test]
    fn agrees_with_trying_everything() {
        let mut random = Random::new(7);
        let (mut yes, mut no) = (0, 0);
        for round in 0..3_000 {
            let count = 2 + 2 * (round % 4);
            let density = 1 + random.below(6);
            let edges: Vec<bool> = (0..count * count)
                .map(|_| random.below(10) < density)
                .collect();
            let may_meet = |a: usize, b: usize| edges[a.min(b) * count + a.max(b)];
            let players: Vec<usize> = (0..count).collect();
            let answer = can_all_be_paired(&players, &may_meet);
            assert_eq!(answer, obviously(&players, &may_meet), "{count} {edges:?}");
            *if answer { &mut yes } else { &mut no } += 1;
        }
        assert!(yes > 300 && no > 300, "{yes} {no}");
    }

    #[test]
    fn odd_numbers_and_nobody() {
        assert!(can_all_be_paired(&[], &|_, _| false));
        assert!(!can_all_be_paired(&[4], &|_, _| true));
        assert!(!can_all_be_paired(&[1, 2, 3], &|_, _| true));
    }
}
