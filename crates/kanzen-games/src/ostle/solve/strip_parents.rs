//! Generates and updates the parents of the boards of a strip, with all un-moves of a board as bits of a few words.
//!
//! All boards of a strip share the hole and the mover's pieces, and so do nearly all their parents: the opponent moved
//! last, so only its pieces differ, with the hole on the same or a neighbouring square. Pushes of lines with pieces of
//! both sides are rarer and take the general path.
//!
//! The opponent's line goes back one step. For a line of its own pieces, this looks as if one piece had jumped over the
//! others; the direction makes no difference, so one bit represents a pair of squares, one with the piece and one
//! empty:
//!
//! ```text
//! . a b c   ->   a b c .       the piece `c` on the last square jumps to the first
//! ```
//!
//! A single step is a jump over no piece. Lines with pieces of both sides are few and keep their direction. Shifts of
//! whole boards find all bits of a word, and a single loop visits them: a loop for each direction and length would cost
//! a branch misprediction at nearly every end.

use kanzen_core::machine::cpu::Gather;

use super::engine::Engine;
use super::group::GroupClass;
use super::updates::Updates;
use super::word::Word;
use crate::ostle::board::{ALL, Board, Mask, NEXT, OFF, TURN, back, step};
use crate::ostle::index::{FixedOpponent, Strip};
use crate::ostle::moves::{Move, hunting_squares};

/// The position of a thread in the index, with what the parents of a strip share.
pub struct StripParents<'a> {
    /// The class.
    pub class: &'a GroupClass,
    /// The strip.
    pub strip: Strip,
    number: usize,
    /// The class of the parents.
    parents: &'a GroupClass,
    fixed_opponent: FixedOpponent<'a>,
    /// The squares from which the opponent could have captured, if that ends the game: a parent with a piece there has
    /// an immediate win and needs no update.
    hunting: Mask,
    /// The parents with the hole one step away in each direction.
    neighbours: [HoleNeighbour<'a>; 4],
}

/// The parents with the hole on a neighbouring square.
struct HoleNeighbour<'a> {
    /// The square that the hole came from, or 0.
    pit: Mask,
    hunting: Mask,
    fixed_opponent: FixedOpponent<'a>,
}

impl<'a> StripParents<'a> {
    /// The strip of a slot.
    pub fn at(engine: &Engine<'a>, slot: u32) -> StripParents<'a> {
        let class = engine.group.class_at(slot);
        let number = class.index.strip_of(slot - class.base);
        StripParents::new(engine, class, number, class.index.strip(number))
    }

    fn new(engine: &Engine<'a>, class: &'a GroupClass, number: usize, strip: Strip) -> StripParents<'a> {
        let parents = engine.group.class_of(class.index.pieces().1);
        let least = engine.game.army().least;
        let hunting = |pit| if class.index.pieces().0 == least { hunting_squares(strip.mover, pit) } else { 0 };
        let pit = 1 << strip.hole;
        let neighbours = NEXT.map(|next| match next[usize::from(strip.hole)] {
            // A placeholder that is never used.
            OFF => HoleNeighbour {
                pit: 0,
                hunting: 0,
                fixed_opponent: parents.index.fixed_opponent(strip.hole, strip.mover),
            },
            hole => HoleNeighbour {
                pit: 1 << hole,
                hunting: hunting(1 << hole),
                fixed_opponent: parents.index.fixed_opponent(hole, strip.mover),
            },
        });
        let fixed_opponent = parents.index.fixed_opponent(strip.hole, strip.mover);
        StripParents { class, strip, number, parents, fixed_opponent, hunting: hunting(pit), neighbours }
    }

    /// Advances to a slot; slots must ascend.
    #[inline(always)]
    pub fn go_to(&mut self, engine: &Engine<'a>, slot: u32) {
        if slot >= self.class.base + self.strip.first + self.strip.len {
            self.change(engine, slot);
        }
    }

    #[cold]
    fn change(&mut self, engine: &Engine<'a>, slot: u32) {
        let (index, number) = (&self.class.index, self.number + 1);
        let next = (number < index.strips()).then(|| index.strip(number));
        *self = match next.filter(|next| slot < self.class.base + next.first + next.len) {
            Some(next) => StripParents::new(engine, self.class, number, next),
            None => StripParents::at(engine, slot),
        };
    }

    /// Updates every parent of a regular board whose `best`, `second`, or both are decided at this level.
    #[inline(always)]
    pub fn update_parents<B: Gather>(
        &self,
        bits: B,
        board: &Board,
        word: Word,
        (best, second): (bool, bool),
        updates: &mut Updates<'_, '_>,
    ) {
        if !best {
            return self.update_unique_parent(bits, board, word.unique(), updates);
        }
        let skipped = if second { 0 } else { word.unique() };
        let (base, empty) = (self.parents.base, board.empty());
        // A parent with a piece on a hunting square has an immediate win: a piece there must leave, and none may
        // arrive.
        let hunters = board.opponent & self.hunting;
        let jumping = match hunters & hunters.wrapping_sub(1) {
            _ if hunters == 0 => board.opponent,
            0 => hunters,
            _ => 0,
        };
        for (word, table) in jumps(board.opponent, jumping, empty & !self.hunting).into_iter().zip(&JUMPS) {
            for place in places(word) {
                let mover = board.opponent ^ table[place];
                updates.push(self.fixed_opponent.place_turned(bits, mover).slot + base, 0);
            }
        }
        for (direction, neighbour) in (0u8..).zip(&self.neighbours) {
            let comes = neighbour.pit & empty != 0 && board.opponent & neighbour.hunting == 0;
            if comes && skipped != 1 + direction {
                let place = neighbour.fixed_opponent.place(bits, board.opponent);
                let number = 1 + TURN[usize::from(place.symmetry)][usize::from(back(direction))];
                updates.push(place.slot + base, number);
            }
        }
        let skipped = way_back_of(board, skipped);
        for (word, table) in unpushes(board).into_iter().zip(&UNPUSHES) {
            for place in places(word) {
                let unpush = &table[place];
                if unpush.way_back == skipped {
                    continue;
                }
                let (mover, opponent) = (unpush.before(board.opponent), unpush.before(board.mover));
                let found = self.parents.index.find_at(bits, self.strip.hole_number, mover, opponent);
                let mv = Move { from: unpush.from, direction: unpush.direction };
                let reversible = board.mover >> unpush.last() & 1 == 1;
                updates.push(found.slot + base, if reversible { found.number(mv, false) } else { 0 });
            }
        }
    }

    /// Updates the one parent that the unique move leads back to: there that move is forbidden.
    fn update_unique_parent<B: Gather>(&self, bits: B, board: &Board, unique: u8, updates: &mut Updates<'_, '_>) {
        let Move { from, direction } = Move::numbered(unique, board);
        let (before, from) = if from == board.hole {
            let Some(before) = board.shift_hole(direction) else { return };
            (before, before.hole)
        } else {
            let (before, _, end) = board.push_line(from, direction);
            (before, end.trailing_zeros() as u8)
        };
        let found = self.parents.index.find(bits, &before);
        let mv = Move { from, direction: back(direction) };
        updates.push(found.slot + self.parents.base, found.number(mv, from == before.hole));
    }
}

/// Encodes a move as [`Unpush::way_back`]: square << 2 | direction. An invalid code if there is no such move, or if it
/// moves the hole.
#[inline(always)]
fn way_back_of(board: &Board, number: u8) -> u8 {
    if number < 5 {
        return u8::MAX;
    }
    let Move { from, direction } = Move::numbered(number, board);
    from << 2 | direction
}

/// The squares from which `reach` steps to the right stay on the board.
const fn columns(reach: u32) -> Mask {
    let mut squares = ALL;
    let mut steps = 0;
    while steps < reach {
        squares = step(squares, 1);
        steps += 1;
    }
    // A square that a shift to the left keeps can shift to the right again.
    squares
}

/// For each word of [`jumps`] and each of its bits: the squares that the piece jumps from and to.
pub static JUMPS: [[Mask; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 25 {
        let column = square % 5;
        // Jumps over 0 or 3 pieces share a row of the board, and so do those over 1 or 2.
        table[0][square] = if column < 4 { 0b11 << square } else { 0b10001 << (square - 4) };
        table[1][square] = if column < 3 { 0b101 << square } else { 0b1001 << (square - 3) };
        square += 1;
    }
    let mut square = 0;
    while square < 20 {
        table[0][25 + square] = (1 | 1 << 5) << square;
        if square < 15 {
            table[1][25 + square] = (1 | 1 << 10) << square;
        }
        if square < 10 {
            table[1][40 + square] = (1 | 1 << 15) << square;
        }
        if square < 5 {
            table[0][45 + square] = (1 | 1 << 20) << square;
        }
        square += 1;
    }
    table
};

/// The un-moves of lines of `all` these pieces in which one of the `jumping` pieces jumps to one of the empty
/// `targets`, one bit each, laid out like [`JUMPS`].
#[inline(always)]
pub fn jumps(all: Mask, jumping: Mask, targets: Mask) -> [u64; 2] {
    let pairs = |distance: u32| (jumping & targets >> distance) | (targets & jumping >> distance);
    let in_row = |reach: u32| {
        let between = (1..reach).fold(ALL, |line, steps| line & all >> steps);
        u64::from(pairs(reach) & between & columns(reach))
    };
    let in_column = |reach: u32| {
        let between = (1..reach).fold(ALL, |line, steps| line & all >> (5 * steps));
        u64::from(pairs(5 * reach) & between)
    };
    [
        in_row(1) | in_row(4) << 4 | in_column(1) << 25 | in_column(4) << 45,
        in_row(2) | in_row(3) << 3 | in_column(2) << 25 | in_column(3) << 40,
    ]
}

/// An un-move of a line with pieces of both sides.
#[derive(Clone, Copy)]
pub struct Unpush {
    /// The squares of the line after the move.
    line: Mask,
    shift: u8,
    /// The square that the front piece came from.
    pub from: u8,
    /// The direction of the move.
    pub direction: u8,
    /// The last square of the line << 2 | the reverse direction: the move that would take it back, if it is reversible.
    pub way_back: u8,
}

impl Unpush {
    /// The last square of the line.
    #[inline(always)]
    pub fn last(&self) -> u8 {
        self.way_back >> 2
    }

    /// One side's pieces before the move.
    #[inline(always)]
    pub fn before(&self, side: Mask) -> Mask {
        (side & !self.line) | (u64::from(side & self.line) << 5 >> self.shift) as Mask
    }

    const fn new(from: u32, direction: u8, len: u32) -> Unpush {
        let (mut line, mut last, mut steps) = (0, 1 << from, 0);
        while steps < len {
            last = step(last, direction);
            line |= last;
            steps += 1;
        }
        // Up and left are shifts to lower bits, so their reverse shifts left: `<< 5 >> shift` covers all directions.
        let shift = [0, 4, 6, 10][direction as usize];
        let way_back = (last.trailing_zeros() as u8) << 2 | back(direction);
        Unpush { line, shift, from: from as u8, direction, way_back }
    }
}

/// The un-move of each bit of each word of [`unpushes`].
pub static UNPUSHES: [[Unpush; 64]; 3] = {
    let mut table = [[Unpush { line: 0, shift: 0, from: 0, direction: 0, way_back: 0 }; 64]; 3];
    let mut square = 0;
    while square < 25 {
        let bit = square as usize;
        let (column, row) = (square % 5, square / 5);
        let len = if column < 3 { 2 } else { 3 };
        let first = if column < 3 { square } else { square - 3 };
        table[1][bit] = Unpush::new(first, 2, len);
        table[1][25 + bit] = Unpush::new(first + len, 1, len);
        if column == 0 {
            table[2][bit] = Unpush::new(square, 2, 4);
            table[2][25 + bit] = Unpush::new(square + 4, 1, 4);
        }
        // As many bits as a line of that length has positions in a column.
        let places = [(2, 0), (3, 15), (4, 25)];
        let mut length = 0;
        while length < 3 {
            let (len, offset) = places[length];
            if row + len < 5 {
                table[0][offset + bit] = Unpush::new(square, 3, len);
                table[0][30 + offset + bit] = Unpush::new(square + 5 * len, 0, len);
            }
            length += 1;
        }
        square += 1;
    }
    table
};

/// The un-moves of lines with pieces of both sides, one bit each, laid out like [`UNPUSHES`].
#[inline(always)]
pub fn unpushes(board: &Board) -> [u64; 3] {
    let (own, pieces, empty) = (board.opponent, board.pieces(), board.empty());
    // Lines of two to four pieces, by the empty square that the front piece came from.
    let lines = |shift: fn(Mask, u32) -> Mask| {
        let front = empty & shift(own, 1);
        let (mut line, mut own_line) = (front, front);
        [2, 3, 4].map(|len| {
            line &= shift(pieces, len);
            own_line &= shift(own, len);
            line & !own_line
        })
    };
    let [right, left] = [lines(|side, steps| side >> steps), lines(|side, steps| side << steps)];
    let [down, up] = [lines(|side, steps| side >> (5 * steps)), lines(|side, steps| side << (5 * steps))];
    // By the lower end of the line with its origin; lines that wrap around an edge are masked out.
    let in_rows = |lines: [Mask; 3], reach: u32| u64::from(lines[reach as usize - 2] & columns(reach));
    let left = [left[0] >> 2, left[1] >> 3, left[2] >> 4];
    let both = |reach: u32| in_rows(right, reach) | in_rows(left, reach) << 25;
    let up = [up[0] >> 10, up[1] >> 15, up[2] >> 20];
    let in_columns = |lines: [Mask; 3]| u64::from(lines[0] | lines[1] << 15 | lines[2] << 25);
    [in_columns(down) | in_columns(up) << 30, both(2) | both(3) << 3, both(4)]
}

/// The positions of the set bits of a word.
#[inline(always)]
pub fn places(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize & 63;
        let some = word != 0;
        word &= word.wrapping_sub(1);
        some.then_some(place)
    })
}
