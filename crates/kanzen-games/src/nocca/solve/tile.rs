//! A tile: the sets of up to 32 lifted boards by cell, one board per lane, and their union over neighbouring cells.
//!
//! ```text
//!             lane 0 1 2 3 ...   boards of a run
//! cell (0, 0)      . . . .
//! cell (0, 1)      . . . .       the colourings that are in the source with the lifted piece on this cell
//! ...
//! ```
//!
//! The union over the neighbours of a cell is plain work on rows of lanes, which the compiler vectorizes.

use kanzen_core::machine::cpu::{Isa, kernels};

/// Boards of a tile: few enough for a tile to stay in the L1 cache, many enough to amortize loads that all boards of a
/// run share.
pub const LANES: usize = 32;

/// Lanes processed together.
const CHUNK: usize = 8;

const COLUMNS: usize = 5;

/// The largest number of rows, and an empty one on each side.
const ROWS: usize = 8;

/// Returns the index of a cell in a tile.
#[inline(always)]
pub fn cell_at(row: usize, column: usize) -> usize {
    COLUMNS * (row + 1) + column
}

/// A word per lane.
type Lanes = [u64; LANES];

/// The lanes of each cell.
type Cells = [Lanes; COLUMNS * ROWS];

/// The sets of some boards: `A` words per cell, and `K` words per cover.
pub struct Tile<const A: usize, const K: usize> {
    /// The rank of the first board within its run.
    first: usize,
    /// The number of boards.
    len: usize,
    sets: [Cells; A],
    near: [Cells; A],
    /// By number of the cover.
    pub covers: [[[u64; K]; LANES]; COLUMNS],
}

impl<const A: usize, const K: usize> Tile<A, K> {
    /// Returns a tile without boards.
    pub fn new() -> Tile<A, K> {
        let empty = [[[0; LANES]; COLUMNS * ROWS]; A];
        Tile { first: 0, len: 0, sets: empty, near: empty, covers: [[[0; K]; LANES]; COLUMNS] }
    }

    /// Moves the tile to the boards from `first` on of a run of `boards`.
    #[inline(always)]
    pub fn take(&mut self, first: usize, boards: usize) {
        (self.first, self.len) = (first, (boards - first).min(LANES));
    }

    /// The boards of the tile, within their run.
    #[inline(always)]
    pub fn boards(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.lanes()
    }

    /// The number of boards, in a form that lets the compiler drop bounds checks.
    #[inline(always)]
    fn lanes(&self) -> usize {
        self.len.min(LANES)
    }

    /// Clears a cell.
    #[inline(always)]
    pub fn clear(&mut self, cell: usize) {
        self.sets.iter_mut().for_each(|sets| sets[cell] = [0; LANES]);
    }

    /// Stores the set of one board on a cell.
    #[inline(always)]
    pub fn put(&mut self, cell: usize, lane: usize, bits: [u64; A]) {
        for (sets, word) in self.sets.iter_mut().zip(bits) {
            sets[cell][lane] = word;
        }
    }

    /// Returns the union over the neighbours of a cell.
    #[inline(always)]
    pub fn near(&self, cell: usize, lane: usize) -> [u64; A] {
        std::array::from_fn(|word| self.near[word][cell][lane])
    }

    /// Whether any board has a non-empty union next to a cell.
    #[inline(always)]
    pub fn any_near(&self, cell: usize) -> bool {
        let lanes = self.len.next_multiple_of(CHUNK).min(LANES);
        self.near.iter().any(|near| near[cell][..lanes].iter().fold(0, |any, word| any | word) != 0)
    }

    /// Computes the neighbour unions of all cells. Lanes without a board get undefined results.
    #[inline(always)]
    pub fn unite_neighbours(&mut self, isa: Isa, rows: usize) {
        for (sets, near) in self.sets.iter().zip(&mut self.near) {
            unite_neighbours(isa, sets, near, rows, self.len.min(LANES));
        }
    }
}

kernels! {
    /// Computes the union over the neighbours of each cell for a chunk of lanes, row by row. The unions of the row
    /// before and of the row itself are reused. Missing columns of a small board stay empty.
    fn unite_neighbours(isa, sets: &Cells, near: &mut Cells, rows: usize, lanes: usize) {
        for first in (0..lanes).step_by(CHUNK) {
            let mut above = [[0; CHUNK]; COLUMNS];
            let (mut beside, mut three) = across(sets, 0, first);
            for row in 0..rows {
                let (beside_below, below) = across(sets, row + 1, first);
                for column in 0..COLUMNS {
                    let all = or(or(above[column], below[column]), beside[column]);
                    near[cell_at(row, column)][first..first + CHUNK].copy_from_slice(&all);
                }
                (above, beside, three) = (three, beside_below, below);
            }
        }
    }
}

/// Returns for each cell of a row the union of the cells beside it, without and with the cell itself. The row after the
/// last is empty.
#[inline(always)]
fn across(sets: &Cells, row: usize, first: usize) -> ([[u64; CHUNK]; COLUMNS], [[u64; CHUNK]; COLUMNS]) {
    let row: [[u64; CHUNK]; COLUMNS] = std::array::from_fn(|column| {
        sets[cell_at(row, column)][first..first + CHUNK].try_into().expect("a chunk of lanes")
    });
    let nothing = [0; CHUNK];
    let beside: [[u64; CHUNK]; COLUMNS] = std::array::from_fn(|column| {
        let left = if column > 0 { row[column - 1] } else { nothing };
        or(left, if column + 1 < COLUMNS { row[column + 1] } else { nothing })
    });
    (beside, std::array::from_fn(|column| or(beside[column], row[column])))
}

#[inline(always)]
fn or(one: [u64; CHUNK], other: [u64; CHUNK]) -> [u64; CHUNK] {
    std::array::from_fn(|lane| one[lane] | other[lane])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_those_a_king_can_step_to() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1 << (state >> 58)
        };
        for (rows, columns, boards) in [(3, 2, 1), (4, 5, 32), (6, 5, 19), (6, 3, 8), (5, 4, 25)] {
            let cells: Vec<(usize, usize)> = (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))).collect();
            let mut tile = Tile::<2, 1>::new();
            tile.take(40, 40 + boards);
            assert_eq!(tile.boards(), 40..40 + boards);
            let sets: Vec<Vec<[u64; 2]>> =
                cells.iter().map(|_| (0..boards).map(|_| [random(), random()]).collect()).collect();
            for (&(row, column), sets) in cells.iter().zip(&sets) {
                sets.iter().enumerate().for_each(|(lane, &set)| tile.put(cell_at(row, column), lane, set));
            }
            for isa in Isa::available() {
                tile.near = [[[!0; LANES]; COLUMNS * ROWS]; 2];
                tile.unite_neighbours(isa, rows);
                for &(row, column) in &cells {
                    for lane in 0..boards {
                        let mut expected = [0; 2];
                        for (&(other_row, other_column), sets) in cells.iter().zip(&sets) {
                            let far = row.abs_diff(other_row).max(column.abs_diff(other_column));
                            if far == 1 {
                                expected = [0, 1].map(|word| expected[word] | sets[lane][word]);
                            }
                        }
                        assert_eq!(tile.near(cell_at(row, column), lane), expected, "{isa:?}");
                    }
                }
            }
        }
    }
}
