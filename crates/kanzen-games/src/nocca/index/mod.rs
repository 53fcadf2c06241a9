//! Which position has which bit, and the positions by number.
//!
//! ```text
//! layout     top and bottom rows make a slab of boards; of two mirror images one is kept
//! heights    the rows between them, numbered
//! colouring  the pieces of a board, white or black, numbered
//! ```
//!
//! Two arrays of bits, for different sides to move on the same board, hold all positions: see [`layout`].

pub mod colouring;
pub mod count;
pub mod heights;
pub mod layout;
mod locate;
pub mod mirror;
pub mod numbering;
pub mod own_mirror;

use std::sync::OnceLock;

use kanzen::index::{Class, Index, Place};
use kanzen::{ClassId, Colour, Error, Game, Slot, Value};

use self::layout::{Array, Layout};
use self::numbering::Numbering;
use super::board::Position;
use super::rules::Nocca;

/// Words of a block of the database: an array is stored as whole blocks.
pub const BLOCK: usize = 512;

/// The numbering of NOCCA: a position is lost in one array or won in the other, each as its side to move sees it.
pub struct NoccaIndex {
    layout: Layout,
    classes: [Class; 2],
    numbering: OnceLock<Numbering>,
}

impl NoccaIndex {
    /// The numbering of a game's positions.
    pub fn new(game: &Nocca) -> NoccaIndex {
        let layout = Layout::new(game.rows, game.columns);
        let class = |array: Array| Class::new(array.name(), 64 * padded(layout.words(array)) as u64);
        NoccaIndex { classes: Array::BOTH.map(class), layout, numbering: OnceLock::new() }
    }

    /// Where each position has its bit.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bit of a position in the array of its side to move; nothing if the mover wins at once.
    fn bit(&self, board: &Position) -> Option<(ClassId, Slot)> {
        let array = Array::of(board.to_move);
        let spot = self.layout.spot(board)?;
        Some((ClassId::from(array as usize), Slot(self.layout.bit(array, &spot))))
    }
}

/// Words of an array, whole blocks.
pub fn padded(words: usize) -> usize {
    words.next_multiple_of(BLOCK)
}

impl Index<Nocca> for NoccaIndex {
    fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn place(&self, game: &Nocca, board: Position) -> Result<Place, Error> {
        if let Some(value) = game.ended(board) {
            return Ok(Place::Known(value));
        }
        let turned = game.turned(board);
        let (white, black) = if board.to_move == Colour::White { (board, turned) } else { (turned, board) };
        Ok(match (self.bit(&white), self.bit(&black)) {
            (Some(lost), Some(won)) => Place::Apart { lost, won },
            _ => Place::Known(Value::win(1)),
        })
    }

    fn position(&self, _: &Nocca, class: ClassId, slot: Slot) -> Result<Option<Position>, Error> {
        Ok(Array::BOTH.get(class.index()).and_then(|&array| self.layout.position(array, slot.0)))
    }

    fn positions(&self) -> u64 {
        count::up_to_mirror(self.layout.rows, self.layout.columns)
    }

    fn numbered(&self, _: &Nocca, number: u64) -> Result<Option<Position>, Error> {
        let numbering = self.numbering.get_or_init(|| Numbering::new(&self.layout));
        Ok(numbering.position(&self.layout, number))
    }

    fn number(&self, game: &Nocca, board: Position) -> Result<Option<u64>, Error> {
        // Finished games, with a piece off the board, have no numbers.
        if game.ended(board).is_some() {
            return Ok(None);
        }
        let white = if board.to_move == Colour::White { board } else { game.turned(board) };
        let numbering = self.numbering.get_or_init(|| Numbering::new(&self.layout));
        Ok(numbering.number(&self.layout, &white))
    }

    /// With black to move there are as many as with white.
    fn images(&self, game: &Nocca, board: Position) -> Option<u64> {
        Some(if game.mirrored(board) == board { 2 } else { 4 })
    }

    /// Planes say how soon somebody wins. A draw is in neither: of the two, losses are looked through.
    fn stands_for(&self, class: ClassId, stored: Value) -> Option<Value> {
        match (Array::BOTH.get(class.index())?, stored.distance()) {
            (Array::Losses, Some(plies)) => Some(Value::loss(plies)),
            (Array::Losses, None) => Some(Value::DRAW),
            (Array::Wins, Some(_)) => Some(stored),
            (Array::Wins, None) => None,
        }
    }

    /// Who has a top piece on the far row wins at once.
    fn known_values(&self) -> &[Value] {
        const AT_ONCE: [Value; 1] = [Value::win(1)];
        &AT_ONCE
    }
}
