//! The one oracle over an index and planes.
//!
//! ```text
//! position --index--> place: a slot of a plane            -> its value
//!                            two slots, losses and wins   -> whichever is decided
//!                            known to the numbering       -> that value
//!                            not stored                   -> the best of its moves, each the same way
//! ```

use std::sync::OnceLock;

use serde_json::{Map, Value as Json};

use super::{Answer, Oracle, Recount};
use crate::index::{Class, Index, Place};
use crate::rules::Game;
use crate::store::{Database, Manifest, PlaneFile};
use crate::vocabulary::{Budget, Census, ClassId, Error, Slot, Tally, Value};

/// The setting that holds the census of all positions, mirror images and colours apart.
pub const ALL_POSITIONS: &str = "all positions";

/// Stored positions looked at for each example of a position that is not stored.
const CHILDREN: usize = 64;

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

    /// Some positions whose slots hold a value that says `value`, at most `limit`, after so many slots at most.
    fn stored_examples<G: Game>(&self, game: &G, value: Value, limit: usize) -> Result<Vec<G::Position>, Error>
    where
        I: Index<G>,
    {
        const SLAB: u64 = 1 << 20;
        /// Slots read at most: some seconds of work.
        const READ: u64 = 1 << 30;
        /// Hits looked at, at most, should none of them be what it seems.
        const HITS: u64 = 1 << 18;
        let mut hits = 0;
        let mut found: Vec<G::Position> = Vec::new();
        let mut read = 0;
        for class in (0..self.planes.len()).map(ClassId::from) {
            let (Some(plane), Some(stored)) = (self.plane(class)?, self.index.stored_as(class, value)) else {
                continue;
            };
            if !plane.palette().contains(&stored) {
                continue;
            }
            let mut slab = 0;
            while slab < plane.len() && found.len() < limit && read < READ {
                let slots = slab..plane.len().min(slab + SLAB);
                let is_hit = plane.read_map(slots, |other| other == stored)?;
                for (at, _) in is_hit.iter().enumerate().filter(|(_, hit)| **hit) {
                    hits += 1;
                    if hits > HITS {
                        return Ok(found);
                    }
                    let Some(position) = self.index.position(game, class, Slot(slab + at as u64))? else { continue };
                    let position = game.canonical(position);
                    if !found.contains(&position) && self.looked_up(game, position)?.map(|it| it.value) == Some(value) {
                        found.push(position);
                    }
                    if found.len() >= limit {
                        break;
                    }
                }
                slab += SLAB;
                read += SLAB;
            }
        }
        Ok(found)
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

    fn prepare(&self, numbers: u64, budget: &Budget) -> Result<(), Error> {
        self.index.prepare(numbers, budget)
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    fn all_positions(&self) -> Option<Tally> {
        serde_json::from_value(self.database.manifest().settings.get(ALL_POSITIONS)?.clone()).ok()
    }

    /// Values are read a slab at a time, and only where the palette has the value. Positions that are not stored are
    /// looked for among those from which a move leads to a stored one, where the game can tell.
    fn examples(&self, game: &G, value: Value, limit: usize) -> Result<Vec<G::Position>, Error> {
        let mut found = self.stored_examples(game, value, limit)?;
        if found.len() >= limit {
            return Ok(found);
        }
        let Some(after) = value.distance().and_then(|plies| plies.checked_sub(1)) else { return Ok(found) };
        let after = if value > Value::DRAW { Value::loss(after) } else { Value::win(after) };
        // Not every position before such a child has no better move: some children more than are wanted.
        for child in self.stored_examples(game, after, limit.saturating_mul(CHILDREN))? {
            let mut parents = Vec::new();
            game.unmoves(child, &mut |parent| parents.push(game.canonical(parent)));
            for parent in parents {
                if found.len() < limit
                    && !found.contains(&parent)
                    && game.ended(parent).is_none()
                    && self.index.place(game, parent)? == Place::FromMoves
                    && self.answer(game, parent)?.value == value
                {
                    found.push(parent);
                }
            }
        }
        Ok(found)
    }

    fn is_listed(&self) -> bool {
        self.index.is_listed()
    }

    fn number(&self, game: &G, position: G::Position) -> Result<Option<u64>, Error> {
        Ok(match self.index.place(game, position)? {
            Place::At(class, slot) => self.slots_before(class).checked_add(slot.0),
            _ => None,
        })
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
