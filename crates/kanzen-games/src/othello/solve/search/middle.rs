//! Searches five or more empty squares, up to the depth at which the transposition table takes over.

use super::compiled::{Compiled, Context};
use super::last::{last1, last2, put};

/// From this many empty squares on, moves are sorted by mobility; below, by parity only.
const SORTED: u32 = 7;

/// Few empty squares, ordered by parity.
#[inline(always)]
pub fn few<K: Compiled>(k: K, context: &mut Context<'_>, own: u64, others: u64, odd: u8, w: i32) -> i32 {
    context.positions += 1;
    let empties = context.shape.empties(own, others);
    let left = empties.count_ones();
    let (mut own, mut others, mut w) = (own, others, w);
    for sign in [1, -1] {
        let mut best = i32::MIN;
        for part in context.shape.in_two(empties, odd) {
            let mut part = part;
            while part != 0 {
                let square = part.trailing_zeros();
                part &= part - 1;
                let Some((next_own, next_others)) = put(k, context.shape, own, others, square) else { continue };
                let odd = odd ^ context.shape.quarter[square as usize & 63];
                let score = match left {
                    5 => -k.last4(context, next_own, next_others, odd, -w - 1),
                    _ => -k.few(context, next_own, next_others, odd, -w - 1),
                };
                if score > w {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        if best != i32::MIN {
            return sign * best;
        }
        (own, others, w) = (others, own, -w - 1);
    }
    context.shape.final_score(own, others)
}

#[derive(Clone, Copy, Default)]
struct Ranked {
    own: u64,
    others: u64,
    rank: i32,
}

/// Any number of empty squares, sorted by the mobility that a move leaves to the opponent.
#[inline(always)]
pub fn middle<K: Compiled>(k: K, context: &mut Context<'_>, own: u64, others: u64, w: i32) -> i32 {
    let empties = context.shape.empties(own, others);
    let left = empties.count_ones();
    if left < SORTED {
        let odd = context.shape.odd_quarters(empties);
        return match left {
            5.. => k.few(context, own, others, odd, w),
            4 => k.last4(context, own, others, odd, w),
            _ => ended_or_few(k, context, own, others, w),
        };
    }
    context.positions += 1;
    let mut moves = k.moves(context.shape, own, others);
    if moves == 0 {
        if k.moves(context.shape, others, own) == 0 {
            return context.shape.final_score(own, others);
        }
        return -k.middle(context, others, own, -w - 1);
    }
    let odd = context.shape.of_quarters[context.shape.odd_quarters(empties) as usize & 15];
    let mut list = [Ranked::default(); 64];
    let mut count = 0;
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        let flips = k.flips(context.shape, own, others, square);
        let (next_own, next_others) = (others & !flips, own | flips | 1 << square);
        let replies = k.moves(context.shape, next_own, next_others);
        let mobility = (replies.count_ones() + (replies & context.shape.corners).count_ones()) as i32;
        let corner = (context.shape.corners >> square & 1) as i32;
        let parity = (odd >> square & 1) as i32;
        let rank = 4 * mobility - 6 * corner - 2 * parity;
        list[count & 63] = Ranked { own: next_own, others: next_others, rank };
        count += 1;
    }
    let list = &mut list[..count];
    let mut best = i32::MIN;
    for at in 0..list.len() {
        // One step of selection sort: usually the first one or two moves cause a cut-off.
        let least = (at..list.len()).min_by_key(|&at| list[at].rank).unwrap_or(at);
        list.swap(at, least);
        let score = -k.middle(context, list[at].own, list[at].others, -w - 1);
        if score > w {
            return score;
        }
        best = best.max(score);
    }
    best
}

/// At most three empty squares at the root of a search, in no particular order.
#[inline(always)]
fn ended_or_few<K: Compiled>(k: K, context: &mut Context<'_>, own: u64, others: u64, w: i32) -> i32 {
    let empties = context.shape.empties(own, others);
    let first = empties.trailing_zeros();
    let last = 63 - (empties | 1).leading_zeros();
    match empties.count_ones() {
        0 => context.shape.final_score(own, others),
        1 => last1(k, context, own, others, first),
        2 => last2(k, context, own, others, [first, last], w),
        _ => {
            let middle = (empties & (empties - 1)).trailing_zeros();
            k.last3(context, own, others, [first, middle, last], w)
        }
    }
}
