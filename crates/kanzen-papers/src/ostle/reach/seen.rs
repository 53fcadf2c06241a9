//! The arrivals at a board, at most two, packed into 16 bits.
//!
//! ```text
//!   15 ...... 11   10 ....... 6   5 ........ 1   0
//!   first layer    forbidden      second layer   arrived without a forbidden move
//!   + 1            then, or 0     + 1
//! ```

/// One way in which the search reaches a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// Whether nothing is forbidden.
    pub free: bool,
    /// The number of the forbidden move, or 0 if the ban has no effect, as on a symmetric board where the mirror image
    /// of the move leads to the same position.
    pub forbidden: u16,
}

impl Visit {
    pub const FREE: Visit = Visit { free: true, forbidden: 0 };
}

/// The packed arrivals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen(pub u16);

impl Seen {
    fn new(first: u16, forbidden: u16, second: u16, free: u16) -> Seen {
        Seen(first << 11 | forbidden << 6 | second << 1 | free)
    }

    pub fn first(self) -> u16 {
        self.0 >> 11
    }

    pub fn forbidden(self) -> u16 {
        self.0 >> 6 & 31
    }

    pub fn second(self) -> u16 {
        self.0 >> 1 & 31
    }

    pub fn free(self) -> u16 {
        self.0 & 1
    }

    /// Whether a move of this board is played in a layer: by the first arrival, or the one that was left out then.
    pub fn plays_in(self, layer: u16) -> bool {
        self.first() == layer + 1 || self.second() == layer + 1
    }

    /// The number of positions that are new by an arrival: each position with a forbidden move is arrived at once.
    pub fn new_by(self, arrival: Visit) -> u64 {
        u64::from(!arrival.free || self.free() == 0)
    }

    /// Records an arrival in a layer.
    #[inline(always)]
    pub fn after(self, layer: u16, arrival: Visit) -> Seen {
        let free = self.free() | u16::from(arrival.free);
        let (first, forbidden, second) = (self.first(), self.forbidden(), self.second());
        if first == 0 {
            return Seen::new(layer + 1, arrival.forbidden, 0, free);
        }
        if forbidden == 0 || forbidden == arrival.forbidden || second != 0 {
            return Seen::new(first, forbidden, second, free);
        }
        match first == layer + 1 {
            true => Seen::new(first, 0, 0, free),
            false => Seen::new(first, forbidden, layer + 1, free),
        }
    }
}
