//! An evaluation learned from solved positions, for move ordering on the 6x6 board.
//!
//! The features are patterns: edges with their X-squares, rows, diagonals, 3x3 corners. Each content of each pattern
//! has a weight, one set of weights for each stage of the game; the sum estimates the mover's score.
//!
//! ```text
//!   edge + X    row 2    row 3    diagonals 4, 5, 6       corner
//!   ######      ......   ......   ...#..  ..#...          ###...
//!   .#..#.      ######   ......   ..#...  .#....   ...    ###...
//!   ......      ......   ######   .#....  #.....          ###...
//! ```
//!
//! A pattern has several placements, mirror images of each other. Each placement reads its squares in bit order (one
//! `pext`), so the same content has a different number in each; a map from those to the pattern's own numbers shares
//! one weight.
//!
//! `cargo run --release -p kanzen-games --example othello-train` made `learned-6x6.weights`. It affects the time of a
//! search, never the score.

use super::tree::Pair;
use crate::othello::Shape;
use crate::othello::flips::Kernel;

/// Weights are in eighths of a disc.
pub const SCALE: i32 = 8;

const WEIGHTS: &[u8] = include_bytes!("learned-6x6.weights");

/// The weights, expanded for fast lookup.
pub struct Learned {
    patterns: Patterns,
    /// By stage, then placement, then content.
    weights: Vec<i16>,
    per_stage: usize,
    /// The value of the move, by the number of empty squares.
    turn: Vec<i16>,
}

impl Learned {
    /// The built-in weights, or `None` for a board they were not learned on.
    pub fn for_shape(shape: &Shape) -> Option<Learned> {
        Learned::from_bytes(shape, WEIGHTS)
    }

    /// Reads weights that `othello-train` wrote; `None` if they do not fit the board.
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

    /// Estimates the mover's score, in units of 1/[`SCALE`] disc.
    #[inline(always)]
    pub fn guess<K: Kernel>(&self, k: K, shape: &Shape, node: Pair) -> i32 {
        let empties = shape.empties(node.own, node.others).count_ones();
        let weights = &self.weights[stage(empties) * self.per_stage..][..self.per_stage];
        let mut sum = i32::from(self.turn[empties as usize]);
        self.patterns.for_each_index(k, node, |slot| sum += i32::from(weights[slot]));
        sum
    }
}

/// Stages of the game, each with its own weights.
pub const STAGES: usize = 5;

/// The stage of a position with this many empty squares.
#[inline(always)]
pub fn stage(empties: u32) -> usize {
    (empties.saturating_sub(8) / 4).min(STAGES as u32 - 1) as usize
}

/// The patterns of the 6x6 board, as squares.
const PATTERNS: [&[u32]; 7] = [
    &[0, 1, 2, 3, 4, 5, 7, 10],
    &[6, 7, 8, 9, 10, 11],
    &[12, 13, 14, 15, 16, 17],
    &[3, 8, 13, 18],
    &[4, 9, 14, 19, 24],
    &[5, 10, 15, 20, 25, 30],
    &[0, 1, 2, 6, 7, 8, 12, 13, 14],
];

struct Placement {
    mask: u64,
    /// The first slot of this placement.
    first: usize,
    /// From slot (less `first`) to the content shared with the mirror images.
    contents: Vec<usize>,
}

/// The patterns of a board, in all their placements.
pub struct Patterns {
    places: Vec<Placement>,
    contents: usize,
    /// Spreads up to nine bits as digits of base three.
    base_three: Box<[u16; 512]>,
}

impl Patterns {
    /// The patterns of the 6x6 board; `None` for any other.
    pub fn new(shape: &Shape) -> Option<Patterns> {
        if (shape.rows, shape.columns) != (6, 6) {
            return None;
        }
        let (mut places, mut contents, mut slots) = (Vec::<Placement>::new(), 0, 0);
        for pattern in PATTERNS {
            let size = 3usize.pow(pattern.len() as u32);
            for image in shape.symmetries.symmetries() {
                let squares: Vec<u32> = pattern.iter().map(|&square| image.image(square)).collect();
                let mask = squares.iter().map(|square| 1u64 << square).sum();
                if places.iter().any(|place| place.mask == mask) {
                    continue;
                }
                let mut in_order = squares.clone();
                in_order.sort_unstable();
                // Each square has one power of three in the slot and another in the pattern's own number.
                let power = |square: &u32| {
                    3usize.pow(squares.iter().position(|own| own == square).expect("the same squares") as u32)
                };
                let powers: Vec<usize> = in_order.iter().map(power).collect();
                let content = |slot: usize| {
                    let digits = powers.iter().scan(slot, |rest, power| {
                        let digit = *rest % 3;
                        *rest /= 3;
                        Some(digit * power)
                    });
                    contents + digits.sum::<usize>()
                };
                places.push(Placement { mask, first: slots, contents: (0..size).map(content).collect() });
                slots += size;
            }
            contents += size;
        }
        let digits = |bits: usize| (0..9).filter(|bit| bits >> bit & 1 == 1).map(|bit| 3u16.pow(bit)).sum();
        Some(Patterns { places, contents, base_three: Box::new(std::array::from_fn(digits)) })
    }

    /// The number of weights of a stage.
    pub fn contents(&self) -> usize {
        self.contents
    }

    /// Visits the content of each slot, in slot order.
    pub fn for_each_slot(&self, mut visit: impl FnMut(usize)) {
        self.places.iter().flat_map(|place| &place.contents).for_each(|&content| visit(content));
    }

    /// Visits the slots of a position.
    #[inline(always)]
    pub fn for_each_index<K: Kernel>(&self, k: K, node: Pair, mut visit: impl FnMut(usize)) {
        for place in &self.places {
            visit(place.first + self.content(k, place, node));
        }
    }

    #[inline(always)]
    fn content<K: Kernel>(&self, k: K, place: &Placement, node: Pair) -> usize {
        let digits = |discs: u64| usize::from(self.base_three[k.gather(discs, place.mask) as usize & 511]);
        digits(node.own) + 2 * digits(node.others)
    }
}
