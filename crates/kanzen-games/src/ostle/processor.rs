//! Work compiled twice: for processors that close gaps and count bits in one instruction, and for all others.
//!
//! The rules, the numbering and the engine are made of shifts, bit counts and squeezes of 25-bit masks. Compiled for
//! any x86-64 a bit count is a dozen instructions and a squeeze a call. [`fastest`] compiles a whole piece of work, with
//! all that is inlined into it, for BMI2 and POPCNT as well, and chooses at run time.

use super::board::Mask;

/// A way to squeeze masks, as [`kanzen::index::squeeze`] does.
pub trait Squeeze: Copy + Send + Sync {
    /// The bits of `mask` at the points of `within`, moved together to the low end.
    fn squeeze(self, mask: Mask, within: Mask) -> Mask;
}

/// The way for all processors; tests compare the other with it.
#[derive(Clone, Copy)]
pub struct Portable;

impl Squeeze for Portable {
    #[inline(always)]
    fn squeeze(self, mask: Mask, within: Mask) -> Mask {
        kanzen::index::squeeze(mask.into(), within.into()) as Mask
    }
}

/// Work that can be done with any squeeze. `run` and what it calls should be inlined.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<S: Squeeze>(self, squeeze: S) -> Self::Output;
}

/// Does the work the fastest way this processor knows.
#[inline]
pub fn fastest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = x86::Bmi2::detect() {
        // SAFETY: the processor has these features: `detect` asked.
        return unsafe { x86::with_bmi2(work, bmi2) };
    }
    work.run(Portable)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Mask, Squeeze, Work};

    /// Proof that the processor has BMI2 and POPCNT: only [`Bmi2::detect`] makes one.
    #[derive(Clone, Copy)]
    pub struct Bmi2(());

    impl Bmi2 {
        #[inline]
        pub fn detect() -> Option<Bmi2> {
            let has = std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("popcnt");
            has.then_some(Bmi2(()))
        }
    }

    impl Squeeze for Bmi2 {
        #[inline(always)]
        fn squeeze(self, mask: Mask, within: Mask) -> Mask {
            // SAFETY: a value of this type proves that the processor has BMI2.
            unsafe { std::arch::x86_64::_pext_u32(mask, within) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub fn with_bmi2<W: Work>(work: W, bmi2: Bmi2) -> W::Output {
        work.run(bmi2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct SqueezeOne(Mask, Mask);

    impl Work for SqueezeOne {
        type Output = Mask;
        fn run<S: Squeeze>(self, squeeze: S) -> Mask {
            squeeze.squeeze(self.0, self.1)
        }
    }

    proptest! {
        #[test]
        fn both_ways_squeeze_alike(mask: Mask, within: Mask) {
            prop_assert_eq!(fastest(SqueezeOne(mask, within)), Portable.squeeze(mask, within));
        }
    }
}
