//! Compiles the endgame search once for each kernel.
//!
//! Vector instructions are inlined only into functions compiled with the same target features. The bodies in
//! [`last`](super::last) and [`middle`](super::middle) are generic and always inlined; this module instantiates each of
//! them per kernel, and they call each other through this trait.

use crate::othello::solve::alpha_beta::{Child, Expansion};
#[cfg(target_arch = "x86_64")]
use kanzen_core::machine::cpu;

use super::order::Order;
use super::{Pair, last, middle, order};
use crate::othello::Shape;
use crate::othello::flips::{Kernel, Portable};

/// The board and the position counter, shared by all bodies.
pub struct Context<'a> {
    pub shape: &'a Shape,
    pub positions: u64,
}

/// A kernel with the search compiled for it.
pub trait Compiled: Kernel {
    /// Searches three empty squares, in the given order.
    fn last3(self, context: &mut Context<'_>, own: u64, others: u64, squares: [u32; 3], window: i32) -> i32;
    /// Searches four empty squares.
    fn last4(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
    /// Searches five to seven or so, ordered by parity.
    fn few(self, context: &mut Context<'_>, own: u64, others: u64, odd: u8, window: i32) -> i32;
    /// Searches any number, ordered by mobility.
    fn middle(self, context: &mut Context<'_>, own: u64, others: u64, window: i32) -> i32;
    /// Evaluates a position heuristically, `plies` ahead.
    fn evaluate(self, order: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32;
    /// Generates the children of a position.
    fn expand(self, shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair>;
    /// Ranks the children of a position for move ordering.
    fn rank(self, order: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]);
}

macro_rules! compiled {
    // The first function, then the others: an inlined wrapper, and the body compiled for the kernel.
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
                order::evaluate(o: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32;
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
