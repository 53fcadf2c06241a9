//! Ranks the stack heights of some rows of the board.
//!
//! The cells of a row are ordered in pairs that the mirror swaps. A mirrored row then has the same pieces in nearly the
//! same order:
//!
//! ```text
//! columns   0 1 2 3 4        places   0 4 1 3 2
//! ```
//!
//! The *code* of some rows has two bits per cell. A [`Part`] ranks all codes with the same sum.

/// Returns the columns of a row in the order of their places.
pub fn columns_by_place(columns: usize) -> Vec<usize> {
    let pairs = (0..columns / 2).flat_map(|column| [column, columns - 1 - column]);
    pairs.chain((columns % 2 == 1).then_some(columns / 2)).collect()
}

/// Returns the height of a cell.
pub fn height(code: u32, cell: usize) -> u32 {
    code >> (2 * cell) & 3
}

/// Returns the code with one piece more on a cell, or `None` if the cell is full.
pub fn raised(code: u32, cell: usize) -> Option<u32> {
    (height(code, cell) < 3).then(|| code + (1 << (2 * cell)))
}

/// Returns the number of pieces in a code.
pub fn sum(code: u32) -> u32 {
    (code & 0x5555_5555).count_ones() + 2 * (code >> 1 & 0x5555_5555).count_ones()
}

/// Returns the number of cells that are not empty.
pub fn occupied(code: u32) -> u32 {
    ((code | code >> 1) & 0x5555_5555).count_ones()
}

/// Returns the rank of a piece put on a cell in the piece order.
pub fn place_on(code: u32, cell: usize) -> u32 {
    sum(code & ((1u64 << (2 * cell + 2)) - 1) as u32)
}

/// Returns the top pieces of all stacks, as bits over the pieces in order.
pub fn tops(code: u32, cells: usize) -> u32 {
    (0..cells).filter(|&cell| height(code, cell) > 0).fold(0, |tops, cell| tops | 1 << (place_on(code, cell) - 1))
}

/// Returns the place that the mirror swaps with a place of a row.
pub fn mirrored_place(place: usize, columns: usize) -> usize {
    if place < columns / 2 * 2 { place ^ 1 } else { place }
}

/// Returns the mirror image of a code: the cells of each pair swapped.
pub fn mirrored(code: u32, rows: usize, columns: usize) -> u32 {
    let mut mirrored = 0;
    for cell in 0..rows * columns {
        let (row, place) = (cell / columns, cell % columns);
        mirrored |= height(code, row * columns + mirrored_place(place, columns)) << (2 * cell);
    }
    mirrored
}

/// Lists the swaps of adjacent pieces that turn the piece order of a code into its mirror image's. The pieces of the
/// first cell begin at `start`. With `without_tops`, the top piece of each stack is not counted.
pub fn mirror_swaps(code: u32, rows: usize, columns: usize, start: usize, without_tops: bool) -> Vec<u8> {
    let mut swaps = Vec::new();
    let mut start = start;
    let pieces = |cell| height(code, cell).saturating_sub(u32::from(without_tops)) as usize;
    for row in (0..rows).map(|row| row * columns) {
        for place in (0..columns / 2 * 2).step_by(2) {
            let (first, second) = (pieces(row + place), pieces(row + place + 1));
            swaps.extend(super::colouring::block_swap(start, first, second));
            start += first + second;
        }
        if columns % 2 == 1 {
            start += pieces(row + columns - 1);
        }
    }
    swaps
}

/// Ranks all codes of some rows among those of the same sum, in numeric order.
///
/// A code comes after those with a lower height on the highest cell that differs. Their number is computed, not looked
/// up, so that a part costs nothing to make.
pub struct Part {
    rows: usize,
    columns: usize,
    /// `ways[cells][sum]`: the number of codes of so many cells with this sum.
    ways: Vec<Vec<usize>>,
}

impl Part {
    /// Prepares the codes of `rows` rows with up to `most` pieces.
    pub fn new(rows: usize, columns: usize, most: u32) -> Part {
        let most = most as usize;
        let mut ways = vec![vec![0; most + 1]];
        ways[0][0] = 1;
        for cell in 0..rows * columns {
            let one_more = |sum: usize| (0..=sum.min(3)).map(|height| ways[cell][sum - height]).sum();
            ways.push((0..=most).map(one_more).collect());
        }
        Part { rows, columns, ways }
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the number of codes with a sum.
    pub fn len(&self, sum: u32) -> usize {
        self.ways[self.cells()][sum as usize]
    }

    /// Returns the rank of a code among those of its sum.
    pub fn rank(&self, code: u32) -> usize {
        let mut left = sum(code) as usize;
        let mut rank = 0;
        for cell in (0..self.cells()).rev() {
            let height = height(code, cell) as usize;
            rank += (0..height).map(|lower| self.ways[cell][left - lower]).sum::<usize>();
            left -= height;
        }
        rank
    }

    /// Returns the code of a rank.
    pub fn code(&self, sum: u32, mut rank: usize) -> u32 {
        let mut left = sum as usize;
        let mut code = 0;
        for cell in (0..self.cells()).rev() {
            let mut height = 0;
            while rank >= self.ways[cell][left] {
                rank -= self.ways[cell][left];
                left -= 1;
                height += 1;
            }
            code |= height << (2 * cell);
        }
        code
    }

    /// Returns the ranks of the mirror images of all codes of a sum, in order.
    pub fn mirrors(&self, sum: u32) -> Vec<usize> {
        let mirror = |rank| self.rank(mirrored(self.code(sum, rank), self.rows, self.columns));
        (0..self.len(sum)).map(mirror).collect()
    }

    /// Lists the swaps of adjacent pieces that turn the piece order of a code into its mirror image's.
    pub fn swaps(&self, code: u32) -> Vec<u8> {
        mirror_swaps(code, self.rows, self.columns, 0, false)
    }
}
