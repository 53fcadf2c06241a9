//! The NOCCA index: maps positions to bits of two arrays, numbers them, and opens databases.
//!
//! ```text
//! layout     top and bottom rows form a slab of boards; of two mirror images one is stored
//! heights    ranks the heights of the rows between them
//! colouring  ranks the colours of a board's pieces
//! numbering  numbers positions once up to symmetry
//! ```
//!
//! Two arrays of bits, for different sides to move on the same board, hold all positions: see [`layout`].

pub mod colouring;
pub mod heights;
pub mod layout;
pub mod numbering;

use std::sync::{Arc, OnceLock};

use kanzen::{Colour, Error, Game, Value};
use kanzen_core::index::{Class, Index, Place};
use kanzen_core::{ClassId, Slot};
use kanzen_query::{Opener, Oracle, Tablebase};
use kanzen_solve::SolvedClass;
use kanzen_store::Database;
use serde_json::{Map, Value as Json};

use self::layout::{Array, Layout};
use self::numbering::{Numbering, up_to_mirror};
use super::rules::{Nocca, Position};

/// Words of a database block: an array is stored as whole blocks.
pub const BLOCK: usize = 512;

/// The NOCCA index. A position is lost in one array or won in the other, each from the view of its side to move.
pub struct NoccaIndex {
    layout: Layout,
    classes: [Class; 2],
    numbering: OnceLock<Numbering>,
}

impl NoccaIndex {
    /// Builds the index of a game.
    pub fn new(game: &Nocca) -> NoccaIndex {
        let layout = Layout::new(game.rows, game.columns);
        let class = |array: Array| Class::new(array.name(), 64 * padded(layout.words(array)) as u64);
        NoccaIndex { classes: Array::BOTH.map(class), layout, numbering: OnceLock::new() }
    }

    /// Returns the layout of the two arrays.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the bit of a position in the array of its side to move, or `None` if the mover wins at once.
    fn bit(&self, board: &Position) -> Option<(ClassId, Slot)> {
        let array = Array::of(board.to_move);
        let spot = self.layout.spot(board)?;
        Some((ClassId::from(array as usize), Slot(self.layout.bit(array, &spot))))
    }
}

/// Rounds the words of an array up to whole blocks.
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
        up_to_mirror(self.layout.rows, self.layout.columns)
    }

    fn numbered(&self, _: &Nocca, number: u64) -> Result<Option<Position>, Error> {
        let numbering = self.numbering.get_or_init(|| Numbering::new(&self.layout));
        Ok(numbering.position(&self.layout, number))
    }

    fn number(&self, game: &Nocca, board: Position) -> Result<Option<u64>, Error> {
        // Finished games, with a piece off the board, have no number.
        if game.ended(board).is_some() {
            return Ok(None);
        }
        let white = if board.to_move == Colour::White { board } else { game.turned(board) };
        let numbering = self.numbering.get_or_init(|| Numbering::new(&self.layout));
        Ok(numbering.number(&self.layout, &white))
    }

    /// Black to move has as many positions as white to move.
    fn images(&self, game: &Nocca, board: Position) -> Option<u64> {
        Some(if game.mirrored(board) == board { 2 } else { 4 })
    }

    /// A plane stores the distance to a win of either side. Draws are in neither plane; a scan of the losses finds
    /// them.
    fn stands_for(&self, class: ClassId, stored: Value) -> Option<Value> {
        match (Array::BOTH.get(class.index())?, stored.distance()) {
            (Array::Losses, Some(plies)) => Some(Value::loss(plies)),
            (Array::Losses, None) => Some(Value::DRAW),
            (Array::Wins, Some(_)) => Some(stored),
            (Array::Wins, None) => None,
        }
    }

    /// A mover with a top piece on the far row wins at once.
    fn known_values(&self) -> &[Value] {
        const AT_ONCE: [Value; 1] = [Value::win(1)];
        &AT_ONCE
    }
}

/// Solves the game by sweeps over sets of positions, and opens its databases.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sweeps;

/// Returns the label of the only class.
pub(super) fn label() -> Map<String, Json> {
    SolvedClass::label([("class", 0.into())])
}

impl Opener<Nocca> for Sweeps {
    fn open(&self, game: &Arc<Nocca>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let positions = up_to_mirror(game.rows, game.columns);
        database.check_classes(1, |_, class| {
            class.label == label() && class.slots == positions && class.tally.positions() == positions
        })?;
        Ok(Box::new(Tablebase::open(game, NoccaIndex::new(game), database)?))
    }

    fn layout(&self, game: &Nocca) -> Result<u64, Error> {
        Index::layout(&NoccaIndex::new(game), game)
    }
}
