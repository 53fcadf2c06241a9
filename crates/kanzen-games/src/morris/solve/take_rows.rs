//! The best take for every position of a row, made from the row of what follows.
//!
//! ```text
//!   p   the men of the player who takes, up to symmetry: a row
//!   o   the men of the other one: a column          o - x: a column of the row after a take
//!
//!   taken(p, o) = best of the worths of (o - x to move, against p), over the x that may be taken
//! ```
//!
//! Each move that closes a mill would otherwise ask for the value of every take, a cache line each. A row is a few
//! thousand bytes, and all its takes are a few hundred steps of 32 bytes: see [`Ladder`].

use kanzen::index::{combinations, points};
use kanzen::machine::cpu::Gather;

use super::grid::{Both, FreeMills, Ladder, Lanes};
use super::worth::{self, NOTHING};
use crate::morris::Morris;
use crate::morris::index::{Half, Opponents, Tables};

/// Some positions of an earlier class: by slot of the half, their codes.
#[derive(Clone, Copy)]
pub struct Codes<'w> {
    pub half: Half,
    pub opponents: &'w Opponents,
    pub codes: &'w [i16],
}

impl Codes<'_> {
    /// What the positions of a row are worth, those of empty slots too, so that nobody has to look for the smallest image
    /// of a mask; `false` if a value has no byte.
    #[inline(always)]
    pub fn worths<B: Gather>(&self, bits: B, game: &Morris, tables: &Tables, orbit: u32, worths: &mut [u8]) -> bool {
        let Codes { half, opponents, codes } = *self;
        let row = half.per_orbit as usize;
        let fits = worth::of_codes(&codes[orbit as usize * row..][..row], worths);
        if !opponents.info(orbit).alone {
            let against = opponents.against_orbit(half, (orbit, 0));
            let first = u64::from(orbit) * half.per_orbit;
            let free = game.board().all() & !opponents.info(orbit).opponent;
            for (rank, &gathered) in tables.movers(half).iter().enumerate() {
                let smallest = against.slot_of_image(bits, bits.pdep32(gathered, free)) - first;
                worths[rank] = worths[smallest as usize];
            }
        }
        fits
    }
}

/// What a thread makes rows of takes with.
pub struct TakeRows<'w> {
    game: &'w Morris,
    tables: &'w Tables,
    ladder: &'w Ladder,
    after: Codes<'w>,
    worths: Vec<u8>,
    after_rows: Both,
    taken_rows: Both,
    /// The rows of takes by lower part, as rows by upper part.
    turned: Vec<Lanes>,
}

impl<'w> TakeRows<'w> {
    /// Makes rows from what follows the takes; the ladder is that of the men of whom one is taken.
    pub fn new(game: &'w Morris, tables: &'w Tables, ladder: &'w Ladder, after: Codes<'w>) -> TakeRows<'w> {
        let worths = vec![NOTHING; after.half.per_orbit as usize];
        let (after_rows, taken_rows) = (ladder.fewer.filled(NOTHING), ladder.more.filled(NOTHING));
        let turned = taken_rows[0].clone();
        TakeRows { game, tables, ladder, after, worths, after_rows, taken_rows, turned }
    }

    /// The ladder for rows of takes that lead to some positions.
    pub fn ladder(game: &Morris, after: Half) -> Ladder {
        Ladder::new(game.board().points - after.opponent, after.mover + 1)
    }

    /// Writes the row of an orbit; `false` if a value has no byte.
    #[inline(always)]
    pub fn make<B: Gather>(&mut self, bits: B, orbit: u32, taken: &mut [u8]) -> bool {
        let TakeRows { game, tables, ladder, after, .. } = *self;
        if !after.worths(bits, game, tables, orbit, &mut self.worths) {
            return false;
        }
        let free = game.board().all() & !after.opponents.info(orbit).opponent;
        let [by_upper, by_lower] = &mut self.after_rows;
        ladder.fewer.spread(&self.worths, [&mut by_upper[..]], |worth| [worth]);
        ladder.fewer.turn_to_lower(by_upper, by_lower);
        for rows in &mut self.taken_rows {
            Ladder::clear(rows);
        }
        let mills = FreeMills::new(bits, game.board(), ladder.more.halved, free);
        ladder.take(&mills, &self.after_rows, &mut self.taken_rows);
        ladder.more.turn_to_upper(&self.taken_rows[1], &mut self.turned);
        let mut rest = &mut taken[..];
        ladder.more.read_best(&self.taken_rows[0], &self.turned, |best| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(best.len());
            here.copy_from_slice(best);
            rest = others;
        });
        // Where all men stand in mills, any may be taken.
        let on_board = game.board().lines().filter(|mill| mill & !free == 0);
        for all in unions(on_board, after.half.mover + 1) {
            let all = bits.pext32(all, free);
            let mut best = NOTHING;
            for point in points(all) {
                best = best.max(self.worths[combinations::rank((all ^ 1 << point).into()) as usize]);
            }
            taken[combinations::rank(all.into()) as usize] = best;
        }
        true
    }
}

/// The masks of a size that consist of mills.
fn unions(mills: impl Iterator<Item = u32>, size: u32) -> Vec<u32> {
    let mut found = vec![0];
    for mill in mills {
        let more: Vec<u32> = found.iter().map(|one| one | mill).filter(|one| one.count_ones() <= size).collect();
        found.extend(more);
        found.sort_unstable();
        found.dedup();
    }
    found.retain(|one| one.count_ones() == size);
    found
}
