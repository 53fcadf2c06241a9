//! Where an engine puts its work, and finds it again after a kill.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::Codes;
use crate::store::StoreError;
use crate::{Tally, Value};

/// Keeps finished classes and checkpoints. The store's folders are one, [`MemoryShelf`] is another.
pub trait Shelf {
    /// Whether the class is finished.
    fn finished(&self, class: usize) -> bool;

    /// The value codes of a finished class, a slot each.
    fn load(&self, class: usize) -> Result<Arc<Codes>, StoreError>;

    /// Keeps a finished class for good and drops its checkpoint.
    fn finish(&mut self, class: usize, slots: u64, value: &(dyn Fn(u64) -> Value + Sync)) -> Result<(), StoreError>;

    /// Keeps the state of a class at the end of a level; it replaces the checkpoint before.
    fn checkpoint(&mut self, class: usize, level: u64, state: &[u8]) -> Result<(), StoreError>;

    /// Reads the last checkpoint of a class into `state` and tells its level; `None` if there is none.
    fn resume(&mut self, class: usize, state: &mut [u8]) -> Result<Option<u64>, StoreError>;
}

/// A shelf in memory, for tests, benchmarks and small games.
#[derive(Default)]
pub struct MemoryShelf {
    classes: HashMap<usize, Arc<Codes>>,
    checkpoints: HashMap<usize, (u64, Vec<u8>)>,
}

impl MemoryShelf {
    /// The value of a slot of a finished class.
    ///
    /// # Panics
    /// If the class is not finished or has no such slot.
    pub fn value(&self, class: usize, slot: u64) -> Value {
        Value::from_code(self.classes[&class][slot as usize]).expect("only codes of values are shelved")
    }

    /// The values of a finished class, counted.
    pub fn tally(&self, class: usize) -> Tally {
        let mut tally = Tally::default();
        for slot in 0..self.classes[&class].len() {
            tally.add(self.value(class, slot as u64), 1);
        }
        tally
    }
}

impl Shelf for MemoryShelf {
    fn finished(&self, class: usize) -> bool {
        self.classes.contains_key(&class)
    }

    fn load(&self, class: usize) -> Result<Arc<Codes>, StoreError> {
        Ok(self.classes[&class].clone())
    }

    fn finish(&mut self, class: usize, slots: u64, value: &(dyn Fn(u64) -> Value + Sync)) -> Result<(), StoreError> {
        let mut codes =
            Codes::zeroed(slots as usize).map_err(StoreError::io("reserve memory for", Path::new("a class")))?;
        codes.par_iter_mut().enumerate().for_each(|(slot, code)| *code = value(slot as u64).code());
        self.classes.insert(class, Arc::new(codes));
        self.checkpoints.remove(&class);
        Ok(())
    }

    fn checkpoint(&mut self, class: usize, level: u64, state: &[u8]) -> Result<(), StoreError> {
        self.checkpoints.insert(class, (level, state.to_vec()));
        Ok(())
    }

    fn resume(&mut self, class: usize, state: &mut [u8]) -> Result<Option<u64>, StoreError> {
        let Some((level, saved)) = self.checkpoints.get(&class) else { return Ok(None) };
        state.copy_from_slice(saved);
        Ok(Some(*level))
    }
}
