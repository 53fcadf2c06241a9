//! Lists the unique, pseudo-reachable placements as strings of digits, in the order of the first ZDD.
//!
//! The first ZDD has two variables per point: white, then black. So its numbers are the lexicographic order of strings
//! with a digit per point: 0 empty, 1 black, 2 white. A ring is a number below 3^8 and a position a tuple of them:
//!
//! ```text
//!   outer ring   middle ring   inner ring          a symmetry maps each ring by one of 8 tables
//!     v0            v1            v2               and may swap their places
//! ```
//!
//! A placement is unique if no symmetry makes its tuple smaller. This is decided ring by ring: if the first ring
//! shrinks under a symmetry, all tuples with it are skipped. So hardly more than the members are visited.

use kanzen_core::index::{Permutation, PermutationGroup};

use super::cover::cover_table;
use kanzen_games::morris::Board;
use kanzen_games::morris::Morris;

/// The largest number of parts of a string: rings and centre.
const MOST_PARTS: usize = 3;

/// A string per part.
type Tuple = [u16; MOST_PARTS];

/// A prefix of a tuple: its men and masks, and the first number with this prefix.
#[derive(Clone, Copy)]
struct Prefix {
    part: usize,
    men: [usize; 2],
    masks: [usize; 2],
    first: u64,
}

/// All strings of one part.
struct Part {
    /// Points of the part.
    points: u32,
    /// White and black pieces of each string, as masks within the part.
    pieces: Vec<[u8; 2]>,
}

impl Part {
    fn new(points: u32) -> Part {
        let pieces = (0..3u32.pow(points)).map(|string| {
            let digit = |point: u32| string / 3u32.pow(points - 1 - point) % 3;
            let of = |wanted: u32| (0..points).filter(|&p| digit(p) == wanted).map(|p| 1u8 << p).sum();
            [of(2), of(1)]
        });
        Part { points, pieces: pieces.collect() }
    }

    fn string_of(&self, pieces: [u8; 2]) -> u16 {
        (0..self.points).fold(0, |string, point| {
            let digit = 2 * (pieces[0] >> point & 1) + (pieces[1] >> point & 1);
            3 * string + u16::from(digit)
        })
    }
}

/// A symmetry: part `j` of the image is `tables[j]` of part `from[j]`.
struct Symmetry {
    from: Vec<usize>,
    tables: Vec<Vec<u16>>,
}

/// The strings of a game.
pub struct Strings {
    men: u32,
    parts: Vec<Part>,
    symmetries: Vec<Symmetry>,
    /// The additional symmetries for three against three, where both sides fly.
    flying: Vec<Symmetry>,
    /// The number of ways to finish a string from part i on, by pieces so far: `[i][white][black]`.
    ways: Vec<Vec<Vec<u64>>>,
    /// The possible last strings, by pieces so far, in order.
    endings: Vec<Vec<Vec<u16>>>,
    /// The smallest first part that a symmetry makes of the last part, if symmetries map it there.
    least_first: Vec<u16>,
    /// The cover by mask, with the last part's points lowest so that they are adjacent.
    cover: Vec<u8>,
}

impl Strings {
    /// Prepares the strings of a game's placements.
    pub fn new(game: &Morris) -> Strings {
        let board = game.board();
        let mut parts: Vec<Part> = (0..board.rings).map(|_| Part::new(8)).collect();
        parts.extend((board.points % 8 == 1).then(|| Part::new(1)));
        let flying = if game.has_flying() { symmetries(board, &board.flying_symmetries, &parts) } else { Vec::new() };
        let symmetries = symmetries(board, &board.symmetries, &parts);
        let men = game.men() as usize;
        let mut ways = vec![vec![vec![0; men + 1]; men + 1]; parts.len() + 1];
        for (white, row) in ways[parts.len()].iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(black, ways)| *ways = u64::from(white >= 3 && black >= 3));
        }
        for part in (0..parts.len()).rev() {
            for [white, black] in (0..=men).flat_map(|white| (0..=men).map(move |black| [white, black])) {
                let after = parts[part].pieces.iter().map(|pieces| {
                    let [w, b] = counts(*pieces);
                    ways[part + 1].get(white + w).and_then(|row| row.get(black + b)).copied().unwrap_or(0)
                });
                ways[part][white][black] = after.sum();
            }
        }
        let last = parts.len() - 1;
        let ending = |white: usize, black: usize| -> Vec<u16> {
            let fits = |&(_, pieces): &(usize, &[u8; 2])| {
                let [w, b] = counts(*pieces);
                (3..=men).contains(&(white + w)) && (3..=men).contains(&(black + b))
            };
            parts[last].pieces.iter().enumerate().filter(fits).map(|(string, _)| string as u16).collect()
        };
        let endings = (0..=men).map(|white| (0..=men).map(|black| ending(white, black)).collect()).collect();
        let least_first = (0..parts[last].pieces.len()).map(|string| {
            let images = symmetries.iter().filter(|s| s.from[0] == last && last > 0).map(|s| s.tables[0][string]);
            images.min().unwrap_or(u16::MAX)
        });
        let least_first = least_first.collect();
        let table = cover_table(board);
        let cover = (0..1usize << board.points).map(|turned| table[board.by_place(places(&parts, turned)) as usize]);
        let cover = cover.collect();
        Strings { men: game.men(), parts, symmetries, flying, ways, endings, least_first, cover }
    }

    /// Calls `visit` with the number of each unique, pseudo-reachable placement, in ascending order, until it returns
    /// `false`.
    pub fn members(&self, visit: &mut impl FnMut(u64) -> bool) {
        let alive: Vec<(usize, usize)> = (0..self.symmetries.len()).map(|symmetry| (symmetry, 0)).collect();
        let prefix = Prefix { part: 0, men: [0, 0], masks: [0, 0], first: 0 };
        self.descend(prefix, &mut [0; MOST_PARTS], &alive, visit);
    }

    /// Visits the strings of one part until `visit` returns `false`. `alive` are the symmetries that have not made the
    /// tuple larger so far, each with the first part that is not compared yet.
    fn descend(
        &self,
        prefix: Prefix,
        tuple: &mut Tuple,
        alive: &[(usize, usize)],
        visit: &mut impl FnMut(u64) -> bool,
    ) -> bool {
        let Prefix { part, men, masks, first } = prefix;
        if part + 1 == self.parts.len() {
            return self.finish(prefix, tuple, alive, visit);
        }
        let mut number = first;
        let mut still = Vec::with_capacity(alive.len());
        for (string, &pieces) in self.parts[part].pieces.iter().enumerate() {
            let [w, b] = counts(pieces);
            let after = [men[0] + w, men[1] + b];
            if after.iter().any(|&men| men > self.men as usize) {
                continue;
            }
            let ways = self.ways[part + 1][after[0]][after[1]];
            tuple[part] = string as u16;
            if ways > 0 && self.compare(part, tuple, alive, &mut still) {
                let shift = self.parts[part].points;
                let masks = [masks[0] << shift | usize::from(pieces[0]), masks[1] << shift | usize::from(pieces[1])];
                let alive = still.clone();
                let prefix = Prefix { part: part + 1, men: after, masks, first: number };
                if !self.descend(prefix, tuple, &alive, visit) {
                    return false;
                }
            }
            number += ways;
        }
        true
    }

    /// Compares as far as the parts up to `known` allow. Returns whether no symmetry makes the tuple smaller; `still`
    /// are then those that still may.
    fn compare(&self, known: usize, tuple: &[u16], alive: &[(usize, usize)], still: &mut Vec<(usize, usize)>) -> bool {
        still.clear();
        for &(number, mut at) in alive {
            let symmetry = &self.symmetries[number];
            while at <= known && symmetry.from[at] <= known {
                let image = symmetry.image(at, tuple);
                if image < tuple[at] {
                    return false;
                }
                if image > tuple[at] {
                    at = usize::MAX;
                    break;
                }
                at += 1;
            }
            if at != usize::MAX {
                still.push((number, at));
            }
        }
        true
    }

    /// Visits the last part. Nearly always its smallest image decides at once.
    fn finish(
        &self,
        prefix: Prefix,
        tuple: &mut Tuple,
        alive: &[(usize, usize)],
        visit: &mut impl FnMut(u64) -> bool,
    ) -> bool {
        let Prefix { part: last, men, masks, first } = prefix;
        let shift = self.parts[last].points;
        let brings_last = |&&(number, at): &&(usize, usize)| at == 0 && self.symmetries[number].from[0] == last;
        let from_last = alive.iter().filter(brings_last).count();
        // In most cases only the identity is left.
        let decided = alive.len() - from_last == 1;
        let covers = [0, 1].map(|side| &self.cover[masks[side] << shift..][..1 << shift]);
        for (string, number) in self.endings[men[0]][men[1]].iter().zip(first..) {
            let least = if from_last == 0 { u16::MAX } else { self.least_first[usize::from(*string)] };
            if least < tuple[0] {
                continue;
            }
            let pieces = self.parts[last].pieces[usize::from(*string)];
            let [w, b] = counts(pieces);
            let [white, black] = [men[0] + w, men[1] + b];
            let closed = |side: usize| usize::from(covers[side][usize::from(pieces[side])]);
            if black + closed(0) > self.men as usize || white + closed(1) > self.men as usize {
                continue;
            }
            let both_fly = white == 3 && black == 3 && !self.flying.is_empty();
            if least == tuple[0] || !decided || both_fly {
                tuple[last] = *string;
                let smaller = |symmetry: &Symmetry| symmetry.makes_smaller(&tuple[..=last]);
                if alive.iter().any(|&(number, _)| smaller(&self.symmetries[number])) {
                    continue;
                }
                if both_fly && self.flying.iter().any(smaller) {
                    continue;
                }
            }
            if !visit(number) {
                return false;
            }
        }
        true
    }
}

impl Symmetry {
    fn image(&self, part: usize, tuple: &[u16]) -> u16 {
        self.tables[part][usize::from(tuple[self.from[part]])]
    }

    fn makes_smaller(&self, tuple: &[u16]) -> bool {
        (0..tuple.len()).map(|part| self.image(part, tuple)).lt(tuple.iter().copied())
    }
}

fn counts(pieces: [u8; 2]) -> [usize; 2] {
    pieces.map(|mask| mask.count_ones() as usize)
}

/// Returns the mask of places of the notation of a mask with the last part lowest.
fn places(parts: &[Part], set: usize) -> u32 {
    let mut rest = set;
    let mut mask = 0;
    for (number, part) in parts.iter().enumerate().rev() {
        mask |= (rest as u32 & ((1 << part.points) - 1)) << (8 * number);
        rest >>= part.points;
    }
    mask
}

fn symmetries(board: &Board, group: &PermutationGroup, parts: &[Part]) -> Vec<Symmetry> {
    let first_of = |part: usize| board.point_at(8 * part as u32);
    let of = |permutation: &Permutation| {
        let inverse = permutation.inverse();
        let part_of = |point: u32| board.place_of(point) as usize / 8;
        let from: Vec<usize> = (0..parts.len()).map(|part| part_of(inverse.image(first_of(part)))).collect();
        let table = |part: usize| -> Vec<u16> {
            let source = from[part];
            let map = |mask: u8| (permutation.apply(u64::from(mask) << first_of(source)) >> first_of(part)) as u8;
            parts[source].pieces.iter().map(|pieces| parts[part].string_of(pieces.map(map))).collect()
        };
        Symmetry { tables: (0..parts.len()).map(table).collect(), from }
    };
    group.symmetries().iter().map(of).collect()
}
