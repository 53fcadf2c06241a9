//! Large arrays of numbers on huge pages: a look into one is one random access.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::pages::Pages;

/// Numbers that any bytes are, and zero bytes a zero.
pub trait Number: Copy + sealed::Sealed {}

impl Number for i16 {}
impl Number for u64 {}

mod sealed {
    /// Nobody else can say that of a type.
    pub trait Sealed {}
    impl Sealed for i16 {}
    impl Sealed for u64 {}
}

/// Numbers that begin as zeros.
///
/// ```
/// use kanzen::solve::Array;
/// let mut words = Array::<u64>::zeroed(1000)?;
/// words[999] |= 5;
/// assert_eq!((words.len(), words[0], words[999]), (1000, 0, 5));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Array<T> {
    pages: Pages,
    len: usize,
    numbers: PhantomData<T>,
}

/// The values of a finished class as codes ([`Value::code`](crate::Value::code)), a slot each; zero is a draw.
///
/// ```
/// use kanzen::{Value, solve::Codes};
/// let mut codes = Codes::zeroed(3)?;
/// codes[1] = Value::win(5).code();
/// assert_eq!(codes[..], [Value::DRAW.code(), Value::win(5).code(), Value::DRAW.code()]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub type Codes = Array<i16>;

impl<T: Number> Array<T> {
    /// `len` zeros.
    pub fn zeroed(len: usize) -> io::Result<Array<T>> {
        Ok(Array { pages: Pages::zeroed(size_of::<T>() * len)?, len, numbers: PhantomData })
    }
}

impl<T: Number> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold `len` initialised numbers, any bytes are one, and a page is aligned for them.
        unsafe { std::slice::from_raw_parts(self.pages.bytes().as_ptr().cast::<T>(), self.len) }
    }
}

impl<T: Number> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.pages.bytes_mut().as_mut_ptr().cast::<T>(), self.len) }
    }
}
