//! The morris index: maps positions to slots, and opens databases.
//!
//! ```text
//!   slot = orbit of the opponent's mask * C(free points, mover's pieces) + colex rank of the mover within the free points
//! ```
//!
//! An un-move does not change the opponent's pieces. So one orbit lookup serves all parents of a position, and they lie
//! in one range of C(free, mover) slots. If the opponent's mask has symmetries, the smallest image of the mover's mask
//! represents all; the other slots are holes (one or two in a hundred).
//!
//! Two implementations agree: lists that are quick to make, for a few lookups, and [`Tables`] that are quick to read,
//! for the solver and for many lookups.

pub(super) mod numbering;
pub(super) mod phases;
mod tables;

pub use numbering::{Counted, Half};
pub use phases::{HalfAt, Phase, Phases, choose_layers, first_missing, kept_bytes, position};
pub use tables::{Image, Opponents, OrbitEntries, OrbitEntry, OrbitInfo, SlotKind, Tables};

use std::sync::{Arc, OnceLock};

use kanzen::{Bar, Budget, Census, Error, Game};
use kanzen_core::index::combinations::{rank_within, unrank_within};
use kanzen_core::index::{Class, Index, LayoutHash, Place};
use kanzen_core::{ClassId, Slot};
use kanzen_query::{Opener, Oracle, PublishedCounts, Tablebase};
use kanzen_solve::SolvedClass;
use kanzen_store::Database;
use numbering::Numbering;
use serde_json::{Map, Value as Json};

use super::{Morris, Position};

/// The layout hash covers opponents with up to this many men. Larger orbits use the same code, but listing them takes
/// milliseconds, and every probe computes the hash.
const LISTED_FOR_LAYOUT: u32 = 6;
/// From this many positions on, the tables pay off.
const MANY: u64 = 50_000;

/// The index of all positions of a game.
pub struct MorrisIndex {
    game: Morris,
    numbering: Numbering,
    phases: Phases,
    classes: Vec<Class>,
    /// By class, whether its positions are indexed.
    stored: Vec<bool>,
    counted: OnceLock<Counted>,
    tables: OnceLock<Tables>,
}

impl MorrisIndex {
    /// Builds the index of a game.
    ///
    /// ```
    /// use kanzen::{Game, Notation};
    /// use kanzen_core::index::{Index, Place};
    /// use kanzen_core::Slot;
    /// use kanzen_games::morris::{Morris, MorrisIndex};
    /// let game = Morris::new(9).unwrap();
    /// let index = MorrisIndex::new(&game);
    /// let position = game.read("ww.w..../b.bb..../........ w 0-0")?;
    /// let Place::At(class, slot) = index.place(&game, position)? else { panic!("three against three are stored") };
    /// assert_eq!(index.position(&game, class, slot)?, Some(game.canonical(position)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &Morris) -> MorrisIndex {
        let numbering = Numbering::new(game);
        let phases = Phases::new(game, &numbering);
        let classes = phases.list().iter().enumerate().map(|(number, phase)| Class {
            optional: phase.in_hand() > 0,
            ..Class::new(format!("class-{number}"), phase.slots())
        });
        let classes: Vec<Class> = classes.collect();
        let stored = vec![true; classes.len()];
        let (counted, tables) = (OnceLock::new(), OnceLock::new());
        MorrisIndex { game: game.clone(), numbering, classes, phases, stored, counted, tables }
    }

    /// Restricts the index to the classes in a database; positions of other classes have no slot.
    pub fn holding(mut self, is_stored: impl Fn(&Class) -> bool) -> MorrisIndex {
        self.stored = self.classes.iter().map(is_stored).collect();
        self.counted = OnceLock::new();
        self
    }

    /// Returns by class whether a database holds it.
    pub fn stored(&self) -> impl Iterator<Item = bool> {
        self.stored.iter().copied()
    }

    /// Returns the game.
    pub fn game(&self) -> &Morris {
        &self.game
    }

    /// Returns the classes.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// Returns the tables, made on first use.
    pub fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::new(&self.game))
    }

    /// Returns the class and slot of a position with three or more men a side.
    pub fn slot(&self, position: Position) -> Option<(usize, u64)> {
        let HalfAt { class, first, half } = self.phases.half_of(position)?;
        let (mover, opponent) = (position.mover.board, position.opponent.board);
        if let Some(tables) = self.tables.get() {
            return Some((class, first + tables.slot(half, mover, opponent)));
        }
        let (opponent, mover) = self.smallest(half, opponent.into(), mover.into());
        let orbit = self.numbering.representatives(&self.game, half).binary_search(&(opponent as u32)).ok()?;
        Some((class, first + orbit as u64 * half.per_orbit + rank_within(mover, !opponent)))
    }

    /// Returns the masks of a slot of a half, the mover's first, or `None` for a hole.
    fn masks(&self, half: Half, slot: u64) -> Option<(u32, u32)> {
        if let Some(tables) = self.tables.get() {
            return tables.masks(half, slot);
        }
        let (orbit, rank) = half.split(slot);
        let opponent = u64::from(*self.numbering.representatives(&self.game, half).get(orbit as usize)?);
        let mover = unrank_within(half.mover, rank, !opponent);
        (self.smallest(half, opponent, mover) == (opponent, mover)).then_some((mover as u32, opponent as u32))
    }

    /// Returns the smallest image of both masks, the opponent's first: those of the canonical position.
    fn smallest(&self, half: Half, opponent: u64, mover: u64) -> (u64, u64) {
        let mut smallest = (opponent, mover);
        for symmetry in half.group(&self.game).symmetries() {
            let image = symmetry.apply(opponent);
            // Nearly always the opponent decides.
            if image <= smallest.0 {
                smallest = smallest.min((image, symmetry.apply(mover)));
            }
        }
        smallest
    }

    fn counted(&self) -> &Counted {
        self.counted.get_or_init(|| {
            let stored = self.phases.list().iter().zip(&self.stored).filter(|(_, stored)| **stored);
            Counted::new(&self.game, stored.map(|(phase, _)| *phase))
        })
    }
}

impl Index<Morris> for MorrisIndex {
    fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn place(&self, _: &Morris, position: Position) -> Result<Place, Error> {
        Ok(self.slot(position).map_or(Place::Nowhere, |(class, slot)| Place::At(ClassId::from(class), Slot(slot))))
    }

    fn position(&self, _: &Morris, class: ClassId, slot: Slot) -> Result<Option<Position>, Error> {
        let Some(HalfAt { first, half, .. }) = self.phases.half_at(class.index(), slot.0) else { return Ok(None) };
        let in_hand = self.phases.list()[class.index()].in_hand();
        Ok(self.masks(half, slot.0 - first).map(|(mover, opponent)| position(in_hand, mover, opponent)))
    }

    fn positions(&self) -> u64 {
        self.counted().positions()
    }

    fn numbered(&self, _: &Morris, number: u64) -> Result<Option<Position>, Error> {
        Ok(self.counted().position(&self.game, &self.numbering, number))
    }

    fn number(&self, _: &Morris, position: Position) -> Result<Option<u64>, Error> {
        let Some(HalfAt { half, .. }) = self.phases.half_of(position) else { return Ok(None) };
        let (opponent, mover) = self.smallest(half, position.opponent.board.into(), position.mover.board.into());
        Ok(self.counted().number(&self.game, &self.numbering, (position.in_hand(), half), mover, opponent))
    }

    /// Published counts, and ours, include only boards with all men placed.
    fn is_counted(&self, class: ClassId) -> bool {
        self.phases.list().get(class.index()).is_some_and(|phase| phase.in_hand() == 0)
    }

    fn is_row(&self, game: &Morris, position: Position) -> bool {
        position.in_hand() == 0 && game.counted(position)
    }

    /// A class covers both sides to move; these fields distinguish them.
    fn fields(&self, game: &Morris, position: Position) -> Vec<(&'static str, i64)> {
        let label = game.class_label(game.class(position)).into_iter().map(|(name, number)| (name, number.into()));
        let men = [("mover", position.mover), ("opponent", position.opponent)];
        label.chain(men.map(|(name, men)| (name, men.board.count_ones().into()))).collect()
    }

    fn field_names(&self) -> &[&'static str] {
        &["white", "black", "mover", "opponent"]
    }

    /// The census covers the moving phase.
    fn census_class(&self, game: &Morris, position: Position) -> Option<u32> {
        (position.in_hand() == 0 && game.counted(position)).then(|| game.class(position))
    }

    fn prepare(&self, positions: u64, budget: &Budget) -> Result<(), Error> {
        if positions >= MANY && Tables::bytes(&self.game) <= budget.memory {
            self.tables();
        }
        Ok(())
    }

    fn layout(&self, game: &Morris) -> Result<u64, Error> {
        const SCATTERED: u64 = 256;
        let mut layout = LayoutHash::default();
        let per_half = (SCATTERED / self.classes.len() as u64).max(1);
        for (number, (class, phase)) in self.classes.iter().zip(self.phases.list()).enumerate() {
            layout.class(&class.name, class.slots);
            for (first, half) in phase.halves().filter(|(_, half)| half.opponent <= LISTED_FOR_LAYOUT) {
                for part in 0..per_half {
                    // Samples lie further on in each class: large games have one sample per class, but hundreds of
                    // classes.
                    let slot = first + (16 * part + number as u64 % 16) * half.slots / (16 * per_half);
                    if let Some(position) = self.position(game, ClassId::from(number), Slot(slot))? {
                        layout.position(slot, &game.show(position), &self.place(game, position)?);
                    }
                }
            }
        }
        Ok(layout.digest())
    }
}

/// Writes the census as a table: wins, losses, draws and longest distances per class.
pub fn class_table(census: &Census) -> String {
    let mut csv = String::from("class,positions,wins,losses,draws,longest_win,longest_loss\n");
    for (label, tally) in &census.classes {
        let bars = tally.histogram();
        let longest = |count: fn(&Bar) -> u64| {
            bars.iter().rev().find(|bar| count(bar) > 0).map_or(String::new(), |bar| bar.distance.to_string())
        };
        csv += &format!(
            "{}-{},{},{},{},{},{},{}\n",
            label["white"],
            label["black"],
            tally.positions(),
            tally.wins(),
            tally.losses(),
            tally.draws(),
            longest(|bar| bar.wins),
            longest(|bar| bar.losses),
        );
    }
    csv
}

/// Solves morris, and opens its databases.
pub struct MorrisSolver {
    pub(super) moving_only: bool,
}

impl MorrisSolver {
    /// Solves both phases.
    pub const WHOLE: MorrisSolver = MorrisSolver { moving_only: false };
    /// Solves the positions without pieces in hand, for games whose placing phase takes too long.
    pub const MOVING: MorrisSolver = MorrisSolver { moving_only: true };

    /// Refuses a database that does not count the moving classes, or lacks so many planes that a lookup would need a
    /// search.
    fn check(&self, index: &MorrisIndex, database: &Database) -> Result<(), Error> {
        let phases = index.phases().list();
        let moving: Vec<(Half, u64)> = phases
            .iter()
            .filter_map(|phase| match phase {
                Phase::Moving { halves: [half, _] } => Some((*half, phase.slots())),
                Phase::Placing { .. } => None,
            })
            .collect();
        database.check_classes(moving.len(), |number, class| {
            let (half, slots) = moving[number];
            class.label == label(half) && class.slots == slots && class.tally.positions() <= slots
        })?;
        if self.moving_only {
            return Ok(());
        }
        let layers: Vec<(u32, bool)> = phases.iter().map(|phase| phase.in_hand()).zip(index.stored()).collect();
        match first_missing(&layers) {
            Some(class) => {
                Err(Error::Missing { path: database.path(&index.classes()[class].plane_file()).to_path_buf() })
            }
            None => Ok(()),
        }
    }
}

/// Returns the label of a moving class.
pub(super) fn label(half: Half) -> Map<String, Json> {
    SolvedClass::label([("white", half.mover.into()), ("black", half.opponent.into())])
}

impl Opener<Morris> for MorrisSolver {
    fn open(&self, game: &Arc<Morris>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = MorrisIndex::new(game).holding(|class| database.manifest().file(&class.plane_file()).is_some());
        self.check(&index, &database)?;
        Ok(Box::new(Tablebase::open(game, index, database)?.publishing(|tablebase| {
            let csv = Some(class_table(&tablebase.census()));
            Ok(PublishedCounts { csv, scores: Vec::new() })
        })))
    }

    fn layout(&self, game: &Morris) -> Result<u64, Error> {
        MorrisIndex::new(game).layout(game)
    }
}
