//! Discs that nobody can flip any more.
//!
//! A disc is flipped along a line that has a disc of the other colour on either side of it, one of them just put on an
//! empty square. So along a line a disc is safe
//!
//! ```text
//!   at its end          A . . x o        nothing is beyond A
//!   where it is full    o x A x o o      nothing can be put there
//!   beside a safe one   . . A S o        whatever flips A flips S, which is of its colour and stable
//! ```
//!
//! and stable if it is safe along all four lines through it. There are stable discs that this does not find.

use super::shape::Shape;

/// Those of the discs of one colour that are seen to be stable.
#[inline(always)]
pub fn stable(shape: &Shape, discs: u64, empties: u64) -> u64 {
    // The lines of every empty square: they are not full.
    let (mut open, mut left) = ([0; 8], empties);
    while left != 0 {
        let rays = &shape.rays[left.trailing_zeros() as usize & 63].0;
        (0..8).for_each(|direction| open[direction] |= rays[direction]);
        left &= left - 1;
    }
    let safe: [u64; 4] = std::array::from_fn(|line| !(open[line] | open[line + 4]) | !shape.inner[line]);
    let mut stable = discs & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        // What a shift carries over the edge of the board arrives at an end of a line, where all is safe anyway.
        let beside = |line: usize| safe[line] | stable << shape.steps[line] | stable >> shape.steps[line];
        let more = discs & beside(0) & beside(1) & beside(2) & beside(3);
        if more == stable {
            return stable;
        }
        stable = more;
    }
}
