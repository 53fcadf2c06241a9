//! Initial pass of a moving class: counts the open moves of each slot and takes values from earlier classes.
//!
//! ```text
//!   opponent o fixed, mover m runs through the subsets of what o leaves free
//!   quiet moves are only counted:  sum over m's pieces of |neighbours & empty|, less those that close mills
//!   takes are looked up in an earlier class, prefetched in batches
//! ```
//!
//! **Edges.** Moves of a symmetric position are images of each other. An edge is a move up to the symmetries of its
//! start, or an un-move up to the symmetries of its end. Both count the pairs (position, next position) up to symmetry,
//! so the initial pass and the parents agree without comparing slots.
//!
//! # Scores
//!
//! A *score* is the value of a child in one byte, from the view of the parent's mover:
//!
//! ```text
//!   0        1 ..... 126          127    129 ......... 255
//!   no child won in 1 ... in 251  draw   lost in 252 ... in 0      by the side to move in the child
//! ```
//!
//! Larger is better, so that the best of many children is a maximum, 32 bytes per instruction. Wins take an odd number
//! of plies here and losses an even one: the only finished games are lost for the mover at once. If a distance is
//! longer or has the wrong parity, [`scores_of_codes`] returns `false`, and scores are not used.

use std::ops::Range;

use kanzen::Value;
use kanzen_core::index::points;
use kanzen_core::machine::cpu::{Gather, Work};
use kanzen_solve::retrograde::{Earlier, Prospects, SlotInit};

use super::graph::{LOST_AT_ONCE, Target};
use super::pairs::{TakenBlock, Takes};
use super::parents::is_least;
use super::row_gather::RowGather;
use crate::morris::Morris;
use crate::morris::index::{Half, OrbitInfo, Phase, Phases, SlotKind, Tables};

/// Slots per batch of lookups: their prefetched lines fit into the L1 cache.
const BATCH: usize = 32;
/// No settled child yet.
const NO_CHILD: i32 = i32::MAX;

/// Adds the initial words of a range of slots of a moving class.
pub struct InitialPass<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
    pub phase: Phase,
    pub slots: Range<u64>,
    pub earlier: &'w Earlier,
    pub inits: &'w mut Vec<SlotInit>,
}

impl Work for InitialPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let InitialPass { game, tables, phases, phase, slots, earlier, inits } = self;
        let scan = MoveScan { game, tables };
        let mut batch = Batch::new(inits);
        for (first, half) in phase.halves() {
            let from = slots.start.max(first);
            let to = slots.end.min(first + half.slots);
            if from >= to {
                continue;
            }
            let target = Target::find(tables, phases, earlier, 0, half.opponent - 1, half.mover);
            let (mut last_opponent, mut removable) = (0, 0);
            scan.moving(bits, half, from - first..to - first, &mut batch, |batch, worst, opponent, after| {
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

/// Adds the initial words of all slots against some opponents of half a moving class whose takes are listed.
pub struct MovingBlocks<'s> {
    pub game: &'s Morris,
    pub tables: &'s Tables,
    pub half: Half,
    /// `None` if losing a man loses the game.
    pub takes: Option<(&'s Takes, &'s RowGather<'s>)>,
    pub orbits: Range<u32>,
    pub inits: &'s mut Vec<SlotInit>,
}

impl Work for MovingBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let MovingBlocks { game, tables, half, takes, orbits, inits } = self;
        let scan = MoveScan { game, tables };
        let mut batch = Batch::new(inits);
        let mut block = takes.map(|(takes, row_gather)| TakenBlock::new(row_gather, takes));
        for orbit in orbits {
            let opponent = tables.opponents(half).info(orbit).opponent;
            let free = game.board().all() & !opponent;
            if let Some(block) = &mut block {
                block.go_to(bits, opponent);
            }
            let first = u64::from(orbit) * half.per_orbit;
            scan.moving(bits, half, first..first + half.per_orbit, &mut batch, |_, worst, _, after| {
                let code = block.as_ref().map_or(LOST_AT_ONCE.into(), |block| block.code(bits, after, free));
                *worst = (*worst).min(code);
            });
        }
        batch.settle();
    }
}

/// Slots of a batch, and their pending lookups.
struct Batch<'w> {
    edges: [u32; BATCH],
    /// The code of the child that is worst for its mover, and so best for ours. Only that one counts among settled
    /// children.
    worst: [i32; BATCH],
    ended: [Option<Value>; BATCH],
    slots: usize,
    /// The slot in the batch, and the prefetched code.
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
                    prospects.add(Value::from_code(code).expect("the code of a value"));
                }
                SlotInit::open(self.edges[slot], prospects)
            }
        }));
        self.slots = 0;
    }
}

struct MoveScan<'w> {
    game: &'w Morris,
    tables: &'w Tables,
}

impl<'w> MoveScan<'w> {
    /// Visits the slots of a range: orbit, opponent, mover, and the kind of the slot.
    #[inline(always)]
    fn each_slot<B: Gather>(
        &self,
        bits: B,
        half: Half,
        slots: Range<u64>,
        mut visit: impl FnMut(u32, u32, u32, SlotKind),
    ) {
        let opponents = self.tables.opponents(half);
        let movers = self.tables.movers(half);
        let mut slot = slots.start;
        while slot < slots.end {
            let (orbit, rank) = half.split(slot);
            let count = (slots.end - slot).min(half.per_orbit - rank) as usize;
            let OrbitInfo { opponent, alone, .. } = *opponents.info(orbit);
            let free = self.game.board().all() & !opponent;
            for &gathered in &movers[rank as usize..rank as usize + count] {
                let mover = bits.pdep32(gathered, free);
                let kind = if alone { SlotKind::Alone } else { opponents.slot_kind(orbit, mover) };
                visit(orbit, opponent, mover, kind);
            }
            slot += count as u64;
        }
    }

    /// Scans a range of slots. Calls `take` for each move that closes a mill, with the worst child so far, the
    /// opponent's men, and the mover's men after the move.
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
        self.each_slot(bits, half, slots, |orbit, opponent, mover, kind| {
            if kind == SlotKind::Hole {
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
            let edges = match kind {
                SlotKind::Symmetric => {
                    let stabilizer = self.tables.opponents(half).position_stabilizer(orbit, mover);
                    self.quiet_moves(mover, empty, flies).filter(|&quiet| is_least(quiet, &stabilizer)).count() as u32
                }
                _ => moves - takes,
            };
            batch.done(edges, worst, None);
        });
    }

    /// Lists the moves that close no mill.
    fn quiet_moves(&self, mover: u32, empty: u32, flies: bool) -> impl Iterator<Item = (u32, u32)> {
        let board = self.game.board();
        points(mover).flat_map(move |from| {
            let reach = if flies { empty } else { board.neighbours[from as usize] & empty };
            points(reach).filter(move |&to| !board.closes(mover ^ 1 << from, to)).map(move |to| (from, to))
        })
    }
}

/// Less than any child.
pub const NO_SCORE: u8 = 0;
/// The score of a draw.
const DRAW: u8 = 127;
/// The score of a child whose mover has lost: the maximum.
pub const LOSS_SCORE: u8 = 255;
/// The longest distances that have a score.
const LONGEST_WIN: i16 = 251;
const LONGEST_LOSS: i16 = 252;

/// Writes the scores of children with these codes ([`Value::code`]); returns `false` if one has no score.
#[inline(always)]
pub fn scores_of_codes(codes: &[i16], scores: &mut [u8]) -> bool {
    let mut unfit = 0i16;
    for (score, &code) in scores.iter_mut().zip(codes) {
        let (won, lost) = (i16::MAX.wrapping_sub(code), code.wrapping_add(i16::MAX));
        // Branch-free for vectorization: all three are computed, one is selected.
        let (is_won, is_lost) = (code > 0, code < 0);
        let of_win = (won >> 1).wrapping_add(1);
        let of_loss = 255i16.wrapping_sub(lost >> 1);
        *score = if is_won {
            of_win
        } else if is_lost {
            of_loss
        } else {
            DRAW.into()
        } as u8;
        let unfit_win = is_won & ((won > LONGEST_WIN) | (won & 1 == 0));
        let unfit_loss = is_lost & ((lost > LONGEST_LOSS) | (lost & 1 == 1) | (lost < 0));
        unfit |= i16::from(unfit_win | unfit_loss);
    }
    unfit == 0
}

/// Returns the value of a position whose best child has this score; a draw if it has no child.
pub fn value_of_score(best: u8) -> Value {
    match best {
        NO_SCORE => Value::DRAW,
        1..DRAW => Value::loss(2 * u16::from(best)),
        DRAW..=128 => Value::DRAW,
        129.. => Value::win(2 * u16::from(LOSS_SCORE - best) + 1),
    }
}

/// Writes the codes of positions whose best children have these scores: [`value_of_score`] without branches.
#[inline(always)]
pub fn codes_of_scores(bests: &[u8], codes: &mut [i16]) {
    let [lost, won] = [Value::loss(0), Value::win(1)].map(Value::code);
    for (code, &best) in codes.iter_mut().zip(bests) {
        let score = i16::from(best);
        let (if_lost, if_won) = (lost + 2 * score, won - 2 * (i16::from(LOSS_SCORE) - score));
        let is_lost = best.wrapping_sub(1) < DRAW - 1;
        let is_won = best > DRAW + 1;
        *code = if is_lost {
            if_lost
        } else if is_won {
            if_won
        } else {
            Value::DRAW.code()
        };
    }
}

/// Returns the value of a child with this score, for its own mover; a draw for [`NO_SCORE`].
pub fn child_value(score: u8) -> Value {
    match score {
        NO_SCORE => Value::DRAW,
        1..DRAW => Value::win(2 * u16::from(score) - 1),
        DRAW..=128 => Value::DRAW,
        129.. => Value::loss(2 * u16::from(LOSS_SCORE - score)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_the_order_and_invert_to_values() {
        let wins = (1..=LONGEST_WIN as u16).step_by(2).map(Value::win);
        let losses = (0..=LONGEST_LOSS as u16).step_by(2).map(Value::loss);
        let mut children: Vec<Value> = wins.chain(losses).chain([Value::DRAW]).collect();
        children.sort_unstable();
        children.reverse();
        let codes: Vec<i16> = children.iter().map(|child| child.code()).collect();
        let mut scores = vec![0; codes.len()];
        assert!(scores_of_codes(&codes, &mut scores));
        assert!(scores[0] > NO_SCORE && scores.is_sorted() && scores.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(scores.last(), Some(&LOSS_SCORE));
        assert!(children.iter().zip(&scores).all(|(child, &score)| value_of_score(score) == child.before()));
        assert!(children.iter().zip(&scores).all(|(child, &score)| child_value(score) == *child));
    }

    #[test]
    fn codes_are_those_of_the_values() {
        let bests: Vec<u8> = (0..=255).collect();
        let mut codes = vec![0; bests.len()];
        codes_of_scores(&bests, &mut codes);
        assert!(bests.iter().zip(codes).all(|(&best, code)| value_of_score(best).code() == code));
    }

    #[test]
    fn values_without_a_score_are_reported() {
        let unfit = [Value::win(2), Value::win(253), Value::loss(1), Value::loss(254), Value::win(0)];
        let untimed = [Value::UNTIMED_WIN, Value::UNTIMED_LOSS, Value::loss(32_000), Value::win(32_000)];
        for child in unfit.into_iter().chain(untimed) {
            assert!(!scores_of_codes(&[0, child.code(), 0], &mut [0; 3]), "{child}");
        }
        assert!(!scores_of_codes(&[i16::MIN], &mut [0]));
    }
}
