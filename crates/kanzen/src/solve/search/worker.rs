//! One thread of a search: negamax with a window of no width.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::busy::Busy;
use super::table::{Bounds, Table, hash};
use super::tree::{Child, Expansion, Tree};

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
    local: T::Local,
    /// Lists of children, one for each depth in use.
    spare: Vec<Vec<Ranked<T::Node>>>,
    listed: Vec<Child<T::Node>>,
    positions: u64,
    reported: u64,
}

#[derive(Clone, Copy)]
struct Ranked<N> {
    node: N,
    rank: i32,
    key: u128,
    hash: u64,
}

impl<'a, T: Tree> Worker<'a, T> {
    pub fn new(shared: &'a Shared<'a, T>) -> Worker<'a, T> {
        let local = shared.tree.local();
        Worker { shared, local, spare: Vec::new(), listed: Vec::new(), positions: 0, reported: 0 }
    }

    /// A bound of the node's score that tells whether it is more than `window`; nothing if told to stop.
    pub fn prove(&mut self, node: T::Node, window: i32) -> Option<i32> {
        if let Some((score, positions)) = self.shared.tree.leaf(&mut self.local, node, window) {
            self.positions += positions;
            return Some(score);
        }
        let key = self.shared.tree.key(node);
        self.prove_keyed(node, key, hash(key), window)
    }

    fn prove_keyed(&mut self, node: T::Node, key: u128, hashed: u64, window: i32) -> Option<i32> {
        self.report();
        if self.shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        let before = self.positions;
        self.positions += 1;
        let limit = self.shared.tree.limit();
        let known = self.shared.table.get_hashed(key, hashed);
        let bounds = known.map_or(Bounds { lower: -limit, upper: limit }, |known| known.bounds);
        if bounds.lower > window {
            return Some(bounds.lower);
        }
        if bounds.upper <= window {
            return Some(bounds.upper);
        }
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let expansion = self.shared.tree.expand(&mut self.local, node, window, &mut listed);
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        for child in &listed {
            let key = self.shared.tree.key(child.node);
            let hash = hash(key);
            self.shared.table.prefetch(hash);
            children.push(Ranked { node: child.node, rank: child.rank, key, hash });
        }
        self.listed = listed;
        let score = match expansion {
            Expansion::Known(score) => Some((score, 0)),
            Expansion::Forced(child) => self.prove(child, -window - 1).map(|score| (-score, 0)),
            Expansion::Children => self.best_of(&mut children, known.map(|known| known.best), window),
        };
        self.spare.push(children);
        let (score, best) = score?;
        let bounds = match score > window {
            true => Bounds { lower: score, upper: bounds.upper },
            false => Bounds { lower: bounds.lower, upper: score },
        };
        self.shared.table.put(key, bounds, best, self.positions - before);
        Some(score)
    }

    /// The best score of the children (or one above the window), and the mark of the child that has it.
    fn best_of(&mut self, children: &mut Vec<Ranked<T::Node>>, mark: Option<u8>, window: i32) -> Option<(i32, u8)> {
        let table = self.shared.table;
        let mut best = (-self.shared.tree.limit() - 1, 0);
        // Look up all children first: one may be good enough already, others are known to be too bad.
        let mut cut = None;
        children.retain_mut(|child| {
            if let Some(known) = table.get_hashed(child.key, child.hash) {
                if -known.bounds.upper > window {
                    cut = Some((-known.bounds.upper, child.hash as u8));
                }
                if -known.bounds.lower <= window {
                    best = best.max((-known.bounds.lower, child.hash as u8));
                    return false;
                }
            }
            if mark == Some(child.hash as u8) {
                child.rank = i32::MIN;
            }
            true
        });
        if cut.is_some() {
            return cut;
        }
        children.sort_unstable_by_key(|child| child.rank);
        let shares =
            |child: &Ranked<T::Node>| self.shared.threads > 1 && self.shared.tree.plies(child.node) >= SHARED_PLIES;
        let sharing = children.first().is_some_and(shares);
        let mut put_off = 0;
        for round in 0..2 {
            let count = if round == 0 { children.len() } else { put_off };
            for at in 0..count {
                let child = children[at];
                if sharing && round == 0 && at > 0 && self.shared.busy.taken(child.hash) {
                    children[put_off] = child;
                    put_off += 1;
                    continue;
                }
                let score = match sharing {
                    true => {
                        self.shared.busy.take(child.hash);
                        let score = self.prove_child(child, window);
                        self.shared.busy.leave(child.hash);
                        -score?
                    }
                    false => -self.prove_child(child, window)?,
                };
                if score > best.0 {
                    best = (score, child.hash as u8);
                    if score > window {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }

    fn prove_child(&mut self, child: Ranked<T::Node>, window: i32) -> Option<i32> {
        match self.shared.tree.leaf(&mut self.local, child.node, -window - 1) {
            Some((score, positions)) => {
                self.positions += positions;
                Some(score)
            }
            None => self.prove_keyed(child.node, child.key, child.hash, -window - 1),
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
