//! The oracle over an index and planes, and the openers of games that are solved by their rules alone.
//!
//! ```text
//! position --index--> place: a slot of a plane            -> its value
//!                            two slots, losses and wins   -> whichever is decided
//!                            known to the numbering       -> that value
//!                            not stored                   -> the best of its moves, each the same way
//! ```

mod many;
mod planes;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value as Json};

use self::planes::Planes;
use super::{
    Answer, Audit, Contents, Detail, Numbering, Opener, Oracle, PublishedCounts, Recount, Scan, Spread, Wanted, gather,
};
use kanzen_core::index::{Class, Index, Place, class_label};
use kanzen_core::rules::{Game, ended, key, typed};
use kanzen_core::vocabulary::{Budget, Census, ClassId, Error, Slot, Value};
use kanzen_solve::{RulesOnly, Scored, score_of_value};
use kanzen_store::{Database, KeysIndex, Manifest, PlaneFile, occurs_file};

/// The setting that holds the census of all positions, mirror images and colours apart.
pub const ALL_POSITIONS: &str = "all positions";

/// Plies from a position that is not stored to those that are.
const MOST_PLIES: u32 = 2;

/// A database of planes, numbered by an index.
pub struct Tablebase<G, I> {
    game: Arc<G>,
    database: Database,
    index: I,
    /// By class, opened when first asked: there may be hundreds, and a probe wants a few. None where a database leaves
    /// the class out.
    planes: Vec<(Class, OnceLock<Option<PlaneFile>>)>,
    meaning: fn(Value) -> Answer,
    published: fn(&Tablebase<G, I>) -> Result<PublishedCounts, Error>,
}

impl<G: Game, I: Index<G>> Tablebase<G, I> {
    /// The planes of a database, which must have all classes of the index that are not optional.
    pub fn open(game: &Arc<G>, index: I, database: Database) -> Result<Tablebase<G, I>, Error> {
        let absent = |class: &&Class| !class.optional && database.manifest().file(&class.plane_file()).is_none();
        if let Some(class) = index.classes().iter().find(absent) {
            return Err(Error::Missing { path: database.path(&class.plane_file()).to_path_buf() });
        }
        let planes = index.classes().iter().map(|class| (class.clone(), OnceLock::new())).collect();
        Ok(Tablebase {
            game: game.clone(),
            database,
            index,
            planes,
            meaning: Answer::from,
            published: |_| Ok(PublishedCounts::default()),
        })
    }

    /// The same, where stored values stand for something else, such as scores.
    pub fn meaning(self, meaning: fn(Value) -> Answer) -> Tablebase<G, I> {
        Tablebase { meaning, ..self }
    }

    /// The same with counts in the form of a publication.
    pub fn publishing(self, published: fn(&Tablebase<G, I>) -> Result<PublishedCounts, Error>) -> Tablebase<G, I> {
        Tablebase { published, ..self }
    }

    /// The rules of its game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The counts of its manifest.
    pub fn census(&self) -> Census {
        self.database.manifest().census()
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

    fn looked_up(&self, position: G::Position) -> Result<Option<Answer>, Error> {
        Ok(match self.index.place(&self.game, position)? {
            Place::At(class, slot) => self.read((class, slot))?.map(self.meaning),
            Place::Apart { lost, won } => Some(match self.decided(lost) {
                Ok(Some(plies)) => Value::loss(plies).into(),
                lost => gather::both(lost, || self.decided(won))?.1.map_or(Value::DRAW, Value::win).into(),
            }),
            Place::Known(value) => Some(value.into()),
            Place::FromMoves => None,
            Place::Nowhere => return Err(self.not_stored(self.game.show(position))),
        })
    }

    /// The answer for a position, ended or not.
    fn answered(&self, position: G::Position) -> Result<Answer, Error> {
        self.within(position, MOST_PLIES).map_err(|error| match error {
            // Not of the position some plies on, which the caller did not ask for.
            Error::NotStored { .. } => self.not_stored(self.game.show(position)),
            other => other,
        })
    }

    fn within(&self, position: G::Position, plies: u32) -> Result<Answer, Error> {
        if let Some(ended) = ended(&*self.game, position) {
            return Ok(ended);
        }
        if let Some(answer) = self.looked_up(position)? {
            return Ok(answer);
        }
        let Some(left) = plies.checked_sub(1) else { return Err(self.not_stored(self.game.show(position))) };
        let mut children = Vec::new();
        self.game.moves(position, &mut |_, child| children.push(child));
        let answers = children.into_iter().map(|child| self.within(child, left).map(Answer::before));
        let best = gather::all(answers)?.into_iter().max();
        Ok(best.unwrap_or_else(|| self.game.stuck(position).into()))
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

impl<G: Game + 'static> Opener<G> for RulesOnly {
    fn open(&self, game: &Arc<G>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = open_list(&**game, &database)?;
        Ok(Box::new(Tablebase::open(game, index, database)?))
    }
}

impl<G: Game + 'static> Opener<G> for Scored {
    fn open(&self, game: &Arc<G>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = open_list(&**game, &database)?;
        let meaning = |value| Answer::of_score(score_of_value(value));
        Ok(Box::new(Tablebase::open(game, index, database)?.meaning(meaning).publishing(published)))
    }
}

/// The list of a database, whose classes must be those that its manifest counts.
fn open_list<G: Game>(game: &G, database: &Database) -> Result<KeysIndex<G::Key>, Error> {
    let index = KeysIndex::<G::Key>::open(database)?;
    let listed: Vec<(u32, u64)> = index.numbers().collect();
    database.check_classes(listed.len(), |number, class| {
        let (number, slots) = listed[number];
        class.label == class_label(game, number) && class.slots == slots && class.tally.positions() == slots
    })?;
    Ok(index)
}

/// A row for each class and score, worst first, with its number of positions; and the scores of all classes.
fn published<G: Game, I: Index<G>>(tablebase: &Tablebase<G, I>) -> Result<PublishedCounts, Error> {
    let mut rows: BTreeMap<(u32, i16), u64> = BTreeMap::new();
    for number in 0..tablebase.positions() {
        let position = tablebase.position(number)?;
        let score = tablebase.answer(position)?.score.unwrap_or(0);
        *rows.entry((tablebase.game().class(typed(tablebase.game(), position)), score)).or_default() += 1;
    }
    let names: Vec<&str> = tablebase.game().class_label(0).into_iter().map(|(name, _)| name).collect();
    let mut csv = format!("{},score,positions\n", names.join(","));
    let mut scores: BTreeMap<i16, u64> = BTreeMap::new();
    for ((class, score), positions) in rows {
        let label = tablebase.game().class_label(class).into_iter().map(|(_, value)| value.to_string());
        csv += &format!("{},{score},{positions}\n", label.collect::<Vec<_>>().join(","));
        *scores.entry(score).or_default() += positions;
    }
    Ok(PublishedCounts { csv: Some(csv), scores: scores.into_iter().collect() })
}

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
