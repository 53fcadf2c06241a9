//! A solved Ostle that answers for every board and forbidden move.

mod in_order;
mod move_counts;
mod scan;
mod whole;

use std::sync::{Arc, OnceLock};

use kanzen::index::LayoutHash;
use kanzen::query::{Opener, Oracle};
use kanzen::solve::Exception;
use kanzen::store::{ClassEntry, Database, ExceptionsFile, Summary};
use kanzen::{Error, Game};
use serde_json::Value as Json;

use super::entry::{entry_of, values_of};
use super::index::{CanonicalSlot, ClassIndex, HOLES};
use super::ko::Ko;
use super::moves::Move;
use super::rules::{Ostle, Position};
use super::stored::{ByBoards, Values, all_classes, class_file};

/// From this many boards on it pays to have all in memory.
const MANY: u64 = 20_000;
/// What is kept of blocks that were read, where most of what is asked for is in memory anyway.
const LITTLE: u64 = 32 << 20;
/// Positions whose moves are looked up together where they have to be read: the more, the fewer chunks are unpacked for
/// them. They and what is noted of each move take about half a gigabyte on two threads.
const MANY_AT_A_TIME: usize = 1 << 18;

/// A database of Ostle.
pub struct Solution {
    game: Arc<Ostle>,
    database: Database,
    classes: Vec<SolvedClass>,
}

struct SolvedClass {
    index: ClassIndex,
    file: ExceptionsFile,
    /// Who wins on each board, where very many questions want to know no more.
    outcomes: OnceLock<Summary>,
}

impl Solution {
    /// Opens a database.
    pub fn open(game: &Arc<Ostle>, database: Database) -> Result<Solution, Error> {
        let classes: Vec<(u32, u32)> = all_classes(game).collect();
        database.check_classes(HOLES.len() * classes.len(), |number, class| {
            is_counted(class, classes[number / HOLES.len()], HOLES[number % HOLES.len()])
        })?;
        let mut solved = Vec::new();
        for (mover, opponent) in classes {
            let index = ClassIndex::new(mover, opponent);
            let file = database.exceptions(&class_file(mover, opponent), index.slots())?;
            solved.push(SolvedClass { index, file, outcomes: OnceLock::new() });
        }
        Ok(Solution { game: game.clone(), database, classes: solved })
    }

    fn not_stored(&self, position: String) -> Error {
        Error::NotStored { game: self.database.manifest().game.clone(), position }
    }

    /// The class of a board.
    fn class_of(&self, position: Position) -> Result<usize, Error> {
        let pieces = (position.board.mover.count_ones(), position.board.opponent.count_ones());
        let class = self.classes.iter().position(|class| class.index.pieces() == pieces);
        class.ok_or_else(|| self.not_stored(self.game.show(position)))
    }

    fn level(&self, position: Position) -> Result<u8, Error> {
        let class = &self.classes[self.class_of(position)?];
        let place = class.index.place(&position.board);
        self.level_at(class, position, place, class.file.get(place.slot)?)
    }

    /// The level of a position whose board has this entry at this place.
    fn level_at(
        &self,
        class: &SolvedClass,
        position: Position,
        place: CanonicalSlot,
        entry: Exception,
    ) -> Result<u8, Error> {
        let Position { board, previous } = position;
        let Some(previous) = previous.filter(|_| entry.case != 0) else { return Ok(entry.value) };
        // The move that matters, on the board that stands for this one.
        let stored = board.under(place.symmetry);
        let values = values_of(&stored, entry).ok_or_else(|| class.file.damaged(place.slot))?;
        let after = stored.after(Move::numbered(values.unique, &stored));
        let previous = previous.under(place.symmetry);
        let matters = after.is_some_and(|(after, _)| match self.game.ko() {
            // A move that matters alone on a symmetric board leads to a board with that symmetry.
            Ko::Literal => after == previous,
            Ko::Symmetric => self.game.ko().recreates(&previous, &after),
        });
        Ok(if matters { values.second } else { values.best })
    }
}

/// Whether a class of the manifest counts the boards of so many pieces with the hole on a square.
fn is_counted(class: &ClassEntry, (mover, opponent): (u32, u32), hole: u8) -> bool {
    let number = |word: &str| class.label.get(word).and_then(Json::as_u64);
    let squares = [("hole_row", hole / 5), ("hole_col", hole % 5)].map(|(word, at)| number(word) == Some(at.into()));
    let pieces = [("mover", mover), ("opponent", opponent)].map(|(word, count)| number(word) == Some(count.into()));
    let boards = number("boards") == Some(class.slots) && number("immediate_wins") <= Some(class.slots);
    class.label.len() == 6
        && squares.into_iter().chain(pieces).all(|right| right)
        && boards
        && number("immediate_wins").is_some()
}

impl Opener<Ostle> for ByBoards {
    fn open(&self, game: &Arc<Ostle>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        Ok(Box::new(Solution::open(game, database)?))
    }

    fn layout(&self, game: &Ostle) -> Result<u64, Error> {
        const BOARDS: u64 = 64;
        let mut layout = LayoutHash::default();
        for (mover, opponent) in all_classes(game) {
            let index = ClassIndex::new(mover, opponent);
            layout.class(&class_file(mover, opponent), index.slots().into());
            for slot in LayoutHash::scattered(index.slots().into(), BOARDS) {
                let board = index.board(slot as u32);
                // The entry names a move by its number on the board that stands for its images.
                let values =
                    Values { best: 2, unique: Move { from: board.hole, direction: 0 }.number(&board), second: 0 };
                let text = game.show(Position { board, previous: None });
                layout.position(slot, &text, &(index.place(&board).slot, entry_of(&board, values)));
            }
        }
        Ok(layout.digest())
    }
}
