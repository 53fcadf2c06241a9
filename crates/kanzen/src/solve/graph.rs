//! A game as numbered positions, the way the scalar engine wants it.

use std::sync::Arc;

use crate::Value;

/// Positions as slots of classes, with their moves.
///
/// A class is closed under quiet moves: a move stays in its class or leads to an earlier one. Positions that are mirror
/// images of each other share a slot, so that two moves of a symmetric position may lead to one slot: that is one edge.
pub trait Graph: Sync {
    /// How many classes there are. They are solved from 0 upwards.
    fn classes(&self) -> usize;

    /// A name for people, such as `5-4`.
    fn name(&self, class: usize) -> String;

    /// Slots of a class.
    fn slots(&self, class: usize) -> u64;

    /// The earlier classes that moves of this class may lead to.
    fn needs(&self, class: usize) -> Vec<usize>;

    /// Tells the moves of a slot: either the value of a finished game, or where each move leads.
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node);

    /// The slots of this class from which a move leads to `slot`, each once: exactly those whose [`expand`] names it.
    /// `false` if the graph cannot tell; then the engine stores all edges itself (four bytes each).
    ///
    /// [`expand`]: Graph::expand
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool;

    /// The mover's value of a slot from which neither side can force an end.
    fn endless(&self, class: usize, slot: u64) -> Value;
}

/// Where the moves of one slot lead.
#[derive(Default)]
pub struct Node {
    pub(super) ended: Option<Value>,
    pub(super) here: Vec<u64>,
    pub(super) settled: Vec<Value>,
    pub(super) fault: Option<String>,
}

impl Node {
    pub(super) fn clear(&mut self) {
        self.ended = None;
        self.here.clear();
        self.settled.clear();
        self.fault = None;
    }

    /// The game is over here, with this value for the mover.
    pub fn end(&mut self, value: Value) {
        self.ended = Some(value);
    }

    /// A move leads to another slot of the same class. Naming a slot twice is naming it once.
    pub fn here(&mut self, slot: u64) {
        self.here.push(slot);
    }

    /// A move leads to a position whose value (for the player then to move) is known already.
    pub fn settled(&mut self, child: Value) {
        self.settled.push(child);
    }

    /// The rules contradict themselves here: the solve ends with this sentence.
    pub fn fault(&mut self, sentence: impl Into<String>) {
        self.fault = Some(sentence.into());
    }

    pub(super) fn distinct_here(&mut self) -> &[u64] {
        self.here.sort_unstable();
        self.here.dedup();
        &self.here
    }
}

/// The values of the earlier classes that a class needs.
#[derive(Default)]
pub struct Earlier {
    classes: Vec<Option<Arc<[i16]>>>,
}

impl Earlier {
    pub(super) fn insert(&mut self, class: usize, codes: Arc<[i16]>) {
        if self.classes.len() <= class {
            self.classes.resize(class + 1, None);
        }
        self.classes[class] = Some(codes);
    }

    pub(super) fn keep_only(&mut self, needed: &[usize]) {
        for (class, codes) in self.classes.iter_mut().enumerate() {
            if !needed.contains(&class) {
                *codes = None;
            }
        }
    }

    pub(super) fn has(&self, class: usize) -> bool {
        self.classes.get(class).is_some_and(Option::is_some)
    }

    /// The value of a slot of an earlier class.
    ///
    /// # Panics
    /// If the class is not among those the graph [`needs`](Graph::needs).
    pub fn value(&self, class: usize, slot: u64) -> Value {
        let codes = self.classes[class].as_ref().expect("a class that the graph said it needs");
        Value::from_code(codes[slot as usize]).expect("only codes of values are shelved")
    }
}
