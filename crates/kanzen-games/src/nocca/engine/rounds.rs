//! Round after round: a sweep, then what is new in it.
//!
//! ```text
//! lost in 0   white is stuck
//! won in 1    black has a move to a position lost in 0, or walks off (those have no bits)
//! lost in 2   white has no move but to positions won in 1 ...
//! ```
//!
//! Losses come at even distances and wins at odd ones, so one array of each, for different sides to move on the same
//! board, is all there is: nothing is ever turned round. Each round is logged; the logs are the checkpoint.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kanzen::Error;
use kanzen::progress::{Event, Observer};
use kanzen::solve::rounds::WordArray;
use kanzen::store::{RoundFile, SparseChunk, WorkFolder};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::layout::{Array, Layout};
use super::own_mirror::own_mirror_bits;
use super::stuck::stuck;
use super::sweep::{Changed, Sweeper, Swept};

/// Words of a block of the logs, and of the database.
pub const BLOCK: usize = 512;
/// Blocks of a chunk of the logs.
pub const CHUNK: usize = 128;

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

/// A round that was played.
pub struct Played {
    /// What is new.
    pub counts: Counts,
    /// Lifted boards that the sweep has visited.
    pub lifted: u64,
    /// How long that took.
    pub sweep: Duration,
}

/// Where a round's new bits go: so many chunks, made in parallel by the function given with them.
pub type Log<'a> = &'a mut dyn FnMut(u64, &(dyn Fn(u64) -> SparseChunk + Sync)) -> Result<(), Error>;

/// The array in which positions of a distance are found.
pub fn array_of(distance: usize) -> Array {
    if distance.is_multiple_of(2) { Array::Losses } else { Array::Wins }
}

/// Whether nothing can come after a round.
pub fn is_last(distance: usize, counts: &Counts) -> bool {
    // Walking off is won in 1 as well: there is always something to do up to distance 2.
    distance >= 2 && counts.all() == 0
}

pub fn log_name(distance: usize) -> String {
    format!("round-{distance}")
}

/// Words of an array, whole blocks.
pub fn padded(words: usize) -> usize {
    words.next_multiple_of(BLOCK)
}

/// One array: its words and what is needed to count them.
struct Set {
    words: WordArray,
    pieces: Vec<Piece>,
    own_mirror: Vec<u64>,
    /// Slabs in which the last round has found anything.
    changed: Changed,
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

/// Both arrays, in memory.
pub struct Rounds<'a> {
    layout: &'a Layout,
    losses: Set,
    wins: Set,
    found: WordArray,
}

impl<'a> Rounds<'a> {
    /// Nothing found yet.
    pub fn new(layout: &'a Layout) -> Result<Rounds<'a>, Error> {
        let words = padded(layout.words(Array::Losses).max(layout.words(Array::Wins)));
        let losses = Set::new(layout, Array::Losses)?;
        Ok(Rounds { layout, losses, wins: Set::new(layout, Array::Wins)?, found: zeroed(words)? })
    }

    /// Takes up the logs of the rounds before `distance`.
    pub fn replay(&mut self, work: &WorkFolder, distance: usize, observer: &dyn Observer) -> Result<(), Error> {
        observer.event(Event::Stage { name: "resume", total: Some(distance as u64) });
        for before in 0..distance {
            let log = RoundFile::open(&work.file(&log_name(before)), work.fingerprint())?;
            let set = self.set(array_of(before));
            set.replay(&log)?;
            observer.event(Event::Steps { steps: 1 });
        }
        Ok(())
    }

    fn set(&mut self, array: Array) -> &mut Set {
        match array {
            Array::Losses => &mut self.losses,
            Array::Wins => &mut self.wins,
        }
    }

    /// Plays the round of a distance and hands what is new to the log. Those before it must have been played.
    pub fn play(
        &mut self,
        distance: usize,
        sweepers: &[Sweeper<'_>; 2],
        log: Log<'_>,
        observer: &dyn Observer,
    ) -> Result<Played, Error> {
        let start = Instant::now();
        let Rounds { layout, losses, wins, found } = self;
        let swept = match (distance, array_of(distance)) {
            (0, _) => {
                for (slab, start) in layout.slabs(Array::Losses) {
                    let words = slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).width();
                    stuck(layout, slab, &mut found[start..start + words]);
                }
                Swept { touched: Changed::all(layout), boards: 0 }
            }
            (_, Array::Wins) => sweepers[1].sweep(&losses.words, &losses.changed, false, found, observer),
            (2, Array::Losses) => {
                // Walking off counts as new when it is first looked at.
                sweepers[0].sweep(&wins.words, &Changed::all(layout), true, found, observer)
            }
            (_, Array::Losses) => sweepers[0].sweep(&wins.words, &wins.changed, true, found, observer),
        };
        let sweep = start.elapsed();
        let set = if array_of(distance) == Array::Losses { losses } else { wins };
        let flip = distance > 0 && array_of(distance) == Array::Losses;
        let counts = set.settle(found, log, flip, &swept.touched)?;
        Ok(Played { counts, lifted: swept.boards, sweep })
    }
}

fn zeroed(words: usize) -> Result<WordArray, Error> {
    let needed = 8 * words as u64;
    WordArray::zeroed(words).map_err(|refusal| {
        let budget = kanzen::machine::available_memory().unwrap_or(0);
        Error::Memory { what: format!("a set of positions ({refusal})"), needed, budget }
    })
}

impl Set {
    fn new(layout: &Layout, array: Array) -> Result<Set, Error> {
        let mut pieces = Vec::new();
        for (slab, start) in layout.slabs(array) {
            let space = layout.space(array, slab.top, slab.bottom);
            let (width, end) = (space.width(), start + slab.boards * space.width());
            let last = space.all()[width - 1];
            let number = layout.slab_number(slab.top, slab.bottom);
            pieces.push(Piece { start, end, width, last, symmetric: slab.symmetric, slab: number });
        }
        Ok(Set {
            words: zeroed(padded(layout.words(array)))?,
            pieces,
            own_mirror: own_mirror_bits(layout, array),
            changed: Changed::none(layout),
        })
    }

    fn replay(&mut self, log: &RoundFile) -> Result<(), Error> {
        let Set { words, pieces, changed, .. } = self;
        let chunks: Vec<Mutex<&mut [u64]>> = words.chunks_mut(BLOCK * CHUNK).map(Mutex::new).collect();
        let marks: Vec<AtomicBool> = changed.marks();
        (0..chunks.len()).into_par_iter().filter(|&chunk| !log.is_empty(chunk as u64)).try_for_each(|chunk| {
            let mut words = chunks[chunk].lock().expect("nobody else takes this chunk");
            let blocks = words.len() / BLOCK;
            log.read(chunk as u64, blocks, BLOCK, |block, new| {
                words[block * BLOCK..][..BLOCK].iter_mut().zip(new).for_each(|(word, new)| *word |= new);
                let first = chunk * BLOCK * CHUNK + block * BLOCK;
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

    /// Adds what was found (or, with `flip`, all that was not found) in the slabs of `touched`, logs what is new and
    /// clears `found`.
    fn settle(&mut self, found: &mut [u64], log: Log<'_>, flip: bool, touched: &Changed) -> Result<Counts, Error> {
        let Set { words, pieces, own_mirror, changed, .. } = self;
        let found = &mut found[..words.len()];
        let size = BLOCK * CHUNK;
        let chunks: Vec<Mutex<_>> = words.chunks_mut(size).zip(found.chunks_mut(size)).map(Mutex::new).collect();
        let marks: Vec<AtomicBool> = changed.marks();
        let [plain, symmetric, own] = [(); 3].map(|()| AtomicU64::new(0));
        log(chunks.len() as u64, &|chunk| {
            let mut parts = chunks[chunk as usize].lock().expect("nobody else takes this chunk");
            let (words, found) = &mut *parts;
            let first = chunk as usize * size;
            for piece in pieces_within(pieces, first, first + words.len()) {
                let part = piece.start.max(first)..piece.end.min(first + words.len());
                let places = part.start - first..part.end - first;
                if !touched.has(piece.slab) {
                    found[places].fill(0);
                    continue;
                }
                let mut new_bits = 0;
                for place in places {
                    let at_end = (first + place - piece.start) % piece.width == piece.width - 1;
                    let valid = if at_end { piece.last } else { !0 };
                    let new = if flip { !found[place] } else { found[place] } & !words[place] & valid;
                    found[place] = new;
                    words[place] |= new;
                    new_bits += u64::from(new.count_ones());
                }
                if new_bits > 0 {
                    marks[piece.slab].store(true, Ordering::Relaxed);
                    let count = if piece.symmetric { &symmetric } else { &plain };
                    count.fetch_add(new_bits, Ordering::Relaxed);
                }
            }
            own.fetch_add(count_bits(own_mirror, first, found), Ordering::Relaxed);
            let mut log = SparseChunk::new(words.len() / BLOCK);
            for (block, new) in found.chunks(BLOCK).enumerate() {
                if new.iter().any(|&word| word != 0) {
                    log.add(block, new);
                }
            }
            found.fill(0);
            log
        })?;
        changed.take(marks);
        let [plain, symmetric, own_mirror] = [plain, symmetric, own].map(AtomicU64::into_inner);
        Ok(Counts { plain, symmetric, own_mirror })
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
