//! The hot loops: a first look at a stretch of slots, and the parents of a slot.
//!
//! ```text
//!   first look   opponent o fixed, mover m runs through the subsets of what o leaves free
//!                quiet moves are only counted:  sum over m's pieces of |neighbours & empty|, less those that close mills
//!                takes are looked up in an earlier class, fetched ahead in batches
//!   parents      o's piece goes back from `to` to an empty `from`; had it closed a mill, `to` would stand in one
//! ```
//!
//! **Edges.** A position that symmetries keep has moves that are images of each other. Edges are moves up to the
//! symmetries of the position they start from, and seen from the other end moves back up to the symmetries of that end:
//! both count the pairs (position, next position) up to symmetry, so sights and parents agree without comparing slots.

use kanzen::Value;
use kanzen::machine::prefetch;
use kanzen::solve::{Earlier, Prospects, SlotInit};

use super::Morris;
use super::bits::Bits;
use super::board::points;
use super::classes::{Class, Classes, Place};
use super::numbering::{Against, GameInfo, Half, Image, Numbering, Standing};

/// Slots between two rounds of look-ups: what is fetched for them fits into the first cache.
const BATCH: usize = 32;
/// No settled child yet.
const NO_CHILD: i32 = i32::MAX;
/// A child whose mover has lost already: no other can be worse.
const LOST_AT_ONCE: i32 = Value::loss(0).code() as i32;
/// Slots whose parents are found together.
const TOGETHER: usize = 32;

/// What the loops work with.
pub struct Table<'a> {
    pub game: &'a Morris,
    pub numbering: &'a Numbering,
    pub classes: &'a Classes,
}

/// Slots looked at, and what is still to be looked up for them.
struct Batch<'e> {
    edges: [u32; BATCH],
    /// The code of the child that is worst for its mover, and so best for ours: of settled children only that one counts.
    worst: [i32; BATCH],
    ended: [Option<Value>; BATCH],
    slots: usize,
    /// Slot in the batch, and place in an earlier class.
    wanted: Vec<(u32, &'e i16)>,
}

impl<'e> Batch<'e> {
    fn new() -> Batch<'e> {
        Batch {
            edges: [0; BATCH],
            worst: [NO_CHILD; BATCH],
            ended: [None; BATCH],
            slots: 0,
            wanted: Vec::with_capacity(16 * BATCH),
        }
    }

    #[inline(always)]
    fn want(&mut self, codes: &'e [i16], slot: u64) {
        let code = &codes[slot as usize];
        prefetch(code);
        self.wanted.push((self.slots as u32, code));
    }

    #[inline(always)]
    fn done(&mut self, edges: u32, worst: i32, ended: Option<Value>, sights: &mut Vec<SlotInit>) {
        self.edges[self.slots] = edges;
        self.worst[self.slots] = worst;
        self.ended[self.slots] = ended;
        self.slots += 1;
        if self.slots == BATCH {
            self.settle(sights);
        }
    }

    fn settle(&mut self, sights: &mut Vec<SlotInit>) {
        for (slot, code) in self.wanted.drain(..) {
            let worst = &mut self.worst[slot as usize];
            *worst = (*worst).min(i32::from(*code));
        }
        sights.extend((0..self.slots).map(|slot| match self.ended[slot] {
            Some(value) => SlotInit::ended(value),
            None => {
                let mut prospects = Prospects::default();
                let worst = i16::try_from(self.worst[slot]).ok();
                if let Some(code) = worst {
                    prospects.add(Value::from_code(code).expect("only codes of values are shelved"));
                }
                SlotInit::open(self.edges[slot], prospects)
            }
        }));
        self.slots = 0;
    }
}

/// Where a move leads that takes or places: earlier values, or a game that is over.
struct Target<'e> {
    place: Option<(Place, &'e [i16])>,
}

impl<'e> Target<'e> {
    fn new(classes: &Classes, earlier: &'e Earlier, in_hand: u32, mover: u32, opponent: u32) -> Target<'e> {
        let codes = |place: Place| &earlier.codes(place.class)[place.first as usize..];
        Target { place: classes.place(in_hand, mover, opponent).map(|place| (place, codes(place))) }
    }
}

impl Table<'_> {
    /// The sights of a stretch of slots.
    #[inline(always)]
    pub fn look<B: Bits>(
        &self,
        class: Class,
        slots: std::ops::Range<u64>,
        earlier: &Earlier,
        sights: &mut Vec<SlotInit>,
    ) {
        let mut batch = Batch::new();
        for (first, half) in class.halves() {
            let from = slots.start.max(first);
            let to = slots.end.min(first + half.slots);
            if from >= to {
                continue;
            }
            let stretch = from - first..to - first;
            match class {
                Class::Moving { .. } => self.look_moving::<B>(half, stretch, earlier, &mut batch, sights),
                Class::Placing { in_hand, .. } => {
                    self.look_placing::<B>(in_hand, half, stretch, earlier, &mut batch, sights);
                }
            }
        }
        batch.settle(sights);
    }

    #[inline(always)]
    fn each_slot<B: Bits>(
        &self,
        half: Half,
        slots: std::ops::Range<u64>,
        mut visit: impl FnMut(u32, u32, u32, Standing),
    ) {
        let opponents = self.numbering.opponents(half);
        let movers = self.numbering.movers(half);
        let mut slot = slots.start;
        while slot < slots.end {
            let (orbit, rank) = self.numbering.split(half, slot);
            let stretch = (slots.end - slot).min(half.per_orbit - rank as u64) as usize;
            let GameInfo { opponent, alone, .. } = *opponents.card(orbit);
            let free = self.game.board().all() & !opponent;
            for &squeezed in &movers[rank..rank + stretch] {
                let mover = B::spread(squeezed, free);
                let standing = if alone { Standing::Alone } else { self.numbering.standing(half, orbit, mover) };
                visit(orbit, opponent, mover, standing);
            }
            slot += stretch as u64;
        }
    }

    #[inline(always)]
    fn look_moving<'e, B: Bits>(
        &self,
        half: Half,
        slots: std::ops::Range<u64>,
        earlier: &'e Earlier,
        batch: &mut Batch<'e>,
        sights: &mut Vec<SlotInit>,
    ) {
        let board = self.game.board();
        let flies = self.game.flies(half.mover);
        let target = match half.opponent {
            3 => Target { place: None },
            _ => Target::new(self.classes, earlier, 0, half.opponent - 1, half.mover),
        };
        let mut last_opponent = 0;
        let mut removable = 0;
        self.each_slot::<B>(half, slots, |orbit, opponent, mover, standing| {
            if standing == Standing::Hole {
                return batch.done(0, NO_CHILD, Some(Value::DRAW), sights);
            }
            let empty = board.all() & !(opponent | mover);
            if empty == 0 {
                return batch.done(0, NO_CHILD, Some(Value::DRAW), sights);
            }
            let mut moves = 0;
            if flies {
                moves = 3 * empty.count_ones();
            } else {
                for from in points(mover) {
                    moves += (board.neighbours[from as usize] & empty).count_ones();
                }
            }
            if moves == 0 {
                return batch.done(0, NO_CHILD, Some(Value::loss(0)), sights);
            }
            let mut worst = NO_CHILD;
            let mut takes = 0;
            for to in points(board.closers(mover) & empty) {
                let around = if flies { mover } else { mover & board.neighbours[to as usize] };
                let closing = board.partners[to as usize]
                    .iter()
                    .filter(|&pair| mover & pair == *pair)
                    .fold(0, |closing, pair| closing | around & !pair);
                takes += closing.count_ones();
                let Some((place, codes)) = target.place else {
                    if closing != 0 {
                        worst = LOST_AT_ONCE;
                    }
                    continue;
                };
                if closing != 0 && last_opponent != opponent {
                    last_opponent = opponent;
                    removable = board.removable(opponent);
                }
                for from in points(closing) {
                    let against = Against::new(self.numbering, place.half, mover ^ 1 << from | 1 << to);
                    let image = against.image().apply(opponent);
                    for taken in points(removable) {
                        batch.want(codes, against.slot_of_image::<B>(image ^ against.image().point(taken)));
                    }
                }
            }
            let edges = match standing {
                Standing::Symmetric => {
                    let keeping = self.numbering.keeping_both(half, orbit, mover);
                    self.quiet_moves(mover, empty, flies).filter(|&quiet| is_least(quiet, &keeping)).count() as u32
                }
                _ => moves - takes,
            };
            batch.done(edges, worst, None, sights);
        });
    }

    /// Moves that close no mill, one by one.
    fn quiet_moves(&self, mover: u32, empty: u32, flies: bool) -> impl Iterator<Item = (u32, u32)> {
        let board = self.game.board();
        points(mover).flat_map(move |from| {
            let reach = if flies { empty } else { board.neighbours[from as usize] & empty };
            points(reach).filter(move |&to| !board.closes(mover ^ 1 << from, to)).map(move |to| (from, to))
        })
    }

    #[inline(always)]
    fn look_placing<'e, B: Bits>(
        &self,
        in_hand: u32,
        half: Half,
        slots: std::ops::Range<u64>,
        earlier: &'e Earlier,
        batch: &mut Batch<'e>,
        sights: &mut Vec<SlotInit>,
    ) {
        let board = self.game.board();
        let target = |opponent: u32| Target::new(self.classes, earlier, in_hand - 1, opponent, half.mover + 1);
        let quiet = target(half.opponent);
        let taking = if half.opponent == 0 { target(0) } else { target(half.opponent - 1) };
        let mut last_opponent = u32::MAX;
        let mut removable = 0;
        self.each_slot::<B>(half, slots, |_, opponent, mover, standing| {
            if standing == Standing::Hole {
                return batch.done(0, NO_CHILD, Some(Value::DRAW), sights);
            }
            if last_opponent != opponent {
                last_opponent = opponent;
                removable = board.removable(opponent);
            }
            let mut worst = NO_CHILD;
            let closers = if opponent == 0 { 0 } else { board.closers(mover) };
            for to in points(board.all() & !(opponent | mover)) {
                let takes = closers >> to & 1 == 1;
                let Some((place, codes)) = (if takes { taking.place } else { quiet.place }) else {
                    worst = LOST_AT_ONCE;
                    continue;
                };
                let against = Against::new(self.numbering, place.half, mover | 1 << to);
                let image = against.image().apply(opponent);
                if !takes {
                    batch.want(codes, against.slot_of_image::<B>(image));
                    continue;
                }
                for taken in points(removable) {
                    batch.want(codes, against.slot_of_image::<B>(image ^ against.image().point(taken)));
                }
            }
            batch.done(0, worst, None, sights);
        });
    }

    /// The slots of a moving class from which quiet moves lead to `slots`.
    ///
    /// What is read of the tables for a slot waits for the memory, twice; so for some slots at a time it is fetched first.
    #[inline(always)]
    pub fn parents_of<B: Bits>(&self, halves: [Half; 2], slots: &[u64], mut visit: impl FnMut(u64)) {
        let mut seen = [Seen::default(); TOGETHER];
        let mut orbits = [(0, 0); TOGETHER];
        for slots in slots.chunks(TOGETHER) {
            for (seen, &slot) in seen.iter_mut().zip(slots) {
                *seen = self.see::<B>(halves, slot);
                prefetch(self.numbering.opponents(halves[seen.back]).orbits.entry(seen.mover.into()));
            }
            for (orbit, seen) in orbits.iter_mut().zip(&seen[..slots.len()]) {
                let opponents = self.numbering.opponents(halves[seen.back]);
                *orbit = opponents.orbits.orbit_of(seen.mover.into());
                prefetch(opponents.card(orbit.0));
            }
            for (orbit, seen) in orbits.iter().zip(&seen[..slots.len()]) {
                self.parents::<B>(halves, seen, *orbit, &mut visit);
            }
        }
    }

    /// The position of a slot.
    #[inline(always)]
    fn see<B: Bits>(&self, halves: [Half; 2], slot: u64) -> Seen {
        let [one, other] = halves;
        // Seen from the parent, mover and opponent have changed places.
        let (within, at) = match slot.checked_sub(one.slots) {
            None => (slot, 0),
            Some(within) => (within, 1),
        };
        let (half, back) = (halves[at], if one.mover == other.mover { 0 } else { 1 - at });
        let (orbit, rank) = self.numbering.split(half, within);
        let GameInfo { opponent, loose, alone } = *self.numbering.opponents(half).card(orbit);
        let mover = B::spread(self.numbering.movers(half)[rank], self.game.board().all() & !opponent);
        Seen { at, back, orbit, opponent, mover, loose, alone }
    }

    /// The parents of a position; the orbit is that of its mover, who is the opponent in them.
    #[inline(always)]
    fn parents<B: Bits>(&self, halves: [Half; 2], seen: &Seen, orbit: (u32, u8), visit: &mut impl FnMut(u64)) {
        let Seen { opponent, mover, loose, .. } = *seen;
        let (half, back) = (halves[seen.at], halves[seen.back]);
        let base = if seen.back == 0 { 0 } else { halves[0].slots };
        let board = self.game.board();
        let empty = board.all() & !(opponent | mover);
        let flies = self.game.flies(half.opponent);
        let against = Against::orbit(self.numbering.opponents(back), back, orbit);
        let image = against.image();
        let standing = image.apply(opponent);
        if !seen.alone {
            let keeping = self.numbering.keeping_both(half, seen.orbit, mover);
            if !keeping.is_empty() {
                for to in points(loose) {
                    let from = if flies { empty } else { board.neighbours[to as usize] & empty };
                    for from in points(from).filter(|&from| is_least((to, from), &keeping)) {
                        let image = standing ^ image.point(to) ^ image.point(from);
                        visit(base + against.slot_of_image::<B>(image));
                    }
                }
                return;
            }
        }
        for to in points(loose) {
            let without = standing ^ image.point(to);
            let from = if flies { empty } else { board.neighbours[to as usize] & empty };
            for from in points(from) {
                visit(base + against.slot_of_image::<B>(without ^ image.point(from)));
            }
        }
    }
}

/// A position of a moving class: its half, and that of its parents, its orbit, and the men.
#[derive(Clone, Copy, Default)]
struct Seen {
    at: usize,
    back: usize,
    orbit: u32,
    opponent: u32,
    mover: u32,
    loose: u32,
    alone: bool,
}

/// Whether none of the symmetries makes a pair of points smaller.
fn is_least((one, other): (u32, u32), symmetries: &[&Image]) -> bool {
    let pair = (1u32 << one, 1u32 << other);
    symmetries.iter().all(|image| (image.point(one), image.point(other)) >= pair)
}
