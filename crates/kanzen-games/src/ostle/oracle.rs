//! A solved Ostle that answers for every board and forbidden move.

mod in_order;
mod move_counts;
mod scan;

use std::sync::OnceLock;

use kanzen::index::LayoutHash;
use kanzen::query::{Answer, Detail, MoveCounts, MoveNeeds, Opener, Oracle, Recount, Scan, Wanted};
use kanzen::solve::Exception;
use kanzen::store::{ClassEntry, Database, ExceptionsFile, Summary};
use kanzen::{Budget, Census, Error, Game};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::entry::{entry_of, values_of};
use super::index::{CanonicalSlot, ClassIndex, HOLES};
use super::ko::{self, Ko};
use super::moves::Move;
use super::rules::{Ostle, Position};
use super::solve::{BOARDS, ByBoards, IMMEDIATE_WINS, Values, all_classes, census_label, class_file};
use super::value;

/// From this many boards on it pays to have all in memory.
const MANY: u64 = 20_000;

/// A database of Ostle.
pub struct Solution {
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

    /// The class of a board.
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

    /// The level of a position whose board has this entry at this place.
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
        // The move that matters, on the board that stands for this one.
        let stored = board.under(place.symmetry);
        let values = values_of(&stored, entry).ok_or_else(|| class.file.damaged(place.slot))?;
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
                // The entry names a move by its number on the board that stands for its images.
                let values =
                    Values { best: 2, unique: Move { from: board.hole, direction: 0 }.number(&board), second: 0 };
                let text = game.show(Position { board, previous: None });
                layout.position(slot, &text, &(index.place(&board).slot, entry_of(&board, values)));
            }
        }
        Ok(layout.digest())
    }

    fn published_csv(&self, _: &Ostle, oracle: &dyn Oracle<Ostle>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| super::paper::tables(&census)))
    }
}

impl Oracle<Ostle> for Solution {
    fn answer(&self, game: &Ostle, position: Position) -> Result<Answer, Error> {
        Ok(value(self.level(game, position)?).into())
    }

    /// A board keeps the level of each of its positions.
    fn stored(&self, game: &Ostle, position: Position) -> Result<Option<Answer>, Error> {
        Ok(Some(value(self.level(game, position)?).into()))
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| u64::from(class.index.slots())).sum()
    }

    fn position(&self, _: &Ostle, number: u64) -> Result<Position, Error> {
        let mut slot = number;
        for class in &self.classes {
            if slot < u64::from(class.index.slots()) {
                return Ok(Position { board: class.index.board(slot as u32), previous: None });
            }
            slot -= u64::from(class.index.slots());
        }
        Err(self.not_stored(format!("board number {number}")))
    }

    /// A board with a forbidden move shares the number of the board: it has none of its own.
    fn number(&self, game: &Ostle, position: Position) -> Result<Option<u64>, Error> {
        if position.previous.is_some() {
            return Ok(None);
        }
        let class = self.class_of(game, position)?;
        let before: u64 = self.classes[..class].iter().map(|class| u64::from(class.index.slots())).sum();
        Ok(Some(before + u64::from(self.classes[class].index.place(&position.board).slot)))
    }

    /// A board without a forbidden move, and with each move forbidden that can be.
    fn each_position(
        &self,
        game: &Ostle,
        number: u64,
        visit: &mut dyn FnMut(Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let free = self.position(game, number)?;
        visit(free)?;
        let mut bans = Vec::new();
        game.each_ban(&free.board, |position| bans.push(position));
        bans.into_iter().try_for_each(visit)
    }

    fn prepare(&self, numbers: u64, detail: Detail, budget: &Budget) -> Result<(), Error> {
        let memory: u64 = self.classes.iter().map(|class| class.file.memory()).sum();
        match detail {
            Detail::Outcomes => self.prepare_outcomes(numbers, budget)?,
            Detail::Answers if numbers >= MANY && memory <= budget.memory => {
                for class in &self.classes {
                    class.file.load()?;
                }
            }
            Detail::Answers => {}
        }
        Ok(())
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    /// Boards on which the mover wins at once are not counted, nor those that cannot arise without a forbidden move.
    fn is_row(&self, game: &Ostle, position: Position) -> bool {
        let (board, army) = (&position.board, game.army());
        !game.wins_at_once(board)
            && (position.previous.is_some() || ko::arises_free(board, game.ko(), army.least, army.most))
    }

    /// A board without a forbidden move, and with each that can be.
    fn most_per_number(&self) -> u64 {
        25
    }

    fn fields(&self, _: &Ostle, position: Position) -> Vec<(&'static str, i64)> {
        scan::fields(position)
    }

    fn field_names(&self) -> Result<Vec<String>, Error> {
        Ok(scan::FIELDS.map(str::to_owned).to_vec())
    }

    fn answers(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        self.in_order(game, positions)
    }

    /// Unless all is in memory, they share the chunks among the threads themselves.
    fn scattered(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let parts =
            if self.batch(Detail::Answers) < 1 << 19 { self.batch(Detail::Answers) } else { positions.len().max(1) };
        let answers = positions.par_chunks(parts).map(|positions| self.in_order(game, positions));
        Ok(answers.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    fn move_counts(
        &self,
        game: &Ostle,
        positions: &[Position],
        needs: MoveNeeds,
    ) -> Result<Option<Vec<MoveCounts>>, Error> {
        self.counted(game, positions, needs)
    }

    /// Two boards that follow each other have no moves to neighbours: only many at a time meet the same chunks.
    fn batch(&self, detail: Detail) -> usize {
        let has_outcomes = detail == Detail::Outcomes && self.has_outcomes();
        if has_outcomes || self.classes.iter().all(|class| class.file.is_loaded()) { 1 << 14 } else { 1 << 19 }
    }

    fn knows_occurrences(&self) -> bool {
        self.classes.iter().any(|class| class.file.knows_occurrences())
    }

    fn wrong_occurrences(&self) -> Result<u64, Error> {
        self.classes.iter().map(|class| class.file.wrong_occurrences()).sum()
    }

    fn quick_scan<'a>(&'a self, _: &'a Ostle, wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan<Ostle> + 'a>>, Error> {
        Ok(Some(Box::new(scan::Chunks::new(self, wanted))))
    }

    /// As the published tables count: see [`HoleCount`](super::solve::HoleCount), which counts in another way.
    fn recount(&self, game: &Ostle, position: Position, answer: Answer, recount: &mut Recount) {
        let Position { board, previous } = position;
        let (mover, opponent) = (board.mover.count_ones(), board.opponent.count_ones());
        let class = (u32::from(board.hole) * 8 + mover) * 8 + opponent;
        let wins_at_once = game.wins_at_once(&board);
        if previous.is_none() {
            recount.note(class, BOARDS, 1);
            recount.note(class, IMMEDIATE_WINS, u64::from(wins_at_once));
        }
        let army = game.army();
        let arises = || previous.is_some() || ko::arises_free(&board, game.ko(), army.least, army.most);
        if !wins_at_once && arises() {
            recount.add(class, answer.value);
        }
    }

    fn census_label(&self, _: &Ostle, class: u32, recount: &Recount) -> Map<String, Json> {
        let (hole, mover, opponent) = ((class / 64) as u8, class / 8 % 8, class % 8);
        let [boards, wins] = [BOARDS, IMMEDIATE_WINS].map(|what| recount.noted(class, what));
        census_label(hole, mover, opponent, boards, wins)
    }
}
