//! The numbers that positions pack into.

use std::fmt::Debug;

/// An unsigned number that a position packs into.
///
/// ```
/// use kanzen::Key;
/// assert_eq!(u32::from_wide(7u32.wide()), 7);
/// ```
pub trait Key: Copy + Ord + Debug + Send + Sync + 'static {
    /// As the widest key.
    fn wide(self) -> u128;
    /// From the widest key; higher bits are dropped.
    fn from_wide(wide: u128) -> Self;
    /// Keys without their type, for those who keep them.
    fn slice(keys: &[Self]) -> KeySlice<'_>;
    /// Keys with their type again; nothing if they are of another.
    fn list(keys: KeyList) -> Option<Vec<Self>>;
}

/// Keys of one of the three widths, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum KeySlice<'a> {
    /// Of four bytes.
    U32(&'a [u32]),
    /// Of eight bytes.
    U64(&'a [u64]),
    /// Of sixteen bytes.
    U128(&'a [u128]),
}

/// Keys of one of the three widths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyList {
    /// Of four bytes.
    U32(Vec<u32>),
    /// Of eight bytes.
    U64(Vec<u64>),
    /// Of sixteen bytes.
    U128(Vec<u128>),
}

macro_rules! keys {
    ($($number:ty, $name:ident);*) => {$(
        impl Key for $number {
            fn wide(self) -> u128 { self as u128 }
            fn from_wide(wide: u128) -> Self { wide as $number }
            fn slice(keys: &[$number]) -> KeySlice<'_> { KeySlice::$name(keys) }
            fn list(keys: KeyList) -> Option<Vec<$number>> {
                match keys { KeyList::$name(keys) => Some(keys), _ => None }
            }
        }
    )*};
}

keys!(u32, U32; u64, U64; u128, U128);
