//! A subtraction game: take 1, 2 or 3 stones from a pile; the player who cannot take loses.

use kanzen::view::View;
use kanzen::{BadPosition, Game, Notation};

/// The most stones a pile may have.
pub const MOST: u32 = 10_000;

/// The game, with a given number of stones at the start.
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
pub struct Pile(u32);

/// How many stones a move takes.
#[derive(Clone, Copy, Debug)]
pub struct Take(u32);

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
    // An empty pile has no moves: by default the mover has then lost.

    fn unmoves(&self, pile: Pile, visit: &mut impl FnMut(Pile)) -> bool {
        for take in 1..=3.min(self.pile - pile.0) {
            visit(Pile(pile.0 + take));
        }
        true
    }

    /// The game is impartial: the pile is the same for both players.
    fn passed(&self, pile: Pile) -> Option<Pile> {
        Some(pile)
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn show(&self, pile: Pile) -> String {
        pile.0.to_string()
    }

    fn show_move(&self, _: Pile, take: Take) -> String {
        take.0.to_string()
    }

    fn pack(&self, pile: Pile) -> u32 {
        pile.0
    }

    fn unpack(&self, key: u32) -> Pile {
        Pile(key)
    }
}

impl Notation for Stones {
    fn notation(&self) -> String {
        "The number of stones left. A move is the number of stones taken.".to_owned()
    }

    fn read(&self, text: &str) -> Result<Pile, BadPosition> {
        match text.parse() {
            Ok(stones) if stones <= self.pile => Ok(Pile(stones)),
            _ => Err(BadPosition::new(format!("expected a number of stones from 0 to {}, found {text:?}", self.pile))),
        }
    }
}

impl kanzen::Board for Stones {
    fn view(&self) -> View {
        View::pile().japanese("石取り", "山から1個、2個または3個の石を交互に取る。取れなくなった方が負け。")
    }
}

#[cfg(test)]
mod tests {
    use kanzen::{Outcome, conformance};

    use super::Stones;

    #[test]
    fn the_rules_conform() {
        let report = conformance::check(&Stones::new(21).unwrap(), 100).unwrap();
        assert_eq!((report.positions, report.values_compared), (22, true));
    }

    #[test]
    fn a_multiple_of_four_is_lost() {
        for (pile, value) in conformance::reference::solve(&Stones::new(40).unwrap()) {
            assert_eq!(value.outcome() == Outcome::Loss, pile % 4 == 0, "{pile}");
        }
    }
}
