//! The fast numbering: the opponent's pieces up to symmetry, the mover's on what is left.
//!
//! ```text
//!   slot = orbit of the opponent's mask * C(free points, mover's pieces) + colex rank of the mover within the free points
//! ```
//!
//! The opponent's pieces do not change when a move is taken back, so that one look-up of an orbit serves all parents of
//! a position, and they all lie within one stretch of C(free, mover) slots. If symmetries keep the opponent's mask, the
//! smallest image of the mover's stands for all; the slots of the others stay empty (one or two in a hundred).

use kanzen::index::{OrbitTable, PermutationGroup, binomial, combinations};

use super::Morris;
use super::bits::Bits;

/// A symmetry, fast on masks of at most 24 points.
pub struct Image {
    bytes: [[u32; 256]; 3],
    points: [u8; 24],
}

impl Image {
    #[inline(always)]
    pub fn apply(&self, mask: u32) -> u32 {
        let [a, b, c, _] = mask.to_le_bytes();
        self.bytes[0][usize::from(a)] | self.bytes[1][usize::from(b)] | self.bytes[2][usize::from(c)]
    }

    /// The image of one point, as a mask.
    #[inline(always)]
    pub fn point(&self, point: u32) -> u32 {
        1 << self.points[point as usize]
    }
}

/// Opponents' masks of one size, up to the symmetries of one group.
pub struct Opponents {
    pub orbits: OrbitTable,
    images: Vec<Image>,
    /// What the hot loops want of each orbit, side by side: one cache line a look-up.
    cards: Vec<GameInfo>,
}

/// An orbit of opponents' masks.
#[derive(Clone, Copy)]
pub struct GameInfo {
    /// Its representative.
    pub opponent: u32,
    /// The pieces of it that stand in no mill.
    pub loose: u32,
    /// Whether only the identity keeps it.
    pub alone: bool,
}

impl Opponents {
    fn new(game: &Morris, group: &PermutationGroup, size: u32) -> Opponents {
        let orbits = OrbitTable::new(group, game.board().points, size);
        let images = group.symmetries().iter().map(|symmetry| {
            let byte = |place: usize, byte: usize| symmetry.apply((byte as u64) << (8 * place)) as u32;
            Image {
                bytes: std::array::from_fn(|place| std::array::from_fn(|content| byte(place, content))),
                points: std::array::from_fn(|point| symmetry.images().get(point).copied().unwrap_or(0)),
            }
        });
        let cards = (0..orbits.orbits()).map(|orbit| {
            let opponent = orbits.representative(orbit) as u32;
            let loose = opponent & !game.board().in_mills(opponent);
            GameInfo { opponent, loose, alone: orbits.stabilizer(orbit).len() == 1 }
        });
        Opponents { images: images.collect(), cards: cards.collect(), orbits }
    }

    /// The card of an orbit.
    #[inline(always)]
    pub fn info(&self, orbit: u32) -> &GameInfo {
        &self.cards[orbit as usize]
    }

    /// A symmetry by its number.
    #[inline(always)]
    pub fn image(&self, symmetry: u8) -> &Image {
        &self.images[usize::from(symmetry)]
    }

    /// The symmetries, without the identity, that keep an orbit's representative.
    #[inline(always)]
    pub fn keeping(&self, orbit: u32) -> &[u8] {
        &self.orbits.stabilizer(orbit)[1..]
    }
}

/// Positions with these counts, the mover's and the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Half {
    pub mover: u32,
    pub opponent: u32,
    /// Whether rings permute freely.
    pub flying: bool,
    /// Slots of each orbit.
    pub per_orbit: u64,
    pub slots: u64,
}

/// The numbering of all positions of a game.
pub struct Numbering {
    points: u32,
    sliding: Vec<Opponents>,
    flying: Option<Opponents>,
    /// For each size, all masks in colex order: those of fewer points come first.
    subsets: Vec<Vec<u32>>,
}

impl Numbering {
    /// The numbering of a game.
    pub fn new(game: &Morris) -> Numbering {
        let board = game.board();
        let sizes = 0..=game.men();
        Numbering {
            points: board.points,
            sliding: sizes.clone().map(|size| Opponents::new(game, &board.symmetries, size)).collect(),
            flying: game.has_flying().then(|| Opponents::new(game, &board.flying_symmetries, 3)),
            subsets: sizes
                .map(|size| {
                    kanzen::index::Combinations::new(board.points, size).iter().map(|mask| mask as u32).collect()
                })
                .collect(),
        }
    }

    /// Positions with these counts; `flying` if both sides fly.
    pub fn half(&self, mover: u32, opponent: u32, flying: bool) -> Half {
        let per_orbit = binomial(self.points - opponent, mover);
        let half = Half { mover, opponent, flying, per_orbit, slots: 0 };
        Half { slots: per_orbit * u64::from(self.opponents(half).orbits.orbits()), ..half }
    }

    /// Opponents' masks of a half.
    #[inline(always)]
    pub fn opponents(&self, half: Half) -> &Opponents {
        match &self.flying {
            Some(flying) if half.flying => flying,
            _ => &self.sliding[half.opponent as usize],
        }
    }

    /// The orbit and the rank within it of a slot.
    #[inline(always)]
    pub fn split(&self, half: Half, slot: u64) -> (u32, usize) {
        ((slot / half.per_orbit) as u32, (slot % half.per_orbit) as usize)
    }

    /// The mover's masks of a half, squeezed onto the points that the opponent leaves free.
    #[inline(always)]
    pub fn movers(&self, half: Half) -> &[u32] {
        &self.subsets[half.mover as usize][..half.per_orbit as usize]
    }

    /// The position of a slot: the mover's mask and the opponent's.
    pub fn unrank(&self, half: Half, slot: u64) -> (u32, u32) {
        let (orbit, rank) = self.split(half, slot);
        let opponent = self.opponents(half).orbits.representative(orbit);
        let free = !opponent & ((1 << self.points) - 1);
        (kanzen::index::spread(self.movers(half)[rank].into(), free) as u32, opponent as u32)
    }

    /// The slot of a position.
    pub fn rank(&self, half: Half, mover: u32, opponent: u32) -> u64 {
        Against::new(self, half, opponent).slot::<super::bits::Portable>(mover)
    }

    /// How the symmetries that keep an orbit's representative treat a mover's mask.
    #[inline(always)]
    pub fn standing(&self, half: Half, orbit: u32, mover: u32) -> Standing {
        let opponents = self.opponents(half);
        let mut standing = Standing::Alone;
        for &symmetry in opponents.keeping(orbit) {
            match opponents.image(symmetry).apply(mover).cmp(&mover) {
                std::cmp::Ordering::Less => return Standing::Hole,
                std::cmp::Ordering::Equal => standing = Standing::Symmetric,
                std::cmp::Ordering::Greater => {}
            }
        }
        standing
    }

    /// The symmetries, without the identity, that keep a whole position.
    pub fn keeping_both(&self, half: Half, orbit: u32, mover: u32) -> Vec<&Image> {
        let opponents = self.opponents(half);
        let images = opponents.keeping(orbit).iter().map(|&symmetry| opponents.image(symmetry));
        images.filter(|image| image.apply(mover) == mover).collect()
    }
}

/// What a slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A position that no symmetry keeps.
    Alone,
    /// A position that some symmetry keeps.
    Symmetric,
    /// No position: a mirror image of one with a smaller slot.
    Hole,
}

/// All positions against one opponent's mask: its orbit looked up once.
pub struct Against<'a> {
    opponents: &'a Opponents,
    image: &'a Image,
    keeping: &'a [u8],
    free: u32,
    first: u64,
}

impl<'a> Against<'a> {
    #[inline(always)]
    pub fn new(numbering: &'a Numbering, half: Half, opponent: u32) -> Against<'a> {
        let opponents = numbering.opponents(half);
        Against::orbit(opponents, half, opponents.orbits.orbit_of(opponent.into()))
    }

    /// The same for an opponent's mask whose orbit and symmetry are known.
    #[inline(always)]
    pub fn orbit(opponents: &'a Opponents, half: Half, (orbit, symmetry): (u32, u8)) -> Against<'a> {
        let card = opponents.card(orbit);
        Against {
            opponents,
            image: opponents.image(symmetry),
            keeping: if card.alone { &[] } else { opponents.keeping(orbit) },
            free: !card.opponent,
            first: u64::from(orbit) * half.per_orbit,
        }
    }

    /// The symmetry that leads to the orbit's representative.
    #[inline(always)]
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The slot of a mover's mask.
    #[inline(always)]
    pub fn slot<B: Bits>(&self, mover: u32) -> u64 {
        self.slot_of_image::<B>(self.image.apply(mover))
    }

    /// The slot of a mover's mask that [`image`](Against::image) has been applied to.
    #[inline(always)]
    pub fn slot_of_image<B: Bits>(&self, image: u32) -> u64 {
        let mut smallest = image;
        for &symmetry in self.keeping {
            smallest = smallest.min(self.opponents.image(symmetry).apply(image));
        }
        self.first + combinations::rank(B::squeeze(smallest, self.free).into())
    }
}
