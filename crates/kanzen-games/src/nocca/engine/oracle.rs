//! Any position from the two planes.

use std::sync::OnceLock;

use kanzen::query::{Answer, Oracle};
use kanzen::store::{Database, Manifest, PlaneFile};
use kanzen::{Census, Error, Tally, Value};

use super::layout::{Array, Layout};
use super::method::ALL_POSITIONS;
use super::numbering::Numbering;
use super::planes::plane_name;
use super::rounds::padded;
use crate::nocca::board::{Board, Side};
use crate::nocca::rules::Nocca;

/// A database of distances.
pub struct NoccaOracle {
    database: Database,
    layout: Layout,
    losses: PlaneFile,
    wins: PlaneFile,
    numbering: OnceLock<Numbering>,
}

impl NoccaOracle {
    pub fn open(layout: Layout, database: Database) -> Result<NoccaOracle, Error> {
        let plane = |array| -> Result<PlaneFile, Error> {
            let plane = database.plane(plane_name(array))?;
            if plane.len() != 64 * padded(layout.words(array)) as u64 || database.manifest().classes.len() != 1 {
                let place = format!("{}: {} slots", plane_name(array), plane.len());
                return Err(Error::damaged(&database.path(Manifest::FILE), place));
            }
            Ok(plane)
        };
        let (losses, wins) = (plane(Array::Losses)?, plane(Array::Wins)?);
        Ok(NoccaOracle { database, layout, losses, wins, numbering: OnceLock::new() })
    }

    /// How soon a position is decided in an array: lost with white to move, won with black to move.
    fn distance(&self, board: &Board) -> Result<Option<u16>, Error> {
        let array = Array::of(board.to_move);
        let Some(slot) = self.layout.slot(board) else { return Ok(None) };
        let plane = if array == Array::Losses { &self.losses } else { &self.wins };
        Ok(plane.get(self.layout.bit(array, &slot))?.distance())
    }

    fn numbering(&self) -> &Numbering {
        self.numbering.get_or_init(|| Numbering::new(&self.layout))
    }
}

impl Oracle<Nocca> for NoccaOracle {
    fn answer(&self, game: &Nocca, board: Board) -> Result<Answer, Error> {
        let turned = game.turned(board);
        let (white, black) = if board.to_move == Side::White { (board, turned) } else { (turned, board) };
        if self.layout.slot(&white).is_none() {
            return Ok(Value::win(1).into());
        }
        if let Some(plies) = self.distance(&white)? {
            return Ok(Value::loss(plies).into());
        }
        Ok(self.distance(&black)?.map_or(Value::DRAW, Value::win).into())
    }

    fn positions(&self) -> u64 {
        self.database.manifest().classes[0].slots
    }

    fn position(&self, _: &Nocca, number: u64) -> Result<Board, Error> {
        self.numbering().position(&self.layout, number).ok_or_else(|| Error::NotStored {
            game: self.database.manifest().game.clone(),
            position: format!("position number {number}"),
        })
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    fn all_positions(&self) -> Option<Tally> {
        let all = self.database.manifest().settings.get(ALL_POSITIONS)?;
        serde_json::from_value(all.clone()).ok()
    }
}
