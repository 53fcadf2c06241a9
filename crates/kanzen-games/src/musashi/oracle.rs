//! Any position from the stored ones: brown to move is looked up, black to move is one ply further.

use kanzen::query::{Answer, Oracle, QueryError};
use kanzen::store::{Database, Manifest, PlaneFile, StoreError};
use kanzen::{Census, Game};

use super::board::image;
use super::layout::Layout;
use super::method::plane_name;
use super::planes::is_stored;
use super::rules::{Musashi, Position};

/// A database of distances for brown to move.
pub struct MusashiOracle {
    database: Database,
    layout: Layout,
    planes: Vec<PlaneFile>,
    /// Of the blocks of a set that is its own mirror image: how many before this one are stored.
    ranks: Vec<u32>,
}

impl MusashiOracle {
    pub fn open(layout: Layout, database: Database) -> Result<MusashiOracle, StoreError> {
        let blocks = 1u64 << (layout.bits() - layout.stored_bits());
        let middle = (0..layout.stored().len()).find(|&point| layout.is_middle(layout.stored()[point]));
        let mut ranks = Vec::with_capacity(blocks as usize);
        let mut stored = 0;
        for block in 0..blocks {
            ranks.push(stored);
            stored += u32::from(middle.is_none_or(|point| is_stored(&layout, point, block)));
        }
        let mut planes = Vec::new();
        for (point, &black) in layout.stored().iter().enumerate() {
            let plane = database.plane(&plane_name(point))?;
            let blocks = if layout.is_middle(black) { u64::from(stored) } else { blocks };
            if plane.len() != blocks << layout.stored_bits() {
                let place = format!("{}: {} slots", plane_name(point), plane.len());
                return Err(StoreError::damaged(&database.path(Manifest::FILE), place));
            }
            planes.push(plane);
        }
        Ok(MusashiOracle { database, layout, planes, ranks })
    }

    /// The value of a position with brown to move.
    fn brown_to_move(&self, game: &Musashi, black: u8, brown: u64) -> Result<Answer, QueryError> {
        let flip = game.board().flip();
        let (black, brown, point) = match self.layout.number(black) {
            Some(point) => (black, brown, point),
            None => {
                let black = flip[usize::from(black)];
                (black, image(brown, flip), self.layout.number(black).expect("one of the two is stored"))
            }
        };
        let mut slot = self.layout.index(black, brown);
        if self.layout.is_middle(black) {
            let bits = self.layout.stored_bits();
            if !is_stored(&self.layout, point, slot >> bits) {
                slot = self.layout.flipped(slot);
            }
            slot = u64::from(self.ranks[(slot >> bits) as usize]) << bits | slot & ((1 << bits) - 1);
        }
        Ok(self.planes[point].get(slot)?.into())
    }

    /// How many positions of a stored point, one side to move, are the smaller of their two mirror images.
    fn canonical(&self, black: u8) -> u64 {
        let bits = self.layout.bits();
        if self.layout.is_middle(black) { smaller(bits, self.layout.pairs()) } else { 1 << bits }
    }
}

/// How many numbers of `bits` bits are at most their mirror image, in which some pairs of adjacent bits are swapped.
fn smaller(bits: u32, pairs: u64) -> u64 {
    let pairs = (pairs & ((1 << bits) - 1)).count_ones();
    ((1 << bits) + (1 << (bits - pairs))) / 2
}

/// The `rank`-th of those numbers. The highest pair whose bits differ decides: it must be 01.
fn smaller_at(bits: u32, pairs: u64, mut rank: u64) -> u64 {
    let mut number = 0;
    let mut left = bits;
    while left > 0 {
        let pair = left >= 2 && pairs >> (left - 2) & 1 == 1;
        left -= if pair { 2 } else { 1 };
        let same = smaller(left, pairs);
        if rank < same {
            continue;
        }
        rank -= same;
        if pair && rank < 1 << left {
            return number | 1 << left | rank;
        }
        rank -= if pair { 1 << left } else { 0 };
        number |= (if pair { 3 } else { 1 }) << left;
    }
    number
}

impl Oracle<Musashi> for MusashiOracle {
    fn answer(&self, game: &Musashi, position: Position) -> Result<Answer, QueryError> {
        if position.brown_to_move {
            return self.brown_to_move(game, position.black, position.brown);
        }
        let mut children = Vec::with_capacity(8);
        game.moves(position, &mut |_, child| children.push(child));
        let mut best: Option<Answer> = None;
        for child in children {
            best = best.max(Some(self.brown_to_move(game, child.black, child.brown)?.before()));
        }
        Ok(best.unwrap_or_else(|| game.stuck(position).into()))
    }

    /// One of each pair of mirror images, both sides to move. (Other symmetries of the smallest board are not counted
    /// here: it names some positions more than once up to those.)
    fn positions(&self) -> u64 {
        2 * self.layout.stored().iter().map(|&black| self.canonical(black)).sum::<u64>()
    }

    fn position(&self, _: &Musashi, number: u64) -> Result<Position, QueryError> {
        let brown_to_move = number & 1 == 1;
        let mut rank = number >> 1;
        for &black in self.layout.stored() {
            let all = self.canonical(black);
            if rank < all {
                let bits = self.layout.bits();
                let index =
                    if self.layout.is_middle(black) { smaller_at(bits, self.layout.pairs(), rank) } else { rank };
                return Ok(Position { black, brown: self.layout.brown(black, index), brown_to_move });
            }
            rank -= all;
        }
        let game = self.database.manifest().game.clone();
        Err(QueryError::NotStored { game, position: format!("position number {number}") })
    }

    fn census(&self) -> Result<Census, QueryError> {
        Ok(self.database.manifest().census())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_mirror_images_are_numbered_in_order() {
        for (bits, pairs) in [(8, 0b0100_0001u64), (9, 0b1_0101), (6, 0), (10, 0b1_0100_1001)] {
            let swap = |n: u64| {
                let differ = (n ^ n >> 1) & pairs;
                n ^ differ ^ differ << 1
            };
            let expected: Vec<u64> = (0..1 << bits).filter(|&n| n <= swap(n)).collect();
            assert_eq!(smaller(bits, pairs), expected.len() as u64);
            let found: Vec<u64> = (0..expected.len() as u64).map(|rank| smaller_at(bits, pairs, rank)).collect();
            assert_eq!(found, expected);
        }
    }
}
