//! The interface between a game and the scalar engine: numbered positions and their moves.

use std::ops::Range;

use super::Earlier;
use super::state::State;
use crate::Job;
use kanzen_core::vocabulary::{Error, Value};

/// Receives what the initial pass finds for slots side by side, from a slot on.
pub type FoundSlots<'a> = dyn Fn(u64, &[SlotInit]) + Sync + 'a;

/// Positions as slots of classes, with their moves.
///
/// A class is closed under quiet moves: a move stays in its class or leads to an earlier one. Positions that are mirror
/// images of each other share a slot, so that two moves of a symmetric position may lead to one slot: that is one edge.
pub trait Graph: Sync {
    /// How many classes there are. They are solved from 0 upwards.
    fn classes(&self) -> usize;

    /// A name for display, such as `5-4`.
    fn name(&self, class: usize) -> String;

    /// Slots of a class.
    fn slots(&self, class: usize) -> u64;

    /// The earlier classes that moves of this class may lead to.
    fn needs(&self, class: usize) -> Vec<usize>;

    /// Generates the moves of a slot: either the value of a finished game, or where each move leads.
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node);

    /// The slots of this class from which a move leads to `slot`, each once: exactly those whose [`expand`] names it.
    /// `false` if the graph cannot generate them; then the engine stores all edges itself (four bytes each).
    ///
    /// [`expand`]: Graph::expand
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool;

    /// Whether [`parents`](Graph::parents) works for a class. Only a graph that does not hold slot 0 of every class
    /// needs to override this.
    fn generates_parents(&self, class: usize) -> bool {
        self.slots(class) == 0 || self.parents(class, 0, &mut Vec::new())
    }

    /// Visits the [`parents`](Graph::parents) of some slots, for graphs that generate them faster for many at
    /// once.
    fn parents_of(&self, class: usize, slots: &[u64], mut visit: impl FnMut(u64)) {
        let mut parents = Vec::new();
        for &slot in slots {
            self.parents(class, slot, &mut parents);
            // At once, not all at the end: what is visited is fetched while the next ones are found.
            parents.drain(..).for_each(&mut visit);
        }
    }

    /// Visits some slots, each with a stretch of slots of the class in which all its parents are; `false`, and none, if
    /// the graph does not know.
    ///
    /// Optional, for graphs that generate parents and keep those of a slot close together. Where several processes share the
    /// class, a settled slot then travels once to each owner of its stretch, which generates the parents itself; without
    /// this every parent that another process has travels.
    fn parents_within(&self, _class: usize, _slots: &[u64], _visit: impl FnMut(u64, Range<u64>)) -> bool {
        false
    }

    /// The mover's value of a slot from which neither side can force an end.
    fn endless(&self, class: usize, slot: u64) -> Value;

    /// Looks at a stretch of slots at once, for graphs that are faster this way: adds one [`SlotInit`] for each slot, in
    /// order.
    /// `false` if the graph does not; then each slot is [`expand`]ed.
    ///
    /// It may count edges as it likes, as long as [`parents`] names a slot as often in all as its `SlotInit` counts.
    ///
    /// [`expand`]: Graph::expand
    /// [`parents`]: Graph::parents
    fn init_slots(&self, _class: usize, _slots: Range<u64>, _earlier: &Earlier, _inits: &mut Vec<SlotInit>) -> bool {
        false
    }

    /// Stretches of a class that consist of rows, each with the length of its rows: slots of one column have parents near
    /// each other, more so than those of one row. They must be apart, and in order.
    ///
    /// Optional: where many slots are due at a level, they are then settled column by column.
    fn rows(&self, _class: usize) -> Vec<(Range<u64>, u64)> {
        Vec::new()
    }

    /// Slots that [`init_slots`](Graph::init_slots) looks at best together: it is asked for stretches that begin at
    /// multiples of so many, and end there or with the class. Where several processes share a class, also for others:
    /// then they are those of a block.
    fn together(&self, _class: usize) -> u64 {
        1
    }

    /// Whether a move may stay in the class. Where none does, the initial pass settles all.
    fn stays(&self, _class: usize) -> bool {
        true
    }

    /// Initialises all slots of a class at once: passes stretches of them to `found`, in any order and from any thread, and
    /// reports finished slots to the job. `false`, and some or none found, if the graph does not; then the engine asks for
    /// stretches.
    ///
    /// Optional, for graphs that want to prepare something for a class; they count edges as in
    /// [`init_slots`](Graph::init_slots). It is asked only where one process has the whole class, and those before it.
    fn init_class(&self, _: usize, _: &Earlier, _: &Job<'_>, _found: &FoundSlots<'_>) -> Result<bool, Error> {
        Ok(false)
    }

    /// Settles a class that no move [`stays`](Graph::stays) in, all at once: writes the code of each slot
    /// ([`Value::code`]), and reports finished slots to the job. `false`, and nothing or anything written, if the graph
    /// does not; then the engine looks at its slots.
    ///
    /// Optional, for graphs that are faster this way. It is asked only where one process has the whole class, and those
    /// before it.
    fn settle_class(&self, _: usize, _: &Earlier, _: &Job<'_>, _codes: &mut [i16]) -> Result<bool, Error> {
        Ok(false)
    }

    /// Where several processes share a class and only the owner of a slot can number it: how many bytes the names have
    /// by which others speak of it. Optional, together with [`parents_by_name`] and [`slots_by_name`]; without it slots
    /// are spoken of by their numbers.
    ///
    /// [`parents_by_name`]: Graph::parents_by_name
    /// [`slots_by_name`]: Graph::slots_by_name
    fn name_bytes(&self) -> Option<usize> {
        None
    }

    /// As [`parents_of`](Graph::parents_of) where slots have names: visits those that are here by their slots, and
    /// others by their owners and names. A name that its owner does not know is of no slot.
    fn parents_by_name(&self, class: usize, slots: &[u64], here: impl FnMut(u64), _there: impl FnMut(usize, u128)) {
        self.parents_of(class, slots, here);
    }

    /// Visits the slots of names that other processes have used, each with its place among them; nothing for a name of
    /// no slot here.
    fn slots_by_name(&self, _class: usize, names: &[u128], mut visit: impl FnMut(usize, Option<u64>)) {
        (0..names.len()).for_each(|at| visit(at, None));
    }
}

/// What the settled children of a slot are worth to its mover.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_solve::retrograde::Prospects;
/// let mut prospects = Prospects::default();
/// prospects.add(Value::win(4));
/// prospects.add(Value::loss(6));
/// assert_eq!(prospects, { let mut same = Prospects::default(); same.add(Value::loss(6)); same.add(Value::win(4)); same });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Prospects {
    pub(super) nearest_win: Option<u16>,
    pub(super) farthest_loss: u16,
    pub(super) refuge: bool,
}

impl Prospects {
    /// A move leads to a position with this value for the player then to move.
    #[inline]
    pub fn add(&mut self, child: Value) {
        match child.distance() {
            Some(plies) if child < Value::DRAW => {
                self.nearest_win = Some(self.nearest_win.map_or(plies + 1, |nearest| nearest.min(plies + 1)));
            }
            Some(plies) => self.farthest_loss = self.farthest_loss.max(plies + 1),
            // A draw, or endless play: a child that never closes, so that the slot is never lost.
            None => self.refuge = true,
        }
    }
}

/// The result of the initial pass for a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SlotInit(pub(super) State);

impl SlotInit {
    /// The game is over here; or no position has this slot, then any value will do.
    pub fn ended(value: Value) -> SlotInit {
        SlotInit(State::ended(value))
    }

    /// There are moves: `edges` within the class, and some to settled positions.
    #[inline]
    pub fn open(edges: u32, settled: Prospects) -> SlotInit {
        SlotInit(State::with_moves(edges, settled))
    }
}

/// Where the moves of one slot lead.
#[derive(Default)]
pub struct Node {
    pub(super) ended: Option<Value>,
    pub(super) here: Vec<u64>,
    pub(super) there: Vec<(usize, u128)>,
    pub(super) settled: Prospects,
    pub(super) fault: Option<String>,
}

impl Node {
    pub(super) fn clear(&mut self) {
        self.ended = None;
        self.here.clear();
        self.there.clear();
        self.settled = Prospects::default();
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

    /// A move leads to a slot of the same class that another process has, and that it knows by this name. Naming it
    /// twice is naming it once.
    pub fn there(&mut self, owner: usize, name: u128) {
        self.there.push((owner, name));
    }

    /// A move leads to a position whose value (for the player then to move) is known already.
    pub fn settled(&mut self, child: Value) {
        self.settled.add(child);
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

    pub(super) fn distinct_there(&mut self) -> &[(usize, u128)] {
        self.there.sort_unstable();
        self.there.dedup();
        &self.there
    }
}
