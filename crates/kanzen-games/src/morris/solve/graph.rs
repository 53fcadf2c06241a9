//! The solver's graph of morris: classes, slots, children and parents for the retrograde engine.

use std::ops::Range;

use kanzen::{Error, Game, Value};
use kanzen_core::index::Index;
use kanzen_core::machine::cpu::{Isa, dispatch_on};
use kanzen_core::machine::parallel;
use kanzen_core::{ClassId, Slot};
use kanzen_solve::Job;
use kanzen_solve::retrograde::{Earlier, EarlierCodes, FoundSlots, Graph, Node, SlotInit};
use rayon::prelude::*;

use super::initial_pass::{InitialPass, MovingBlocks};
use super::pairs::{Numbered, Pairs, Takes};
use super::parents::{ParentsOf, ParentsWithin};
use super::placing::{PlacingBlocks, PlacingClass, PlacingPass};
use super::row_gather::{RowGather, groups};
use crate::morris::index::{Half, HalfAt, MorrisIndex, Opponents, Phase, Phases, Tables};

/// Slots per parallel task, at least.
const TOGETHER: u32 = 1 << 15;

/// The classes of a game and their moves.
pub struct MorrisGraph<'a> {
    index: &'a MorrisIndex,
    /// The number of classes to solve: all, or only the moving ones, which come first.
    solved: usize,
    isa: Isa,
}

impl<'a> MorrisGraph<'a> {
    /// Builds the graph of a game. The index makes its tables on first use.
    pub fn new(index: &'a MorrisIndex) -> MorrisGraph<'a> {
        MorrisGraph { index, solved: index.phases().list().len(), isa: Isa::best() }
    }

    /// Restricts the graph to the moving classes.
    pub fn moving_only(self) -> MorrisGraph<'a> {
        let solved = self.index.phases().list().iter().filter(|phase| phase.in_hand() == 0).count();
        MorrisGraph { solved, ..self }
    }

    /// Disables instructions that not all processors have.
    #[cfg(test)]
    pub fn portable(self) -> MorrisGraph<'a> {
        MorrisGraph { isa: Isa::PORTABLE, ..self }
    }

    fn numbered(&self) -> Numbered<'a> {
        Numbered { game: self.index.game(), tables: self.index.tables(), phases: self.index.phases() }
    }

    /// Returns the phase of a class.
    pub fn phase(&self, class: usize) -> Phase {
        self.index.phases().list()[class]
    }
}

impl Graph for MorrisGraph<'_> {
    fn classes(&self) -> usize {
        self.solved
    }

    fn name(&self, class: usize) -> String {
        match self.phase(class) {
            Phase::Moving { halves: [half, _] } => format!("{}-{}", half.mover, half.opponent),
            Phase::Placing { in_hand, half } => format!("{in_hand} in hand, {}-{}", half.mover, half.opponent),
        }
    }

    fn slots(&self, class: usize) -> u64 {
        self.phase(class).slots()
    }

    fn needs(&self, class: usize) -> Vec<usize> {
        let find = |in_hand, mover, opponent| self.index.phases().find(in_hand, mover, opponent);
        let earlier = match self.phase(class) {
            Phase::Moving { halves } => halves.map(|half| find(0, half.opponent - 1, half.mover)),
            Phase::Placing { in_hand, half } => [Some(half.opponent), half.opponent.checked_sub(1)]
                .map(|left| left.and_then(|left| find(in_hand - 1, left, half.mover + 1))),
        };
        let mut needs: Vec<usize> = earlier.into_iter().flatten().map(|at| at.class).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// By the rules and the index alone: the definition that `init_slots` must agree with.
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        let game = self.index.game();
        let position = match self.index.position(game, ClassId::from(class), Slot(slot)) {
            Ok(Some(position)) => position,
            Ok(None) => return node.end(Value::DRAW),
            Err(error) => return node.fault(error.to_string()),
        };
        if let Some(value) = game.ended(position) {
            return node.end(value);
        }
        let mut stuck = true;
        game.moves(position, &mut |_, child| {
            stuck = false;
            match (game.ended(child), self.index.slot(child)) {
                (Some(value), _) if !game.counted(child) => node.settled(value),
                (_, Some((here, slot))) if here == class => node.here(slot),
                (_, Some((there, slot))) => node.settled(earlier.value(there, slot)),
                (_, None) => node.fault(format!("{} has no class", game.show(child))),
            }
        });
        if stuck {
            node.end(game.stuck(position));
        }
    }

    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.parents_of(class, &[slot], |parent| parents.push(parent));
        true
    }

    fn parents_of(&self, class: usize, slots: &[u64], visit: impl FnMut(u64)) {
        if let Phase::Moving { halves } = self.phase(class) {
            let (game, tables) = (self.index.game(), self.index.tables());
            dispatch_on(self.isa, ParentsOf { game, tables, halves, slots, visit });
        }
    }

    /// An un-move leaves the mover's men where they are. They are the opponent's men in all parents, so that the
    /// parents belong to one orbit and are adjacent.
    fn parents_within(&self, class: usize, slots: &[u64], visit: impl FnMut(u64, Range<u64>)) -> bool {
        let Phase::Moving { halves } = self.phase(class) else { return false };
        let (game, tables) = (self.index.game(), self.index.tables());
        dispatch_on(self.isa, ParentsWithin { game, tables, halves, slots, visit });
        true
    }

    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }

    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        let (game, tables, phases) = (self.index.game(), self.index.tables(), self.index.phases());
        let phase = self.phase(class);
        match phase {
            Phase::Moving { .. } => {
                dispatch_on(self.isa, InitialPass { game, tables, phases, phase, slots, earlier, inits });
            }
            Phase::Placing { in_hand, half } => {
                dispatch_on(self.isa, PlacingPass { game, tables, phases, in_hand, half, slots, earlier, inits });
            }
        }
        true
    }

    fn init_class(
        &self,
        class: usize,
        earlier: &Earlier,
        job: &Job<'_>,
        found: &FoundSlots<'_>,
    ) -> Result<bool, Error> {
        let Phase::Moving { .. } = self.phase(class) else { return Ok(false) };
        let numbered = self.numbered();
        let Numbered { game, tables, phases } = numbered;
        let after = |half: Half| phases.find(0, half.opponent - 1, half.mover);
        // Flying sides have other symmetries; these classes are few and small.
        let flies = |half: Half| half.flying || after(half).is_some_and(|after| after.half.flying);
        if self.phase(class).halves().any(|(_, half)| flies(half)) {
            return Ok(false);
        }
        for (first, half) in self.phase(class).halves() {
            let is_over = after(half).is_none();
            let takes = if is_over { None } else { Takes::make(self.isa, numbered, half, earlier, job)? };
            if takes.is_none() && !is_over {
                return Ok(false);
            }
            let row_gather = takes.as_ref().map(|takes| RowGather::new(game, tables, takes.half()));
            let bytes = row_gather.as_ref().map_or(0, RowGather::bytes::<u8>);
            let Ok(_memory) = job.reserve("takes, group by group", bytes) else { return Ok(false) };
            let groups = groups(game, tables, half, TOGETHER);
            parallel::try_for_each(groups.len(), &|number| {
                let orbits = groups[number].clone();
                let start = first + u64::from(orbits.start) * half.per_orbit;
                let mut inits = Vec::with_capacity(orbits.len() * half.per_orbit as usize);
                let takes = takes.as_ref().zip(row_gather.as_ref());
                dispatch_on(self.isa, MovingBlocks { game, tables, half, takes, orbits, inits: &mut inits });
                found(start, &inits);
                job.steps(inits.len() as u64)
            })?;
        }
        Ok(true)
    }

    fn settle_class(&self, class: usize, earlier: &Earlier, job: &Job<'_>, codes: &mut [i16]) -> Result<bool, Error> {
        let Phase::Placing { in_hand, half } = self.phase(class) else { return Ok(false) };
        let numbered = self.numbered();
        let Some(pairs) = Pairs::make(self.isa, numbered, (in_hand, half), earlier, job)? else { return Ok(false) };
        let Numbered { game, tables, .. } = numbered;
        let placing = PlacingClass::new(game, tables, half, &pairs);
        let bytes = placing.row_gather.bytes::<u16>();
        let Ok(_memory) = job.reserve("what placements lead to, group by group", bytes) else { return Ok(false) };
        let mut rest = codes;
        let mut work = Vec::new();
        for orbits in groups(game, tables, half, TOGETHER) {
            let (codes, others) = rest.split_at_mut(orbits.len() * half.per_orbit as usize);
            work.push((orbits, codes));
            rest = others;
        }
        work.into_par_iter().try_for_each(|(orbits, codes)| {
            let slots = codes.len() as u64;
            dispatch_on(self.isa, PlacingBlocks { class: &placing, orbits, codes });
            job.steps(slots)
        })?;
        Ok(true)
    }

    /// Opponents with the same high men form a group of rows. The parents of slots in one column of the group are near
    /// each other, in rows of one mover; so are the values that `RowGather` reads.
    fn rows(&self, class: usize) -> Vec<(Range<u64>, u64)> {
        let Numbered { game, tables, .. } = self.numbered();
        let groups = |(first, half): (u64, Half)| {
            let slots = move |row: u32| first + u64::from(row) * half.per_orbit;
            groups(game, tables, half, 1)
                .into_iter()
                .map(move |rows| (slots(rows.start)..slots(rows.end), half.per_orbit))
        };
        if game.board().low == 0 { Vec::new() } else { self.phase(class).halves().flat_map(groups).collect() }
    }

    /// While placing, the slots against one opponent mask share their children.
    fn together(&self, class: usize) -> u64 {
        match self.phase(class) {
            Phase::Moving { .. } => 1,
            Phase::Placing { half, .. } => half.per_orbit,
        }
    }

    fn stays(&self, class: usize) -> bool {
        matches!(self.phase(class), Phase::Moving { .. })
    }
}

/// The code of a child whose mover has already lost: no child is better for the parent.
pub const LOST_AT_ONCE: i16 = Value::loss(0).code();

/// The positions of an earlier class to which taking or placing moves lead.
#[derive(Clone, Copy)]
pub struct Target<'w> {
    pub half: Half,
    pub opponents: &'w Opponents,
    /// By slot of the half.
    codes: EarlierCodes<'w>,
}

impl<'w> Target<'w> {
    /// Finds the positions with these counts; `None` if the game is over there.
    pub fn find(
        tables: &'w Tables,
        phases: &Phases,
        earlier: &'w Earlier,
        in_hand: u32,
        mover: u32,
        opponent: u32,
    ) -> Option<Target<'w>> {
        let HalfAt { class, first, half } = phases.find(in_hand, mover, opponent)?;
        let codes = earlier.codes(class, first);
        Some(Target { half, opponents: tables.opponents(half), codes })
    }

    /// Prefetches the code of a slot, to be read later.
    #[inline(always)]
    pub fn fetch(&self, slot: u64) -> &'w i16 {
        self.codes.fetch(slot)
    }
}
