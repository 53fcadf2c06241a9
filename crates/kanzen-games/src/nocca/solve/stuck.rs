//! White to move without a move: lost in 0.
//!
//! A stack can be moved from unless all neighbours are three high. White is stuck where every stack that can be moved
//! from has a black top, so there are at most as many stacks as black pieces (a walled-in stack, which may be white,
//! takes so many pieces around it that there are fewer still).

use super::lifts::Lifts;
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout, Slab};

/// Adds the positions of a slab in which white is stuck; `set` is the slab's part of the array of losses.
pub fn stuck(layout: &Layout, lifts: &Lifts, slab: &Slab, set: &mut [u64]) {
    let space = layout.space(Array::Losses, slab.top, slab.bottom);
    let stacks = heights::occupied(slab.top) + heights::occupied(slab.bottom);
    let most = layout.columns as u32;
    let width = space.width();
    for upper_sum in 0..=slab.middle {
        for (upper, &upper_code) in lifts.upper.codes(upper_sum).iter().enumerate() {
            for (lower, &lower_code) in lifts.lower.codes(slab.middle - upper_sum).iter().enumerate() {
                if stacks + heights::occupied(upper_code) + heights::occupied(lower_code) <= most {
                    let tops = movable(layout, [slab.top, upper_code, lower_code, slab.bottom]);
                    let board = layout.run(slab.middle, upper_sum, upper) + lower;
                    let stuck = space.select(0, layout.with_bits(Array::Losses, slab.top, slab.bottom, tops));
                    set[board * width..][..width].copy_from_slice(&stuck.mask[..width]);
                }
            }
        }
    }
}

/// The top pieces, among all pieces in order, of the stacks that can be moved from.
fn movable(layout: &Layout, parts: [u32; 4]) -> u32 {
    let cells_of = [layout.columns, layout.upper.cells(), layout.lower.cells(), layout.columns];
    let mut board: Vec<u32> = Vec::with_capacity(30);
    for (code, cells) in parts.into_iter().zip(cells_of) {
        board.extend((0..cells).map(|cell| heights::height(code, cell)));
    }
    let columns = layout.columns;
    let at = |cell: usize| (cell / columns, layout.by_place[cell % columns]);
    let mut tops = 0;
    let mut pieces = 0;
    for (cell, &height) in board.iter().enumerate() {
        pieces += height;
        let (row, column) = at(cell);
        let room = board.iter().enumerate().any(|(other, &height)| {
            let (other_row, other_column) = at(other);
            other != cell && height < 3 && row.abs_diff(other_row) <= 1 && column.abs_diff(other_column) <= 1
        });
        if height > 0 && room {
            tops |= 1 << (pieces - 1);
        }
    }
    tops
}
