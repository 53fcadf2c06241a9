//! The rounds: losses for black, then wins for brown, all black's points at once.
//!
//! Round r makes the positions that black loses in 2r plies (none of his moves leads out of what brown has won so far)
//! and from them those that brown wins in 2r + 1. Only brown's sets are kept; a block of a lost set is made again only
//! if a block it depends on has changed in the round before, and a block of a won set only if it depends on such a one.

use std::sync::Mutex;

use kanzen::Error;
use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::{
    BLOCK_WORDS, Bits, Mirror, Ones, Schedule, SetShape, SparseChunk, Visited, count_by_ones, for_each_pair, take_new,
};

use super::black::{Pulls, SPARE, Spare};
use super::brown::Pushes;
use super::orbits::{ByBrown, Keepers};
use crate::musashi::board::Board;
use crate::musashi::index::layout::Layout;

/// Blocks of a chunk of the logs.
const CHUNK: usize = SetShape::CHUNK;

/// The sets of all black's points, and what a round needs to know of the one before.
pub struct Engine<'a> {
    layout: &'a Layout,
    isa: Isa,
    pulls: Vec<Pulls>,
    pushes: Vec<Pushes>,
    keepers: Vec<Option<Keepers>>,
    mirror: Mirror,
    partners: Vec<u32>,
    itself: Vec<u32>,
    won: Vec<Bits>,
    lost: Vec<Bits>, // by buffer
    changed: Vec<Vec<bool>>,
    full: Vec<Vec<bool>>, // won blocks that have all positions
    /// In the first round after a start everything is made, even what depends on nothing.
    all_anew: bool,
    blocks: Vec<Vec<Block>>,
    brown: Vec<ByBrown>, // positions won so far, not reduced
}

/// What is kept for a block of a lost set.
#[derive(Clone, Copy, Default)]
struct Block {
    /// Its positions by number of ones among the low index bits, as it was last made.
    counts: Ones,
    /// It has grown in this round.
    fresh: bool,
    /// It is made each round, for the positions in it that are counted one by one.
    always: bool,
}

impl Block {
    /// Takes the block as it is made now. A lost set only grows: if it has no more positions it is the same as before.
    fn made(&mut self, isa: Isa, lost: &[u64], all_anew: bool) {
        let before = std::mem::replace(&mut self.counts, count_by_ones(isa, lost));
        self.fresh = all_anew && self.counts.iter().any(|&count| count > 0) || !all_anew && self.counts != before;
    }

    /// Whether it has all positions already.
    fn is_full(&self, words: usize) -> bool {
        self.counts.iter().map(|&count| usize::from(count)).sum::<usize>() == 64 * words
    }
}

/// Bytes of memory that the sets of a board take, with so many buffers for lost ones.
pub fn memory(layout: &Layout, buffers: usize) -> u64 {
    let points = layout.stored().len() as u64;
    let blocks = 1u64 << (layout.bits() - layout.block_bits());
    let kept = (size_of::<Block>() as u64 + 2) * blocks * points;
    ((1u64 << layout.bits()) / 8) * (points + buffers as u64) + kept + (12 << 20)
}

/// The order in which the sets of a board are made.
pub fn schedule(board: &Board, layout: &Layout) -> Schedule {
    let reads = layout.stored().iter().map(|&black| Pulls::new(board, layout, black).targets().collect());
    Schedule::new(&reads.collect::<Vec<_>>())
}

impl<'a> Engine<'a> {
    /// Empty sets for a board, with so many buffers for lost ones.
    pub fn new(board: &Board, layout: &'a Layout, buffers: usize, isa: Isa) -> Result<Engine<'a>, Error> {
        let points = layout.stored().to_vec();
        let blocks = 1usize << (layout.bits() - layout.block_bits());
        let set = |_| Bits::cut(layout.bits(), layout.block_bits());
        let won: Vec<Bits> = (0..points.len()).map(set).collect::<Result<_, _>>()?;
        let lost: Vec<Bits> = (0..buffers).map(set).collect::<Result<_, _>>()?;
        let keepers: Vec<_> = points.iter().map(|&black| Keepers::new(board, layout, black)).collect();
        let mut kept = vec![vec![Block::default(); blocks]; points.len()];
        for (kept, keepers) in kept.iter_mut().zip(&keepers) {
            for block in keepers.iter().flat_map(|keepers| keepers.blocks(layout)) {
                kept[block].always = true;
            }
        }
        let mirror = layout.mirror();
        Ok(Engine {
            isa,
            pulls: points.iter().map(|&black| Pulls::new(board, layout, black)).collect(),
            pushes: points.iter().map(|&black| Pushes::new(board, layout, black)).collect(),
            keepers,
            partners: (0..blocks).map(|block| mirror.of_block(block) as u32).collect(),
            itself: (0..blocks as u32).collect(),
            mirror,
            won,
            lost,
            changed: vec![vec![true; blocks]; points.len()],
            full: vec![vec![false; blocks]; points.len()],
            all_anew: true,
            blocks: kept,
            brown: vec![vec![0; board.points()]; points.len()],
            layout,
        })
    }

    /// How many won sets the lost set of a point is made from.
    pub fn reads(&self, point: usize) -> usize {
        self.pulls[point].targets().count()
    }

    /// Whether a block is in the log: if it is in the database. Of two mirror images that is the one with the smaller
    /// number, since no pair of index bits lies across the edge of a block.
    fn is_logged(&self, point: usize, block: usize) -> bool {
        let wider = self.layout.stored_bits() - self.layout.block_bits();
        self.layout.is_stored(self.layout.stored()[point], block as u64 >> wider)
    }

    /// Makes the lost set of a point in a buffer.
    pub fn lose(&mut self, point: usize, buffer: usize) {
        let middle = self.layout.is_middle(self.layout.stored()[point]);
        let (isa, all_anew, mirror) = (self.isa, self.all_anew, &self.mirror);
        let (pulls, changed, won) = (&self.pulls[point], &self.changed, &self.won);
        let partners = if middle { &self.partners } else { &self.itself };
        let words = self.lost[buffer].block_words();
        let make = |spare: &mut Vec<_>, own: Visited<'_, Block>, other: Option<Visited<'_, Block>>| {
            let (number, lost, kept) = own;
            let (partner, partner_always) = other.as_ref().map_or((number, false), |other| (other.0, other.2.always));
            let touched = || pulls.touched(number, changed) || partner != number && pulls.touched(partner, changed);
            let grows = all_anew || !kept.is_full(words) && touched();
            if !grows && !kept.always && !partner_always {
                kept.fresh = false;
                other.into_iter().for_each(|(_, _, kept)| kept.fresh = false);
                return;
            }
            pulls.lost(isa, number, won, lost, spare);
            if middle {
                meet_mirror_image(isa, pulls, mirror, won, (lost, other), spare, all_anew);
            }
            kept.made(isa, lost, all_anew);
        };
        let kept = &mut self.blocks[point];
        for_each_pair(self.lost[buffer].words_mut(), words, partners, kept, room_to_work, make);
    }

    /// Adds to the won set of a point what a move of brown's wins now; hands out each chunk's new blocks for the log.
    pub fn win(
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
            let (won, (changed, full)) = parts.expect("each chunk once");
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
                    && this.pushes[point].won(this.isa, block, lost, |block| blocks[block].fresh, new)
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
            self.renew_images(&mut won, &mut changed, &mut full);
        }
        self.won[point] = won;
        self.changed[point] = changed;
        self.full[point] = full;
        done?;
        let counts = counts.into_inner().expect("no thread panics");
        self.brown[point].iter_mut().zip(&counts).for_each(|(all, new)| *all += new);
        Ok(counts.iter().sum())
    }

    /// On the middle row a won set is its own mirror image: of two blocks one was made, the other follows it.
    fn renew_images(&self, won: &mut Bits, changed: &mut [bool], full: &mut [bool]) {
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

    /// A round is over.
    pub fn end_round(&mut self) {
        self.all_anew = false;
    }

    /// Positions of a point's lost set in a buffer, times the symmetries that keep the point; and how many these are.
    pub fn lost_by_brown(&self, point: usize, buffer: usize) -> Option<(ByBrown, u64)> {
        let keepers = self.keepers[point].as_ref()?;
        let mut counts = vec![0; self.brown[point].len()];
        for (block, kept) in self.blocks[point].iter().enumerate() {
            add_counts(&mut counts, block, &kept.counts);
        }
        keepers.count(&self.lost[buffer], &mut counts);
        Some((counts, keepers.order()))
    }

    /// The same for what brown has won so far.
    pub fn won_by_brown(&self, point: usize) -> Option<(ByBrown, u64)> {
        let keepers = self.keepers[point].as_ref()?;
        let mut counts = self.brown[point].clone();
        keepers.count(&self.won[point], &mut counts);
        Some((counts, keepers.order()))
    }

    /// Takes a block of a log up again, and its mirror image if that was left out.
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

fn room_to_work() -> Vec<[u64; BLOCK_WORDS]> {
    vec![[0; BLOCK_WORDS]; SPARE + 1]
}

/// On the middle row: what the upper neighbours allow, and the mirror image of that.
fn meet_mirror_image(
    isa: Isa,
    pulls: &Pulls,
    mirror: &Mirror,
    won: &[Bits],
    (lost, other): (&mut [u64], Option<Visited<'_, Block>>),
    spare: &mut Spare,
    all_anew: bool,
) {
    let (image, spare) = spare.split_first_mut().expect("room for an image");
    let image = &mut image[..lost.len()];
    match other {
        None => {
            mirror.reflect(isa, image, lost);
            meet(lost, image);
        }
        Some((number, block, kept)) => {
            pulls.lost(isa, number, won, block, spare);
            mirror.reflect(isa, image, block);
            meet(lost, image);
            mirror.reflect(isa, block, lost);
            kept.made(isa, block, all_anew);
        }
    }
}

fn meet(block: &mut [u64], other: &[u64]) {
    block.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// Adds the counts of a block, whose number has pieces of its own.
fn add_counts(all: &mut ByBrown, block: usize, counts: &Ones) {
    let high = block.count_ones() as usize;
    for (low, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        all[high + low] += u64::from(count);
    }
}
