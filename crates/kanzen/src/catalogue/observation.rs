//! Encodes positions as arrays of numbers for machine learning, from the view of any game.
//!
//! ```text
//! w b               a layer for each kind of piece: 1 where one stands
//! w1 b1 w2 b2 ...   where pieces are stacked, the same for each height
//! hand w, hand b    how many are in hand, in every cell
//! w to move         1 in every cell if that side is to move; not where positions are seen by their mover
//! ```

use super::Entry;
use crate::rules::view::{Content, Ground, Hands, Turn, View};
use crate::vocabulary::Error;

/// How the positions of a game become arrays.
pub struct Observation {
    view: View,
    layers: Vec<String>,
    cells: usize,
}

impl Observation {
    /// The arrays of a game; an error if its view shows no board.
    pub fn of(entry: &Entry) -> Result<Observation, Error> {
        let view = entry.view();
        if matches!(view.ground, Ground::Text | Ground::Pile) {
            let id = &entry.info().id;
            return Err(Error::BadRequest(format!("{id} has no board that could be made an array of")));
        }
        let mut layers = Vec::new();
        for height in 1..=view.notation.stack {
            layers.extend(view.pieces.iter().map(|piece| match view.notation.stack {
                1 => piece.letter.to_string(),
                _ => format!("{}{height}", piece.letter),
            }));
        }
        match view.notation.hands {
            Hands::None => {}
            Hands::Counts => layers.extend(view.sides.iter().map(|side| format!("hand {}", side.letter))),
            Hands::Letters => layers.extend(view.pieces.iter().map(|piece| format!("hand {}", piece.letter))),
        }
        if view.notation.turn == Turn::Letter {
            layers.push(format!("{} to move", view.sides[0].letter));
        }
        Ok(Observation { cells: view.places.len(), view, layers })
    }

    /// What each layer is.
    pub fn layers(&self) -> &[String] {
        &self.layers
    }

    /// The cells of a layer, in the order of the notation.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Rows and columns, where the cells make a rectangle.
    pub fn rectangle(&self) -> Option<(usize, usize)> {
        let rows = &self.view.notation.rows;
        let columns = *rows.first()?;
        (rows.iter().all(|&cells| cells == columns) && rows.len() * columns == self.cells)
            .then_some((rows.len(), columns))
    }

    /// Writes a position into an array of layers of cells, which has zeros before.
    pub fn fill(&self, position: &str, array: &mut [u8]) -> Result<(), Error> {
        let Content { cells, turn, rest } = self.view.read(position).map_err(Error::Rules)?;
        for (cell, pieces) in cells.iter().enumerate() {
            for (height, letter) in pieces.chars().enumerate() {
                if let Some(kind) = self.view.pieces.iter().position(|piece| piece.letter == letter) {
                    array[(height * self.view.pieces.len() + kind) * self.cells + cell] = 1;
                }
            }
        }
        let mut layer = self.view.pieces.len() * self.view.notation.stack;
        let mut whole = |number: u8| {
            array[layer * self.cells..(layer + 1) * self.cells].fill(number);
            layer += 1;
        };
        match self.view.notation.hands {
            Hands::None => {}
            Hands::Counts => {
                let mut counts = rest.split('-').map(|count| count.trim().parse().unwrap_or(0));
                (0..2).for_each(|_| whole(counts.next().unwrap_or(0)));
            }
            Hands::Letters => {
                for piece in &self.view.pieces {
                    whole(rest.chars().filter(|letter| *letter == piece.letter).count() as u8);
                }
            }
        }
        if self.view.notation.turn == Turn::Letter {
            whole(u8::from(turn == self.view.sides[0].letter));
        }
        Ok(())
    }
}
