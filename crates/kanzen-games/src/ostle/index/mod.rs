//! Boards as dense numbers: for each class of pieces, every board up to symmetry once.
//!
//! ```text
//! hole    one of six squares stands for all 25
//! row     the mover's pieces, up to the symmetries that keep the hole       42504 -> 21...
//! column  the opponent's pieces on what is left, in colexicographic order
//!
//! slots of a hole:  row 0 | row 1 | ... | rows of symmetric movers, a dictionary closes the gaps of each
//! ```
//!
//! Where the mover's pieces have a symmetry of their own, only the smaller of the opponent's mirror images has a slot.
//! A look-up is two small tables for each side, one entry for the row, and a gather.

mod rows;
mod shortcuts;

use std::sync::OnceLock;

use kanzen::index::{Combinations, Dictionary};
use kanzen::machine::cpu::{Gather, Work, dispatch, pdep, pext};

use super::board::{ALL, Board, Mask};
use super::moves::Move;
use super::symmetry::{IMAGE, SYMMETRIES, THEN, image};
use kanzen::index::rank_of_size as rank;
use rows::{Entry, Rows, count_sets, without};
pub use shortcuts::Desk;

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

/// The square of the six that stands for a hole.
pub fn hole_that_stands_for(hole: u8) -> u8 {
    HOLES[usize::from(HOLE_OF[usize::from(hole)].0)]
}

/// Where a board is: its slot, and a symmetry that leads to the board of that slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CanonicalSlot {
    /// The number of the board in its class.
    pub slot: u32,
    /// From the board to the one that stands for it.
    pub symmetry: u8,
}

/// A [`CanonicalSlot`], and the mover's pieces on the board that stands for it.
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

/// The boards with the hole on one of the six squares.
struct HoleIndex {
    square: u8,
    rows: &'static Rows,
    /// Those of the rows, one step nearer to the hot loops.
    entries: &'static [Entry],
    first: u32,
    first_strip: usize,
    symmetric: Vec<SymmetricRow>,
}

impl HoleIndex {
    /// Where a mover of so many pieces lies.
    #[inline(always)]
    fn entry(&self, pieces: u32, mover: Mask) -> Entry {
        self.entries[rank(pieces, without(self.square, mover)) as usize]
    }
}

struct SymmetricRow {
    first: u32,
    len: u32,
    /// The columns that have a slot, listed when first asked for.
    columns: OnceLock<Dictionary>,
}

/// The numbering of the boards with so many pieces a side.
pub struct ClassIndex {
    mover: u32,
    opponent: u32,
    columns: u32,
    holes: Vec<HoleIndex>,
    opponents: Vec<Mask>,
    slots: u32,
    strips: usize,
}

impl ClassIndex {
    /// The class of boards with so many pieces of the mover's and of the opponent's.
    ///
    /// # Panics
    /// If a side has more than five pieces.
    pub fn new(mover: u32, opponent: u32) -> ClassIndex {
        let opponents: Vec<Mask> = Combinations::new(24 - mover, opponent).iter().map(|mask| mask as Mask).collect();
        let columns = opponents.len() as u32;
        let mut index = ClassIndex { mover, opponent, columns, holes: Vec::new(), opponents, slots: 0, strips: 0 };
        for hole_number in 0..HOLES.len() {
            index.add_hole(hole_number);
        }
        index
    }

    fn add_hole(&mut self, hole_number: usize) {
        let (square, rows) = (HOLES[hole_number], Rows::of(self.mover, hole_number));
        let (first, first_strip) = (self.slots, self.strips);
        self.slots += rows.plain.len() as u32 * self.columns;
        let symmetric = rows.symmetric.iter().map(|&(mover, keeping)| {
            let len = count_sets(keeping, ALL & !(mover | 1 << square), self.opponent);
            let first = self.slots;
            self.slots += len;
            SymmetricRow { first, len, columns: OnceLock::new() }
        });
        let symmetric: Vec<SymmetricRow> = symmetric.collect();
        self.strips += rows.plain.len() + symmetric.len();
        self.holes.push(HoleIndex { square, rows, entries: &rows.entries, first, first_strip, symmetric });
    }

    /// How many boards there are.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The mover's pieces and the opponent's.
    pub fn pieces(&self) -> (u32, u32) {
        (self.mover, self.opponent)
    }

    /// How many strips there are.
    pub fn strips(&self) -> usize {
        self.strips
    }

    /// A strip by its number; they are in the order of their slots.
    pub fn strip(&self, number: usize) -> Strip {
        let hole_number = self.holes.partition_point(|hole| hole.first_strip <= number) - 1;
        let hole = &self.holes[hole_number];
        let (row, plain) = (number - hole.first_strip, &hole.rows.plain);
        let (first, len, mover, symmetric_row) = match row.checked_sub(plain.len()) {
            None => (hole.first + row as u32 * self.columns, self.columns, plain[row], None),
            Some(row) => {
                let SymmetricRow { first, len, .. } = hole.symmetric[row];
                (first, len, hole.rows.symmetric[row].0, Some(row as u32))
            }
        };
        Strip { first, len, mover, hole: hole.square, hole_number: hole_number as u8, symmetric_row }
    }

    /// The number of the strip that a slot is in.
    pub fn strip_of(&self, slot: u32) -> usize {
        let hole = &self.holes[self.holes.partition_point(|hole| hole.first <= slot) - 1];
        let (row, plain) = (((slot - hole.first) / self.columns) as usize, hole.rows.plain.len());
        if row < plain {
            return hole.first_strip + row;
        }
        hole.first_strip + plain + hole.symmetric.partition_point(|row| row.first <= slot) - 1
    }

    /// Where a board of the class is.
    pub fn place(&self, board: &Board) -> CanonicalSlot {
        let found = dispatch(Find { index: self, board });
        CanonicalSlot { slot: found.slot, symmetry: found.symmetry }
    }

    /// As [`place`](ClassIndex::place) for hot loops, with the mover's pieces as they lie there.
    #[inline(always)]
    pub fn find<B: Gather>(&self, bits: B, board: &Board) -> Found {
        let (hole_number, to_hole) = HOLE_OF[usize::from(board.hole)];
        let (mut mover, mut opponent) = (board.mover, board.opponent);
        if to_hole != 0 {
            (mover, opponent) = (image(to_hole, mover), image(to_hole, opponent));
        }
        let found = self.find_beside(bits, hole_number, mover, opponent);
        Found { symmetry: THEN[usize::from(to_hole)][usize::from(found.symmetry)], ..found }
    }

    /// As [`find`](ClassIndex::find) for a board whose hole is one of the six.
    #[inline(always)]
    pub fn find_beside<B: Gather>(&self, bits: B, hole_number: u8, mover: Mask, opponent: Mask) -> Found {
        let hole = &self.holes[usize::from(hole_number)];
        let entry = hole.entry(self.mover, mover);
        // Without a branch: which way a mover lies is not predictable, and symmetry 0 is one like the others.
        let (symmetry, mover) = (entry.symmetry(), entry.mover);
        let opponent = image(symmetry, opponent);
        let free = ALL & !(mover | 1 << hole.square);
        if !entry.is_symmetric() {
            let column = rank(self.opponent, bits.pext32(opponent, free));
            let slot = hole.first + entry.number() * self.columns + column;
            return Found { slot, symmetry, mover, in_symmetric_row: false };
        }
        let place = self.place_in_symmetric_row(hole, entry.number(), opponent, free, symmetry);
        Found { slot: place.slot, symmetry: place.symmetry, mover, in_symmetric_row: true }
    }

    #[cold]
    fn place_in_symmetric_row(
        &self,
        hole: &HoleIndex,
        row: u32,
        opponent: Mask,
        free: Mask,
        to_row: u8,
    ) -> CanonicalSlot {
        let (_, keeping) = hole.rows.symmetric[row as usize];
        let (smallest, last) =
            (0..8).filter(|s| keeping >> s & 1 == 1).map(|s| (image(s, opponent), s)).min().expect("the identity");
        let column = rank(self.opponent, pext(smallest.into(), free.into()) as Mask);
        let dense = self.columns_of(hole, row).rank_before(column.into());
        let slot = hole.symmetric[row as usize].first + dense as u32;
        CanonicalSlot { slot, symmetry: THEN[usize::from(to_row)][usize::from(last)] }
    }

    /// The columns of a symmetric row that have a slot.
    fn columns_of<'i>(&self, hole: &'i HoleIndex, row: u32) -> &'i Dictionary {
        hole.symmetric[row as usize].columns.get_or_init(|| {
            let (mover, keeping) = hole.rows.symmetric[row as usize];
            let free = ALL & !(mover | 1 << hole.square);
            let is_smallest = |&(_, &points): &(usize, &Mask)| {
                let opponent = pdep(points.into(), free.into()) as Mask;
                images(keeping, opponent).all(|image| image >= opponent)
            };
            let columns = self.opponents.iter().enumerate().filter(is_smallest).map(|(column, _)| column as u64);
            Dictionary::from_sorted(self.columns.into(), columns)
        })
    }

    /// The board of a slot of a strip.
    #[inline(always)]
    pub fn board_in<B: Gather>(&self, bits: B, strip: &Strip, slot: u32) -> Board {
        let column = match strip.symmetric_row {
            None => slot - strip.first,
            Some(row) => self.column_of(strip, row, slot),
        };
        let free = ALL & !(strip.mover | 1 << strip.hole);
        let opponent = bits.pdep32(self.opponents[column as usize], free);
        Board { hole: strip.hole, mover: strip.mover, opponent }
    }

    fn column_of(&self, strip: &Strip, row: u32, slot: u32) -> u32 {
        let columns = self.columns_of(&self.holes[usize::from(strip.hole_number)], row);
        columns.select((slot - strip.first).into()).expect("a slot of the strip") as u32
    }

    /// The board of a slot.
    pub fn board(&self, slot: u32) -> Board {
        dispatch(BoardAt { index: self, slot })
    }

    /// Whether a symmetry keeps a board of a strip of this class.
    #[inline(always)]
    pub fn is_symmetric(&self, strip: &Strip, board: &Board) -> bool {
        strip.symmetric_row.is_some_and(|row| {
            let (_, keeping) = self.holes[usize::from(strip.hole_number)].rows.symmetric[row as usize];
            images(keeping & !1, board.opponent).any(|image| image == board.opponent)
        })
    }
}

/// One board found on its own.
struct Find<'i> {
    index: &'i ClassIndex,
    board: &'i Board,
}

impl Work for Find<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Found {
        self.index.find(bits, self.board)
    }
}

/// One slot's board on its own.
struct BoardAt<'i> {
    index: &'i ClassIndex,
    slot: u32,
}

impl Work for BoardAt<'_> {
    type Output = Board;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Board {
        let BoardAt { index, slot } = self;
        index.board_in(bits, &index.strip(index.strip_of(slot)), slot)
    }
}

fn images(symmetries: u8, mask: Mask) -> impl Iterator<Item = Mask> {
    (0..SYMMETRIES as u8).filter(move |s| symmetries >> s & 1 == 1).map(move |s| image(s, mask))
}
