//! The method of games that bring rules only: list all positions, go back from the ends, keep keys and values.

use serde_json::{Map, Value as Json, json};

use super::{Method, Run};
use crate::index::Enumerated;
use crate::query::{Answer, Oracle, QueryError};
use crate::solve::{Retrograde, RulesGraph, SolveError};
use crate::store::{
    ClassEntry, Database, FileEntry, FolderShelf, KeysFile, Manifest, PlaneFile, StoreError, WorkFolder, write_keys,
};
use crate::{Census, Game, Key, Value};

/// Solves a game from its rules alone.
///
/// Memory goes to the list of keys (twice while it grows), four bytes for each position and, unless the game tells its
/// un-moves, four for each move.
pub struct RulesOnly;

pub(super) const CLASSES: &str = "classes";

pub(super) fn keys_file(class: usize) -> String {
    format!("class-{class}.keys")
}

impl<G: Game> Method<G> for RulesOnly {
    fn solve(&self, game: &G, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, SolveError> {
        let index = match listed(work)? {
            Some(index) => index,
            None => list(game, work, run)?,
        };
        let mut shelf = FolderShelf::new(work);
        Retrograde::new(run.budget).checkpoint_every(run.checkpoint_every).solve(
            &RulesGraph::new(game, &index),
            &mut shelf,
            run.observer,
        )?;
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
        manifest.settings.insert(CLASSES.into(), json!(numbers));
        for (class, (number, keys)) in index.classes().iter().enumerate() {
            let label = label(game, *number);
            let (plane, tally) = shelf.summary(class)?;
            manifest.classes.push(ClassEntry { label, slots: keys.len(), tally });
            manifest.files.push(plane);
            let keys = work.keys::<G::Key>(&keys_file(class))?;
            manifest.files.push(FileEntry::of_file(keys_file(class), keys.blocks()));
        }
        Ok(manifest)
    }

    fn open(&self, _: &G, database: Database) -> Result<Box<dyn Oracle<G>>, QueryError> {
        Ok(Box::new(Listed::<G::Key>::open(database, Answer::from)?))
    }
}

/// What a class is called in the manifest.
pub(super) fn label<G: Game>(game: &G, number: u32) -> Map<String, Json> {
    game.class_label(number).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
}

/// Lists the positions and keeps the list, the class numbers last.
pub(super) fn list<G: Game>(game: &G, work: &WorkFolder, run: &Run<'_>) -> Result<Enumerated<G::Key>, SolveError> {
    let index = Enumerated::list(game, &run.budget, run.observer)?;
    for (class, (_, keys)) in index.classes().iter().enumerate() {
        write_keys(&work.file(&keys_file(class)), work.fingerprint(), keys.as_slice())?;
    }
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    work.put_bytes(CLASSES, json!(numbers).to_string().as_bytes())?;
    Ok(index)
}

/// The list that an earlier run has kept.
pub(super) fn listed<K: Key>(work: &WorkFolder) -> Result<Option<Enumerated<K>>, StoreError> {
    let Some(bytes) = work.get_bytes(CLASSES)? else { return Ok(None) };
    let Ok(numbers) = serde_json::from_slice::<Vec<u32>>(&bytes) else { return Ok(None) };
    let mut classes = Vec::new();
    for (class, number) in numbers.into_iter().enumerate() {
        classes.push((number, work.keys(&keys_file(class))?.read_all()?));
    }
    Ok(Some(Enumerated::from_classes(classes)))
}

/// A database of listed positions.
pub(super) struct Listed<K> {
    database: Database,
    /// What a stored value says.
    meaning: fn(Value) -> Answer,
    classes: Vec<ListedClass<K>>,
}

struct ListedClass<K> {
    number: u32,
    keys: KeysFile<K>,
    values: PlaneFile,
}

impl<K: Key> Listed<K> {
    pub(super) fn open(database: Database, meaning: fn(Value) -> Answer) -> Result<Listed<K>, StoreError> {
        let numbers = database.manifest().settings.get(CLASSES).cloned().unwrap_or_default();
        let numbers: Vec<u32> = serde_json::from_value(numbers)
            .map_err(|_| StoreError::damaged(&database.path(Manifest::FILE), "its list of classes"))?;
        let mut classes = Vec::new();
        for (class, number) in numbers.into_iter().enumerate() {
            let keys = database.keys(&keys_file(class))?;
            let values = database.plane(&FolderShelf::plane_file(class))?;
            if keys.len() != values.len() {
                let place = format!("class {class}: {} keys and {} values", keys.len(), values.len());
                return Err(StoreError::damaged(&database.path(Manifest::FILE), place));
            }
            classes.push(ListedClass { number, keys, values });
        }
        Ok(Listed { database, meaning, classes })
    }
}

impl<G: Game> Oracle<G> for Listed<G::Key> {
    fn answer(&self, game: &G, position: G::Position) -> Result<Answer, QueryError> {
        let canonical = game.canonical(position);
        let number = game.class(canonical);
        if let Some(class) = self.classes.iter().find(|class| class.number == number)
            && let Some(slot) = class.keys.rank(game.pack(canonical))?
        {
            return Ok((self.meaning)(class.values.get(slot)?));
        }
        let game_id = self.database.manifest().game.clone();
        Err(QueryError::NotStored { game: game_id, position: game.show(position) })
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| class.keys.len()).sum()
    }

    fn position(&self, game: &G, number: u64) -> Result<G::Position, QueryError> {
        let mut slot = number;
        for class in &self.classes {
            if slot < class.keys.len() {
                return Ok(game.unpack(class.keys.select(slot)?));
            }
            slot -= class.keys.len();
        }
        let game = self.database.manifest().game.clone();
        Err(QueryError::NotStored { game, position: format!("position number {number}") })
    }

    fn census(&self) -> Result<Census, QueryError> {
        Ok(self.database.manifest().census())
    }

    // Values are read a slab at a time, and only where the palette has the value; keys only where it stands.
    fn examples(&self, game: &G, value: Value, limit: usize) -> Result<Vec<G::Position>, QueryError> {
        const SLAB: u64 = 1 << 20;
        let mut found = Vec::new();
        for class in self.classes.iter().filter(|class| class.values.palette().contains(&value)) {
            let mut slab = 0;
            while slab < class.values.len() && found.len() < limit {
                let slots = slab..class.values.len().min(slab + SLAB);
                let hits = class.values.read_map(slots, |other| other == value)?;
                let hits = hits.iter().enumerate().filter(|(_, hit)| **hit).take(limit - found.len());
                for (at, _) in hits {
                    found.push(game.unpack(class.keys.select(slab + at as u64)?));
                }
                slab += SLAB;
            }
        }
        Ok(found)
    }
}
