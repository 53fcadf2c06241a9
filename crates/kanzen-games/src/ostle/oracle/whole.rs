//! A database of Ostle as the oracle of its game: keys are unpacked here.

use kanzen::query::{
    Answer, Audit, Contents, Detail, MoveCounts, MoveNeeds, Numbering, Oracle, PublishedCounts, Recount, Scan, Spread,
    Wanted,
};
use kanzen::rules::{key, typed};
use kanzen::{Budget, Error, Game};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::{LITTLE, MANY, MANY_AT_A_TIME, Solution, scan};
use crate::ostle::rules::Position;
use crate::ostle::stored::{BOARDS, IMMEDIATE_WINS, census_label};
use crate::ostle::{ko, tables, value};

impl Solution {
    fn position_of(&self, key: u128) -> Position {
        typed(&*self.game, key)
    }

    fn positions_of(&self, keys: &[u128]) -> Vec<Position> {
        keys.iter().map(|&key| self.position_of(key)).collect()
    }

    /// Two boards that follow each other have no moves to neighbours: only many at a time meet the same chunks.
    fn batch(&self, detail: Detail) -> usize {
        let has_outcomes = detail == Detail::Outcomes && self.has_outcomes();
        if has_outcomes || self.classes.iter().all(|class| class.file.is_loaded()) { 1 << 14 } else { MANY_AT_A_TIME }
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

    fn published(&self) -> Result<PublishedCounts, Error> {
        let csv = Some(tables::tables(&self.database.manifest().census()));
        Ok(PublishedCounts { csv, scores: Vec::new() })
    }

    fn answer(&self, position: u128) -> Result<Answer, Error> {
        let position = self.position_of(position);
        match self.game.ended(position) {
            Some(ended) => Ok(ended.into()),
            None => Ok(value(self.level(position)?).into()),
        }
    }

    /// Unless all is in memory, they share the chunks among the threads themselves.
    fn answers(&self, positions: &[u128], spread: Spread) -> Result<Vec<Answer>, Error> {
        if spread == Spread::Near {
            return self.in_order(&self.positions_of(positions));
        }
        let batch = self.batch(Detail::Answers);
        let parts = if batch < MANY_AT_A_TIME { batch } else { positions.len().max(1) };
        let answers = positions.par_chunks(parts).map(|positions| self.in_order(&self.positions_of(positions)));
        Ok(answers.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    fn prepare(&self, numbers: u64, detail: Detail, budget: &Budget) -> Result<usize, Error> {
        let memory: u64 = self.classes.iter().map(|class| class.file.memory()).sum();
        match detail {
            Detail::Outcomes => self.prepare_outcomes(numbers, budget)?,
            Detail::Answers if numbers >= MANY && memory <= budget.memory => {
                for class in &self.classes {
                    class.file.load()?;
                }
                self.database.keep(LITTLE);
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

    /// A board with a forbidden move shares the number of the board: it has none of its own.
    fn number(&self, position: u128) -> Result<Option<u64>, Error> {
        let position = self.position_of(position);
        if position.previous.is_some() {
            return Ok(None);
        }
        let class = self.class_of(position)?;
        let before: u64 = self.classes[..class].iter().map(|class| u64::from(class.index.slots())).sum();
        Ok(Some(before + u64::from(self.classes[class].index.place(&position.board).slot)))
    }

    /// A board without a forbidden move, and with each move forbidden that can be.
    fn each_position(&self, number: u64, visit: &mut dyn FnMut(u128) -> Result<(), Error>) -> Result<(), Error> {
        let free = self.position(number)?;
        visit(free)?;
        let mut bans = Vec::new();
        self.game.each_ban(&self.position_of(free).board, |position| bans.push(key(&*self.game, position)));
        bans.into_iter().try_for_each(visit)
    }

    /// A board without a forbidden move, and with each that can be.
    fn most_per_number(&self) -> u64 {
        25
    }

    /// Boards on which the mover wins at once are not counted, nor those that cannot arise without a forbidden move.
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
    /// A board keeps the level of each of its positions.
    fn stored(&self, position: u128) -> Result<Option<Answer>, Error> {
        Ok(Some(value(self.level(self.position_of(position))?).into()))
    }

    fn wrong_occurrences(&self) -> Result<u64, Error> {
        self.classes.iter().map(|class| class.file.wrong_occurrences()).sum()
    }

    /// As the published tables count: see [`HoleCount`](crate::ostle::HoleCount), which counts in another way.
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
