//! The index of a database of listed positions: keys on the disk.

use super::{Database, KeysFile, Manifest};
use crate::index::{Class, Index, Place};
use crate::rules::Game;
use crate::solve::{CLASSES, keys_file};
use crate::vocabulary::{ClassId, Error, Key, Slot};

/// Listed positions, found by their keys.
pub struct KeysIndex<K> {
    numbers: Vec<u32>,
    classes: Vec<Class>,
    keys: Vec<KeysFile<K>>,
}

impl<K: Key> KeysIndex<K> {
    /// The list that a database has.
    pub fn open(database: &Database) -> Result<KeysIndex<K>, Error> {
        let numbers = database.manifest().settings.get(CLASSES).cloned().unwrap_or_default();
        let numbers: Vec<u32> = serde_json::from_value(numbers)
            .map_err(|_| Error::damaged(&database.path(Manifest::FILE), "its list of classes"))?;
        let keys: Vec<KeysFile<K>> =
            (0..numbers.len()).map(|class| database.keys(&keys_file(class))).collect::<Result<_, _>>()?;
        let classes = keys.iter().enumerate().map(|(class, keys)| Class::new(format!("class-{class}"), keys.len()));
        Ok(KeysIndex { classes: classes.collect(), numbers, keys })
    }
}

impl<G: Game> Index<G> for KeysIndex<G::Key> {
    fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn place(&self, game: &G, position: G::Position) -> Result<Place, Error> {
        let canonical = game.canonical(position);
        let number = game.class(canonical);
        let Some(class) = self.numbers.iter().position(|&other| other == number) else { return Ok(Place::Nowhere) };
        let slot = self.keys[class].rank(game.pack(canonical))?;
        Ok(slot.map_or(Place::Nowhere, |slot| Place::At(ClassId::from(class), Slot(slot))))
    }

    fn position(&self, game: &G, class: ClassId, slot: Slot) -> Result<Option<G::Position>, Error> {
        Ok(Some(game.unpack(self.keys[class.index()].select(slot.0)?)))
    }

    fn is_listed(&self) -> bool {
        true
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| class.slots).sum()
    }

    fn numbered(&self, game: &G, number: u64) -> Result<Option<G::Position>, Error> {
        let mut slot = number;
        for keys in &self.keys {
            if slot < keys.len() {
                return Ok(Some(game.unpack(keys.select(slot)?)));
            }
            slot -= keys.len();
        }
        Ok(None)
    }
}
