//! A group of classes solved together: all boards with the same number of pieces, and the finished classes below them.

use kanzen::Error;
use kanzen_core::machine::cpu::Gather;

use crate::ostle::board::Board;
use crate::ostle::index::{CanonicalSlot, ClassIndex};
use crate::ostle::rules::Ostle;
use crate::ostle::stored::classes;

/// A class within a group.
pub struct GroupClass {
    /// Its index.
    pub index: ClassIndex,
    /// Its first slot within the group.
    pub base: u32,
}

/// A finished class with the levels of its boards without a forbidden move.
pub struct Below {
    /// Its index.
    pub index: ClassIndex,
    /// One level per slot.
    pub levels: Vec<u8>,
}

/// All boards with a given number of pieces.
pub struct Group {
    /// The number of pieces on the board.
    pub pieces: u32,
    /// Its classes, in descending order of the mover's pieces.
    pub classes: Vec<GroupClass>,
    slots: u32,
    most: u32,
}

impl Group {
    /// The group of boards with `pieces` pieces.
    pub fn new(game: &Ostle, pieces: u32) -> Result<Group, Error> {
        let (classes, slots) = consecutive(classes(game, pieces))?;
        Ok(Group { pieces, classes, slots, most: game.army().most })
    }

    /// The number of boards.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The class with `mover` pieces of the mover.
    #[inline]
    pub fn class_of(&self, mover: u32) -> &GroupClass {
        // Descending without gaps, since the opponent has the rest.
        let first = self.classes[0].index.pieces().0;
        debug_assert!(first <= self.most);
        &self.classes[(first - mover) as usize]
    }

    /// Ranks a board within the group.
    #[inline]
    pub fn place(&self, board: &Board) -> CanonicalSlot {
        let class = self.class_of(board.mover.count_ones());
        let place = class.index.place(board);
        CanonicalSlot { slot: place.slot + class.base, ..place }
    }

    /// The class that contains a slot.
    #[inline]
    pub fn class_at(&self, slot: u32) -> &GroupClass {
        class_at(&self.classes, slot)
    }

    /// Unranks a slot of the group.
    pub fn board(&self, slot: u32) -> Board {
        let class = self.class_at(slot);
        class.index.board(slot - class.base)
    }
}

/// Gives classes consecutive slots; returns them with the total number of slots.
pub fn consecutive(classes: impl IntoIterator<Item = (u32, u32)>) -> Result<(Vec<GroupClass>, u32), Error> {
    let (mut all, mut slots) = (Vec::new(), 0u32);
    for (mover, opponent) in classes {
        let (index, base) = (ClassIndex::new(mover, opponent), slots);
        let end = base.checked_add(index.slots());
        slots = end.ok_or_else(|| Error::Rules("there are more boards than 32 bits count".into()))?;
        all.push(GroupClass { index, base });
    }
    Ok((all, slots))
}

/// The class that contains a slot.
#[inline]
pub fn class_at(classes: &[GroupClass], slot: u32) -> &GroupClass {
    &classes[classes.partition_point(|class| class.base <= slot) - 1]
}

/// The level of a board of a finished class.
pub fn level_below(below: &[Below], board: &Board) -> u8 {
    let class = class_below(below, board);
    class.levels[class.index.place(board).slot as usize]
}

/// A reference to that level, for prefetching.
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
