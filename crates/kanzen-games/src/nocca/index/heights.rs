//! Heights of some rows of the board, as a number and numbered.
//!
//! The cells of a row stand in pairs that the mirror exchanges, so that a mirrored row has the same pieces nearly in
//! the same order:
//!
//! ```text
//! columns   0 1 2 3 4        places   0 4 1 3 2
//! ```
//!
//! The *code* of some rows holds two bits for each cell. A [`Part`] numbers all codes with the same sum from 0 on.

/// The columns of a row in the order of their places.
pub fn columns_by_place(columns: usize) -> Vec<usize> {
    let pairs = (0..columns / 2).flat_map(|column| [column, columns - 1 - column]);
    pairs.chain((columns % 2 == 1).then_some(columns / 2)).collect()
}

/// The height of a cell.
pub fn height(code: u32, cell: usize) -> u32 {
    code >> (2 * cell) & 3
}

/// One piece more on a cell, if it has room.
pub fn raised(code: u32, cell: usize) -> Option<u32> {
    (height(code, cell) < 3).then(|| code + (1 << (2 * cell)))
}

/// All pieces of a code.
pub fn sum(code: u32) -> u32 {
    (code & 0x5555_5555).count_ones() + 2 * (code >> 1 & 0x5555_5555).count_ones()
}

/// The cells that are not empty.
pub fn occupied(code: u32) -> u32 {
    ((code | code >> 1) & 0x5555_5555).count_ones()
}

/// Where a piece put on a cell stands among the pieces in order.
pub fn place_on(code: u32, cell: usize) -> u32 {
    sum(code & ((1u64 << (2 * cell + 2)) - 1) as u32)
}

/// The top pieces of all stacks, as bits over the pieces in order.
pub fn tops(code: u32, cells: usize) -> u32 {
    (0..cells).filter(|&cell| height(code, cell) > 0).fold(0, |tops, cell| tops | 1 << (place_on(code, cell) - 1))
}

/// The place that the mirror exchanges with a place of a row.
pub fn mirrored_place(place: usize, columns: usize) -> usize {
    if place < columns / 2 * 2 { place ^ 1 } else { place }
}

/// The code seen in a mirror: the cells of each pair exchanged.
pub fn mirrored(code: u32, rows: usize, columns: usize) -> u32 {
    let mut mirrored = 0;
    for cell in 0..rows * columns {
        let (row, place) = (cell / columns, cell % columns);
        mirrored |= height(code, row * columns + mirrored_place(place, columns)) << (2 * cell);
    }
    mirrored
}

/// The exchanges of neighbouring pieces that turn a code's order of pieces into its mirror's, the pieces of the first
/// cell beginning at `start`. With `crowned`, the top piece of each stack is not among them.
pub fn mirror_swaps(code: u32, rows: usize, columns: usize, start: usize, crowned: bool) -> Vec<u8> {
    let mut swaps = Vec::new();
    let mut start = start;
    let pieces = |cell| height(code, cell).saturating_sub(u32::from(crowned)) as usize;
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

/// All codes of some rows, numbered in numeric order among those of the same sum.
///
/// A code comes after those with a lower height on the highest cell that differs: how many these are is counted, not
/// looked up, so that a part takes no time to make.
pub struct Part {
    rows: usize,
    columns: usize,
    /// `ways[cells][sum]`: how many codes of so many cells have this sum.
    ways: Vec<Vec<usize>>,
}

impl Part {
    /// The codes of `rows` rows with up to `most` pieces.
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

    /// How many cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// How many codes have this sum.
    pub fn len(&self, sum: u32) -> usize {
        self.ways[self.cells()][sum as usize]
    }

    /// The number of a code among those of its sum.
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

    /// The code with a number.
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

    /// The numbers of the mirror images of all codes of a sum, in order.
    pub fn mirrors(&self, sum: u32) -> Vec<usize> {
        let mirror = |rank| self.rank(mirrored(self.code(sum, rank), self.rows, self.columns));
        (0..self.len(sum)).map(mirror).collect()
    }

    /// The exchanges of neighbours that turn the order of a code's pieces into its mirror image's.
    pub fn swaps(&self, code: u32) -> Vec<u8> {
        mirror_swaps(code, self.rows, self.columns, 0, false)
    }
}
