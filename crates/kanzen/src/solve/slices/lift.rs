//! Bits gathered from under a mask, and bits spread out under a mask.
//!
//! ```text
//! mask     0 1 1 0 0 1 0 1
//! word     a b c d e f g h   --pext-->  . . . . b c f h
//! word     . . . . b c f h   --pdep-->  0 b c 0 0 f 0 h
//! ```
//!
//! A processor with BMI2 does either in one instruction. [`Portable`] is the definition; tests hold the two together.
//! A kernel is written once, generic over [`Lift`], and compiled for both.

/// A way to gather and spread bits.
///
/// ```
/// use kanzen::solve::slices::{Lift, Portable};
/// assert_eq!(Portable.pext(0b1011_0010, 0b0110_0101), 0b0100);
/// assert_eq!(Portable.pdep(0b0100, 0b0110_0101), 0b0010_0000);
/// ```
pub trait Lift: Copy + Send + Sync {
    /// The bits of `word` under `mask`, moved together at the low end.
    fn pext(self, word: u64, mask: u64) -> u64;
    /// The low bits of `word`, moved apart to the places of `mask`.
    fn pdep(self, word: u64, mask: u64) -> u64;
}

/// Gathers and spreads with plain instructions, a step for each bit of the mask.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lift for Portable {
    #[inline(always)]
    fn pext(self, word: u64, mut mask: u64) -> u64 {
        let (mut gathered, mut place) = (0, 0);
        while mask != 0 {
            gathered |= (word >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        gathered
    }

    #[inline(always)]
    fn pdep(self, mut word: u64, mut mask: u64) -> u64 {
        let mut spread = 0;
        while mask != 0 {
            spread |= (word & 1) << mask.trailing_zeros();
            word >>= 1;
            mask &= mask - 1;
        }
        spread
    }
}

/// Gathers and spreads with the instructions of BMI2. There is one only where the processor has them.
///
/// Inline into a function with `#[target_feature(enable = "bmi2")]`: elsewhere each use is a call.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The instructions, if this processor has them (and AVX2, which kernels compiled for them may use too).
    pub fn detect() -> Option<Bmi2> {
        (is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("avx2")).then_some(Bmi2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Lift for Bmi2 {
    #[inline(always)]
    fn pext(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `detect`, the only maker of a `Bmi2`, has seen that the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn spreading_undoes_gathering(word: u64, mask: u64) {
            prop_assert_eq!(Portable.pdep(Portable.pext(word, mask), mask), word & mask);
        }

        #[test]
        fn gathered_bits_stand_in_order(word: u64, mask: u64) {
            let places: Vec<u32> = (0..64).filter(|place| mask >> place & 1 == 1).collect();
            let gathered = Portable.pext(word, mask);
            for (to, from) in places.iter().enumerate() {
                prop_assert_eq!(gathered >> to & 1, word >> from & 1);
            }
            prop_assert_eq!(gathered.checked_shr(places.len() as u32).unwrap_or(0), 0);
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn the_instructions_agree_with_the_definition(word: u64, mask: u64) {
            if let Some(bmi2) = Bmi2::detect() {
                prop_assert_eq!(bmi2.pext(word, mask), Portable.pext(word, mask));
                prop_assert_eq!(bmi2.pdep(word, mask), Portable.pdep(word, mask));
            }
        }
    }
}
