//! Where parents come from.

use super::Graph;
use super::class_work::{ClassWork, Names};
use super::parents::{ParentCounts, ParentLists};
use crate::machine::AtomicWords;
use crate::solve::mesh::Share;
use crate::vocabulary::Error;

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
    /// owners and the names that these know them by.
    pub fn shared_parents_of(
        &self,
        share: impl Share,
        me: usize,
        slots: &[u64],
        mut here: impl FnMut(u64),
        mut there: impl FnMut(usize, u128),
    ) {
        let mut visit = |parent: u64| match share.owner(parent) {
            owner if owner == me => here(share.local(parent)),
            owner => there(owner, share.local(parent).into()),
        };
        match self {
            Edges::Told { graph, class } => {
                let slots: Vec<u64> = slots.iter().map(|&slot| share.global(slot)).collect();
                if graph.name_bytes().is_some() {
                    graph.parents_by_name(*class, &slots, |parent| here(share.local(parent)), there);
                } else {
                    graph.parents_of(*class, &slots, visit);
                }
            }
            Edges::Stored(lists) => slots.iter().for_each(|&slot| lists.parents(slot).for_each(&mut visit)),
        }
    }
}
