//! Where moves lead that take or place: values of earlier classes.

use kanzen::Value;
use kanzen::solve::retrograde::{Earlier, EarlierCodes};

use crate::morris::index::{Half, HalfAt, Opponents, Phases, Tables};

/// A child whose mover has lost already: no other can be worse.
pub const LOST_AT_ONCE: i16 = Value::loss(0).code();

/// The positions with some counts, in an earlier class.
#[derive(Clone, Copy)]
pub struct Target<'w> {
    pub half: Half,
    pub opponents: &'w Opponents,
    /// By slot of the half.
    codes: EarlierCodes<'w>,
}

impl<'w> Target<'w> {
    /// The positions with these counts; none if the game is over there.
    pub fn find(
        tables: &'w Tables,
        phases: &Phases,
        earlier: &'w Earlier,
        in_hand: u32,
        mover: u32,
        opponent: u32,
    ) -> Option<Target<'w>> {
        let HalfAt { class, first, half } = phases.find(in_hand, mover, opponent)?;
        let codes = earlier.codes(class, first);
        Some(Target { half, opponents: tables.opponents(half), codes })
    }

    /// Asks for the code of a slot, to be read later.
    #[inline(always)]
    pub fn fetch(&self, slot: u64) -> &'w i16 {
        self.codes.fetch(slot)
    }
}
