//! Lookup tables of the index, for the solver's hot loops and for many lookups.
//!
//! An orbit takes one lookup, a symmetry three. The slots equal those of the lists in [`numbering`](super::numbering).
//!
//! ```text
//!   entry of p: its orbit, the free points of the representative, the symmetry that leads to it
//!   slot of (o, p) = orbit * slots of a row + rank of the image of o among the free points
//! ```
//!
//! The solver's [`OrbitEntries`] take one lookup per mask p, where the tables for single positions take two dependent
//! ones.

use std::sync::OnceLock;

use kanzen_core::index::{Combinations, OrbitTable, PermutationGroup, binomial, combinations};
use kanzen_core::machine::cpu::{Gather, Work, dispatch};

use super::numbering::Half;
use crate::morris::Morris;

/// A symmetry, fast on masks of up to 24 points.
pub struct Image {
    bytes: [[u32; 256]; 3],
    points: [u8; 24],
}

impl Image {
    /// Returns the image of a mask.
    #[inline(always)]
    pub fn apply(&self, mask: u32) -> u32 {
        let [a, b, c, _] = mask.to_le_bytes();
        self.bytes[0][usize::from(a)] | self.bytes[1][usize::from(b)] | self.bytes[2][usize::from(c)]
    }

    /// Returns the image of one point, as a mask.
    #[inline(always)]
    pub fn point(&self, point: u32) -> u32 {
        1 << self.points[point as usize]
    }
}

/// The lookup tables of a game.
pub struct Tables {
    sliding: Vec<Opponents>,
    flying: Option<Opponents>,
    /// For each size, all masks in colex order: those of fewer points are a prefix.
    subsets: Vec<Vec<u32>>,
}

impl Tables {
    /// Builds the tables of a game.
    pub fn new(game: &Morris) -> Tables {
        let board = game.board();
        let subsets = |size: u32| Combinations::new(board.points, size).iter().map(|mask| mask as u32).collect();
        Tables {
            sliding: (0..=game.men()).map(|size| Opponents::new(game, &board.symmetries, size)).collect(),
            flying: game.has_flying().then(|| Opponents::new(game, &board.flying_symmetries, 3)),
            subsets: (0..=game.men()).map(subsets).collect(),
        }
    }

    /// Returns the memory of the tables, in bytes.
    pub fn bytes(game: &Morris) -> u64 {
        let board = game.board();
        let masks: u64 = (0..=game.men()).map(|size| binomial(board.points, size)).sum();
        let orbits: u64 = (0..=game.men()).map(|size| board.symmetries.count_orbits(&[size]) as u64).sum();
        // Two entries and a subset per mask; per orbit the library's entry and an `OrbitInfo`.
        (8 + size_of::<OrbitEntry>() as u64) * masks + (12 + size_of::<OrbitInfo>() as u64) * orbits
    }

    /// Returns the slot within a half of the position with these masks.
    pub fn slot(&self, half: Half, mover: u32, opponent: u32) -> u64 {
        dispatch(SlotOf { opponents: self.opponents(half), half, mover, opponent })
    }

    /// Returns the masks of a slot, the mover's first, or `None` for a hole.
    pub fn masks(&self, half: Half, slot: u64) -> Option<(u32, u32)> {
        dispatch(MasksOf { opponents: self.opponents(half), movers: self.movers(half), half, slot })
    }

    /// Returns the opponent masks of a half.
    pub fn opponents(&self, half: Half) -> &Opponents {
        match &self.flying {
            Some(flying) if half.flying => flying,
            _ => &self.sliding[half.opponent as usize],
        }
    }

    /// Returns the orbit entries of a half's opponent masks, for the solver.
    pub fn entries(&self, game: &Morris, half: Half) -> &OrbitEntries {
        let opponents = self.opponents(half);
        opponents.entries.get_or_init(|| OrbitEntries::new(game, opponents, &self.subsets[half.opponent as usize]))
    }

    /// Returns the mover masks of a half, compressed to the points that the opponent leaves free.
    pub fn movers(&self, half: Half) -> &[u32] {
        &self.subsets[half.mover as usize][..half.per_orbit as usize]
    }

    /// Returns all masks with `size` of the first `points` points.
    pub fn subsets(&self, points: u32, size: u32) -> &[u32] {
        &self.subsets[size as usize][..binomial(points, size) as usize]
    }
}

/// Opponent masks of one size, up to the symmetries of one group.
pub struct Opponents {
    orbits: OrbitTable,
    images: Vec<Image>,
    /// Per orbit, everything the hot loops need: one cache line per lookup.
    infos: Vec<OrbitInfo>,
    /// The solver's entry per mask, made on first use.
    entries: OnceLock<OrbitEntries>,
}

/// An orbit of opponent masks.
#[derive(Clone, Copy)]
pub struct OrbitInfo {
    /// The representative.
    pub opponent: u32,
    /// The pieces of the representative that stand in no mill.
    pub loose: u32,
    /// Whether the stabilizer is trivial.
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

    /// Returns the orbit of each mask and the symmetry that leads to its representative.
    #[inline(always)]
    pub fn orbits(&self) -> &OrbitTable {
        &self.orbits
    }

    /// Returns an orbit.
    #[inline(always)]
    pub fn info(&self, orbit: u32) -> &OrbitInfo {
        &self.infos[orbit as usize]
    }

    /// Returns the symmetries, by number.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Returns a symmetry.
    #[inline(always)]
    pub fn image(&self, symmetry: u8) -> &Image {
        &self.images[usize::from(symmetry)]
    }

    /// Returns the stabilizer of an orbit's representative, without the identity.
    #[inline(always)]
    fn stabilizer(&self, orbit: u32) -> &[u8] {
        &self.orbits.stabilizer(orbit)[1..]
    }

    /// Returns how a mover's mask behaves under the stabilizer of an orbit's representative.
    #[inline(always)]
    pub fn slot_kind(&self, orbit: u32, mover: u32) -> SlotKind {
        let mut standing = SlotKind::Alone;
        for &symmetry in self.stabilizer(orbit) {
            match self.image(symmetry).apply(mover).cmp(&mover) {
                std::cmp::Ordering::Less => return SlotKind::Hole,
                std::cmp::Ordering::Equal => standing = SlotKind::Symmetric,
                std::cmp::Ordering::Greater => {}
            }
        }
        standing
    }

    /// Returns the stabilizer of a whole position, without the identity.
    pub fn position_stabilizer(&self, orbit: u32, mover: u32) -> Vec<&Image> {
        let images = self.stabilizer(orbit).iter().map(|&symmetry| self.image(symmetry));
        images.filter(|image| image.apply(mover) == mover).collect()
    }

    /// Returns the smallest slot of a mover's image against the opponent mask of an entry with symmetries.
    #[cold]
    pub fn smallest_slot<B: Gather>(&self, bits: B, half: Half, entry: OrbitEntry, image: u32) -> u64 {
        self.against_orbit(half, (entry.orbit(), entry.symmetry())).slot_of_image(bits, image)
    }

    /// Returns the view of all positions against one opponent mask.
    #[inline(always)]
    pub fn against(&self, half: Half, opponent: u32) -> Against<'_> {
        self.against_orbit(half, self.orbits.orbit_of(opponent.into()))
    }

    /// The same for a known orbit and symmetry.
    #[inline(always)]
    pub fn against_orbit(&self, half: Half, (orbit, symmetry): (u32, u8)) -> Against<'_> {
        let info = self.info(orbit);
        Against {
            opponents: self,
            image: self.image(symmetry),
            stabilizer: if info.alone { &[] } else { self.stabilizer(orbit) },
            free: !info.opponent,
            first: u64::from(orbit) * half.per_orbit,
        }
    }
}

/// The kind of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotKind {
    /// A position without symmetries.
    Alone,
    /// A position with symmetries.
    Symmetric,
    /// No position: its image has a smaller slot.
    Hole,
}

/// All positions against one opponent mask, after one orbit lookup.
pub struct Against<'a> {
    opponents: &'a Opponents,
    image: &'a Image,
    stabilizer: &'a [u8],
    free: u32,
    first: u64,
}

impl<'a> Against<'a> {
    /// Returns the symmetry that leads to the orbit's representative.
    #[inline(always)]
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// Returns the slot of a mover's mask to which [`image`](Against::image) has been applied.
    #[inline(always)]
    pub fn slot_of_image<B: Gather>(&self, bits: B, image: u32) -> u64 {
        let mut smallest = image;
        for &symmetry in self.stabilizer {
            smallest = smallest.min(self.opponents.image(symmetry).apply(image));
        }
        self.first + combinations::rank(bits.pext32(smallest, self.free).into())
    }
}

/// Computes the slot of one position.
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

/// Computes the masks of one slot.
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
        let is_hole = !alone && self.opponents.slot_kind(orbit, mover) == SlotKind::Hole;
        (!is_hole).then_some((mover, opponent))
    }
}

const FREE: u32 = (1 << 24) - 1;
const SYMMETRY: u32 = (1 << 6) - 1;
const ALONE: u32 = 1 << 30;
const HAS_MILL: u32 = 1 << 31;

/// By rank of a mask, its orbit entry.
pub struct OrbitEntries(Vec<OrbitEntry>);

/// The orbit of a mask, packed for the hot loops.
#[derive(Clone, Copy, Default)]
pub struct OrbitEntry {
    /// The free points of the representative; above them the symmetry and flags.
    packed: u32,
    /// The number of the orbit.
    orbit: u32,
}

impl OrbitEntry {
    /// Returns the number of the orbit.
    #[inline(always)]
    pub fn orbit(self) -> u32 {
        self.orbit
    }

    /// Returns the symmetry that leads from the mask to its representative.
    #[inline(always)]
    pub fn symmetry(self) -> u8 {
        (self.packed >> 24 & SYMMETRY) as u8
    }

    /// Whether the mask has a trivial stabilizer.
    #[inline(always)]
    pub fn is_alone(self) -> bool {
        self.packed & ALONE != 0
    }

    /// Whether the mask has a mill.
    #[inline(always)]
    pub fn has_mill(self) -> bool {
        self.packed & HAS_MILL != 0
    }

    /// Returns the slot of a half for other men, given their image under [`symmetry`](OrbitEntry::symmetry). If the
    /// mask has symmetries, the slot may be a hole.
    #[inline(always)]
    pub fn slot<B: Gather>(self, bits: B, half: Half, image: u32) -> u64 {
        self.slot_with(bits, half, image, 0)
    }

    /// The same with additional men on the lowest free points: `lowest` counts from the first one.
    #[inline(always)]
    pub fn slot_with<B: Gather>(self, bits: B, half: Half, image: u32, lowest: u32) -> u64 {
        let rank = combinations::rank((bits.pext32(image, self.packed & FREE) | lowest).into());
        u64::from(self.orbit) * half.per_orbit + rank
    }
}

impl OrbitEntries {
    /// Builds the entries of masks of one size, in ascending order.
    pub fn new(game: &Morris, opponents: &Opponents, masks: &[u32]) -> OrbitEntries {
        assert!(opponents.images().len() <= SYMMETRY as usize + 1, "few symmetries");
        let entry = |&mask: &u32| {
            let (orbit, symmetry) = opponents.orbits().orbit_of(mask.into());
            let OrbitInfo { opponent, loose, alone } = *opponents.info(orbit);
            let (alone, mill) = (if alone { ALONE } else { 0 }, if opponent == loose { 0 } else { HAS_MILL });
            let free = game.board().all() & !opponent;
            OrbitEntry { packed: free | u32::from(symmetry) << 24 | alone | mill, orbit }
        };
        OrbitEntries(masks.iter().map(entry).collect())
    }

    /// Returns the entry of a mask.
    #[inline(always)]
    pub fn of(&self, mask: u32) -> &OrbitEntry {
        &self.0[combinations::rank(mask.into()) as usize]
    }

    /// Returns the entry of the mask with a rank.
    #[inline(always)]
    pub fn at(&self, rank: u32) -> OrbitEntry {
        self.0[rank as usize]
    }
}
