//! The windows of an array: what a round finds is in memory for one of them at a time.
//!
//! A round reads the other array, writes what it finds and then settles it, chunk by chunk. Of the largest board what is
//! found would be as large as an array, so it is found and settled in runs of whole groups, one after the other. Chunks
//! of the logs do not end where groups do: what is found of a chunk that the next window completes is carried over.
//!
//! ```text
//! groups    |--------------|----|--|---|--|-|--|--|
//! windows   |        first        |    second     |
//! chunks    |.....|.....|.....|.....|.....|.....|.|
//! found     |=====|=====|=====|==>                    settled to the last whole chunk; the rest (>) goes to the front
//!                             |>=================|    and is settled with the next window
//! ```

use std::ops::Range;

use super::set::CHUNK;
use crate::nocca::index::heights::mirrored;
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::padded;

/// Arrays of up to so many words (2 GiB) have one window: of these boards memory is no concern.
const WHOLE: usize = 1 << 28;

/// How many words the windows of an array may have, but for groups that are larger.
///
/// Three quarters make two windows of the largest board. The group with an empty goal row has more than two fifths of its
/// words and is one thread's own; a first window not much larger than it would leave the other threads without work.
pub fn most_words(words: usize) -> usize {
    if words <= WHOLE { words } else { words / 4 * 3 }
}

/// Some groups of an array, one after the other.
#[derive(Debug)]
pub struct Window {
    /// The groups, by number.
    pub groups: Range<usize>,
    /// Their words.
    pub words: Range<usize>,
    /// The chunks that are settled when they are swept. The first may have been begun by the window before.
    pub chunks: Range<usize>,
    /// The words from the first of these chunks to the end of the window.
    pub len: usize,
    /// The goal rows of the groups, by code.
    goal_rows: Vec<bool>,
}

impl Window {
    /// The word of the array that `found` begins with.
    pub fn first(&self) -> usize {
        self.chunks.start * CHUNK
    }

    /// Whether positions of the array with this goal row are in the window.
    #[inline(always)]
    pub fn has_goal_row(&self, row: u32) -> bool {
        self.goal_rows[row as usize]
    }

    /// Brings what was found but not settled to where the next window wants it.
    pub fn carry(&self, found: &mut [u64]) {
        let settled = self.chunks.len() * CHUNK;
        if settled > 0 && settled < self.len {
            let (front, rest) = found[..self.len].split_at_mut(settled);
            front[..rest.len()].copy_from_slice(rest); // less than a chunk
            rest.fill(0);
        }
    }
}

/// The windows of an array: as few as have so many words each, or a single group.
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
        // The last chunk of the array has whole blocks, if not as many as others.
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
