//! `pext` and `pdep`: gathers the bits under a mask, and spreads bits out under a mask.
//!
//! ```text
//! mask     0 1 1 0 0 1 0 1
//! word     a b c d e f g h   --pext-->  . . . . b c f h
//! word     . . . . b c f h   --pdep-->  0 b c 0 0 f 0 h
//! ```
//!
//! A processor with BMI2 does either in one instruction. Elsewhere [`Portable`] moves the bits in six steps; tests
//! compare both with the definition, one bit at a time. A kernel is written once, generic over [`Gather`], and compiled
//! for both: see [`Work`](super::Work).

#[cfg(target_arch = "x86_64")]
use super::Avx2;
#[cfg(target_arch = "x86_64")]
use super::Isa;

/// A way to gather and spread bits.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::cpu::{Gather, Portable};
/// assert_eq!(Portable.pext(0b1011_0010, 0b0110_0101), 0b0100);
/// assert_eq!(Portable.pdep(0b0100, 0b0110_0101), 0b0010_0000);
/// ```
pub trait Gather: Copy + Send + Sync {
    /// The bits of `word` under `mask`, moved together at the low end.
    fn pext(self, word: u64, mask: u64) -> u64;
    /// The low bits of `word`, moved apart to the places of `mask`.
    fn pdep(self, word: u64, mask: u64) -> u64;

    /// [`pext`](Gather::pext) of half a word.
    #[inline(always)]
    fn pext32(self, word: u32, mask: u32) -> u32 {
        self.pext(word.into(), mask.into()) as u32
    }

    /// [`pdep`](Gather::pdep) of half a word.
    #[inline(always)]
    fn pdep32(self, word: u32, mask: u32) -> u32 {
        self.pdep(word.into(), mask.into()) as u32
    }
}

/// Gathers bits with the best instructions of this processor. One by one: a loop should be a [`Work`](super::Work).
#[inline]
pub fn pext(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Isa::best().avx2() {
        return avx2.pext(word, mask);
    }
    Portable.pext(word, mask)
}

/// Spreads bits with the best instructions of this processor.
#[inline]
pub fn pdep(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Isa::best().avx2() {
        return avx2.pdep(word, mask);
    }
    Portable.pdep(word, mask)
}

/// Gathers and spreads with plain instructions.
///
/// Six steps of moving bits by 1, 2, 4, ... places: a bit moves in step `s` if the number of gaps below it has bit `s`.
/// After Warren, Hacker's Delight, 7-4 and 7-5.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// For each step, the places whose bit moves, where they are when that step begins.
#[inline]
fn moves(mask: u64) -> [u64; 6] {
    let mut moves = [0; 6];
    let mut places = mask;
    let mut gaps = !mask << 1; // bit p: is place p - 1 a gap?
    for (step, moving) in moves.iter_mut().enumerate() {
        let odd = parity_from_below(gaps); // bit p: is the number of gaps left below p odd?
        *moving = odd & places;
        places = (places ^ *moving) | (*moving >> (1 << step));
        gaps &= !odd;
    }
    moves
}

/// Bit p is the exclusive or of bits 0 to p.
#[inline]
fn parity_from_below(mut bits: u64) -> u64 {
    for step in 0..6 {
        bits ^= bits << (1 << step);
    }
    bits
}

impl Gather for Portable {
    #[inline]
    fn pext(self, word: u64, mask: u64) -> u64 {
        let mut bits = word & mask;
        for (step, moving) in moves(mask).into_iter().enumerate() {
            let moved = bits & moving;
            bits = (bits ^ moved) | (moved >> (1 << step));
        }
        bits
    }

    #[inline]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        let mut bits = word;
        for (step, moving) in moves(mask).into_iter().enumerate().rev() {
            bits = (bits & !moving) | ((bits << (1 << step)) & moving);
        }
        bits & mask
    }
}

/// In one instruction. Inline into a function compiled for BMI2 (as [`dispatch`](super::dispatch) does): elsewhere each
/// use is a call.
#[cfg(target_arch = "x86_64")]
impl Gather for Avx2 {
    #[inline(always)]
    fn pext(self, word: u64, mask: u64) -> u64 {
        // SAFETY: an `Avx2` exists only where the processor has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn pext32(self, word: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u32(word, mask) }
    }

    #[inline(always)]
    fn pdep32(self, word: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(word, mask) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places(mask: u64) -> impl Iterator<Item = u32> {
        (0..64).filter(move |place| mask >> place & 1 == 1)
    }

    fn naive_pext(word: u64, mask: u64) -> u64 {
        places(mask).enumerate().map(|(to, from)| (word >> from & 1) << to).sum()
    }

    fn naive_pdep(word: u64, mask: u64) -> u64 {
        places(mask).enumerate().map(|(from, to)| (word >> from & 1) << to).sum()
    }

    fn check(word: u64, mask: u64) {
        for (gathered, spread) in
            [(pext(word, mask), pdep(word, mask)), (Portable.pext(word, mask), Portable.pdep(word, mask))]
        {
            assert_eq!(gathered, naive_pext(word, mask), "pext({word:#x}, {mask:#x})");
            assert_eq!(spread, naive_pdep(word, mask), "pdep({word:#x}, {mask:#x})");
        }
        let (half, half_mask) = (word as u32, mask as u32);
        let expected = (naive_pext(half.into(), half_mask.into()), naive_pdep(half.into(), half_mask.into()));
        let halves = |gather: (u32, u32)| (u64::from(gather.0), u64::from(gather.1));
        assert_eq!(halves((Portable.pext32(half, half_mask), Portable.pdep32(half, half_mask))), expected);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Isa::best().avx2() {
            assert_eq!(halves((avx2.pext32(half, half_mask), avx2.pdep32(half, half_mask))), expected);
        }
    }

    #[test]
    fn all_masks_of_eight_places() {
        for mask in 0..256 {
            for word in 0..256 {
                check(word, mask);
                check(word << 56, mask << 56);
            }
        }
    }

    #[test]
    fn nothing_and_everything() {
        for word in [0, 1, 1 << 63, !0] {
            for mask in [0, 1, 1 << 63, !0] {
                check(word, mask);
            }
        }
    }

    proptest! {
        #[test]
        fn both_ways_agree_with_the_definition(word: u64, mask: u64) {
            check(word, mask);
        }

        #[test]
        fn spreading_undoes_gathering(word: u64, mask: u64) {
            prop_assert_eq!(pdep(pext(word, mask), mask), word & mask);
        }
    }
}
