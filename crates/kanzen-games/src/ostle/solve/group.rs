//! The classes that are solved together: all boards with so many pieces, and the finished classes below them.

use kanzen::Error;
use kanzen::machine::cpu::Gather;

use crate::ostle::board::Board;
use crate::ostle::index::{CanonicalSlot, ClassIndex};
use crate::ostle::rules::Ostle;
use crate::ostle::stored::classes;

/// A class within a group.
pub struct GroupClass {
    /// Its numbering.
    pub index: ClassIndex,
    /// The first of its slots within the group.
    pub base: u32,
}

/// A finished class: the level of each of its boards when no move is forbidden.
pub struct Below {
    /// Its numbering.
    pub index: ClassIndex,
    /// The levels.
    pub levels: Vec<u8>,
}

/// All boards with so many pieces.
pub struct Group {
    /// How many pieces are on the board.
    pub pieces: u32,
    /// Its classes, most pieces of the mover first.
    pub classes: Vec<GroupClass>,
    slots: u32,
    most: u32,
}

impl Group {
    /// The boards of a game with so many pieces.
    pub fn new(game: &Ostle, pieces: u32) -> Result<Group, Error> {
        let (classes, slots) = one_after_the_other(classes(game, pieces))?;
        Ok(Group { pieces, classes, slots, most: game.army().most })
    }

    /// How many boards there are.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The class of boards with so many pieces of the mover's.
    #[inline]
    pub fn class_of(&self, mover: u32) -> &GroupClass {
        // From most to least, without gaps, since the opponent has the rest.
        let first = self.classes[0].index.pieces().0;
        debug_assert!(first <= self.most);
        &self.classes[(first - mover) as usize]
    }

    /// Where a board of the group is; the slot is the group's.
    #[inline]
    pub fn place(&self, board: &Board) -> CanonicalSlot {
        let class = self.class_of(board.mover.count_ones());
        let place = class.index.place(board);
        CanonicalSlot { slot: place.slot + class.base, ..place }
    }

    /// The class that a slot is in.
    #[inline]
    pub fn class_at(&self, slot: u32) -> &GroupClass {
        class_at(&self.classes, slot)
    }

    /// The board of a slot.
    pub fn board(&self, slot: u32) -> Board {
        let class = self.class_at(slot);
        class.index.board(slot - class.base)
    }
}

/// Classes of so many pieces a side with their slots one after the other, and how many slots that are.
pub fn one_after_the_other(classes: impl IntoIterator<Item = (u32, u32)>) -> Result<(Vec<GroupClass>, u32), Error> {
    let (mut all, mut slots) = (Vec::new(), 0u32);
    for (mover, opponent) in classes {
        let (index, base) = (ClassIndex::new(mover, opponent), slots);
        let end = base.checked_add(index.slots());
        slots = end.ok_or_else(|| Error::Rules("there are more boards than 32 bits count".into()))?;
        all.push(GroupClass { index, base });
    }
    Ok((all, slots))
}

/// The one of these classes that a slot is in.
#[inline]
pub fn class_at(classes: &[GroupClass], slot: u32) -> &GroupClass {
    &classes[classes.partition_point(|class| class.base <= slot) - 1]
}

/// The level of a board of a finished class.
pub fn level_below(below: &[Below], board: &Board) -> u8 {
    let class = class_below(below, board);
    class.levels[class.index.place(board).slot as usize]
}

/// Where that level is kept, for those who fetch it ahead.
#[inline(always)]
pub fn level_place<'b, B: Gather>(bits: B, below: &'b [Below], board: &Board) -> &'b u8 {
    let class = class_below(below, board);
    &class.levels[class.index.find(bits, board).slot as usize]
}

#[inline(always)]
fn class_below<'b>(below: &'b [Below], board: &Board) -> &'b Below {
    let pieces = (board.mover.count_ones(), board.opponent.count_ones());
    below.iter().find(|class| class.index.pieces() == pieces).expect("its class is finished")
}
