//! Large zeroed arrays on huge pages, for random access.
//!
//! Engines touch gigabytes in strides. On 4 KiB pages nearly each touch of a new place also misses the TLB; on 2 MiB
//! pages hardly any does. Anonymous memory comes zeroed, so nothing is written before it is used.
//!
//! ```text
//! Pages      one mapping, known by its raw pointer
//! Array<T>   a view of it as plain numbers or as atomic ones, derived from that pointer each time
//! ```
//!
//! No view is ever derived from another one: a `&[AtomicU32]` that came from a `&[u8]` might not be written through.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::system::available_memory;
use crate::vocabulary::Error;

/// Types that any bytes are a value of, zero bytes among them.
///
/// # Safety
/// Every pattern of bytes must be a valid value, without padding, and the alignment at most 64.
pub unsafe trait Plain: Send + Sync {}

// SAFETY: any bytes are a number, and atomic numbers have the layout of plain ones.
unsafe impl Plain for i16 {}
// SAFETY: as above.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for AtomicU32 {}
// SAFETY: as above.
unsafe impl Plain for AtomicU64 {}

/// An array that begins as zeros.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::Array;
/// let mut words = Array::<u64>::zeroed("a thousand words", 1000)?;
/// words[999] |= 5;
/// assert_eq!((words.len(), words[0], words[999]), (1000, 0, 5));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Array<T> {
    pages: Pages,
    len: usize,
    items: PhantomData<T>,
}

/// The values of a finished class as codes ([`Value::code`](crate::Value::code)), a slot each; zero is a draw.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Value;
/// use kanzen::machine::Codes;
/// let mut codes = Codes::zeroed("three values", 3)?;
/// codes[1] = Value::win(5).code();
/// assert_eq!(codes[..], [Value::DRAW.code(), Value::win(5).code(), Value::DRAW.code()]);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub type Codes = Array<i16>;

/// Words that all threads may change: the engines touch one at random for each edge.
pub type AtomicWords = Array<AtomicU32>;

impl<T: Plain> Array<T> {
    /// An array of `len` zeros; `what` names it in the error if there is no memory for it.
    pub fn zeroed(what: &str, len: usize) -> Result<Array<T>, Error> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
        let pages = bytes.and_then(Pages::zeroed).ok_or_else(|| Error::Memory {
            what: what.to_owned(),
            needed: bytes.map_or(u64::MAX, |bytes| bytes as u64),
            budget: available_memory().unwrap_or(0),
        })?;
        Ok(Array { pages, len, items: PhantomData })
    }

    /// The array as bytes, in the machine's order.
    pub fn bytes(&mut self) -> &[u8] {
        // SAFETY: the pages hold that many initialised bytes, and the exclusive borrow keeps atomic writers away.
        unsafe { std::slice::from_raw_parts(self.pages.start(), self.len * size_of::<T>()) }
    }

    /// The array as bytes to be filled.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; any bytes are values of a `Plain` type.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start(), self.len * size_of::<T>()) }
    }
}

impl Array<u64> {
    /// The array as numbers that all threads may change; the exclusive borrow shuts out other views.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::machine::Array;
    /// use std::sync::atomic::Ordering::Relaxed;
    /// let mut words = Array::<u64>::zeroed("three words", 3)?;
    /// words.atomic()[1].fetch_or(5, Relaxed);
    /// assert_eq!(words[..], [0, 5, 0]);
    /// # Ok::<(), kanzen::Error>(())
    /// ```
    pub fn atomic(&mut self) -> &[AtomicU64] {
        // SAFETY: atomic numbers have the layout of plain ones, and the exclusive borrow keeps plain views away.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast::<AtomicU64>(), self.len) }
    }
}

impl<T: Plain> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold `len` initialised values of a `Plain` type and are aligned for them; plain ones change
        // only through an exclusive borrow, atomic ones only by atomic operations.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast::<T>(), self.len) }
    }
}

impl<T: Plain> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start().cast::<T>(), self.len) }
    }
}

use pages::Pages;

#[cfg(not(any(miri, target_family = "wasm")))]
mod pages {
    use memmap2::{MmapMut, MmapRaw};

    /// Zeroed bytes, aligned to a page.
    pub(super) struct Pages(MmapRaw);

    impl Pages {
        /// So many zero bytes; nothing if the system has none.
        pub fn zeroed(bytes: usize) -> Option<Pages> {
            let map = MmapMut::map_anon(bytes.max(1)).ok()?;
            // Best effort: a kernel without huge pages refuses, which costs time only.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Some(Pages(map.into()))
        }

        pub fn start(&self) -> *mut u8 {
            self.0.as_mut_ptr()
        }
    }
}

/// Miri knows no mappings, and a browser has none: there the pages are an allocation.
#[cfg(any(miri, target_family = "wasm"))]
mod pages {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    pub(super) struct Pages {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: the pages are owned memory; `Array` guards access to them.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        pub fn zeroed(bytes: usize) -> Option<Pages> {
            let layout = Layout::from_size_align(bytes.max(1), 4096).ok()?;
            // SAFETY: the layout has at least one byte.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Pages { start, layout })
        }

        pub fn start(&self) -> *mut u8 {
            self.start.as_ptr()
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: allocated with this layout, and freed once.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_written_by_two_threads_are_read_as_bytes() {
        let mut words = AtomicWords::zeroed("test", 1000).unwrap();
        std::thread::scope(|scope| {
            for half in 0..2 {
                let words = &words;
                scope.spawn(move || (half..1000).step_by(2).for_each(|at| words[at].store(at as u32, Relaxed)));
            }
        });
        assert_eq!(words.bytes()[4 * 999..], 999u32.to_ne_bytes());
        words.bytes_mut()[..4].copy_from_slice(&7u32.to_ne_bytes());
        assert_eq!(words[0].load(Relaxed), 7);
        *words[1].get_mut() += 1;
        assert_eq!(words[1].load(Relaxed), 2);
    }

    #[test]
    fn memory_that_no_machine_has_is_an_error() {
        let refusal = Array::<u64>::zeroed("a dream", usize::MAX / 2).err().unwrap();
        assert_eq!(refusal.kind(), crate::vocabulary::ErrorKind::TooLarge);
        assert!(refusal.to_string().starts_with("a dream needs "), "{refusal}");
        assert!(Array::<u64>::zeroed("half a dream", 1 << 57).is_err());
    }

    #[test]
    fn nothing_is_an_array_too() {
        assert_eq!(Array::<i16>::zeroed("nothing", 0).unwrap().len(), 0);
    }
}
