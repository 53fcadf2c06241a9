//! The one oracle over an index and planes.
//!
//! ```text
//! position --index--> place: a slot of a plane            -> its value
//!                            two slots, losses and wins   -> whichever is decided
//!                            known to the numbering       -> that value
//!                            not stored                   -> the best of its moves, each the same way
//! ```

mod in_order;
mod planes;
mod scattered;

use std::sync::OnceLock;

use planes::Planes;
use serde_json::{Map, Value as Json};

use super::{Answer, Detail, Oracle, Recount, Scan, Wanted};
use crate::index::{Class, Index, Place};
use crate::rules::Game;
use crate::store::{Database, Manifest, PlaneFile, occurs_file};
use crate::vocabulary::{Budget, Census, ClassId, Error, Slot, Tally, Value};

/// The setting that holds the census of all positions, mirror images and colours apart.
pub const ALL_POSITIONS: &str = "all positions";

/// Plies from a position that is not stored to those that are.
const MOST_PLIES: u32 = 2;

/// A database of planes, numbered by an index.
pub struct Tablebase<I> {
    database: Database,
    index: I,
    /// By class, opened when first asked: there may be hundreds, and a probe wants a few. None where a database leaves
    /// the class out.
    planes: Vec<(Class, OnceLock<Option<PlaneFile>>)>,
    meaning: fn(Value) -> Answer,
}

impl<I> Tablebase<I> {
    /// The planes of a database, which must have all classes of the index that are not optional.
    pub fn open<G: Game>(index: I, database: Database) -> Result<Tablebase<I>, Error>
    where
        I: Index<G>,
    {
        let absent = |class: &&Class| !class.optional && database.manifest().file(&class.plane_file()).is_none();
        if let Some(class) = index.classes().iter().find(absent) {
            return Err(Error::Missing { path: database.path(&class.plane_file()) });
        }
        let planes = index.classes().iter().map(|class| (class.clone(), OnceLock::new())).collect();
        Ok(Tablebase { database, index, planes, meaning: Answer::from })
    }

    /// The same, where stored values stand for something else, such as scores.
    pub fn meaning(self, meaning: fn(Value) -> Answer) -> Tablebase<I> {
        Tablebase { meaning, ..self }
    }

    /// The numbering that it reads the planes by.
    pub fn index(&self) -> &I {
        &self.index
    }

    fn plane(&self, class: ClassId) -> Result<Option<&PlaneFile>, Error> {
        let Some((class, plane)) = self.planes.get(class.index()) else { return Ok(None) };
        if plane.get().is_none() {
            // Another thread may be quicker with the same plane.
            let _ = plane.set(open_plane(&self.database, class)?);
        }
        Ok(plane.get().and_then(Option::as_ref))
    }

    fn read(&self, (class, slot): (ClassId, Slot)) -> Result<Option<Value>, Error> {
        self.plane(class)?.map(|plane| plane.get(slot.0)).transpose()
    }

    /// Slots of all classes before this one.
    fn slots_before(&self, class: ClassId) -> u64 {
        self.planes.iter().take(class.index()).map(|(class, _)| class.slots).sum()
    }

    fn decided(&self, place: (ClassId, Slot)) -> Result<Option<u16>, Error> {
        Ok(self.read(place)?.and_then(Value::distance))
    }

    fn not_stored(&self, position: String) -> Error {
        Error::NotStored { game: self.database.manifest().game.clone(), position }
    }

    fn looked_up<G: Game>(&self, game: &G, position: G::Position) -> Result<Option<Answer>, Error>
    where
        I: Index<G>,
    {
        Ok(match self.index.place(game, position)? {
            Place::At(class, slot) => self.read((class, slot))?.map(self.meaning),
            Place::Apart { lost, won } => Some(match self.decided(lost)? {
                Some(plies) => Value::loss(plies).into(),
                None => self.decided(won)?.map_or(Value::DRAW, Value::win).into(),
            }),
            Place::Known(value) => Some(value.into()),
            Place::FromMoves => None,
            Place::Nowhere => return Err(self.not_stored(game.show(position))),
        })
    }

    fn within<G: Game>(&self, game: &G, position: G::Position, plies: u32) -> Result<Answer, Error>
    where
        I: Index<G>,
    {
        if let Some(value) = game.ended(position) {
            return Ok(Answer { value, score: game.final_score(position) });
        }
        if let Some(answer) = self.looked_up(game, position)? {
            return Ok(answer);
        }
        let Some(left) = plies.checked_sub(1) else { return Err(self.not_stored(game.show(position))) };
        let mut children = Vec::new();
        game.moves(position, &mut |_, child| children.push(child));
        let mut best: Option<Answer> = None;
        for child in children {
            best = best.max(Some(self.within(game, child, left)?.before()));
        }
        Ok(best.unwrap_or_else(|| game.stuck(position).into()))
    }
}

fn open_plane(database: &Database, class: &Class) -> Result<Option<PlaneFile>, Error> {
    let name = class.plane_file();
    if class.optional && database.manifest().file(&name).is_none() {
        return Ok(None);
    }
    let plane = database.plane(&name)?;
    if plane.len() != class.slots {
        let place = format!("{name}: {} values for {} slots", plane.len(), class.slots);
        return Err(Error::damaged(&database.path(Manifest::FILE), place));
    }
    Ok(Some(plane))
}

impl<G: Game, I: Index<G>> Oracle<G> for Tablebase<I> {
    fn answer(&self, game: &G, position: G::Position) -> Result<Answer, Error> {
        self.within(game, position, MOST_PLIES).map_err(|error| match error {
            // Not of the position that was met some plies on, which nobody asked for.
            Error::NotStored { .. } => self.not_stored(game.show(position)),
            other => other,
        })
    }

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

    fn prepare(&self, numbers: u64, _: Detail, budget: &Budget) -> Result<(), Error> {
        self.index.prepare(numbers, budget)
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    fn all_positions(&self) -> Option<Tally> {
        serde_json::from_value(self.database.manifest().settings.get(ALL_POSITIONS)?.clone()).ok()
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

    fn number(&self, game: &G, position: G::Position) -> Result<Option<u64>, Error> {
        self.index.number(game, position)
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
