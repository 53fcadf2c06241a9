//! The one operation that moves are made of, for a block of positions at once.
//!
//! Positions whose index bits at `among` have the values `to` take what the source has where the bits `across` are
//! turned round:
//!
//! ```text
//! a piece goes from i to j     among {i, j}   to i=1 j=0    from i=0 j=1   (across {i, j})
//! the pair i, j is taken       among {i, j}   to i=1 j=1    from i=0 j=0   (across {i, j})
//! only where i is empty        among {i}      to i=0        from i=0       (across nothing)
//! ```
//!
//! Bits 0 to 5 are within a word: a shift by a fixed distance, and a mask. Bits 6 to 8 choose one of eight words: the
//! eight change places. Higher bits choose another eight. What is taken is put in, joined or met with what is there.

use kanzen_core::machine::cpu::Isa;
use kanzen_core::machine::cpu::kernels;

/// Which positions take from where: sets of index bits below the block's.
///
/// ```
/// use kanzen_core::machine::cpu::Isa;
/// use kanzen_games::musashi::sets::{Merge, Transfer, transfer};
/// let source = [1 << 0b01]; // bit 0 set, bit 1 not
/// let mut target = [0];
/// transfer(Isa::best(), Merge::Or, &mut target, &source, Transfer { among: 0b11, to: 0b10, across: 0b11 });
/// assert_eq!(target, [1 << 0b10]); // the piece has moved from 0 to 1, seen backwards
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The bits that are looked at.
    pub among: u32,
    /// Their values where something is taken, within `among`.
    pub to: u32,
    /// Those that differ at the source, within `among`.
    pub across: u32,
}

impl Transfer {
    /// All positions, from themselves.
    pub const ALL: Transfer = Transfer { among: 0, to: 0, across: 0 };
}

/// What becomes of a position that takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// It is in the set if it was or the source has it.
    Or,
    /// It is in the set if it was and the source has it.
    And,
    /// It is in the set if the source has it.
    Put,
}

/// For each of the six index bits of a word, the places where it is set.
const SET: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The places in a word with given values of some of its six index bits.
#[inline]
fn places(mut among: u32, to: u32) -> u64 {
    let mut places = u64::MAX;
    while among != 0 {
        let bit = among.trailing_zeros();
        places &= if to >> bit & 1 == 1 { SET[bit as usize] } else { !SET[bit as usize] };
        among &= among - 1;
    }
    places
}

/// Lets positions of `target` take values from `source`; both are blocks of the same length, a power of two of words.
pub fn transfer(isa: Isa, merge: Merge, target: &mut [u64], source: &[u64], what: Transfer) {
    assert!(target.len() == source.len() && target.len().is_power_of_two());
    let plan = Plan::new(what);
    match (merge, plan.distance >= 0) {
        (Merge::Or, true) => run::<OrRight>(isa, target, source, plan),
        (Merge::Or, false) => run::<OrLeft>(isa, target, source, plan),
        (Merge::And, true) => run::<AndRight>(isa, target, source, plan),
        (Merge::And, false) => run::<AndLeft>(isa, target, source, plan),
        (Merge::Put, true) => run::<PutRight>(isa, target, source, plan),
        (Merge::Put, false) => run::<PutLeft>(isa, target, source, plan),
    }
}

/// Lets positions of a block take values from other positions of the same block: [`Merge::Put`] in place. The places
/// that take and those that give are different, so `across` must not be empty.
pub fn transfer_within(isa: Isa, block: &mut [u64], what: Transfer) {
    assert!(what.across & what.among != 0 && block.len().is_power_of_two());
    let plan = Plan::new(what);
    match (plan.distance >= 0, plan.across & 7) {
        (true, 0) => within::<Lanes<PutRight, 0>>(isa, block, plan),
        (true, 1) => within::<Lanes<PutRight, 1>>(isa, block, plan),
        (true, 2) => within::<Lanes<PutRight, 2>>(isa, block, plan),
        (true, 3) => within::<Lanes<PutRight, 3>>(isa, block, plan),
        (true, 4) => within::<Lanes<PutRight, 4>>(isa, block, plan),
        (true, 5) => within::<Lanes<PutRight, 5>>(isa, block, plan),
        (true, 6) => within::<Lanes<PutRight, 6>>(isa, block, plan),
        (true, _) => within::<Lanes<PutRight, 7>>(isa, block, plan),
        (false, 0) => within::<Lanes<PutLeft, 0>>(isa, block, plan),
        (false, 1) => within::<Lanes<PutLeft, 1>>(isa, block, plan),
        (false, 2) => within::<Lanes<PutLeft, 2>>(isa, block, plan),
        (false, 3) => within::<Lanes<PutLeft, 3>>(isa, block, plan),
        (false, 4) => within::<Lanes<PutLeft, 4>>(isa, block, plan),
        (false, 5) => within::<Lanes<PutLeft, 5>>(isa, block, plan),
        (false, 6) => within::<Lanes<PutLeft, 6>>(isa, block, plan),
        (false, _) => within::<Lanes<PutLeft, 7>>(isa, block, plan),
    }
}

/// A transfer in terms of words.
#[derive(Clone, Copy)]
struct Plan {
    places: u64,
    lanes: [u64; 8],
    distance: i32,
    among: usize,
    to: usize,
    across: usize,
}

impl Plan {
    fn new(what: Transfer) -> Plan {
        let Transfer { among, to, across } = what;
        let places = places(among & 63, to & 63);
        Plan {
            places,
            lanes: lane_places(places, (among >> 6) as usize, (to >> 6) as usize),
            // From place p to its source: a fixed distance, since all bits concerned are known.
            distance: ((to ^ across) & 63) as i32 - (to & 63) as i32,
            among: (among >> 6) as usize,
            to: (to >> 6) as usize,
            across: (across >> 6) as usize,
        }
    }
}

/// How words are shifted and merged, and which of eight words change places.
trait Kind {
    const LANES: usize = 0;
    fn shift(word: u64, by: u32) -> u64;
    fn merge(word: u64, taken: u64, places: u64) -> u64;
}

macro_rules! kinds {
    ($($name:ident: $shift:tt, |$word:ident, $taken:ident, $places:ident| $merge:expr;)*) => {$(
        struct $name;
        impl Kind for $name {
            #[inline(always)]
            fn shift(word: u64, by: u32) -> u64 { word $shift by }
            #[inline(always)]
            fn merge($word: u64, $taken: u64, $places: u64) -> u64 { $merge }
        }
    )*};
}

kinds! {
    OrRight: >>, |word, taken, places| word | taken & places;
    OrLeft: <<, |word, taken, places| word | taken & places;
    AndRight: >>, |word, taken, places| word & (taken | !places);
    AndLeft: <<, |word, taken, places| word & (taken | !places);
    PutRight: >>, |word, taken, places| word & !places | taken & places;
    PutLeft: <<, |word, taken, places| word & !places | taken & places;
}

fn run<K: Kind>(isa: Isa, target: &mut [u64], source: &[u64], plan: Plan) {
    if target.len() < 8 {
        return narrow::<K>(target, source, plan);
    }
    match plan.across & 7 {
        0 => eights::<K, 0>(isa, target, source, plan),
        1 => eights::<K, 1>(isa, target, source, plan),
        2 => eights::<K, 2>(isa, target, source, plan),
        3 => eights::<K, 3>(isa, target, source, plan),
        4 => eights::<K, 4>(isa, target, source, plan),
        5 => eights::<K, 5>(isa, target, source, plan),
        6 => eights::<K, 6>(isa, target, source, plan),
        _ => eights::<K, 7>(isa, target, source, plan),
    }
}

/// Blocks of fewer than eight words, word by word: only tiny games have them.
fn narrow<K: Kind>(target: &mut [u64], source: &[u64], plan: Plan) {
    for at in (0..target.len()).filter(|at| at & plan.among == plan.to) {
        let taken = K::shift(source[at ^ plan.across], plan.distance.unsigned_abs());
        target[at] = K::merge(target[at], taken, plan.places);
    }
}

/// Eights of words in a whole block.
const WHOLE: usize = super::BLOCK_WORDS / 8;

/// Does something with the number of each eight that takes and of the one it takes from. Not a function: its closure
/// would not be compiled for the instruction set of the kernel.
macro_rules! each_eight {
    ($eights:expr, $plan:expr, |$at:ident, $from:ident| $visit:expr) => {
        let (among, to, across) = ($plan.among >> 3, $plan.to >> 3, $plan.across >> 3);
        let mut $at = to;
        while $at < $eights {
            let $from = $at ^ across;
            $visit;
            // The next number with the same bits among: carry over them.
            $at = (($at | among) + 1) & !among | to;
        }
    };
}

#[inline(always)]
fn take<E: Kind>(eight: &mut [u64; 8], from: [u64; 8], plan: Plan) {
    let by = plan.distance.unsigned_abs();
    for lane in 0..8 {
        let taken = E::shift(from[lane ^ E::LANES], by);
        eight[lane] = E::merge(eight[lane], taken, plan.lanes[lane]);
    }
}

/// Two index bits change places, seen from both sides at once: positions of `target` in which they differ join what
/// `source` has where they are swapped. Twice [`transfer`], at half the cost for bits within eight words.
pub fn swap(isa: Isa, target: &mut [u64], source: &[u64], bits: (u32, u32)) {
    assert!(target.len() == source.len() && target.len().is_power_of_two());
    let (low, high) = (1 << bits.0.min(bits.1), 1 << bits.0.max(bits.1));
    let both = low | high;
    let (up, down) =
        (Transfer { among: both, to: high, across: both }, Transfer { among: both, to: low, across: both });
    if high >= 1 << 9 || target.len() < 8 {
        transfer(isa, Merge::Or, target, source, up);
        transfer(isa, Merge::Or, target, source, down);
        return;
    }
    // The one with the positive distance takes from further on: by a shift to the right.
    let (up, down) = (Plan::new(up), Plan::new(down));
    let (left, right) = if up.distance < 0 { (up, down) } else { (down, up) };
    match up.across & 7 {
        0 => swap_eights::<Lanes<OrLeft, 0>>(isa, target, source, left, right),
        1 => swap_eights::<Lanes<OrLeft, 1>>(isa, target, source, left, right),
        2 => swap_eights::<Lanes<OrLeft, 2>>(isa, target, source, left, right),
        3 => swap_eights::<Lanes<OrLeft, 3>>(isa, target, source, left, right),
        4 => swap_eights::<Lanes<OrLeft, 4>>(isa, target, source, left, right),
        5 => swap_eights::<Lanes<OrLeft, 5>>(isa, target, source, left, right),
        6 => swap_eights::<Lanes<OrLeft, 6>>(isa, target, source, left, right),
        _ => swap_eights::<Lanes<OrLeft, 7>>(isa, target, source, left, right),
    }
}

/// The places that take, for each of eight words.
#[inline(always)]
fn lane_places(places: u64, among: usize, to: usize) -> [u64; 8] {
    std::array::from_fn(|lane| if lane & among == to & 7 { places } else { 0 })
}

fn eights<K: Kind, const LANES: usize>(isa: Isa, target: &mut [u64], source: &[u64], plan: Plan) {
    match target.len() == 8 * WHOLE {
        true => eights_of::<Lanes<K, LANES>>(isa, target, source, plan),
        false => eights_of_any::<Lanes<K, LANES>>(isa, target, source, plan),
    }
}

/// A kind with the change of places among eight words; one type, so that the macro needs one parameter.
struct Lanes<K, const LANES: usize>(std::marker::PhantomData<K>);

impl<K: Kind, const LANES: usize> Kind for Lanes<K, LANES> {
    const LANES: usize = LANES;

    #[inline(always)]
    fn shift(word: u64, by: u32) -> u64 {
        K::shift(word, by)
    }

    #[inline(always)]
    fn merge(word: u64, taken: u64, places: u64) -> u64 {
        K::merge(word, taken, places)
    }
}

kernels! {
    fn eights_of<E: Kind>(isa, target: &mut [u64], source: &[u64], plan: Plan) {
        let (target, _) = target.as_chunks_mut::<8>();
        let (source, _) = source.as_chunks::<8>();
        // Nearly all blocks are of this length; with the length known, the compiler checks no index.
        let target: &mut [[u64; 8]; WHOLE] = target.try_into().expect("a whole block");
        let source: &[[u64; 8]; WHOLE] = source.try_into().expect("a whole block");
        each_eight!(WHOLE, plan, |at, from| take::<E>(&mut target[at % WHOLE], source[from % WHOLE], plan));
    }

    fn eights_of_any<E: Kind>(isa, target: &mut [u64], source: &[u64], plan: Plan) {
        let (target, _) = target.as_chunks_mut::<8>();
        let (source, _) = source.as_chunks::<8>();
        each_eight!(target.len(), plan, |at, from| take::<E>(&mut target[at], source[from], plan));
    }

    fn within<E: Kind>(isa, block: &mut [u64], plan: Plan) {
        if block.len() < 8 {
            for at in (0..block.len()).filter(|at| at & plan.among == plan.to) {
                let taken = E::shift(block[at ^ plan.across], plan.distance.unsigned_abs());
                block[at] = E::merge(block[at], taken, plan.places);
            }
            return;
        }
        let (block, _) = block.as_chunks_mut::<8>();
        each_eight!(block.len(), plan, |at, from| {
            let from = block[from];
            take::<E>(&mut block[at], from, plan);
        });
    }

    fn swap_eights<E: Kind>(isa, target: &mut [u64], source: &[u64], left: Plan, right: Plan) {
        let (target, _) = target.as_chunks_mut::<8>();
        let (source, _) = source.as_chunks::<8>();
        let by = right.distance.unsigned_abs();
        // The plan's steps from eight to eight, which here are all of 1, keep the compiler from turning the loops inside
        // out: it would gather single words from eight eights.
        each_eight!(target.len(), left, |at, from| {
            let (eight, from) = (&mut target[at], source[from]);
            for lane in 0..8 {
                let other = from[lane ^ E::LANES];
                eight[lane] |= other << by & left.lanes[lane] | other >> by & right.lanes[lane];
            }
        });
    }

    /// Joins `source` to `target`.
    pub fn or(isa, target: &mut [u64], source: &[u64]) {
        for (word, other) in target.iter_mut().zip(source) {
            *word |= other;
        }
    }

    /// Keeps in `found` what `known` does not have yet, adds it there, and returns whether there was any.
    pub fn take_new(isa, found: &mut [u64], known: &mut [u64]) -> bool {
        let mut any = 0;
        for (word, old) in found.iter_mut().zip(known) {
            *word &= !*old;
            *old |= *word;
            any |= *word;
        }
        any != 0
    }

    /// Whether the block has any position.
    pub fn occupied(isa, block: &[u64]) -> bool {
        let (eights, rest) = block.as_chunks::<8>();
        let mut all = [0; 8];
        for eight in eights {
            for lane in 0..8 {
                all[lane] |= eight[lane];
            }
        }
        rest.iter().chain(&all).any(|&word| word != 0)
    }
}

#[cfg(test)]
mod tests;
