//! The classes of a game in solving order, and the choice of placing layers to store.
//!
//! ```text
//!   moving    3-3, 4-3, 4-4, 5-3, ...     both ways round in one class: a quiet move swaps mover and opponent
//!   placing   1 piece in hand, then 2, ...  by (mover's men on the board, opponent's): each leads to one piece less
//! ```
//!
//! Taking leads from x-y to x-(y - 1), placing to one piece less in hand: both to earlier classes.
//!
//! Nearly all positions have few pieces in hand. The layers with one and two are the largest, and only one or two plies
//! from the moving classes. A database may omit them; a probe plays these plies instead.

use kanzen::Colour;

use super::numbering::{Half, Numbering};
use crate::morris::{Men, Morris, Position};

/// What the positions of a class have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// No pieces in hand; `halves[0].mover` is the larger number of men.
    Moving { halves: [Half; 2] },
    /// Pieces in hand: the mover has one more if their number is odd.
    Placing { in_hand: u32, half: Half },
}

impl Phase {
    /// Returns the number of slots.
    pub fn slots(self) -> u64 {
        self.halves().map(|(_, half)| half.slots).sum()
    }

    /// Returns the halves, each with its first slot.
    pub fn halves(self) -> impl Iterator<Item = (u64, Half)> {
        let (one, other) = match self {
            Phase::Moving { halves: [one, other] } if one.mover == other.mover => (one, None),
            Phase::Moving { halves: [one, other] } => (one, Some((one.slots, other))),
            Phase::Placing { half, .. } => (half, None),
        };
        std::iter::once((0, one)).chain(other)
    }

    /// Returns the number of pieces in hand.
    pub fn in_hand(self) -> u32 {
        match self {
            Phase::Moving { .. } => 0,
            Phase::Placing { in_hand, .. } => in_hand,
        }
    }
}

/// The place of a half: the class, its first slot in the class, and the half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HalfAt {
    pub class: usize,
    pub first: u64,
    pub half: Half,
}

/// All classes of a game.
pub struct Phases {
    men: u32,
    list: Vec<Phase>,
    /// By pieces in hand and men on the board.
    found: Vec<Option<HalfAt>>,
}

impl Phases {
    /// Builds the classes of a game.
    pub fn new(game: &Morris, numbering: &Numbering) -> Phases {
        let men = game.men();
        let mut list = Vec::new();
        for more in 3..=men {
            for fewer in 3..=more {
                let flying = game.flies(more) && game.flies(fewer);
                let halves = [(more, fewer), (fewer, more)].map(|(x, y)| numbering.half(x, y, flying));
                list.push(Phase::Moving { halves });
            }
        }
        for in_hand in 1..=2 * men {
            let (mover_hand, opponent_hand) = hands(in_hand);
            for mover in 3u32.saturating_sub(mover_hand)..=men - mover_hand {
                for opponent in 3u32.saturating_sub(opponent_hand)..=men - opponent_hand {
                    list.push(Phase::Placing { in_hand, half: numbering.half(mover, opponent, false) });
                }
            }
        }
        let mut phases = Phases { men, list, found: Vec::new() };
        phases.found = vec![None; phases.number(2 * men, men, men) + 1];
        for (class, phase) in phases.list.clone().into_iter().enumerate() {
            for (first, half) in phase.halves() {
                let number = phases.number(phase.in_hand(), half.mover, half.opponent);
                phases.found[number] = Some(HalfAt { class, first, half });
            }
        }
        phases
    }

    /// Returns the classes in order.
    pub fn list(&self) -> &[Phase] {
        &self.list
    }

    /// Finds the half with these counts; `None` if the game is over there.
    pub fn find(&self, in_hand: u32, mover: u32, opponent: u32) -> Option<HalfAt> {
        if mover > self.men || opponent > self.men {
            return None;
        }
        self.found.get(self.number(in_hand, mover, opponent)).copied().flatten()
    }

    /// Returns the half of a position.
    pub fn half_of(&self, position: Position) -> Option<HalfAt> {
        let [mover, opponent] = [position.mover, position.opponent].map(|men| men.board.count_ones());
        self.find(position.in_hand(), mover, opponent)
    }

    /// Returns the half of a class that contains a slot.
    pub fn half_at(&self, class: usize, slot: u64) -> Option<HalfAt> {
        let (first, half) = match *self.list.get(class)? {
            Phase::Moving { halves: [one, other] } if slot >= one.slots && one.mover != other.mover => {
                (one.slots, other)
            }
            Phase::Moving { halves: [half, _] } | Phase::Placing { half, .. } => (0, half),
        };
        (slot - first < half.slots).then_some(HalfAt { class, first, half })
    }

    fn number(&self, in_hand: u32, mover: u32, opponent: u32) -> usize {
        let base = self.men + 1;
        ((in_hand * base + mover) * base + opponent) as usize
    }
}

/// Splits the pieces in hand between the mover and the opponent.
fn hands(in_hand: u32) -> (u32, u32) {
    (in_hand.div_ceil(2), in_hand / 2)
}

/// Returns the position with these masks and pieces in hand.
pub fn position(in_hand: u32, mover: u32, opponent: u32) -> Position {
    let (mover_hand, opponent_hand) = hands(in_hand);
    Position {
        to_move: Colour::of_bit(in_hand.is_multiple_of(2)),
        mover: Men { board: mover, hand: mover_hand },
        opponent: Men { board: opponent, hand: opponent_hand },
    }
}

/// Upper bound for the size of a database, in bytes.
const MOST_BYTES: u64 = 9_000_000_000;

/// Whether the layer with a number of pieces in hand is stored.
pub type Keeps = fn(u32) -> bool;

/// The choices, largest first. Every omitted layer is at most two plies before a stored one.
pub const CHOICES: [Keeps; 4] = [
    |_| true,
    |in_hand| in_hand > 1,
    |in_hand| in_hand == 2 || in_hand > 2 && in_hand % 2 == 1,
    |in_hand| in_hand > 2 && in_hand % 2 == 1,
];

/// Returns the first choice that fits, or else the last. `bytes` has the size of each layer; layer 0 is the moving
/// classes.
pub fn choose_layers(bytes: &[u64]) -> Keeps {
    let fits = CHOICES.iter().find(|keeps| kept_bytes(bytes, **keeps) <= MOST_BYTES);
    *fits.unwrap_or(&CHOICES[CHOICES.len() - 1])
}

/// Returns the bytes of the moving classes and of the stored layers.
pub fn kept_bytes(bytes: &[u64], keeps: Keeps) -> u64 {
    let kept = (0..).zip(bytes).filter(|(in_hand, _)| *in_hand == 0 || keeps(*in_hand));
    kept.map(|(_, bytes)| bytes).sum()
}

/// Returns the first class whose plane a database lacks although lookups depend on it.
///
/// `classes` has for each class its pieces in hand and whether its plane exists. A layer is stored whole or not at all,
/// and of three consecutive layers at least one is stored.
pub fn first_missing(classes: &[(u32, bool)]) -> Option<usize> {
    let most = classes.iter().map(|(in_hand, _)| *in_hand).max().unwrap_or(0);
    let mut kept = vec![false; most as usize + 1];
    kept[0] = true;
    classes.iter().for_each(|&(in_hand, stored)| kept[in_hand as usize] |= stored);
    let needed = |layer: usize| kept[layer] || layer >= 2 && !kept[layer - 1] && !kept[layer - 2];
    classes.iter().position(|&(in_hand, stored)| !stored && needed(in_hand as usize))
}
