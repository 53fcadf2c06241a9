//! The classes of a game, in the order they are solved.
//!
//! ```text
//!   moving    3-3, 4-3, 4-4, 5-3, ...     both ways round in one class: a quiet move swaps mover and opponent
//!   placing   1 piece in hand, then 2, ...  by (mover's men on the board, opponent's): each leads to one piece less
//! ```
//!
//! Taking leads from x-y to x-(y - 1), placing to one piece less in hand: both to earlier classes.

use super::numbering::{Half, Numbering};
use super::{Morris, Position};

/// A class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// No pieces in hand; the side with more men, or either, is `halves[0].mover`.
    Moving { halves: [Half; 2] },
    /// So many pieces in hand, the mover's one more if they are odd.
    Placing { in_hand: u32, half: Half },
}

impl Class {
    /// How many slots it has.
    pub fn slots(self) -> u64 {
        self.halves().map(|(_, half)| half.slots).sum()
    }

    /// Its halves, each with its first slot.
    pub fn halves(self) -> impl Iterator<Item = (u64, Half)> {
        let (one, other) = match self {
            Class::Moving { halves: [one, other] } if one.mover == other.mover => (one, None),
            Class::Moving { halves: [one, other] } => (one, Some((one.slots, other))),
            Class::Placing { half, .. } => (half, None),
        };
        std::iter::once((0, one)).chain(other)
    }

    /// Pieces in hand.
    pub fn in_hand(self) -> u32 {
        match self {
            Class::Moving { .. } => 0,
            Class::Placing { in_hand, .. } => in_hand,
        }
    }
}

/// Where the positions with some counts are: the class, the first slot in it, and the half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub class: usize,
    pub first: u64,
    pub half: Half,
}

/// All classes of a game.
pub struct Classes {
    men: u32,
    list: Vec<Class>,
    places: Vec<Option<Place>>,
}

impl Classes {
    /// The classes of a game.
    pub fn new(game: &Morris, numbering: &Numbering) -> Classes {
        let men = game.men();
        let mut list = Vec::new();
        for more in 3..=men {
            for fewer in 3..=more {
                let flying = game.flies(more) && game.flies(fewer);
                let halves = [(more, fewer), (fewer, more)].map(|(x, y)| numbering.half(x, y, flying));
                list.push(Class::Moving { halves });
            }
        }
        for in_hand in 1..=2 * men {
            let (mover_hand, opponent_hand) = hands(in_hand);
            for mover in 3u32.saturating_sub(mover_hand)..=men - mover_hand {
                for opponent in 3u32.saturating_sub(opponent_hand)..=men - opponent_hand {
                    list.push(Class::Placing { in_hand, half: numbering.half(mover, opponent, false) });
                }
            }
        }
        let mut classes = Classes { men, list, places: Vec::new() };
        classes.places = vec![None; classes.number(2 * men, men, men) + 1];
        for (class, entry) in classes.list.clone().into_iter().enumerate() {
            for (first, half) in entry.halves() {
                let number = classes.number(entry.in_hand(), half.mover, half.opponent);
                classes.places[number] = Some(Place { class, first, half });
            }
        }
        classes
    }

    /// The classes in order.
    pub fn list(&self) -> &[Class] {
        &self.list
    }

    /// Where positions with these counts are; none if they are no game any more.
    #[inline]
    pub fn place(&self, in_hand: u32, mover: u32, opponent: u32) -> Option<Place> {
        if mover > self.men || opponent > self.men {
            return None;
        }
        self.places.get(self.number(in_hand, mover, opponent)).copied().flatten()
    }

    /// Where a position's class is.
    pub fn place_of(&self, position: Position) -> Option<Place> {
        let [mover, opponent] = [position.mover, position.opponent].map(|men| men.board.count_ones());
        self.place(position.in_hand(), mover, opponent)
    }

    fn number(&self, in_hand: u32, mover: u32, opponent: u32) -> usize {
        let base = self.men + 1;
        ((in_hand * base + mover) * base + opponent) as usize
    }
}

/// Of so many pieces in hand, the mover's and the opponent's.
pub fn hands(in_hand: u32) -> (u32, u32) {
    (in_hand.div_ceil(2), in_hand / 2)
}
