//! The oracle of a solved Ostle: enumeration, census, recount, and batched look-ups.
//!
//! The children of a board are scattered over the file. So a batch either reads from memory, with prefetching, or sorts
//! its look-ups by slot so that each chunk is decoded once.

use kanzen::query::{Answer, Detail, MoveCounts, MoveNeeds, Oracle, Recount, Scan, Wanted};
use kanzen::solve::Exception;
use kanzen::{Budget, Census, Error, Game};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::{BATCH, BULK, SMALL_CACHE, Solution, scan};
use crate::ostle::index::CanonicalSlot;
use crate::ostle::rules::{Ostle, Position};
use crate::ostle::stored::{BOARDS, IMMEDIATE_WINS, census_label};
use crate::ostle::{ko, value};

impl Oracle<Ostle> for Solution {
    /// The entry of a board yields the level of each of its positions.
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

    /// Positions with a forbidden move share the slot of their board, so they have no number.
    fn number(&self, game: &Ostle, position: Position) -> Result<Option<u64>, Error> {
        if position.previous.is_some() {
            return Ok(None);
        }
        let class = self.class_of(game, position)?;
        let before: u64 = self.classes[..class].iter().map(|class| u64::from(class.index.slots())).sum();
        Ok(Some(before + u64::from(self.classes[class].index.place(&position.board).slot)))
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    /// The board without a forbidden move, then one position for each move that can be forbidden.
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
            Detail::Answers if numbers >= BULK && memory <= budget.memory => {
                for class in &self.classes {
                    class.file.load()?;
                }
                self.database.keep(SMALL_CACHE);
            }
            Detail::Answers => {}
        }
        Ok(())
    }

    fn keep(&self, bytes: u64) {
        self.database.keep(bytes);
    }

    /// Not counted: boards with an immediate win, and boards that cannot arise without a forbidden move.
    fn is_row(&self, game: &Ostle, position: Position) -> bool {
        let (board, army) = (&position.board, game.army());
        !game.wins_at_once(board)
            && (position.previous.is_some() || ko::arises_free(board, game.ko(), army.least, army.most))
    }

    /// The board without a forbidden move, and one position for each of up to 24 moves.
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

    /// Without the files in memory, `in_order` itself distributes the chunks among the threads.
    fn scattered(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let batch = self.batch(Detail::Answers);
        let parts = if batch < BATCH { batch } else { positions.len().max(1) };
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

    /// Consecutive boards have their children in unrelated chunks: only large batches share chunks.
    fn batch(&self, detail: Detail) -> usize {
        let has_outcomes = detail == Detail::Outcomes && self.has_outcomes();
        if has_outcomes || self.classes.iter().all(|class| class.file.is_loaded()) { 1 << 14 } else { BATCH }
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

    /// Counts like the published tables, independently of [`HoleCount`](super::solve::HoleCount).
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
    pub(super) fn in_order(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(positions.len());
        if self.classes.iter().all(|class| class.file.is_loaded()) {
            let mut places = Vec::with_capacity(AHEAD);
            for ahead in positions.chunks(AHEAD) {
                places.clear();
                for &position in ahead {
                    places.push(self.locate(game, position)?);
                }
                for (&position, place) in ahead.iter().zip(&places) {
                    answers.push(match place {
                        None => self.answer_of_end(game, position),
                        Some((class, place)) => {
                            let class = &self.classes[*class];
                            let entry = class.file.get(place.slot)?;
                            value(self.level_at(game, class, position, *place, entry)?).into()
                        }
                    });
                }
            }
            return Ok(answers);
        }
        self.sorted(game, positions)
    }

    /// The same from disk: all threads share the chunks, each of which is decoded once.
    fn sorted(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let read = |(of, &position): (usize, &Position)| -> Option<Result<Read, Error>> {
            let found = self.locate(game, position).transpose()?;
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
                        let level = self.level_at(game, class, positions[*of as usize], *place, entry)?;
                        found.push((*of, value(level).into()));
                    }
                    Ok(())
                })?;
                Ok(found)
            })
            .collect::<Result<_, Error>>()?;
        let mut answers: Vec<Answer> = positions.iter().map(|&position| self.answer_of_end(game, position)).collect();
        found.into_iter().flatten().for_each(|(of, answer)| answers[of as usize] = answer);
        Ok(answers)
    }

    /// Returns the class and slot of a position and prefetches its entry; `None` if the position has ended.
    fn locate(&self, game: &Ostle, position: Position) -> Result<Option<(usize, CanonicalSlot)>, Error> {
        if game.ended(position).is_some() {
            return Ok(None);
        }
        let class = self.class_of(game, position)?;
        let place = self.classes[class].index.place(&position.board);
        self.classes[class].file.prefetch(place.slot);
        Ok(Some((class, place)))
    }

    /// The answer for a finished position; a placeholder for any other.
    fn answer_of_end(&self, game: &Ostle, position: Position) -> Answer {
        game.ended(position).unwrap_or(kanzen::Value::DRAW).into()
    }
}
