//! The classes that are solved together: all boards with so many pieces, and the finished classes below them.

use kanzen::Error;
use kanzen::machine::cpu::Gather;

use crate::ostle::board::Board;
use crate::ostle::index::{ClassIndex, Place};
use crate::ostle::rules::Ostle;

/// A class within a group.
pub struct Class {
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
    pub classes: Vec<Class>,
    slots: u32,
    most: u32,
}

impl Group {
    /// The boards of a game with so many pieces.
    pub fn new(game: &Ostle, pieces: u32) -> Result<Group, Error> {
        let mut group = Group { pieces, classes: Vec::new(), slots: 0, most: game.army().most };
        for (mover, opponent) in classes(game, pieces) {
            let index = ClassIndex::new(mover, opponent);
            let base = group.slots;
            group.slots = base
                .checked_add(index.slots())
                .ok_or_else(|| Error::Rules(format!("{pieces} pieces have more boards than 32 bits count")))?;
            group.classes.push(Class { index, base });
        }
        Ok(group)
    }

    /// How many boards there are.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The class of boards with so many pieces of the mover's.
    #[inline]
    pub fn class_of(&self, mover: u32) -> &Class {
        // From most to least, without gaps, since the opponent has the rest.
        let first = self.classes[0].index.pieces().0;
        debug_assert!(first <= self.most);
        &self.classes[(first - mover) as usize]
    }

    /// Where a board of the group is; the slot is the group's.
    #[inline]
    pub fn place(&self, board: &Board) -> Place {
        let class = self.class_of(board.mover.count_ones());
        let place = class.index.place(board);
        Place { slot: place.slot + class.base, ..place }
    }

    /// The class that a slot is in.
    #[inline]
    pub fn class_at(&self, slot: u32) -> &Class {
        let after = self.classes.partition_point(|class| class.base <= slot);
        &self.classes[after - 1]
    }

    /// The board of a slot.
    pub fn board(&self, slot: u32) -> Board {
        let class = self.class_at(slot);
        class.index.board(slot - class.base)
    }
}

/// The classes of a game, those with the fewest pieces first: pieces of the mover and of the opponent.
pub fn all_classes(game: &Ostle) -> impl Iterator<Item = (u32, u32)> + use<'_> {
    (2 * game.army().least..=game.pieces()).flat_map(|pieces| classes(game, pieces))
}

/// The classes with so many pieces on the board.
pub fn classes(game: &Ostle, pieces: u32) -> Vec<(u32, u32)> {
    let side = game.army().least..=game.army().most;
    side.clone().rev().map(|mover| (mover, pieces.wrapping_sub(mover))).filter(|(_, o)| side.contains(o)).collect()
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
