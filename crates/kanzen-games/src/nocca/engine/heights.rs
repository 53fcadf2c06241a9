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

/// The code seen in a mirror: the cells of each pair exchanged.
pub fn mirrored(code: u32, rows: usize, columns: usize) -> u32 {
    let mut mirrored = 0;
    for cell in 0..rows * columns {
        let (row, place) = (cell / columns, cell % columns);
        let other = if place < columns / 2 * 2 { place ^ 1 } else { place };
        mirrored |= height(code, row * columns + other) << (2 * cell);
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

/// All codes of some rows, numbered among those of the same sum.
pub struct Part {
    cells: usize,
    rank: Vec<u32>,
    sums: Vec<OfSum>,
}

/// The codes of one sum.
struct OfSum {
    codes: Vec<u32>,
    /// For each code and cell: the number of the code with one piece more on the cell.
    raised: Vec<u32>,
    /// For each code and cell: where that piece stands among the pieces in order.
    place_on: Vec<u8>,
    mirrored: Vec<u32>,
    swaps: Vec<u8>,
    swaps_end: Vec<u32>,
}

/// In place of a number: the cell has no room.
pub const NO_ROOM: u32 = u32::MAX;

impl Part {
    /// The codes of `rows` rows with up to `most` pieces.
    pub fn new(rows: usize, columns: usize, most: u32) -> Part {
        let cells = rows * columns;
        let mut rank = vec![0; 1 << (2 * cells)];
        let mut codes = vec![Vec::new(); most as usize + 1];
        for code in (0..1 << (2 * cells)).filter(|&code| sum(code) <= most) {
            let of_sum: &mut Vec<u32> = &mut codes[sum(code) as usize];
            rank[code as usize] = of_sum.len() as u32;
            of_sum.push(code);
        }
        let sums = codes.into_iter().map(|codes| {
            let number = |code: u32| if sum(code) <= most { rank[code as usize] } else { NO_ROOM };
            let each_cell = || codes.iter().flat_map(|&code| (0..cells).map(move |cell| (code, cell)));
            let swaps: Vec<Vec<u8>> = codes.iter().map(|&code| mirror_swaps(code, rows, columns, 0, false)).collect();
            OfSum {
                raised: each_cell().map(|(code, cell)| raised(code, cell).map_or(NO_ROOM, number)).collect(),
                place_on: each_cell().map(|(code, cell)| place_on(code, cell) as u8).collect(),
                mirrored: codes.iter().map(|&code| number(mirrored(code, rows, columns))).collect(),
                swaps_end: swaps
                    .iter()
                    .scan(0, |end, swaps| {
                        *end += swaps.len() as u32;
                        Some(*end)
                    })
                    .collect(),
                swaps: swaps.concat(),
                codes,
            }
        });
        let sums = sums.collect();
        Part { cells, rank, sums }
    }

    /// How many cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many codes have this sum.
    pub fn len(&self, sum: u32) -> usize {
        self.sums[sum as usize].codes.len()
    }

    /// The number of a code among those of its sum.
    pub fn rank(&self, code: u32) -> usize {
        self.rank[code as usize] as usize
    }

    /// The code with a number.
    pub fn code(&self, sum: u32, rank: usize) -> u32 {
        self.sums[sum as usize].codes[rank]
    }

    /// For each cell: the number of the code with one piece more there, or [`NO_ROOM`].
    #[inline(always)]
    pub fn raised(&self, sum: u32, rank: usize) -> &[u32] {
        &self.sums[sum as usize].raised[rank * self.cells..][..self.cells]
    }

    /// For each cell: where a piece put there stands among the pieces in order.
    #[inline(always)]
    pub fn place_on(&self, sum: u32, rank: usize) -> &[u8] {
        &self.sums[sum as usize].place_on[rank * self.cells..][..self.cells]
    }

    /// The number of the mirror image.
    #[inline(always)]
    pub fn mirrored(&self, sum: u32, rank: usize) -> usize {
        self.sums[sum as usize].mirrored[rank] as usize
    }

    /// The exchanges of neighbours that turn the order of pieces into the mirror's.
    #[inline(always)]
    pub fn swaps(&self, sum: u32, rank: usize) -> &[u8] {
        let of_sum = &self.sums[sum as usize];
        let start = if rank == 0 { 0 } else { of_sum.swaps_end[rank - 1] };
        &of_sum.swaps[start as usize..of_sum.swaps_end[rank] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_codes_are_inverse_and_dense() {
        for (rows, columns) in [(0, 5), (1, 2), (2, 3), (1, 5), (2, 4)] {
            let part = Part::new(rows, columns, 2 * columns as u32);
            let mut codes = 0;
            for of_sum in 0..=2 * columns as u32 {
                for rank in 0..part.len(of_sum) {
                    let code = part.code(of_sum, rank);
                    assert_eq!((sum(code), part.rank(code)), (of_sum, rank));
                    codes += 1;
                }
            }
            let few = (0..1u32 << (2 * rows * columns)).filter(|&code| sum(code) <= 2 * columns as u32).count();
            assert_eq!(codes, few);
        }
    }

    #[test]
    fn the_mirror_exchanges_columns_and_its_swaps_carry_each_piece_along() {
        let (rows, columns) = (2, 5);
        let part = Part::new(rows, columns, 10);
        let by_place = columns_by_place(columns);
        assert_eq!(by_place, [0, 4, 1, 3, 2]);
        for of_sum in 0..=10 {
            for rank in 0..part.len(of_sum) {
                let code = part.code(of_sum, rank);
                let mirror = part.code(of_sum, part.mirrored(of_sum, rank));
                let pieces = |code: u32, turned: bool| -> Vec<(usize, usize, u32)> {
                    let cell = |cell: usize| {
                        let column = by_place[cell % columns];
                        let column = if turned { columns - 1 - column } else { column };
                        (0..height(code, cell)).map(move |level| (cell / columns, column, level))
                    };
                    (0..rows * columns).flat_map(cell).collect()
                };
                let mut carried = pieces(code, false);
                for &swap in part.swaps(of_sum, rank) {
                    carried.swap(swap.into(), usize::from(swap) + 1);
                }
                assert_eq!(carried, pieces(mirror, true));
            }
        }
    }

    #[test]
    fn a_raised_cell_has_its_new_piece_where_it_was_told() {
        let part = Part::new(2, 3, 6);
        for of_sum in 0..6 {
            for rank in 0..part.len(of_sum) {
                let code = part.code(of_sum, rank);
                for cell in 0..part.cells() {
                    let raised = part.raised(of_sum, rank)[cell];
                    assert_eq!(raised == NO_ROOM, height(code, cell) == 3);
                    if raised != NO_ROOM {
                        let raised = part.code(of_sum + 1, raised as usize);
                        let place = u32::from(part.place_on(of_sum, rank)[cell]);
                        assert_eq!(place_on(raised, cell) - 1, place);
                        assert_eq!(tops(raised, 6) >> place & 1, 1);
                    }
                }
            }
        }
    }
}
