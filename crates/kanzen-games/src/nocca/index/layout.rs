//! Maps positions to bits and back: the layout of the two arrays of a board.
//!
//! A board is cut into its top row, its bottom row and the middle between them, and the middle into an upper and a
//! lower part:
//!
//! ```text
//! top       . . . . .   white walks off here
//! upper     . . . . .
//!           . . . . .   the middle: all heights with a given sum, ranked
//! lower     . . . . .
//!           . . . . .
//! bottom    . . . . .   black walks off here
//! ```
//!
//! All boards with the same top and bottom rows form a *slab*: a chunk of bits per middle, one bit per colouring. Of a
//! slab and its mirror image one is stored. A slab that is its own mirror image has every board twice.
//!
//! There are two arrays. `Losses` has white to move: a white piece on top of the top row wins at once, so colourings
//! with one have no bit. `Wins` has black to move, and the same holds for black on the bottom row. Slabs with the same
//! goal row of the mover are adjacent: moves of a sweep's mover never change that row.

use kanzen::Colour;
use kanzen_core::machine::cpu::{pdep, pext};

use super::colouring::{Space, Spaces};
use super::heights;
use super::heights::Part;
use crate::nocca::rules::{MOST_CELLS, Position, Stack};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    /// White to move.
    Losses,
    /// Black to move.
    Wins,
}

impl Array {
    /// Both arrays, by number.
    pub const BOTH: [Array; 2] = [Array::Losses, Array::Wins];

    /// Returns the name of the array's plane.
    pub fn name(self) -> &'static str {
        match self {
            Array::Losses => "losses",
            Array::Wins => "wins",
        }
    }

    /// Returns the array for positions of a side to move.
    pub fn of(side: Colour) -> Array {
        match side {
            Colour::White => Array::Losses,
            Colour::Black => Array::Wins,
        }
    }

    /// Returns the other array.
    pub fn other(self) -> Array {
        match self {
            Array::Losses => Array::Wins,
            Array::Wins => Array::Losses,
        }
    }
}

/// The boards with the same top and bottom rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slab {
    /// The code of the top row.
    pub top: u32,
    /// The code of the bottom row.
    pub bottom: u32,
    /// Pieces in the middle.
    pub middle: u32,
    /// The number of middles.
    pub boards: usize,
    /// Whether the slab is its own mirror image.
    pub symmetric: bool,
}

/// The slabs of an array with the same goal row of its mover, or its mirror image.
pub struct Group {
    /// The words of the array.
    pub words: std::ops::Range<usize>,
    /// The number of slabs.
    pub slabs: usize,
}

/// The place of each slab in an array.
#[derive(Default)]
struct Places {
    start: Vec<usize>,
    order: Vec<u32>,
    groups: Vec<Group>,
    words: usize,
}

/// The index of one board size.
pub struct Layout {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board, and pieces of each side.
    pub columns: usize,
    /// The columns of a row in the order of their places.
    pub by_place: Vec<usize>,
    /// The upper part of the middle.
    pub upper: Part,
    /// The lower part of the middle.
    pub lower: Part,
    spaces: Spaces,
    /// `first[sum][upper sum]`: the first middle of this sum whose upper part has that sum.
    first: Vec<Vec<usize>>,
    slabs: Vec<Slab>,
    slab_of: Vec<u32>,
    losses: Places,
    wins: Places,
}

/// In place of a slab's number plus one. Zero, so that pages never read stay unmapped.
const NOT_STORED: u32 = 0;

impl Layout {
    /// Builds the layout of a board.
    pub fn new(rows: usize, columns: usize) -> Layout {
        let pieces = 2 * columns as u32;
        // Runs over the lower part should be long, and its tables should fit into the L1 cache.
        let lower_rows = (rows - 2).min(2);
        let upper = Part::new(rows - 2 - lower_rows, columns, pieces);
        let lower = Part::new(lower_rows, columns, pieces);
        let first: Vec<Vec<usize>> = (0..=pieces)
            .map(|sum| {
                let runs = (0..=sum).map(|of_upper| upper.len(of_upper) * lower.len(sum - of_upper));
                let ends = runs.scan(0, |end, run| {
                    *end += run;
                    Some(*end)
                });
                std::iter::once(0).chain(ends).collect()
            })
            .collect();
        let mirrors: Vec<u32> = (0..1 << (2 * columns)).map(|row| heights::mirrored(row, 1, columns)).collect();
        let slabs = stored_slabs(pieces, &mirrors, &first);
        let mut slab_of = vec![NOT_STORED; mirrors.len() * mirrors.len()];
        for (number, slab) in (1..).zip(&slabs) {
            slab_of[(slab.top << (2 * columns) | slab.bottom) as usize] = number;
        }
        let spaces = Spaces::new(pieces);
        let by_place = heights::columns_by_place(columns);
        let [losses, wins] = [(); 2].map(|()| Places::default());
        let mut layout = Layout { rows, columns, by_place, upper, lower, spaces, first, slabs, slab_of, losses, wins };
        layout.losses = layout.places_of(Array::Losses, &mirrors);
        layout.wins = layout.places_of(Array::Wins, &mirrors);
        layout
    }

    fn places_of(&self, array: Array, mirrors: &[u32]) -> Places {
        let mut by_row = vec![Vec::new(); mirrors.len()];
        for (number, slab) in (0u32..).zip(&self.slabs) {
            let row = self.goal_row(array, slab.top, slab.bottom);
            by_row[row.min(mirrors[row as usize]) as usize].push(number);
        }
        let mut places = Places { start: vec![0; self.slabs.len()], ..Places::default() };
        for slabs in by_row.iter().filter(|slabs| !slabs.is_empty()) {
            let first = places.words;
            let Slab { top, bottom, .. } = self.slabs[slabs[0] as usize];
            let width = self.space(array, top, bottom).width(); // depends on the goal row only
            for &number in slabs {
                places.start[number as usize] = places.words;
                places.words += self.slabs[number as usize].boards * width;
            }
            places.groups.push(Group { words: first..places.words, slabs: slabs.len() });
            places.order.extend(slabs);
        }
        places
    }

    fn places(&self, array: Array) -> &Places {
        match array {
            Array::Losses => &self.losses,
            Array::Wins => &self.wins,
        }
    }

    /// Returns the goal row of an array's mover.
    pub fn goal_row(&self, array: Array, top: u32, bottom: u32) -> u32 {
        match array {
            Array::Losses => top,
            Array::Wins => bottom,
        }
    }

    /// Returns the space of an array's colourings on boards with these rows: over all pieces except the tops of the
    /// goal row, which are the opponent's.
    pub fn space(&self, array: Array, top: u32, bottom: u32) -> &Space {
        let given = heights::occupied(self.goal_row(array, top, bottom));
        let (pieces, side) = (2 * self.columns as u32, self.columns as u32);
        match array {
            Array::Losses => self.spaces.of(pieces - given, side),
            Array::Wins => self.spaces.of(pieces - given, side - given),
        }
    }

    /// Returns the space of `pieces` pieces with `whites` white ones, or `None` if there is none.
    pub fn space_of(&self, pieces: u32, whites: i32) -> Option<&Space> {
        let whites = u32::try_from(whites).ok().filter(|&whites| whites <= pieces)?;
        Some(self.spaces.of(pieces, whites))
    }

    /// Returns the space of all colourings of a board.
    pub fn full_space(&self) -> &Space {
        self.spaces.of(2 * self.columns as u32, self.columns as u32)
    }

    /// Returns the tops of an array's goal row, as bits over all pieces in order. Their colour is known, so they have
    /// no bit in a colouring.
    pub fn given(&self, array: Array, top: u32, bottom: u32) -> u32 {
        match array {
            Array::Losses => heights::tops(top, self.columns),
            Array::Wins => heights::tops(bottom, self.columns) << (2 * self.columns as u32 - heights::sum(bottom)),
        }
    }

    /// Renumbers a set of pieces of a board to the pieces of an array's space, without the tops of the goal row.
    pub fn with_bits(&self, array: Array, top: u32, bottom: u32, pieces: u32) -> u32 {
        pext(pieces.into(), !u64::from(self.given(array, top, bottom))) as u32
    }

    /// Returns the number of words in an array.
    pub fn words(&self, array: Array) -> usize {
        self.places(array).words
    }

    /// Returns the groups of an array in the order of their words.
    pub fn groups(&self, array: Array) -> &[Group] {
        &self.places(array).groups
    }

    /// Returns the slabs of an array in the order of their words, each with its first word.
    pub fn slabs(&self, array: Array) -> impl Iterator<Item = (&Slab, usize)> {
        let places = self.places(array);
        places.order.iter().map(|&slab| (&self.slabs[slab as usize], places.start[slab as usize]))
    }

    /// Returns the slab of two rows, or `None` if its mirror image is the stored one.
    pub fn slab(&self, top: u32, bottom: u32) -> Option<&Slab> {
        self.slabs.get(self.slab_number(top, bottom))
    }

    /// Returns the number of a stored slab.
    pub fn slab_number(&self, top: u32, bottom: u32) -> usize {
        (self.slab_of[(top << (2 * self.columns) | bottom) as usize] as usize).wrapping_sub(1)
    }

    /// Returns the stored slabs by number.
    pub fn stored_slabs(&self) -> &[Slab] {
        &self.slabs
    }

    /// Returns the number of stored slabs.
    pub fn slab_count(&self) -> usize {
        self.slabs.len()
    }

    /// Returns the first word of a stored slab.
    pub fn start(&self, array: Array, top: u32, bottom: u32) -> usize {
        self.places(array).start[self.slab_number(top, bottom)]
    }

    /// Returns the number of middles with a sum.
    pub fn middles(&self, sum: u32) -> usize {
        *self.first[sum as usize].last().expect("at least one run")
    }

    /// Returns the first middle of a run: those with this sum and this upper part.
    pub fn run(&self, sum: u32, upper_sum: u32, upper: usize) -> usize {
        self.first[sum as usize][upper_sum as usize] + upper * self.lower.len(sum - upper_sum)
    }

    /// Returns the slab of an array that contains a word, and its first word.
    pub fn slab_at(&self, array: Array, word: usize) -> Option<(&Slab, usize)> {
        let Places { start, order, words, .. } = self.places(array);
        // No slab is empty, so each has its own first word.
        let after = order.partition_point(|&slab| start[slab as usize] <= word);
        let slab = *order.get(after.checked_sub(1)?)? as usize;
        (word < *words).then(|| (&self.slabs[slab], start[slab]))
    }

    /// Splits a middle into the sum and rank of its upper part and the rank of its lower part.
    pub fn parts(&self, sum: u32, middle: usize) -> (u32, usize, usize) {
        let first = &self.first[sum as usize];
        let upper_sum = first.partition_point(|&first| first <= middle) - 1;
        let within = middle - first[upper_sum];
        let lowers = self.lower.len(sum - upper_sum as u32);
        (upper_sum as u32, within / lowers, within % lowers)
    }
}

/// Lists the slabs of boards with `pieces` pieces, one of each two mirror images. `mirrors` has the mirror image of
/// each row.
fn stored_slabs(pieces: u32, mirrors: &[u32], first: &[Vec<usize>]) -> Vec<Slab> {
    let rows: Vec<(u32, u32, u32)> =
        (0..).zip(mirrors).map(|(row, &mirror)| (row, mirror, heights::sum(row))).collect();
    let mut slabs = Vec::new();
    for &(top, top_mirror, on_top) in rows.iter().filter(|(top, mirror, _)| top <= mirror) {
        for &(bottom, bottom_mirror, on_bottom) in rows.iter().filter(|(_, _, sum)| on_top + sum <= pieces) {
            if top < top_mirror || bottom <= bottom_mirror {
                let middle = pieces - on_top - on_bottom;
                let boards = *first[middle as usize].last().expect("at least one run");
                let symmetric = top == top_mirror && bottom == bottom_mirror;
                slabs.push(Slab { top, bottom, middle, boards, symmetric });
            }
        }
    }
    slabs
}

/// The place of a position's bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The slab's top and bottom rows.
    pub rows: [u32; 2],
    /// The rank of the board in the slab.
    pub board: usize,
    /// The rank of the colouring in the array's space.
    pub colouring: usize,
}

/// The four codes of a board and the colours of its pieces in order.
struct Pieces {
    top: u32,
    upper: u32,
    lower: u32,
    bottom: u32,
    white: u32,
}

impl Layout {
    /// Returns the place of a position's bit in the array of its side to move, or `None` if the mover wins at once.
    /// Both sides must have all their pieces.
    pub fn spot(&self, board: &Position) -> Option<Spot> {
        let array = Array::of(board.to_move);
        let mut pieces = self.pieces(board, false);
        if self.slab(pieces.top, pieces.bottom).is_none() {
            pieces = self.pieces(board, true);
        }
        let white = self.with_bits(array, pieces.top, pieces.bottom, pieces.white);
        let goal_tops = self.given(array, pieces.top, pieces.bottom);
        let tops_of_white = pieces.white & goal_tops;
        let wins_at_once = match array {
            Array::Losses => tops_of_white != 0,
            Array::Wins => tops_of_white != goal_tops,
        };
        if wins_at_once {
            return None;
        }
        let upper_sum = heights::sum(pieces.upper);
        let middle = upper_sum + heights::sum(pieces.lower);
        let run = self.run(middle, upper_sum, self.upper.rank(pieces.upper));
        let colouring = self.space(array, pieces.top, pieces.bottom).rank(white as u16);
        Some(Spot { rows: [pieces.top, pieces.bottom], board: run + self.lower.rank(pieces.lower), colouring })
    }

    /// Returns a board and its mirror image, as far as their slabs are stored: the rows of the slab, the rank of the
    /// board, and the white pieces. Both sides must have all their pieces.
    pub fn images(&self, board: &Position) -> impl Iterator<Item = ([u32; 2], usize, u16)> {
        let images = [false, true].map(|mirrored| self.pieces(board, mirrored));
        images.into_iter().filter(|pieces| self.slab(pieces.top, pieces.bottom).is_some()).map(|pieces| {
            let upper_sum = heights::sum(pieces.upper);
            let middle = upper_sum + heights::sum(pieces.lower);
            let run = self.run(middle, upper_sum, self.upper.rank(pieces.upper));
            ([pieces.top, pieces.bottom], run + self.lower.rank(pieces.lower), pieces.white as u16)
        })
    }

    /// Returns the bit of a place in its array.
    pub fn bit(&self, array: Array, spot: &Spot) -> u64 {
        let [top, bottom] = spot.rows;
        let width = self.space(array, top, bottom).width();
        64 * (self.start(array, top, bottom) + spot.board * width) as u64 + spot.colouring as u64
    }

    /// Returns the position of a bit, or `None` if the bit is unused.
    pub fn position(&self, array: Array, bit: u64) -> Option<Position> {
        let word = usize::try_from(bit / 64).ok()?;
        let (slab, start) = self.slab_at(array, word)?;
        let space = self.space(array, slab.top, slab.bottom);
        let (board, word) = ((word - start) / space.width(), (word - start) % space.width());
        let colouring = *space.words().get(64 * word + (bit % 64) as usize)?;
        let given = self.given(array, slab.top, slab.bottom);
        let with_bits = ((1 << (2 * self.columns)) - 1) & !given;
        let white = pdep(colouring.into(), with_bits.into()) as u32;
        Some(match array {
            Array::Losses => self.coloured(slab, board, white, Colour::White),
            Array::Wins => self.coloured(slab, board, white | given, Colour::Black),
        })
    }

    /// Builds the board of a slab with the given white pieces.
    pub fn coloured(&self, slab: &Slab, board: usize, white: u32, to_move: Colour) -> Position {
        let (upper_sum, upper, lower) = self.parts(slab.middle, board);
        let upper = self.upper.code(upper_sum, upper);
        let lower = self.lower.code(slab.middle - upper_sum, lower);
        let mut codes = [slab.top, upper, lower, slab.bottom];
        let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move };
        let mut piece = 0;
        for (part, cell) in self.cells() {
            for _ in 0..codes[part] & 3 {
                board.cells[cell] = board.cells[cell].with(Colour::of_bit(white >> piece & 1 == 1));
                piece += 1;
            }
            codes[part] >>= 2;
        }
        board
    }

    fn pieces(&self, board: &Position, mirrored: bool) -> Pieces {
        let mut codes = [0u32; 4];
        let mut place = [0; 4];
        let (mut white, mut piece) = (0, 0);
        for (part, cell) in self.cells() {
            let cell = if mirrored { self.mirrored_cell(cell) } else { cell };
            let stack = board.cells[cell];
            codes[part] |= stack.height() << (2 * place[part]);
            place[part] += 1;
            for side in stack.pieces() {
                white |= u32::from(side == Colour::White) << piece;
                piece += 1;
            }
        }
        let [top, upper, lower, bottom] = codes;
        Pieces { top, upper, lower, bottom, white }
    }

    fn mirrored_cell(&self, cell: usize) -> usize {
        let (row, column) = (cell / self.columns, cell % self.columns);
        row * self.columns + self.columns - 1 - column
    }

    /// Visits the cells in piece order, each with its part: top, upper, lower, bottom.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let parts = [self.columns, self.upper.cells(), self.lower.cells(), self.columns];
        let parts = parts.into_iter().enumerate().flat_map(|(part, cells)| (0..cells).map(move |_| part));
        let cell = |place: usize| place / self.columns * self.columns + self.by_place[place % self.columns];
        parts.enumerate().map(move |(place, part)| (part, cell(place)))
    }
}

/// Lists the swaps of adjacent pieces that turn the piece order of a board into its mirror image's, except those of the
/// lower part, and returns the place at which the lower part begins. `upper_sum` and `upper_swaps` are the pieces of the
/// upper part and their swaps. With `without_tops`, the top pieces of the top and bottom rows are not counted.
pub fn fixed_swaps(
    layout: &Layout,
    without_tops: bool,
    rows: [u32; 2],
    middle: u32,
    upper_sum: u32,
    upper_swaps: &[u8],
) -> (Vec<u8>, u8) {
    let mut swaps = heights::mirror_swaps(rows[0], 1, layout.columns, 0, without_tops);
    let top = heights::sum(rows[0]) - if without_tops { heights::occupied(rows[0]) } else { 0 };
    swaps.extend(upper_swaps.iter().map(|swap| swap + top as u8));
    swaps.extend(heights::mirror_swaps(rows[1], 1, layout.columns, (top + middle) as usize, without_tops));
    (swaps, (top + upper_sum) as u8)
}

/// Lists all swaps of adjacent pieces that turn the piece order of a board into its mirror image's.
pub fn mirror_swaps(layout: &Layout, slab: &Slab, board: usize) -> Vec<u8> {
    let (upper_sum, upper, lower) = layout.parts(slab.middle, board);
    let upper = layout.upper.swaps(layout.upper.code(upper_sum, upper));
    let (mut swaps, start) = fixed_swaps(layout, false, [slab.top, slab.bottom], slab.middle, upper_sum, &upper);
    let lower = layout.lower.code(slab.middle - upper_sum, lower);
    swaps.extend(layout.lower.swaps(lower).iter().map(|swap| swap + start));
    swaps
}
