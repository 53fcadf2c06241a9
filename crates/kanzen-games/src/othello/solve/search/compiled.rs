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
    // The first of the functions, then the others: a wrapper that is inlined, and the body compiled for the kernel.
    (@($($features:literal)?) $kernel:ty => $module:ident::$name:ident($($argument:ident: $type:ty),*) -> $result:ty;
        $($others:tt)*) => {
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            $(#[target_feature(enable = $features)])?
            fn inner(kernel: $kernel, $($argument: $type),*) -> $result {
                $module::$name(kernel, $($argument),*)
            }
            // SAFETY: a value of the kernel exists only where its features were detected.
            #[allow(unused_unsafe)]
            unsafe { inner(self, $($argument),*) }
        }
        compiled! { @($($features)?) $kernel => $($others)* }
    };
    (@($($features:literal)?) $kernel:ty =>) => {};
    ($kernel:ty $(, $features:literal)?) => {
        impl Compiled for $kernel {
            compiled! { @($($features)?) $kernel =>
                last::last3(c: &mut Context<'_>, own: u64, others: u64, squares: [u32; 3], window: i32) -> i32;
                last::last4(c: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
                middle::few(c: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
                middle::middle(c: &mut Context<'_>, own: u64, others: u64, window: i32) -> i32;
                order::outlook(o: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32;
                order::expand(shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair>;
                order::rank(o: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]) -> ();
            }
        }
    };
}

compiled!(Portable);
#[cfg(target_arch = "x86_64")]
compiled!(cpu::Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
compiled!(cpu::Avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt");
