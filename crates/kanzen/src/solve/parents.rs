//! All edges of a class turned round, for games that cannot tell their un-moves.
//!
//! Two passes over the moves: the first counts the parents of each slot, the second writes them down. A parent that no
//! notice can change any more (a finished game, a win at the first opportunity) is left out: in many games that is most
//! of them.
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

use super::job::Job;
use super::prefetch::prefetch;
use super::state::State;
use super::words::Words;
use super::{Graph, Node, SolveError};
use crate::store::StoreError;

const SLOTS_PER_BASE: usize = 4096;
const EDGES_PER_BATCH: usize = 4096;

/// The parents of every slot of a class.
pub struct ParentLists {
    base: Vec<u64>,
    end: Words,
    list: Words,
}

impl ParentLists {
    /// Reads the moves of a class and turns them round. Levels up to `finished` are settled in `states`.
    pub fn build<G: Graph>(job: &Job<'_, G>, states: &Words, finished: Option<u64>) -> Result<Self, SolveError> {
        let next_notice = finished.map_or(1, |level| level as u32 + 2);
        let keeps = |slot: u64| !State::load(&states[slot as usize]).is_final_before(next_notice);
        let slots = job.slots();
        if slots >= u64::from(u32::MAX) {
            let name = job.name();
            return Err(SolveError::Rules(format!("{name} has {slots} slots: too many to store parents of")));
        }
        job.stage("parents", 2 * slots);
        let end = words(slots as usize)?;
        each_edge(job, &end, &keeps, &|_, child| {
            end[child as usize].fetch_add(1, Relaxed);
        })?;
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
        let what = format!("storing {edges} edges of {}", job.name());
        job.budget.allows(&what, super::forecast_class(job.graph, job.class) + 4 * slots + 4 * edges)?;
        let list = words(edges as usize)?;
        each_edge(job, &end, &keeps, &|parent, child| {
            let place = end[child as usize].fetch_add(1, Relaxed);
            list[(base[child as usize / SLOTS_PER_BASE] + u64::from(place)) as usize].store(parent as u32, Relaxed);
        })?;
        Ok(ParentLists { base, end, list })
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

fn words(len: usize) -> Result<Words, SolveError> {
    Words::zeroed(len).map_err(|source| {
        StoreError::Io { action: "reserve memory for", path: "the stored parents".into(), source }.into()
    })
}

/// Calls `edge(parent, child)` once for each edge from a parent that `keeps` its moves, on all threads, with the child's word on its way to the cache.
fn each_edge<G: Graph>(
    job: &Job<'_, G>,
    touched: &Words,
    keeps: &(impl Fn(u64) -> bool + Sync),
    edge: &(impl Fn(u64, u64) + Sync),
) -> Result<(), SolveError> {
    let slots = job.slots();
    let chunks = slots.div_ceil(SLOTS_PER_BASE as u64);
    (0..chunks).into_par_iter().try_for_each_init(
        || (Node::default(), Vec::with_capacity(2 * EDGES_PER_BATCH)),
        |(node, batch): &mut (Node, Vec<(u64, u64)>), chunk| {
            let first = chunk * SLOTS_PER_BASE as u64;
            let last = (first + SLOTS_PER_BASE as u64).min(slots);
            for slot in (first..last).filter(|&slot| keeps(slot)) {
                job.expand(slot, node);
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
            job.steps(last - first)
        },
    )
}
