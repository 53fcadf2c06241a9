//! Where parents come from.

use super::Graph;
use super::class_work::{ClassWork, Names, wide};
use super::parents::{ParentCounts, ParentLists};
use crate::mesh::{Dealt, Share};
use kanzen_core::machine::AtomicWords;
use kanzen_core::vocabulary::Error;

/// Processes that a settled slot is sent to, at most, instead of its parents: each has to look for all of them.
const MOST_OWNERS: usize = 3;

/// Whom a notice to another process names.
#[derive(Clone, Copy)]
pub enum Named {
    /// A parent, by the name that the receiver knows it by.
    Parent(u128),
    /// The settled slot itself, by its number with the sender: the receiver looks for those of its parents that it has.
    Child(u64),
}

/// The parents of each slot: told by the graph itself or lists made from its moves.
pub enum Edges<'a, G> {
    /// The graph tells them.
    Told {
        /// By this graph.
        graph: &'a G,
        /// For this class.
        class: usize,
    },
    /// They are stored.
    Stored(ParentLists),
}

impl<'a, G: Graph> Edges<'a, G> {
    /// Whether the graph cannot tell parents, so that they are stored.
    pub fn are_to_be_stored<S: Share>(work: &ClassWork<'a, G, S>) -> bool {
        let ClassWork { graph, class, .. } = *work;
        graph.stays(class) && graph.slots(class) > 0 && !graph.tells_parents(class)
    }

    /// Asks the graph, or turns its moves round if it cannot tell; the first look may have counted them.
    pub fn of<S: Share>(
        work: &ClassWork<'a, G, S>,
        states: &AtomicWords,
        finished: Option<u64>,
        counts: Option<ParentCounts>,
    ) -> Result<Self, Error> {
        if !Edges::are_to_be_stored(work) {
            return Ok(Edges::Told { graph: work.graph, class: work.class });
        }
        Ok(Edges::Stored(ParentLists::build(work, states, finished, counts)?))
    }

    /// How parents are spoken of that other processes have.
    pub fn names<S: Share>(&self, work: &ClassWork<'_, G, S>) -> Names {
        match self {
            Edges::Told { .. } => work.names(),
            Edges::Stored(_) => work.numbers(),
        }
    }

    /// Visits the parents of some slots, where all are here.
    pub fn parents_of(&self, slots: &[u64], mut visit: impl FnMut(u64)) {
        match self {
            Edges::Told { graph, class } => graph.parents_of(*class, slots, visit),
            Edges::Stored(lists) => slots.iter().for_each(|&slot| lists.parents(slot).for_each(&mut visit)),
        }
    }

    /// Visits the parents of some slots that are here: those that are here too by their numbers here, others by their
    /// owners. Where these are few for all parents of a slot, they hear of the slot instead.
    pub fn shared_parents_of(
        &self,
        share: impl Share,
        me: usize,
        slots: &[u64],
        mut here: impl FnMut(u64),
        mut there: impl FnMut(usize, Named),
    ) {
        let (graph, class) = match self {
            Edges::Told { graph, class } => (graph, *class),
            Edges::Stored(lists) => {
                let mut visit = one_by_one(share, me, here, there);
                return slots.iter().for_each(|&slot| lists.parents(slot).for_each(&mut visit));
            }
        };
        let mut slots: Vec<u64> = slots.iter().map(|&slot| share.global(slot)).collect();
        if graph.name_bytes().is_some() {
            let there = |owner, name| there(owner, Named::Parent(name));
            return graph.parents_by_name(class, &slots, |parent| here(share.local(parent)), there);
        }
        let (mut close, mut scattered) = (Vec::with_capacity(slots.len()), Vec::new());
        let told = graph.parents_within(class, &slots, |slot, stretch| {
            let few = share.owners(stretch, MOST_OWNERS, |owner| match owner == me {
                true => close.push(slot),
                false => there(owner, Named::Child(share.local(slot))),
            });
            if !few {
                scattered.push(slot);
            }
        });
        if told {
            graph.parents_of(class, &close, only_here(share, me, &mut here));
            slots = scattered;
        }
        if !slots.is_empty() {
            graph.parents_of(class, &slots, one_by_one(share, me, here, there));
        }
    }

    /// Visits those parents that are here of slots that another process has and has sent: see [`Named::Child`]. `false`
    /// if they are no such slots.
    pub fn parents_of_others<S: Share>(
        &self,
        work: &ClassWork<'_, G, S>,
        owner: usize,
        children: &[u8],
        here: impl FnMut(u64),
    ) -> bool {
        let Edges::Told { graph, class } = self else { return false };
        let share = Dealt::of(work.mesh);
        let (theirs, slots) = (share.at(owner), work.slots());
        let children = children.chunks_exact(work.numbers().width).map(|child| theirs.global(wide(child) as u64));
        let children: Vec<u64> = children.collect();
        let sound = children.iter().all(|&child| child < slots);
        if sound {
            graph.parents_of(*class, &children, only_here(share, share.me, here));
        }
        sound
    }
}

/// Passes on those slots that are here.
fn only_here(share: impl Share, me: usize, mut here: impl FnMut(u64)) -> impl FnMut(u64) {
    let places = share.places();
    move |slot| {
        let (owner, local) = places(slot);
        if owner == me {
            here(local);
        }
    }
}

/// Passes on slots that are here, and others to their owners.
fn one_by_one(
    share: impl Share,
    me: usize,
    mut here: impl FnMut(u64),
    mut there: impl FnMut(usize, Named),
) -> impl FnMut(u64) {
    let places = share.places();
    move |parent| match places(parent) {
        (owner, local) if owner == me => here(local),
        (owner, local) => there(owner, Named::Parent(local.into())),
    }
}
