//! Plays the rounds of Sixteen Musashi on bit-vectors: black's losses, then brown's wins, for all points of black.
//!
//! Round r finds the positions that black loses in 2r plies (every move leads into brown's wins so far), and from them
//! those that brown wins in 2r + 1. Only brown's wins are kept. A block of losses is recomputed only if a block it
//! depends on changed in the last round, and a block of wins only if it depends on such a block.

use std::sync::Mutex;

use kanzen::Error;
use kanzen_core::machine::cpu::Isa;
use kanzen_solve::rounds::{SetShape, SparseChunk};

use super::predecessors::{BlackMoves, BrownMoves, SCRATCH_BLOCKS, Scratch};
use super::{ByBrown, Stabilizer};
use crate::musashi::index::layout::Layout;
use crate::musashi::rules::Board;
use crate::musashi::sets::{
    BLOCK_WORDS, Bits, Mirror, Ones, Schedule, Visited, count_by_ones, for_each_pair, take_new,
};

/// Blocks per chunk of the logs.
const CHUNK: usize = SetShape::CHUNK;

/// The sets of all points of black, and what a round needs from the last one.
pub struct Engine<'a> {
    layout: &'a Layout,
    isa: Isa,
    black_moves: Vec<BlackMoves>,
    brown_moves: Vec<BrownMoves>,
    stabilizers: Vec<Option<Stabilizer>>,
    mirror: Mirror,
    partners: Vec<u32>,
    itself: Vec<u32>,
    won: Vec<Bits>,
    lost: Vec<Bits>, // by buffer
    changed: Vec<Vec<bool>>,
    full: Vec<Vec<bool>>, // blocks of wins that contain all positions
    /// In the first round after a start every block is computed.
    first_round: bool,
    blocks: Vec<Vec<Block>>,
    brown: Vec<ByBrown>, // positions won so far, not reduced by symmetry
}

/// State of one block of a set of losses.
#[derive(Clone, Copy, Default)]
struct Block {
    /// Its positions by number of ones among the low index bits, as last computed.
    counts: Ones,
    /// The block has grown in this round.
    fresh: bool,
    /// The block is computed in every round: it contains positions that are counted one by one.
    always: bool,
}

impl Block {
    /// Updates the state after a block was computed. Losses only grow: equal counts mean an equal block.
    fn update(&mut self, isa: Isa, lost: &[u64], first_round: bool) {
        let before = std::mem::replace(&mut self.counts, count_by_ones(isa, lost));
        self.fresh = first_round && self.counts.iter().any(|&count| count > 0) || !first_round && self.counts != before;
    }

    /// Whether the block contains all positions.
    fn is_full(&self, words: usize) -> bool {
        self.counts.iter().map(|&count| usize::from(count)).sum::<usize>() == 64 * words
    }
}

/// Returns the bytes that the sets of a board take, with `buffers` buffers for losses.
pub fn memory(layout: &Layout, buffers: usize) -> u64 {
    let points = layout.stored().len() as u64;
    let blocks = 1u64 << (layout.bits() - layout.block_bits());
    let kept = (size_of::<Block>() as u64 + 2) * blocks * points;
    ((1u64 << layout.bits()) / 8) * (points + buffers as u64) + kept + (12 << 20)
}

/// Returns the order in which a round computes the sets.
pub fn schedule(board: &Board, layout: &Layout) -> Schedule {
    let reads = layout.stored().iter().map(|&black| BlackMoves::new(board, layout, black).targets().collect());
    Schedule::new(&reads.collect::<Vec<_>>())
}

impl<'a> Engine<'a> {
    /// Returns empty sets for a board, with `buffers` buffers for losses.
    pub fn new(board: &Board, layout: &'a Layout, buffers: usize, isa: Isa) -> Result<Engine<'a>, Error> {
        let points = layout.stored().to_vec();
        let blocks = 1usize << (layout.bits() - layout.block_bits());
        let set = |_| Bits::cut(layout.bits(), layout.block_bits());
        let won: Vec<Bits> = (0..points.len()).map(set).collect::<Result<_, _>>()?;
        let lost: Vec<Bits> = (0..buffers).map(set).collect::<Result<_, _>>()?;
        let stabilizers: Vec<_> = points.iter().map(|&black| Stabilizer::new(board, layout, black)).collect();
        let mut kept = vec![vec![Block::default(); blocks]; points.len()];
        for (kept, stabilizers) in kept.iter_mut().zip(&stabilizers) {
            for block in stabilizers.iter().flat_map(|stabilizers| stabilizers.blocks(layout)) {
                kept[block].always = true;
            }
        }
        let mirror = layout.mirror();
        Ok(Engine {
            isa,
            black_moves: points.iter().map(|&black| BlackMoves::new(board, layout, black)).collect(),
            brown_moves: points.iter().map(|&black| BrownMoves::new(board, layout, black)).collect(),
            stabilizers,
            partners: (0..blocks).map(|block| mirror.of_block(block) as u32).collect(),
            itself: (0..blocks as u32).collect(),
            mirror,
            won,
            lost,
            changed: vec![vec![true; blocks]; points.len()],
            full: vec![vec![false; blocks]; points.len()],
            first_round: true,
            blocks: kept,
            brown: vec![vec![0; board.points()]; points.len()],
            layout,
        })
    }

    /// Returns the number of win sets that the losses of a point depend on.
    pub fn reads(&self, point: usize) -> usize {
        self.black_moves[point].targets().count()
    }

    /// Whether a block is logged: the same blocks are in the database. Of two mirror images that is the one with the
    /// smaller number, because no pair of index bits crosses the edge of a block.
    fn is_logged(&self, point: usize, block: usize) -> bool {
        let wider = self.layout.stored_bits() - self.layout.block_bits();
        self.layout.is_stored(self.layout.stored()[point], block as u64 >> wider)
    }

    /// Computes the losses of a point into a buffer.
    pub fn make_lost(&mut self, point: usize, buffer: usize) {
        let middle = self.layout.is_middle(self.layout.stored()[point]);
        let (isa, first_round, mirror) = (self.isa, self.first_round, &self.mirror);
        let (black_moves, changed, won) = (&self.black_moves[point], &self.changed, &self.won);
        let partners = if middle { &self.partners } else { &self.itself };
        let words = self.lost[buffer].block_words();
        let make = |scratch: &mut Vec<_>, own: Visited<'_, Block>, other: Option<Visited<'_, Block>>| {
            let (number, lost, kept) = own;
            let (partner, partner_always) = other.as_ref().map_or((number, false), |other| (other.0, other.2.always));
            let touched =
                || black_moves.touched(number, changed) || partner != number && black_moves.touched(partner, changed);
            let grows = first_round || !kept.is_full(words) && touched();
            if !grows && !kept.always && !partner_always {
                kept.fresh = false;
                other.into_iter().for_each(|(_, _, kept)| kept.fresh = false);
                return;
            }
            black_moves.lost(isa, number, won, lost, scratch);
            if middle {
                intersect_mirror_image(isa, black_moves, mirror, won, (lost, other), scratch, first_round);
            }
            kept.update(isa, lost, first_round);
        };
        let kept = &mut self.blocks[point];
        for_each_pair(self.lost[buffer].words_mut(), words, partners, kept, new_scratch, make);
    }

    /// Adds the positions with a move into the losses to the wins of a point. Passes the new blocks of each chunk to
    /// the log.
    pub fn extend_won(
        &mut self,
        point: usize,
        buffer: usize,
        log: impl FnOnce(&(dyn Fn(usize) -> SparseChunk + Sync)) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let words = self.won[point].block_words();
        let mut won = std::mem::replace(&mut self.won[point], Bits::empty(6)?);
        let mut changed = std::mem::take(&mut self.changed[point]);
        let mut full = std::mem::take(&mut self.full[point]);
        let counts = Mutex::new(vec![0u64; self.brown[point].len()]);
        let flags = changed.chunks_mut(CHUNK).zip(full.chunks_mut(CHUNK));
        let chunks = won.words_mut().chunks_mut(CHUNK * words).zip(flags);
        let chunks: Vec<_> = chunks.map(|parts| Mutex::new(Some(parts))).collect();
        let (this, lost, blocks) = (&*self, &self.lost[buffer], &self.blocks[point]);
        let middle = self.layout.is_middle(self.layout.stored()[point]);
        let is_image = |block: usize| middle && (this.partners[block] as usize) < block;
        let done = log(&|chunk| {
            let parts = chunks[chunk].lock().expect("no thread panics").take();
            let (won, (changed, full)) = parts.expect("each chunk is taken once");
            let mut new_blocks = SparseChunk::new(changed.len());
            let mut new_counts = vec![0u64; this.brown[point].len()];
            let mut new = [0; BLOCK_WORDS];
            let here = won.chunks_mut(words).zip(changed.iter_mut().zip(full));
            for (at, (won, (changed, full))) in here.enumerate() {
                let block = chunk * CHUNK + at;
                debug_assert_eq!(is_image(block), !this.is_logged(point, block));
                if is_image(block) {
                    continue;
                }
                let new = &mut new[..words];
                *changed = !*full
                    && this.brown_moves[point].won(this.isa, block, lost, |block| blocks[block].fresh, new)
                    && take_new(this.isa, new, won);
                if *changed {
                    *full = won.iter().all(|&word| word == u64::MAX);
                    let counts = count_by_ones(this.isa, new);
                    add_counts(&mut new_counts, block, &counts);
                    if middle && this.partners[block] as usize != block {
                        add_counts(&mut new_counts, block, &counts); // its image has as many
                    }
                    new_blocks.add(at, new);
                }
            }
            let mut counts = counts.lock().expect("no thread panics");
            counts.iter_mut().zip(new_counts).for_each(|(all, new)| *all += new);
            new_blocks
        });
        drop(chunks);
        if middle {
            self.update_mirror_images(&mut won, &mut changed, &mut full);
        }
        self.won[point] = won;
        self.changed[point] = changed;
        self.full[point] = full;
        done?;
        let counts = counts.into_inner().expect("no thread panics");
        self.brown[point].iter_mut().zip(&counts).for_each(|(all, new)| *all += new);
        Ok(counts.iter().sum())
    }

    /// Copies computed blocks to their mirror images: on the middle row a set of wins is its own mirror image.
    fn update_mirror_images(&self, won: &mut Bits, changed: &mut [bool], full: &mut [bool]) {
        let words = won.block_words();
        let mut flags: Vec<_> = changed.iter().copied().zip(full.iter().copied()).collect();
        let follow = |_: &mut (), own: Visited<'_, (bool, bool)>, other: Option<Visited<'_, (bool, bool)>>| {
            let Some((_, image, image_flags)) = other else { return };
            *image_flags = *own.2;
            if own.2.0 {
                self.mirror.reflect(self.isa, image, own.1);
            }
        };
        for_each_pair(won.words_mut(), words, &self.partners, &mut flags, || (), follow);
        for (flag, (changed, full)) in flags.into_iter().zip(changed.iter_mut().zip(full)) {
            (*changed, *full) = flag;
        }
    }

    /// Ends a round.
    pub fn end_round(&mut self) {
        self.first_round = false;
    }

    /// Returns the positions of a point's losses by brown pieces, times the symmetries that fix the point, and the
    /// number of these symmetries.
    pub fn lost_by_brown(&self, point: usize, buffer: usize) -> Option<(ByBrown, u64)> {
        let stabilizer = self.stabilizers[point].as_ref()?;
        let mut counts = vec![0; self.brown[point].len()];
        for (block, kept) in self.blocks[point].iter().enumerate() {
            add_counts(&mut counts, block, &kept.counts);
        }
        stabilizer.count(&self.lost[buffer], &mut counts);
        Some((counts, stabilizer.order()))
    }

    /// The same for the wins so far.
    pub fn won_by_brown(&self, point: usize) -> Option<(ByBrown, u64)> {
        let stabilizer = self.stabilizers[point].as_ref()?;
        let mut counts = self.brown[point].clone();
        stabilizer.count(&self.won[point], &mut counts);
        Some((counts, stabilizer.order()))
    }

    /// Replays a block of a log, and its mirror image if that was not logged.
    pub fn replay(&mut self, point: usize, block: usize, new: &[u64]) {
        let mut image = [0; BLOCK_WORDS];
        let image = &mut image[..new.len()];
        let partner = self.partners[block] as usize;
        let twice = self.layout.is_middle(self.layout.stored()[point]) && !self.is_logged(point, partner);
        self.add(point, block, new);
        if twice {
            self.mirror.reflect(self.isa, image, new);
            self.add(point, partner, image);
        }
    }

    fn add(&mut self, point: usize, block: usize, new: &[u64]) {
        let words = new.len();
        add_counts(&mut self.brown[point], block, &count_by_ones(self.isa, new));
        let won = &mut self.won[point].words_mut()[block * words..][..words];
        won.iter_mut().zip(new).for_each(|(word, new)| *word |= new);
    }
}

fn new_scratch() -> Vec<[u64; BLOCK_WORDS]> {
    vec![[0; BLOCK_WORDS]; SCRATCH_BLOCKS + 1]
}

/// Intersects the losses by the upper neighbours with their mirror image, for a point of the middle row.
fn intersect_mirror_image(
    isa: Isa,
    black_moves: &BlackMoves,
    mirror: &Mirror,
    won: &[Bits],
    (lost, other): (&mut [u64], Option<Visited<'_, Block>>),
    scratch: &mut Scratch,
    first_round: bool,
) {
    let (image, scratch) = scratch.split_first_mut().expect("a scratch block for the image");
    let image = &mut image[..lost.len()];
    match other {
        None => {
            mirror.reflect(isa, image, lost);
            intersect(lost, image);
        }
        Some((number, block, kept)) => {
            black_moves.lost(isa, number, won, block, scratch);
            mirror.reflect(isa, image, block);
            intersect(lost, image);
            mirror.reflect(isa, block, lost);
            kept.update(isa, block, first_round);
        }
    }
}

fn intersect(block: &mut [u64], other: &[u64]) {
    block.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// Adds the counts of a block. The ones in the block's number are pieces too.
fn add_counts(all: &mut ByBrown, block: usize, counts: &Ones) {
    let high = block.count_ones() as usize;
    for (low, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        all[high + low] += u64::from(count);
    }
}
