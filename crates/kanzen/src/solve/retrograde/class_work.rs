//! One class on the workbench.

use super::{Earlier, Graph, Node};
use crate::solve::Job;
use crate::vocabulary::Error;

/// What is needed to work on a class.
pub struct ClassWork<'a, G> {
    /// The positions and their moves.
    pub graph: &'a G,
    /// Which class.
    pub class: usize,
    /// The earlier classes it needs.
    pub earlier: &'a Earlier,
    /// The solve it is part of.
    pub job: &'a Job<'a>,
}

impl<G: Graph> ClassWork<'_, G> {
    /// The name of the class.
    pub fn name(&self) -> String {
        self.graph.name(self.class)
    }

    /// How many slots the class has.
    pub fn slots(&self) -> u64 {
        self.graph.slots(self.class)
    }

    /// Looks up the moves of a slot.
    pub fn expand(&self, slot: u64, node: &mut Node) {
        node.clear();
        self.graph.expand(self.class, slot, self.earlier, node);
    }

    /// A stage of the work begins; `part` is empty for the main one.
    pub fn stage(&self, part: &str, total: u64) {
        let name = if part.is_empty() { self.name() } else { format!("{}, {part}", self.name()) };
        self.job.stage(&name, Some(total));
    }

    /// Some steps of the stage are done. An error if the work is asked to stop.
    pub fn steps(&self, steps: u64) -> Result<(), Error> {
        self.job.steps(steps)
    }
}
