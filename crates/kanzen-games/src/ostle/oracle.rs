//! An open Ostle database: looks up the value of any board with any forbidden move.

#[cfg(feature = "solve")]
mod move_counts;
#[cfg(feature = "solve")]
mod queries;
#[cfg(feature = "solve")]
mod scan;

use std::sync::OnceLock;

use kanzen::index::LayoutHash;
use kanzen::query::{Answer, LookUp, Opener, Oracle};
use kanzen::solve::Exception;
use kanzen::store::{ClassEntry, Database, ExceptionsFile, Summary};
use kanzen::{Error, Game};
use serde_json::Value as Json;

use super::index::{CanonicalSlot, ClassIndex, HOLES};
use super::ko::Ko;
use super::moves::Move;
use super::rules::{Ostle, Position};
use super::stored::{ByBoards, Values, all_classes, class_file, entry_of, values_of};
use super::value;

/// From this many queries on it pays to load all files into memory.
const BULK: u64 = 20_000;
/// The block cache where nearly all look-ups are served from memory.
const SMALL_CACHE: u64 = 32 << 20;
/// The positions whose moves are looked up together if they must be read from disk: the larger the batch, the fewer
/// chunks are decoded twice. With two threads a batch takes about half a gigabyte.
const BATCH: usize = 1 << 18;

/// An open database.
pub struct Solution {
    database: Database,
    classes: Vec<SolvedClass>,
}

struct SolvedClass {
    index: ClassIndex,
    file: ExceptionsFile,
    /// Two bits per board, loaded for bulk queries that need outcomes only.
    outcomes: OnceLock<Summary>,
}

impl Solution {
    /// Opens a database and checks its classes.
    pub fn open(game: &Ostle, database: Database) -> Result<Solution, Error> {
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
        Ok(Solution { database, classes: solved })
    }

    fn not_stored(&self, position: String) -> Error {
        Error::NotStored { game: self.database.manifest().game.clone(), position }
    }

    /// Returns the number of the class of a position.
    fn class_of(&self, game: &Ostle, position: Position) -> Result<usize, Error> {
        let pieces = (position.board.mover.count_ones(), position.board.opponent.count_ones());
        let class = self.classes.iter().position(|class| class.index.pieces() == pieces);
        class.ok_or_else(|| self.not_stored(game.show(position)))
    }

    fn level(&self, game: &Ostle, position: Position) -> Result<u8, Error> {
        let class = &self.classes[self.class_of(game, position)?];
        let place = class.index.place(&position.board);
        self.level_at(game, class, position, place, class.file.get(place.slot)?)
    }

    /// Returns the level of a position, given the entry of its board.
    fn level_at(
        &self,
        game: &Ostle,
        class: &SolvedClass,
        position: Position,
        place: CanonicalSlot,
        entry: Exception,
    ) -> Result<u8, Error> {
        let Position { board, previous } = position;
        let Some(previous) = previous.filter(|_| entry.case != 0) else { return Ok(entry.value) };
        // The entry names its move on the canonical board.
        let stored = board.under(place.symmetry);
        let values = values_of(&stored, entry).ok_or_else(|| class.file.damaged(place.slot))?;
        let after = stored.after(Move::numbered(values.unique, &stored));
        let previous = previous.under(place.symmetry);
        let matters = after.is_some_and(|(after, _)| match game.ko() {
            // On a symmetric board a unique relevant move leads to a board with the same symmetry.
            Ko::Literal => after == previous,
            Ko::Symmetric => game.ko().recreates(&previous, &after),
        });
        Ok(if matters { values.second } else { values.best })
    }
}

/// Whether the label of a manifest class matches the piece counts and the hole.
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
    fn open(&self, game: &Ostle, database: Database) -> Result<Box<dyn Oracle<Ostle>>, Error> {
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
                // The entry names a move by its number on the canonical board.
                let values =
                    Values { best: 2, unique: Move { from: board.hole, direction: 0 }.number(&board), second: 0 };
                let text = game.show(Position { board, previous: None });
                layout.position(slot, &text, &(index.place(&board).slot, entry_of(&board, values)));
            }
        }
        Ok(layout.digest())
    }

    #[cfg(feature = "solve")]
    fn published_csv(&self, _: &Ostle, oracle: &dyn Oracle<Ostle>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| super::stored::published_tables(&census)))
    }
}

impl LookUp<Ostle> for Solution {
    fn answer(&self, game: &Ostle, position: Position) -> Result<Answer, Error> {
        Ok(value(self.level(game, position)?).into())
    }
}
