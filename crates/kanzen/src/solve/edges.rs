//! Where parents come from.

use super::job::Job;
use super::parents::ParentLists;
use super::words::Words;
use super::{Graph, SolveError};

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
    /// Asks the graph, and turns its moves round if it cannot tell.
    pub fn of(job: &Job<'a, G>, states: &Words, finished: Option<u64>) -> Result<Self, SolveError> {
        let Job { graph, class, .. } = *job;
        if graph.slots(class) == 0 || graph.parents(class, 0, &mut Vec::new()) {
            return Ok(Edges::Told { graph, class });
        }
        Ok(Edges::Stored(ParentLists::build(job, states, finished)?))
    }

    /// Visits the parents of some slots.
    pub fn parents_of(&self, slots: &[u64], mut visit: impl FnMut(u64)) {
        match self {
            Edges::Told { graph, class } => graph.parents_of(*class, slots, visit),
            Edges::Stored(lists) => slots.iter().for_each(|&slot| lists.parents(slot).for_each(&mut visit)),
        }
    }
}
