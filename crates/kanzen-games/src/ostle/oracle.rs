//! An open Ostle database: looks up the value of any board with any forbidden move.

mod move_counts;
mod scan;

use std::sync::{Arc, OnceLock};

use kanzen::progress::Observer;
use kanzen::{Budget, Error, Game};
use kanzen_core::index::LayoutHash;
use kanzen_core::rules::{key, typed};
use kanzen_query::{
    Answer, Audit, Contents, Detail, MoveCounts, MoveNeeds, Numbering, Opener, Oracle, PublishedCounts, Recount, Scan,
    Spread, Wanted,
};
use kanzen_solve::Exception;
use kanzen_store::{ClassEntry, Database, ExceptionsFile, Summary};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::index::{CanonicalSlot, ClassIndex, HOLES};
use super::ko::Ko;
use super::moves::Move;
use super::rules::{Ostle, Position};
use super::stored::{
    BOARDS, ByBoards, IMMEDIATE_WINS, Values, all_classes, census_label, class_file, entry_of, published_tables,
    values_of,
};
use super::{ko, value};

/// From this many queries on it pays to load all files into memory.
const BULK: u64 = 20_000;
/// The block cache where nearly all look-ups are served from memory.
const SMALL_CACHE: u64 = 32 << 20;
/// The positions whose moves are looked up together if they must be read from disk: the larger the batch, the fewer
/// chunks are decoded twice. With two threads a batch takes about half a gigabyte.
const BATCH: usize = 1 << 18;

/// An open database.
pub struct Solution {
    game: Arc<Ostle>,
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

    /// Returns the number of the class of a position.
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

    /// Returns the level of a position, given the entry of its board.
    fn level_at(
        &self,
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
        let matters = after.is_some_and(|(after, _)| match self.game.ko() {
            // On a symmetric board a unique relevant move leads to a board with the same symmetry.
            Ko::Literal => after == previous,
            Ko::Symmetric => self.game.ko().recreates(&previous, &after),
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
                // The entry names a move by its number on the canonical board.
                let values =
                    Values { best: 2, unique: Move { from: board.hole, direction: 0 }.number(&board), second: 0 };
                let text = game.show(Position { board, previous: None });
                layout.position(slot, &text, &(index.place(&board).slot, entry_of(&board, values)));
            }
        }
        Ok(layout.digest())
    }
}

impl Solution {
    fn position_of(&self, key: u128) -> Position {
        typed(&*self.game, key)
    }

    fn positions_of(&self, keys: &[u128]) -> Vec<Position> {
        keys.iter().map(|&key| self.position_of(key)).collect()
    }

    /// Consecutive boards have their children in unrelated chunks: only large batches share chunks.
    fn batch(&self, detail: Detail) -> usize {
        let has_outcomes = detail == Detail::Outcomes && self.has_outcomes();
        if has_outcomes || self.classes.iter().all(|class| class.file.is_loaded()) { 1 << 14 } else { BATCH }
    }

    /// Whether a board is counted without a forbidden move: not if it cannot arise without one.
    fn arises(&self, position: Position) -> bool {
        let army = self.game.army();
        position.previous.is_some() || ko::arises_free(&position.board, self.game.ko(), army.least, army.most)
    }
}

impl Oracle for Solution {
    fn contents(&self) -> Result<Contents, Error> {
        Ok(Contents {
            census: self.database.manifest().census(),
            stored_slots: self.positions(),
            has_occurrences: self.classes.iter().any(|class| class.file.knows_occurrences()),
            ..Contents::default()
        })
    }

    fn published(&self, _: &dyn Observer) -> Result<PublishedCounts, Error> {
        let csv = Some(published_tables(&self.database.manifest().census()));
        Ok(PublishedCounts { csv, scores: Vec::new() })
    }

    fn answer(&self, position: u128) -> Result<Answer, Error> {
        let position = self.position_of(position);
        match self.game.ended(position) {
            Some(ended) => Ok(ended.into()),
            None => Ok(value(self.level(position)?).into()),
        }
    }

    /// Without the files in memory, `in_order` itself distributes the chunks among the threads.
    fn answers(&self, positions: &[u128], spread: Spread) -> Result<Vec<Answer>, Error> {
        if spread == Spread::Near {
            return self.in_order(&self.positions_of(positions));
        }
        let batch = self.batch(Detail::Answers);
        let parts = if batch < BATCH { batch } else { positions.len().max(1) };
        let answers = positions.par_chunks(parts).map(|positions| self.in_order(&self.positions_of(positions)));
        Ok(answers.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    fn prepare(&self, numbers: u64, detail: Detail, budget: &Budget) -> Result<usize, Error> {
        let memory: u64 = self.classes.iter().map(|class| class.file.memory()).sum();
        match detail {
            Detail::Outcomes => self.prepare_outcomes(numbers, budget)?,
            Detail::Answers if numbers >= BULK && memory <= budget.memory => {
                for class in &self.classes {
                    class.file.load()?;
                }
                self.database.keep(SMALL_CACHE);
            }
            Detail::Answers => {}
        }
        Ok(self.batch(detail))
    }

    fn move_counts(&self, positions: &[u128], needs: MoveNeeds) -> Result<Option<Vec<MoveCounts>>, Error> {
        if !self.has_outcomes() {
            return Ok(None);
        }
        self.counted(&self.positions_of(positions), needs)
    }

    fn quick_scan<'a>(&'a self, wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan + 'a>>, Error> {
        Ok(Some(Box::new(scan::Chunks::new(self, wanted))))
    }
}

/// Boards have numbers: the positions of a board differ in which move is forbidden.
impl Numbering for Solution {
    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| u64::from(class.index.slots())).sum()
    }

    fn position(&self, number: u64) -> Result<u128, Error> {
        let mut slot = number;
        for class in &self.classes {
            if slot < u64::from(class.index.slots()) {
                let position = Position { board: class.index.board(slot as u32), previous: None };
                return Ok(key(&*self.game, position));
            }
            slot -= u64::from(class.index.slots());
        }
        Err(self.not_stored(format!("board number {number}")))
    }

    /// Positions with a forbidden move share the slot of their board, so they have no number.
    fn number(&self, position: u128) -> Result<Option<u64>, Error> {
        let position = self.position_of(position);
        if position.previous.is_some() {
            return Ok(None);
        }
        let class = self.class_of(position)?;
        let before: u64 = self.classes[..class].iter().map(|class| u64::from(class.index.slots())).sum();
        Ok(Some(before + u64::from(self.classes[class].index.place(&position.board).slot)))
    }

    /// The board without a forbidden move, then one position for each move that can be forbidden.
    fn each_position(&self, number: u64, visit: &mut dyn FnMut(u128) -> Result<(), Error>) -> Result<(), Error> {
        let free = self.position(number)?;
        visit(free)?;
        let mut bans = Vec::new();
        self.game.each_ban(&self.position_of(free).board, |position| bans.push(key(&*self.game, position)));
        bans.into_iter().try_for_each(visit)
    }

    /// The board without a forbidden move, and one position for each of up to 24 moves.
    fn most_per_number(&self) -> u64 {
        25
    }

    /// Not counted: boards with an immediate win, and boards that cannot arise without a forbidden move.
    fn is_row(&self, position: u128) -> bool {
        let position = self.position_of(position);
        !self.game.wins_at_once(&position.board) && self.arises(position)
    }

    fn fields(&self, position: u128) -> Vec<(&'static str, i64)> {
        scan::fields(self.position_of(position))
    }

    fn field_names(&self) -> &[&'static str] {
        &scan::FIELDS
    }
}

impl Audit for Solution {
    /// The entry of a board yields the level of each of its positions.
    fn stored(&self, position: u128) -> Result<Option<Answer>, Error> {
        Ok(Some(value(self.level(self.position_of(position))?).into()))
    }

    fn wrong_occurrences(&self) -> Result<u64, Error> {
        self.classes.iter().map(|class| class.file.wrong_occurrences()).sum()
    }

    /// Counts like the published tables, independently of [`HoleCount`](crate::ostle::HoleCount).
    fn recount(&self, position: u128, answer: Answer, recount: &mut Recount) {
        let position = self.position_of(position);
        let board = &position.board;
        let (mover, opponent) = (board.mover.count_ones(), board.opponent.count_ones());
        let class = (u32::from(board.hole) * 8 + mover) * 8 + opponent;
        let wins_at_once = self.game.wins_at_once(board);
        if position.previous.is_none() {
            recount.note(class, BOARDS, 1);
            recount.note(class, IMMEDIATE_WINS, u64::from(wins_at_once));
        }
        if !wins_at_once && self.arises(position) {
            recount.add(class, answer.value);
        }
    }

    fn census_label(&self, class: u32, recount: &Recount) -> Map<String, Json> {
        let (hole, mover, opponent) = ((class / 64) as u8, class / 8 % 8, class % 8);
        let [boards, wins] = [BOARDS, IMMEDIATE_WINS].map(|what| recount.noted(class, what));
        census_label(hole, mover, opponent, boards, wins)
    }
}

/// A board to look up, and the position that needs it.
struct Read {
    class: u8,
    place: CanonicalSlot,
    of: u32,
}

impl Read {
    fn key(&self) -> (u8, u32) {
        (self.class, self.place.slot)
    }

    fn chunk(&self) -> (u8, u32) {
        (self.class, self.place.slot / Exception::STRETCH)
    }
}

/// The positions whose memory is prefetched before the first of them is read.
const AHEAD: usize = 128;

impl Solution {
    /// Returns the answers for positions, finished or not.
    pub(super) fn in_order(&self, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(positions.len());
        if self.classes.iter().all(|class| class.file.is_loaded()) {
            let mut places = Vec::with_capacity(AHEAD);
            for ahead in positions.chunks(AHEAD) {
                places.clear();
                for &position in ahead {
                    places.push(self.locate(position)?);
                }
                for (&position, place) in ahead.iter().zip(&places) {
                    answers.push(match place {
                        None => self.answer_of_end(position),
                        Some((class, place)) => {
                            let class = &self.classes[*class];
                            let entry = class.file.get(place.slot)?;
                            value(self.level_at(class, position, *place, entry)?).into()
                        }
                    });
                }
            }
            return Ok(answers);
        }
        self.sorted(positions)
    }

    /// The same from disk: all threads share the chunks, each of which is decoded once.
    fn sorted(&self, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let read = |(of, &position): (usize, &Position)| -> Option<Result<Read, Error>> {
            let found = self.locate(position).transpose()?;
            Some(found.map(|(class, place)| Read { class: class as u8, place, of: of as u32 }))
        };
        let mut reads: Vec<Read> =
            positions.par_iter().enumerate().filter_map(read).collect::<Result<Vec<Read>, Error>>()?;
        reads.par_sort_unstable_by_key(Read::key);
        // Large batches touch every chunk of the file.
        let many = positions.len() as u64 >= BULK;
        let groups = reads.par_chunk_by(|one, other| one.chunk() == other.chunk());
        let found: Vec<Vec<(u32, Answer)>> = groups
            .map(|group| {
                let class = &self.classes[usize::from(group[0].class)];
                let (mut each, mut found) = (group.iter(), Vec::with_capacity(group.len()));
                let is_free = |read: &Read| positions[read.of as usize].previous.is_none();
                if many && group.iter().all(is_free) {
                    class.file.value_each(group.iter().map(|read| read.place.slot), |level| {
                        found.extend(each.next().map(|read| (read.of, value(level).into())));
                    })?;
                    return Ok(found);
                }
                class.file.get_each(group.iter().map(|read| read.place.slot), |entry| {
                    if let Some(Read { place, of, .. }) = each.next() {
                        let level = self.level_at(class, positions[*of as usize], *place, entry)?;
                        found.push((*of, value(level).into()));
                    }
                    Ok(())
                })?;
                Ok(found)
            })
            .collect::<Result<_, Error>>()?;
        let mut answers: Vec<Answer> = positions.iter().map(|&position| self.answer_of_end(position)).collect();
        found.into_iter().flatten().for_each(|(of, answer)| answers[of as usize] = answer);
        Ok(answers)
    }

    /// Returns the class and slot of a position and prefetches its entry; `None` if the position has ended.
    fn locate(&self, position: Position) -> Result<Option<(usize, CanonicalSlot)>, Error> {
        if self.game.ended(position).is_some() {
            return Ok(None);
        }
        let class = self.class_of(position)?;
        let place = self.classes[class].index.place(&position.board);
        self.classes[class].file.prefetch(place.slot);
        Ok(Some((class, place)))
    }

    /// The answer for a finished position; a placeholder for any other.
    fn answer_of_end(&self, position: Position) -> Answer {
        self.game.ended(position).unwrap_or(kanzen::Value::DRAW).into()
    }
}
