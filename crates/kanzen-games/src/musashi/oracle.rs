//! Any position from the stored ones: brown to move is looked up, black to move is one ply further.

use kanzen::query::{Answer, Oracle};
use kanzen::store::{Database, Manifest, PlaneFile};
use kanzen::{Census, Error, Game, Value};

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
    pub fn open(layout: Layout, database: Database) -> Result<MusashiOracle, Error> {
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
                return Err(Error::damaged(&database.path(Manifest::FILE), place));
            }
            planes.push(plane);
        }
        Ok(MusashiOracle { database, layout, planes, ranks })
    }

    /// The value of a position with brown to move.
    fn brown_to_move(&self, game: &Musashi, black: u8, brown: u64) -> Result<Answer, Error> {
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

    /// Some positions of a value with brown to move: those met first in each plane that has it.
    fn stored_examples(&self, value: Value, limit: usize) -> Result<Vec<Position>, Error> {
        const SLAB: u64 = 1 << 20;
        /// Slots read at most: some seconds of work.
        const READ: u64 = 1 << 30;
        let mut found = Vec::new();
        let mut read = 0;
        for (plane, &black) in self.planes.iter().zip(self.layout.stored()) {
            if !plane.palette().contains(&value) {
                continue;
            }
            let mut slab = 0;
            while slab < plane.len() && found.len() < limit && read < READ {
                let slots = slab..plane.len().min(slab + SLAB);
                let hits = plane.read_map(slots, |other| other == value)?;
                for (at, _) in hits.iter().enumerate().filter(|(_, hit)| **hit).take(limit - found.len()) {
                    let index = self.unranked(black, slab + at as u64);
                    found.push(Position { black, brown: self.layout.brown(black, index), brown_to_move: true });
                }
                slab += SLAB;
                read += SLAB;
            }
        }
        Ok(found)
    }

    /// The index of a stored slot: where a set is its own mirror image, some blocks before it are not stored.
    fn unranked(&self, black: u8, slot: u64) -> u64 {
        if !self.layout.is_middle(black) {
            return slot;
        }
        let bits = self.layout.stored_bits();
        let block = self.ranks.partition_point(|&rank| u64::from(rank) <= slot >> bits) - 1;
        (block as u64) << bits | slot & ((1 << bits) - 1)
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
    fn answer(&self, game: &Musashi, position: Position) -> Result<Answer, Error> {
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

    fn position(&self, _: &Musashi, number: u64) -> Result<Position, Error> {
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
        Err(Error::NotStored { game, position: format!("position number {number}") })
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }

    /// Brown to move is looked for in the planes; black to move, among what comes before a position of brown's.
    fn examples(&self, game: &Musashi, value: Value, limit: usize) -> Result<Vec<Position>, Error> {
        let most = limit.saturating_mul(game.board().symmetries().len());
        let mut found = Vec::new();
        let mut add = |position: Position| {
            let position = game.canonical(position);
            if found.len() < limit && !found.contains(&position) {
                found.push(position);
            }
        };
        self.stored_examples(value, most)?.into_iter().for_each(&mut add);
        if let Some(after) = value.distance().and_then(|distance| distance.checked_sub(1)) {
            for Position { black, brown, .. } in self.stored_examples(Value::win(after), most)? {
                for &from in game.board().neighbours(black) {
                    let position = Position { black: from, brown, brown_to_move: false };
                    if brown >> from & 1 == 0 && self.answer(game, position)?.value == value {
                        add(position);
                    }
                }
            }
        }
        Ok(found)
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
