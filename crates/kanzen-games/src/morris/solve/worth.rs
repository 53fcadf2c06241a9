//! What a child is worth to the player who moves there, in a byte.
//!
//! ```text
//!   0        1 ..... 126          127    129 ......... 255
//!   nothing  won in 1 ... in 251  draw   lost in 252 ... in 0      by whoever moves in the child
//! ```
//!
//! The larger, the better for the player before; so that the best of many children is a maximum, 32 of them in an
//! instruction, and nothing is less than any of them. Wins take an odd number of plies here and losses an even one: the
//! only games that end are lost for the mover, at once. Where a distance is longer or has the wrong parity, [`of_codes`]
//! says so, and bytes are not used.

use kanzen::Value;

/// Less than any child.
pub const NOTHING: u8 = 0;
/// Nobody wins.
const DRAW: u8 = 127;
/// A child whose mover has lost: no other is worth more.
pub const LOST_AT_ONCE: u8 = 255;
/// The longest distances that have a byte.
const LONGEST_WIN: i16 = 251;
const LONGEST_LOSS: i16 = 252;

/// Writes what children with these codes ([`Value::code`]) are worth; `false` if one of them has no byte.
#[inline(always)]
pub fn of_codes(codes: &[i16], worths: &mut [u8]) -> bool {
    let mut unfit = 0i16;
    for (worth, &code) in worths.iter_mut().zip(codes) {
        let (won, lost) = (i16::MAX.wrapping_sub(code), code.wrapping_add(i16::MAX));
        // Without branches, for vectors: all three are computed, one is taken.
        let (is_won, is_lost) = (code > 0, code < 0);
        let of_win = (won >> 1).wrapping_add(1);
        let of_loss = 255i16.wrapping_sub(lost >> 1);
        *worth = if is_won {
            of_win
        } else if is_lost {
            of_loss
        } else {
            DRAW.into()
        } as u8;
        let unfit_win = is_won & ((won > LONGEST_WIN) | (won & 1 == 0));
        let unfit_loss = is_lost & ((lost > LONGEST_LOSS) | (lost & 1 == 1) | (lost < 0));
        unfit |= i16::from(unfit_win | unfit_loss);
    }
    unfit == 0
}

/// The value of a position whose best child is worth this; a draw if it has none.
pub fn value(best: u8) -> Value {
    match best {
        NOTHING => Value::DRAW,
        1..DRAW => Value::loss(2 * u16::from(best)),
        DRAW..=128 => Value::DRAW,
        129.. => Value::win(2 * u16::from(LOST_AT_ONCE - best) + 1),
    }
}

/// The codes of the values of positions whose best children are worth these: as [`value`], without branches.
#[inline(always)]
pub fn codes_of(bests: &[u8], codes: &mut [i16]) {
    let [lost, won] = [Value::loss(0), Value::win(1)].map(Value::code);
    for (code, &best) in codes.iter_mut().zip(bests) {
        let worth = i16::from(best);
        let (if_lost, if_won) = (lost + 2 * worth, won - 2 * (i16::from(LOST_AT_ONCE) - worth));
        let is_lost = best.wrapping_sub(1) < DRAW - 1;
        let is_won = best > DRAW + 1;
        *code = if is_lost {
            if_lost
        } else if is_won {
            if_won
        } else {
            Value::DRAW.code()
        };
    }
}

/// The child that is worth this, for its own mover; a draw for nothing.
pub fn child(worth: u8) -> Value {
    match worth {
        NOTHING => Value::DRAW,
        1..DRAW => Value::win(2 * u16::from(worth) - 1),
        DRAW..=128 => Value::DRAW,
        129.. => Value::loss(2 * u16::from(LOST_AT_ONCE - worth)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_kept_and_the_value_comes_back() {
        let wins = (1..=LONGEST_WIN as u16).step_by(2).map(Value::win);
        let losses = (0..=LONGEST_LOSS as u16).step_by(2).map(Value::loss);
        let mut children: Vec<Value> = wins.chain(losses).chain([Value::DRAW]).collect();
        children.sort_unstable();
        children.reverse();
        let codes: Vec<i16> = children.iter().map(|child| child.code()).collect();
        let mut worths = vec![0; codes.len()];
        assert!(of_codes(&codes, &mut worths));
        assert!(worths[0] > NOTHING && worths.is_sorted() && worths.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(worths.last(), Some(&LOST_AT_ONCE));
        assert!(children.iter().zip(&worths).all(|(child, &worth)| value(worth) == child.before()));
        assert!(children.iter().zip(&worths).all(|(child, &worth)| self::child(worth) == *child));
    }

    #[test]
    fn codes_are_those_of_the_values() {
        let bests: Vec<u8> = (0..=255).collect();
        let mut codes = vec![0; bests.len()];
        codes_of(&bests, &mut codes);
        assert!(bests.iter().zip(codes).all(|(&best, code)| value(best).code() == code));
    }

    #[test]
    fn what_has_no_byte_is_told() {
        let unfit = [Value::win(2), Value::win(253), Value::loss(1), Value::loss(254), Value::win(0)];
        let untimed = [Value::UNTIMED_WIN, Value::UNTIMED_LOSS, Value::loss(32_000), Value::win(32_000)];
        for child in unfit.into_iter().chain(untimed) {
            assert!(!of_codes(&[0, child.code(), 0], &mut [0; 3]), "{child}");
        }
        assert!(!of_codes(&[i16::MIN], &mut [0]));
    }
}
