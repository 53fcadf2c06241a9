//! The boards of morris: rings of eight points, lines of three, and their symmetries.
//!
//! ```text
//!   0-----1-----2     8-----9----10     ring by ring, clockwise from the top-left corner; even places are corners, odd
//!   | 8---9--10 |     | 0---1---2 |     ones the middles of sides; the centre comes last. One or two rings come from the
//!   | |   .   | |     | |16 17 18 |     outermost. Of three the middle one comes first: no symmetry of sliding play takes
//!   7 15  .  11 3    15 7  23     3 11  a man into it or out of it, and what stands there is the lowest part of a mask.
//! ```

use kanzen::notation::square;
use kanzen_core::index::{Permutation, PermutationGroup, points};

/// The largest number of lines on a board.
pub const MOST_MILLS: usize = 20;

/// A board: points, lines and symmetries.
#[derive(Clone, Debug)]
pub struct Board {
    /// The number of points.
    pub points: u32,
    /// The number of rings of eight points.
    pub rings: u32,
    /// The number of first points that every symmetry of sliding play maps among themselves; 0 if that is all or
    /// unknown.
    pub low: u32,
    /// The lines of three, as masks; unused entries are zero.
    pub mills: [u32; MOST_MILLS],
    /// For each point, the points a piece may slide to.
    pub neighbours: Vec<u32>,
    /// For each point, the other two points of each of its lines.
    pub partners: Vec<Vec<u32>>,
    /// The symmetries of sliding play.
    pub symmetries: PermutationGroup,
    /// The symmetries when both sides fly: then all rings are equivalent.
    pub flying_symmetries: PermutationGroup,
}

impl Board {
    /// Returns the board for `men` men a side, or `None` if there is no such game.
    pub fn of(men: u32) -> Option<Board> {
        Some(match men {
            3 => Board::new(1, Centre::JoinedToAll, Spokes::Corners),
            5 | 6 => Board::new(2, Centre::None, Spokes::Sides),
            7 => Board::new(2, Centre::JoinedToSides, Spokes::Sides),
            9 => Board::new(3, Centre::None, Spokes::Sides),
            11 | 12 => Board::new(3, Centre::None, Spokes::Corners),
            _ => return None,
        })
    }

    fn new(rings: u32, centre: Centre, spokes: Spokes) -> Board {
        let points = 8 * rings + u32::from(centre != Centre::None);
        let centre_point = 8 * rings;
        let mut lines: Vec<[u32; 2]> = Vec::new();
        let mut mills: Vec<u32> = Vec::new();
        let on_spoke = |place: u32| place % 2 == 1 || spokes == Spokes::Corners;
        for ring in (0..rings).map(|ring| first_of_ring(ring, rings)) {
            for place in 0..8 {
                lines.push([ring + place, ring + (place + 1) % 8]);
                if place % 2 == 0 {
                    mills.push(mask([place, (place + 1) % 8, (place + 2) % 8].map(|place| ring + place)));
                }
            }
        }
        for place in (0..8).filter(|&place| on_spoke(place)) {
            let on_ring = |ring| first_of_ring(ring, rings) + place;
            lines.extend((1..rings).map(|ring| [on_ring(ring - 1), on_ring(ring)]));
            if rings == 3 {
                mills.push(mask([place, 8 + place, 16 + place]));
            }
            if centre != Centre::None {
                lines.push([8 * (rings - 1) + place, centre_point]);
                if rings == 2 {
                    mills.push(mask([place, 8 + place, centre_point]));
                }
                if place < 4 {
                    let inner = 8 * (rings - 1) + place;
                    mills.push(mask([inner, inner + 4, centre_point]));
                }
            }
        }
        let mut neighbours = vec![0u32; points as usize];
        for [one, other] in lines {
            neighbours[one as usize] |= 1 << other;
            neighbours[other as usize] |= 1 << one;
        }
        let partners = (0..points)
            .map(|point| mills.iter().filter(|&mill| mill >> point & 1 == 1).map(|mill| mill ^ 1 << point).collect())
            .collect();
        let mut padded = [0; MOST_MILLS];
        padded[..mills.len()].copy_from_slice(&mills);
        Board {
            points,
            rings,
            low: if rings == 3 { 8 } else { 0 },
            mills: padded,
            neighbours,
            partners,
            symmetries: symmetries(rings, points, false),
            flying_symmetries: symmetries(rings, points, true),
        }
    }

    /// Returns the mask of all points.
    pub fn all(&self) -> u32 {
        (1 << self.points) - 1
    }

    /// Returns the point at a place of the notation: ring by ring from the outermost, the centre last.
    pub fn point_at(&self, place: u32) -> u32 {
        first_of_ring(place / 8, self.rings) + place % 8
    }

    /// Returns the place of a point in the notation.
    pub fn place_of(&self, point: u32) -> u32 {
        // The map is its own inverse: of three rings the first two are swapped.
        self.point_at(point)
    }

    /// Permutes a mask of points to places of the notation.
    pub fn by_place(&self, pieces: u32) -> u32 {
        if self.rings == 3 { pieces & !0xffff | pieces >> 8 & 0xff | pieces << 8 & 0xff00 } else { pieces }
    }

    /// Returns the points of a mask in the order of the notation.
    pub fn in_order(&self, pieces: u32) -> impl Iterator<Item = u32> {
        points(self.by_place(pieces)).map(|place| self.point_at(place))
    }

    /// Returns the lines of three.
    pub fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        self.mills.iter().copied().filter(|&mill| mill != 0)
    }

    /// Returns the pieces that stand in a complete mill.
    #[inline]
    pub fn in_mills(&self, pieces: u32) -> u32 {
        self.mills.iter().fold(0, |found, &mill| if pieces & mill == mill { found | mill } else { found })
    }

    /// Returns the empty points that complete a mill.
    #[inline]
    pub fn closers(&self, pieces: u32) -> u32 {
        self.mills.iter().fold(0, |found, &mill| {
            let there = pieces & mill;
            // Exactly two of three.
            let two = there & there.wrapping_sub(1) != 0 && there != mill;
            if two { found | (mill ^ there) } else { found }
        })
    }

    /// Whether a piece put on `to` closes a mill with those of `others`.
    #[inline]
    pub fn closes(&self, others: u32, to: u32) -> bool {
        self.partners[to as usize].iter().any(|pair| pair & !others == 0)
    }

    /// Returns the pieces that the other side may take: those outside mills, or all if every piece is in a mill.
    #[inline]
    pub fn removable(&self, pieces: u32) -> u32 {
        let free = pieces & !self.in_mills(pieces);
        if free == 0 { pieces } else { free }
    }

    /// Returns the name of a point: files a, b, ... from the left, ranks 1, 2, ... from the bottom.
    pub fn name(&self, point: u32) -> String {
        let half = self.rings as i32;
        let (ring, place) = (self.place_of(point) / 8, point % 8);
        let (x, y) = if ring == self.rings {
            (0, 0)
        } else {
            const AROUND: [(i32, i32); 8] = [(-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)];
            let (x, y) = AROUND[place as usize];
            let size = half - ring as i32;
            (x * size, y * size)
        };
        square((x + half) as usize, (y + half) as usize + 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Centre {
    None,
    JoinedToSides,
    JoinedToAll,
}

/// Where lines cross the rings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spokes {
    Sides,
    Corners, // and sides
}

fn mask(points: [u32; 3]) -> u32 {
    points.iter().map(|point| 1 << point).sum()
}

/// Returns the first point of a ring, counted from the outermost, or of the centre.
fn first_of_ring(ring: u32, rings: u32) -> u32 {
    match (rings, ring) {
        (3, 0) => 8,
        (3, 1) => 0,
        _ => 8 * ring,
    }
}

/// Returns the symmetries: rotations and reflections of all rings together; without a centre also exchanges of rings.
fn symmetries(rings: u32, points: u32, flying: bool) -> PermutationGroup {
    let map = |ring: fn(u32, u32) -> u32, place: fn(u32) -> u32| {
        // Of three rings the first two are swapped; the map is its own inverse.
        let ring_of = move |point: u32| first_of_ring(point / 8, rings) / 8;
        Permutation::from_fn(points, move |point| match ring_of(point) {
            centre if centre == rings => point,
            r => first_of_ring(ring(r, rings), rings) + place(point % 8),
        })
    };
    let mut generators =
        vec![map(|ring, _| ring, |place| (place + 2) % 8), map(|ring, _| ring, |place| (8 - place) % 8)];
    if points == 8 * rings {
        generators.push(map(|ring, rings| rings - 1 - ring, |place| place));
        if flying && rings > 1 {
            generators.push(map(|ring, _| [1, 0, 2][ring as usize], |place| place));
        }
    }
    PermutationGroup::generated_by(generators)
}
