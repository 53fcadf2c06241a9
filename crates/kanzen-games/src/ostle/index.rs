//! Boards as dense numbers: for each class of pieces, every board up to symmetry once.
//!
//! ```text
//! hole    one of six squares stands for all 25
//! row     the mover's pieces, up to the symmetries that keep the hole       42504 -> 21...
//! column  the opponent's pieces on what is left, in colexicographic order
//!
//! slots of a hole:  row 0 | row 1 | ... | rows of symmetric movers, a dictionary closes their gaps
//! ```
//!
//! Where the mover's pieces have a symmetry of their own, only the smaller of the opponent's mirror images has a slot.
//! A look-up is two small tables for each side, one entry for the row, and a squeeze.

use kanzen::machine::cpu::{Gather, Portable};
use std::sync::LazyLock;

use kanzen::index::{Combinations, Dictionary, binomial};
use kanzen::machine::cpu::{pdep, pext};

use super::board::{ALL, Board, Mask};
use super::moves::Move;
use super::symmetry::{IMAGE, SYMMETRIES, THEN, image};

/// The squares that stand for all others, in the order of the published table.
pub const HOLES: [u8; 6] = [0, 1, 2, 6, 7, 12];

/// For each square the number of the hole that stands for it, and a symmetry that leads there.
static HOLE_OF: [(u8, u8); 25] = {
    let mut table = [(0, 0); 25];
    let mut square = 0;
    while square < 25 {
        let mut symmetry = SYMMETRIES;
        while symmetry > 0 {
            symmetry -= 1;
            let mut number = 0;
            while number < 6 {
                if IMAGE[symmetry][square] == HOLES[number] {
                    table[square] = (number as u8, symmetry as u8);
                }
                number += 1;
            }
        }
        square += 1;
    }
    table
};

/// Ranks of masks of 24 points and a given size: the low and the high twelve add up.
struct Ranks {
    low: Box<[u32; 4096]>,
    /// By size, for the points below are then known too.
    high: Box<[[u32; 4096]; 8]>,
}

static RANKS: LazyLock<Ranks> = LazyLock::new(|| {
    let table = |first_point: u32, below: &dyn Fn(u32) -> Option<u32>| {
        let mut table = Box::new([0; 4096]);
        for (bits, entry) in table.iter_mut().enumerate() {
            let Some(mut ordinal) = below((bits as u32).count_ones()) else { continue };
            for point in (0..12).filter(|point| bits >> point & 1 == 1) {
                ordinal += 1;
                *entry += binomial(first_point + point, ordinal) as u32;
            }
        }
        table
    };
    Ranks {
        low: table(0, &|_| Some(0)),
        high: {
            let mut high = Box::new([[0; 4096]; 8]);
            for (size, entries) in (0u32..).zip(high.iter_mut()) {
                *entries = *table(12, &|points| size.checked_sub(points));
            }
            high
        },
    }
});

impl Ranks {
    #[inline(always)]
    fn rank(&self, size: u32, mask: Mask) -> u32 {
        self.low[mask as usize & 4095] + self.high[size as usize & 7][mask as usize >> 12 & 4095]
    }
}

/// A mask of the board without one square: 24 points.
#[inline(always)]
fn without(square: u8, mask: Mask) -> Mask {
    let below = (1 << square) - 1;
    (mask & below) | (mask >> 1 & !below)
}

/// Where a board is: its slot, and a symmetry that leads to the board of that slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the board in its class.
    pub slot: u32,
    /// From the board to the one that stands for it.
    pub symmetry: u8,
}

/// A [`Place`], and the mover's pieces on the board that stands for it.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The number of the board in its class.
    pub slot: u32,
    /// From the board to the one that stands for it.
    pub symmetry: u8,
    /// The mover's pieces there.
    pub mover: Mask,
    /// Whether they have a symmetry of their own.
    pub in_symmetric_row: bool,
}

impl Found {
    /// The number, on the board that stands for it, of a move of the board that was placed.
    #[inline(always)]
    pub fn number(&self, mv: Move, of_the_hole: bool) -> u8 {
        let mv = mv.under(self.symmetry);
        if of_the_hole {
            return 1 + mv.direction;
        }
        5 + 4 * (self.mover & ((1 << mv.from) - 1)).count_ones() as u8 + mv.direction
    }
}

/// Places boards that share the hole and the opponent: all that is left to look up is the mover.
pub struct Desk<'i> {
    class: &'i ClassIndex,
    hole: &'i HoleIndex,
    opponents: [Mask; SYMMETRIES],
}

impl Desk<'_> {
    /// The slot of the board with this mover.
    #[inline(always)]
    pub fn slot<B: Gather>(&self, bits: B, mover: Mask) -> u32 {
        let (class, hole) = (self.class, self.hole);
        let entry = hole.entries[class.ranks.rank(class.mover, without(hole.square, mover)) as usize];
        let to_row = entry as u8 & 7;
        let free = ALL & !(image(to_row, mover) | 1 << hole.square);
        let opponent = self.opponents[usize::from(to_row)];
        if entry & 8 == 0 {
            let column = class.ranks.rank(class.opponent, bits.pext32(opponent, free));
            return hole.first + (entry >> 4) * class.columns + column;
        }
        class.place_in_symmetric_row(hole, entry >> 4, opponent, free, to_row).slot
    }
}

/// The boards that share the hole and the mover, as they lie in their row: all that is left to look up is the opponent.
pub struct Row<'i> {
    class: &'i ClassIndex,
    first: u32,
    /// The symmetry, one that keeps the hole, that brings the mover's pieces there.
    pub symmetry: u8,
    /// The mover's pieces there.
    pub mover: Mask,
    free: Mask,
}

impl Row<'_> {
    /// The slot of the board with this opponent.
    #[inline(always)]
    pub fn slot<B: Gather>(&self, bits: B, opponent: Mask) -> u32 {
        self.first + self.class.ranks.rank(self.class.opponent, bits.pext32(opponent, self.free))
    }
}

/// Consecutive slots with the same hole and mover.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    /// Its first slot.
    pub first: u32,
    /// How many slots it has.
    pub len: u32,
    /// The mover's pieces.
    pub mover: Mask,
    /// The hole.
    pub hole: u8,
    /// The hole's number.
    pub hole_number: u8,
    /// The number of the row among those of symmetric movers, if it is one.
    pub symmetric_row: Option<u32>,
}

struct HoleIndex {
    square: u8,
    first: u32,
    /// For each mover: row << 4 | is symmetric << 3 | symmetry that leads to the row's mover.
    entries: Vec<u32>,
    plain_rows: u32,
    /// For each symmetric row the symmetries that keep hole and mover, as bits.
    keeping: Vec<u8>,
    columns: Dictionary,
}

/// The numbering of the boards with so many pieces a side.
pub struct ClassIndex {
    mover: u32,
    opponent: u32,
    columns: u32,
    holes: Vec<HoleIndex>,
    strips: Vec<Strip>,
    opponents: Vec<Mask>,
    slots: u32,
    ranks: &'static Ranks,
}

impl ClassIndex {
    /// The class of boards with so many pieces of the mover's and of the opponent's.
    pub fn new(mover: u32, opponent: u32) -> ClassIndex {
        let opponents: Vec<Mask> = Combinations::new(24 - mover, opponent).iter().map(|mask| mask as Mask).collect();
        let columns = opponents.len() as u32;
        let mut index = ClassIndex {
            mover,
            opponent,
            columns,
            holes: Vec::new(),
            strips: Vec::new(),
            opponents,
            slots: 0,
            ranks: &RANKS,
        };
        for hole_number in 0..HOLES.len() {
            index.add_hole(hole_number);
        }
        index
    }

    fn add_hole(&mut self, hole_number: usize) {
        let square = HOLES[hole_number];
        let group: Vec<u8> =
            (0..SYMMETRIES as u8).filter(|&s| IMAGE[usize::from(s)][usize::from(square)] == square).collect();
        let movers = Combinations::new(24, self.mover);
        let board = ALL & !(1 << square);
        let mut entries = vec![u32::MAX; movers.len() as usize];
        let (mut plain, mut symmetric): (Vec<Mask>, Vec<(Mask, u8)>) = (Vec::new(), Vec::new());
        for points in movers.iter() {
            let mover = pdep(points, u64::from(board)) as Mask;
            let smallest = group.iter().map(|&s| image(s, mover)).min().expect("the identity is one");
            if smallest != mover {
                continue;
            }
            let keeping: u8 = group.iter().filter(|&&s| image(s, mover) == mover).map(|&s| 1 << s).sum();
            let row = if keeping == 1 {
                plain.push(mover);
                (plain.len() as u32 - 1) << 4
            } else {
                symmetric.push((mover, keeping));
                (symmetric.len() as u32 - 1) << 4 | 8
            };
            for &symmetry in group.iter().rev() {
                // The inverse leads from the smallest to where the symmetry comes from.
                let inverse = THEN[usize::from(symmetry)].iter().position(|&both| both == 0).expect("a group") as u8;
                let origin = self.ranks.rank(self.mover, without(square, image(inverse, mover)));
                entries[origin as usize] = row | u32::from(symmetry);
            }
        }
        let first = self.slots;
        for (row, &mover) in plain.iter().enumerate() {
            let (hole, hole_number, len) = (square, hole_number as u8, self.columns);
            self.strips.push(Strip { first: self.slots, len, mover, hole, hole_number, symmetric_row: None });
            debug_assert_eq!(self.slots, first + row as u32 * len);
            self.slots += len;
        }
        let mut members = Vec::new();
        for (row, &(mover, keeping)) in symmetric.iter().enumerate() {
            let free = board & !mover;
            let before = members.len();
            for (column, &points) in self.opponents.iter().enumerate() {
                let opponent = pdep(points.into(), free.into()) as Mask;
                if images(keeping, opponent).all(|image| image >= opponent) {
                    members.push(row as u64 * u64::from(self.columns) + column as u64);
                }
            }
            let len = (members.len() - before) as u32;
            let (hole, hole_number, symmetric_row) = (square, hole_number as u8, Some(row as u32));
            self.strips.push(Strip { first: self.slots, len, mover, hole, hole_number, symmetric_row });
            self.slots += len;
        }
        let universe = symmetric.len() as u64 * u64::from(self.columns);
        self.holes.push(HoleIndex {
            square,
            first,
            entries,
            plain_rows: plain.len() as u32,
            keeping: symmetric.iter().map(|&(_, keeping)| keeping).collect(),
            columns: Dictionary::from_sorted(universe, members),
        });
    }

    /// How many boards there are.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The mover's pieces and the opponent's.
    pub fn pieces(&self) -> (u32, u32) {
        (self.mover, self.opponent)
    }

    /// The strips, in the order of their slots.
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// Where a board of the class is.
    #[inline]
    pub fn place(&self, board: &Board) -> Place {
        let found = self.find(Portable, board);
        Place { slot: found.slot, symmetry: found.symmetry }
    }

    /// As [`place`](ClassIndex::place), with a squeeze of choice and the mover's pieces as they lie there.
    #[inline(always)]
    pub fn find<B: Gather>(&self, bits: B, board: &Board) -> Found {
        let (hole_number, to_hole) = HOLE_OF[usize::from(board.hole)];
        let hole = &self.holes[usize::from(hole_number)];
        let (mut mover, mut opponent) = (board.mover, board.opponent);
        if to_hole != 0 {
            (mover, opponent) = (image(to_hole, mover), image(to_hole, opponent));
        }
        let entry = hole.entries[self.ranks.rank(self.mover, without(hole.square, mover)) as usize];
        // Without a branch: which way a mover lies is not predictable, and symmetry 0 is one like the others.
        let to_row = entry as u8 & 7;
        (mover, opponent) = (image(to_row, mover), image(to_row, opponent));
        let symmetry = THEN[usize::from(to_hole)][usize::from(to_row)];
        let free = ALL & !(mover | 1 << hole.square);
        if entry & 8 == 0 {
            let column = self.ranks.rank(self.opponent, bits.pext32(opponent, free));
            let slot = hole.first + (entry >> 4) * self.columns + column;
            return Found { slot, symmetry, mover, in_symmetric_row: false };
        }
        let place = self.place_in_symmetric_row(hole, entry >> 4, opponent, free, symmetry);
        Found { slot: place.slot, symmetry: place.symmetry, mover, in_symmetric_row: true }
    }

    /// Ready to place boards with this hole, one of the six, and this opponent.
    #[inline(always)]
    pub fn desk(&self, hole_number: u8, opponent: Mask) -> Desk<'_> {
        let hole = &self.holes[usize::from(hole_number)];
        Desk { class: self, hole, opponents: std::array::from_fn(|symmetry| image(symmetry as u8, opponent)) }
    }

    /// The row of a mover with this hole, one of the six; none if the mover's pieces have a symmetry of their own.
    #[inline(always)]
    pub fn row(&self, hole_number: u8, mover: Mask) -> Option<Row<'_>> {
        let hole = &self.holes[usize::from(hole_number)];
        let entry = hole.entries[self.ranks.rank(self.mover, without(hole.square, mover)) as usize];
        let symmetry = entry as u8 & 7;
        let mover = image(symmetry, mover);
        let (first, free) = (hole.first + (entry >> 4) * self.columns, ALL & !(mover | 1 << hole.square));
        (entry & 8 == 0).then_some(Row { class: self, first, symmetry, mover, free })
    }

    #[cold]
    fn place_in_symmetric_row(&self, hole: &HoleIndex, row: u32, opponent: Mask, free: Mask, to_row: u8) -> Place {
        let keeping = hole.keeping[row as usize];
        let (smallest, last) =
            (0..8).filter(|s| keeping >> s & 1 == 1).map(|s| (image(s, opponent), s)).min().expect("the identity");
        let column = self.ranks.rank(self.opponent, pext(smallest.into(), free.into()) as Mask);
        let dense = hole.columns.rank_before(u64::from(row) * u64::from(self.columns) + u64::from(column));
        let slot = hole.first + hole.plain_rows * self.columns + dense as u32;
        Place { slot, symmetry: THEN[usize::from(to_row)][usize::from(last)] }
    }

    /// The strip that a slot is in.
    #[inline]
    pub fn strip_of(&self, slot: u32) -> usize {
        self.strips.partition_point(|strip| strip.first <= slot) - 1
    }

    /// The board of a slot of a strip.
    #[inline(always)]
    pub fn board_in(&self, strip: &Strip, slot: u32) -> Board {
        let column = match strip.symmetric_row {
            None => slot - strip.first,
            Some(row) => {
                let hole = &self.holes[usize::from(strip.hole_number)];
                let dense = u64::from(slot - hole.first - hole.plain_rows * self.columns);
                let number = hole.columns.select(dense).expect("a slot of the class");
                (number - u64::from(row) * u64::from(self.columns)) as u32
            }
        };
        let free = ALL & !(strip.mover | 1 << strip.hole);
        let opponent = pdep(self.opponents[column as usize].into(), free.into()) as Mask;
        Board { hole: strip.hole, mover: strip.mover, opponent }
    }

    /// The board of a slot.
    pub fn board(&self, slot: u32) -> Board {
        self.board_in(&self.strips[self.strip_of(slot)], slot)
    }

    /// Whether a symmetry keeps a board of a strip of this class.
    #[inline(always)]
    pub fn is_symmetric(&self, strip: &Strip, board: &Board) -> bool {
        strip.symmetric_row.is_some_and(|row| {
            let keeping = self.holes[usize::from(strip.hole_number)].keeping[row as usize] & !1;
            images(keeping, board.opponent).any(|image| image == board.opponent)
        })
    }
}

fn images(symmetries: u8, mask: Mask) -> impl Iterator<Item = Mask> {
    (0..SYMMETRIES as u8).filter(move |s| symmetries >> s & 1 == 1).map(move |s| image(s, mask))
}
