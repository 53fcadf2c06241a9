//! The rules of taking stones.

use kanzen::view::View;
use kanzen::{BadPosition, Game};

use super::{text, view};

/// The most stones a pile may have.
pub const MOST: u32 = 10_000;

/// The game with a pile of some stones at the start.
pub struct Stones {
    pile: u32,
}

impl Stones {
    /// The game with `pile` stones, 0 to [`MOST`].
    pub fn new(pile: u32) -> Option<Stones> {
        (pile <= MOST).then_some(Stones { pile })
    }

    /// The stones at the start.
    pub fn pile(&self) -> u32 {
        self.pile
    }
}

/// The stones left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pile(pub(super) u32);

/// How many stones a move takes.
#[derive(Clone, Copy, Debug)]
pub struct Take(pub(super) u32);

impl Game for Stones {
    type Position = Pile;
    type Move = Take;
    type Key = u32;

    fn initial(&self) -> Pile {
        Pile(self.pile)
    }

    fn moves(&self, pile: Pile, play: &mut impl FnMut(Take, Pile)) {
        for take in 1..=pile.0.min(3) {
            play(Take(take), Pile(pile.0 - take));
        }
    }
    // Nothing to take: the mover has lost, which is what a position without moves means by default.

    fn unmoves(&self, pile: Pile, visit: &mut impl FnMut(Pile)) -> bool {
        for take in 1..=3.min(self.pile - pile.0) {
            visit(Pile(pile.0 + take));
        }
        true
    }

    /// The pile is the same for both.
    fn passed(&self, pile: Pile) -> Option<Pile> {
        Some(pile)
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn show(&self, pile: Pile) -> String {
        text::show(pile)
    }

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view()
    }

    fn read(&self, text: &str) -> Result<Pile, BadPosition> {
        text::read(self.pile, text)
    }

    fn show_move(&self, _: Pile, take: Take) -> String {
        text::show_move(take)
    }

    fn pack(&self, pile: Pile) -> u32 {
        pile.0
    }

    fn unpack(&self, key: u32) -> Pile {
        Pile(key)
    }
}
