//! What is asked of the whole database.

use serde_json::{Map, Value as Json};

use super::planes::Planes;
use super::{ALL_POSITIONS, Tablebase};
use crate::{Answer, Detail, Oracle, Recount, Scan, Wanted};
use kanzen_core::index::{Class, Index};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Budget, Census, ClassId, Error, Slot, Tally};
use kanzen_store::{PlaneFile, occurs_file};

impl<G: Game, I: Index<G>> Oracle<G> for Tablebase<I> {
    fn stored(&self, game: &G, position: G::Position) -> Result<Option<Answer>, Error> {
        self.looked_up(game, position)
    }

    fn positions(&self) -> u64 {
        self.index.positions()
    }

    fn stored_slots(&self) -> u64 {
        let there = |class: &&Class| self.database.manifest().file(&class.plane_file()).is_some();
        self.planes.iter().map(|(class, _)| class).filter(there).map(|class| class.slots).sum()
    }

    fn position(&self, game: &G, number: u64) -> Result<G::Position, Error> {
        let position = self.index.numbered(game, number)?;
        position.ok_or_else(|| self.not_stored(format!("position number {number}")))
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    fn all_positions(&self) -> Option<Tally> {
        serde_json::from_value(self.database.manifest().settings.get(ALL_POSITIONS)?.clone()).ok()
    }

    fn number(&self, game: &G, position: G::Position) -> Result<Option<u64>, Error> {
        self.index.number(game, position)
    }

    fn prepare(&self, numbers: u64, _: Detail, budget: &Budget) -> Result<(), Error> {
        self.index.prepare(numbers, budget)
    }

    fn keep(&self, bytes: u64) {
        self.database.keep(bytes);
    }

    fn is_row(&self, game: &G, position: G::Position) -> bool {
        self.index.is_row(game, position)
    }

    fn fields(&self, game: &G, position: G::Position) -> Vec<(&'static str, i64)> {
        self.index.fields(game, position)
    }

    fn field_names(&self) -> Result<Vec<String>, Error> {
        let own = self.index.field_names();
        Ok(if own.is_empty() {
            self.database.manifest().census().field_names()
        } else {
            own.iter().map(|&name| name.to_owned()).collect()
        })
    }

    fn answers(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error> {
        self.in_order(game, positions)
    }

    fn scattered(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error> {
        self.all_over(game, positions)
    }

    fn knows_occurrences(&self) -> bool {
        let manifest = self.database.manifest();
        self.planes.iter().any(|(class, _)| manifest.file(&occurs_file(&class.plane_file())).is_some())
    }

    fn wrong_occurrences(&self) -> Result<u64, Error> {
        let mut wrong = 0;
        for class in 0..self.planes.len() {
            wrong += self.plane(ClassId(class as u32))?.map_or(Ok(0), PlaneFile::wrong_occurrences)?;
        }
        Ok(wrong)
    }

    fn quick_scan<'a>(&'a self, game: &'a G, wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan<G> + 'a>>, Error> {
        Ok(Some(Box::new(Planes::new(self, game, wanted)?)))
    }

    fn is_listed(&self) -> bool {
        self.index.is_listed()
    }

    /// A list has one of all mirror images only.
    fn slots(&self) -> u64 {
        if self.index.is_listed() { 0 } else { self.slots_before(ClassId::from(self.planes.len())) }
    }

    fn image(&self, game: &G, slot: u64) -> Result<Option<G::Position>, Error> {
        let mut slot = slot;
        for (number, (class, _)) in self.planes.iter().enumerate() {
            let Some(beyond) = slot.checked_sub(class.slots) else {
                let class = ClassId::from(number);
                let Some(position) = self.index.position(game, class, Slot(slot))? else { return Ok(None) };
                let canonical = game.canonical(position);
                let apart = position != canonical
                    && self.plane(class)?.is_some()
                    && self.index.place(game, position)? != self.index.place(game, canonical)?;
                return Ok(apart.then_some(position));
            };
            slot = beyond;
        }
        Ok(None)
    }

    fn left_out_classes(&self) -> u64 {
        let absent = |class: &Class| self.database.manifest().file(&class.plane_file()).is_none();
        self.planes.iter().filter(|(class, _)| absent(class)).count() as u64
    }

    fn recount(&self, game: &G, position: G::Position, answer: Answer, recount: &mut Recount) {
        if let Some(class) = self.index.census_class(game, position) {
            recount.add(class, answer.value);
            if let Some(images) = self.index.images(game, position) {
                recount.add_all(answer.value, images);
            }
        }
    }

    fn census_label(&self, game: &G, class: u32, _: &Recount) -> Map<String, Json> {
        self.index.census_label(game, class)
    }
}
