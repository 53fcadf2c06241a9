//! Which squares belong together, and the number of what stands on them.
//!
//! A pattern lies on the board in several places, mirror images of each other. In each place its squares are read in
//! the order of their bits (one `pext`), so the same picture has another number in each place; a map from those to
//! the pattern's own numbers makes them share one weight.

use super::super::tree::Pair;
use crate::othello::Shape;
use crate::othello::flips::Kernel;

/// Stages of the game, each with weights of its own.
pub const STAGES: usize = 5;

/// The stage of a position with so many empty squares.
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
    /// Where the slots of this place begin.
    first: usize,
    /// From slot (less `first`) to the content it shares with its mirror images.
    contents: Vec<usize>,
}

/// The patterns of a board, in all their places.
pub struct Patterns {
    places: Vec<Placement>,
    contents: usize,
    /// The bits of a byte or two as digits of base three.
    base_three: Box<[u16; 512]>,
}

impl Patterns {
    /// Those of the 6x6 board; there are no others.
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
                // The digit of each square in a slot's number counts for another power in the pattern's own.
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

    /// How many weights a stage has.
    pub fn contents(&self) -> usize {
        self.contents
    }

    /// The content of each slot, in the order of slots.
    pub fn for_each_slot(&self, mut visit: impl FnMut(usize)) {
        self.places.iter().flat_map(|place| &place.contents).for_each(|&content| visit(content));
    }

    /// The slots of a position.
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
