//! Binomial coefficients: the ways to choose k of n points.

/// A table made at compile time. In WebAssembly, which is downloaded, it is made on first use instead: that takes
/// less time than its bytes.
macro_rules! table {
    ($(#[$doc:meta])* static $name:ident: $type:ty = $make:expr;) => {
        $(#[$doc])*
        #[cfg(not(target_family = "wasm"))]
        pub(super) static $name: $type = $make;
        $(#[$doc])*
        #[cfg(target_family = "wasm")]
        pub(super) static $name: std::sync::LazyLock<Box<$type>> = std::sync::LazyLock::new(|| Box::new($make));
    };
}
pub(super) use table;

/// By k first, for `unrank` walks along n: the ways to choose k of n points.
pub(super) type Ways = [[u64; 65]; 65];

const fn ways() -> Ways {
    let mut table = [[0; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

table! {
    /// `BINOMIAL[k][n]`: the ways to choose k of n points.
    static BINOMIAL: Ways = ways();
}

/// The ways to choose `chosen` of at most 64 points.
///
/// # Panics
/// If there are more than 64 points; see [`checked_binomial`].
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::binomial;
/// assert_eq!(binomial(24, 9), 1_307_504);
/// assert_eq!(binomial(3, 4), 0);
/// ```
#[inline]
pub fn binomial(points: u32, chosen: u32) -> u64 {
    assert!(points <= 64, "a mask has at most 64 points");
    if chosen > points { 0 } else { BINOMIAL[chosen as usize][points as usize] }
}

/// The ways to choose `chosen` of any number of points, if they fit a `u64`.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::checked_binomial;
/// assert_eq!(checked_binomial(67, 33), Some(14_226_520_737_620_288_370));
/// assert_eq!(checked_binomial(68, 34), None);
/// assert_eq!(checked_binomial(1_000_000, 2), Some(499_999_500_000));
/// ```
pub const fn checked_binomial(points: u32, chosen: u32) -> Option<u64> {
    if chosen > points {
        return Some(0);
    }
    // Up to the middle the row ascends: what overflows on the way overflows at the end.
    let steps = if chosen > points - chosen { points - chosen } else { chosen };
    let mut ways: u128 = 1;
    let mut step = 0;
    while step < steps {
        ways = ways * (points - step) as u128 / (step + 1) as u128;
        if ways > u64::MAX as u128 {
            return None;
        }
        step += 1;
    }
    Some(ways as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_pascals_triangle() {
        for n in 0..=64 {
            assert_eq!(binomial(n, 0), 1);
            assert_eq!(binomial(n, 100), 0);
            for k in 0..=n {
                assert_eq!(Some(binomial(n, k)), checked_binomial(n, k));
                assert_eq!(binomial(n, k), binomial(n, n - k));
            }
        }
    }
}
