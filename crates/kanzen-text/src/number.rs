//! A numbering of the positions of a game, derived from its operators.
//!
//! - *Regions*: cells that can hold the same pieces. A cell that always holds the same is in none.
//! - *Classes*: positions at the same point of the rules with the same variables and the same number of each kind of piece
//!   in each region. Those that operators lead to, starting from the class of the start, are numbered.
//! - *Slots* of a class: for each region and kind the colexicographic rank of the cells it stands on, among those that
//!   earlier kinds leave free, as digits of one number.
//! - *Symmetries*: of two classes that an exchange of the sides maps to each other one is kept. Within a class the kind
//!   with the most ways to stand is ranked by its orbit; where symmetries keep what stands there, the smallest rank of the
//!   rest counts. Such slots have others that are not used.
//!
//! ```text
//! slot = offset of the class + orbit of the first kind * ways of the rest + rank of the rest
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use kanzen_core::index::combinations::{self, unrank_within};
use kanzen_core::index::{OrbitTable, Permutation, PermutationGroup, checked_binomial};
use kanzen_core::machine::cpu::{Gather, Work, dispatch, pdep, pext};

use crate::core::{Expression, PieceSet};
use crate::ground::{Condition, Cube, Grounded, MAX_PIECES, Operator, Target, Values};
use crate::operators::{MAX_VARIABLES, State};
use crate::symmetry::{Exchange, Symmetries};

/// The most classes.
pub const MAX_CLASSES: usize = 1 << 20;
/// The most slots.
pub const MAX_SLOTS: u64 = 1 << 40;
/// The most entries of the table of classes.
const MAX_TABLE: usize = 1 << 26;
/// The most subsets in a table of orbits, and in all of them.
const MAX_ORBITS: u64 = (1 << 24) - 1;
const MAX_ALL_ORBITS: u64 = 1 << 26;
/// The most operators that are tried on classes.
const MAX_TRIED: u64 = 1 << 30;

/// Why a game cannot be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// The game is over before the first move.
    NoMove,
    /// There is too much of something.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: u64,
    },
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::NoMove => write!(f, "the game is over before the first move"),
            NumberError::TooMany { what, most } => write!(f, "too many {what}: at most {most} are possible"),
        }
    }
}

impl std::error::Error for NumberError {}

/// Cells that can hold the same pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Region {
    cells: u64,
    /// The kinds, at least two. The first is where no other is.
    pieces: Vec<u8>,
}

/// A kind of piece within a region, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    region: usize,
    piece: u8,
    count: u8,
    /// The ways to stand on the cells that earlier kinds of the region leave.
    ways: u64,
}

/// Positions with the same point, variables and counts.
#[derive(Clone, Debug)]
struct Class {
    point: u16,
    variables: Vec<u8>,
    offset: u64,
    /// In the order in which they are ranked.
    parts: Vec<Part>,
    /// The ways of all parts; with a table of orbits, of all but the first.
    rest: u64,
    orbits: Option<usize>,
    slots: u64,
}

/// Point, variables and counts of a class; the counts of all kinds of a region but the first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct ClassKey {
    point: u16,
    variables: Vec<u8>,
    counts: Vec<u8>,
}

/// A class in the table: its number, and whether the sides are to be exchanged first.
const EXCHANGED: u32 = 1 << 31;
const NO_CLASS: u32 = u32::MAX;

/// A numbering.
///
/// ```
/// use kanzen_text::{ground::Grounded, number::Numbering, operators::Operators, symmetry::Symmetries};
/// let game = kanzen_text::rbg::read("
///     #players = left(1), right(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, west, east, [x, e, e])
///     #turn(me; foe) = ->me (east* + west*) {x} [e] east {e} [x] [$ me = 1, foe = 0]
///     #rules = (turn(left; right) turn(right; left))*
/// ")?;
/// let game = Grounded::new(&game)?;
/// let start = Operators::new(&game).initial().unwrap();
/// let numbering = Numbering::new(&game, &Symmetries::none(&game))?;
/// assert_eq!(numbering.slots(), 6); // a cross on one of three cells, two sides to move
/// let slot = numbering.rank(&start).unwrap();
/// assert_eq!(numbering.unrank(slot), start);
/// // The sides are alike: half of it is enough.
/// assert_eq!(Numbering::new(&game, &Symmetries::find(&game))?.slots(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Numbering {
    regions: Vec<Region>,
    /// Cells that always hold the same piece.
    fixed: [u64; MAX_PIECES],
    classes: Vec<Class>,
    /// By class keys as mixed radix numbers.
    table: Vec<u32>,
    /// The largest variables and counts that classes have, and one.
    variable_radix: Vec<usize>,
    count_radix: Vec<usize>,
    group: Vec<Permutation>,
    /// The numbers in `group` of the symmetries of each table of orbits.
    orbit_tables: Vec<(OrbitTable, Vec<usize>)>,
    exchange: Option<Exchange>,
    slots: u64,
}

impl Numbering {
    /// Numbers the positions of a game.
    ///
    /// # Errors
    /// If there are too many, or none.
    pub fn new(game: &Grounded, symmetries: &Symmetries) -> Result<Numbering, NumberError> {
        let initial = game.initial.as_ref().ok_or(NumberError::NoMove)?;
        let (regions, fixed) = regions(game);
        let start_cells: Vec<u64> = (0..MAX_PIECES as u8)
            .map(|piece| {
                let here = initial.board.iter().enumerate().filter(|(_, at)| at.0 == piece);
                here.fold(0, |cells, (cell, _)| cells | 1 << cell)
            })
            .collect();
        let start = ClassKey {
            point: game.point_of(initial).ok_or(NumberError::NoMove)? as u16,
            variables: (0..game.scores.len())
                .map(|id| if game.scores[id] { 0 } else { initial.variables[id] as u8 })
                .collect(),
            counts: counts(&regions, |piece| start_cells[piece as usize]),
        };
        let exchange = symmetries.exchange.clone().filter(|exchange| {
            regions.iter().all(|region| {
                let image = exchange.cells().apply(region.cells);
                regions.iter().any(|other| other.cells == image)
            })
        });
        let keys = closure(game, &regions, &fixed, start)?;
        let mut all = Numbering {
            variable_radix: radix(&keys, |key| &key.variables),
            count_radix: radix(&keys, |key| &key.counts),
            regions,
            fixed,
            classes: Vec::new(),
            table: Vec::new(),
            group: symmetries.group.symmetries().to_vec(),
            orbit_tables: Vec::new(),
            exchange,
            slots: 0,
        };
        let mut radices = all.variable_radix.iter().chain(&all.count_radix);
        let entries = radices.try_fold(game.points.len(), |all, &radix| all.checked_mul(radix));
        let entries = entries.filter(|&entries| entries <= MAX_TABLE);
        let entries = entries.ok_or(NumberError::TooMany { what: "combinations of counts", most: MAX_TABLE as u64 })?;
        all.table = vec![NO_CLASS; entries];
        let known: HashSet<&ClassKey> = keys.iter().collect();
        let whole = (1u64.checked_shl(game.game.board.len() as u32).unwrap_or(0)).wrapping_sub(1);
        let mut tables = BTreeMap::new();
        for key in &keys {
            let entry = all.entry(key);
            if all.table[entry] != NO_CLASS {
                continue;
            }
            let number = all.classes.len() as u32;
            all.table[entry] = number;
            if let Some(image) = all.exchange.as_ref().map(|exchange| all.image(exchange, key, whole))
                && known.contains(&image)
            {
                let entry = all.entry(&image);
                all.table[entry] = number | EXCHANGED;
            }
            let class = all.class(key, &mut tables)?;
            all.slots = all.slots.checked_add(class.slots).filter(|slots| *slots <= MAX_SLOTS).ok_or(TOO_MANY_SLOTS)?;
            all.classes.push(class);
        }
        Ok(all)
    }

    /// How many slots there are.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// How many symmetries are made use of, the identity among them.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.group.len() * if self.exchange.is_some() { 2 } else { 1 }
    }

    /// The slot of a position and of all its images; `None` if no class that can arise has it.
    #[must_use]
    pub fn rank(&self, state: &State) -> Option<u64> {
        dispatch(Rank { numbering: self, state }).map(|(slot, _)| slot)
    }

    /// The slot, and whether a symmetry besides the identity keeps the position. For loops that are compiled for a
    /// processor.
    #[must_use]
    #[inline(always)]
    pub fn rank_with<B: Gather>(&self, bits: B, state: &State) -> Option<(u64, bool)> {
        let number = *self.table.get(self.entry_of(state)?)?;
        if number == NO_CLASS {
            return None;
        }
        let class = &self.classes[(number & !EXCHANGED) as usize];
        let exchanged;
        let state = match (&self.exchange, number & EXCHANGED != 0) {
            (Some(exchange), true) => {
                exchanged = exchange.apply(state);
                &exchanged
            }
            _ => state,
        };
        let Some(table) = class.orbits else {
            return Some((class.offset + self.digits(bits, class, 0, |piece| state.planes[piece as usize]), false));
        };
        let (table, numbers) = &self.orbit_tables[table];
        let first = class.parts[0];
        let cells = self.regions[first.region].cells;
        let (orbit, symmetry) = table.orbit_of(bits.pext(state.planes[first.piece as usize], cells));
        let rest_by = |symmetry: usize| {
            let symmetry = &self.group[symmetry];
            self.digits(bits, class, 1, |piece| symmetry.apply(state.planes[piece as usize]))
        };
        let to = numbers[symmetry as usize];
        let mut least = rest_by(to);
        let plain = least;
        let mut same = false;
        let keeping = &table.stabilizer(orbit)[1..];
        for &symmetry in keeping {
            let symmetry = &self.group[numbers[symmetry as usize]];
            let by = &self.group[to];
            let rest = self.digits(bits, class, 1, |piece| symmetry.apply(by.apply(state.planes[piece as usize])));
            same |= rest == plain;
            least = least.min(rest);
        }
        Some((class.offset + u64::from(orbit) * class.rest + least, same))
    }

    /// The position of a slot. It is one of those with this slot, unless the slot is not used.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn unrank(&self, slot: u64) -> State {
        let class = &self.classes[self.classes.partition_point(|class| class.offset <= slot) - 1];
        let mut state = State { point: class.point, planes: self.fixed, variables: [0; MAX_VARIABLES] };
        state.variables[..class.variables.len()].copy_from_slice(&class.variables);
        let mut free: Vec<u64> = self.regions.iter().map(|region| region.cells).collect();
        let mut left = slot - class.offset;
        let mut parts = &class.parts[..];
        if let Some(table) = class.orbits {
            let first = class.parts[0];
            let orbit = (left / class.rest) as u32;
            left %= class.rest;
            let cells = pdep(self.orbit_tables[table].0.representative(orbit), free[first.region]);
            state.planes[first.piece as usize] |= cells;
            free[first.region] &= !cells;
            parts = &parts[1..];
        }
        for part in parts {
            let cells = unrank_within(part.count.into(), left % part.ways, free[part.region]);
            left /= part.ways;
            state.planes[part.piece as usize] |= cells;
            free[part.region] &= !cells;
        }
        for (region, free) in self.regions.iter().zip(free) {
            state.planes[region.pieces[0] as usize] |= free;
        }
        state
    }

    /// The ranks of the parts from `first` on as digits, the first of them the lowest.
    #[inline(always)]
    fn digits<B: Gather>(&self, bits: B, class: &Class, first: usize, plane: impl Fn(u8) -> u64) -> u64 {
        let (mut slot, mut scale) = (0, 1);
        let mut region = usize::MAX;
        let mut free = 0;
        for (number, part) in class.parts.iter().enumerate() {
            if part.region != region {
                region = part.region;
                free = self.regions[region].cells;
            }
            let here = plane(part.piece) & self.regions[region].cells;
            if number >= first {
                slot += scale * combinations::rank(bits.pext(here, free));
                scale *= part.ways;
            }
            free &= !here;
        }
        slot
    }

    fn entry(&self, key: &ClassKey) -> usize {
        let of = |values: &[u8], radix: &[usize], entry: usize| {
            values.iter().zip(radix).fold(entry, |entry, (value, radix)| entry * radix + *value as usize)
        };
        of(&key.counts, &self.count_radix, of(&key.variables, &self.variable_radix, key.point as usize))
    }

    /// The place of the class of a position in the table; `None` if a number is larger than in any class.
    #[inline(always)]
    fn entry_of(&self, state: &State) -> Option<usize> {
        let mut entry = state.point as usize;
        for (id, &radix) in self.variable_radix.iter().enumerate() {
            let value = state.variables[id] as usize;
            if value >= radix {
                return None;
            }
            entry = entry * radix + value;
        }
        let mut number = 0;
        for region in &self.regions {
            for &piece in &region.pieces[1..] {
                let count = (state.planes[piece as usize] & region.cells).count_ones() as usize;
                let radix = self.count_radix[number];
                if count >= radix {
                    return None;
                }
                entry = entry * radix + count;
                number += 1;
            }
        }
        Some(entry)
    }

    /// The class that an exchange of the sides maps a class to.
    fn image(&self, exchange: &Exchange, key: &ClassKey, whole: u64) -> ClassKey {
        // Any position of the class will do: its image has the counts.
        let mut state = State { point: key.point, planes: self.fixed, variables: [0; MAX_VARIABLES] };
        state.variables[..key.variables.len()].copy_from_slice(&key.variables);
        let mut counts_left = key.counts.iter();
        for region in &self.regions {
            let mut free = region.cells;
            for &piece in &region.pieces[1..] {
                for _ in 0..*counts_left.next().unwrap_or(&0) {
                    let cell = free & free.wrapping_neg();
                    state.planes[piece as usize] |= cell;
                    free ^= cell;
                }
            }
            state.planes[region.pieces[0] as usize] |= free & whole;
        }
        let image = exchange.apply(&state);
        ClassKey {
            point: image.point,
            variables: image.variables[..key.variables.len()].to_vec(),
            counts: counts(&self.regions, |piece| image.planes[piece as usize]),
        }
    }

    /// Lays a class out behind those that are there.
    fn class(
        &mut self,
        key: &ClassKey,
        tables: &mut BTreeMap<(usize, u8), Option<usize>>,
    ) -> Result<Class, NumberError> {
        // For each region the kind with the most ways first.
        let mut listed: Vec<Vec<Part>> = Vec::new();
        let mut counts_left = key.counts.iter();
        for (number, region) in self.regions.iter().enumerate() {
            let mut free = region.cells.count_ones();
            let mut parts: Vec<(u8, u8)> =
                region.pieces[1..].iter().map(|&piece| (piece, *counts_left.next().unwrap_or(&0))).collect();
            let cells = free;
            parts.sort_by_key(|&(_, count)| std::cmp::Reverse(checked_binomial(cells, count.into())));
            let mut of_region = Vec::new();
            for (piece, count) in parts {
                let ways = checked_binomial(free, count.into()).ok_or(TOO_MANY_SLOTS)?;
                of_region.push(Part { region: number, piece, count, ways });
                free -= u32::from(count);
            }
            listed.push(of_region);
        }
        // The region whose first kind has the most ways first.
        listed.sort_by_key(|parts| std::cmp::Reverse(parts.first().map_or(0, |part| part.ways)));
        let parts: Vec<Part> = listed.into_iter().flatten().collect();
        let mut orbits = None;
        if let Some(first) = parts.first().filter(|_| self.group.len() > 1) {
            let key = (first.region, first.count);
            orbits = match tables.get(&key) {
                Some(table) => *table,
                None => {
                    let table = self.orbit_table(first);
                    tables.insert(key, table);
                    table
                }
            };
        }
        let skip = usize::from(orbits.is_some());
        let rest =
            parts[skip..].iter().try_fold(1u64, |ways, part| ways.checked_mul(part.ways)).ok_or(TOO_MANY_SLOTS)?;
        let first = orbits.map_or(1, |table| u64::from(self.orbit_tables[table].0.orbits()));
        let slots = rest.checked_mul(first).ok_or(TOO_MANY_SLOTS)?;
        Ok(Class { point: key.point, variables: key.variables.clone(), offset: self.slots, parts, rest, orbits, slots })
    }

    /// The orbits of a kind of piece on its region, unless symmetries move the region or look alike on it.
    fn orbit_table(&mut self, part: &Part) -> Option<usize> {
        let cells = self.regions[part.region].cells;
        let listed: u64 = self.orbit_tables.iter().map(|(table, _)| table.masks()).sum();
        if part.ways > MAX_ORBITS
            || listed + part.ways > MAX_ALL_ORBITS
            || self.group.iter().any(|symmetry| symmetry.apply(cells) != cells)
        {
            return None;
        }
        let points = cells.count_ones();
        let local = |symmetry: &Permutation| {
            Permutation::from_fn(points, |point| pext(symmetry.apply(pdep(1 << point, cells)), cells).trailing_zeros())
        };
        let locals: HashMap<Vec<u8>, usize> = self
            .group
            .iter()
            .enumerate()
            .map(|(number, symmetry)| (local(symmetry).images().to_vec(), number))
            .collect();
        if locals.len() < self.group.len() {
            return None;
        }
        let group = PermutationGroup::generated_by(self.group.iter().map(local));
        let numbers = group.symmetries().iter().map(|symmetry| locals.get(symmetry.images()).copied());
        let numbers = numbers.collect::<Option<Vec<usize>>>()?;
        self.orbit_tables.push((OrbitTable::new(&group, points, part.count.into()), numbers));
        Some(self.orbit_tables.len() - 1)
    }
}

/// Ranks one position.
struct Rank<'a> {
    numbering: &'a Numbering,
    state: &'a State,
}

impl Work for Rank<'_> {
    type Output = Option<(u64, bool)>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Option<(u64, bool)> {
        self.numbering.rank_with(bits, self.state)
    }
}

const TOO_MANY_SLOTS: NumberError = NumberError::TooMany { what: "slots", most: MAX_SLOTS };

/// Regions, and the cells that always hold the same.
fn regions(game: &Grounded) -> (Vec<Region>, [u64; MAX_PIECES]) {
    let mut fixed = [0; MAX_PIECES];
    let mut by_set: BTreeMap<PieceSet, u64> = BTreeMap::new();
    for (cell, set) in game.possible.iter().enumerate() {
        match set.len() {
            1 => set.iter().for_each(|piece| fixed[piece.0 as usize] |= 1 << cell),
            _ => *by_set.entry(*set).or_default() |= 1 << cell,
        }
    }
    let region = |(set, cells): (PieceSet, u64)| Region { cells, pieces: set.iter().map(|piece| piece.0).collect() };
    (by_set.into_iter().map(region).collect(), fixed)
}

fn counts(regions: &[Region], plane: impl Fn(u8) -> u64) -> Vec<u8> {
    let kinds = regions.iter().flat_map(|region| region.pieces[1..].iter().map(|&piece| (region.cells, piece)));
    kinds.map(|(cells, piece)| (plane(piece) & cells).count_ones() as u8).collect()
}

fn radix(keys: &[ClassKey], values: impl Fn(&ClassKey) -> &Vec<u8>) -> Vec<usize> {
    let mut radix = vec![1; keys.first().map_or(0, |key| values(key).len())];
    for key in keys {
        for (radix, value) in radix.iter_mut().zip(values(key)) {
            *radix = (*radix).max(*value as usize + 1);
        }
    }
    radix
}

/// What an operator asks of a class and does to it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shift {
    to: u16,
    /// The fewest of each kind in each region, the first kind of the region among them.
    needs: Vec<(usize, u8, u8)>,
    values: Vec<(usize, Values)>,
    conditions: Vec<(usize, bool)>,
    moves: Vec<(usize, i8)>,
    adds: Vec<(usize, i32)>,
}

/// All classes that operators lead to from one, in order.
fn closure(
    game: &Grounded,
    regions: &[Region],
    fixed: &[u64; MAX_PIECES],
    start: ClassKey,
) -> Result<Vec<ClassKey>, NumberError> {
    let mut shifts: Vec<HashSet<Shift>> = vec![HashSet::new(); game.points.len()];
    for operator in &game.operators {
        if let Target::Point(to) = operator.to {
            shifts[operator.from].insert(shift(game, regions, operator, to));
        }
    }
    let maxima: Vec<i32> = game.game.variables.iter().map(|variable| variable.max).collect();
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut tried = 0;
    while let Some(key) = open.pop() {
        tried += shifts[key.point as usize].len() as u64;
        if tried > MAX_TRIED {
            return Err(NumberError::TooMany { what: "operators tried on classes", most: MAX_TRIED });
        }
        let class = ClassView { key: &key, regions, fixed, game };
        if game.checks.iter().any(|check| {
            check.mover.is_none_or(|mover| mover == game.points[key.point as usize].mover)
                && class.decides(&check.when) == Some(true)
        }) {
            continue;
        }
        'shifts: for shift in &shifts[key.point as usize] {
            if shift.needs.iter().any(|&(region, piece, needed)| class.count(region, piece) < needed.into())
                || shift.values.iter().any(|&(id, values)| values >> key.variables[id] & 1 == 0)
                || shift.conditions.iter().any(|&(number, holds)| class.compares(number) == Some(!holds))
            {
                continue;
            }
            let mut next = ClassKey { point: shift.to, ..key.clone() };
            for &(id, add) in &shift.adds {
                let value = i32::from(next.variables[id]) + add;
                if !(0..=maxima[id]).contains(&value) {
                    continue 'shifts;
                }
                next.variables[id] = value as u8;
            }
            for &(count, add) in &shift.moves {
                let Some(value) = next.counts[count].checked_add_signed(add) else { continue 'shifts };
                next.counts[count] = value;
            }
            let mut first = 0;
            for region in regions {
                let kinds = region.pieces.len() - 1;
                let sum: u32 = next.counts[first..first + kinds].iter().map(|&count| u32::from(count)).sum();
                if sum > region.cells.count_ones() {
                    continue 'shifts;
                }
                first += kinds;
            }
            if seen.insert(next.clone()) {
                if seen.len() > MAX_CLASSES {
                    return Err(NumberError::TooMany { what: "classes", most: MAX_CLASSES as u64 });
                }
                open.push(next);
            }
        }
    }
    let mut keys: Vec<ClassKey> = seen.into_iter().collect();
    keys.sort();
    Ok(keys)
}

fn shift(game: &Grounded, regions: &[Region], operator: &Operator, to: usize) -> Shift {
    let region_of = |cell: crate::core::Cell| regions.iter().position(|region| region.cells >> cell.0 & 1 == 1);
    let mut needs: BTreeMap<(usize, u8), u8> = BTreeMap::new();
    for (cell, set) in operator.guard.cells.iter().filter(|(_, set)| set.len() == 1) {
        if let (Some(region), Some(piece)) = (region_of(*cell), set.iter().next()) {
            *needs.entry((region, piece.0)).or_default() += 1;
        }
    }
    let mut moves: BTreeMap<usize, i8> = BTreeMap::new();
    for write in &operator.writes {
        let Some(region) = region_of(write.cell) else { continue };
        let before: usize = regions[..region].iter().map(|region| region.pieces.len() - 1).sum();
        for (piece, add) in [(write.old, -1), (write.new, 1)] {
            match regions[region].pieces.iter().position(|&kind| kind == piece.0) {
                Some(kind) if kind > 0 => *moves.entry(before + kind - 1).or_default() += add,
                _ => {}
            }
        }
    }
    let compare = |(number, _): &&(usize, bool)| matches!(game.conditions[*number], Condition::Compare(..));
    Shift {
        to: to as u16,
        needs: needs.into_iter().map(|((region, piece), needed)| (region, piece, needed)).collect(),
        values: operator.guard.variables.iter().map(|(id, values)| (id.0 as usize, *values)).collect(),
        conditions: operator.guard.conditions.iter().filter(compare).copied().collect(),
        moves: moves.into_iter().filter(|(_, add)| *add != 0).collect(),
        adds: operator.changes.iter().map(|(id, add)| (id.0 as usize, *add)).collect(),
    }
}

/// What is known of all positions of a class.
struct ClassView<'a> {
    key: &'a ClassKey,
    regions: &'a [Region],
    fixed: &'a [u64; MAX_PIECES],
    game: &'a Grounded,
}

impl ClassView<'_> {
    /// How many of a kind there are in a region.
    fn count(&self, region: usize, piece: u8) -> u32 {
        let before: usize = self.regions[..region].iter().map(|region| region.pieces.len() - 1).sum();
        let kinds = &self.regions[region].pieces;
        let counts = &self.key.counts[before..before + kinds.len() - 1];
        match kinds.iter().position(|&kind| kind == piece) {
            None => 0,
            Some(0) => {
                self.regions[region].cells.count_ones() - counts.iter().map(|&count| u32::from(count)).sum::<u32>()
            }
            Some(kind) => counts[kind - 1].into(),
        }
    }

    fn value(&self, expression: &Expression) -> Option<i64> {
        expression.value(&mut |id| self.key.variables[id.0 as usize].into(), &mut |pieces: PieceSet| {
            let kinds = pieces.iter().filter(|piece| (piece.0 as usize) < MAX_PIECES);
            let all = kinds.map(|piece| {
                let standing: u32 = (0..self.regions.len()).map(|region| self.count(region, piece.0)).sum();
                standing + self.fixed[piece.0 as usize].count_ones()
            });
            all.sum::<u32>().into()
        })
    }

    /// Whether a comparison holds; `None` for other conditions.
    fn compares(&self, number: usize) -> Option<bool> {
        match &self.game.conditions[number] {
            Condition::Any(_) => None,
            Condition::Compare(a, comparison, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Some(matches!((a, b), (Some(a), Some(b)) if comparison.holds(a, b)))
            }
        }
    }

    /// Whether a cube holds in all positions of the class; `None` if the class does not decide it.
    fn decides(&self, cube: &Cube) -> Option<bool> {
        let mut known = cube.cells.is_empty();
        for (id, values) in &cube.variables {
            if values >> self.key.variables[id.0 as usize] & 1 == 0 {
                return Some(false);
            }
        }
        for (number, holds) in &cube.conditions {
            match self.compares(*number) {
                Some(found) if found != *holds => return Some(false),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(true)
    }
}
