//! Checks that a list of positions contains exactly those that moves lead to.
//!
//! Where positions are listed, the list is part of the database, and a list that leaves some out or makes some up would
//! give a census of something else. So the list is walked: from the positions that the game starts from along all
//! moves, each listed position once. What is met and not listed is missing; what is listed and never met is unreachable.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::Oracle;
use kanzen_core::machine::parallel;
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::progress::{Event, Observer};

/// Positions that a thread expands before it takes the next.
const CHUNK: usize = 1 << 12;

/// The listed positions that a game can lead to.
pub(super) struct Reached {
    marks: Vec<AtomicU64>,
    /// How many are marked.
    pub count: u64,
    /// Positions met that are not listed; the same may be met more than once.
    pub missing: u64,
}

/// What a part of the walk has met.
#[derive(Default)]
struct Met {
    new: Vec<u64>,
    missing: u64,
}

impl Met {
    fn and(mut self, mut other: Met) -> Met {
        // The longer one stays where it is.
        if other.new.len() > self.new.len() {
            std::mem::swap(&mut self.new, &mut other.new);
        }
        self.new.append(&mut other.new);
        Met { missing: self.missing + other.missing, ..self }
    }
}

impl Reached {
    /// Walks the whole list.
    pub fn of(game: &dyn AnyGame, oracle: &dyn Oracle, observer: &dyn Observer) -> Result<Reached, Error> {
        let positions = oracle.positions();
        observer.event(Event::Stage { name: "positions", total: Some(positions) });
        let marks = (0..positions.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut reached = Reached { marks, count: 0, missing: 0 };
        let mut met = reached.roots(game, oracle)?;
        while !met.new.is_empty() {
            if observer.stop() {
                return Err(Error::Stopped);
            }
            reached.missing += met.missing;
            reached.count += met.new.len() as u64;
            observer.event(Event::Steps { steps: met.new.len() as u64 });
            // In the order of the list, which is that of the files.
            met.new.par_sort_unstable();
            let parts: Vec<_> = met.new.chunks(CHUNK).collect();
            let parts = parallel::try_map(parts.len(), &|part| reached.expanded(game, oracle, parts[part]))?;
            met = parts.into_iter().fold(Met::default(), Met::and);
        }
        reached.missing += met.missing;
        Ok(reached)
    }

    /// Whether a game can lead to the position of a number.
    pub fn has(&self, number: u64) -> bool {
        self.marks[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 == 1
    }

    fn roots(&self, game: &dyn AnyGame, oracle: &dyn Oracle) -> Result<Met, Error> {
        let mut met = Met::default();
        let mut wrong = Ok(());
        game.roots(&mut |root| {
            if wrong.is_ok() && game.counted(root) {
                wrong = self.meet(oracle, root, &mut met);
            }
        });
        wrong.map(|()| met)
    }

    fn expanded(&self, game: &dyn AnyGame, oracle: &dyn Oracle, numbers: &[u64]) -> Result<Met, Error> {
        let mut met = Met::default();
        let mut children = Vec::new();
        for &number in numbers {
            game.expand(oracle.position(number)?, &mut children);
            for child in children.drain(..).filter(|&child| game.counted(child)) {
                self.meet(oracle, child, &mut met)?;
            }
        }
        Ok(met)
    }

    fn meet(&self, oracle: &dyn Oracle, position: u128, met: &mut Met) -> Result<(), Error> {
        match oracle.number(position)?.filter(|&number| number < oracle.positions()) {
            None => met.missing += 1,
            Some(number) => {
                let mark = 1 << (number % 64);
                if self.marks[(number / 64) as usize].fetch_or(mark, Relaxed) & mark == 0 {
                    met.new.push(number);
                }
            }
        }
        Ok(())
    }
}
