//! One array while it is solved: found positions, counts, changed slabs, and the windows that bound the memory of a
//! round.
//!
//! A round reads the other array, writes new positions into `found`, and settles them chunk by chunk: adds them to the
//! set, counts and logs them. For the largest board `found` would be as large as an array. So a round works in windows
//! of whole groups, one after the other. Chunks of the logs do not end where groups do; the unfinished chunk of a
//! window is carried over to the next one.
//!
//! ```text
//! groups    |--------------|----|--|---|--|-|--|--|
//! windows   |        first        |    second     |
//! chunks    |.....|.....|.....|.....|.....|.....|.|
//! found     |=====|=====|=====|==>                    settled to the last whole chunk; the rest (>) goes to the front
//!                             |>=================|    and is settled with the next window
//! ```

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen_core::machine::cpu::{Isa, kernels};
use kanzen_solve::rounds::{AddNew, RoundLog, SetShape, SparseChunk, WordArray};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sweep::Changed;
use crate::nocca::index::heights::mirrored;
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::numbering::own_mirror_bits;
use crate::nocca::index::{BLOCK, padded};

/// Words per chunk of the logs.
pub const CHUNK: usize = BLOCK * SetShape::CHUNK;

/// Counts of the new positions of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// In slabs that stand for themselves and their mirror image.
    pub plain: u64,
    /// In slabs that are their own mirror image: every position and its mirror image.
    pub symmetric: u64,
    /// Of `symmetric`, the positions that are their own mirror image.
    pub own_mirror: u64,
}

impl Counts {
    /// Returns the number of positions up to mirror images.
    pub fn up_to_mirror(&self) -> u64 {
        self.plain + (self.symmetric + self.own_mirror) / 2
    }

    /// Returns the number of positions, mirror images counted apart.
    pub fn all(&self) -> u64 {
        2 * self.plain + self.symmetric
    }
}

/// One array: a bit-vector over positions, and what counting them needs.
pub struct Set {
    /// A bit per position.
    pub words: WordArray,
    pieces: Vec<SlabWords>,
    own_mirror: Vec<u64>,
    /// Slabs in which the last round found anything.
    pub changed: Changed,
    /// The positions that the last round found, if they are few.
    pub new_positions: Option<NewPositions>,
    /// The largest number of new positions to list.
    few: usize,
}

/// A list of positions of an array, in order.
#[derive(Default)]
pub struct NewPositions(Vec<ChunkPositions>);

/// The number of a chunk, and the positions in it.
type ChunkPositions = (usize, Vec<u32>);

impl NewPositions {
    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(_, places)| places.len()).sum()
    }

    /// Splits the list into pieces of at most `most` positions: the bit to count from, and the positions relative to
    /// it.
    pub fn pieces(&self, most: usize) -> impl ParallelIterator<Item = (u64, &[u32])> {
        let chunks = self.0.par_iter();
        chunks.flat_map(move |(chunk, places)| {
            places.par_chunks(most).map(move |places| ((64 * CHUNK * chunk) as u64, places))
        })
    }
}

/// The parts of `found` that a round wrote. The rest is ignored.
#[derive(Clone, Copy)]
pub enum Touched<'a> {
    /// These slabs.
    Slabs(&'a Changed),
    /// These chunks; all others are empty.
    Chunks(&'a [AtomicBool]),
}

/// The totals of a round so far, over its windows.
pub struct RoundTotals {
    /// The slabs with new positions.
    marks: Vec<AtomicBool>,
    plain: AtomicU64,
    symmetric: AtomicU64,
    own_mirror: AtomicU64,
    /// New bits in all slabs.
    all: AtomicU64,
    /// The new positions, as long as they are few.
    listed: Mutex<Vec<ChunkPositions>>,
}

/// The words of one slab in an array.
struct SlabWords {
    start: usize,
    end: usize,
    width: usize,
    last: u64,
    symmetric: bool,
    slab: usize,
}

impl Set {
    /// Returns the empty set. A round that finds at most `few` positions leaves a list of them.
    pub fn new(layout: &Layout, array: Array, few: usize) -> Result<Set, Error> {
        let mut pieces = Vec::new();
        for (slab, start) in layout.slabs(array) {
            let space = layout.space(array, slab.top, slab.bottom);
            let (width, end) = (space.width(), start + slab.boards * space.width());
            let last = space.all()[width - 1];
            let number = layout.slab_number(slab.top, slab.bottom);
            pieces.push(SlabWords { start, end, width, last, symmetric: slab.symmetric, slab: number });
        }
        Ok(Set {
            words: WordArray::zeroed(array.name(), padded(layout.words(array)))?,
            pieces,
            own_mirror: own_mirror_bits(layout, array),
            changed: Changed::none(layout),
            new_positions: None,
            few,
        })
    }

    /// Replays the log of a round.
    pub fn replay(&mut self, log: &RoundLog<'_>) -> Result<(), Error> {
        let Set { words, pieces, changed, .. } = self;
        let chunks: Vec<Mutex<&mut [u64]>> = words.chunks_mut(CHUNK).map(Mutex::new).collect();
        let marks: Vec<AtomicBool> = changed.marks();
        (0..chunks.len()).into_par_iter().try_for_each(|chunk| {
            let mut words = chunks[chunk].lock().expect("each chunk is taken once");
            let blocks = words.len() / BLOCK;
            log.read(chunk, blocks, BLOCK, |block, new| {
                words[block * BLOCK..][..BLOCK].iter_mut().zip(new).for_each(|(word, new)| *word |= new);
                let first = chunk * CHUNK + block * BLOCK;
                for piece in pieces_within(pieces, first, first + BLOCK) {
                    let part = piece.start.max(first) - first..piece.end.min(first + BLOCK) - first;
                    if new[part].iter().any(|&word| word != 0) {
                        marks[piece.slab].store(true, Ordering::Relaxed);
                    }
                }
            })
        })?;
        changed.take(marks);
        self.new_positions = None;
        Ok(())
    }

    /// Begins a round.
    pub fn begin_round(&self) -> RoundTotals {
        let [plain, symmetric, own_mirror, all] = [(); 4].map(|()| AtomicU64::new(0));
        let listed = Mutex::new(Vec::new());
        RoundTotals { marks: self.changed.marks(), plain, symmetric, own_mirror, all, listed }
    }

    /// Settles the chunks of a window, with which `found` begins: adds the touched bits of `found` (with `flip`, of its
    /// complement) to the set, logs the new ones and clears `found`.
    pub fn settle(
        &mut self,
        round: &RoundTotals,
        window: &Window,
        found: &mut [u64],
        log: &mut AddNew<'_>,
        flip: bool,
        touched: Touched<'_>,
    ) -> Result<(), Error> {
        let Set { words, pieces, own_mirror, few, .. } = self;
        let RoundTotals { marks, plain, symmetric, own_mirror: own, all, listed } = round;
        let end = words.len().min(window.chunks.end * CHUNK);
        let words = &mut words[window.first()..end];
        let found = &mut found[..words.len()];
        let (isa, flip, few) = (Isa::best(), if flip { !0 } else { 0 }, *few as u64);
        let chunks: Vec<Mutex<_>> = words.chunks_mut(CHUNK).zip(found.chunks_mut(CHUNK)).map(Mutex::new).collect();
        log(window.chunks.clone(), &|chunk| {
            let mut parts = chunks[chunk - window.chunks.start].lock().expect("each chunk is taken once");
            let (words, found) = &mut *parts;
            let first = chunk * CHUNK;
            let mut log = SparseChunk::new(words.len() / BLOCK);
            if matches!(touched, Touched::Chunks(chunks) if !chunks[chunk].load(Ordering::Relaxed)) {
                return log;
            }
            let mut in_chunk = 0;
            for piece in pieces_within(pieces, first, first + words.len()) {
                let part = piece.start.max(first)..piece.end.min(first + words.len());
                let places = part.start - first..part.end - first;
                if matches!(touched, Touched::Slabs(slabs) if !slabs.has(piece.slab)) {
                    // With `flip`, a sweep also writes untouched slabs: these bits are discarded.
                    if flip != 0 {
                        found[places].fill(0);
                    }
                    continue;
                }
                // Widths divide eight: in every eight words the last words of boards are at the same places.
                let valid = std::array::from_fn(|word| {
                    let at_end = (part.start - piece.start + word) % piece.width == piece.width - 1;
                    if at_end { piece.last } else { !0 }
                });
                let new_bits = take_new(isa, &mut words[places.clone()], &mut found[places.clone()], valid, flip);
                if new_bits > 0 {
                    marks[piece.slab].store(true, Ordering::Relaxed);
                    let count = if piece.symmetric { symmetric } else { plain };
                    count.fetch_add(new_bits, Ordering::Relaxed);
                    in_chunk += new_bits;
                }
            }
            if in_chunk > 0 && all.fetch_add(in_chunk, Ordering::Relaxed) + in_chunk <= few {
                listed.lock().expect("no thread panics").push((chunk, places_of(found, in_chunk as usize)));
            }
            own.fetch_add(count_bits(own_mirror, first, found), Ordering::Relaxed);
            for (block, new) in found.chunks_mut(BLOCK).enumerate() {
                if new.iter().any(|&word| word != 0) {
                    log.add(block, new);
                    new.fill(0);
                }
            }
            log
        })
    }

    /// Ends a round whose windows are all settled. Returns the counts.
    pub fn end_round(&mut self, round: RoundTotals) -> Counts {
        let RoundTotals { marks, plain, symmetric, own_mirror, all, listed } = round;
        self.changed.take(marks);
        self.new_positions = (all.into_inner() <= self.few as u64).then(|| {
            let mut listed = listed.into_inner().expect("no thread panics");
            listed.sort_unstable_by_key(|(chunk, _): &ChunkPositions| *chunk);
            NewPositions(listed)
        });
        let [plain, symmetric, own_mirror] = [plain, symmetric, own_mirror].map(AtomicU64::into_inner);
        Counts { plain, symmetric, own_mirror }
    }
}

/// Lists the positions of the `bits` set bits of some words.
fn places_of(words: &[u64], bits: usize) -> Vec<u32> {
    let mut places = Vec::with_capacity(bits);
    for (first, &word) in (0..).step_by(64).zip(words).filter(|(_, word)| **word != 0) {
        let mut left = word;
        while left != 0 {
            places.push(first + left.trailing_zeros());
            left &= left - 1;
        }
    }
    places
}

kernels! {
    /// Turns found bits (with `flip`, their complement) into new bits, adds these to a set and counts them. `valid`
    /// masks every eight words.
    fn take_new(isa, words: &mut [u64], found: &mut [u64], valid: [u64; 8], flip: u64) -> u64 {
        let take = |word: &mut u64, found: &mut u64, valid: u64| {
            let new = (*found ^ flip) & !*word & valid;
            *found = new;
            *word |= new;
            u64::from(new.count_ones())
        };
        let ((words, last_words), (found, last_found)) = (words.as_chunks_mut::<8>(), found.as_chunks_mut::<8>());
        let mut counts = [0; 8];
        for (words, found) in words.iter_mut().zip(found) {
            if flip == 0 && *found == [0; 8] {
                continue;
            }
            for lane in 0..8 {
                counts[lane] += take(&mut words[lane], &mut found[lane], valid[lane]);
            }
        }
        for ((word, found), valid) in last_words.iter_mut().zip(last_found).zip(valid) {
            counts[0] += take(word, found, valid);
        }
        counts.iter().sum()
    }
}

/// Returns the slabs with words in a range.
fn pieces_within(pieces: &[SlabWords], first: usize, end: usize) -> &[SlabWords] {
    let from = pieces.partition_point(|piece| piece.end <= first);
    let to = pieces.partition_point(|piece| piece.start < end);
    &pieces[from..to]
}

/// Counts the bits of an ascending list that are set in `words`, which begin at word `first` of the array.
fn count_bits(bits: &[u64], first: usize, words: &[u64]) -> u64 {
    let from = bits.partition_point(|&bit| bit < 64 * first as u64);
    let within =
        bits[from..].iter().map(|&bit| bit - 64 * first as u64).take_while(|&bit| bit < 64 * words.len() as u64);
    within.map(|bit| words[(bit / 64) as usize] >> (bit % 64) & 1).sum()
}

/// Arrays of up to this many words (2 GiB) have one window: their memory is not a concern.
const WHOLE: usize = 1 << 28;

/// Returns how many words a window may have; a single larger group is allowed.
///
/// Three quarters of the array give the largest board two windows. Its largest group, with an empty goal row, has more
/// than two fifths of the words and belongs to one thread. A first window not much larger would leave the other threads
/// idle.
pub fn most_words(words: usize) -> usize {
    if words <= WHOLE { words } else { words / 4 * 3 }
}

/// A run of consecutive groups of an array.
#[derive(Debug)]
pub struct Window {
    /// The groups, by number.
    pub groups: Range<usize>,
    /// The words of the groups.
    pub words: Range<usize>,
    /// The chunks to settle after the sweep. The first may have been begun by the window before.
    pub chunks: Range<usize>,
    /// The words from the first of these chunks to the end of the window.
    pub len: usize,
    /// Whether a goal row, by code, belongs to the groups.
    goal_rows: Vec<bool>,
}

impl Window {
    /// Returns the array's word at which `found` begins.
    pub fn first(&self) -> usize {
        self.chunks.start * CHUNK
    }

    /// Whether the window contains the positions with this goal row.
    #[inline(always)]
    pub fn has_goal_row(&self, row: u32) -> bool {
        self.goal_rows[row as usize]
    }

    /// Moves the unsettled words of `found` to the front, where the next window expects them.
    pub fn carry(&self, found: &mut [u64]) {
        let settled = self.chunks.len() * CHUNK;
        if settled > 0 && settled < self.len {
            let (front, rest) = found[..self.len].split_at_mut(settled);
            front[..rest.len()].copy_from_slice(rest); // less than a chunk
            rest.fill(0);
        }
    }
}

/// Cuts an array into as few windows as possible, each with at most `most` words or a single group.
pub fn windows(layout: &Layout, array: Array, most: usize) -> Vec<Window> {
    let groups = layout.groups(array);
    let mut ends = Vec::new();
    let mut first = 0;
    for (number, group) in groups.iter().enumerate() {
        if group.words.end - first > most && group.words.start > first {
            ends.push(number);
            first = group.words.start;
        }
    }
    ends.push(groups.len());
    let mut slabs = layout.slabs(array);
    let mut window = |of_groups: Range<usize>| {
        let words = groups[of_groups.start].words.start..groups[of_groups.end - 1].words.end;
        let is_last = of_groups.end == groups.len();
        // The last chunk of the array consists of whole blocks, perhaps of fewer than the others.
        let end = if is_last { padded(words.end) } else { words.end };
        let chunks = words.start / CHUNK..if is_last { end.div_ceil(CHUNK) } else { end / CHUNK };
        let mut goal_rows = vec![false; 1 << (2 * layout.columns)];
        for (slab, _) in slabs.by_ref().take(groups[of_groups.clone()].iter().map(|group| group.slabs).sum()) {
            let row = layout.goal_row(array, slab.top, slab.bottom);
            goal_rows[row as usize] = true;
            goal_rows[mirrored(row, 1, layout.columns) as usize] = true;
        }
        Window { groups: of_groups, words, len: end - chunks.start * CHUNK, chunks, goal_rows }
    };
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, &end)| window(start..end)).collect()
}
