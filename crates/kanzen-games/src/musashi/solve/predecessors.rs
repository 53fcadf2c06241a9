//! Computes predecessors of whole sets of positions: black's losses from brown's wins, and brown's wins from black's
//! losses.
//!
//! **Black to move** loses if every black move leads to a win for brown. For black on b and each neighbour c, the wins
//! with black on c are pulled back through the move. Let B and C be the bits of b and c (home, which has no bit, is
//! where black stands):
//!
//! ```text
//! before, black on b   bit C: brown on c?  must be 0       bit B: brown on home?
//! after, black on c    bit C: brown on home?               bit B: brown on b?  0, black has just left
//! ```
//!
//! Each full pair across c is captured: the value comes from where both its bits are 0. The losses are the intersection
//! over all c; where c is occupied the move does not exist and adds no condition. Neighbours below the middle row
//! mirror those above. So on the middle row the losses are what the upper neighbours allow, intersected with its mirror
//! image.
//!
//! **Brown to move** wins if some brown move leads to a loss of black. A piece moves from one point to an empty
//! neighbour: two index bits, one set and one not, swap. If both are bits of the block number, whole blocks are united;
//! if one is, half of each; if none, positions within the block.

use crate::musashi::sets::{BLOCK_WORDS, Bits, Merge, Transfer, occupied, or, swap, transfer, transfer_within};
use kanzen_core::machine::cpu::Isa;

use crate::musashi::index::layout::Layout;
use crate::musashi::rules::Board;

/// The moves of black from one point, pulled back.
pub struct BlackMoves {
    moves: Vec<BlackMove>,
}

/// One move of black, pulled back.
struct BlackMove {
    /// The number of the target among the stored points.
    to: usize,
    own_step: StepBits,
    /// Captured pairs within the block number: taken if all bits are set there.
    high_pairs: Vec<usize>,
    /// Captured pairs of a bit of the block number and a bit within the block.
    mixed_pairs: Vec<(usize, u32)>,
    /// Captured pairs within the block.
    low_pairs: Vec<u32>,
}

/// An index bit as a mask: of the block number, or within the block.
#[derive(Clone, Copy)]
enum Bit {
    High(usize),
    Low(u32),
}

/// The index bits that black's own step changes.
enum StepBits {
    /// Black leaves or enters home: the index stays the same, where this bit is 0.
    Empty(Bit),
    /// Bits B (of the point left) and C (of the point taken).
    Step(Bit, Bit),
}

/// Scratch blocks for united blocks.
pub type Scratch = [[u64; BLOCK_WORDS]];

/// The number of scratch blocks that [`BlackMoves::lost`] needs.
pub const SCRATCH_BLOCKS: usize = 5;

impl BlackMoves {
    /// Prepares the moves from `black` to stored points.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> BlackMoves {
        let bit = |slot: u32| match slot.checked_sub(layout.block_bits()) {
            Some(high) => Bit::High(1 << high),
            None => Bit::Low(1 << slot),
        };
        let moves = board.neighbours(black).iter().filter_map(|&to| Some((to, layout.number(to)?)));
        let moves = moves.map(|(point, to)| {
            let own_step = match (black == layout.home(), point == layout.home()) {
                (true, _) => StepBits::Empty(bit(layout.slot(black, point))),
                (_, true) => StepBits::Empty(bit(layout.slot(black, point))),
                _ => StepBits::Step(bit(layout.slot(point, black)), bit(layout.slot(black, point))),
            };
            let mut step =
                BlackMove { to, own_step, high_pairs: Vec::new(), mixed_pairs: Vec::new(), low_pairs: Vec::new() };
            // A pair with the point that black has just left is not full.
            for &(p, q) in board.captures(point).iter().filter(|&&(p, q)| p != black && q != black) {
                match (bit(layout.slot(point, p)), bit(layout.slot(point, q))) {
                    (Bit::High(p), Bit::High(q)) => step.high_pairs.push(p | q),
                    (Bit::Low(p), Bit::Low(q)) => step.low_pairs.push(p | q),
                    (Bit::High(high), Bit::Low(low)) | (Bit::Low(low), Bit::High(high)) => {
                        step.mixed_pairs.push((high, low));
                    }
                }
            }
            step
        });
        BlackMoves { moves: moves.collect() }
    }

    /// Returns the stored points that the moves lead to.
    pub fn targets(&self) -> impl Iterator<Item = usize> {
        self.moves.iter().map(|step| step.to)
    }

    /// Whether any block that the losses of this block depend on has changed.
    pub fn touched(&self, block: usize, changed: &[Vec<bool>]) -> bool {
        self.moves.iter().any(|step| {
            let flags = &changed[step.to];
            step.terms(block).into_iter().flatten().any(|(from, _)| {
                let from = step.after_high_pairs(from);
                flags[from] || step.mixed_touched(from, &step.mixed_pairs, flags)
            })
        })
    }

    /// Writes to `lost` the positions of a block in which every existing move leads into `won`.
    pub fn lost(&self, isa: Isa, block: usize, won: &[Bits], lost: &mut [u64], scratch: &mut Scratch) {
        lost.fill(u64::MAX);
        for step in &self.moves {
            for (from, what) in step.terms(block).into_iter().flatten() {
                let from = step.after_high_pairs(from);
                let set = &won[step.to];
                if step.low_pairs.is_empty() && step.mixed_pairs.iter().all(|(high, _)| from & high == 0) {
                    transfer(isa, Merge::And, lost, set.block(from), what);
                    continue;
                }
                let (first, rest) = scratch.split_first_mut().expect("a scratch block for each pair and one more");
                let first = &mut first[..lost.len()];
                step.fetch(isa, from, &step.mixed_pairs, set, first, rest);
                for &pair in &step.low_pairs {
                    transfer_within(isa, first, Transfer { among: pair, to: pair, across: pair });
                }
                transfer(isa, Merge::And, lost, first, what);
            }
            if !occupied(isa, lost) {
                return;
            }
        }
    }
}

impl BlackMove {
    /// Returns where the positions of a block lead: up to two blocks after the step, with the positions of each.
    fn terms(&self, block: usize) -> [Option<(usize, Transfer)>; 2] {
        let at_zero = |low: u32| Transfer { among: low, to: 0, across: 0 };
        match self.own_step {
            StepBits::Empty(Bit::High(bit)) => [(block & bit == 0).then_some((block, Transfer::ALL)), None],
            StepBits::Empty(Bit::Low(bit)) => [Some((block, at_zero(bit))), None],
            StepBits::Step(Bit::High(left), Bit::High(taken)) => {
                let after = block & !left | if block & left == 0 { 0 } else { taken };
                [(block & taken == 0).then_some((after, Transfer::ALL)), None]
            }
            StepBits::Step(Bit::High(left), Bit::Low(taken)) => {
                let across = if block & left == 0 { 0 } else { taken };
                [Some((block & !left, Transfer { among: taken, to: 0, across })), None]
            }
            StepBits::Step(Bit::Low(_), Bit::High(taken)) if block & taken != 0 => [None, None],
            StepBits::Step(Bit::Low(left), Bit::High(taken)) => {
                [Some((block, at_zero(left))), Some((block | taken, Transfer { among: left, to: left, across: left }))]
            }
            StepBits::Step(Bit::Low(left), Bit::Low(taken)) => {
                let both = left | taken;
                [Some((block, at_zero(both))), Some((block, Transfer { among: both, to: left, across: both }))]
            }
        }
    }

    fn after_high_pairs(&self, block: usize) -> usize {
        self.high_pairs.iter().filter(|&&pair| block & pair == pair).fold(block, |left, pair| left & !pair)
    }

    fn mixed_touched(&self, block: usize, pairs: &[(usize, u32)], flags: &[bool]) -> bool {
        let Some((&(high, _), rest)) = pairs.split_first() else { return flags[block] };
        self.mixed_touched(block, rest, flags) || block & high != 0 && self.mixed_touched(block & !high, rest, flags)
    }

    /// Fills `out` with a block of `won` seen through the mixed pairs.
    fn fetch(
        &self,
        isa: Isa,
        block: usize,
        pairs: &[(usize, u32)],
        won: &Bits,
        out: &mut [u64],
        scratch: &mut Scratch,
    ) {
        let Some((&(high, low), pairs)) = pairs.split_first() else { return out.copy_from_slice(won.block(block)) };
        self.fetch(isa, block, pairs, won, out, scratch);
        if block & high != 0 {
            // The pair is full where the low bit is set too: there, read the position with both bits cleared.
            let (taken, scratch) = scratch.split_first_mut().expect("a scratch block for each pair");
            let taken = &mut taken[..out.len()];
            self.fetch(isa, block & !high, pairs, won, taken, scratch);
            transfer(isa, Merge::Put, out, taken, Transfer { among: low, to: low, across: low });
        }
    }
}

/// The moves of brown with black on one point, pulled back.
pub struct BrownMoves {
    low: Vec<(u32, u32)>,          // two bits within the block
    mixed: Vec<(usize, Vec<u32>)>, // a bit of the block number, and the bits within the block that it swaps with
    high: Vec<usize>,              // two bits of the block number
}

impl BrownMoves {
    /// Prepares the moves with black on a point.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> BrownMoves {
        let mut brown_moves = BrownMoves { low: Vec::new(), mixed: Vec::new(), high: Vec::new() };
        let low_bits = layout.block_bits();
        for &(p, q) in board.edges().iter().filter(|&&(p, q)| p != black && q != black) {
            let (p, q) = (layout.slot(black, p), layout.slot(black, q));
            let (low, high) = (p.min(q), p.max(q));
            if high < low_bits {
                brown_moves.low.push((low, high));
            } else if low >= low_bits {
                brown_moves.high.push(1 << (low - low_bits) | 1 << (high - low_bits));
            } else {
                let bit = 1 << (high - low_bits);
                match brown_moves.mixed.iter_mut().find(|(other, _)| *other == bit) {
                    Some((_, lows)) => lows.push(1 << low),
                    None => brown_moves.mixed.push((bit, vec![1 << low])),
                }
            }
        }
        brown_moves
    }

    /// Writes to `won` the positions of a block with a move into a fresh block of `lost`. Returns whether there was any
    /// fresh block.
    pub fn won(&self, isa: Isa, block: usize, lost: &Bits, fresh: impl Fn(usize) -> bool, won: &mut [u64]) -> bool {
        let mut any = false;
        let mut begin = |won: &mut [u64]| {
            if !std::mem::replace(&mut any, true) {
                won.fill(0);
            }
        };
        if fresh(block) {
            begin(won);
            let own = lost.block(block);
            for &bits in &self.low {
                swap(isa, won, own, bits);
            }
        }
        for (bit, lows) in &self.mixed {
            let from = block ^ bit;
            if fresh(from) {
                begin(won);
                let from = lost.block(from);
                for &low in lows {
                    let to = if block & bit == 0 { low } else { 0 };
                    transfer(isa, Merge::Or, won, from, Transfer { among: low, to, across: low });
                }
            }
        }
        for both in &self.high {
            let (from, here) = (block ^ both, block & both);
            if here != 0 && here != *both && fresh(from) {
                begin(won);
                or(isa, won, lost.block(from));
            }
        }
        any
    }
}
