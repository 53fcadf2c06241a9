//! The search of the last plies, compiled once for each kernel.
//!
//! A function can use vector instructions only if it is compiled for them, and only then can the kernels be inlined.
//! The bodies in [`last`](super::last) and [`middle`](super::middle) are generic and always inlined; here they get a
//! function each for each kernel, and call each other through this trait.

#[cfg(target_arch = "x86_64")]
use kanzen::machine::cpu;
use kanzen::solve::search::{Child, Expansion};

use super::order::Order;
use super::{Pair, last, middle, order};
use crate::othello::Shape;
use crate::othello::flips::{Kernel, Portable};

/// What the bodies share: the board, and a count of positions.
pub struct Context<'a> {
    pub shape: &'a Shape,
    pub positions: u64,
}

/// A kernel with the search compiled for it.
pub trait Compiled: Kernel {
    /// Three empty squares, in the order they are tried.
    fn last3(self, context: &mut Context<'_>, own: u64, others: u64, squares: [u32; 3], window: i32) -> i32;
    /// Four empty squares.
    fn last4(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
    /// Five to seven or so, by parity.
    fn few(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
    /// Any number, by mobility.
    fn middle(self, context: &mut Context<'_>, own: u64, others: u64, window: i32) -> i32;
    /// How good a position looks a few moves ahead.
    fn outlook(self, order: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32;
    /// The children of a position.
    fn expand(self, shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair>;
    /// How promising the children of a position are.
    fn rank(self, order: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]);
}

macro_rules! compiled {
    ($kernel:ty $(, $features:literal)?) => {
        impl Compiled for $kernel {
            #[inline(always)]
            fn last3(self, context: &mut Context<'_>, own: u64, others: u64, squares: [u32; 3], window: i32) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, c: &mut Context<'_>, own: u64, others: u64, squares: [u32; 3], w: i32) -> i32 {
                    last::last3(k, c, own, others, squares, w)
                }
                // SAFETY: a value of the kernel exists only where its features were detected.
                #[allow(unused_unsafe)]
                unsafe { inner(self, context, own, others, squares, window) }
            }

            #[inline(always)]
            fn last4(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, c: &mut Context<'_>, own: u64, others: u64, odd: u8, w: i32) -> i32 {
                    last::last4(k, c, own, others, odd, w)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, context, own, others, odd, window) }
            }

            #[inline(always)]
            fn few(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, c: &mut Context<'_>, own: u64, others: u64, odd: u8, w: i32) -> i32 {
                    middle::few(k, c, own, others, odd, w)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, context, own, others, odd, window) }
            }

            #[inline(always)]
            fn middle(self, context: &mut Context<'_>, own: u64, others: u64, window: i32) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, c: &mut Context<'_>, own: u64, others: u64, w: i32) -> i32 {
                    middle::middle(k, c, own, others, w)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, context, own, others, window) }
            }

            #[inline(always)]
            fn outlook(self, order: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, order: &Order, shape: &Shape, node: Pair, p: u32, low: i32, high: i32) -> i32 {
                    order::outlook(k, order, shape, node, p, low, high)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, order, shape, node, plies, low, high) }
            }

            #[inline(always)]
            fn expand(self, shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair> {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair> {
                    order::expand(k, shape, node, children)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, shape, node, children) }
            }

            #[inline(always)]
            fn rank(self, order: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]) {
                $(#[target_feature(enable = $features)])?
                fn inner(k: $kernel, order: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]) {
                    order::rank(k, order, shape, node, children)
                }
                // SAFETY: as above.
                #[allow(unused_unsafe)]
                unsafe { inner(self, order, shape, node, children) }
            }
        }
    };
}

compiled!(Portable);
#[cfg(target_arch = "x86_64")]
compiled!(cpu::Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
compiled!(cpu::Avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt");
