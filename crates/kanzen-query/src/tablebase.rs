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
mod reads;
mod scattered;
mod whole;

use std::sync::OnceLock;

use super::{Answer, LookUp, gather};
use kanzen_core::index::{Class, Index, Place};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{ClassId, Error, Slot, Value};
use kanzen_store::{Database, Manifest, PlaneFile};

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
            Place::Apart { lost, won } => Some(match self.decided(lost) {
                Ok(Some(plies)) => Value::loss(plies).into(),
                lost => gather::both(lost, || self.decided(won))?.1.map_or(Value::DRAW, Value::win).into(),
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
        let answers = children.into_iter().map(|child| self.within(game, child, left).map(Answer::before));
        let best = gather::all(answers)?.into_iter().max();
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

impl<G: Game, I: Index<G>> LookUp<G> for Tablebase<I> {
    fn answer(&self, game: &G, position: G::Position) -> Result<Answer, Error> {
        self.within(game, position, MOST_PLIES).map_err(|error| match error {
            // Not of the position that was met some plies on, which nobody asked for.
            Error::NotStored { .. } => self.not_stored(game.show(position)),
            other => other,
        })
    }
}
