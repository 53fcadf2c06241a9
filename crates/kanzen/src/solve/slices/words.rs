//! A large array of words on huge pages, for sets of positions of any size.

use std::io;
use std::ops::{Deref, DerefMut};

use crate::solve::pages::Pages;

/// Words that begin as zeros.
///
/// ```
/// use kanzen::solve::slices::WordArray;
/// let mut words = WordArray::zeroed(1000)?;
/// words[999] |= 5;
/// assert_eq!((words.len(), words[0], words[999]), (1000, 0, 5));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct WordArray {
    pages: Pages,
    len: usize,
}

impl WordArray {
    /// `len` zero words.
    pub fn zeroed(len: usize) -> io::Result<WordArray> {
        Ok(WordArray { pages: Pages::zeroed(8 * len)?, len })
    }
}

impl Deref for WordArray {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        // SAFETY: the pages hold `len` initialised words, and a page is aligned for them.
        unsafe { std::slice::from_raw_parts(self.pages.bytes().as_ptr().cast::<u64>(), self.len) }
    }
}

impl DerefMut for WordArray {
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.pages.bytes_mut().as_mut_ptr().cast::<u64>(), self.len) }
    }
}
