//! Some lifted boards at once: the sets of each cell, a board in each lane.
//!
//! ```text
//!             lane 0 1 2 3 ...   boards of a run
//! cell (0, 0)      . . . .
//! cell (0, 1)      . . . .       sets of colourings: with the piece on this cell, which are in the source?
//! ...
//! ```
//!
//! The union over the neighbours of each cell is then plain work on rows of lanes, which the compiler makes vectors of.

/// Boards of a tile: so few that a tile stays in the nearest cache, so many that what is the same for all boards of a run
/// is loaded seldom.
pub const LANES: usize = 32;

/// Lanes that are worked on together.
const CHUNK: usize = 8;

/// The most columns.
const COLUMNS: usize = 5;

/// The most rows, and an empty one on each side.
const ROWS: usize = 8;

/// The place of a cell in a tile.
#[inline(always)]
pub fn cell_at(row: usize, column: usize) -> usize {
    COLUMNS * (row + 1) + column
}

/// A word for each lane.
type Lanes = [u64; LANES];

/// The sets of some boards, `A` words each, by cell; and those of the covers, `K` words each.
pub struct Tile<const A: usize, const K: usize> {
    /// The numbers of the boards within their run.
    pub boards: [u32; LANES],
    /// How many boards.
    pub len: usize,
    sets: [[Lanes; COLUMNS * ROWS]; A],
    three: [[Lanes; COLUMNS * ROWS]; A],
    near: [[Lanes; COLUMNS * ROWS]; A],
    /// By the number of the cover.
    pub covers: [[[u64; K]; LANES]; COLUMNS],
}

impl<const A: usize, const K: usize> Tile<A, K> {
    /// A tile without boards.
    pub fn new() -> Tile<A, K> {
        let empty = [[[0; LANES]; COLUMNS * ROWS]; A];
        Tile { boards: [0; LANES], len: 0, sets: empty, three: empty, near: empty, covers: [[[0; K]; LANES]; COLUMNS] }
    }

    /// Takes the next boards of a run, as many as there are lanes, and tells whether there were any.
    #[inline(always)]
    pub fn fill(&mut self, next: &mut impl FnMut() -> Option<u32>) -> bool {
        self.len = 0;
        while self.len < LANES
            && let Some(board) = next()
        {
            self.boards[self.len] = board;
            self.len += 1;
        }
        self.len > 0
    }

    /// The number of boards, in a form that lets the compiler leave out checks.
    #[inline(always)]
    pub fn lanes(&self) -> usize {
        self.len.min(LANES)
    }

    /// Empties a cell.
    #[inline(always)]
    pub fn clear(&mut self, cell: usize) {
        self.sets.iter_mut().for_each(|sets| sets[cell] = [0; LANES]);
    }

    /// Puts the set of a board on a cell.
    #[inline(always)]
    pub fn put(&mut self, cell: usize, lane: usize, bits: [u64; A]) {
        for (sets, word) in self.sets.iter_mut().zip(bits) {
            sets[cell][lane] = word;
        }
    }

    /// The union over the neighbours of a cell.
    #[inline(always)]
    pub fn near(&self, cell: usize, lane: usize) -> [u64; A] {
        std::array::from_fn(|word| self.near[word][cell][lane])
    }

    /// Whether any board has something next to a cell.
    #[inline(always)]
    pub fn any_near(&self, cell: usize) -> bool {
        let lanes = self.len.next_multiple_of(CHUNK).min(LANES);
        self.near.iter().any(|near| near[cell][..lanes].iter().fold(0, |any, word| any | word) != 0)
    }

    /// Fills in the neighbours. Lanes without a board get results that nobody reads.
    #[inline(always)]
    pub fn meet(&mut self, rows: usize, columns: usize) {
        for first in (0..self.lanes()).step_by(CHUNK) {
            for ((sets, three), near) in self.sets.iter().zip(&mut self.three).zip(&mut self.near) {
                for row in 0..rows {
                    for column in 0..columns {
                        let cell = cell_at(row, column);
                        let mut beside = [0; CHUNK];
                        if column > 0 {
                            beside = chunk(sets, cell - 1, first);
                        }
                        if column + 1 < columns {
                            beside = or(beside, chunk(sets, cell + 1, first));
                        }
                        three[cell][first..first + CHUNK].copy_from_slice(&or(beside, chunk(sets, cell, first)));
                        near[cell][first..first + CHUNK].copy_from_slice(&beside);
                    }
                }
                for cell in (0..rows).flat_map(|row| (0..columns).map(move |column| cell_at(row, column))) {
                    let around = or(chunk(three, cell - COLUMNS, first), chunk(three, cell + COLUMNS, first));
                    let all = or(around, chunk(near, cell, first));
                    near[cell][first..first + CHUNK].copy_from_slice(&all);
                }
            }
        }
    }
}

#[inline(always)]
fn chunk(cells: &[Lanes], cell: usize, first: usize) -> [u64; CHUNK] {
    cells[cell][first..first + CHUNK].try_into().expect("as many lanes")
}

#[inline(always)]
fn or(one: [u64; CHUNK], other: [u64; CHUNK]) -> [u64; CHUNK] {
    std::array::from_fn(|lane| one[lane] | other[lane])
}
