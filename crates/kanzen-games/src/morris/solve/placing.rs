//! Solves the placing classes: each child is looked up once for all slots that lead to it.
//!
//! ```text
//!   opponent o fixed, all movers m of what o leaves free: one block of slots
//!   m --a man on t--> p = m + t      p is reached from every m = p - t of the same block
//!
//!   for each p:   quiet = value of (o to move, against p)            if t closes no mill in p
//!                 taken = worst of (o - x to move, against p)        if it does; over the x that may be taken
//!                 propagate `quiet` or `taken` to each m = p - t
//! ```
//!
//! A block is a few kilobytes, so that propagation stays in the L1 and L2 caches. Cache misses come from one orbit and
//! one value per p, and from a few more values where p has a mill; all are prefetched in groups.
//!
//! # Blocks of scores
//!
//! Where values fit into scores, [`PlacingBlocks`] works on all opponents with the same high men at a time:
//!
//! ```text
//!   1. for each p = m + t: the pair (quiet, taken), gathered from the row of p's orbit for a whole group of blocks
//!   2. propagated to each m = p - t: `taken` if t stands in a mill of p, else `quiet`; rows at a time
//!   3. the best score of each m gives its value
//! ```
//!
//! Cache misses come from gathering the pairs, one line for some dozen of them: see [`RowGather`]. [`PlacingPass`] is
//! the general method for any values.

use std::ops::Range;
use std::sync::LazyLock;

use kanzen::Value;
use kanzen_core::index::{combinations, points};
use kanzen_core::machine::cpu::{Gather, Work};
use kanzen_core::machine::prefetch;
use kanzen_solve::retrograde::{Earlier, Prospects, SlotInit};

use super::graph::{LOST_AT_ONCE, Target};
use super::grid::{Both, FreeMills, Ladder, Lanes};
use super::initial_pass::{NO_SCORE, codes_of_scores, value_of_score};
use super::pairs::Pairs;
use super::row_gather::{GatherScratch, RowGather};
use crate::morris::Morris;
use crate::morris::index::{Half, Opponents, OrbitInfo, Phases, SlotKind, Tables};

/// Children that are looked up together.
const GROUP: usize = 64;
/// No child yet: no value is better for its mover.
const NO_CHILD: i16 = i16::MAX;

/// Adds the initial words of a range of slots of a placing class.
pub struct PlacingPass<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
    pub in_hand: u32,
    pub half: Half,
    pub slots: Range<u64>,
    pub earlier: &'w Earlier,
    pub inits: &'w mut Vec<SlotInit>,
}

impl Work for PlacingPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let PlacingPass { game, tables, phases, in_hand, half, slots, earlier, inits } = self;
        let target = |left: u32| Target::find(tables, phases, earlier, in_hand - 1, left, half.mover + 1);
        let quiet = target(half.opponent);
        let taking = half.opponent.checked_sub(1).and_then(target);
        let mut block = Block::new(game, tables, half, quiet, taking);
        let opponents = tables.opponents(half);
        let movers = tables.movers(half);
        let decided = &DECIDED[..];
        let mut slot = slots.start;
        while slot < slots.end {
            let (orbit, rank) = half.split(slot);
            let count = (slots.end - slot).min(half.per_orbit - rank) as usize;
            let wanted = rank as usize..rank as usize + count;
            let OrbitInfo { opponent, alone, .. } = *opponents.info(orbit);
            block.fill(bits, opponent);
            let free = game.board().all() & !opponent;
            for (&gathered, &worst) in movers[wanted.clone()].iter().zip(&block.worst[wanted]) {
                let is_hole = !alone && opponents.slot_kind(orbit, bits.pdep32(gathered, free)) == SlotKind::Hole;
                inits.push(if is_hole { SlotInit::ended(Value::DRAW) } else { decided[usize::from(worst as u16)] });
            }
            slot += count as u64;
        }
    }
}

/// By the code of the worst child, the word of a slot whose children are all settled. A table, because the outcome is
/// unpredictable for branches.
static DECIDED: LazyLock<Vec<SlotInit>> = LazyLock::new(|| {
    let decided = |code: u16| {
        let mut prospects = Prospects::default();
        // Codes without a value never occur.
        prospects.add(Value::from_code(code as i16).unwrap_or(Value::DRAW));
        SlotInit::open(0, prospects)
    };
    (0..=u16::MAX).map(decided).collect()
});

/// The slots against one opponent mask.
struct Block<'w> {
    game: &'w Morris,
    /// The mover's masks with one man more, compressed.
    placed: &'w [u32],
    quiet: Option<Target<'w>>,
    taking: Option<Target<'w>>,
    /// By symmetry of the quiet target, the opponent's image.
    images: Vec<u32>,
    /// By symmetry, the images without one man that may be taken, equally many for each.
    images_left: Vec<u32>,
    /// Prefetched values of children after a take, for the current group.
    wanted: Vec<&'w i16>,
    /// By rank of the mover, the code of the child that is worst for its mover, and so best for ours.
    worst: Vec<i16>,
}

impl<'w> Block<'w> {
    fn new(
        game: &'w Morris,
        tables: &'w Tables,
        half: Half,
        quiet: Option<Target<'w>>,
        taking: Option<Target<'w>>,
    ) -> Block<'w> {
        let placed = tables.subsets(game.board().points - half.opponent, half.mover + 1);
        let worst = vec![NO_CHILD; half.per_orbit as usize];
        Block { game, placed, quiet, taking, images: vec![], images_left: vec![], wanted: vec![], worst }
    }

    /// Finds the worst child of every mover against this opponent.
    #[inline(always)]
    fn fill<B: Gather>(&mut self, bits: B, opponent: u32) {
        self.worst.fill(NO_CHILD);
        let Some(quiet) = self.quiet else { return self.worst.fill(LOST_AT_ONCE) };
        let board = self.game.board();
        let free = board.all() & !opponent;
        let removable = board.removable(opponent);
        let left = removable.count_ones() as usize;
        let images = quiet.opponents.images();
        self.images.clear();
        self.images.extend(images.iter().map(|image| image.apply(opponent)));
        self.images_left.clear();
        for (image, all) in images.iter().zip(&self.images) {
            self.images_left.extend(points(removable).map(|taken| all ^ image.point(taken)));
        }
        // Three against three fly, and have more symmetries than others.
        let alike = self.taking.is_none_or(|taking| std::ptr::eq(taking.opponents, quiet.opponents));

        let mut entries = [quiet.opponents.orbits().entry(bits.pdep32(self.placed[0], free).into()); GROUP];
        let mut codes = [&NO_CHILD; GROUP];
        let mut mills = [0; GROUP];
        for group in self.placed.chunks(GROUP) {
            for (entry, &placed) in entries.iter_mut().zip(group) {
                *entry = quiet.opponents.orbits().entry(bits.pdep32(placed, free).into());
                prefetch(*entry);
            }
            self.wanted.clear();
            for (at, &placed) in group.iter().enumerate() {
                let (orbit, symmetry) = entries[at].read();
                let against = quiet.opponents.against_orbit(quiet.half, (orbit, symmetry));
                codes[at] = quiet.fetch(against.slot_of_image(bits, self.images[usize::from(symmetry)]));
                let OrbitInfo { opponent: standing, loose, .. } = *quiet.opponents.info(orbit);
                mills[at] = 0;
                if standing == loose || opponent == 0 {
                    continue;
                }
                let mask = bits.pdep32(placed, free);
                mills[at] = bits.pext32(board.in_mills(mask), free);
                let Some(taking) = self.taking else { continue };
                if alike {
                    let against = taking.opponents.against_orbit(taking.half, (orbit, symmetry));
                    let first = usize::from(symmetry) * left;
                    for &image in &self.images_left[first..first + left] {
                        self.wanted.push(taking.fetch(against.slot_of_image(bits, image)));
                    }
                } else {
                    let against = taking.opponents.against(taking.half, mask);
                    for taken in points(removable) {
                        let image = against.image().apply(opponent ^ 1 << taken);
                        self.wanted.push(taking.fetch(against.slot_of_image(bits, image)));
                    }
                }
            }
            let mut wanted = self.wanted.iter();
            for (at, &placed) in group.iter().enumerate() {
                let quiet = *codes[at];
                if mills[at] == 0 {
                    combinations::ranks_without_each(placed, |_, rank| lower(&mut self.worst, rank, quiet));
                    continue;
                }
                let taken = match self.taking {
                    Some(_) => wanted.by_ref().take(left).fold(NO_CHILD, |worst, code| worst.min(**code)),
                    None => LOST_AT_ONCE,
                };
                combinations::ranks_without_each(placed, |point, rank| {
                    lower(&mut self.worst, rank, if mills[at] >> point & 1 == 1 { taken } else { quiet });
                });
            }
        }
    }
}

#[inline(always)]
fn lower(worst: &mut [i16], rank: u64, code: i16) {
    let worst = &mut worst[rank as usize];
    *worst = (*worst).min(code);
}

/// What all blocks of a class share.
pub struct PlacingClass<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub half: Half,
    pub pairs: &'w Pairs,
    pub row_gather: RowGather<'w>,
    pub ladder: Ladder,
}

impl<'w> PlacingClass<'w> {
    /// Prepares a class whose children have these pairs.
    pub fn new(game: &'w Morris, tables: &'w Tables, half: Half, pairs: &'w Pairs) -> PlacingClass<'w> {
        let ladder = Ladder::new(game.board().points - half.opponent, half.mover + 1);
        PlacingClass { game, tables, half, pairs, row_gather: RowGather::new(game, tables, pairs.half()), ladder }
    }
}

/// Writes the codes of the slots of some orbits, in whole groups.
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
        let mut block = ByteBlock::new(class);
        let mut group = None;
        for (orbit, codes) in orbits.zip(codes.chunks_mut(class.half.per_orbit as usize)) {
            let opponent = block.opponents.info(orbit).opponent;
            let high = class.row_gather.high(opponent);
            if group.replace(high) != Some(high) {
                class.row_gather.gather(bits, &mut block.scratch, high, class.pairs.list(), |_| true, &mut block.rows);
            }
            block.settle(bits, orbit, codes);
        }
    }
}

/// The slots against one opponent mask, as scores.
struct ByteBlock<'s, 'w> {
    class: &'s PlacingClass<'w>,
    opponents: &'w Opponents,
    scratch: GatherScratch,
    /// The pairs of the children of a group of blocks.
    rows: Vec<u16>,
    quiet: Both,
    taken: Both,
    best: Both,
    /// The rows of `best` by lower part, transposed to rows by upper part.
    transposed: Vec<Lanes>,
}

impl<'s, 'w> ByteBlock<'s, 'w> {
    fn new(class: &'s PlacingClass<'w>) -> ByteBlock<'s, 'w> {
        let Ladder { more, fewer, .. } = &class.ladder;
        ByteBlock {
            class,
            opponents: class.tables.opponents(class.half),
            scratch: GatherScratch::default(),
            rows: vec![0; class.row_gather.rows() * class.row_gather.row()],
            quiet: more.filled(NO_SCORE),
            taken: more.filled(NO_SCORE),
            best: fewer.filled(NO_SCORE),
            transposed: fewer.filled(NO_SCORE)[0].clone(),
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
        ladder.propagate(&mills, &self.quiet, &self.taken, &mut self.best);
        self.read_off(codes);
        if !alone {
            for (code, &gathered) in codes.iter_mut().zip(self.class.tables.movers(self.class.half)) {
                if self.opponents.slot_kind(orbit, bits.pdep32(gathered, free)) == SlotKind::Hole {
                    *code = value_of_score(NO_SCORE).code();
                }
            }
        }
    }

    /// Writes the pairs of all children against these men to the rows by upper and by lower part.
    #[inline(always)]
    fn spread(&mut self, opponent: u32) {
        let PlacingClass { ref row_gather, ref ladder, .. } = *self.class;
        let row = &self.rows[row_gather.number(opponent) * row_gather.row()..][..row_gather.row()];
        let ([quiet, quiet_by_lower], [taken, taken_by_lower]) = (&mut self.quiet, &mut self.taken);
        ladder.more.spread(row, [&mut quiet[..], &mut taken[..]], u16::to_le_bytes);
        ladder.more.transpose_to_lower(quiet, quiet_by_lower);
        ladder.more.transpose_to_lower(taken, taken_by_lower);
    }

    /// Writes the codes of all slots, in order.
    #[inline(always)]
    fn read_off(&mut self, codes: &mut [i16]) {
        let Ladder { fewer, .. } = &self.class.ladder;
        let [best, best_by_lower] = &self.best;
        fewer.transpose_to_upper(best_by_lower, &mut self.transposed);
        let mut rest = codes;
        fewer.read_best(best, &self.transposed, |bests| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(bests.len());
            codes_of_scores(bests, here);
            rest = others;
        });
    }
}
