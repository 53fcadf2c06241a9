//! The interface of an index: the slot of a position, and the position of a slot.

use std::fmt::Debug;

use serde_json::{Map, Value as Json};
use xxhash_rust::xxh3::Xxh3;

use crate::rules::Game;
use crate::vocabulary::{Budget, ClassId, Error, Slot, Value};

/// A numbering of the positions of a game: each has a slot in a class, and each class is stored as a plane.
///
/// Required: the classes, the [`place`](Index::place) of a position, the [`position`](Index::position) of a slot, and
/// the positions by number, each once up to symmetry. [`layout`](Index::layout) has a default that distinguishes two
/// numberings by sampled slots.
pub trait Index<G: Game>: Send + Sync {
    /// The classes, in the order of their numbers.
    fn classes(&self) -> &[Class];

    /// Where the value of a position is to be found.
    fn place(&self, game: &G, position: G::Position) -> Result<Place, Error>;

    /// The position of a slot; nothing for an unused slot. Several slots may hold mirror images of each other.
    fn position(&self, game: &G, class: ClassId, slot: Slot) -> Result<Option<G::Position>, Error>;

    /// How many positions there are up to symmetry, those that need no slot among them.
    fn positions(&self) -> u64;

    /// The position with a number below [`positions`](Index::positions).
    fn numbered(&self, game: &G, number: u64) -> Result<Option<G::Position>, Error>;

    /// The number of a position, or of the mirror image of it that has one: what [`numbered`](Index::numbered) takes.
    /// Nothing for a position without a number, and where the index cannot compute it.
    fn number(&self, _game: &G, _position: G::Position) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    /// The value of a position whose slot of a class holds `stored`. Nothing if that value decides nothing, or if another
    /// class decides it.
    fn stands_for(&self, _class: ClassId, stored: Value) -> Option<Value> {
        Some(stored)
    }

    /// Whether the census counts the positions of a class. Searches through the database leave the others out.
    fn is_counted(&self, _class: ClassId) -> bool {
        true
    }

    /// Whether a position that [`numbered`](Index::numbered) names is one that the census counts, and named once up to
    /// the symmetries of the census.
    fn is_row(&self, game: &G, position: G::Position) -> bool {
        game.counted(position)
    }

    /// The values of positions that have no slots because the numbering knows them ([`Place::Known`]).
    fn known_values(&self) -> &[Value] {
        &[]
    }

    /// Whether there are positions that are not stored but follow from their moves ([`Place::FromMoves`]).
    fn has_derived(&self) -> bool {
        false
    }

    /// Properties by which a census can distinguish positions, such as the number of pieces: names and numbers.
    fn fields(&self, game: &G, position: G::Position) -> Vec<(&'static str, i64)> {
        let label = game.class_label(game.class(position));
        label.into_iter().map(|(name, number)| (name, number.into())).collect()
    }

    /// The names of all [`fields`](Index::fields) where they are not those of the census; none otherwise.
    fn field_names(&self) -> &[&'static str] {
        &[]
    }

    /// Hint: very many queries follow, about so many positions and all their children. An index may make itself faster,
    /// within the budget.
    fn prepare(&self, _positions: u64, _budget: &Budget) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the index is a list that was read, not computed: then it has to be checked against the rules.
    fn is_listed(&self) -> bool {
        false
    }

    /// Which class of the census counts a position with a number: that of its material, unless the game leaves it out.
    fn census_class(&self, game: &G, position: G::Position) -> Option<u32> {
        game.counted(position).then(|| game.class(position))
    }

    /// What the census calls such a class.
    fn census_label(&self, game: &G, class: u32) -> Map<String, Json> {
        class_label(game, class)
    }

    /// How many positions one with a number stands for, mirror images and colours apart, where all are counted too.
    fn images(&self, _game: &G, _position: G::Position) -> Option<u64> {
        None
    }

    /// A number that changes with the numbering: of the classes, and of positions at scattered slots.
    fn layout(&self, game: &G) -> Result<u64, Error> {
        const SCATTERED: u64 = 256;
        let mut layout = LayoutHash::default();
        let per_class = (SCATTERED / self.classes().len().max(1) as u64).max(2);
        for (number, class) in self.classes().iter().enumerate() {
            layout.class(&class.name, class.slots);
            for slot in LayoutHash::scattered(class.slots, per_class) {
                if let Some(position) = self.position(game, ClassId::from(number), Slot(slot))? {
                    layout.position(slot, &game.show(position), &self.place(game, position)?);
                }
            }
        }
        Ok(layout.digest())
    }
}

/// What a class of the rules is called in a census.
pub fn class_label<G: Game>(game: &G, class: u32) -> Map<String, Json> {
    game.class_label(class).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// A hash that distinguishes one numbering from another.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::LayoutHash;
/// let digest = |order: [&str; 3]| {
///     let mut layout = LayoutHash::default();
///     layout.class("all", 3);
///     LayoutHash::scattered(3, 2).for_each(|slot| layout.position(slot, order[slot as usize], &slot));
///     layout.digest()
/// };
/// assert_ne!(digest(["a", "b", "c"]), digest(["c", "b", "a"]));
/// ```
#[derive(Default)]
pub struct LayoutHash(Xxh3);

impl LayoutHash {
    /// About so many of the slots of a class, spread over it, with the first and the last.
    pub fn scattered(slots: u64, wanted: u64) -> impl Iterator<Item = u64> {
        let step = (slots / wanted.max(1)).max(1);
        (0..slots).step_by(step as usize).chain(slots.checked_sub(1))
    }

    /// There is a class of this name, with so many slots.
    pub fn class(&mut self, name: &str, slots: u64) {
        self.0.update(name.as_bytes());
        self.0.update(&slots.to_le_bytes());
    }

    /// A slot of the class holds this position, which is found at `place`.
    pub fn position(&mut self, slot: u64, text: &str, place: &impl Debug) {
        self.0.update(&slot.to_le_bytes());
        self.0.update(text.as_bytes());
        self.0.update(format!("{place:?}").as_bytes());
    }

    /// The number that all of it hashes to.
    pub fn digest(&self) -> u64 {
        self.0.digest()
    }
}

/// A set of slots that is stored as one plane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// The name of its plane, without the ending.
    pub name: String,
    /// How many slots it has.
    pub slots: u64,
    /// Whether a database may leave it out: then the values of its positions follow from their moves.
    pub optional: bool,
}

impl Class {
    /// A class that every database has.
    pub fn new(name: impl Into<String>, slots: u64) -> Class {
        Class { name: name.into(), slots, optional: false }
    }

    /// The file of its plane.
    pub fn plane_file(&self) -> String {
        format!("{}.plane", self.name)
    }
}

/// Where the value of a position is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a slot.
    At(ClassId, Slot),
    /// Losses and wins stand in planes of their own, as sets: a slot that is decided holds a win in so many plies,
    /// whichever side wins; one that is not holds a draw. A position in neither set is a draw.
    Apart {
        /// Where it stands if it is lost.
        lost: (ClassId, Slot),
        /// Where it stands if it is won.
        won: (ClassId, Slot),
    },
    /// The numbering itself knows the value: such positions have no slots.
    Known(Value),
    /// It is not stored; it follows from its moves, which are.
    FromMoves,
    /// It is no position of this numbering.
    Nowhere,
}
