//! The hot loop of the placing classes: each child is looked up once for all slots that lead to it.
//!
//! ```text
//!   opponent o fixed, all movers m of what o leaves free: one block of slots
//!   m --a man on t--> p = m + t      p is reached from every m = p - t of the same block
//!
//!   for each p:   quiet = value of (o to move, against p)            if t closes no mill in p
//!                 taken = worst of (o - x to move, against p)        if it does; over the x that may be taken
//!                 hand `quiet` or `taken` down to each m = p - t
//! ```
//!
//! A block is a few kilobytes, so that handing down stays in the first caches; what waits for memory is one orbit and
//! one value for each p, and a few more values where p has a mill, fetched ahead for a group of them.

use std::ops::Range;
use std::sync::LazyLock;

use kanzen::Value;
use kanzen::index::{combinations, points};
use kanzen::machine::cpu::{Gather, Work};
use kanzen::machine::prefetch;
use kanzen::solve::retrograde::{Earlier, Prospects, SlotInit};

use super::target::{LOST_AT_ONCE, Target};
use crate::morris::Morris;
use crate::morris::index::{Half, OrbitInfo, Phases, Standing, Tables};

/// Children that are looked up together.
const GROUP: usize = 64;
/// No child handed down yet: no value is better for its mover.
const NO_CHILD: i16 = i16::MAX;

/// Adds the words of a stretch of slots of a placing class.
pub struct PlacingLook<'w> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub phases: &'w Phases,
    pub in_hand: u32,
    pub half: Half,
    pub slots: Range<u64>,
    pub earlier: &'w Earlier,
    pub inits: &'w mut Vec<SlotInit>,
}

impl Work for PlacingLook<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let PlacingLook { game, tables, phases, in_hand, half, slots, earlier, inits } = self;
        let target = |left: u32| Target::find(tables, phases, earlier, in_hand - 1, left, half.mover + 1);
        let quiet = target(half.opponent);
        let taking = half.opponent.checked_sub(1).and_then(target);
        let mut block = Block::new(game, tables, half, quiet, taking);
        let opponents = tables.opponents(half);
        let movers = tables.movers(half);
        let decided = &DECIDED[..];
        let mut slot = slots.start;
        while slot < slots.end {
            let (orbit, rank) = half.split(slot);
            let stretch = (slots.end - slot).min(half.per_orbit - rank) as usize;
            let wanted = rank as usize..rank as usize + stretch;
            let OrbitInfo { opponent, alone, .. } = *opponents.info(orbit);
            block.fill(bits, opponent);
            let free = game.board().all() & !opponent;
            for (&gathered, &worst) in movers[wanted.clone()].iter().zip(&block.worst[wanted]) {
                let is_hole = !alone && opponents.standing(orbit, bits.pdep32(gathered, free)) == Standing::Hole;
                inits.push(if is_hole { SlotInit::ended(Value::DRAW) } else { decided[usize::from(worst as u16)] });
            }
            slot += stretch as u64;
        }
    }
}

/// By the code of the worst child, a slot all of whose children are settled. Looked up, because whether it is won, lost
/// or drawn cannot be predicted.
static DECIDED: LazyLock<Vec<SlotInit>> = LazyLock::new(|| {
    let decided = |code: u16| {
        let mut prospects = Prospects::default();
        // Codes of no value never occur.
        prospects.add(Value::from_code(code as i16).unwrap_or(Value::DRAW));
        SlotInit::open(0, prospects)
    };
    (0..=u16::MAX).map(decided).collect()
});

/// The slots against one opponent's mask.
struct Block<'w> {
    game: &'w Morris,
    /// The mover's masks with one man more, gathered.
    placed: &'w [u32],
    quiet: Option<Target<'w>>,
    taking: Option<Target<'w>>,
    /// By symmetry of the quiet target, the opponent's image.
    images: Vec<u32>,
    /// By symmetry, the images without a man that may be taken, as many for each.
    images_left: Vec<u32>,
    /// Values of children after a man was taken, to be read for the group at hand.
    wanted: Vec<&'w i16>,
    /// By rank of the mover, the code of the child that is worst for its mover, and so best for ours.
    worst: Vec<i16>,
}

impl<'w> Block<'w> {
    fn new(
        game: &'w Morris,
        tables: &'w Tables,
        half: Half,
        quiet: Option<Target<'w>>,
        taking: Option<Target<'w>>,
    ) -> Block<'w> {
        let placed = tables.subsets(game.board().points - half.opponent, half.mover + 1);
        let worst = vec![NO_CHILD; half.per_orbit as usize];
        Block { game, placed, quiet, taking, images: vec![], images_left: vec![], wanted: vec![], worst }
    }

    /// Finds the worst child of every mover against this opponent.
    #[inline(always)]
    fn fill<B: Gather>(&mut self, bits: B, opponent: u32) {
        self.worst.fill(NO_CHILD);
        let Some(quiet) = self.quiet else { return self.worst.fill(LOST_AT_ONCE) };
        let board = self.game.board();
        let free = board.all() & !opponent;
        let removable = board.removable(opponent);
        let left = removable.count_ones() as usize;
        let images = quiet.opponents.images();
        self.images.clear();
        self.images.extend(images.iter().map(|image| image.apply(opponent)));
        self.images_left.clear();
        for (image, all) in images.iter().zip(&self.images) {
            self.images_left.extend(points(removable).map(|taken| all ^ image.point(taken)));
        }
        // Three against three fly, and have more symmetries than others.
        let alike = self.taking.is_none_or(|taking| std::ptr::eq(taking.opponents, quiet.opponents));

        let mut entries = [quiet.opponents.orbits().entry(bits.pdep32(self.placed[0], free).into()); GROUP];
        let mut codes = [&NO_CHILD; GROUP];
        let mut mills = [0; GROUP];
        for group in self.placed.chunks(GROUP) {
            for (entry, &placed) in entries.iter_mut().zip(group) {
                *entry = quiet.opponents.orbits().entry(bits.pdep32(placed, free).into());
                prefetch(*entry);
            }
            self.wanted.clear();
            for (at, &placed) in group.iter().enumerate() {
                let (orbit, symmetry) = entries[at].read();
                let against = quiet.opponents.against_orbit(quiet.half, (orbit, symmetry));
                codes[at] = quiet.fetch(against.slot_of_image(bits, self.images[usize::from(symmetry)]));
                let OrbitInfo { opponent: standing, loose, .. } = *quiet.opponents.info(orbit);
                mills[at] = 0;
                if standing == loose || opponent == 0 {
                    continue;
                }
                let mask = bits.pdep32(placed, free);
                mills[at] = bits.pext32(board.in_mills(mask), free);
                let Some(taking) = self.taking else { continue };
                if alike {
                    let against = taking.opponents.against_orbit(taking.half, (orbit, symmetry));
                    let first = usize::from(symmetry) * left;
                    for &image in &self.images_left[first..first + left] {
                        self.wanted.push(taking.fetch(against.slot_of_image(bits, image)));
                    }
                } else {
                    let against = taking.opponents.against(taking.half, mask);
                    for taken in points(removable) {
                        let image = against.image().apply(opponent ^ 1 << taken);
                        self.wanted.push(taking.fetch(against.slot_of_image(bits, image)));
                    }
                }
            }
            let mut wanted = self.wanted.iter();
            for (at, &placed) in group.iter().enumerate() {
                let quiet = *codes[at];
                if mills[at] == 0 {
                    combinations::ranks_without_each(placed, |_, rank| lower(&mut self.worst, rank, quiet));
                    continue;
                }
                let taken = match self.taking {
                    Some(_) => wanted.by_ref().take(left).fold(NO_CHILD, |worst, code| worst.min(**code)),
                    None => LOST_AT_ONCE,
                };
                combinations::ranks_without_each(placed, |point, rank| {
                    lower(&mut self.worst, rank, if mills[at] >> point & 1 == 1 { taken } else { quiet });
                });
            }
        }
    }
}

#[inline(always)]
fn lower(worst: &mut [i16], rank: u64, code: i16) {
    let worst = &mut worst[rank as usize];
    *worst = (*worst).min(code);
}
