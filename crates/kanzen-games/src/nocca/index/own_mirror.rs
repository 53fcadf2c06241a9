//! Positions that are their own mirror image: counts up to mirror images need them apart.

use kanzen::Colour;

use super::layout::{Array, Layout};
use crate::nocca::board::{MOST_CELLS, Position, Stack};

/// Visits every position that is its own mirror image, with a side to move.
pub fn own_mirrors(rows: usize, columns: usize, to_move: Colour, visit: &mut impl FnMut(&Position)) {
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

/// Fills pairs of cells with equal stacks until so many black and white pieces are placed.
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

/// The bits of an array, ascending, of positions that are their own mirror image.
pub fn own_mirror_bits(layout: &Layout, array: Array) -> Vec<u64> {
    let to_move = Colour::of_bit(array == Array::Losses);
    let mut bits = Vec::new();
    own_mirrors(layout.rows, layout.columns, to_move, &mut |board| {
        bits.extend(layout.spot(board).map(|spot| layout.bit(array, &spot)));
    });
    bits.sort_unstable();
    bits
}
