//! The best takes of all moves against some opponents: each position after a move is looked up once.
//!
//! ```text
//!   opponent o fixed:  p = the mover's men after a move that closed a mill, any of those that o leaves room for
//!   p is reached from several m of the block, and by several moves
//! ```
//!
//! What waits for memory is bringing the bytes of all p with a mill across, for a group of opponents: see [`Crossing`].

use std::sync::LazyLock;

use kanzen::index::combinations;
use kanzen::machine::cpu::Gather;

use super::crossing::{Crossed, Crossing};
use super::pairs::Takes;
use super::worth;

/// By worth, the code of a child.
static CODES: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|worth| worth::child(worth as u8).code().into()));

/// What closing a mill is worth, by rank of the mover's men after it.
pub struct TakenBlock<'s, 'w> {
    crossing: &'s Crossing<'w>,
    takes: &'s Takes,
    codes: &'static [i32; 256],
    crossed: Crossed,
    /// The high men of the group whose takes are here.
    group: Option<u32>,
    rows: Vec<u8>,
    /// Where the row of the block at work begins.
    row: usize,
}

impl<'s, 'w> TakenBlock<'s, 'w> {
    /// Blocks whose takes come from a list.
    pub fn new(crossing: &'s Crossing<'w>, takes: &'s Takes) -> TakenBlock<'s, 'w> {
        let rows = vec![0; crossing.rows() * crossing.row()];
        TakenBlock { crossing, takes, codes: &CODES, crossed: Crossed::default(), group: None, rows, row: 0 }
    }

    /// Goes on to the block against these men.
    #[inline(always)]
    pub fn go_to<B: Gather>(&mut self, bits: B, opponent: u32) {
        let high = self.crossing.high(opponent);
        self.row = self.crossing.number(opponent) * self.crossing.row();
        if self.group.replace(high) != Some(high) {
            let list = self.takes.list();
            self.crossing.bring(bits, &mut self.crossed, high, list, |entry| entry.has_mill(), &mut self.rows);
        }
    }

    /// The code of the worst child when a mill was closed and these are the mover's men.
    #[inline(always)]
    pub fn code<B: Gather>(&self, bits: B, after: u32, free: u32) -> i32 {
        let rank = combinations::rank(bits.pext32(after, free).into());
        self.codes[usize::from(self.rows[self.row + rank as usize])]
    }
}
