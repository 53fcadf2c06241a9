//! The classes of a game, in the order they are solved.
//!
//! ```text
//!   moving    3-3, 4-3, 4-4, 5-3, ...     both ways round in one class: a quiet move swaps mover and opponent
//!   placing   1 piece in hand, then 2, ...  by (mover's men on the board, opponent's): each leads to one piece less
//! ```
//!
//! Taking leads from x-y to x-(y - 1), placing to one piece less in hand: both to earlier classes.

use kanzen::Colour;

use super::numbering::{Half, Numbering};
use crate::morris::{Men, Morris, Position};

/// What the positions of a class have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// No pieces in hand; the side with more men, or either, is `halves[0].mover`.
    Moving { halves: [Half; 2] },
    /// So many pieces in hand, the mover's one more if they are odd.
    Placing { in_hand: u32, half: Half },
}

impl Phase {
    /// How many slots the class has.
    pub fn slots(self) -> u64 {
        self.halves().map(|(_, half)| half.slots).sum()
    }

    /// Its halves, each with its first slot.
    pub fn halves(self) -> impl Iterator<Item = (u64, Half)> {
        let (one, other) = match self {
            Phase::Moving { halves: [one, other] } if one.mover == other.mover => (one, None),
            Phase::Moving { halves: [one, other] } => (one, Some((one.slots, other))),
            Phase::Placing { half, .. } => (half, None),
        };
        std::iter::once((0, one)).chain(other)
    }

    /// Pieces in hand.
    pub fn in_hand(self) -> u32 {
        match self {
            Phase::Moving { .. } => 0,
            Phase::Placing { in_hand, .. } => in_hand,
        }
    }
}

/// Where the positions with some counts are: the class, the first slot in it, and the half.
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
    /// The classes of a game.
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

    /// The classes in order.
    pub fn list(&self) -> &[Phase] {
        &self.list
    }

    /// Where positions with these counts are; none if they are no game any more.
    pub fn find(&self, in_hand: u32, mover: u32, opponent: u32) -> Option<HalfAt> {
        if mover > self.men || opponent > self.men {
            return None;
        }
        self.found.get(self.number(in_hand, mover, opponent)).copied().flatten()
    }

    /// Where a position's half is.
    pub fn half_of(&self, position: Position) -> Option<HalfAt> {
        let [mover, opponent] = [position.mover, position.opponent].map(|men| men.board.count_ones());
        self.find(position.in_hand(), mover, opponent)
    }

    /// The half of a class that a slot is in.
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

/// Of so many pieces in hand, the mover's and the opponent's.
fn hands(in_hand: u32) -> (u32, u32) {
    (in_hand.div_ceil(2), in_hand / 2)
}

/// The position with these masks and so many pieces in hand.
pub fn position(in_hand: u32, mover: u32, opponent: u32) -> Position {
    let (mover_hand, opponent_hand) = hands(in_hand);
    Position {
        to_move: Colour::of_bit(in_hand.is_multiple_of(2)),
        mover: Men { board: mover, hand: mover_hand },
        opponent: Men { board: opponent, hand: opponent_hand },
    }
}
