//! The context of one class while it is solved.

use super::earlier::{Earlier, EarlierClasses};
use super::{Graph, Node};
use crate::Job;
use crate::mesh::{Mesh, RoundRobin, Share};
use kanzen_core::vocabulary::Error;

/// What solving a class needs: the graph, earlier values, the job and the processes.
pub struct ClassContext<'a, G, S> {
    /// The positions and their moves.
    pub graph: &'a G,
    /// Which class.
    pub class: usize,
    /// The earlier classes it needs.
    pub earlier: &'a EarlierClasses,
    /// The solve it is part of.
    pub job: &'a Job<'a>,
    /// Which slots are here.
    pub share: S,
    /// The processes that have the others.
    pub mesh: &'a dyn Mesh,
}

impl<G: Graph, S: Share> ClassContext<'_, G, S> {
    /// The name of the class.
    pub fn name(&self) -> String {
        self.graph.name(self.class)
    }

    /// How many slots the class has.
    pub fn slots(&self) -> u64 {
        self.graph.slots(self.class)
    }

    /// How many of them are here.
    pub fn here(&self) -> u64 {
        self.share.here(self.slots())
    }

    /// How processes speak of slots of this class that only their owners may be able to number.
    pub fn names(&self) -> Names {
        match self.graph.name_bytes() {
            Some(width) => Names { width, of_graph: true },
            None => self.numbers(),
        }
    }

    /// How they speak of slots whose numbers they know: by those that the owner has for them.
    pub fn numbers(&self) -> Names {
        Names { width: self.share.width(self.slots()), of_graph: false }
    }

    /// Looks up the moves of a slot that is here.
    pub fn expand(&self, here: u64, earlier: &Earlier, node: &mut Node) {
        node.clear();
        self.graph.expand(self.class, self.share.global(here), earlier, node);
    }

    /// The earlier classes for callers that need where moves lead, not the values.
    pub fn earlier_unasked(&self) -> Earlier {
        if S::WHOLE { self.earlier.view() } else { self.earlier.unasked(RoundRobin::of(self.mesh)) }
    }

    /// Visits the slots that another process names, by their place among those here.
    pub fn visit_names(&self, names: Names, bytes: &[u8], mut visit: impl FnMut(usize, Option<u64>)) {
        if !names.of_graph && names.width == 4 {
            let each = bytes.as_chunks().0.iter().map(|name| u32::from_le_bytes(*name));
            return each.enumerate().for_each(|(at, name)| visit(at, Some(name.into())));
        }
        let each = bytes.chunks_exact(names.width).map(wide);
        if names.of_graph {
            let names: Vec<u128> = each.collect();
            self.graph.slots_by_name(self.class, &names, |at, slot| visit(at, slot.map(|slot| self.share.local(slot))));
        } else {
            each.enumerate().for_each(|(at, name)| visit(at, Some(name as u64)));
        }
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

/// How processes speak of slots: in so many bytes, by names of the graph or by numbers.
#[derive(Clone, Copy)]
pub struct Names {
    pub width: usize,
    pub of_graph: bool,
}

/// The number of a few bytes, the least first.
#[inline]
pub fn wide(bytes: &[u8]) -> u128 {
    // Nearly always: a slot's number.
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return u32::from_le_bytes(four).into();
    }
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}
