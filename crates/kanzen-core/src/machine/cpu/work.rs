//! Compiles work twice: for processors that gather bits in one instruction, and for all others.
//!
//! Rules, numberings and engines are made of shifts, bit counts and gathered bits. Compiled for any x86-64 a bit count
//! is a dozen instructions and a gather a loop. [`dispatch`] compiles a whole piece of work, with all that is inlined
//! into it, for AVX2 and BMI2 as well, and chooses at run time.

use super::{Gather, Isa, Portable};

/// Work that can be done with any [`Gather`]. `run` and what it calls should be inlined.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::cpu::{Gather, Work, dispatch};
/// struct Highest<'a>(&'a [u64], u64);
/// impl Work for Highest<'_> {
///     type Output = u64;
///     #[inline(always)]
///     fn run<B: Gather>(self, bits: B) -> u64 {
///         self.0.iter().map(|word| bits.pext(*word, self.1)).max().unwrap_or(0)
///     }
/// }
/// assert_eq!(dispatch(Highest(&[0b1010, 0b0110], 0b0110)), 0b11);
/// ```
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does the work with the instructions that `bits` stands for. Should be `#[inline(always)]`.
    fn run<B: Gather>(self, bits: B) -> Self::Output;
}

/// Does the work with the best instructions of this processor.
#[inline]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    dispatch_on(Isa::best(), work)
}

/// Does the work with these instructions.
#[inline]
pub fn dispatch_on<W: Work>(isa: Isa, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = isa.avx2() {
        // SAFETY: the proof exists only where these instructions were detected.
        return unsafe { with_avx2(work, avx2) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = isa;
    work.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W, avx2: super::Avx2) -> W::Output {
    work.run(avx2)
}
