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
use kanzen::solve::{Earlier, Prospects, Sight, prefetch};

use super::Morris;
use super::bits::Bits;
use super::board::points;
use super::classes::{Class, Classes, Place};
use super::numbering::{Against, Half, Image, Numbering, Standing};

/// Slots between two rounds of look-ups.
const BATCH: usize = 256;

/// What the loops work with.
pub struct Table<'a> {
    pub game: &'a Morris,
    pub numbering: &'a Numbering,
    pub classes: &'a Classes,
}

/// Slots looked at, and what is still to be looked up for them.
struct Batch<'e> {
    edges: [u32; BATCH],
    prospects: [Prospects; BATCH],
    ended: [Option<Value>; BATCH],
    slots: usize,
    /// Slot in the batch, and place in an earlier class.
    wanted: Vec<(u32, &'e i16)>,
}

impl<'e> Batch<'e> {
    fn new() -> Batch<'e> {
        Batch {
            edges: [0; BATCH],
            prospects: [Prospects::default(); BATCH],
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
    fn done(&mut self, edges: u32, prospects: Prospects, ended: Option<Value>, sights: &mut Vec<Sight>) {
        self.edges[self.slots] = edges;
        self.prospects[self.slots] = prospects;
        self.ended[self.slots] = ended;
        self.slots += 1;
        if self.slots == BATCH {
            self.settle(sights);
        }
    }

    fn settle(&mut self, sights: &mut Vec<Sight>) {
        for (slot, code) in self.wanted.drain(..) {
            self.prospects[slot as usize].add(Value::from_code(*code).expect("only codes of values are shelved"));
        }
        sights.extend((0..self.slots).map(|slot| match self.ended[slot] {
            Some(value) => Sight::ended(value),
            None => Sight::open(self.edges[slot], self.prospects[slot]),
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
    pub fn look<B: Bits>(&self, class: Class, slots: std::ops::Range<u64>, earlier: &Earlier, sights: &mut Vec<Sight>) {
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
            let opponent = opponents.orbits.representative(orbit) as u32;
            let free = self.game.board().all() & !opponent;
            let symmetric = !opponents.keeping(orbit).is_empty();
            for &squeezed in &movers[rank..rank + stretch] {
                let mover = B::spread(squeezed, free);
                let standing = if symmetric { self.numbering.standing(half, orbit, mover) } else { Standing::Alone };
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
        sights: &mut Vec<Sight>,
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
                return batch.done(0, Prospects::default(), Some(Value::DRAW), sights);
            }
            let empty = board.all() & !(opponent | mover);
            if empty == 0 {
                return batch.done(0, Prospects::default(), Some(Value::DRAW), sights);
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
                return batch.done(0, Prospects::default(), Some(Value::loss(0)), sights);
            }
            let mut prospects = Prospects::default();
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
                        prospects.add(Value::loss(0));
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
            batch.done(edges, prospects, None, sights);
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
        sights: &mut Vec<Sight>,
    ) {
        let board = self.game.board();
        let target = |opponent: u32| Target::new(self.classes, earlier, in_hand - 1, opponent, half.mover + 1);
        let quiet = target(half.opponent);
        let taking = if half.opponent == 0 { target(0) } else { target(half.opponent - 1) };
        let mut last_opponent = u32::MAX;
        let mut removable = 0;
        self.each_slot::<B>(half, slots, |_, opponent, mover, standing| {
            if standing == Standing::Hole {
                return batch.done(0, Prospects::default(), Some(Value::DRAW), sights);
            }
            if last_opponent != opponent {
                last_opponent = opponent;
                removable = board.removable(opponent);
            }
            let mut prospects = Prospects::default();
            let closers = if opponent == 0 { 0 } else { board.closers(mover) };
            for to in points(board.all() & !(opponent | mover)) {
                let takes = closers >> to & 1 == 1;
                let Some((place, codes)) = (if takes { taking.place } else { quiet.place }) else {
                    prospects.add(Value::loss(0));
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
            batch.done(0, prospects, None, sights);
        });
    }

    /// The slots of a moving class from which a quiet move leads to `slot`.
    #[inline(always)]
    pub fn parents<B: Bits>(&self, halves: [Half; 2], slot: u64, parents: &mut Vec<u64>) {
        let [one, other] = halves;
        // Seen from the parent, mover and opponent have changed places.
        let (half, within, back, base) = match slot.checked_sub(one.slots) {
            None if one.mover == other.mover => (one, slot, one, 0),
            None => (one, slot, other, one.slots),
            Some(within) => (other, within, one, 0),
        };
        let board = self.game.board();
        let opponents = self.numbering.opponents(half);
        let (orbit, rank) = self.numbering.split(half, within);
        let opponent = opponents.orbits.representative(orbit) as u32;
        let free = board.all() & !opponent;
        let mover = B::spread(self.numbering.movers(half)[rank], free);
        let empty = free & !mover;
        let loose = opponents.loose[orbit as usize];
        let flies = self.game.flies(half.opponent);
        let against = Against::new(self.numbering, back, mover);
        let image = against.image();
        let standing = image.apply(opponent);
        if !opponents.keeping(orbit).is_empty() {
            let keeping = self.numbering.keeping_both(half, orbit, mover);
            if !keeping.is_empty() {
                for to in points(loose) {
                    let from = if flies { empty } else { board.neighbours[to as usize] & empty };
                    for from in points(from).filter(|&from| is_least((to, from), &keeping)) {
                        let image = standing ^ image.point(to) ^ image.point(from);
                        parents.push(base + against.slot_of_image::<B>(image));
                    }
                }
                return;
            }
        }
        for to in points(loose) {
            let without = standing ^ image.point(to);
            let from = if flies { empty } else { board.neighbours[to as usize] & empty };
            for from in points(from) {
                parents.push(base + against.slot_of_image::<B>(without ^ image.point(from)));
            }
        }
    }
}

/// Whether none of the symmetries makes a pair of points smaller.
fn is_least((one, other): (u32, u32), symmetries: &[&Image]) -> bool {
    let pair = (1u32 << one, 1u32 << other);
    symmetries.iter().all(|image| (image.point(one), image.point(other)) >= pair)
}
