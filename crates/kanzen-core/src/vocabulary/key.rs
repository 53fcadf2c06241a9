//! The packed key of a position.

use std::fmt::Debug;

/// An unsigned number that a position packs into.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Key;
/// assert_eq!(u32::from_wide(7u32.wide()), 7);
/// ```
pub trait Key: Copy + Ord + Debug + Send + Sync + 'static {
    /// As the widest key.
    fn wide(self) -> u128;
    /// From the widest key; higher bits are dropped.
    fn from_wide(wide: u128) -> Self;
}

macro_rules! keys {
    ($($number:ty),*) => {$(
        impl Key for $number {
            fn wide(self) -> u128 { self as u128 }
            fn from_wide(wide: u128) -> Self { wide as $number }
        }
    )*};
}

keys!(u32, u64, u128);
