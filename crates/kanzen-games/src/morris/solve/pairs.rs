//! What moves into an earlier class are worth, by row and column: see [`take_rows`](super::take_rows).
//!
//! ```text
//!   Pairs   placing: quiet in the low byte, the best take in the high one        Takes   moving: the best take
//! ```
//!
//! After that a placement asks for one pair, and a move that closes a mill for one byte. Of rows whose player has no mill
//! nobody wants takes: there they are not made.

use kanzen::index::binomial;
use kanzen::machine::cpu::{Gather, Isa, Work, dispatch_on};
use kanzen::machine::{Array, Plain};
use kanzen::solve::Job;
use kanzen::solve::retrograde::Earlier;
use kanzen::{Error, Reservation};
use rayon::prelude::*;

use super::grid::Ladder;
use super::take_rows::{Codes, TakeRows};
use super::worth::NOTHING;
use crate::morris::Morris;
use crate::morris::index::{Half, HalfAt, OrbitInfo, Phases, Tables};

/// Entries that a thread makes at a time, about.
const TOGETHER: usize = 1 << 16;

/// A game with its numbering.
#[derive(Clone, Copy)]
pub struct Numbered<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
}

impl<'w> Numbered<'w> {
    /// The codes of positions with these counts, if they are all here and have the symmetries of sliding play.
    fn codes(&self, earlier: &'w Earlier, in_hand: u32, mover: u32, opponent: u32) -> Option<Codes<'w>> {
        let HalfAt { class, first, half } = self.phases.find(in_hand, mover, opponent)?;
        let codes = &earlier.plane(class)?[first as usize..][..half.slots as usize];
        (!half.flying).then(|| Codes { half, opponents: self.tables.opponents(half), codes })
    }
}

/// Quiet moves and takes, by slot of the positions after quiet ones.
pub struct Pairs {
    list: Array<u16>,
    half: Half,
    _memory: Reservation,
}

impl Pairs {
    /// The pairs of what a placing class leads to; none if it leads elsewhere than to two classes with the same
    /// symmetries, if a value there has no byte, or if there is no memory for them.
    pub fn make(
        isa: Isa,
        numbered: Numbered<'_>,
        (in_hand, half): (u32, Half),
        earlier: &Earlier,
        job: &Job<'_>,
    ) -> Result<Option<Pairs>, Error> {
        let codes = |left: u32| numbered.codes(earlier, in_hand - 1, left, half.mover + 1);
        let (quiet, after) = (codes(half.opponent), half.opponent.checked_sub(1).and_then(codes));
        let (Some(quiet), Some(after)) = (quiet, after) else { return Ok(None) };
        let half = quiet.half;
        let Some((mut list, memory)) = array(job, "what placements lead to", half.slots)? else { return Ok(None) };
        let ladder = TakeRows::ladder(numbered.game, after.half);
        let fits = rows(isa, &mut list, half, |first, pairs| PairRows {
            numbered,
            quiet,
            after,
            ladder: &ladder,
            first,
            pairs,
        });
        Ok(fits.then_some(Pairs { list, half, _memory: memory }))
    }

    /// The positions that quiet moves lead to.
    pub fn half(&self) -> Half {
        self.half
    }

    /// The pairs, by slot of the [`half`](Pairs::half).
    #[inline(always)]
    pub fn list(&self) -> &[u16] {
        &self.list
    }
}

/// Takes, by slot of the positions before a man is taken, the other player to move.
pub struct Takes {
    list: Array<u8>,
    half: Half,
    _memory: Reservation,
}

impl Takes {
    /// The takes of half a moving class; none as for [`Pairs`].
    pub fn make(
        isa: Isa,
        numbered: Numbered<'_>,
        half: Half,
        earlier: &Earlier,
        job: &Job<'_>,
    ) -> Result<Option<Takes>, Error> {
        let Some(after) = numbered.codes(earlier, 0, half.opponent - 1, half.mover) else { return Ok(None) };
        let Some(HalfAt { half, .. }) = numbered.phases.find(0, half.opponent, half.mover) else { return Ok(None) };
        let Some((mut list, memory)) = array(job, "what takes lead to", half.slots)? else { return Ok(None) };
        let ladder = TakeRows::ladder(numbered.game, after.half);
        let fits =
            rows(isa, &mut list, half, |first, takes| OnlyTakes { numbered, after, ladder: &ladder, first, takes });
        Ok(fits.then_some(Takes { list, half, _memory: memory }))
    }

    /// The positions that the takes are listed by.
    pub fn half(&self) -> Half {
        self.half
    }

    /// The best takes, by slot of the [`half`](Takes::half).
    #[inline(always)]
    pub fn list(&self) -> &[u8] {
        &self.list
    }
}

/// Room for so many, if the job has it.
fn array<T: Plain>(job: &Job<'_>, what: &str, len: u64) -> Result<Option<(Array<T>, Reservation)>, Error> {
    let Ok(memory) = job.reserve(what, size_of::<T>() as u64 * len) else { return Ok(None) };
    Ok(Some((Array::zeroed(what, len as usize)?, memory)))
}

/// Makes all rows of a half, some at a time; `false` if a value has no byte.
fn rows<'l, T: Plain, W: Work<Output = bool>>(
    isa: Isa,
    list: &'l mut Array<T>,
    half: Half,
    work: impl Fn(u32, &'l mut [T]) -> W + Sync,
) -> bool {
    let row = half.per_orbit as usize;
    let together = TOGETHER / row + 1;
    let chunks = list.par_chunks_mut(together * row).enumerate();
    chunks.all(|(number, chunk)| dispatch_on(isa, work((number * together) as u32, chunk)))
}

struct PairRows<'s, 'w> {
    numbered: Numbered<'w>,
    quiet: Codes<'w>,
    after: Codes<'w>,
    ladder: &'s Ladder,
    first: u32,
    pairs: &'s mut [u16],
}

impl Work for PairRows<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> bool {
        let PairRows { numbered: Numbered { game, tables, .. }, quiet, after, ladder, first, pairs } = self;
        let row = quiet.half.per_orbit as usize;
        let (mut quiet_row, mut taken_row) = (vec![NOTHING; row], vec![NOTHING; row]);
        let mut takes = TakeRows::new(game, tables, ladder, after);
        for (orbit, pairs) in (first..).zip(pairs.chunks_mut(row)) {
            let OrbitInfo { opponent, loose, .. } = *quiet.opponents.info(orbit);
            if !quiet.worths(bits, game, tables, orbit, &mut quiet_row) {
                return false;
            }
            if opponent == loose {
                for (pair, &quiet) in pairs.iter_mut().zip(&quiet_row) {
                    *pair = quiet.into();
                }
                continue;
            }
            if !takes.make(bits, orbit, &mut taken_row) {
                return false;
            }
            for ((pair, &quiet), &taken) in pairs.iter_mut().zip(&quiet_row).zip(&taken_row) {
                *pair = u16::from(quiet) | u16::from(taken) << 8;
            }
        }
        true
    }
}

struct OnlyTakes<'s, 'w> {
    numbered: Numbered<'w>,
    after: Codes<'w>,
    ladder: &'s Ladder,
    first: u32,
    takes: &'s mut [u8],
}

impl Work for OnlyTakes<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> bool {
        let OnlyTakes { numbered: Numbered { game, tables, .. }, after, ladder, first, takes } = self;
        let row = binomial(game.board().points - after.half.opponent, after.half.mover + 1) as usize;
        let mut rows = TakeRows::new(game, tables, ladder, after);
        for (orbit, takes) in (first..).zip(takes.chunks_mut(row)) {
            let OrbitInfo { opponent, loose, .. } = *after.opponents.info(orbit);
            if opponent != loose && !rows.make(bits, orbit, takes) {
                return false;
            }
        }
        true
    }
}
