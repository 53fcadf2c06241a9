//! The index of Ostle boards: ranks and unranks the boards of a class of piece counts, each up to symmetry once.
//!
//! ```text
//! hole    one of six squares represents all 25
//! row     the mover's pieces, up to the symmetries that fix the hole        42504 -> 21...
//! column  the opponent's pieces on the free squares, in colexicographic order
//!
//! slots of a hole:  row 0 | row 1 | ... | rows of symmetric movers, each compacted by a dictionary
//! ```
//!
//! If the mover's pieces are symmetric, only the least of the opponent's mirror images has a slot. Ranking takes two
//! small table look-ups for each side, one for the row, and a gather.

mod fixed;

use std::sync::OnceLock;

pub use fixed::FixedOpponent;
use kanzen_core::index::rank_of_size as rank;
use kanzen_core::index::{Combinations, Dictionary, sets_kept};
use kanzen_core::machine::cpu::{Gather, Work, dispatch, pdep, pext};

use super::board::{ALL, Board, IMAGE, Mask, SYMMETRIES, THEN, image};
use super::moves::Move;

/// The squares that represent all others, in the order of the published table.
pub const HOLES: [u8; 6] = [0, 1, 2, 6, 7, 12];

/// For each square: the index of its representative in [`HOLES`], and a symmetry that maps it there.
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

/// The representative of a hole square.
pub fn canonical_hole(hole: u8) -> u8 {
    HOLES[usize::from(HOLE_OF[usize::from(hole)].0)]
}

/// The slot of a board, and a symmetry that maps the board to its canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CanonicalSlot {
    /// The rank of the board in its class.
    pub slot: u32,
    /// Maps the board to its canonical form.
    pub symmetry: u8,
}

/// A [`CanonicalSlot`] with the mover's pieces on the canonical board.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The rank of the board in its class.
    pub slot: u32,
    /// Maps the board to its canonical form.
    pub symmetry: u8,
    /// The mover's pieces on the canonical board.
    pub mover: Mask,
    /// Whether they are symmetric.
    pub in_symmetric_row: bool,
}

impl Found {
    /// Returns the number, on the canonical board, of a move of the ranked board.
    #[inline(always)]
    pub fn number(&self, mv: Move, of_the_hole: bool) -> u8 {
        let mv = mv.under(self.symmetry);
        if of_the_hole {
            return 1 + mv.direction;
        }
        5 + 4 * (self.mover & ((1 << mv.from) - 1)).count_ones() as u8 + mv.direction
    }
}

/// Consecutive slots that share the hole and the mover's pieces.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    /// The first slot.
    pub first: u32,
    /// The number of slots.
    pub len: u32,
    /// The mover's pieces.
    pub mover: Mask,
    /// The square of the hole.
    pub hole: u8,
    /// The index of the hole in [`HOLES`].
    pub hole_number: u8,
    /// The number of the row among those of symmetric movers, if it is one.
    pub symmetric_row: Option<u32>,
}

/// The boards with the hole on one of the six squares.
struct HoleIndex {
    square: u8,
    rows: &'static Rows,
    /// The entries of `rows`, with one indirection less in hot loops.
    entries: &'static [Entry],
    first: u32,
    first_strip: usize,
    symmetric: Vec<SymmetricRow>,
}

impl HoleIndex {
    /// Looks up the row of a mover.
    #[inline(always)]
    fn entry(&self, pieces: u32, mover: Mask) -> Entry {
        self.entries[rank(pieces, without(self.square, mover)) as usize]
    }
}

struct SymmetricRow {
    first: u32,
    len: u32,
    /// The columns that have a slot, listed on first use.
    columns: OnceLock<Dictionary>,
}

/// The index of the boards with given piece counts.
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
    /// The index of the class with these piece counts.
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

    /// The number of boards.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The piece counts of the mover and the opponent.
    pub fn pieces(&self) -> (u32, u32) {
        (self.mover, self.opponent)
    }

    /// The number of strips.
    pub fn strips(&self) -> usize {
        self.strips
    }

    /// Returns a strip by its number; strips are numbered in slot order.
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

    /// Returns the number of the strip that contains a slot.
    pub fn strip_of(&self, slot: u32) -> usize {
        let hole = &self.holes[self.holes.partition_point(|hole| hole.first <= slot) - 1];
        let (row, plain) = (((slot - hole.first) / self.columns) as usize, hole.rows.plain.len());
        if row < plain {
            return hole.first_strip + row;
        }
        hole.first_strip + plain + hole.symmetric.partition_point(|row| row.first <= slot) - 1
    }

    /// Ranks a board of the class.
    pub fn place(&self, board: &Board) -> CanonicalSlot {
        let found = dispatch(Find { index: self, board });
        CanonicalSlot { slot: found.slot, symmetry: found.symmetry }
    }

    /// Like [`place`](ClassIndex::place), inlined for hot loops, with the mover's canonical pieces.
    #[inline(always)]
    pub fn find<B: Gather>(&self, bits: B, board: &Board) -> Found {
        let (hole_number, to_hole) = HOLE_OF[usize::from(board.hole)];
        let (mut mover, mut opponent) = (board.mover, board.opponent);
        if to_hole != 0 {
            (mover, opponent) = (image(to_hole, mover), image(to_hole, opponent));
        }
        let found = self.find_at(bits, hole_number, mover, opponent);
        Found { symmetry: THEN[usize::from(to_hole)][usize::from(found.symmetry)], ..found }
    }

    /// Like [`find`](ClassIndex::find), for a board whose hole is one of the six.
    #[inline(always)]
    pub fn find_at<B: Gather>(&self, bits: B, hole_number: u8, mover: Mask, opponent: Mask) -> Found {
        let hole = &self.holes[usize::from(hole_number)];
        let entry = hole.entry(self.mover, mover);
        // Without a branch: the symmetry is unpredictable, and applying the identity costs the same.
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

    /// Unranks a slot of a strip.
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

    /// Unranks a slot.
    pub fn board(&self, slot: u32) -> Board {
        dispatch(BoardAt { index: self, slot })
    }

    /// Whether a non-trivial symmetry fixes a board of a strip of this class.
    #[inline(always)]
    pub fn is_symmetric(&self, strip: &Strip, board: &Board) -> bool {
        strip.symmetric_row.is_some_and(|row| {
            let (_, keeping) = self.holes[usize::from(strip.hole_number)].rows.symmetric[row as usize];
            images(keeping & !1, board.opponent).any(|image| image == board.opponent)
        })
    }
}

/// Ranks a single board.
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

/// Unranks a single slot.
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

/// The most pieces of a side.
const MOST: usize = 5;

/// The row of a mover and the row's mover, adjacent so that one cache line holds both.
#[derive(Clone, Copy)]
pub struct Entry {
    /// row << 4 | is symmetric << 3 | symmetry that maps to the row's mover
    pub row: u32,
    /// The row's mover.
    pub mover: Mask,
}

impl Entry {
    /// The symmetry that maps to the row's mover.
    #[inline(always)]
    pub fn symmetry(self) -> u8 {
        self.row as u8 & 7
    }

    /// Whether the row's mover is symmetric.
    #[inline(always)]
    pub fn is_symmetric(self) -> bool {
        self.row & 8 != 0
    }

    /// The number of the row, among the symmetric rows or among the others.
    #[inline(always)]
    pub fn number(self) -> u32 {
        self.row >> 4
    }
}

/// The rows of one hole: the movers up to the symmetries that fix the hole.
pub struct Rows {
    /// The entry of each mover.
    pub entries: Vec<Entry>,
    /// The movers of the rows that are not symmetric.
    pub plain: Vec<Mask>,
    /// The movers of the symmetric rows, each with the symmetries that fix it and the hole, as bits.
    pub symmetric: Vec<(Mask, u8)>,
}

impl Rows {
    /// Returns the rows of a hole, built on first use.
    ///
    /// # Panics
    /// If there are more than five pieces.
    pub fn of(pieces: u32, hole_number: usize) -> &'static Rows {
        static ROWS: [[OnceLock<Rows>; HOLES.len()]; MOST + 1] =
            [const { [const { OnceLock::new() }; HOLES.len()] }; MOST + 1];
        ROWS[pieces as usize][hole_number].get_or_init(|| Rows::new(pieces, HOLES[hole_number]))
    }

    fn new(pieces: u32, hole: u8) -> Rows {
        let group: Vec<u8> =
            (0..SYMMETRIES as u8).filter(|&s| IMAGE[usize::from(s)][usize::from(hole)] == hole).collect();
        let movers = Combinations::new(24, pieces);
        let board = u64::from(ALL & !(1 << hole));
        let mut rows = Rows {
            entries: vec![Entry { row: 0, mover: 0 }; movers.len() as usize],
            plain: Vec::new(),
            symmetric: Vec::new(),
        };
        for points in movers.iter() {
            let mover = pdep(points, board) as Mask;
            if group.iter().any(|&s| image(s, mover) < mover) {
                continue;
            }
            let keeping: u8 = group.iter().filter(|&&s| image(s, mover) == mover).map(|&s| 1 << s).sum();
            let row = if keeping == 1 {
                rows.plain.push(mover);
                (rows.plain.len() as u32 - 1) << 4
            } else {
                rows.symmetric.push((mover, keeping));
                (rows.symmetric.len() as u32 - 1) << 4 | 8
            };
            for &symmetry in group.iter().rev() {
                // The inverse maps the least image to the mover that the symmetry started from.
                let inverse = THEN[usize::from(symmetry)].iter().position(|&both| both == 0).expect("a group") as u8;
                let origin = rank(pieces, without(hole, image(inverse, mover)));
                rows.entries[origin as usize] = Entry { row: row | u32::from(symmetry), mover };
            }
        }
        rows
    }
}

/// Removes one square from a mask, which leaves 24 bits.
#[inline(always)]
pub fn without(square: u8, mask: Mask) -> Mask {
    let below = (1 << square) - 1;
    (mask & below) | (mask >> 1 & !below)
}

/// Counts the subsets of `free` of a given size, up to these symmetries, all of which must fix `free` (Burnside).
pub fn count_sets(symmetries: u8, free: Mask, size: u32) -> u32 {
    let of = |s: usize| sets_kept(&IMAGE[s], free.into(), size)[size as usize];
    let kept: u64 = (0..SYMMETRIES).filter(|s| symmetries >> s & 1 == 1).map(of).sum();
    kept as u32 / symmetries.count_ones()
}
