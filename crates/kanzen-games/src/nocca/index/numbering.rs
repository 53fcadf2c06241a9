//! Numbers every position once up to symmetry, and counts positions without visiting them.
//!
//! ```text
//! slabs stored for themselves and their mirror image   every board with every colouring
//! slabs that are their own mirror image                one of every two boards that mirror each other
//!                                                      own mirror images: one of every two such colourings
//! ```
//!
//! All have white to move. Positions that win at once are included: they have a number, though no bit.

use std::sync::OnceLock;

use kanzen::Colour;
use kanzen_core::index::Dictionary;

use super::heights::Part;
use super::layout::{Array, Layout, Slab, mirror_swaps};
use crate::nocca::rules::{MOST_CELLS, Position, Stack};

/// Position numbers of a layout.
pub struct Numbering {
    plain: SlabRun,
    symmetric: SlabRun,
    own: Vec<(Slab, usize)>,
    own_ends: Vec<u64>,
    /// By pieces in the middle: the middles that come before their mirror image.
    halves: Vec<OnceLock<Dictionary>>,
    colourings: Vec<u16>,
    /// The place of each slab, made on first use.
    order: OnceLock<Vec<(u32, usize)>>,
}

/// Consecutive slabs.
#[derive(Default)]
struct SlabRun {
    slabs: Vec<Slab>,
    ends: Vec<u64>,
}

impl SlabRun {
    fn push(&mut self, slab: Slab, positions: u64) {
        self.ends.push(self.len() + positions);
        self.slabs.push(slab);
    }

    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Returns the first number of a slab by its place.
    fn start(&self, at: u32) -> u64 {
        at.checked_sub(1).map_or(0, |before| self.ends[before as usize])
    }

    /// Returns the slab of a number, and the number within it.
    fn find(&self, number: u64) -> (&Slab, u64) {
        let (slab, within) = find(&self.ends, number);
        (&self.slabs[slab], within)
    }
}

fn find(ends: &[u64], number: u64) -> (usize, u64) {
    let at = ends.partition_point(|&end| end <= number);
    (at, number - if at == 0 { 0 } else { ends[at - 1] })
}

impl Numbering {
    /// Numbers the positions of a layout.
    pub fn new(layout: &Layout) -> Numbering {
        let colourings = layout.full_space().words().to_vec();
        let each = colourings.len() as u64;
        let (mut plain, mut symmetric) = (SlabRun::default(), SlabRun::default());
        let mut own = Vec::new();
        let own_middles: Vec<Vec<usize>> =
            (0..=2 * layout.columns as u32).map(|sum| own_middles(layout, sum)).collect();
        for (&slab, _) in layout.slabs(Array::Losses) {
            if slab.symmetric {
                let own_mirrors = &own_middles[slab.middle as usize];
                symmetric.push(slab, (slab.boards - own_mirrors.len()) as u64 / 2 * each);
                own.extend(own_mirrors.iter().map(|&board| (slab, board)));
            } else {
                plain.push(slab, slab.boards as u64 * each);
            }
        }
        let halves = (0..=2 * layout.columns).map(|_| OnceLock::new()).collect();
        let mut numbering =
            Numbering { plain, symmetric, own, own_ends: Vec::new(), halves, colourings, order: OnceLock::new() };
        let mut end = 0;
        for (slab, board) in &numbering.own {
            end += numbering.smaller(layout, slab, *board).count() as u64;
            numbering.own_ends.push(end);
        }
        numbering
    }

    /// Returns the number of positions.
    #[cfg(test)]
    pub fn len(&self) -> u64 {
        self.plain.len() + self.symmetric.len() + self.own_ends.last().copied().unwrap_or(0)
    }

    /// Returns the position of a number.
    pub fn position(&self, layout: &Layout, number: u64) -> Option<Position> {
        let each = self.colourings.len() as u64;
        let coloured = |slab, board, word: u16| layout.coloured(slab, board, word.into(), Colour::White);
        if number < self.plain.len() {
            let (slab, within) = self.plain.find(number);
            return Some(coloured(slab, (within / each) as usize, self.colourings[(within % each) as usize]));
        }
        let number = number - self.plain.len();
        if number < self.symmetric.len() {
            let (slab, within) = self.symmetric.find(number);
            let half = self.halves[slab.middle as usize].get_or_init(|| half(layout, slab.middle));
            let board = half.select(within / each)? as usize;
            return Some(coloured(slab, board, self.colourings[(within % each) as usize]));
        }
        let number = number - self.symmetric.len();
        let (at, within) = find(&self.own_ends, number);
        let (slab, board) = self.own.get(at)?;
        let word = self.smaller(layout, slab, *board).nth(within as usize)?;
        Some(coloured(slab, *board, word))
    }

    /// Returns the number of a position with white to move, or of its mirror image: the inverse of
    /// [`position`](Numbering::position).
    pub fn number(&self, layout: &Layout, board: &Position) -> Option<u64> {
        let (rows, board, white) = layout.images(board).min()?;
        let slab = layout.slab(rows[0], rows[1])?;
        let order = self.order.get_or_init(|| order(layout));
        let (at, own_before) = order[layout.slab_number(rows[0], rows[1])];
        let each = self.colourings.len() as u64;
        let colouring = layout.full_space().rank(white) as u64;
        if !slab.symmetric {
            return Some(self.plain.start(at) + board as u64 * each + colouring);
        }
        let before = self.plain.len() + self.symmetric.start(at);
        let half = self.halves[slab.middle as usize].get_or_init(|| half(layout, slab.middle));
        if let Some(rank) = half.rank(board as u64) {
            return Some(before + rank * each + colouring);
        }
        // The board is its own mirror image: of two mirrored colourings the smaller one is numbered.
        let own = own_middles(layout, slab.middle).binary_search(&board).ok()? + own_before;
        let before = if own == 0 { 0 } else { self.own_ends[own - 1] };
        let within = self.smaller(layout, slab, board).position(|word| word == white)?;
        Some(self.plain.len() + self.symmetric.len() + before + within as u64)
    }

    /// Returns the colourings of a board that is its own mirror image, one of every two that mirror each other.
    fn smaller(&self, layout: &Layout, slab: &Slab, board: usize) -> impl Iterator<Item = u16> + '_ {
        let swaps = mirror_swaps(layout, slab, board);
        let mirrored = move |word: u16| {
            swaps.iter().fold(word, |word, &piece| {
                let differ = (word >> piece ^ word >> (piece + 1)) & 1;
                word ^ (differ << piece | differ << (piece + 1))
            })
        };
        self.colourings.iter().copied().filter(move |&word| word <= mirrored(word))
    }
}

/// Returns for each slab its place among the plain or the symmetric ones, and the number of boards in earlier slabs
/// that are their own mirror image.
fn order(layout: &Layout) -> Vec<(u32, usize)> {
    let mut order = vec![(0, 0); layout.slab_count()];
    let (mut plain, mut symmetric, mut own) = (0, 0, 0);
    let own_middles: Vec<usize> = (0..=2 * layout.columns as u32).map(|sum| own_middles(layout, sum).len()).collect();
    for (slab, _) in layout.slabs(Array::Losses) {
        let place = if slab.symmetric { &mut symmetric } else { &mut plain };
        order[layout.slab_number(slab.top, slab.bottom)] = (*place, own);
        *place += 1;
        own += if slab.symmetric { own_middles[slab.middle as usize] } else { 0 };
    }
    order
}

/// Stores the middles that come before their mirror image.
fn half(layout: &Layout, sum: u32) -> Dictionary {
    let before = (0..=sum).flat_map(|upper_sum| {
        let (uppers, lowers) = (layout.upper.mirrors(upper_sum), layout.lower.mirrors(sum - upper_sum));
        (0..uppers.len() * lowers.len()).filter_map(move |within| {
            let (upper, lower) = (within / lowers.len(), within % lowers.len());
            let middle = layout.run(sum, upper_sum, upper) + lower;
            let mirror = layout.run(sum, upper_sum, uppers[upper]) + lowers[lower];
            (middle < mirror).then_some(middle as u64)
        })
    });
    Dictionary::from_sorted(layout.middles(sum) as u64, before)
}

/// Returns the middles that are their own mirror image.
fn own_middles(layout: &Layout, sum: u32) -> Vec<usize> {
    let own = |part: &Part, sum: u32| -> Vec<usize> {
        let mirrors = part.mirrors(sum).into_iter().enumerate();
        mirrors.filter(|(rank, mirror)| rank == mirror).map(|(rank, _)| rank).collect()
    };
    let mut middles = Vec::new();
    for upper_sum in 0..=sum {
        let lowers = own(&layout.lower, sum - upper_sum);
        for upper in own(&layout.upper, upper_sum) {
            let run = layout.run(sum, upper_sum, upper);
            middles.extend(lowers.iter().map(|lower| run + lower));
        }
    }
    middles
}

/// Counts all placements of both sides' pieces, both sides to move, mirror images counted apart.
///
/// Heights and colours are independent: the result is the number of heights (at most 3) that sum to all pieces, times
/// the number of ways to colour half of the pieces.
///
/// ```
/// use kanzen_games::nocca::placements;
/// assert_eq!(placements(3, 2), 1_440);
/// assert_eq!(placements(6, 5), 295_975_446_984);
/// ```
pub fn placements(rows: usize, columns: usize) -> u64 {
    let pieces = 2 * columns;
    let heights = Part::new(rows, columns, pieces as u32).len(pieces as u32) as u64;
    2 * heights * kanzen_core::index::binomial(pieces as u32, columns as u32)
}

/// Counts the placements with one side to move, up to mirror images.
pub fn up_to_mirror(rows: usize, columns: usize) -> u64 {
    (placements(rows, columns) / 2 + count_own_mirrors(rows, columns)) / 2
}

/// Counts the placements with one side to move that are their own mirror image.
pub fn count_own_mirrors(rows: usize, columns: usize) -> u64 {
    // ways[b][w]: equal stacks on the pairs of cells so far and any stack in the middle column, with b black and w
    // white pieces.
    let mut ways = vec![vec![0u64; columns + 1]; columns + 1];
    ways[0][0] = 1;
    for column in 0..columns.div_ceil(2) {
        let each = if 2 * column + 1 == columns { 1 } else { 2 };
        for _ in 0..rows {
            let mut next = vec![vec![0; columns + 1]; columns + 1];
            for stack in (1..16).map(Stack::from_code) {
                let [black, white] = stack.by_colour().map(|pieces| each * pieces);
                for (b, w) in (black..=columns).flat_map(|b| (white..=columns).map(move |w| (b, w))) {
                    next[b][w] += ways[b - black][w - white];
                }
            }
            ways = next;
        }
    }
    ways[columns][columns]
}

/// Visits every position that is its own mirror image, with a side to move.
pub fn visit_own_mirrors(rows: usize, columns: usize, to_move: Colour, visit: &mut impl FnMut(&Position)) {
    let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move };
    // Cells of the left half and of the middle column.
    let half = columns.div_ceil(2);
    let cells: Vec<(usize, usize)> = (0..rows * half)
        .map(|number| {
            let (row, column) = (number / half * columns, number % half);
            (row + column, row + columns - 1 - column)
        })
        .collect();
    fill(&mut board, &cells, [columns; 2], visit);
}

/// Fills pairs of cells with equal stacks until all black and white pieces are placed.
fn fill(board: &mut Position, cells: &[(usize, usize)], left: [usize; 2], visit: &mut impl FnMut(&Position)) {
    let Some((&(cell, mirror), others)) = cells.split_first() else {
        if left == [0, 0] {
            visit(board);
        }
        return;
    };
    let each = if cell == mirror { 1 } else { 2 };
    for stack in (1..16).map(Stack::from_code) {
        let [black, white] = stack.by_colour().map(|pieces| each * pieces);
        if black <= left[0] && white <= left[1] {
            (board.cells[cell], board.cells[mirror]) = (stack, stack);
            fill(board, others, [left[0] - black, left[1] - white], visit);
        }
    }
    (board.cells[cell], board.cells[mirror]) = (Stack::EMPTY, Stack::EMPTY);
}

/// Returns the bits, ascending, of the positions of an array that are their own mirror image. Counts up to mirror
/// images treat these separately.
pub fn own_mirror_bits(layout: &Layout, array: Array) -> Vec<u64> {
    let to_move = Colour::of_bit(array == Array::Losses);
    let mut bits = Vec::new();
    visit_own_mirrors(layout.rows, layout.columns, to_move, &mut |board| {
        bits.extend(layout.spot(board).map(|spot| layout.bit(array, &spot)));
    });
    bits.sort_unstable();
    bits
}
