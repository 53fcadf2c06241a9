//! An outlook learned from solved positions, for the order of moves on the 6x6 board.
//!
//! A position is seen as patterns: edges with their X-squares, rows, diagonals, corners of 3x3. Each content of each
//! pattern has a weight, one set of weights for each stage of the game; the sum is a guess of the mover's score.
//!
//! ```text
//!   edge + X    row 2    row 3    diagonals 4, 5, 6       corner
//!   ######      ......   ......   ...#..  ..#...          ###...
//!   .#..#.      ######   ......   ..#...  .#....   ...    ###...
//!   ......      ......   ######   .#....  #.....          ###...
//! ```
//!
//! `learned-6x6.weights` was made by `cargo run --release -p kanzen-games --example othello-train`.
//! Only the time of a search depends on it, never the score.

mod patterns;

pub use patterns::{Patterns, STAGES, stage};

use super::tree::Pair;
use crate::othello::Shape;
use crate::othello::flips::Kernel;

/// Weights are in eighths of a disc.
pub const SCALE: i32 = 8;

const WEIGHTS: &[u8] = include_bytes!("learned-6x6.weights");

/// Weights ready for use.
pub struct Learned {
    patterns: Patterns,
    /// By stage, then by place of the pattern, then by content.
    weights: Vec<i16>,
    per_stage: usize,
    /// By the number of empty squares: what it is worth to be the one to move.
    turn: Vec<i16>,
}

impl Learned {
    /// The weights that come with the program, for the board they were learned on.
    pub fn for_shape(shape: &Shape) -> Option<Learned> {
        Learned::from_bytes(shape, WEIGHTS)
    }

    /// Weights from the bytes that `othello-train` wrote; nothing if they do not fit the board.
    pub fn from_bytes(shape: &Shape, bytes: &[u8]) -> Option<Learned> {
        let patterns = Patterns::new(shape)?;
        let (turn, base) = bytes.split_at_checked(shape.squares() as usize + 1)?;
        let signed = |bytes: &[u8]| bytes.iter().map(|&byte| i16::from(byte as i8)).collect::<Vec<_>>();
        let (turn, base) = (signed(turn), signed(base));
        if base.len() != STAGES * patterns.contents() {
            return None;
        }
        let mut weights = Vec::new();
        for stage in base.chunks(patterns.contents()) {
            patterns.for_each_slot(|content| weights.push(stage[content]));
        }
        let per_stage = weights.len() / STAGES;
        Some(Learned { patterns, weights, per_stage, turn })
    }

    /// A guess of the mover's score, in [`SCALE`]ths of a disc.
    #[inline(always)]
    pub fn guess<K: Kernel>(&self, k: K, shape: &Shape, node: Pair) -> i32 {
        let empties = shape.empties(node.own, node.others).count_ones();
        let weights = &self.weights[stage(empties) * self.per_stage..][..self.per_stage];
        let mut sum = i32::from(self.turn[empties as usize]);
        self.patterns.for_each_index(k, node, |slot| sum += i32::from(weights[slot]));
        sum
    }
}
