//! The index of Sixteen Musashi: one plane per stored point of black, brown to move; and its databases.
//!
//! Positions with black to move are not stored; they are one ply from stored ones. Of two points that the flip
//! exchanges one is stored. For points of the middle row, where a set is its own mirror image, half of the blocks are
//! stored.

pub mod layout;

use std::sync::Arc;

use crate::musashi::sets::BLOCK_BITS;
use kanzen::{Error, Game};
use kanzen_core::index::{Class, Index, Place};
use kanzen_core::machine::cpu::Isa;
use kanzen_core::{ClassId, Slot};
use kanzen_query::{Opener, Oracle, PublishedCounts, Tablebase};
use kanzen_solve::SolvedClass;
use kanzen_store::Database;
use serde_json::{Map, Value as Json};

use self::layout::{Layout, census_csv, expected_classes};
use super::rules::{Musashi, Position, image};

/// The index of Sixteen Musashi.
pub struct MusashiIndex {
    layout: Layout,
    classes: Vec<Class>,
    /// For a set that is its own mirror image: the number of stored blocks before each block.
    ranks: Vec<u32>,
}

impl MusashiIndex {
    /// Builds the index of a game.
    pub fn new(game: &Musashi) -> MusashiIndex {
        MusashiIndex::cut(game, BLOCK_BITS)
    }

    /// The same with smaller blocks, for tests.
    pub fn cut(game: &Musashi, block_bits: u32) -> MusashiIndex {
        let layout = Layout::cut(game.board(), block_bits);
        let blocks = 1u64 << (layout.bits() - layout.stored_bits());
        let mut stored = 0;
        let ranks = (0..blocks).map(|block| {
            let before = stored;
            stored += u32::from(layout.is_smaller_block(block));
            before
        });
        let ranks = ranks.collect();
        let class = |(number, &black): (usize, &u8)| {
            let blocks = if layout.is_middle(black) { u64::from(stored) } else { blocks };
            Class::new(format!("black-{number}"), blocks << layout.stored_bits())
        };
        MusashiIndex { classes: layout.stored().iter().enumerate().map(class).collect(), layout, ranks }
    }

    /// Returns the map from points to index bits.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the file name of each plane.
    pub fn plane_files(&self) -> impl Iterator<Item = String> {
        self.classes.iter().map(Class::plane_file)
    }

    /// Returns the slot of an index.
    fn ranked(&self, black: u8, index: u64) -> u64 {
        if !self.layout.is_middle(black) {
            return index;
        }
        let bits = self.layout.stored_bits();
        let smaller = self.layout.is_smaller_block(index >> bits);
        let index = if smaller { index } else { self.layout.flipped(index) };
        u64::from(self.ranks[(index >> bits) as usize]) << bits | index & ((1 << bits) - 1)
    }

    /// Returns the index of a slot, the inverse of `ranked`.
    fn unranked(&self, black: u8, slot: u64) -> u64 {
        if !self.layout.is_middle(black) {
            return slot;
        }
        let bits = self.layout.stored_bits();
        let block = self.ranks.partition_point(|&rank| u64::from(rank) <= slot >> bits) - 1;
        (block as u64) << bits | slot & ((1 << bits) - 1)
    }

    /// Counts the positions of a stored point, one side to move, that are at most their mirror image.
    fn canonical(&self, black: u8) -> u64 {
        let bits = self.layout.bits();
        if self.layout.is_middle(black) { smaller(bits, self.layout.pairs()) } else { 1 << bits }
    }
}

impl Index<Musashi> for MusashiIndex {
    fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn place(&self, game: &Musashi, position: Position) -> Result<Place, Error> {
        let Position { black, brown, brown_to_move } = position;
        if !brown_to_move {
            return Ok(Place::FromMoves);
        }
        let flip = game.board().flip();
        let flipped = flip[usize::from(black)];
        let (black, brown) = if black <= flipped { (black, brown) } else { (flipped, image(brown, flip)) };
        let Some(class) = self.layout.number(black) else { return Ok(Place::Nowhere) };
        Ok(Place::At(ClassId::from(class), Slot(self.ranked(black, self.layout.index(black, brown)))))
    }

    fn position(&self, _: &Musashi, class: ClassId, slot: Slot) -> Result<Option<Position>, Error> {
        let (Some(&black), Some(class)) = (self.layout.stored().get(class.index()), self.classes.get(class.index()))
        else {
            return Ok(None);
        };
        let brown = || self.layout.brown(black, self.unranked(black, slot.0));
        Ok((slot.0 < class.slots).then(|| Position { black, brown: brown(), brown_to_move: true }))
    }

    /// One of each pair of mirror images, both sides to move. Further symmetries of the smallest board are not reduced
    /// here: some of its positions are counted more than once.
    fn positions(&self) -> u64 {
        2 * self.layout.stored().iter().map(|&black| self.canonical(black)).sum::<u64>()
    }

    /// The smallest board has more symmetries than the flip: one of all images counts.
    fn is_row(&self, game: &Musashi, position: Position) -> bool {
        let canonical = game.canonical(position);
        let flip = game.board().flip();
        let flipped = Position {
            black: flip[usize::from(position.black)],
            brown: image(position.brown, flip),
            brown_to_move: position.brown_to_move,
        };
        canonical == position || canonical == flipped
    }

    fn has_derived(&self) -> bool {
        true
    }

    fn numbered(&self, _: &Musashi, number: u64) -> Result<Option<Position>, Error> {
        let brown_to_move = number & 1 == 1;
        let mut rank = number >> 1;
        for &black in self.layout.stored() {
            let all = self.canonical(black);
            if rank < all {
                let bits = self.layout.bits();
                let index =
                    if self.layout.is_middle(black) { smaller_at(bits, self.layout.pairs(), rank) } else { rank };
                return Ok(Some(Position { black, brown: self.layout.brown(black, index), brown_to_move }));
            }
            rank -= all;
        }
        Ok(None)
    }

    fn number(&self, game: &Musashi, position: Position) -> Result<Option<u64>, Error> {
        let Position { black, brown, brown_to_move } = position;
        let flip = game.board().flip();
        let flipped = flip[usize::from(black)];
        let (black, brown) = if black <= flipped { (black, brown) } else { (flipped, image(brown, flip)) };
        let Some(class) = self.layout.number(black) else { return Ok(None) };
        let before: u64 = self.layout.stored()[..class].iter().map(|&black| self.canonical(black)).sum();
        let index = self.layout.index(black, brown);
        let rank = if self.layout.is_middle(black) {
            smaller_rank(self.layout.bits(), self.layout.pairs(), index.min(self.layout.flipped(index)))
        } else {
            index
        };
        Ok(Some(2 * (before + rank) + u64::from(brown_to_move)))
    }

    /// By number of brown pieces and side to move. Of positions that are equal only under other symmetries than the
    /// flip one counts: the canonical one, or its mirror image if that has the number.
    fn census_class(&self, game: &Musashi, position: Position) -> Option<u32> {
        let canonical = game.canonical(position);
        let flip = game.board().flip();
        let flipped =
            Position { black: flip[usize::from(canonical.black)], brown: image(canonical.brown, flip), ..canonical };
        let counts = position == canonical || position == flipped;
        counts.then(|| 2 * position.brown.count_ones() + u32::from(position.brown_to_move))
    }

    fn census_label(&self, _: &Musashi, class: u32) -> Map<String, Json> {
        census_label((class / 2) as usize, if class % 2 == 1 { "brown" } else { "black" })
    }
}

/// Returns the label of a census class.
pub fn census_label(brown: usize, to_move: &str) -> Map<String, Json> {
    SolvedClass::label([("brown", brown.into()), ("to_move", to_move.into())])
}

/// Counts the numbers of `bits` bits that are at most their mirror image. The mirror swaps each adjacent pair of bits
/// in `pairs`.
pub fn smaller(bits: u32, pairs: u64) -> u64 {
    let pairs = (pairs & ((1 << bits) - 1)).count_ones();
    ((1 << bits) + (1 << (bits - pairs))) / 2
}

/// Unranks such a number. The highest pair whose bits differ decides: it must be 01.
pub fn smaller_at(bits: u32, pairs: u64, mut rank: u64) -> u64 {
    let mut number = 0;
    let mut left = bits;
    while left > 0 {
        let pair = left >= 2 && pairs >> (left - 2) & 1 == 1;
        left -= if pair { 2 } else { 1 };
        let same = smaller(left, pairs);
        if rank < same {
            continue;
        }
        rank -= same;
        if pair && rank < 1 << left {
            return number | 1 << left | rank;
        }
        rank -= if pair { 1 << left } else { 0 };
        number |= (if pair { 3 } else { 1 }) << left;
    }
    number
}

/// Ranks such a number: the inverse of [`smaller_at`].
pub fn smaller_rank(bits: u32, pairs: u64, number: u64) -> u64 {
    let mut rank = 0;
    let mut left = bits;
    while left > 0 {
        let pair = left >= 2 && pairs >> (left - 2) & 1 == 1;
        left -= if pair { 2 } else { 1 };
        match (pair, number >> left & if pair { 3 } else { 1 }) {
            (_, 0) => {}
            (false, _) => rank += smaller(left, pairs),
            // From here on every number is less than its mirror image.
            (true, 1) => return rank + smaller(left, pairs) + (number & ((1 << left) - 1)),
            (true, _) => rank += smaller(left, pairs) + (1 << left),
        }
    }
    rank
}

/// Solves the game by sets of positions, and opens its databases.
#[derive(Clone, Copy, Debug)]
pub struct SetAtATime {
    isa: Isa,
    block_bits: u32,
}

impl Default for SetAtATime {
    fn default() -> SetAtATime {
        SetAtATime { isa: Isa::best(), block_bits: BLOCK_BITS }
    }
}

impl SetAtATime {
    /// Uses these instructions, and blocks of `block_bits` index bits (from 6 to [`BLOCK_BITS`]). Small blocks give
    /// small boards many blocks, for tests.
    pub fn with(isa: Isa, block_bits: u32) -> SetAtATime {
        SetAtATime { isa, block_bits: block_bits.clamp(6, BLOCK_BITS) }
    }

    /// Returns the instruction set.
    pub(super) fn isa(&self) -> Isa {
        self.isa
    }

    pub(super) fn index(&self, game: &Musashi) -> MusashiIndex {
        MusashiIndex::cut(game, self.block_bits)
    }
}

impl Opener<Musashi> for SetAtATime {
    fn open(&self, game: &Arc<Musashi>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let sound = expected_classes(game.board());
        database.check_classes(sound.len(), |number, class| {
            let (label, slots) = &sound[number];
            class.label == *label && class.slots == *slots && class.tally.positions() == *slots
        })?;
        Ok(Box::new(Tablebase::open(game, self.index(game), database)?.publishing(|tablebase, _| {
            let csv = Some(census_csv(tablebase.game().board(), &tablebase.census()));
            Ok(PublishedCounts { csv, scores: Vec::new() })
        })))
    }

    fn layout(&self, game: &Musashi) -> Result<u64, Error> {
        Index::layout(&self.index(game), game)
    }
}
