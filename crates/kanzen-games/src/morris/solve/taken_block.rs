//! The best takes of all moves against one opponent's men: each position after a move is looked up once.
//!
//! ```text
//!   opponent o fixed:  p = the mover's men after a move that closed a mill, any of those that o leaves room for
//!   p is reached from several m of the block, and by several moves
//! ```
//!
//! What waits for memory is one byte for each p with a mill; the block stays in the first caches.

use std::sync::LazyLock;

use kanzen::index::combinations;
use kanzen::machine::cpu::Gather;
use kanzen::machine::prefetch;

use super::grid::Halved;
use super::pairs::Takes;
use super::ranks::Ranks;
use super::worth::{self, LOST_AT_ONCE};
use crate::morris::Morris;
use crate::morris::index::{Half, OrbitEntries, Tables};

/// Takes that are looked up together, at least.
const GROUP: usize = 64;

/// By worth, the code of a child.
static CODES: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|worth| worth::child(worth as u8).code().into()));

/// What closing a mill is worth, by rank of the mover's men after it.
pub struct TakenBlock<'w> {
    tables: &'w Tables,
    half: Half,
    halved: Halved,
    codes: &'static [i32; 256],
    images: Vec<u32>,
    ranks: Ranks,
    /// Rank and slot of what was asked for.
    asked: Vec<(u32, u32)>,
    best: Vec<u8>,
}

impl<'w> TakenBlock<'w> {
    /// A block of half a class; at first all takes end the game.
    pub fn new(game: &Morris, tables: &'w Tables, half: Half) -> TakenBlock<'w> {
        TakenBlock {
            tables,
            half,
            halved: Halved::new(game.board().points - half.opponent),
            codes: &CODES,
            images: Vec::new(),
            ranks: Ranks::default(),
            asked: Vec::new(),
            best: vec![LOST_AT_ONCE; half.per_orbit as usize],
        }
    }

    /// Looks up what all positions with a mill are worth against these men.
    #[inline(always)]
    pub fn look_up<B: Gather>(&mut self, bits: B, takes: &Takes, entries: &OrbitEntries, opponent: u32, free: u32) {
        let TakenBlock { tables, half, halved, .. } = *self;
        self.images.clear();
        for image in tables.opponents(takes.half()).images() {
            self.images.push(image.apply(opponent));
        }
        self.ranks.fill(bits, tables, halved, half.mover, free);
        let mut at = 0;
        for upper in 0u32..1 << halved.upper() {
            let left = half.mover.checked_sub(upper.count_ones()).filter(|&left| left <= halved.lower());
            let Some(left) = left else { continue };
            let (base, lowers) = self.ranks.of_row(bits, halved, upper, left, free);
            for &rank in lowers {
                let entry = entries.at(base + rank);
                if entry.has_mill() {
                    let slot = entry.slot(bits, takes.half(), self.images[usize::from(entry.symmetry())]);
                    prefetch(&takes.list()[slot as usize]);
                    // No half of 24 points has as many as 2^32.
                    self.asked.push((at, slot as u32));
                }
                at += 1;
            }
            if self.asked.len() >= GROUP {
                self.receive(takes);
            }
        }
        self.receive(takes);
    }

    #[inline(always)]
    fn receive(&mut self, takes: &Takes) {
        for &(at, slot) in &self.asked {
            self.best[at as usize] = takes.list()[slot as usize];
        }
        self.asked.clear();
    }

    /// The code of the worst child when a mill was closed and these are the mover's men.
    #[inline(always)]
    pub fn code<B: Gather>(&self, bits: B, after: u32, free: u32) -> i32 {
        let rank = combinations::rank(bits.pext32(after, free).into());
        self.codes[usize::from(self.best[rank as usize])]
    }
}
