//! Closing the gaps that occupied points leave, and opening them again.
//!
//! ```text
//! within  1 0 1 1 0 1        squeeze      0 0 a b c d
//! mask    a . b c . d        ------->
//!                            <-------
//!                             spread
//! ```
//!
//! A processor with BMI2 does either in one instruction (`pext`, `pdep`), chosen at run time. Elsewhere
//! `portable` moves the bits in six steps; tests compare both with the definition, one bit at a time.

/// The bits of `mask` at the points of `within`, moved together to the low end. Other bits are dropped.
///
/// ```
/// use kanzen::index::squeeze;
/// // White stands on points 1 and 4: black's points 0, 3 and 5 are the free points number 0, 2 and 3.
/// let (white, black) = (0b010010, 0b101001);
/// assert_eq!(squeeze(black, !white), 0b1101);
/// ```
#[inline]
pub fn squeeze(mask: u64, within: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has BMI2, asked on the line above.
        return unsafe { bmi2::squeeze(mask, within) };
    }
    portable::squeeze(mask, within)
}

/// The low bits of `mask`, moved apart to the points of `within`: the inverse of [`squeeze`].
///
/// Bits of `mask` for which `within` has no point are dropped.
///
/// ```
/// use kanzen::index::{spread, squeeze};
/// assert_eq!(spread(0b1101, !0b010010), 0b101001);
/// assert_eq!(squeeze(spread(0b101, 0xf0), 0xf0), 0b101);
/// ```
#[inline]
pub fn spread(mask: u64, within: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has BMI2, asked on the line above.
        return unsafe { bmi2::spread(mask, within) };
    }
    portable::spread(mask, within)
}

/// Six steps of moving bits by 1, 2, 4, ... places: a bit moves in step `s` if the number of gaps below it has bit `s`.
/// After Warren, Hacker's Delight, 7-4 and 7-5.
mod portable {
    /// For each step, the points whose bit moves, where they are when that step begins.
    #[inline]
    fn moves(within: u64) -> [u64; 6] {
        let mut moves = [0; 6];
        let mut points = within;
        let mut gaps = !within << 1; // bit p: is point p - 1 a gap?
        for (step, moving) in moves.iter_mut().enumerate() {
            let odd = parity_from_below(gaps); // bit p: is the number of gaps left below p odd?
            *moving = odd & points;
            points = (points ^ *moving) | (*moving >> (1 << step));
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

    #[inline]
    pub(super) fn squeeze(mask: u64, within: u64) -> u64 {
        let mut bits = mask & within;
        for (step, moving) in moves(within).into_iter().enumerate() {
            let moved = bits & moving;
            bits = (bits ^ moved) | (moved >> (1 << step));
        }
        bits
    }

    #[inline]
    pub(super) fn spread(mask: u64, within: u64) -> u64 {
        let mut bits = mask;
        for (step, moving) in moves(within).into_iter().enumerate().rev() {
            bits = (bits & !moving) | ((bits << (1 << step)) & moving);
        }
        bits & within
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    #[target_feature(enable = "bmi2")]
    #[inline]
    pub(super) fn squeeze(mask: u64, within: u64) -> u64 {
        _pext_u64(mask, within)
    }

    #[target_feature(enable = "bmi2")]
    #[inline]
    pub(super) fn spread(mask: u64, within: u64) -> u64 {
        _pdep_u64(mask, within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(within: u64) -> impl Iterator<Item = u32> {
        (0..64).filter(move |point| within >> point & 1 == 1)
    }

    fn naive_squeeze(mask: u64, within: u64) -> u64 {
        points(within).enumerate().map(|(slot, point)| (mask >> point & 1) << slot).sum()
    }

    fn naive_spread(mask: u64, within: u64) -> u64 {
        points(within).enumerate().map(|(slot, point)| (mask >> slot & 1) << point).sum()
    }

    fn check(mask: u64, within: u64) {
        assert_eq!(squeeze(mask, within), naive_squeeze(mask, within), "squeeze({mask:#x}, {within:#x})");
        assert_eq!(spread(mask, within), naive_spread(mask, within), "spread({mask:#x}, {within:#x})");
        assert_eq!(portable::squeeze(mask, within), squeeze(mask, within), "squeeze({mask:#x}, {within:#x})");
        assert_eq!(portable::spread(mask, within), spread(mask, within), "spread({mask:#x}, {within:#x})");
    }

    #[test]
    fn all_masks_of_eight_points() {
        for within in 0..256 {
            for mask in 0..256 {
                check(mask, within);
                check(mask << 56, within << 56);
            }
        }
    }

    #[test]
    fn nothing_and_everything() {
        for mask in [0, 1, 1 << 63, !0] {
            for within in [0, 1, 1 << 63, !0] {
                check(mask, within);
            }
        }
    }

    proptest! {
        #[test]
        fn both_ways_agree_with_the_definition(mask: u64, within: u64) {
            check(mask, within);
        }

        #[test]
        fn spread_inverts_squeeze(mask: u64, within: u64) {
            prop_assert_eq!(spread(squeeze(mask, within), within), mask & within);
        }
    }
}
