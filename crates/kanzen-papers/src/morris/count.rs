//! Counts pseudo-reachable placements up to symmetry without listing them.
//!
//! White's x and black's y pieces are pseudo-reachable if the missing pieces can have been taken by the mills on the
//! board: `y + cover(white) <= N` and `x + cover(black) <= N`. By Burnside's lemma the number of orbits is the average,
//! over the symmetries, of the placements that each fixes:
//!
//! ```text
//!   a symmetry     16 cycles of points at most: all 3^16 ways to fill them, with size and cover of each set in a table
//!   the identity   sum over white of |black on what is left with cover <= N - x|
//! ```
//!
//! For most pairs of counts one side's cover never reaches its bound, and the inner number is a binomial. Otherwise it
//! comes from a table over all sets of points, filled by summing over subsets one point at a time.

use std::collections::BTreeMap;

use kanzen_core::index::{PermutationGroup, binomial, cycles};
use rayon::prelude::*;

use super::cover::cover_table;
use kanzen_games::morris::Morris;

/// The fewest men with which a side still plays.
const LEAST: u32 = 3;

/// Counts of placements by men on the board, white's and black's.
pub struct Placements<'a> {
    game: &'a Morris,
    cover: Vec<u8>,
    /// Sets of points by size and cover.
    sets: BTreeMap<(u32, u8), u64>,
}

impl<'a> Placements<'a> {
    /// Prepares the counts of a game.
    pub fn new(game: &'a Morris) -> Placements<'a> {
        let cover = cover_table(game.board());
        let mut sets = BTreeMap::new();
        for (pieces, &cover) in (0u32..).zip(&cover) {
            *sets.entry((pieces.count_ones(), cover)).or_default() += 1;
        }
        Placements { game, cover, sets }
    }

    /// Returns the bytes of memory that counting takes: the cover of each set of points, and the number of its fitting
    /// subsets.
    pub fn memory(game: &Morris) -> u64 {
        5 << game.board().points
    }

    /// Returns the pairs of counts in the published tables: white has at least as many men as black.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let men = self.game.men();
        (LEAST..=men).flat_map(|white| (LEAST..=white).map(move |black| (white, black)))
    }

    /// Counts pseudo-reachable placements up to symmetry by pair of counts; both colour assignments where the counts
    /// differ.
    pub fn pseudo_reachable(&self) -> BTreeMap<(u32, u32), u64> {
        let mut cells = self.orbits(&self.game.board().symmetries, self.pairs().collect());
        if self.game.has_flying() {
            cells.extend(self.orbits(&self.game.board().flying_symmetries, vec![(LEAST, LEAST)]));
        }
        cells.into_iter().map(|((white, black), orbits)| ((white, black), both_ways(white, black) * orbits)).collect()
    }

    /// Counts all placements up to symmetry, reachable or not.
    pub fn all(&self) -> BTreeMap<(u32, u32), u64> {
        let board = self.game.board();
        let cell = |(white, black)| {
            let both_fly = self.game.flies(white) && self.game.flies(black);
            let group = if both_fly { &board.flying_symmetries } else { &board.symmetries };
            let orbits = group.count_orbits(&[white, black]) as u64;
            ((white, black), both_ways(white, black) * orbits)
        };
        self.pairs().map(cell).collect()
    }

    /// Counts all placements, mirror images apart: the numbers of the first ZDD.
    pub fn universe(&self) -> u64 {
        let points = self.game.board().points;
        let ways = |(white, black)| binomial(points, white) * binomial(points - white, black);
        self.pairs().map(|(white, black)| both_ways(white, black) * ways((white, black))).sum()
    }

    fn orbits(&self, group: &PermutationGroup, pairs: Vec<(u32, u32)>) -> BTreeMap<(u32, u32), u64> {
        let mut kept: BTreeMap<(u32, u32), u64> =
            pairs.into_iter().map(|(white, black)| ((white, black), self.of_identity(white, black))).collect();
        for (cycles, symmetries) in conjugate(group) {
            let found = kept_by(&cycles, &self.cover, self.game.men());
            for (&(white, black), kept) in &mut kept {
                *kept += symmetries * found[white as usize][black as usize];
            }
        }
        let order = group.order() as u64;
        kept.values_mut().for_each(|kept| {
            debug_assert_eq!(*kept % order, 0, "orbits are whole");
            *kept /= order;
        });
        kept
    }

    /// Counts all pseudo-reachable placements with these counts.
    fn of_identity(&self, white: u32, black: u32) -> u64 {
        let (men, points) = (self.game.men(), self.game.board().points);
        let (white_bound, black_bound) = (men - black, men - white);
        if self.never_exceeds(black, black_bound) {
            return self.sets_within(white, white_bound) * binomial(points - white, black);
        }
        if self.never_exceeds(white, white_bound) {
            return self.sets_within(black, black_bound) * binomial(points - black, white);
        }
        let all = self.game.board().all();
        let within = self.subsets(black, black_bound);
        let whites = self
            .cover
            .par_iter()
            .enumerate()
            .filter(|&(pieces, &cover)| (pieces as u32).count_ones() == white && u32::from(cover) <= white_bound);
        whites.map(|(pieces, _)| u64::from(within[(all ^ pieces as u32) as usize])).sum()
    }

    fn never_exceeds(&self, size: u32, bound: u32) -> bool {
        self.sets.keys().all(|&(pieces, cover)| pieces != size || u32::from(cover) <= bound)
    }

    fn sets_within(&self, size: u32, bound: u32) -> u64 {
        let sets = self.sets.iter().filter(|((pieces, cover), _)| *pieces == size && u32::from(*cover) <= bound);
        sets.map(|(_, count)| count).sum()
    }

    /// Counts for each set of points its subsets of this size whose cover is within the bound.
    fn subsets(&self, size: u32, bound: u32) -> Vec<u32> {
        let mut counts: Vec<u32> = self
            .cover
            .par_iter()
            .enumerate()
            .map(|(pieces, &cover)| u32::from((pieces as u32).count_ones() == size && u32::from(cover) <= bound))
            .collect();
        add_up_subsets(&mut counts, self.game.board().points);
        counts
    }
}

fn both_ways(white: u32, black: u32) -> u64 {
    if white == black { 1 } else { 2 }
}

/// Replaces each set's number by the sum over all its subsets.
fn add_up_subsets(counts: &mut [u32], points: u32) {
    /// Points whose sets fit into the cache together.
    const NEAR: u32 = 13;
    let add = |counts: &mut [u32], point: u32| {
        for pair in counts.chunks_exact_mut(2 << point) {
            let (without, with) = pair.split_at_mut(1 << point);
            with.iter_mut().zip(without).for_each(|(with, without)| *with += *without);
        }
    };
    counts.par_chunks_mut(1 << NEAR.min(points)).for_each(|near| (0..NEAR.min(points)).for_each(|p| add(near, p)));
    for point in NEAR..points {
        counts.par_chunks_mut(2 << point).for_each(|pair| add(pair, point));
    }
}

/// Returns the symmetries except the identity by their cycles of points, as masks. Conjugate symmetries fix equally
/// many placements and are counted together.
fn conjugate(group: &PermutationGroup) -> Vec<(Vec<u32>, u64)> {
    let mut classes: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for symmetry in group.symmetries().iter().filter(|symmetry| !symmetry.is_identity()) {
        let conjugates = group.symmetries().iter().map(|by| by.inverse().then(symmetry).then(by).images().to_vec());
        *classes.entry(conjugates.min().expect("by the identity")).or_default() += 1;
    }
    let cycles = |images: &[u8]| cycles(images, u64::MAX).map(|cycle| cycle as u32).collect();
    classes.into_iter().map(|(images, symmetries)| (cycles(&images), symmetries)).collect()
}

/// Counts the pseudo-reachable placements that fill or leave whole cycles: `[white][black]`.
fn kept_by(cycles: &[u32], cover: &[u8], men: u32) -> Vec<Vec<u64>> {
    let filled = |choice: usize| {
        let pieces = cycles.iter().enumerate().filter(|(cycle, _)| choice >> cycle & 1 == 1).map(|(_, mask)| mask);
        let pieces: u32 = pieces.sum();
        (pieces.count_ones(), u32::from(cover[pieces as usize]))
    };
    let sets: Vec<(u32, u32)> = (0..1usize << cycles.len()).map(filled).collect();
    let mut kept = vec![vec![0; men as usize + 1]; men as usize + 1];
    for (choice, &(white, white_cover)) in sets.iter().enumerate() {
        if !(LEAST..=men).contains(&white) || white_cover > men {
            continue;
        }
        let row = &mut kept[white as usize];
        let left = sets.len() - 1 - choice;
        let mut other = left;
        while other != 0 {
            let (black, black_cover) = sets[other];
            if black >= LEAST && black + white_cover <= men && white + black_cover <= men {
                row[black as usize] += 1;
            }
            other = (other - 1) & left;
        }
    }
    kept
}
