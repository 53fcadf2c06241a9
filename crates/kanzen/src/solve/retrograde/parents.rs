//! All edges of a class turned round, for games that cannot tell their un-moves.
//!
//! The first look at all moves has counted the parents of each slot (after a checkpoint they are counted again); a second
//! pass writes them down. A parent that no notice can change any more (a finished game, a win at the first opportunity)
//! is left out: in many games that is most of them.
//!
//! ```text
//!   base   [ one offset per 4096 slots                    ]   8 bytes
//!   end    [ where each slot's list ends, from its base   ]   4 bytes a slot
//!   list   [ parents of slot 0 | of slot 1 | ...          ]   4 bytes an edge
//! ```
//!
//! While the lists are filled, `end` is each list's cursor; when all are full it has become what its name says.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::class_work::ClassWork;
use super::state::State;
use super::{Graph, Node};
use crate::machine::{AtomicWords, prefetch};
use crate::vocabulary::{Error, Reservation};

const SLOTS_PER_BASE: usize = 4096;
const EDGES_PER_BATCH: usize = 4096;
/// The level of the first notices: what is due by then is settled by what it knows itself.
pub const FIRST_NOTICE: u32 = 1;

/// The parents of every slot of a class.
pub struct ParentLists {
    base: Vec<u64>,
    end: AtomicWords,
    list: AtomicWords,
    _memory: Reservation,
}

/// How many parents each slot has, of those that are stored.
pub struct ParentCounts {
    counts: AtomicWords,
    memory: Reservation,
}

impl ParentCounts {
    /// None yet.
    pub fn new<G: Graph>(work: &ClassWork<'_, G>) -> Result<ParentCounts, Error> {
        let slots = work.slots();
        if slots >= u64::from(u32::MAX) {
            let name = work.name();
            return Err(Error::Rules(format!("{name} has {slots} slots: too many to store parents of")));
        }
        let what = format!("the parents of {}", work.name());
        let memory = work.job.reserve(&what, 4 * slots)?;
        Ok(ParentCounts { counts: AtomicWords::zeroed(&what, slots as usize)?, memory })
    }

    /// These slots have a parent more.
    pub fn add(&self, children: &[u64]) {
        children.iter().for_each(|&child| prefetch(&self.counts[child as usize]));
        for &child in children {
            self.counts[child as usize].fetch_add(1, Relaxed);
        }
    }
}

impl ParentLists {
    /// Reads the moves of a class and turns them round. Levels up to `finished` are settled in `states`; unless there
    /// are any, the first look has counted parents already.
    pub fn build<G: Graph>(
        work: &ClassWork<'_, G>,
        states: &AtomicWords,
        finished: Option<u64>,
        counts: Option<ParentCounts>,
    ) -> Result<Self, Error> {
        let next_notice = finished.map_or(FIRST_NOTICE, |level| level as u32 + 2);
        let keeps = |slot: u64| !State::load(&states[slot as usize]).is_final_before(next_notice);
        let slots = work.slots();
        work.stage("parents", if counts.is_some() { slots } else { 2 * slots });
        let counts = match counts {
            Some(counts) => counts,
            None => {
                let counts = ParentCounts::new(work)?;
                each_edge(work, &counts.counts, &keeps, &|_, child| {
                    counts.counts[child as usize].fetch_add(1, Relaxed);
                })?;
                counts
            }
        };
        let ParentCounts { counts: end, mut memory } = counts;
        let mut base = Vec::with_capacity(slots as usize / SLOTS_PER_BASE + 2);
        let mut edges = 0u64;
        for chunk in end.chunks(SLOTS_PER_BASE) {
            base.push(edges);
            let mut start = 0u32;
            for cursor in chunk {
                start += cursor.swap(start, Relaxed);
            }
            edges += u64::from(start);
        }
        let what = format!("storing {edges} edges of {}", work.name());
        memory.resize(&what, 4 * slots + 4 * edges)?;
        let list = AtomicWords::zeroed(&what, edges as usize)?;
        each_edge(work, &end, &keeps, &|parent, child| {
            let place = end[child as usize].fetch_add(1, Relaxed);
            list[(base[child as usize / SLOTS_PER_BASE] + u64::from(place)) as usize].store(parent as u32, Relaxed);
        })?;
        Ok(ParentLists { base, end, list, _memory: memory })
    }

    /// The parents of a slot.
    pub fn parents(&self, slot: u64) -> impl Iterator<Item = u64> {
        let slot = slot as usize;
        let base = self.base[slot / SLOTS_PER_BASE];
        let start = if slot.is_multiple_of(SLOTS_PER_BASE) { 0 } else { self.end[slot - 1].load(Relaxed) };
        let range = (base + u64::from(start)) as usize..(base + u64::from(self.end[slot].load(Relaxed))) as usize;
        self.list[range].iter().map(|parent| u64::from(parent.load(Relaxed)))
    }
}

/// Calls `edge(parent, child)` once for each edge from a parent that `keeps` its moves, on all threads, with the child's word on its way to the cache.
fn each_edge<G: Graph>(
    work: &ClassWork<'_, G>,
    touched: &AtomicWords,
    keeps: &(impl Fn(u64) -> bool + Sync),
    edge: &(impl Fn(u64, u64) + Sync),
) -> Result<(), Error> {
    let slots = work.slots();
    let chunks = slots.div_ceil(SLOTS_PER_BASE as u64);
    (0..chunks).into_par_iter().try_for_each_init(
        || (Node::default(), Vec::with_capacity(2 * EDGES_PER_BATCH)),
        |(node, batch): &mut (Node, Vec<(u64, u64)>), chunk| {
            let first = chunk * SLOTS_PER_BASE as u64;
            let last = (first + SLOTS_PER_BASE as u64).min(slots);
            for slot in (first..last).filter(|&slot| keeps(slot)) {
                work.expand(slot, node);
                if node.ended.is_none() {
                    for &child in node.distinct_here() {
                        prefetch(&touched[child as usize]);
                        batch.push((slot, child));
                    }
                }
                if batch.len() >= EDGES_PER_BATCH {
                    batch.drain(..).for_each(|(parent, child)| edge(parent, child));
                }
            }
            batch.drain(..).for_each(|(parent, child)| edge(parent, child));
            work.steps(last - first)
        },
    )
}
