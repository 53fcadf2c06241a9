//! Scans the planes of a database: stored positions, then those derived from them, then those that need no slot.
//!
//! ```text
//! stored    block after block of each plane, those left out that have no wanted value
//! parents   the same blocks once more: positions that are not stored, from which a move leads to what they hold
//! numbered  by number: positions that the numbering knows, and those not stored that the blocks do not lead to
//! ```
//!
//! A position that is not stored has the value of its best move. So it is found among the parents of stored positions
//! one ply nearer to the end; it is named with the first of those that are as good. That takes a distance: where endless
//! play decides, or nothing can move, numbers are gone through.

use super::Tablebase;
use crate::oracle::NUMBERS;
use crate::{Scan, Visit, Wanted};
use kanzen_core::index::{Index, Place};
use kanzen_core::rules::{Game, key};
use kanzen_core::vocabulary::{ClassId, Error, Slot, Value};

/// A scan of planes.
pub(super) struct Planes<'a, G: Game, I> {
    base: &'a Tablebase<G, I>,
    wanted: Wanted<'a>,
    blocks: Vec<ClassBlocks>,
    /// Blocks of all planes.
    stored: u64,
    /// Whether the blocks are gone through once more, for parents.
    parents: bool,
    /// Numbers gone through at the end.
    numbers: u64,
    /// Whether positions that are not stored are among the numbers.
    derived_by_number: bool,
}

/// The blocks of one class.
struct ClassBlocks {
    class: ClassId,
    /// The blocks of the classes before.
    first: u64,
    /// By value of the palette: whether it is wanted of the positions that are stored, and of their parents.
    stored: Vec<bool>,
    parents: Vec<bool>,
}

impl<'a, G: Game, I: Index<G>> Planes<'a, G, I> {
    pub fn new(base: &'a Tablebase<G, I>, wanted: Wanted<'a>) -> Result<Planes<'a, G, I>, Error> {
        // Values that parents of stored positions do not have.
        let without_parents = [Value::DRAW, Value::UNTIMED_WIN, Value::UNTIMED_LOSS, Value::loss(0), Value::win(0)];
        let derived = base.index.has_derived();
        let by_parents = base.game.unmoves(base.game.initial(), &mut |_| {})
            && !without_parents.iter().any(|&value| wanted(value.into()));
        let known = base.index.known_values().iter().any(|&value| wanted(value.into()));
        let (mut blocks, mut stored) = (Vec::new(), 0);
        for number in 0..base.planes.len() {
            let class = ClassId::from(number);
            if !base.index.is_counted(class) {
                continue;
            }
            let Some(plane) = base.plane(class)? else { continue };
            let value = |&entry: &Value| base.index.stands_for(class, entry);
            let is_wanted = |value: Option<Value>| value.is_some_and(|value| wanted((base.meaning)(value)));
            blocks.push(ClassBlocks {
                class,
                first: stored,
                stored: plane.palette().iter().map(|entry| is_wanted(value(entry))).collect(),
                parents: plane.palette().iter().map(|entry| is_wanted(value(entry).map(Value::before))).collect(),
            });
            stored += plane.scan_blocks();
        }
        let derived_by_number = derived && !by_parents;
        let numbers = if known || derived_by_number { base.index.positions().div_ceil(NUMBERS) } else { 0 };
        let parents = derived && by_parents;
        Ok(Planes { base, wanted, blocks, stored, parents, numbers, derived_by_number })
    }

    /// The class of a block and its number there.
    fn block(&self, block: u64) -> (&ClassBlocks, u64) {
        let at = self.blocks.partition_point(|class| class.first <= block) - 1;
        (&self.blocks[at], block - self.blocks[at].first)
    }

    fn read_stored(&self, block: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let (class, block) = self.block(block);
        self.each_standing(class.class, block, &class.stored, |_, value, (position, apart)| {
            // In neither of two sets: that is known when both are asked.
            if apart && value == Value::DRAW && self.base.answered(position)?.value != Value::DRAW {
                return Ok(());
            }
            visit(key(&*self.base.game, position), (self.base.meaning)(value))
        })
    }

    /// Visits the slots of a block with a wanted value that stand for a position: the slot, its value, and what
    /// [`standing`](Planes::standing) returns for it.
    fn each_standing(
        &self,
        class: ClassId,
        block: u64,
        wanted: &[bool],
        mut visit: impl FnMut(Slot, Value, (G::Position, bool)) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(plane) = self.base.plane(class)? else { return Ok(()) };
        for (slot, entry) in plane.matching(block, wanted)? {
            let value = plane.palette()[usize::from(entry)];
            let Some(value) = self.base.index.stands_for(class, value) else { continue };
            if let Some(standing) = self.standing(class, Slot(slot))? {
                visit(Slot(slot), value, standing)?;
            }
        }
        Ok(())
    }

    /// The canonical position of a slot, if the slot stands for all its images and the census counts it; and whether
    /// losses and wins stand apart.
    fn standing(&self, class: ClassId, slot: Slot) -> Result<Option<(G::Position, bool)>, Error> {
        let game = &*self.base.game;
        let Some(position) = self.base.index.position(game, class, slot)? else { return Ok(None) };
        let canonical = game.canonical(position);
        if !game.counted(canonical) {
            return Ok(None);
        }
        let here = (class, slot);
        let (stands, apart) = match self.base.index.place(game, canonical)? {
            Place::At(class, slot) => ((class, slot) == here, false),
            Place::Apart { lost, won } => (lost == here || won == here, true),
            _ => (false, false),
        };
        Ok(stands.then_some((canonical, apart)))
    }

    fn read_parents(&self, block: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let (game, (class, block)) = (&*self.base.game, self.block(block));
        self.each_standing(class.class, block, &class.parents, |slot, value, (child, _)| {
            let mut parents: Vec<G::Position> = Vec::new();
            game.unmoves(child, &mut |parent| {
                let parent = game.canonical(parent);
                if !parents.contains(&parent) {
                    parents.push(parent);
                }
            });
            for parent in parents {
                if game.ended(parent).is_none()
                    && self.base.index.place(game, parent)? == Place::FromMoves
                    && self.first_best(parent, value)? == Some((class.class, slot))
                {
                    visit(key(game, parent), value.before().into())?;
                }
            }
            Ok(())
        })
    }

    /// Where the first of the best moves of a position leads, if they lead to positions of this value.
    fn first_best(&self, position: G::Position, value: Value) -> Result<Option<(ClassId, Slot)>, Error> {
        let (game, mut children) = (&*self.base.game, Vec::new());
        game.moves(position, &mut |_, child| children.push(game.canonical(child)));
        let mut first = None;
        for child in children {
            let theirs = match game.ended(child) {
                Some(ended) => ended,
                None => self.base.answered(child)?.value,
            };
            // The worse for the other side, the better the move.
            if theirs < value {
                return Ok(None);
            }
            if theirs == value
                && let Place::At(class, slot) = self.base.index.place(game, child)?
            {
                first = Some(first.map_or((class, slot), |other: (ClassId, Slot)| other.min((class, slot))));
            }
        }
        Ok(first)
    }

    fn read_numbers(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let (game, index) = (&*self.base.game, &self.base.index);
        for number in stretch * NUMBERS..index.positions().min((stretch + 1) * NUMBERS) {
            let Some(position) = index.numbered(game, number)? else { continue };
            if !index.is_row(game, position) {
                continue;
            }
            let answer = match index.place(game, position)? {
                Place::Known(value) => value.into(),
                Place::FromMoves if self.derived_by_number => self.base.answered(position)?,
                _ => continue,
            };
            if (self.wanted)(answer) {
                visit(key(game, game.canonical(position)), answer)?;
            }
        }
        Ok(())
    }
}

impl<G: Game, I: Index<G>> Scan for Planes<'_, G, I> {
    fn stretches(&self) -> u64 {
        self.stored * if self.parents { 2 } else { 1 } + self.numbers
    }

    fn may_match(&self, stretch: u64) -> Result<bool, Error> {
        let parents = self.parents && stretch >= self.stored;
        if stretch >= self.stored * if self.parents { 2 } else { 1 } {
            return Ok(true);
        }
        let (class, block) = self.block(if parents { stretch - self.stored } else { stretch });
        let wanted = if parents { &class.parents } else { &class.stored };
        let Some(plane) = self.base.plane(class.class)? else { return Ok(false) };
        Ok(wanted.contains(&true) && plane.may_have(block, wanted)?)
    }

    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        match stretch.checked_sub(self.stored) {
            None => self.read_stored(stretch, visit),
            Some(block) if self.parents && block < self.stored => self.read_parents(block, visit),
            Some(block) => self.read_numbers(block - if self.parents { self.stored } else { 0 }, visit),
        }
    }
}
