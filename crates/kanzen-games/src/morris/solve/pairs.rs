//! Lists the scores of moves into earlier classes, by row and column, so that the hot loops read one entry per move.
//!
//! ```text
//!   Pairs   placing: quiet in the low byte, the best take in the high one        Takes   moving: the best take
//! ```
//!
//! A placement then reads one pair, and a move that closes a mill one byte. Takes are not computed for rows whose
//! player has no mill.
//!
//! # Rows of takes
//!
//! [`TakeRows`] computes the best take for every position of a row from the row after the take:
//!
//! ```text
//!   p   the men of the player who takes, up to symmetry: a row
//!   o   the men of the other one: a column          o - x: a column of the row after a take
//!
//!   taken(p, o) = best of the scores of (o - x to move, against p), over the x that may be taken
//! ```
//!
//! Otherwise each move that closes a mill would read the value of every take, a cache line each. A row is a few
//! thousand bytes, and all its takes are a few hundred steps of 32 bytes: see [`Ladder`].
//!
//! # Takes of a block
//!
//! [`TakenBlock`] reads the takes of all moves against some opponents, each position after a move once:
//!
//! ```text
//!   opponent o fixed:  p = the mover's men after a move that closed a mill, any of those that o leaves free
//!   p is reached from several m of the block, and by several moves
//! ```
//!
//! Cache misses come from gathering the bytes of all p with a mill for a group of opponents: see [`RowGather`].

use std::sync::LazyLock;

use kanzen::Error;
use kanzen_core::Reservation;
use kanzen_core::index::{binomial, combinations, points};
use kanzen_core::machine::cpu::{Gather, Isa, Work, dispatch_on};
use kanzen_core::machine::{Array, Plain};
use kanzen_solve::Job;
use kanzen_solve::retrograde::Earlier;
use rayon::prelude::*;

use super::grid::{Both, FreeMills, Ladder, Lanes};
use super::initial_pass::{NO_SCORE, child_value, scores_of_codes};
use super::row_gather::{GatherScratch, RowGather};
use crate::morris::Morris;
use crate::morris::index::{Half, HalfAt, Opponents, OrbitInfo, Phases, Tables};

/// Entries per parallel task, about.
const TOGETHER: usize = 1 << 16;

/// A game with its index tables.
#[derive(Clone, Copy)]
pub struct Numbered<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
}

impl<'w> Numbered<'w> {
    /// Returns the codes of positions with these counts, if all are available and have the symmetries of sliding play.
    fn codes(&self, earlier: &'w Earlier, in_hand: u32, mover: u32, opponent: u32) -> Option<Codes<'w>> {
        let HalfAt { class, first, half } = self.phases.find(in_hand, mover, opponent)?;
        let codes = &earlier.plane(class)?[first as usize..][..half.slots as usize];
        (!half.flying).then(|| Codes { half, opponents: self.tables.opponents(half), codes })
    }
}

/// Scores of quiet moves and takes, by slot of the positions after quiet moves.
pub struct Pairs {
    list: Array<u16>,
    half: Half,
    _memory: Reservation,
}

impl Pairs {
    /// Computes the pairs of a placing class. Returns `None` if it does not lead to two classes with the same
    /// symmetries, if a value has no score, or if there is no memory for them.
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

    /// Returns the positions after quiet moves.
    pub fn half(&self) -> Half {
        self.half
    }

    /// Returns the pairs, by slot of [`half`](Pairs::half).
    #[inline(always)]
    pub fn list(&self) -> &[u16] {
        &self.list
    }
}

/// Scores of takes, by slot of the positions before a man is taken, the other player to move.
pub struct Takes {
    list: Array<u8>,
    half: Half,
    _memory: Reservation,
}

impl Takes {
    /// Computes the takes of half a moving class; `None` as for [`Pairs`].
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

    /// Returns the positions by which the takes are listed.
    pub fn half(&self) -> Half {
        self.half
    }

    /// Returns the best takes, by slot of [`half`](Takes::half).
    #[inline(always)]
    pub fn list(&self) -> &[u8] {
        &self.list
    }
}

/// Allocates an array if the job has the memory.
fn array<T: Plain>(job: &Job<'_>, what: &str, len: u64) -> Result<Option<(Array<T>, Reservation)>, Error> {
    let Ok(memory) = job.reserve(what, size_of::<T>() as u64 * len) else { return Ok(None) };
    Ok(Some((Array::zeroed(what, len as usize)?, memory)))
}

/// Computes all rows of a half in parallel; returns `false` if a value has no score.
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
        let (mut quiet_row, mut taken_row) = (vec![NO_SCORE; row], vec![NO_SCORE; row]);
        let mut takes = TakeRows::new(game, tables, ladder, after);
        for (orbit, pairs) in (first..).zip(pairs.chunks_mut(row)) {
            let OrbitInfo { opponent, loose, .. } = *quiet.opponents.info(orbit);
            if !quiet.scores(bits, game, tables, orbit, &mut quiet_row) {
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

/// Positions of an earlier class: by slot of the half, their codes.
#[derive(Clone, Copy)]
pub struct Codes<'w> {
    pub half: Half,
    pub opponents: &'w Opponents,
    pub codes: &'w [i16],
}

impl Codes<'_> {
    /// Writes the scores of a row's positions, holes included, so that lookups need not find the smallest image of a
    /// mask. Returns `false` if a value has no score.
    #[inline(always)]
    pub fn scores<B: Gather>(&self, bits: B, game: &Morris, tables: &Tables, orbit: u32, scores: &mut [u8]) -> bool {
        let Codes { half, opponents, codes } = *self;
        let row = half.per_orbit as usize;
        let fits = scores_of_codes(&codes[orbit as usize * row..][..row], scores);
        if !opponents.info(orbit).alone {
            let against = opponents.against_orbit(half, (orbit, 0));
            let first = u64::from(orbit) * half.per_orbit;
            let free = game.board().all() & !opponents.info(orbit).opponent;
            for (rank, &gathered) in tables.movers(half).iter().enumerate() {
                let smallest = against.slot_of_image(bits, bits.pdep32(gathered, free)) - first;
                scores[rank] = scores[smallest as usize];
            }
        }
        fits
    }
}

/// A thread's state for computing rows of takes.
pub struct TakeRows<'w> {
    game: &'w Morris,
    tables: &'w Tables,
    ladder: &'w Ladder,
    after: Codes<'w>,
    scores: Vec<u8>,
    after_rows: Both,
    taken_rows: Both,
    /// The rows of takes by lower part, transposed to rows by upper part.
    transposed: Vec<Lanes>,
}

impl<'w> TakeRows<'w> {
    /// Prepares rows of takes that lead to `after`. The ladder is that of the men of whom one is taken.
    pub fn new(game: &'w Morris, tables: &'w Tables, ladder: &'w Ladder, after: Codes<'w>) -> TakeRows<'w> {
        let scores = vec![NO_SCORE; after.half.per_orbit as usize];
        let (after_rows, taken_rows) = (ladder.fewer.filled(NO_SCORE), ladder.more.filled(NO_SCORE));
        let transposed = taken_rows[0].clone();
        TakeRows { game, tables, ladder, after, scores, after_rows, taken_rows, transposed }
    }

    /// Builds the ladder for rows of takes that lead to `after`.
    pub fn ladder(game: &Morris, after: Half) -> Ladder {
        Ladder::new(game.board().points - after.opponent, after.mover + 1)
    }

    /// Writes the row of an orbit; returns `false` if a value has no score.
    #[inline(always)]
    pub fn make<B: Gather>(&mut self, bits: B, orbit: u32, taken: &mut [u8]) -> bool {
        let TakeRows { game, tables, ladder, after, .. } = *self;
        if !after.scores(bits, game, tables, orbit, &mut self.scores) {
            return false;
        }
        let free = game.board().all() & !after.opponents.info(orbit).opponent;
        let [by_upper, by_lower] = &mut self.after_rows;
        ladder.fewer.spread(&self.scores, [&mut by_upper[..]], |score| [score]);
        ladder.fewer.transpose_to_lower(by_upper, by_lower);
        for rows in &mut self.taken_rows {
            Ladder::clear(rows);
        }
        let mills = FreeMills::new(bits, game.board(), ladder.more.halved, free);
        ladder.take(&mills, &self.after_rows, &mut self.taken_rows);
        ladder.more.transpose_to_upper(&self.taken_rows[1], &mut self.transposed);
        let mut rest = &mut taken[..];
        ladder.more.read_best(&self.taken_rows[0], &self.transposed, |best| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(best.len());
            here.copy_from_slice(best);
            rest = others;
        });
        // Where all men stand in mills, any may be taken.
        let on_board = game.board().lines().filter(|mill| mill & !free == 0);
        for all in unions(on_board, after.half.mover + 1) {
            let all = bits.pext32(all, free);
            let mut best = NO_SCORE;
            for point in points(all) {
                best = best.max(self.scores[combinations::rank((all ^ 1 << point).into()) as usize]);
            }
            taken[combinations::rank(all.into()) as usize] = best;
        }
        true
    }
}

/// Returns the masks of a size that are unions of mills.
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

/// By score, the code of a child.
static CODES: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|score| child_value(score as u8).code().into()));

/// The scores of moves that close a mill, by rank of the mover's men after the move.
pub struct TakenBlock<'s, 'w> {
    row_gather: &'s RowGather<'w>,
    takes: &'s Takes,
    codes: &'static [i32; 256],
    scratch: GatherScratch,
    /// The high men of the gathered group.
    group: Option<u32>,
    rows: Vec<u8>,
    /// The start of the current block's row.
    row: usize,
}

impl<'s, 'w> TakenBlock<'s, 'w> {
    /// Reads takes from a list.
    pub fn new(row_gather: &'s RowGather<'w>, takes: &'s Takes) -> TakenBlock<'s, 'w> {
        let rows = vec![0; row_gather.rows() * row_gather.row()];
        TakenBlock { row_gather, takes, codes: &CODES, scratch: GatherScratch::default(), group: None, rows, row: 0 }
    }

    /// Moves on to the block against these men.
    #[inline(always)]
    pub fn go_to<B: Gather>(&mut self, bits: B, opponent: u32) {
        let high = self.row_gather.high(opponent);
        self.row = self.row_gather.number(opponent) * self.row_gather.row();
        if self.group.replace(high) != Some(high) {
            let list = self.takes.list();
            self.row_gather.gather(bits, &mut self.scratch, high, list, |entry| entry.has_mill(), &mut self.rows);
        }
    }

    /// Returns the code of the worst child after a mill was closed with these men of the mover.
    #[inline(always)]
    pub fn code<B: Gather>(&self, bits: B, after: u32, free: u32) -> i32 {
        let rank = combinations::rank(bits.pext32(after, free).into());
        self.codes[usize::from(self.rows[self.row + rank as usize])]
    }
}
