//! One array while it is solved: what was found, how it is counted, where it has changed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen::machine::cpu::{Isa, kernels};
use kanzen::solve::rounds::{AddNew, RoundLog, SetShape, SparseChunk, WordArray};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sweep::Changed;
use super::windows::Window;
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::own_mirror::own_mirror_bits;
use crate::nocca::index::{BLOCK, padded};

/// Words of a chunk of the logs.
pub const CHUNK: usize = BLOCK * SetShape::CHUNK;

/// New positions of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// In slabs that are kept for themselves and their mirror image.
    pub plain: u64,
    /// In slabs that are their own mirror image: each position and its mirror image.
    pub symmetric: u64,
    /// Of these, positions that are their own mirror image.
    pub own_mirror: u64,
}

impl Counts {
    /// Positions up to mirror images.
    pub fn up_to_mirror(&self) -> u64 {
        self.plain + (self.symmetric + self.own_mirror) / 2
    }

    /// Positions and their mirror images.
    pub fn all(&self) -> u64 {
        2 * self.plain + self.symmetric
    }
}

/// One array: its words and what is needed to count them.
pub struct Set {
    /// A bit for each position.
    pub words: WordArray,
    pieces: Vec<Piece>,
    own_mirror: Vec<u64>,
    /// Slabs in which the last round has found anything.
    pub changed: Changed,
    /// The positions that it has found, if they are few.
    pub news: Option<News>,
    /// How many are few.
    few: usize,
}

/// Some positions of an array, in order.
#[derive(Default)]
pub struct News(Vec<ChunkNews>);

/// Those of a chunk: its number, and their places in it.
type ChunkNews = (usize, Vec<u32>);

impl News {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(_, places)| places.len()).sum()
    }

    /// The positions in pieces of so many at the most: the bit that places are counted from, and the places.
    pub fn pieces(&self, most: usize) -> impl ParallelIterator<Item = (u64, &[u32])> {
        let chunks = self.0.par_iter();
        chunks.flat_map(move |(chunk, places)| {
            places.par_chunks(most).map(move |places| ((64 * CHUNK * chunk) as u64, places))
        })
    }
}

/// What a round has looked at. The rest of `found` is of no account.
#[derive(Clone, Copy)]
pub enum Touched<'a> {
    /// Some slabs.
    Slabs(&'a Changed),
    /// Some chunks; the others are empty.
    Chunks(&'a [AtomicBool]),
}

/// What a round has found so far: it adds up over the windows.
pub struct RoundSoFar {
    /// The slabs in which anything is new.
    marks: Vec<AtomicBool>,
    plain: AtomicU64,
    symmetric: AtomicU64,
    own_mirror: AtomicU64,
    /// New bits of all slabs.
    all: AtomicU64,
    /// Their places, as long as they are few.
    listed: Mutex<Vec<ChunkNews>>,
}

/// The part of an array that a slab takes.
struct Piece {
    start: usize,
    end: usize,
    width: usize,
    last: u64,
    symmetric: bool,
    slab: usize,
}

impl Set {
    /// The empty set. A round that finds no more positions than `few` leaves a list of them.
    pub fn new(layout: &Layout, array: Array, few: usize) -> Result<Set, Error> {
        let mut pieces = Vec::new();
        for (slab, start) in layout.slabs(array) {
            let space = layout.space(array, slab.top, slab.bottom);
            let (width, end) = (space.width(), start + slab.boards * space.width());
            let last = space.all()[width - 1];
            let number = layout.slab_number(slab.top, slab.bottom);
            pieces.push(Piece { start, end, width, last, symmetric: slab.symmetric, slab: number });
        }
        Ok(Set {
            words: WordArray::zeroed(array.name(), padded(layout.words(array)))?,
            pieces,
            own_mirror: own_mirror_bits(layout, array),
            changed: Changed::none(layout),
            news: None,
            few,
        })
    }

    /// Takes up what a round has found.
    pub fn replay(&mut self, log: &RoundLog<'_>) -> Result<(), Error> {
        let Set { words, pieces, changed, .. } = self;
        let chunks: Vec<Mutex<&mut [u64]>> = words.chunks_mut(CHUNK).map(Mutex::new).collect();
        let marks: Vec<AtomicBool> = changed.marks();
        (0..chunks.len()).into_par_iter().try_for_each(|chunk| {
            let mut words = chunks[chunk].lock().expect("nobody else takes this chunk");
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
        self.news = None;
        Ok(())
    }

    /// Begins a round: nothing is new yet.
    pub fn begin_round(&self) -> RoundSoFar {
        let [plain, symmetric, own_mirror, all] = [(); 4].map(|()| AtomicU64::new(0));
        let listed = Mutex::new(Vec::new());
        RoundSoFar { marks: self.changed.marks(), plain, symmetric, own_mirror, all, listed }
    }

    /// Adds what was found (or, with `flip`, all that was not found) where a round has looked, logs what is new and
    /// clears `found`: in the chunks of a window, with which `found` begins.
    pub fn settle(
        &mut self,
        round: &RoundSoFar,
        window: &Window,
        found: &mut [u64],
        log: &mut AddNew<'_>,
        flip: bool,
        touched: Touched<'_>,
    ) -> Result<(), Error> {
        let Set { words, pieces, own_mirror, few, .. } = self;
        let RoundSoFar { marks, plain, symmetric, own_mirror: own, all, listed } = round;
        let end = words.len().min(window.chunks.end * CHUNK);
        let words = &mut words[window.first()..end];
        let found = &mut found[..words.len()];
        let (isa, flip, few) = (Isa::best(), if flip { !0 } else { 0 }, *few as u64);
        let chunks: Vec<Mutex<_>> = words.chunks_mut(CHUNK).zip(found.chunks_mut(CHUNK)).map(Mutex::new).collect();
        log(window.chunks.clone(), &|chunk| {
            let mut parts = chunks[chunk - window.chunks.start].lock().expect("nobody else takes this chunk");
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
                    // What is not found is found wherever a sweep passes by.
                    if flip != 0 {
                        found[places].fill(0);
                    }
                    continue;
                }
                // Widths divide eight: the same words of every eight are the last of a board.
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
                listed.lock().expect("nobody panics with it").push((chunk, places_of(found, in_chunk as usize)));
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

    /// Ends a round whose windows are all settled, and tells what is new.
    pub fn end_round(&mut self, round: RoundSoFar) -> Counts {
        let RoundSoFar { marks, plain, symmetric, own_mirror, all, listed } = round;
        self.changed.take(marks);
        self.news = (all.into_inner() <= self.few as u64).then(|| {
            let mut listed = listed.into_inner().expect("nobody panics with it");
            listed.sort_unstable_by_key(|(chunk, _): &ChunkNews| *chunk);
            News(listed)
        });
        let [plain, symmetric, own_mirror] = [plain, symmetric, own_mirror].map(AtomicU64::into_inner);
        Counts { plain, symmetric, own_mirror }
    }
}

/// The places of the bits of some words, of which there are so many.
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
    /// Turns what was found (or, flipped, what was not) into what is new, adds it to a set and counts it. Of every eight
    /// words only the bits of `valid` count.
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

/// The pieces that have words in a range.
fn pieces_within(pieces: &[Piece], first: usize, end: usize) -> &[Piece] {
    let from = pieces.partition_point(|piece| piece.end <= first);
    let to = pieces.partition_point(|piece| piece.start < end);
    &pieces[from..to]
}

/// How many of some bits, numbered from the start of the array in ascending order, are set in the words from `first`.
fn count_bits(bits: &[u64], first: usize, words: &[u64]) -> u64 {
    let from = bits.partition_point(|&bit| bit < 64 * first as u64);
    let within =
        bits[from..].iter().map(|&bit| bit - 64 * first as u64).take_while(|&bit| bit < 64 * words.len() as u64);
    within.map(|bit| words[(bit / 64) as usize] >> (bit % 64) & 1).sum()
}
