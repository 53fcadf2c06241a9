//! Where the value of a position is stored.
//!
//! ```text
//!   slot = orbit of the opponent's mask * C(free points, mover's pieces) + colex rank of the mover within the free points
//! ```
//!
//! The opponent's pieces do not change when a move is taken back, so that one look-up of an orbit serves all parents of
//! a position, and they all lie within one stretch of C(free, mover) slots. If symmetries keep the opponent's mask, the
//! smallest image of the mover's stands for all; the slots of the others stay empty (one or two in a hundred).
//!
//! The numbering is there in two ways that agree: lists that are quickly made, for a few questions, and [`Tables`] that
//! are quickly read, for the solver and for very many.

pub(super) mod numbering;
mod orbit_entries;
mod phases;
mod positions;
mod tables;

pub use numbering::Half;
pub use orbit_entries::{OrbitEntries, OrbitEntry};
pub use phases::{HalfAt, Phase, Phases, position};
pub use positions::Counted;
pub use tables::{Image, Opponents, OrbitInfo, Standing, Tables};

use std::sync::OnceLock;

use kanzen::index::combinations::{rank_within, unrank_within};
use kanzen::index::{Class, Index, LayoutHash, Place};
use kanzen::{Budget, ClassId, Error, Game, Slot};
use numbering::Numbering;

use super::{Morris, Position};

/// The layout looks at opponents with so many men at most: orbits of more are numbered by the same code, but to list
/// them takes milliseconds, and every probe asks for the layout.
const LISTED_FOR_LAYOUT: u32 = 6;
/// From this many positions on it pays to make the tables.
const MANY: u64 = 50_000;

/// The numbering of all positions of a game.
pub struct MorrisIndex {
    game: Morris,
    numbering: Numbering,
    phases: Phases,
    classes: Vec<Class>,
    /// By class, whether its positions are numbered.
    stored: Vec<bool>,
    counted: OnceLock<Counted>,
    tables: OnceLock<Tables>,
}

impl MorrisIndex {
    /// The numbering of a game.
    ///
    /// ```
    /// use kanzen::index::{Index, Place};
    /// use kanzen::{Game, Slot};
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

    /// The same for a database that has only some of the classes: positions of the others have no number.
    pub fn holding(mut self, is_stored: impl Fn(&Class) -> bool) -> MorrisIndex {
        self.stored = self.classes.iter().map(is_stored).collect();
        self.counted = OnceLock::new();
        self
    }

    /// By class, whether a database holds it.
    pub fn stored(&self) -> impl Iterator<Item = bool> {
        self.stored.iter().copied()
    }

    /// The game whose positions it numbers.
    pub fn game(&self) -> &Morris {
        &self.game
    }

    /// What its classes consist of.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The tables, made when first asked for.
    pub fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::new(&self.game))
    }

    /// The class and the slot of a position with three men a side or more.
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

    /// The masks of a slot of a half, the mover's and the opponent's; none if it is a hole.
    fn masks(&self, half: Half, slot: u64) -> Option<(u32, u32)> {
        if let Some(tables) = self.tables.get() {
            return tables.masks(half, slot);
        }
        let (orbit, rank) = half.split(slot);
        let opponent = u64::from(*self.numbering.representatives(&self.game, half).get(orbit as usize)?);
        let mover = unrank_within(half.mover, rank, !opponent);
        (self.smallest(half, opponent, mover) == (opponent, mover)).then_some((mover as u32, opponent as u32))
    }

    /// The smallest image of both masks, the opponent's first: those of the canonical position.
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

    /// The published counts, and ours, are of boards with all men placed.
    fn is_counted(&self, class: ClassId) -> bool {
        self.phases.list().get(class.index()).is_some_and(|phase| phase.in_hand() == 0)
    }

    fn is_row(&self, game: &Morris, position: Position) -> bool {
        position.in_hand() == 0 && game.counted(position)
    }

    /// A class is of so many men and so many, whoever is to move: which they are is told besides.
    fn fields(&self, game: &Morris, position: Position) -> Vec<(&'static str, i64)> {
        let label = game.class_label(game.class(position)).into_iter().map(|(name, number)| (name, number.into()));
        let men = [("mover", position.mover), ("opponent", position.opponent)];
        label.chain(men.map(|(name, men)| (name, men.board.count_ones().into()))).collect()
    }

    fn field_names(&self) -> &[&'static str] {
        &["white", "black", "mover", "opponent"]
    }

    /// The census is that of the moving phase.
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
                    // Further on in each class: of large games there is one slot of each, but hundreds of classes.
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
