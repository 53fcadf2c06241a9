//! The index of a database of listed positions: keys on the disk.

use super::{Database, KeysFile, Manifest};
use crate::{CLASSES, keys_file};
use kanzen_core::index::{Class, Index, Place};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{ClassId, Error, Key, Slot};

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
        let damaged = || Error::damaged(&database.path(Manifest::FILE), "its list of classes");
        let numbers: Vec<u32> = serde_json::from_value(numbers).map_err(|_| damaged())?;
        if !numbers.is_sorted_by(|a, b| a < b) {
            return Err(damaged());
        }
        let keys: Vec<KeysFile<K>> =
            (0..numbers.len()).map(|class| database.keys(&keys_file(class))).collect::<Result<_, _>>()?;
        let classes = keys.iter().enumerate().map(|(class, keys)| Class::new(format!("class-{class}"), keys.len()));
        Ok(KeysIndex { classes: classes.collect(), numbers, keys })
    }

    /// The classes by the numbers that the rules give them, each with how many positions it has.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = (u32, u64)> {
        self.numbers.iter().zip(&self.classes).map(|(number, class)| (*number, class.slots))
    }

    /// The position of a slot. A list may have been written by anybody: a number that no canonical position of the
    /// class packs into is damage.
    fn unpacked<G: Game<Key = K>>(&self, game: &G, class: usize, slot: u64) -> Result<G::Position, Error> {
        let keys = &self.keys[class];
        let key = keys.select(slot)?;
        let position = game.unpack(key);
        let sound = game.pack(position) == key
            && game.class(position) == self.numbers[class]
            && game.canonical(position) == position;
        if sound {
            return Ok(position);
        }
        Err(Error::damaged(keys.blocks().path(), format!("key {slot}: it is that of no position of its class")))
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
        self.unpacked(game, class.index(), slot.0).map(Some)
    }

    fn is_listed(&self) -> bool {
        true
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| class.slots).sum()
    }

    fn number(&self, game: &G, position: G::Position) -> Result<Option<u64>, Error> {
        let Place::At(class, slot) = self.place(game, position)? else { return Ok(None) };
        let before: u64 = self.keys[..class.index()].iter().map(KeysFile::len).sum();
        Ok(before.checked_add(slot.0))
    }

    fn numbered(&self, game: &G, number: u64) -> Result<Option<G::Position>, Error> {
        let mut slot = number;
        for (class, keys) in self.keys.iter().enumerate() {
            if slot < keys.len() {
                return self.unpacked(game, class, slot).map(Some);
            }
            slot -= keys.len();
        }
        Ok(None)
    }
}
