//! One thread of a search: negamax with a null window.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::table::{Bounds, Table};
use super::{Child, Expansion, Tree};

/// Positions after which a thread adds its count to the common one.
const REPORT: u64 = 1 << 16;
/// Plies below which a subtree is too small to keep other threads away from.
const SHARED_PLIES: u32 = 12;

/// What all threads of a proof share.
pub(super) struct Shared<'a, T: Tree> {
    pub tree: &'a T,
    pub table: &'a Table,
    pub busy: &'a Busy,
    pub positions: &'a AtomicU64,
    pub stop: &'a AtomicBool,
    pub threads: usize,
}

pub(super) struct Worker<'a, T: Tree> {
    shared: &'a Shared<'a, T>,
    /// Lists of children, one for each depth in use.
    spare: Vec<Vec<Child<T::Node>>>,
    listed: Vec<T::Node>,
    positions: u64,
    reported: u64,
}

impl<'a, T: Tree> Worker<'a, T> {
    pub fn new(shared: &'a Shared<'a, T>) -> Worker<'a, T> {
        Worker { shared, spare: Vec::new(), listed: Vec::new(), positions: 0, reported: 0 }
    }

    /// A bound of the node's score that decides whether it is more than `window`; nothing if the search is stopped.
    pub fn prove(&mut self, node: T::Node, window: i32) -> Option<i32> {
        self.prove_child(Child::new(self.shared.tree, node), window)
    }

    fn prove_child(&mut self, child: Child<T::Node>, window: i32) -> Option<i32> {
        if self.shared.tree.is_leaf(child.node) {
            let (score, positions) = self.shared.tree.leaf(child.node, window);
            self.positions += positions;
            return Some(score);
        }
        self.report();
        if self.shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        let before = self.positions;
        self.positions += 1;
        let limit = self.shared.tree.limit();
        let known = self.shared.table.get_hashed(child.key, child.hash);
        let bounds = known.map_or(Bounds { lower: -limit, upper: limit }, |known| known.bounds);
        if bounds.lower > window {
            return Some(bounds.lower);
        }
        if bounds.upper <= window {
            return Some(bounds.upper);
        }
        if let Some(upper) = self.shared.tree.at_most(child.node, window) {
            return Some(upper);
        }
        self.listed.clear();
        let (score, best) = match self.shared.tree.expand(child.node, &mut self.listed) {
            Expansion::Known(score) => (score, 0),
            Expansion::Forced(next) => (-self.prove(next, -window - 1)?, 0),
            Expansion::Children => {
                let mut children = self.keyed();
                let found = self.best_of(child.node, &mut children, known.map(|known| known.best), window);
                self.spare.push(children);
                found?
            }
        };
        let bounds = match score > window {
            true => Bounds { lower: score, upper: bounds.upper },
            false => Bounds { lower: bounds.lower, upper: score },
        };
        self.shared.table.put(child.key, bounds, best, self.positions - before);
        Some(score)
    }

    /// The children just listed, with their keys; the table's lines of them are on their way.
    fn keyed(&mut self) -> Vec<Child<T::Node>> {
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        for &node in &self.listed {
            let child = Child::new(self.shared.tree, node);
            if !self.shared.tree.is_leaf(node) {
                self.shared.table.prefetch(child.hash);
            }
            children.push(child);
        }
        children
    }

    /// The best score of the children (or one above the window), and the mark of the child that has it.
    fn best_of(
        &mut self,
        node: T::Node,
        children: &mut Vec<Child<T::Node>>,
        mark: Option<u8>,
        window: i32,
    ) -> Option<(i32, u8)> {
        let mut best = (-self.shared.tree.limit() - 1, 0);
        if let Some(cut) = self.look_up(children, window, &mut best) {
            return Some(cut);
        }
        // The child that was best before goes first. Most often it is again, and the others need no ranks.
        let again = mark.and_then(|mark| children.iter().position(|child| child.mark() == mark));
        match again {
            Some(at) => children.swap(0, at),
            None => self.sort(node, children),
        }
        let shares =
            |child: &Child<T::Node>| self.shared.threads > 1 && self.shared.tree.plies(child.node) >= SHARED_PLIES;
        let sharing = children.first().is_some_and(shares);
        let mut put_off = 0;
        for round in 0..2 {
            let count = if round == 0 { children.len() } else { put_off };
            for at in 0..count {
                if round == 0 && at == 1 && again.is_some() {
                    self.sort(node, &mut children[1..]);
                }
                let child = children[at];
                if sharing && round == 0 && at > 0 && self.shared.busy.taken(child.hash) {
                    children[put_off] = child;
                    put_off += 1;
                    continue;
                }
                let score = match sharing {
                    true => {
                        self.shared.busy.take(child.hash);
                        let score = self.prove_child(child, -window - 1);
                        self.shared.busy.leave(child.hash);
                        -score?
                    }
                    false => -self.prove_child(child, -window - 1)?,
                };
                if score > best.0 {
                    best = (score, child.mark());
                    if score > window {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }

    /// Looks up all children: one may be good enough already, others are known to be too bad and go.
    fn look_up(&self, children: &mut Vec<Child<T::Node>>, window: i32, best: &mut (i32, u8)) -> Option<(i32, u8)> {
        let mut cut = None;
        children.retain(|child| {
            if self.shared.tree.is_leaf(child.node) {
                return true;
            }
            let Some(known) = self.shared.table.get_hashed(child.key, child.hash) else { return true };
            if -known.bounds.upper > window {
                cut = Some((-known.bounds.upper, child.mark()));
            }
            if -known.bounds.lower <= window {
                *best = (*best).max((-known.bounds.lower, child.mark()));
                return false;
            }
            true
        });
        cut
    }

    fn sort(&self, node: T::Node, children: &mut [Child<T::Node>]) {
        if children.len() > 1 {
            self.shared.tree.rank(node, children);
            children.sort_unstable_by_key(|child| child.rank);
        }
    }

    fn report(&mut self) {
        if self.positions - self.reported >= REPORT {
            self.shared.positions.fetch_add(self.positions - self.reported, Ordering::Relaxed);
            self.reported = self.positions;
        }
    }
}

impl<T: Tree> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        self.shared.positions.fetch_add(self.positions - self.reported, Ordering::Relaxed);
    }
}

const SLOTS: usize = 1 << 12;

/// Marks on positions that a thread is searching, so that other threads search elsewhere first.
///
/// After ABDADA (Weill 1996) in the simple form of Kerrigan: a child under work elsewhere is put off to a second
/// round. By then it is most often in the table. Marks are hints: a lost or wrong one costs time, never a result.
pub struct Busy {
    slots: Box<[AtomicU64]>,
}

impl Default for Busy {
    fn default() -> Busy {
        Busy { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Busy {
    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[hash as usize % SLOTS]
    }

    /// Whether a thread works on the position with this hash.
    pub fn taken(&self, hash: u64) -> bool {
        self.slot(hash).load(Ordering::Relaxed) == hash
    }

    /// Marks a position as searched by some thread.
    pub fn take(&self, hash: u64) {
        self.slot(hash).store(hash, Ordering::Relaxed);
    }

    /// Takes the mark away.
    pub fn leave(&self, hash: u64) {
        // Another position's mark in the same slot stays.
        let _ = self.slot(hash).compare_exchange(hash, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
