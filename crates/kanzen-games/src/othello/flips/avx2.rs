//! Flips and moves in four directions at once, with AVX2.
//!
//! Carries run to higher bits only. For rays to lower bits, smearing finds the first square without an opponent's disc:
//! `x | x >> s | x >> 2s ...` along the ray marks all squares below it.

use std::arch::x86_64::*;

use super::Shape;

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn flips(shape: &Shape, own: u64, others: u64, square: u32) -> u64 {
    let rays = &shape.rays[square as usize & 63].0;
    let [up, down] = load_halves(rays);
    let (own, others) = (_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(others as i64));
    let ones = _mm256_set1_epi64x(-1);
    let zero = _mm256_setzero_si256();

    // Rays to higher bits: add one to (others | !ray).
    let carried = _mm256_sub_epi64(_mm256_or_si256(others, _mm256_andnot_si256(up, ones)), ones);
    let holding = _mm256_and_si256(_mm256_and_si256(carried, up), own);
    let below = _mm256_sub_epi64(_mm256_add_epi64(holding, ones), _mm256_cmpeq_epi64(holding, zero));
    let flips_up = _mm256_and_si256(below, up);

    // Rays to lower bits: squares of the ray above every square of it without a disc of the others.
    let steps = load(&shape.steps);
    // Rays to lower bits: the squares of the ray above the first one without an opponent's disc.
    let ends = _mm256_andnot_si256(others, down);
    let mut behind = _mm256_srlv_epi64(ends, steps);
    let mut distance = steps;
    let mut reached = 1;
    while reached <= shape.longest_flip {
        behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, distance));
        distance = _mm256_add_epi64(distance, distance);
        reached *= 2;
    }
    // The end is the one square not behind another; it must hold an own disc.
    let first = _mm256_andnot_si256(behind, ends);
    let holding = _mm256_and_si256(first, own);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(holding, holding));
    let flips_down = _mm256_and_si256(above, down);
    fold(_mm256_or_si256(flips_up, flips_down))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn moves(shape: &Shape, own: u64, others: u64) -> u64 {
    let empties = shape.empties(own, others);
    let own = _mm256_set1_epi64x(own as i64);
    let step = load(&shape.steps);
    let through = _mm256_and_si256(_mm256_set1_epi64x(others as i64), load(&shape.inner));
    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    // From here two squares at a time, over pairs of the opponent's discs.
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_and_si256(through, _mm256_srlv_epi64(through, step));
    let two = _mm256_add_epi64(step, step);
    let mut reached = 2;
    while reached < shape.longest_flip {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        reached += 2;
    }
    fold(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step))) & empties
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(words: &[u64; 4]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of 32 bytes; the load takes any alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_halves(words: &[u64; 8]) -> [__m256i; 2] {
    // SAFETY: 64 bytes are read from an array of 64 bytes; the loads take any alignment.
    unsafe { [_mm256_loadu_si256(words.as_ptr().cast()), _mm256_loadu_si256(words[4..].as_ptr().cast())] }
}

/// The disjunction of all four words.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn fold(words: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
}
