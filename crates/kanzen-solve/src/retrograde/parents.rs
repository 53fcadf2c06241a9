//! Inverts all edges of a class, for games without un-moves.
//!
//! The initial pass has counted the parents of each slot (after a checkpoint they are counted again); a second
//! pass writes them down. A parent that no notice can change any more (a finished game, a win at the first opportunity)
//! is left out: in many games that is most of them.
//!
//! ```text
//!   base   [ one offset per 4096 slots                    ]   8 bytes
//!   end    [ where each slot's list ends, from its base   ]   4 bytes a slot
//!   list   [ parents of slot 0 | of slot 1 | ...          ]   4 bytes an edge
//! ```
//!
//! While the lists are filled, `end` is each list's cursor; when all are full it is the end of the list.

use std::sync::atomic::Ordering::Relaxed;

use super::class_context::{ClassContext, wide};
use super::state::State;
use super::{Graph, Node};
use crate::mesh::{Outboxes, Parcel, Round, Share, garbled};
use kanzen_core::machine::{AtomicWords, parallel, prefetch};
use kanzen_core::vocabulary::{Error, Reservation};

const SLOTS_PER_BASE: usize = 4096;
const EDGES_PER_BATCH: usize = 4096;
/// The level of the first notices: what is due by then is settled without notices.
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
    pub fn new<G: Graph, S: Share>(work: &ClassContext<'_, G, S>) -> Result<ParentCounts, Error> {
        let slots = work.slots();
        if slots >= u64::from(u32::MAX) {
            let name = work.name();
            return Err(Error::Rules(format!("{name} has {slots} slots: too many to store parents of")));
        }
        let what = format!("the parents of {}", work.name());
        let here = work.here();
        let memory = work.job.reserve(&what, 4 * here)?;
        Ok(ParentCounts { counts: AtomicWords::zeroed(&what, here as usize)?, memory })
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
    /// Reads the moves of a class and inverts them. Levels up to `finished` are settled in `states`; unless there
    /// are any, the initial pass has counted parents already.
    pub fn build<G: Graph, S: Share>(
        work: &ClassContext<'_, G, S>,
        states: &AtomicWords,
        finished: Option<u64>,
        counts: Option<ParentCounts>,
    ) -> Result<Self, Error> {
        let next_notice = finished.map_or(FIRST_NOTICE, |level| level as u32 + 2);
        let keeps = |slot: u64| !State::load(&states[slot as usize]).is_final_before(next_notice);
        let slots = work.here();
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

/// Calls `edge(parent, child)` once for each edge from a parent that `keeps` its moves to a child that is here, on all
/// threads, with the child's word on its way to the cache. The parent is a slot of the class, the child one of those here.
fn each_edge<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    touched: &AtomicWords,
    keeps: &(impl Fn(u64) -> bool + Sync),
    edge: &(impl Fn(u64, u64) + Sync),
) -> Result<(), Error> {
    let (width, me) = (work.names().width, work.mesh.me());
    let take = |parcel: Parcel| edges_from_others(work, &parcel.bytes[1..], touched.len() as u64, edge);
    let round = Round::new(work.mesh, &take);
    let outboxes = Outboxes::new(if S::WHOLE { 0 } else { work.mesh.peers() }, 1);
    let slots = work.here();
    let chunks = slots.div_ceil(SLOTS_PER_BASE as u64);
    let done = parallel::try_for_each(chunks as usize, &|chunk| {
        let (mut node, earlier) = (Node::default(), work.earlier_unasked());
        let mut batch: Vec<(u64, u64)> = Vec::with_capacity(2 * EDGES_PER_BATCH);
        let first = (chunk * SLOTS_PER_BASE) as u64;
        let last = (first + SLOTS_PER_BASE as u64).min(slots);
        for slot in (first..last).filter(|&slot| keeps(slot)) {
            work.expand(slot, &earlier, &mut node);
            let parent = work.share.global(slot);
            if node.ended.is_none() {
                for &child in node.distinct_here() {
                    if S::WHOLE || work.share.owner(child) == me {
                        let child = work.share.local(child);
                        prefetch(&touched[child as usize]);
                        batch.push((parent, child));
                    } else {
                        let record = record(work.share.local(child).into(), width, parent);
                        outboxes.mine().push(&round, work.share.owner(child), 0, &record[..width + 4]);
                    }
                }
                for &(owner, name) in node.distinct_there() {
                    outboxes.mine().push(&round, owner, 0, &record(name, width, parent)[..width + 4]);
                }
            }
            if batch.len() >= EDGES_PER_BATCH {
                batch.drain(..).for_each(|(parent, child)| edge(parent, child));
            }
        }
        batch.drain(..).for_each(|(parent, child)| edge(parent, child));
        if !S::WHOLE {
            round.take_some();
        }
        work.steps(last - first)
    });
    if S::WHOLE {
        return done;
    }
    round.note(done);
    outboxes.flush(&round);
    round.finish()
}

/// The name of a child and the slot of its parent, as they are sent to the owner of the child.
fn record(name: u128, width: usize, parent: u64) -> [u8; 20] {
    let mut record = [0; 20];
    record[..width].copy_from_slice(&name.to_le_bytes()[..width]);
    record[width..width + 4].copy_from_slice(&(parent as u32).to_le_bytes());
    record
}

/// Calls `edge` for what another process has sent: see [`record`].
fn edges_from_others<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    records: &[u8],
    slots: u64,
    edge: &impl Fn(u64, u64),
) -> Result<(), Error> {
    let width = work.names().width;
    let records = records.chunks_exact(width + 4);
    let names: Vec<u8> = records.clone().flat_map(|record| &record[..width]).copied().collect();
    let parents: Vec<u64> = records.map(|record| wide(&record[width..]) as u64).collect();
    let mut sound = true;
    work.visit_names(work.names(), &names, |at, child| match child.filter(|&child| child < slots) {
        Some(child) => edge(parents[at], child),
        None => sound = false,
    });
    if sound { Ok(()) } else { Err(garbled("a move to a position that is not listed, or something else")) }
}
