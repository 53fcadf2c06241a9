//! The hot loop of the placing classes where all values are here: one pair is looked up for each child, and handed down.
//!
//! ```text
//!   opponent o fixed, all movers m of what o leaves free: one block of slots
//!   m --a man on t--> p = m + t      p is reached from every m = p - t of the same block
//!
//!   1. for each p:   its pair (quiet, taken), from the row of p's orbit
//!   2. handed down to each m = p - t: `taken` if t stands in a mill of p, else `quiet`; rows at a time
//!   3. the best byte of each m is its value
//! ```
//!
//! What waits for memory is the pair, one cache line for each p; the block itself stays in the first caches.
//! [`PlacingLook`](super::placing::PlacingLook) is the twin that works with any values, wherever they are.

use std::sync::LazyLock;

use kanzen::index::combinations;
use kanzen::machine::cpu::{Gather, Work};
use kanzen::machine::prefetch;

use super::grid::{Both, FreeMills, Ladder, byte_at, read_at};
use super::pairs::Pairs;
use super::ranks::Ranks;
use super::worth::{self, NOTHING};
use crate::morris::Morris;
use crate::morris::index::{Half, Opponents, OrbitEntries, OrbitInfo, Standing, Tables};

/// Children that are looked up together, at least.
const GROUP: usize = 64;

/// What all blocks of a class have in common.
pub struct PlacingClass<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub half: Half,
    pub pairs: &'w Pairs,
    pub entries: &'w OrbitEntries,
    pub ladder: Ladder,
}

impl<'w> PlacingClass<'w> {
    /// A class whose children have these pairs.
    pub fn new(game: &'w Morris, tables: &'w Tables, half: Half, pairs: &'w Pairs) -> PlacingClass<'w> {
        let ladder = Ladder::new(game.board().points - half.opponent, half.mover + 1);
        PlacingClass { game, tables, half, pairs, entries: tables.entries(game, pairs.half()), ladder }
    }
}

/// Writes the codes of the slots of some orbits, from one on.
pub struct PlacingBlocks<'s, 'w> {
    pub class: &'s PlacingClass<'w>,
    pub first: u32,
    pub codes: &'s mut [i16],
}

impl Work for PlacingBlocks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let PlacingBlocks { class, first, codes } = self;
        let mut block = Block::new(class);
        for (orbit, codes) in (first..).zip(codes.chunks_mut(class.half.per_orbit as usize)) {
            block.settle(bits, orbit, codes);
        }
    }
}

/// By the best byte of a slot's children, its code.
static CODES: LazyLock<[i16; 256]> = LazyLock::new(|| std::array::from_fn(|best| worth::value(best as u8).code()));

/// Children whose pairs are on their way.
struct Asked {
    upper: u32,
    row: usize,
    left: u32,
}

/// The slots against one opponent's mask.
struct Block<'s, 'w> {
    class: &'s PlacingClass<'w>,
    opponents: &'w Opponents,
    codes: &'static [i16; 256],
    /// By symmetry, the opponent's image.
    images: Vec<u32>,
    ranks: Ranks,
    asked: Vec<Asked>,
    slots: Vec<u32>,
    quiet: Both,
    taken: Both,
    best: Both,
}

impl<'s, 'w> Block<'s, 'w> {
    fn new(class: &'s PlacingClass<'w>) -> Block<'s, 'w> {
        let Ladder { more, fewer, .. } = &class.ladder;
        Block {
            class,
            opponents: class.tables.opponents(class.half),
            codes: &CODES,
            images: Vec::new(),
            ranks: Ranks::default(),
            asked: Vec::new(),
            slots: Vec::new(),
            quiet: more.filled(NOTHING),
            taken: more.filled(NOTHING),
            best: fewer.filled(NOTHING),
        }
    }

    #[inline(always)]
    fn settle<B: Gather>(&mut self, bits: B, orbit: u32, codes: &mut [i16]) {
        let PlacingClass { game, ref ladder, .. } = *self.class;
        let OrbitInfo { opponent, alone, .. } = *self.opponents.info(orbit);
        let free = game.board().all() & !opponent;
        self.look_up(bits, opponent, free);
        let mills = FreeMills::new(bits, game.board(), ladder.more.halved, free);
        for rows in &mut self.best {
            Ladder::clear(rows);
        }
        ladder.hand_down(&mills, &self.quiet, &self.taken, &mut self.best);
        self.read_off(codes);
        if !alone {
            for (code, &gathered) in codes.iter_mut().zip(self.class.tables.movers(self.class.half)) {
                if self.opponents.standing(orbit, bits.pdep32(gathered, free)) == Standing::Hole {
                    *code = self.codes[usize::from(NOTHING)];
                }
            }
        }
    }

    /// Looks up the pairs of all children.
    #[inline(always)]
    fn look_up<B: Gather>(&mut self, bits: B, opponent: u32, free: u32) {
        let PlacingClass { tables, pairs, entries, ref ladder, .. } = *self.class;
        let (halved, size) = (ladder.more.halved, ladder.more.size);
        self.images.clear();
        for image in tables.opponents(pairs.half()).images() {
            self.images.push(image.apply(opponent));
        }
        self.ranks.fill(bits, tables, halved, size, free);
        for upper in 0..1 << halved.upper() {
            let Some((row, left)) = ladder.more.upper_row(upper) else { continue };
            let (base, lowers) = self.ranks.of_row(bits, halved, upper, left, free);
            for &rank in lowers {
                let entry = entries.at(base + rank);
                let slot = entry.slot(bits, pairs.half(), self.images[usize::from(entry.symmetry())]);
                prefetch(&pairs.list()[slot as usize]);
                // No half of 24 points has as many as 2^32.
                self.slots.push(slot as u32);
            }
            self.asked.push(Asked { upper, row, left });
            if self.slots.len() >= GROUP {
                self.receive();
            }
        }
        self.receive();
    }

    /// Writes down the pairs that were asked for.
    #[inline(always)]
    fn receive(&mut self) {
        let PlacingClass { tables, pairs, ref ladder, .. } = *self.class;
        let mut slots = &self.slots[..];
        for Asked { upper, row, left } in self.asked.drain(..) {
            let lowers = tables.subsets(ladder.more.halved.lower(), left);
            let column = combinations::rank(upper.into()) as usize;
            let (here, others) = slots.split_at(lowers.len());
            for (at, (&slot, &lower)) in here.iter().zip(lowers).enumerate() {
                let [quiet, taken] = pairs.list()[slot as usize].to_le_bytes();
                let by_lower = ladder.more.lower_row(lower) as usize + column;
                *byte_at(&mut self.quiet[0], row + at) = quiet;
                *byte_at(&mut self.quiet[1], by_lower) = quiet;
                *byte_at(&mut self.taken[0], row + at) = taken;
                *byte_at(&mut self.taken[1], by_lower) = taken;
            }
            slots = others;
        }
        self.slots.clear();
    }

    /// The codes of all slots, in order.
    #[inline(always)]
    fn read_off(&self, codes: &mut [i16]) {
        let PlacingClass { tables, ref ladder, .. } = *self.class;
        let halved = ladder.fewer.halved;
        let mut rest = codes;
        for upper in 0..1 << halved.upper() {
            let Some((row, left)) = ladder.fewer.upper_row(upper) else { continue };
            let column = combinations::rank(upper.into()) as usize;
            let lowers = tables.subsets(halved.lower(), left);
            let (here, others) = rest.split_at_mut(lowers.len());
            for (at, (code, &lower)) in here.iter_mut().zip(lowers).enumerate() {
                let by_lower = read_at(&self.best[1], ladder.fewer.lower_row(lower) as usize + column);
                let best = read_at(&self.best[0], row + at).max(by_lower);
                *code = self.codes[usize::from(best)];
            }
            rest = others;
        }
    }
}
