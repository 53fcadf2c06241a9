//! The numbering in tables, for the hot loops and for very many questions: an orbit is one look-up, a symmetry three.
//!
//! The fast twin of the lists: the same slots.

use std::sync::OnceLock;

use kanzen::index::{Combinations, OrbitTable, PermutationGroup, binomial, combinations};
use kanzen::machine::cpu::{Gather, Work, dispatch};

use super::numbering::Half;
use super::{OrbitEntries, OrbitEntry};
use crate::morris::Morris;

/// A symmetry, fast on masks of at most 24 points.
pub struct Image {
    bytes: [[u32; 256]; 3],
    points: [u8; 24],
}

impl Image {
    /// The image of a mask.
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

/// The numbering of all positions of a game.
pub struct Tables {
    sliding: Vec<Opponents>,
    flying: Option<Opponents>,
    /// For each size, all masks in colex order: those of fewer points come first.
    subsets: Vec<Vec<u32>>,
}

impl Tables {
    /// The tables of a game.
    pub fn new(game: &Morris) -> Tables {
        let board = game.board();
        let subsets = |size: u32| Combinations::new(board.points, size).iter().map(|mask| mask as u32).collect();
        Tables {
            sliding: (0..=game.men()).map(|size| Opponents::new(game, &board.symmetries, size)).collect(),
            flying: game.has_flying().then(|| Opponents::new(game, &board.flying_symmetries, 3)),
            subsets: (0..=game.men()).map(subsets).collect(),
        }
    }

    /// Bytes of memory that they take.
    pub fn bytes(game: &Morris) -> u64 {
        let board = game.board();
        let masks: u64 = (0..=game.men()).map(|size| binomial(board.points, size)).sum();
        let orbits: u64 = (0..=game.men()).map(|size| board.symmetries.count_orbits(&[size]) as u64).sum();
        // Two entries and a subset for each mask; for each orbit what the library and `OrbitInfo` know of it.
        (8 + size_of::<OrbitEntry>() as u64) * masks + (12 + size_of::<OrbitInfo>() as u64) * orbits
    }

    /// The slot within a half of the position with these masks.
    pub fn slot(&self, half: Half, mover: u32, opponent: u32) -> u64 {
        dispatch(SlotOf { opponents: self.opponents(half), half, mover, opponent })
    }

    /// The masks of a slot, the mover's and the opponent's; none if it is a hole.
    pub fn masks(&self, half: Half, slot: u64) -> Option<(u32, u32)> {
        dispatch(MasksOf { opponents: self.opponents(half), movers: self.movers(half), half, slot })
    }

    /// Opponents' masks of a half.
    pub fn opponents(&self, half: Half) -> &Opponents {
        match &self.flying {
            Some(flying) if half.flying => flying,
            _ => &self.sliding[half.opponent as usize],
        }
    }

    /// The orbits of opponents' masks of a half, for the solver.
    pub fn entries(&self, game: &Morris, half: Half) -> &OrbitEntries {
        let opponents = self.opponents(half);
        opponents.entries.get_or_init(|| OrbitEntries::new(game, opponents, &self.subsets[half.opponent as usize]))
    }

    /// The mover's masks of a half, gathered from the points that the opponent leaves free.
    pub fn movers(&self, half: Half) -> &[u32] {
        &self.subsets[half.mover as usize][..half.per_orbit as usize]
    }

    /// All masks of some of the first `points` points, `size` of them.
    pub fn subsets(&self, points: u32, size: u32) -> &[u32] {
        &self.subsets[size as usize][..binomial(points, size) as usize]
    }
}

/// Opponents' masks of one size, up to the symmetries of one group.
pub struct Opponents {
    orbits: OrbitTable,
    images: Vec<Image>,
    /// What the hot loops want of each orbit, side by side: one cache line a look-up.
    infos: Vec<OrbitInfo>,
    /// What those of the solver want of each mask, made when first asked for.
    entries: OnceLock<OrbitEntries>,
}

/// An orbit of opponents' masks.
#[derive(Clone, Copy)]
pub struct OrbitInfo {
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
        let infos = (0..orbits.orbits()).map(|orbit| {
            let opponent = orbits.representative(orbit) as u32;
            let loose = opponent & !game.board().in_mills(opponent);
            OrbitInfo { opponent, loose, alone: orbits.stabilizer(orbit).len() == 1 }
        });
        Opponents { images: images.collect(), infos: infos.collect(), orbits, entries: OnceLock::new() }
    }

    /// The orbit of each mask, and the symmetry that leads to its representative.
    #[inline(always)]
    pub fn orbits(&self) -> &OrbitTable {
        &self.orbits
    }

    /// What there is to know of an orbit.
    #[inline(always)]
    pub fn info(&self, orbit: u32) -> &OrbitInfo {
        &self.infos[orbit as usize]
    }

    /// The symmetries, by their numbers.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// A symmetry.
    #[inline(always)]
    pub fn image(&self, symmetry: u8) -> &Image {
        &self.images[usize::from(symmetry)]
    }

    /// The symmetries, without the identity, that keep an orbit's representative.
    #[inline(always)]
    fn keeping(&self, orbit: u32) -> &[u8] {
        &self.orbits.stabilizer(orbit)[1..]
    }

    /// How the symmetries that keep an orbit's representative treat a mover's mask.
    #[inline(always)]
    pub fn standing(&self, orbit: u32, mover: u32) -> Standing {
        let mut standing = Standing::Alone;
        for &symmetry in self.keeping(orbit) {
            match self.image(symmetry).apply(mover).cmp(&mover) {
                std::cmp::Ordering::Less => return Standing::Hole,
                std::cmp::Ordering::Equal => standing = Standing::Symmetric,
                std::cmp::Ordering::Greater => {}
            }
        }
        standing
    }

    /// The symmetries, without the identity, that keep a whole position.
    pub fn keeping_both(&self, orbit: u32, mover: u32) -> Vec<&Image> {
        let images = self.keeping(orbit).iter().map(|&symmetry| self.image(symmetry));
        images.filter(|image| image.apply(mover) == mover).collect()
    }

    /// The slot of a mover's image against the opponent's mask of an entry that symmetries keep.
    #[cold]
    pub fn smallest_slot<B: Gather>(&self, bits: B, half: Half, entry: OrbitEntry, image: u32) -> u64 {
        self.against_orbit(half, (entry.orbit(), entry.symmetry())).slot_of_image(bits, image)
    }

    /// All positions against one opponent's mask.
    #[inline(always)]
    pub fn against(&self, half: Half, opponent: u32) -> Against<'_> {
        self.against_orbit(half, self.orbits.orbit_of(opponent.into()))
    }

    /// The same for an opponent's mask whose orbit and symmetry are known.
    #[inline(always)]
    pub fn against_orbit(&self, half: Half, (orbit, symmetry): (u32, u8)) -> Against<'_> {
        let info = self.info(orbit);
        Against {
            opponents: self,
            image: self.image(symmetry),
            keeping: if info.alone { &[] } else { self.keeping(orbit) },
            free: !info.opponent,
            first: u64::from(orbit) * half.per_orbit,
        }
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
    /// The symmetry that leads to the orbit's representative.
    #[inline(always)]
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The slot of a mover's mask that [`image`](Against::image) has been applied to.
    #[inline(always)]
    pub fn slot_of_image<B: Gather>(&self, bits: B, image: u32) -> u64 {
        let mut smallest = image;
        for &symmetry in self.keeping {
            smallest = smallest.min(self.opponents.image(symmetry).apply(image));
        }
        self.first + combinations::rank(bits.pext32(smallest, self.free).into())
    }
}

/// One position on its own.
struct SlotOf<'t> {
    opponents: &'t Opponents,
    half: Half,
    mover: u32,
    opponent: u32,
}

impl Work for SlotOf<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> u64 {
        let against = self.opponents.against(self.half, self.opponent);
        against.slot_of_image(bits, against.image().apply(self.mover))
    }
}

/// One slot on its own.
struct MasksOf<'t> {
    opponents: &'t Opponents,
    movers: &'t [u32],
    half: Half,
    slot: u64,
}

impl Work for MasksOf<'_> {
    type Output = Option<(u32, u32)>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Option<(u32, u32)> {
        let (orbit, rank) = self.half.split(self.slot);
        let OrbitInfo { opponent, alone, .. } = *self.opponents.info(orbit);
        let mover = bits.pdep32(self.movers[rank as usize], !opponent);
        let is_hole = !alone && self.opponents.standing(orbit, mover) == Standing::Hole;
        (!is_hole).then_some((mover, opponent))
    }
}
