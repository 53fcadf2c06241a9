//! The values of a finished class on huge pages: a look into it is one random access.

use std::io;
use std::ops::{Deref, DerefMut};

use super::pages::Pages;

/// Value codes ([`Value::code`](crate::Value::code)), a slot each, at first all those of a draw.
///
/// ```
/// use kanzen::{Value, solve::Codes};
/// let mut codes = Codes::zeroed(3)?;
/// codes[1] = Value::win(5).code();
/// assert_eq!(codes[..], [Value::DRAW.code(), Value::win(5).code(), Value::DRAW.code()]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Codes {
    pages: Pages,
    len: usize,
}

impl Codes {
    /// `len` zeros.
    pub fn zeroed(len: usize) -> io::Result<Codes> {
        Ok(Codes { pages: Pages::zeroed(2 * len)?, len })
    }
}

impl Deref for Codes {
    type Target = [i16];

    fn deref(&self) -> &[i16] {
        // SAFETY: the pages hold `len` initialised codes, and a page is aligned for them.
        unsafe { std::slice::from_raw_parts(self.pages.bytes().as_ptr().cast::<i16>(), self.len) }
    }
}

impl DerefMut for Codes {
    fn deref_mut(&mut self) -> &mut [i16] {
        // SAFETY: as above, and the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.pages.bytes_mut().as_mut_ptr().cast::<i16>(), self.len) }
    }
}
