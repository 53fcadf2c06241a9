//! One array while it is solved: what was found, how it is counted, where it has changed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen::machine::cpu::{Isa, kernels};
use kanzen::solve::rounds::{RoundLog, SetShape, SparseChunk, WordArray};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::marks::{Marker, SlabMarker};
use super::sweep::Changed;
use crate::nocca::index::layout::{Array, Layout, Slab};
use crate::nocca::index::own_mirror::own_mirror_bits;
use crate::nocca::index::{BLOCK, padded};

/// Words of a chunk of the logs.
const CHUNK: usize = BLOCK * SetShape::CHUNK;

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

/// Where the new bits of a round go: a function that makes each chunk of them.
pub type Log<'a> = &'a dyn Fn(&(dyn Fn(usize) -> SparseChunk + Sync)) -> Result<(), Error>;

/// One array: its words and what is needed to count them.
pub struct Set {
    /// A bit for each position.
    pub words: WordArray,
    pieces: Vec<Piece>,
    own_mirror: Vec<u64>,
    /// Slabs in which the last round has found anything.
    pub changed: Changed,
}

/// The part of an array that a slab takes.
struct Piece {
    start: usize,
    end: usize,
    width: usize,
    last: u64,
    symmetric: bool,
    slab: usize,
    boards: Slab,
}

impl Set {
    /// The empty set.
    pub fn new(layout: &Layout, array: Array) -> Result<Set, Error> {
        let mut pieces = Vec::new();
        for (slab, start) in layout.slabs(array) {
            let space = layout.space(array, slab.top, slab.bottom);
            let (width, end) = (space.width(), start + slab.boards * space.width());
            let last = space.all()[width - 1];
            let number = layout.slab_number(slab.top, slab.bottom);
            pieces.push(Piece { start, end, width, last, symmetric: slab.symmetric, slab: number, boards: *slab });
        }
        Ok(Set {
            words: WordArray::zeroed(array.name(), padded(layout.words(array)))?,
            pieces,
            own_mirror: own_mirror_bits(layout, array),
            changed: Changed::none(layout),
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
        Ok(())
    }

    /// Adds what was found (or, with `flip`, all that was not found) in the slabs of `touched`, logs what is new, marks
    /// the lifted boards that it matters to and clears `found`.
    pub fn settle(
        &mut self,
        found: &mut [u64],
        log: Log<'_>,
        flip: bool,
        touched: &Changed,
        marker: Option<&Marker<'_>>,
    ) -> Result<Counts, Error> {
        let Set { words, pieces, own_mirror, changed, .. } = self;
        let found = &mut found[..words.len()];
        let (isa, flip) = (Isa::best(), if flip { !0 } else { 0 });
        let chunks: Vec<Mutex<_>> = words.chunks_mut(CHUNK).zip(found.chunks_mut(CHUNK)).map(Mutex::new).collect();
        let marks: Vec<AtomicBool> = changed.marks();
        let [plain, symmetric, own] = [(); 3].map(|()| AtomicU64::new(0));
        log(&|chunk| {
            let mut parts = chunks[chunk].lock().expect("nobody else takes this chunk");
            let (words, found) = &mut *parts;
            let first = chunk * CHUNK;
            for piece in pieces_within(pieces, first, first + words.len()) {
                let part = piece.start.max(first)..piece.end.min(first + words.len());
                let places = part.start - first..part.end - first;
                if !touched.has(piece.slab) {
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
                    let count = if piece.symmetric { &symmetric } else { &plain };
                    count.fetch_add(new_bits, Ordering::Relaxed);
                    if let Some(marker) = marker {
                        let new = found[places].iter().zip(part.start - piece.start..).filter(|(new, _)| **new != 0);
                        mark(&marker.slab(&piece.boards), new.map(|(_, word)| word / piece.width));
                    }
                }
            }
            own.fetch_add(count_bits(own_mirror, first, found), Ordering::Relaxed);
            let mut log = SparseChunk::new(words.len() / BLOCK);
            for (block, new) in found.chunks_mut(BLOCK).enumerate() {
                if new.iter().any(|&word| word != 0) {
                    log.add(block, new);
                    new.fill(0);
                }
            }
            log
        })?;
        changed.take(marks);
        let [plain, symmetric, own_mirror] = [plain, symmetric, own].map(AtomicU64::into_inner);
        Ok(Counts { plain, symmetric, own_mirror })
    }
}

/// Marks the lifted boards of some boards, which may come several times in a row.
fn mark(marker: &SlabMarker<'_>, boards: impl Iterator<Item = usize>) {
    let mut last = None;
    for board in boards {
        if last != Some(board) {
            marker.board(board);
        }
        last = Some(board);
    }
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
