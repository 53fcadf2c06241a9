//! The hot loop before the levels: how many moves of each slot are open, and what the settled ones give.
//!
//! ```text
//!   opponent o fixed, mover m runs through the subsets of what o leaves free
//!   quiet moves are only counted:  sum over m's pieces of |neighbours & empty|, less those that close mills
//!   takes are looked up in an earlier class, fetched ahead in batches
//! ```
//!
//! **Edges.** A position that symmetries keep has moves that are images of each other. Edges are moves up to the
//! symmetries of the position they start from, and seen from the other end moves back up to the symmetries of that end:
//! both count the pairs (position, next position) up to symmetry, so this look and the parents agree without comparing
//! slots.

use std::ops::Range;

use kanzen::Value;
use kanzen::index::points;
use kanzen::machine::cpu::{Gather, Work};
use kanzen::solve::retrograde::{Earlier, Prospects, SlotInit};

use super::crossing::Crossing;
use super::pairs::Takes;
use super::parents::is_least;
use super::taken_block::TakenBlock;
use super::target::{LOST_AT_ONCE, Target};
use crate::morris::Morris;
use crate::morris::index::{Half, OrbitInfo, Phase, Phases, Standing, Tables};

/// Slots between two rounds of look-ups: what is fetched for them fits into the first cache.
const BATCH: usize = 32;
/// No settled child yet.
const NO_CHILD: i32 = i32::MAX;

/// Adds the first words of a stretch of slots of a moving class.
pub struct FirstLook<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
    pub phase: Phase,
    pub slots: Range<u64>,
    pub earlier: &'w Earlier,
    pub inits: &'w mut Vec<SlotInit>,
}

impl Work for FirstLook<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let FirstLook { game, tables, phases, phase, slots, earlier, inits } = self;
        let look = Look { game, tables };
        let mut batch = Batch::new(inits);
        for (first, half) in phase.halves() {
            let from = slots.start.max(first);
            let to = slots.end.min(first + half.slots);
            if from >= to {
                continue;
            }
            let target = Target::find(tables, phases, earlier, 0, half.opponent - 1, half.mover);
            let (mut last_opponent, mut removable) = (0, 0);
            look.moving(bits, half, from - first..to - first, &mut batch, |batch, worst, opponent, after| {
                let Some(target) = target else {
                    *worst = LOST_AT_ONCE.into();
                    return;
                };
                if last_opponent != opponent {
                    last_opponent = opponent;
                    removable = game.board().removable(opponent);
                }
                let against = target.opponents.against(target.half, after);
                let image = against.image().apply(opponent);
                for taken in points(removable) {
                    let after = image ^ against.image().point(taken);
                    batch.want(&target, against.slot_of_image(bits, after));
                }
            });
        }
        batch.settle();
    }
}

/// Adds the first words of all slots against some opponents of half a moving class, whose takes are listed.
pub struct MovingBlocks<'s> {
    pub game: &'s Morris,
    pub tables: &'s Tables,
    pub half: Half,
    /// None if whoever is taken a man has lost.
    pub takes: Option<(&'s Takes, &'s Crossing<'s>)>,
    pub orbits: Range<u32>,
    pub inits: &'s mut Vec<SlotInit>,
}

impl Work for MovingBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let MovingBlocks { game, tables, half, takes, orbits, inits } = self;
        let look = Look { game, tables };
        let mut batch = Batch::new(inits);
        let mut block = takes.map(|(takes, crossing)| TakenBlock::new(crossing, takes));
        for orbit in orbits {
            let opponent = tables.opponents(half).info(orbit).opponent;
            let free = game.board().all() & !opponent;
            if let Some(block) = &mut block {
                block.go_to(bits, opponent);
            }
            let first = u64::from(orbit) * half.per_orbit;
            look.moving(bits, half, first..first + half.per_orbit, &mut batch, |_, worst, _, after| {
                let code = block.as_ref().map_or(LOST_AT_ONCE.into(), |block| block.code(bits, after, free));
                *worst = (*worst).min(code);
            });
        }
        batch.settle();
    }
}

/// Slots looked at, and what is still to be looked up for them.
struct Batch<'w> {
    edges: [u32; BATCH],
    /// The code of the child that is worst for its mover, and so best for ours: of settled children only that one counts.
    worst: [i32; BATCH],
    ended: [Option<Value>; BATCH],
    slots: usize,
    /// Slot in the batch, and place in an earlier class.
    wanted: Vec<(u32, &'w i16)>,
    inits: &'w mut Vec<SlotInit>,
}

impl<'w> Batch<'w> {
    fn new(inits: &'w mut Vec<SlotInit>) -> Batch<'w> {
        Batch {
            edges: [0; BATCH],
            worst: [NO_CHILD; BATCH],
            ended: [None; BATCH],
            slots: 0,
            wanted: Vec::with_capacity(16 * BATCH),
            inits,
        }
    }

    #[inline(always)]
    fn want(&mut self, target: &Target<'w>, slot: u64) {
        self.wanted.push((self.slots as u32, target.fetch(slot)));
    }

    #[inline(always)]
    fn done(&mut self, edges: u32, worst: i32, ended: Option<Value>) {
        self.edges[self.slots] = edges;
        self.worst[self.slots] = worst;
        self.ended[self.slots] = ended;
        self.slots += 1;
        if self.slots == BATCH {
            self.settle();
        }
    }

    fn settle(&mut self) {
        for (slot, code) in self.wanted.drain(..) {
            let worst = &mut self.worst[slot as usize];
            *worst = (*worst).min(i32::from(*code));
        }
        self.inits.extend((0..self.slots).map(|slot| match self.ended[slot] {
            Some(value) => SlotInit::ended(value),
            None => {
                let mut prospects = Prospects::default();
                let worst = i16::try_from(self.worst[slot]).ok();
                if let Some(code) = worst {
                    prospects.add(Value::from_code(code).expect("only codes of values are kept"));
                }
                SlotInit::open(self.edges[slot], prospects)
            }
        }));
        self.slots = 0;
    }
}

struct Look<'w> {
    game: &'w Morris,
    tables: &'w Tables,
}

impl<'w> Look<'w> {
    /// Visits the slots of a stretch: orbit, opponent, mover, and what the slot is.
    #[inline(always)]
    fn each_slot<B: Gather>(
        &self,
        bits: B,
        half: Half,
        slots: Range<u64>,
        mut visit: impl FnMut(u32, u32, u32, Standing),
    ) {
        let opponents = self.tables.opponents(half);
        let movers = self.tables.movers(half);
        let mut slot = slots.start;
        while slot < slots.end {
            let (orbit, rank) = half.split(slot);
            let stretch = (slots.end - slot).min(half.per_orbit - rank) as usize;
            let OrbitInfo { opponent, alone, .. } = *opponents.info(orbit);
            let free = self.game.board().all() & !opponent;
            for &gathered in &movers[rank as usize..rank as usize + stretch] {
                let mover = bits.pdep32(gathered, free);
                let standing = if alone { Standing::Alone } else { opponents.standing(orbit, mover) };
                visit(orbit, opponent, mover, standing);
            }
            slot += stretch as u64;
        }
    }

    /// Looks at a stretch of slots; `take` hears of each move that closes a mill: of the worst child so far, the opponent's
    /// men, and the mover's after the move.
    #[inline(always)]
    fn moving<B: Gather>(
        &self,
        bits: B,
        half: Half,
        slots: Range<u64>,
        batch: &mut Batch<'w>,
        mut take: impl FnMut(&mut Batch<'w>, &mut i32, u32, u32),
    ) {
        let board = self.game.board();
        let flies = self.game.flies(half.mover);
        self.each_slot(bits, half, slots, |orbit, opponent, mover, standing| {
            if standing == Standing::Hole {
                return batch.done(0, NO_CHILD, Some(Value::DRAW));
            }
            let empty = board.all() & !(opponent | mover);
            if empty == 0 {
                return batch.done(0, NO_CHILD, Some(Value::DRAW));
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
                return batch.done(0, NO_CHILD, Some(Value::loss(0)));
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
                for from in points(closing) {
                    take(batch, &mut worst, opponent, mover ^ 1 << from | 1 << to);
                }
            }
            let edges = match standing {
                Standing::Symmetric => {
                    let keeping = self.tables.opponents(half).keeping_both(orbit, mover);
                    self.quiet_moves(mover, empty, flies).filter(|&quiet| is_least(quiet, &keeping)).count() as u32
                }
                _ => moves - takes,
            };
            batch.done(edges, worst, None);
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
}
