//! Where each position has its bit.
//!
//! A board is cut into its top row, its bottom row and the middle between them, and the middle into an upper and a
//! lower part:
//!
//! ```text
//! top       . . . . .   white wants to get here
//! upper     . . . . .
//!           . . . . .   the middle: all heights with a given sum, numbered
//! lower     . . . . .
//!           . . . . .
//! bottom    . . . . .   black wants to get here
//! ```
//!
//! All boards with the same top and bottom rows make a *slab*: a chunk of bits for each middle, one bit for each
//! colouring. Of a slab and its mirror image one is kept; a slab that is its own mirror image holds every board twice.
//!
//! There are two arrays. `Losses` has white to move: a white piece on top of the top row wins at once, so colourings
//! with one have no bit. `Wins` has black to move, and the same goes for black on the bottom row. Slabs that share the
//! row which the mover wants to reach stand together: moves of a sweep's mover never change that row.

use kanzen::Colour;
use kanzen::machine::cpu::pext;

use super::colouring::{Space, Spaces};
use super::heights::{self, Part};

/// One of the two arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    /// White to move.
    Losses,
    /// Black to move.
    Wins,
}

impl Array {
    /// Both, in the order of their numbers.
    pub const BOTH: [Array; 2] = [Array::Losses, Array::Wins];

    /// What its plane is called.
    pub fn name(self) -> &'static str {
        match self {
            Array::Losses => "losses",
            Array::Wins => "wins",
        }
    }

    /// The array that holds positions of this side to move.
    pub fn of(side: Colour) -> Array {
        match side {
            Colour::White => Array::Losses,
            Colour::Black => Array::Wins,
        }
    }

    /// The other one.
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
    /// The top row.
    pub top: u32,
    /// The bottom row.
    pub bottom: u32,
    /// Pieces in the middle.
    pub middle: u32,
    /// How many middles there are.
    pub boards: usize,
    /// Whether it is its own mirror image.
    pub symmetric: bool,
}

/// Slabs of an array that share the row their mover wants to reach, or have it mirrored.
pub struct Group {
    /// The words of the array they take.
    pub words: std::ops::Range<usize>,
    /// How many slabs.
    pub slabs: usize,
}

/// Where the slabs of an array are.
#[derive(Default)]
struct Places {
    start: Vec<usize>,
    order: Vec<u32>,
    groups: Vec<Group>,
    words: usize,
}

/// The numbering of one board size.
pub struct Layout {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board, and pieces a side.
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

/// In place of a slab's number plus one. Zeros cost nothing where nobody looks.
const NOT_KEPT: u32 = 0;

impl Layout {
    /// The layout of a board.
    pub fn new(rows: usize, columns: usize) -> Layout {
        let pieces = 2 * columns as u32;
        // Runs over the lower part should be long, and its tables should stay in the nearest cache.
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
        let slabs = kept_slabs(pieces, &mirrors, &first);
        let mut slab_of = vec![NOT_KEPT; mirrors.len() * mirrors.len()];
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

    /// The row that the mover of an array wants to reach.
    pub fn goal_row(&self, array: Array, top: u32, bottom: u32) -> u32 {
        match array {
            Array::Losses => top,
            Array::Wins => bottom,
        }
    }

    /// The space of an array's colourings on boards with these rows: the pieces but for the tops of the goal row,
    /// which are the opponent's.
    pub fn space(&self, array: Array, top: u32, bottom: u32) -> &Space {
        let given = heights::occupied(self.goal_row(array, top, bottom));
        let (pieces, side) = (2 * self.columns as u32, self.columns as u32);
        match array {
            Array::Losses => self.spaces.of(pieces - given, side),
            Array::Wins => self.spaces.of(pieces - given, side - given),
        }
    }

    /// The space of so many pieces, `whites` of them white; none if that cannot be.
    pub fn space_of(&self, pieces: u32, whites: i32) -> Option<&Space> {
        let whites = u32::try_from(whites).ok().filter(|&whites| whites <= pieces)?;
        Some(self.spaces.of(pieces, whites))
    }

    /// The space of all colourings of a board.
    pub fn full_space(&self) -> &Space {
        self.spaces.of(2 * self.columns as u32, self.columns as u32)
    }

    /// The tops of an array's goal row: pieces without bits in its colourings, as bits over all pieces in order.
    pub fn given(&self, array: Array, top: u32, bottom: u32) -> u32 {
        match array {
            Array::Losses => heights::tops(top, self.columns),
            Array::Wins => heights::tops(bottom, self.columns) << (2 * self.columns as u32 - heights::sum(bottom)),
        }
    }

    /// Those of some pieces (bits over all pieces of a board in order) that have bits in an array's colourings, as bits
    /// over the pieces of its space.
    pub fn with_bits(&self, array: Array, top: u32, bottom: u32, pieces: u32) -> u32 {
        pext(pieces.into(), !u64::from(self.given(array, top, bottom))) as u32
    }

    /// How many words an array has.
    pub fn words(&self, array: Array) -> usize {
        self.places(array).words
    }

    /// The groups of an array in the order of their words.
    pub fn groups(&self, array: Array) -> &[Group] {
        &self.places(array).groups
    }

    /// The slabs of an array in the order of their words, each with its first word.
    pub fn slabs(&self, array: Array) -> impl Iterator<Item = (&Slab, usize)> {
        let places = self.places(array);
        places.order.iter().map(|&slab| (&self.slabs[slab as usize], places.start[slab as usize]))
    }

    /// The slab of two rows, if it is the one of its two mirror images that is kept.
    pub fn slab(&self, top: u32, bottom: u32) -> Option<&Slab> {
        self.slabs.get(self.slab_number(top, bottom))
    }

    /// The number of a slab that is kept.
    pub fn slab_number(&self, top: u32, bottom: u32) -> usize {
        (self.slab_of[(top << (2 * self.columns) | bottom) as usize] as usize).wrapping_sub(1)
    }

    /// The slabs that are kept, by number.
    pub fn kept_slabs(&self) -> &[Slab] {
        &self.slabs
    }

    /// How many slabs are kept.
    pub fn slab_count(&self) -> usize {
        self.slabs.len()
    }

    /// The first word of a slab that is kept.
    pub fn start(&self, array: Array, top: u32, bottom: u32) -> usize {
        self.places(array).start[self.slab_number(top, bottom)]
    }

    /// How many middles have this sum.
    pub fn middles(&self, sum: u32) -> usize {
        *self.first[sum as usize].last().expect("the end of the last run")
    }

    /// The first middle of a run: those with this sum and this upper part.
    pub fn run(&self, sum: u32, upper_sum: u32, upper: usize) -> usize {
        self.first[sum as usize][upper_sum as usize] + upper * self.lower.len(sum - upper_sum)
    }

    /// The slab of an array that has a word, and its first word.
    pub fn slab_at(&self, array: Array, word: usize) -> Option<(&Slab, usize)> {
        let Places { start, order, words, .. } = self.places(array);
        // Slabs are never empty, so that each has a first word of its own.
        let after = order.partition_point(|&slab| start[slab as usize] <= word);
        let slab = *order.get(after.checked_sub(1)?)? as usize;
        (word < *words).then(|| (&self.slabs[slab], start[slab]))
    }

    /// The upper part (its sum and number) and the lower part's number of a middle.
    pub fn parts(&self, sum: u32, middle: usize) -> (u32, usize, usize) {
        let first = &self.first[sum as usize];
        let upper_sum = first.partition_point(|&first| first <= middle) - 1;
        let within = middle - first[upper_sum];
        let lowers = self.lower.len(sum - upper_sum as u32);
        (upper_sum as u32, within / lowers, within % lowers)
    }
}

/// The slabs of boards with so many pieces, one of each two mirror images; `mirrors` has the mirror image of each row.
fn kept_slabs(pieces: u32, mirrors: &[u32], first: &[Vec<usize>]) -> Vec<Slab> {
    let rows: Vec<(u32, u32, u32)> =
        (0..).zip(mirrors).map(|(row, &mirror)| (row, mirror, heights::sum(row))).collect();
    let mut slabs = Vec::new();
    for &(top, top_mirror, on_top) in rows.iter().filter(|(top, mirror, _)| top <= mirror) {
        for &(bottom, bottom_mirror, on_bottom) in rows.iter().filter(|(_, _, sum)| on_top + sum <= pieces) {
            if top < top_mirror || bottom <= bottom_mirror {
                let middle = pieces - on_top - on_bottom;
                let boards = *first[middle as usize].last().expect("the end of the last run");
                let symmetric = top == top_mirror && bottom == bottom_mirror;
                slabs.push(Slab { top, bottom, middle, boards, symmetric });
            }
        }
    }
    slabs
}
