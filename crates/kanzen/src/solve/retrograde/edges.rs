//! Where parents come from.

use super::Graph;
use super::class_work::ClassWork;
use super::parents::{ParentCounts, ParentLists};
use crate::machine::AtomicWords;
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
    pub fn are_to_be_stored(work: &ClassWork<'a, G>) -> bool {
        let ClassWork { graph, class, .. } = *work;
        graph.stays(class) && graph.slots(class) > 0 && !graph.parents(class, 0, &mut Vec::new())
    }

    /// Asks the graph, or turns its moves round if it cannot tell; the first look may have counted them.
    pub fn of(
        work: &ClassWork<'a, G>,
        states: &AtomicWords,
        finished: Option<u64>,
        counts: Option<ParentCounts>,
    ) -> Result<Self, Error> {
        if !Edges::are_to_be_stored(work) {
            return Ok(Edges::Told { graph: work.graph, class: work.class });
        }
        Ok(Edges::Stored(ParentLists::build(work, states, finished, counts)?))
    }

    /// Visits the parents of some slots.
    pub fn parents_of(&self, slots: &[u64], mut visit: impl FnMut(u64)) {
        match self {
            Edges::Told { graph, class } => graph.parents_of(*class, slots, visit),
            Edges::Stored(lists) => slots.iter().for_each(|&slot| lists.parents(slot).for_each(&mut visit)),
        }
    }
}
