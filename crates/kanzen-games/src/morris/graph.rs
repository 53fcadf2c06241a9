//! A game as the engine sees it.

use std::borrow::Cow;
use std::ops::Range;

use kanzen::solve::{Earlier, Graph, Node, SlotInit};
use kanzen::{Game, Value};

use super::bits::Portable;
use super::classes::{Class, Classes, hands};
use super::numbering::{Numbering, Standing};
use super::sweeps::Table;
use super::{Men, Morris, Position, Side};

/// The classes of a game with their moves.
pub struct MorrisGraph<'a> {
    game: Cow<'a, Morris>,
    numbering: Numbering,
    classes: Classes,
    /// How many of the classes are to be solved: all, or the moving ones, which are the first.
    solved: usize,
    fast: bool,
}

impl<'a> MorrisGraph<'a> {
    /// The graph of a game.
    pub fn new(game: &'a Morris) -> MorrisGraph<'a> {
        MorrisGraph::of(Cow::Borrowed(game))
    }

    /// The graph of a game that it keeps.
    pub fn owning(game: Morris) -> MorrisGraph<'static> {
        MorrisGraph::of(Cow::Owned(game))
    }

    fn of(game: Cow<'_, Morris>) -> MorrisGraph<'_> {
        let numbering = Numbering::new(&game);
        let classes = Classes::new(&game, &numbering);
        MorrisGraph { solved: classes.list().len(), classes, game, numbering, fast: fast() }
    }

    /// The same without the placing classes.
    pub fn moving_only(self) -> MorrisGraph<'a> {
        let solved = self.classes.list().iter().filter(|class| class.in_hand() == 0).count();
        MorrisGraph { solved, ..self }
    }

    /// Its classes.
    pub fn list(&self) -> &Classes {
        &self.classes
    }

    /// Its numbering.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The same without instructions that not all processors have.
    #[cfg(test)]
    pub fn portable(self) -> MorrisGraph<'a> {
        MorrisGraph { fast: false, ..self }
    }

    fn table(&self) -> Table<'_> {
        Table { game: &self.game, numbering: &self.numbering, classes: &self.classes }
    }

    /// The position of a slot; none if it is a hole.
    pub fn position(&self, class: usize, slot: u64) -> Option<Position> {
        let entry = self.classes.list()[class];
        let (first, half) = entry.halves().filter(|(first, _)| *first <= slot).last()?;
        let (mover, opponent) = self.numbering.unrank(half, slot - first);
        let (orbit, _) = self.numbering.split(half, slot - first);
        if self.numbering.standing(half, orbit, mover) == Standing::Hole {
            return None;
        }
        Some(position(entry.in_hand(), mover, opponent))
    }

    /// The class and the slot of a position with three men a side or more.
    pub fn slot(&self, position: Position) -> Option<(usize, u64)> {
        let place = self.classes.place_of(position)?;
        let slot = self.numbering.rank(place.half, position.mover.board, position.opponent.board);
        Some((place.class, place.first + slot))
    }
}

/// The position with these masks and so many pieces in hand.
pub fn position(in_hand: u32, mover: u32, opponent: u32) -> Position {
    let (mover_hand, opponent_hand) = hands(in_hand);
    Position {
        to_move: if in_hand.is_multiple_of(2) { Side::White } else { Side::Black },
        mover: Men { board: mover, hand: mover_hand },
        opponent: Men { board: opponent, hand: opponent_hand },
    }
}

#[cfg(target_arch = "x86_64")]
fn fast() -> bool {
    super::bits::has_bmi2()
}

#[cfg(not(target_arch = "x86_64"))]
fn fast() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use super::super::bits::Bmi2;
    use super::super::numbering::Half;
    use super::*;

    #[target_feature(enable = "bmi1,bmi2,popcnt,avx2")]
    pub fn look(table: &Table<'_>, class: Class, slots: Range<u64>, earlier: &Earlier, sights: &mut Vec<SlotInit>) {
        table.look::<Bmi2>(class, slots, earlier, sights);
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,avx2")]
    pub fn parents_of(table: &Table<'_>, halves: [Half; 2], slots: &[u64], visit: impl FnMut(u64)) {
        table.parents_of::<Bmi2>(halves, slots, visit);
    }
}

impl Graph for MorrisGraph<'_> {
    fn classes(&self) -> usize {
        self.solved
    }

    fn name(&self, class: usize) -> String {
        match self.classes.list()[class] {
            Class::Moving { halves: [half, _] } => format!("{}-{}", half.mover, half.opponent),
            Class::Placing { in_hand, half } => format!("{in_hand} in hand, {}-{}", half.mover, half.opponent),
        }
    }

    fn slots(&self, class: usize) -> u64 {
        self.classes.list()[class].slots()
    }

    fn needs(&self, class: usize) -> Vec<usize> {
        let entry = self.classes.list()[class];
        let mut needs: Vec<usize> = match entry {
            Class::Moving { halves: [half, other] } => {
                let taken = [(half.opponent - 1, half.mover), (other.opponent - 1, other.mover)];
                taken.iter().filter_map(|&(mover, opponent)| self.classes.place(0, mover, opponent)).collect::<Vec<_>>()
            }
            Class::Placing { in_hand, half } => {
                let left = [Some(half.opponent), half.opponent.checked_sub(1)].into_iter().flatten();
                left.filter_map(|left| self.classes.place(in_hand - 1, left, half.mover + 1)).collect()
            }
        }
        .into_iter()
        .map(|place| place.class)
        .collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// By the rules alone: the definition that `look` is compared with.
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        let Some(position) = self.position(class, slot) else { return node.end(Value::DRAW) };
        if let Some(value) = self.game.ended(position) {
            return node.end(value);
        }
        let mut stuck = true;
        self.game.moves(position, &mut |_, child| {
            stuck = false;
            match (self.game.ended(child), self.slot(child)) {
                (Some(value), _) if !self.game.counted(child) => node.settled(value),
                (_, Some((here, slot))) if here == class => node.here(slot),
                (_, Some((there, slot))) => node.settled(earlier.value(there, slot)),
                (_, None) => node.fault(format!("{} has no class", self.game.show(child))),
            }
        });
        if stuck {
            node.end(self.game.stuck(position));
        }
    }

    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.parents_of(class, &[slot], |parent| parents.push(parent));
        true
    }

    fn parents_of(&self, class: usize, slots: &[u64], visit: impl FnMut(u64)) {
        let Class::Moving { halves } = self.classes.list()[class] else { return };
        #[cfg(target_arch = "x86_64")]
        if self.fast {
            // SAFETY: `fast` says that the processor has the features.
            return unsafe { bmi2::parents_of(&self.table(), halves, slots, visit) };
        }
        self.table().parents_of::<Portable>(halves, slots, visit);
    }

    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }

    fn look(&self, class: usize, slots: Range<u64>, earlier: &Earlier, sights: &mut Vec<SlotInit>) -> bool {
        let entry = self.classes.list()[class];
        #[cfg(target_arch = "x86_64")]
        if self.fast {
            // SAFETY: `fast` says that the processor has the features.
            unsafe { bmi2::look(&self.table(), entry, slots, earlier, sights) };
            return true;
        }
        self.table().look::<Portable>(entry, slots, earlier, sights);
        true
    }

    fn stays(&self, class: usize) -> bool {
        matches!(self.classes.list()[class], Class::Moving { .. })
    }
}
