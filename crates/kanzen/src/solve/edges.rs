//! Where parents come from.

use super::parents::ParentLists;
use super::words::Words;
use super::{Earlier, Graph, SolveError};
use crate::Budget;

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
    pub fn of(
        graph: &'a G,
        class: usize,
        earlier: &Earlier,
        states: &Words,
        finished: Option<u64>,
        budget: &Budget,
    ) -> Result<Self, SolveError> {
        if graph.slots(class) == 0 || graph.parents(class, 0, &mut Vec::new()) {
            return Ok(Edges::Told { graph, class });
        }
        Ok(Edges::Stored(ParentLists::build(graph, class, earlier, states, finished, budget)?))
    }

    /// Adds the parents of a slot to `parents`.
    pub fn parents(&self, slot: u64, parents: &mut Vec<u64>) {
        match self {
            Edges::Told { graph, class } => {
                graph.parents(*class, slot, parents);
            }
            Edges::Stored(lists) => lists.parents(slot, parents),
        }
    }
}
