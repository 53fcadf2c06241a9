//! The geometry of an R x C board in one word: rays, neighbours, symmetries and stable discs.
//!
//! Square (row, column) is bit `row * C + column`, without gaps, so any board of at most 64 squares fits, 4x10 as well
//! as 8x8. A ray is the mask of the squares from a square to the edge in one direction. Four directions lead to higher
//! bits, four to lower ones:
//!
//! ```text
//!      -C-1  -C  -C+1        lower   -1, -C+1, -C, -C-1
//!        -1   *   +1         higher  +1, +C-1, +C, +C+1
//!      +C-1  +C  +C+1
//! ```

use kanzen_core::index::PermutationGroup;

/// The rays of a square: first the four to higher bits, then the four to lower bits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Rays(pub [u64; 8]);

/// A board of R rows and C columns: its masks and symmetries.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// Every square.
    pub all: u64,
    /// The rays of each square.
    pub rays: Box<[Rays; 64]>,
    /// The eight neighbours of each square.
    pub neighbours: Box<[u64; 64]>,
    /// The shifts of the four directions to higher bits.
    pub steps: [u64; 4],
    /// For each of them, the squares that a line in that direction can pass through: all but its two ends.
    pub inner: [u64; 4],
    /// The most discs that one line can flip.
    pub longest_flip: u32,
    /// All squares but those of the last column.
    pub not_right: u64,
    /// All squares but those of the first column.
    pub not_left: u64,
    /// The four corners.
    pub corners: u64,
    /// The quarter of each square, as one bit of four.
    pub quarter: Box<[u8; 64]>,
    /// The squares of each set of quarters.
    pub of_quarters: [u64; 16],
    /// The symmetries of the rectangle: eight for a square, else four.
    pub symmetries: PermutationGroup,
}

/// (row, column) steps in the order of [`Rays`].
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];

impl Shape {
    /// A board of at least 3 rows and 3 columns and at most 64 squares.
    pub fn new(rows: u32, columns: u32) -> Option<Shape> {
        if rows < 3 || columns < 3 || rows.checked_mul(columns)? > 64 {
            return None;
        }
        let squares = rows * columns;
        let bit = |row: u32, column: u32| 1u64 << (row * columns + column);
        let mask = |wanted: &dyn Fn(u32, u32) -> bool| {
            let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            all.filter(|&(row, column)| wanted(row, column)).map(|(row, column)| bit(row, column)).sum::<u64>()
        };
        let (mut rays, mut neighbours) = (Box::new([Rays([0; 8]); 64]), Box::new([0; 64]));
        for square in 0..squares {
            for (direction, &(down, right)) in DIRECTIONS.iter().enumerate() {
                let on_ray = |distance: i32| {
                    let row = (square / columns).checked_add_signed(distance * down)?;
                    let column = (square % columns).checked_add_signed(distance * right)?;
                    (row < rows && column < columns).then(|| bit(row, column))
                };
                rays[square as usize].0[direction] = (1..).map_while(on_ray).sum();
                neighbours[square as usize] |= on_ray(1).unwrap_or(0);
            }
        }
        let wide = mask(&|_, column| column > 0 && column + 1 < columns);
        let high = mask(&|row, _| row > 0 && row + 1 < rows);
        let mut quarter = Box::new([0; 64]);
        let mut of_quarters = [0; 16];
        for square in 0..squares {
            let south = u32::from(square / columns >= rows / 2);
            let east = u32::from(square % columns >= columns / 2);
            quarter[square as usize] = 1 << (2 * south + east);
            for (set, squares) in of_quarters.iter_mut().enumerate() {
                *squares |= u64::from(set as u8 & quarter[square as usize] != 0) << square;
            }
        }
        Some(Shape {
            rows,
            columns,
            all: if squares == 64 { u64::MAX } else { (1 << squares) - 1 },
            rays,
            neighbours,
            steps: [1, columns - 1, columns, columns + 1].map(u64::from),
            inner: [wide, wide & high, high, wide & high],
            longest_flip: rows.max(columns) - 2,
            not_right: mask(&|_, column| column + 1 < columns),
            not_left: mask(&|_, column| column > 0),
            corners: mask(&|row, column| (row == 0 || row + 1 == rows) && (column == 0 || column + 1 == columns)),
            quarter,
            of_quarters,
            symmetries: PermutationGroup::of_rectangle(rows, columns),
        })
    }

    /// The number of squares.
    pub fn squares(&self) -> u32 {
        self.rows * self.columns
    }

    /// The empty squares of a board.
    #[inline(always)]
    pub fn empties(&self, own: u64, others: u64) -> u64 {
        self.all & !(own | others)
    }

    /// The mover's score of a finished game: the disc difference, with the empty squares given to the winner.
    #[inline(always)]
    pub fn final_score(&self, own: u64, others: u64) -> i32 {
        let (own, others) = (own.count_ones() as i32, others.count_ones() as i32);
        let empties = self.squares() as i32 - own - others;
        own - others + (own - others).signum() * empties
    }

    /// The quarters with an odd number of empty squares, as bits.
    #[inline(always)]
    pub fn odd_quarters(&self, empties: u64) -> u8 {
        let odd = |quarter: usize| ((empties & self.of_quarters[1 << quarter]).count_ones() as u8 & 1) << quarter;
        odd(0) | odd(1) | odd(2) | odd(3)
    }

    /// Splits a set of squares into those in the quarters `odd` and the rest.
    #[inline(always)]
    pub fn in_two(&self, squares: u64, odd: u8) -> [u64; 2] {
        let first = self.of_quarters[odd as usize & 15];
        [squares & first, squares & !first]
    }

    /// A set of squares and all their neighbours.
    #[inline(always)]
    pub fn spread(&self, squares: u64) -> u64 {
        let flat = squares | (squares & self.not_right) << 1 | (squares & self.not_left) >> 1;
        (flat << self.columns | flat >> self.columns | flat) & self.all
    }

    /// The least of the mirror images, as a pair of masks.
    pub fn canonical(&self, own: u64, others: u64) -> (u64, u64) {
        let images = self.symmetries.symmetries().iter().map(|image| (image.apply(own), image.apply(others)));
        images.min().unwrap_or((own, others))
    }
}

/// Returns a subset of the stable discs of one colour: discs that no sequence of moves can flip.
///
/// A disc is flipped along a line between two discs of the other colour, one of them just placed on an empty square. So
/// along a line a disc is safe
///
/// ```text
///   at its end          A . . x o        nothing lies beyond A
///   where it is full    o x A x o o      no disc can be placed there
///   next to a safe one  . . A S o        a move that flips A also flips S, which has its colour and is stable
/// ```
///
/// and stable if it is safe along all four lines through it. Not all stable discs are found.
#[inline(always)]
pub fn stable(shape: &Shape, discs: u64, empties: u64) -> u64 {
    // The lines through every empty square are not full.
    let (mut open, mut left) = ([0; 8], empties);
    while left != 0 {
        let rays = &shape.rays[left.trailing_zeros() as usize & 63].0;
        (0..8).for_each(|direction| open[direction] |= rays[direction]);
        left &= left - 1;
    }
    let safe: [u64; 4] = std::array::from_fn(|line| !(open[line] | open[line + 4]) | !shape.inner[line]);
    let mut stable = discs & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        // A shift that wraps around the edge arrives at an end of a line, where every disc is safe anyway.
        let adjacent = |line: usize| safe[line] | stable << shape.steps[line] | stable >> shape.steps[line];
        let more = discs & adjacent(0) & adjacent(1) & adjacent(2) & adjacent(3);
        if more == stable {
            return stable;
        }
        stable = more;
    }
}
