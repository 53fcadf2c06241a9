//! The rule, literally: walk from the square played over the opponent's discs to an own disc.

use crate::othello::Shape;

pub fn flips(shape: &Shape, own: u64, others: u64, square: u32) -> u64 {
    let at = |row: i32, column: i32| {
        let inside = (0..shape.rows as i32).contains(&row) && (0..shape.columns as i32).contains(&column);
        if inside { 1u64 << (row * shape.columns as i32 + column) } else { 0 }
    };
    let (row, column) = ((square / shape.columns) as i32, (square % shape.columns) as i32);
    let mut flips = 0;
    for (down, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let mut line = 0;
        let mut distance = 1;
        while others & at(row + distance * down, column + distance * right) != 0 {
            line |= at(row + distance * down, column + distance * right);
            distance += 1;
        }
        if own & at(row + distance * down, column + distance * right) != 0 {
            flips |= line;
        }
    }
    flips
}

pub fn moves(shape: &Shape, own: u64, others: u64) -> u64 {
    let free = |square: &u32| (own | others) >> square & 1 == 0;
    let squares = (0..shape.squares()).filter(free);
    squares.filter(|&square| flips(shape, own, others, square) != 0).map(|square| 1 << square).sum()
}
