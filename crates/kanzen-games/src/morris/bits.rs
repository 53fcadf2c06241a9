//! Squeezing and spreading masks, in one instruction where the processor has it.
//!
//! The hot loops are written once, over `Bits`, and compiled twice: for any processor, and for one with BMI2, where the
//! whole loop is a function of that feature so that the instructions are inlined.

/// Ways to close and open gaps in masks. See [`kanzen::index::squeeze`].
pub trait Bits {
    fn squeeze(mask: u32, within: u32) -> u32;
    fn spread(mask: u32, within: u32) -> u32;
}

/// For any processor.
pub struct Portable;

impl Bits for Portable {
    #[inline]
    fn squeeze(mask: u32, within: u32) -> u32 {
        kanzen::index::squeeze(mask.into(), within.into()) as u32
    }

    #[inline]
    fn spread(mask: u32, within: u32) -> u32 {
        kanzen::index::spread(mask.into(), within.into()) as u32
    }
}

/// Whether this processor has what [`Bmi2`] needs.
#[cfg(target_arch = "x86_64")]
pub fn has_bmi2() -> bool {
    std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("avx2")
}

/// For processors with BMI2; used only inside functions that enable it, after [`has_bmi2`] said yes.
#[cfg(target_arch = "x86_64")]
pub struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn squeeze(mask: u32, within: u32) -> u32 {
        // SAFETY: `Bmi2` is private to the morris solver, whose loops choose it only where `has_bmi2` holds.
        unsafe { std::arch::x86_64::_pext_u32(mask, within) }
    }

    #[inline(always)]
    fn spread(mask: u32, within: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(mask, within) }
    }
}
