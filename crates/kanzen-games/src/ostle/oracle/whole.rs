//! What is asked of the whole database.

use kanzen::query::{Answer, Detail, MoveCounts, MoveNeeds, Oracle, Recount, Scan, Wanted};
use kanzen::{Budget, Census, Error};
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use super::{LITTLE, MANY, MANY_AT_A_TIME, Solution, scan};
use crate::ostle::ko;
use crate::ostle::rules::{Ostle, Position};
use crate::ostle::stored::{BOARDS, IMMEDIATE_WINS, census_label};
use crate::ostle::value;

impl Oracle<Ostle> for Solution {
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

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
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
                self.database.keep(LITTLE);
            }
            Detail::Answers => {}
        }
        Ok(())
    }

    fn keep(&self, bytes: u64) {
        self.database.keep(bytes);
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
        let batch = self.batch(Detail::Answers);
        let parts = if batch < MANY_AT_A_TIME { batch } else { positions.len().max(1) };
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
        if has_outcomes || self.classes.iter().all(|class| class.file.is_loaded()) { 1 << 14 } else { MANY_AT_A_TIME }
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
