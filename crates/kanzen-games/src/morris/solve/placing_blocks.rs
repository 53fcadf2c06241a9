//! The hot loop of the placing classes where values are bytes: opponents that share their high men, a group at a time.
//!
//! ```text
//!   opponent o fixed, all movers m of what o leaves free: one block of slots
//!
//!   1. for each p = m + t: the pair (quiet, taken), brought across from the row of p's orbit for a whole group of blocks
//!   2. handed down to each m = p - t: `taken` if t stands in a mill of p, else `quiet`; rows at a time
//!   3. the best byte of each m is its value
//! ```
//!
//! What waits for memory is bringing the pairs across, a cache line for some dozen of them: see [`Crossing`]. A block stays
//! in the first caches. [`PlacingLook`](super::placing::PlacingLook) is the twin that works with any values, wherever they
//! are.

use std::ops::Range;

use kanzen::machine::cpu::{Gather, Work};

use super::crossing::{Crossed, Crossing};
use super::grid::{Both, FreeMills, Ladder, Lanes};
use super::pairs::Pairs;
use super::worth::{self, NOTHING};
use crate::morris::Morris;
use crate::morris::index::{Half, Opponents, OrbitInfo, Standing, Tables};

/// What all blocks of a class have in common.
pub struct PlacingClass<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub half: Half,
    pub pairs: &'w Pairs,
    pub crossing: Crossing<'w>,
    pub ladder: Ladder,
}

impl<'w> PlacingClass<'w> {
    /// A class whose children have these pairs.
    pub fn new(game: &'w Morris, tables: &'w Tables, half: Half, pairs: &'w Pairs) -> PlacingClass<'w> {
        let ladder = Ladder::new(game.board().points - half.opponent, half.mover + 1);
        PlacingClass { game, tables, half, pairs, crossing: Crossing::new(game, tables, pairs.half()), ladder }
    }
}

/// Writes the codes of the slots of some orbits, whole groups.
pub struct PlacingBlocks<'s, 'w> {
    pub class: &'s PlacingClass<'w>,
    pub orbits: Range<u32>,
    pub codes: &'s mut [i16],
}

impl Work for PlacingBlocks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let PlacingBlocks { class, orbits, codes } = self;
        let mut block = Block::new(class);
        let mut group = None;
        for (orbit, codes) in orbits.zip(codes.chunks_mut(class.half.per_orbit as usize)) {
            let opponent = block.opponents.info(orbit).opponent;
            let high = class.crossing.high(opponent);
            if group.replace(high) != Some(high) {
                class.crossing.bring(bits, &mut block.crossed, high, class.pairs.list(), |_| true, &mut block.rows);
            }
            block.settle(bits, orbit, codes);
        }
    }
}

/// The slots against one opponent's mask.
struct Block<'s, 'w> {
    class: &'s PlacingClass<'w>,
    opponents: &'w Opponents,
    crossed: Crossed,
    /// The pairs of the children of a group of blocks.
    rows: Vec<u16>,
    quiet: Both,
    taken: Both,
    best: Both,
    /// The rows of `best` by lower part, as rows by upper part.
    turned: Vec<Lanes>,
}

impl<'s, 'w> Block<'s, 'w> {
    fn new(class: &'s PlacingClass<'w>) -> Block<'s, 'w> {
        let Ladder { more, fewer, .. } = &class.ladder;
        Block {
            class,
            opponents: class.tables.opponents(class.half),
            crossed: Crossed::default(),
            rows: vec![0; class.crossing.rows() * class.crossing.row()],
            quiet: more.filled(NOTHING),
            taken: more.filled(NOTHING),
            best: fewer.filled(NOTHING),
            turned: fewer.filled(NOTHING)[0].clone(),
        }
    }

    #[inline(always)]
    fn settle<B: Gather>(&mut self, bits: B, orbit: u32, codes: &mut [i16]) {
        let PlacingClass { game, ref ladder, .. } = *self.class;
        let OrbitInfo { opponent, alone, .. } = *self.opponents.info(orbit);
        let free = game.board().all() & !opponent;
        self.spread(opponent);
        let mills = FreeMills::new(bits, game.board(), ladder.more.halved, free);
        for rows in &mut self.best {
            Ladder::clear(rows);
        }
        ladder.hand_down(&mills, &self.quiet, &self.taken, &mut self.best);
        self.read_off(codes);
        if !alone {
            for (code, &gathered) in codes.iter_mut().zip(self.class.tables.movers(self.class.half)) {
                if self.opponents.standing(orbit, bits.pdep32(gathered, free)) == Standing::Hole {
                    *code = worth::value(NOTHING).code();
                }
            }
        }
    }

    /// Writes down the pairs of all children against these men, by upper and by lower part.
    #[inline(always)]
    fn spread(&mut self, opponent: u32) {
        let PlacingClass { ref crossing, ref ladder, .. } = *self.class;
        let row = &self.rows[crossing.number(opponent) * crossing.row()..][..crossing.row()];
        let ([quiet, quiet_by_lower], [taken, taken_by_lower]) = (&mut self.quiet, &mut self.taken);
        ladder.more.spread(row, [&mut quiet[..], &mut taken[..]], u16::to_le_bytes);
        ladder.more.turn_to_lower(quiet, quiet_by_lower);
        ladder.more.turn_to_lower(taken, taken_by_lower);
    }

    /// The codes of all slots, in order.
    #[inline(always)]
    fn read_off(&mut self, codes: &mut [i16]) {
        let Ladder { fewer, .. } = &self.class.ladder;
        let [best, best_by_lower] = &self.best;
        fewer.turn_to_upper(best_by_lower, &mut self.turned);
        let mut rest = codes;
        fewer.read_best(best, &self.turned, |bests| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(bests.len());
            worth::codes_of(bests, here);
            rest = others;
        });
    }
}
