//! Searches the last four empty squares, without lists or loops over moves.
//!
//! All functions test whether the mover's score exceeds `window` (a null window) and return a bound on the matching
//! side, fail-soft.

use super::compiled::{Compiled, Context};
use crate::othello::Shape;
use crate::othello::flips::Kernel;

/// One empty square: the exact score.
#[inline(always)]
pub fn last1<K: Kernel>(kernel: K, context: &mut Context<'_>, own: u64, others: u64, square: u32) -> i32 {
    context.positions += 1;
    let squares = context.shape.squares() as i32;
    let discs = own.count_ones() as i32;
    let flips = kernel.flips(context.shape, own, others, square);
    if flips != 0 {
        return 2 * (discs + flips.count_ones() as i32 + 1) - squares;
    }
    let flips = kernel.flips(context.shape, others, own, square);
    if flips != 0 {
        return 2 * (discs - flips.count_ones() as i32) - squares;
    }
    let difference = 2 * discs - (squares - 1);
    difference + difference.signum()
}

/// Returns the board after a disc on an empty square, from the opponent's view, or `None` if it flips nothing.
#[inline(always)]
pub fn put<K: Kernel>(kernel: K, shape: &Shape, own: u64, others: u64, square: u32) -> Option<(u64, u64)> {
    if shape.neighbours[square as usize & 63] & others == 0 {
        return None;
    }
    let flips = kernel.flips(shape, own, others, square);
    (flips != 0).then(|| (others & !flips, own | flips | 1 << square))
}

/// The score after a disc on one of the last two empty squares.
#[inline(always)]
fn put_then_last<K: Kernel>(k: K, context: &mut Context<'_>, own: u64, others: u64, [a, b]: [u32; 2]) -> Option<i32> {
    let (own, others) = put(k, context.shape, own, others, a)?;
    Some(-last1(k, context, own, others, b))
}

/// Two empty squares.
#[inline(always)]
pub fn last2<K: Kernel>(k: K, context: &mut Context<'_>, own: u64, others: u64, [a, b]: [u32; 2], w: i32) -> i32 {
    context.positions += 1;
    let first = put_then_last(k, context, own, others, [a, b]);
    if let Some(score) = first
        && score > w
    {
        return score;
    }
    let second = put_then_last(k, context, own, others, [b, a]);
    if let Some(best) = first.max(second) {
        return best;
    }
    // A pass: the opponent moves and needs at least -w.
    let first = put_then_last(k, context, others, own, [a, b]);
    if let Some(score) = first
        && -score <= w
    {
        return -score;
    }
    let second = put_then_last(k, context, others, own, [b, a]);
    match first.max(second) {
        Some(best) => -best,
        None => context.shape.final_score(own, others),
    }
}

/// Three empty squares, in the given order.
#[inline(always)]
pub fn last3<K: Kernel>(k: K, context: &mut Context<'_>, own: u64, others: u64, [a, b, c]: [u32; 3], w: i32) -> i32 {
    context.positions += 1;
    let (mut own, mut others, mut w) = (own, others, w);
    for sign in [1, -1] {
        let mut best = None;
        for [square, x, y] in [[a, b, c], [b, a, c], [c, a, b]] {
            if let Some((next_own, next_others)) = put(k, context.shape, own, others, square) {
                let score = -last2(k, context, next_own, next_others, [x, y], -w - 1);
                if score > w {
                    return sign * score;
                }
                best = best.max(Some(score));
            }
        }
        if let Some(best) = best {
            return sign * best;
        }
        (own, others, w) = (others, own, -w - 1);
    }
    context.shape.final_score(own, others)
}

/// Four empty squares; those in the quarters `odd`, which have an odd number of them, are tried first.
#[inline(always)]
pub fn last4<K: Compiled>(k: K, context: &mut Context<'_>, own: u64, others: u64, odd: u8, w: i32) -> i32 {
    context.positions += 1;
    let empties = context.shape.empties(own, others);
    let (mut own, mut others, mut w) = (own, others, w);
    for sign in [1, -1] {
        let mut best = None;
        for part in context.shape.in_two(empties, odd) {
            let mut part = part;
            while part != 0 {
                let square = part.trailing_zeros();
                part &= part - 1;
                if let Some((next_own, next_others)) = put(k, context.shape, own, others, square) {
                    let odd = odd ^ context.shape.quarter[square as usize & 63];
                    let three = in_order(context.shape.in_two(empties & !(1 << square), odd));
                    let score = -k.last3(context, next_own, next_others, three, -w - 1);
                    if score > w {
                        return sign * score;
                    }
                    best = best.max(Some(score));
                }
            }
        }
        if let Some(best) = best {
            return sign * best;
        }
        (own, others, w) = (others, own, -w - 1);
    }
    context.shape.final_score(own, others)
}

/// The numbers of three squares, those of the first mask first.
#[inline(always)]
fn in_order([mut first, mut second]: [u64; 2]) -> [u32; 3] {
    std::array::from_fn(|_| {
        let from = if first != 0 { &mut first } else { &mut second };
        let square = from.trailing_zeros();
        *from &= from.wrapping_sub(1);
        square
    })
}
