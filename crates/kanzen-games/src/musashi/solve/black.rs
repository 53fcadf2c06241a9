//! Black to move: a position is lost if every move of black's leads to a position that brown wins.
//!
//! For black on b and each neighbour c, what brown wins with black on c is pulled back through the move. Let B and C be
//! the bits of b and c (home, which has none, stands where black is):
//!
//! ```text
//! before, black on b   bit C: brown on c?  must be 0       bit B: brown on home?
//! after, black on c    bit C: brown on home?               bit B: brown on b?  0, black has just left
//! ```
//!
//! then for each pair across c that is full, from where both its bits are 0. The lost set is the intersection over all c;
//! where c is occupied the move does not exist and c demands nothing. Neighbours below the middle row are the mirror
//! images of those above, so on the middle row the lost set is what the upper neighbours allow, and its mirror image.

use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::{BLOCK_WORDS, Bits, Merge, Transfer, occupied, transfer, transfer_within};

use crate::musashi::board::Board;
use crate::musashi::index::layout::Layout;

/// All moves of black's from one point, pulled back.
pub struct Pulls {
    moves: Vec<Pull>,
}

/// One move of black's, pulled back.
struct Pull {
    /// The number of the point it leads to, among those stored.
    to: usize,
    own_step: OwnStep,
    /// Pairs within the block's number: taken if all bits are set there.
    high_pairs: Vec<usize>,
    /// Pairs of a bit of the block's number and one in the block.
    mixed_pairs: Vec<(usize, u32)>,
    /// Pairs within the block.
    low_pairs: Vec<u32>,
}

/// An index bit: in the number of the block or within the block, as a mask.
#[derive(Clone, Copy)]
enum Bit {
    High(usize),
    Low(u32),
}

/// How black's own step changes the index.
enum OwnStep {
    /// Black leaves home or comes home: the index stays, where this bit is 0.
    Empty(Bit),
    /// Bits B (of the point left) and C (of the point taken).
    Step(Bit, Bit),
}

/// Room for the blocks that a mixed pair joins.
pub type Spare = [[u64; BLOCK_WORDS]];

/// How many blocks of room [`Pulls::lost`] needs.
pub const SPARE: usize = 5;

impl Pulls {
    /// The moves from `black` to stored points.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> Pulls {
        let bit = |slot: u32| match slot.checked_sub(layout.block_bits()) {
            Some(high) => Bit::High(1 << high),
            None => Bit::Low(1 << slot),
        };
        let moves = board.neighbours(black).iter().filter_map(|&to| Some((to, layout.number(to)?)));
        let moves = moves.map(|(point, to)| {
            let own_step = match (black == layout.home(), point == layout.home()) {
                (true, _) => OwnStep::Empty(bit(layout.slot(black, point))),
                (_, true) => OwnStep::Empty(bit(layout.slot(black, point))),
                _ => OwnStep::Step(bit(layout.slot(point, black)), bit(layout.slot(black, point))),
            };
            let mut pull =
                Pull { to, own_step, high_pairs: Vec::new(), mixed_pairs: Vec::new(), low_pairs: Vec::new() };
            // A pair with the point that black has just left is not full.
            for &(p, q) in board.captures(point).iter().filter(|&&(p, q)| p != black && q != black) {
                match (bit(layout.slot(point, p)), bit(layout.slot(point, q))) {
                    (Bit::High(p), Bit::High(q)) => pull.high_pairs.push(p | q),
                    (Bit::Low(p), Bit::Low(q)) => pull.low_pairs.push(p | q),
                    (Bit::High(high), Bit::Low(low)) | (Bit::Low(low), Bit::High(high)) => {
                        pull.mixed_pairs.push((high, low));
                    }
                }
            }
            pull
        });
        Pulls { moves: moves.collect() }
    }

    /// The stored points that the moves lead to.
    pub fn targets(&self) -> impl Iterator<Item = usize> {
        self.moves.iter().map(|pull| pull.to)
    }

    /// Whether any block that the lost set of this block depends on has changed.
    pub fn touched(&self, block: usize, changed: &[Vec<bool>]) -> bool {
        self.moves.iter().any(|pull| {
            let flags = &changed[pull.to];
            pull.terms(block).into_iter().flatten().any(|(from, _)| {
                let from = pull.after_high_pairs(from);
                flags[from] || pull.mixed_touched(from, &pull.mixed_pairs, flags)
            })
        })
    }

    /// Writes to `lost` the positions of a block in which each of these moves, if it exists, leads into `won`.
    pub fn lost(&self, isa: Isa, block: usize, won: &[Bits], lost: &mut [u64], spare: &mut Spare) {
        lost.fill(u64::MAX);
        for pull in &self.moves {
            for (from, what) in pull.terms(block).into_iter().flatten() {
                let from = pull.after_high_pairs(from);
                let set = &won[pull.to];
                if pull.low_pairs.is_empty() && pull.mixed_pairs.iter().all(|(high, _)| from & high == 0) {
                    transfer(isa, Merge::And, lost, set.block(from), what);
                    continue;
                }
                let (first, rest) = spare.split_first_mut().expect("room for each pair and one more");
                let first = &mut first[..lost.len()];
                pull.fetch(isa, from, &pull.mixed_pairs, set, first, rest);
                for &pair in &pull.low_pairs {
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

impl Pull {
    /// Where the positions of a block lead: up to two blocks after the step, and which positions of either are meant.
    fn terms(&self, block: usize) -> [Option<(usize, Transfer)>; 2] {
        let at_zero = |low: u32| Transfer { among: low, to: 0, across: 0 };
        match self.own_step {
            OwnStep::Empty(Bit::High(bit)) => [(block & bit == 0).then_some((block, Transfer::ALL)), None],
            OwnStep::Empty(Bit::Low(bit)) => [Some((block, at_zero(bit))), None],
            OwnStep::Step(Bit::High(left), Bit::High(taken)) => {
                let after = block & !left | if block & left == 0 { 0 } else { taken };
                [(block & taken == 0).then_some((after, Transfer::ALL)), None]
            }
            OwnStep::Step(Bit::High(left), Bit::Low(taken)) => {
                let across = if block & left == 0 { 0 } else { taken };
                [Some((block & !left, Transfer { among: taken, to: 0, across })), None]
            }
            OwnStep::Step(Bit::Low(_), Bit::High(taken)) if block & taken != 0 => [None, None],
            OwnStep::Step(Bit::Low(left), Bit::High(taken)) => {
                [Some((block, at_zero(left))), Some((block | taken, Transfer { among: left, to: left, across: left }))]
            }
            OwnStep::Step(Bit::Low(left), Bit::Low(taken)) => {
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
    fn fetch(&self, isa: Isa, block: usize, pairs: &[(usize, u32)], won: &Bits, out: &mut [u64], spare: &mut Spare) {
        let Some((&(high, low), pairs)) = pairs.split_first() else { return out.copy_from_slice(won.block(block)) };
        self.fetch(isa, block, pairs, won, out, spare);
        if block & high != 0 {
            // The pair is full where the low bit is set as well: look where both are cleared.
            let (taken, spare) = spare.split_first_mut().expect("room for each pair");
            let taken = &mut taken[..out.len()];
            self.fetch(isa, block & !high, pairs, won, taken, spare);
            transfer(isa, Merge::Put, out, taken, Transfer { among: low, to: low, across: low });
        }
    }
}
