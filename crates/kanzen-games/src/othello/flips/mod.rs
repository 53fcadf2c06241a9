//! Kernels that compute the legal moves and the discs that a move flips.
//!
//! The rule, square by square, is `naive` in the tests. [`Portable`] works on whole words; `avx2` and `avx512` process
//! four or eight directions at once. All agree on every board (see the tests).
//!
//! A ray to higher bits, as one word (`.` not on the ray):
//!
//! ```text
//!   ray      1 . . 1 . . 1 . . 1 . . *        * is the square played
//!   others   0 . . 1 . . 1 . . 1 . .          set all bits off the ray, add one: the carry runs
//!   carry    1 <-----------------+ 1          through the opponent's discs and stops at the first
//!                                             other square; an own disc there brackets the line
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
use kanzen_core::machine::cpu;
pub use kanzen_core::machine::cpu::Portable;

use super::shape::Shape;

/// The flip and move generators of an instruction set. A value proves that the processor has it; the search is compiled
/// once for each.
pub trait Kernel: Copy + Send + Sync + 'static {
    /// The discs flipped by a move to an empty `square`, or 0 if the move is illegal.
    fn flips(self, shape: &Shape, own: u64, others: u64, square: u32) -> u64;

    /// The squares of the legal moves.
    fn moves(self, shape: &Shape, own: u64, others: u64) -> u64;

    /// Extracts the bits under a mask into the low bits (pext). The masks here are short, so a loop over bits is faster
    /// than the general six-step method.
    #[inline(always)]
    fn gather(self, bits: u64, mask: u64) -> u64 {
        let (mut mask, mut gathered, mut place) = (mask, 0, 0);
        while mask != 0 {
            gathered |= (bits >> mask.trailing_zeros() & 1) << place;
            mask &= mask - 1;
            place += 1;
        }
        gathered
    }
}

/// Implements [`Kernel`] with vector functions and `pext`.
#[cfg(target_arch = "x86_64")]
macro_rules! vector_kernel {
    ($isa:ident, $module:ident, |$proof:ident| $avx2:expr) => {
        impl Kernel for cpu::$isa {
            #[inline(always)]
            fn flips(self, shape: &Shape, own: u64, others: u64, square: u32) -> u64 {
                // SAFETY: `self` exists only where these instructions were detected.
                unsafe { $module::flips(shape, own, others, square) }
            }

            #[inline(always)]
            fn moves(self, shape: &Shape, own: u64, others: u64) -> u64 {
                // SAFETY: as above.
                unsafe { $module::moves(shape, own, others) }
            }

            #[inline(always)]
            fn gather(self, bits: u64, mask: u64) -> u64 {
                let $proof = self;
                cpu::Gather::pext($avx2, bits, mask)
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
vector_kernel!(Avx2, avx2, |avx2| avx2);
#[cfg(target_arch = "x86_64")]
vector_kernel!(Avx512, avx512, |avx512| avx512.avx2());

/// Words and shifts, for every processor.
impl Kernel for Portable {
    #[inline(always)]
    fn flips(self, shape: &Shape, own: u64, others: u64, square: u32) -> u64 {
        let rays = &shape.rays[square as usize & 63].0;
        let mut flips = 0;
        for ray in &rays[..4] {
            let holding = (others | !ray).wrapping_add(1) & own & ray;
            flips |= holding.saturating_sub(1) & ray;
        }
        for ray in &rays[4..] {
            // The first square down the ray without an opponent's disc: the highest one.
            let others_end = ray & !others;
            let holding = (1 << 63 >> (others_end | 1).leading_zeros()) & own & ray;
            flips |= (holding.wrapping_neg() << 1) & ray;
        }
        flips
    }

    #[inline(always)]
    fn moves(self, shape: &Shape, own: u64, others: u64) -> u64 {
        let mut moves = 0;
        for (&step, inner) in shape.steps.iter().zip(shape.inner) {
            let through = others & inner;
            let (mut up, mut down) = (through & (own << step), through & (own >> step));
            for _ in 1..shape.longest_flip {
                up |= through & (up << step);
                down |= through & (down >> step);
            }
            moves |= up << step | down >> step;
        }
        moves & shape.empties(own, others)
    }
}
