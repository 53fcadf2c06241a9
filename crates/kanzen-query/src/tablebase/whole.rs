//! Implements the oracle of a game by its tablebase.

use serde_json::{Map, Value as Json};

use super::planes::Planes;
use super::{ALL_POSITIONS, Tablebase};
use crate::{Answer, Audit, Contents, Detail, Numbering, Oracle, PublishedCounts, Recount, Scan, Spread, Wanted};
use kanzen_core::index::{Class, Index};
use kanzen_core::rules::{Game, key, typed};
use kanzen_core::vocabulary::{Budget, ClassId, Error, Slot};
use kanzen_store::{PlaneFile, occurs_file};

impl<G: Game, I: Index<G>> Oracle for Tablebase<G, I> {
    fn contents(&self) -> Result<Contents, Error> {
        let manifest = self.database.manifest();
        let there = |class: &&Class| manifest.file(&class.plane_file()).is_some();
        let classes = || self.planes.iter().map(|(class, _)| class);
        let all_positions = manifest.settings.get(ALL_POSITIONS);
        Ok(Contents {
            census: self.census(),
            all_positions: all_positions.and_then(|all| serde_json::from_value(all.clone()).ok()),
            stored_slots: classes().filter(there).map(|class| class.slots).sum(),
            only_line: None,
            left_out_classes: classes().filter(|class| !there(class)).count() as u64,
            has_occurrences: classes().any(|class| manifest.file(&occurs_file(&class.plane_file())).is_some()),
        })
    }

    fn answer(&self, position: u128) -> Result<Answer, Error> {
        self.answered(typed(&*self.game, position))
    }

    fn answers(&self, positions: &[u128], spread: Spread) -> Result<Vec<Answer>, Error> {
        match spread {
            Spread::Near => self.in_order(positions),
            Spread::Everywhere => self.all_over(positions),
        }
    }

    fn prepare(&self, numbers: u64, _: Detail, budget: &Budget) -> Result<usize, Error> {
        if numbers > 0 {
            self.index.prepare(numbers, budget)?;
        }
        Ok(1 << 15)
    }

    fn published(&self) -> Result<PublishedCounts, Error> {
        (self.published)(self)
    }

    fn quick_scan<'a>(&'a self, wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan + 'a>>, Error> {
        Ok(Some(Box::new(Planes::new(self, wanted)?)))
    }
}

/// The index has the numbers.
impl<G: Game, I: Index<G>> Numbering for Tablebase<G, I> {
    fn positions(&self) -> u64 {
        self.index.positions()
    }

    fn position(&self, number: u64) -> Result<u128, Error> {
        let position = self.index.numbered(&self.game, number)?;
        let position = position.ok_or_else(|| self.not_stored(format!("position number {number}")))?;
        Ok(key(&*self.game, position))
    }

    fn number(&self, position: u128) -> Result<Option<u64>, Error> {
        self.index.number(&self.game, typed(&*self.game, position))
    }

    fn is_row(&self, position: u128) -> bool {
        self.index.is_row(&self.game, typed(&*self.game, position))
    }

    fn fields(&self, position: u128) -> Vec<(&'static str, i64)> {
        self.index.fields(&self.game, typed(&*self.game, position))
    }

    fn field_names(&self) -> &[&'static str] {
        self.index.field_names()
    }

    fn is_listed(&self) -> bool {
        self.index.is_listed()
    }
}

impl<G: Game, I: Index<G>> Audit for Tablebase<G, I> {
    fn stored(&self, position: u128) -> Result<Option<Answer>, Error> {
        self.looked_up(typed(&*self.game, position))
    }

    fn recount(&self, position: u128, answer: Answer, recount: &mut Recount) {
        let position = typed(&*self.game, position);
        if let Some(class) = self.index.census_class(&self.game, position) {
            recount.add(class, answer.value);
            if let Some(images) = self.index.images(&self.game, position) {
                recount.add_all(answer.value, images);
            }
        }
    }

    fn census_label(&self, class: u32, _: &Recount) -> Map<String, Json> {
        self.index.census_label(&self.game, class)
    }

    /// A list has one of all mirror images only.
    fn slots(&self) -> u64 {
        if self.index.is_listed() { 0 } else { self.slots_before(ClassId::from(self.planes.len())) }
    }

    fn image(&self, slot: u64) -> Result<Option<u128>, Error> {
        let (game, mut slot) = (&*self.game, slot);
        for (number, (class, _)) in self.planes.iter().enumerate() {
            let Some(beyond) = slot.checked_sub(class.slots) else {
                let class = ClassId::from(number);
                let Some(position) = self.index.position(game, class, Slot(slot))? else { return Ok(None) };
                let canonical = game.canonical(position);
                let apart = position != canonical
                    && self.plane(class)?.is_some()
                    && self.index.place(game, position)? != self.index.place(game, canonical)?;
                return Ok(apart.then(|| key(game, position)));
            };
            slot = beyond;
        }
        Ok(None)
    }

    fn wrong_occurrences(&self) -> Result<u64, Error> {
        let mut wrong = 0;
        for class in 0..self.planes.len() {
            wrong += self.plane(ClassId(class as u32))?.map_or(Ok(0), PlaneFile::wrong_occurrences)?;
        }
        Ok(wrong)
    }
}
