//! A graph that solves one class alone, against children with random (seeded) values; for the tests and the bench.

use std::ops::Range;

use kanzen::{Error, Value};
use kanzen_solve::retrograde::{Earlier, FoundSlots, Graph, Node, SlotInit};
use kanzen_solve::{Job, WorkFolder, plane_file};

/// The method for the initial pass of the class.
#[derive(Clone, Copy, PartialEq)]
pub enum Method {
    AtOnce,
    Blocks,
    AnyRange,
    Rules,
}

/// The classes up to one, which is initialized by a chosen method.
pub struct SingleClass<'a, G> {
    pub graph: &'a G,
    pub class: usize,
    pub method: Method,
}

impl<G: Graph> Graph for SingleClass<'_, G> {
    fn classes(&self) -> usize {
        self.class + 1
    }
    fn name(&self, class: usize) -> String {
        self.graph.name(class)
    }
    fn slots(&self, class: usize) -> u64 {
        self.graph.slots(class)
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        self.graph.needs(class)
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        self.graph.expand(class, slot, earlier, node);
    }
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.graph.parents(class, slot, parents)
    }
    fn parents_of(&self, class: usize, slots: &[u64], visit: impl FnMut(u64)) {
        self.graph.parents_of(class, slots, visit);
    }
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.graph.endless(class, slot)
    }
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        self.method != Method::Rules && self.graph.init_slots(class, slots, earlier, inits)
    }
    fn init_class(
        &self,
        class: usize,
        earlier: &Earlier,
        job: &Job<'_>,
        found: &FoundSlots<'_>,
    ) -> Result<bool, Error> {
        if self.method == Method::AtOnce { self.graph.init_class(class, earlier, job, found) } else { Ok(false) }
    }
    fn settle_class(&self, class: usize, earlier: &Earlier, job: &Job<'_>, codes: &mut [i16]) -> Result<bool, Error> {
        if self.method == Method::AtOnce { self.graph.settle_class(class, earlier, job, codes) } else { Ok(false) }
    }
    fn together(&self, class: usize) -> u64 {
        if self.method == Method::Blocks { self.graph.together(class) } else { 1 }
    }
    fn stays(&self, class: usize) -> bool {
        self.graph.stays(class)
    }
}

/// Stores random (seeded) values for the classes that one needs: one of every `of` values is a draw, one a loss, the
/// others are wins.
pub fn random_children(graph: &impl Graph, class: usize, of: u64) -> Result<WorkFolder, Error> {
    let random = |slot: u64| {
        let bits = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        match bits % of {
            0 => Value::DRAW,
            1 => Value::loss((bits / of % 32 * 2) as u16),
            _ => Value::win((bits / of % 32 * 2 + 1) as u16),
        }
    };
    let store = WorkFolder::in_memory();
    for other in 0..class {
        let slots = if graph.needs(class).contains(&other) { graph.slots(other) } else { 0 };
        store.put_plane(&plane_file(other), slots, &one_by_one(random), &|_| Ok(()))?;
    }
    Ok(store)
}

/// Adapts a function from slot to value to a plane writer.
pub fn one_by_one(value: impl Fn(u64) -> Value + Sync) -> impl Fn(u64, &mut [i16]) + Sync {
    move |first, codes| codes.iter_mut().zip(first..).for_each(|(code, slot)| *code = value(slot).code())
}
