//! Flips in four and moves in eight directions at once, with AVX-512.
//!
//! Rays to lower bits end at the highest square without an opponent's disc, which a leading-zero count finds. Moves use
//! one rotation for all eight directions: lines pass through inner squares only, so nothing wraps around.

use std::arch::x86_64::*;

use super::Shape;
use super::avx2::{fold, load, load_halves};

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn flips(shape: &Shape, own: u64, others: u64, square: u32) -> u64 {
    let rays = &shape.rays[square as usize & 63].0;
    let [up, down] = load_halves(rays);
    let (own, others) = (_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(others as i64));
    let ones = _mm256_set1_epi64x(-1);

    // Rays to higher bits: add one to (others | !ray), keep (carry & ray & own).
    let carried = _mm256_sub_epi64(_mm256_ternarylogic_epi64::<0b1111_0101>(others, others, up), ones);
    let holding = _mm256_ternarylogic_epi64::<0b1000_0000>(carried, up, own);
    let held = _mm256_test_epi64_mask(holding, holding);
    let flips_up = _mm256_and_si256(_mm256_maskz_add_epi64(held, holding, ones), up);

    // Rays to lower bits: the highest square without an opponent's disc.
    let leading = _mm256_lzcnt_epi64(_mm256_andnot_si256(others, down));
    let end = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), leading);
    let holding = _mm256_and_si256(end, own);
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(holding, holding));
    let flips = _mm256_ternarylogic_epi64::<0b1111_1000>(flips_up, above, down);
    fold(flips)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn moves(shape: &Shape, own: u64, others: u64) -> u64 {
    let empties = shape.empties(own, others);
    let (steps, inner) = (load(&shape.steps), load(&shape.inner));
    let back = _mm256_sub_epi64(_mm256_setzero_si256(), steps);
    let step = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(steps), back);
    let inner = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(inner), inner);
    let own = _mm512_set1_epi64(own as i64);
    let through = _mm512_and_si512(_mm512_set1_epi64(others as i64), inner);
    // line | (through & rotated)
    const OR_AND: i32 = 0b1111_1000;
    let mut line = _mm512_and_si512(through, _mm512_rolv_epi64(own, step));
    line = _mm512_ternarylogic_epi64::<OR_AND>(line, through, _mm512_rolv_epi64(line, step));
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, step));
    let two = _mm512_add_epi64(step, step);
    let mut reached = 2;
    while reached < shape.longest_flip {
        line = _mm512_ternarylogic_epi64::<OR_AND>(line, pairs, _mm512_rolv_epi64(line, two));
        reached += 2;
    }
    let moves = _mm512_rolv_epi64(line, step);
    fold(_mm256_or_si256(_mm512_castsi512_si256(moves), _mm512_extracti64x4_epi64::<1>(moves))) & empties
}
