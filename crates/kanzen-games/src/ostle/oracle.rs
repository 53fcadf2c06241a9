//! A solved Ostle that answers for every board and forbidden move.

use kanzen::query::{Answer, Oracle, QueryError};
use kanzen::store::{Database, StoreError};
use kanzen::{Budget, Census, Game};

use super::database::{ClassFile, KIND};
use super::index::ClassIndex;
use super::ko::Ko;
use super::moves::Move;
use super::rules::{Ostle, Position};
use super::solve::classes;
use super::{method, value};

/// From this many boards on it pays to have all in memory.
const MANY: u64 = 20_000;

/// A database of Ostle.
pub struct Solution {
    database: Database,
    classes: Vec<SolvedClass>,
}

struct SolvedClass {
    index: ClassIndex,
    file: ClassFile,
}

impl Solution {
    /// Opens a database.
    pub fn open(game: &Ostle, database: Database) -> Result<Solution, StoreError> {
        let mut solved = Vec::new();
        for pieces in 2 * game.army().least..=game.pieces() {
            for (mover, opponent) in classes(game, pieces) {
                let index = ClassIndex::new(mover, opponent);
                let blocks = database.blocks(&method::class_file(mover, opponent), KIND)?;
                let file = ClassFile::new(blocks, index.slots(), database.cache().clone())?;
                solved.push(SolvedClass { index, file });
            }
        }
        Ok(Solution { database, classes: solved })
    }

    fn not_stored(&self, position: String) -> QueryError {
        QueryError::NotStored { game: self.database.manifest().game.clone(), position }
    }

    fn level(&self, game: &Ostle, position: Position) -> Result<u8, QueryError> {
        let Position { board, previous } = position;
        let pieces = (board.mover.count_ones(), board.opponent.count_ones());
        let class = self.classes.iter().find(|class| class.index.pieces() == pieces);
        let class = class.ok_or_else(|| self.not_stored(game.show(position)))?;
        let place = class.index.place(&board);
        let entry = class.file.get(place.slot)?;
        let Some(previous) = previous.filter(|_| entry.unique != 0) else { return Ok(entry.best) };
        // The move that matters, on the board that stands for this one.
        let stored = board.under(place.symmetry);
        let values = entry.values(&stored).ok_or_else(|| {
            let file = method::class_file(pieces.0, pieces.1);
            StoreError::damaged(&self.database.path(&file), format!("the move stored for board {}", place.slot))
        })?;
        let after = stored.after(Move::numbered(values.unique, &stored));
        let previous = previous.under(place.symmetry);
        let matters = after.is_some_and(|(after, _)| match game.ko() {
            // A move that matters alone on a symmetric board leads to a board with that symmetry.
            Ko::Literal => after == previous,
            Ko::Symmetric => game.ko().recreates(&previous, &after),
        });
        Ok(if matters { values.second } else { values.best })
    }
}

impl Oracle<Ostle> for Solution {
    fn answer(&self, game: &Ostle, position: Position) -> Result<Answer, QueryError> {
        Ok(value(self.level(game, position)?).into())
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| u64::from(class.index.slots())).sum()
    }

    fn position(&self, _: &Ostle, number: u64) -> Result<Position, QueryError> {
        let mut slot = number;
        for class in &self.classes {
            if slot < u64::from(class.index.slots()) {
                return Ok(Position { board: class.index.board(slot as u32), previous: None });
            }
            slot -= u64::from(class.index.slots());
        }
        Err(self.not_stored(format!("board number {number}")))
    }

    /// A board without a forbidden move, and with each move forbidden that can be.
    fn each_position(
        &self,
        game: &Ostle,
        number: u64,
        visit: &mut dyn FnMut(Position) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let free = self.position(game, number)?;
        visit(free)?;
        let mut bans = Vec::new();
        game.each_ban(&free.board, |position| bans.push(position));
        bans.into_iter().try_for_each(visit)
    }

    fn prepare(&self, numbers: u64, budget: &Budget) -> Result<(), QueryError> {
        let memory: u64 = self.classes.iter().map(|class| class.file.memory()).sum();
        if numbers >= MANY && memory <= budget.memory {
            for class in &self.classes {
                class.file.load()?;
            }
        }
        Ok(())
    }

    fn census(&self) -> Result<Census, QueryError> {
        Ok(self.database.manifest().census())
    }
}
