//! The WebAssembly exports: memory allocation and one function for all requests.
//!
//! ```text
//! kanzen_alloc(len) -> pointer to len bytes
//! kanzen_call(question, len, bytes, len) -> pointer to the answer: its length in four bytes, then the answer
//! kanzen_free(at, len)
//! ```
//!
//! The module has one session, since a worker has one thread.

use std::alloc::{Layout, alloc, dealloc};
use std::sync::{Mutex, PoisonError};

use crate::Session;

static SESSION: Mutex<Option<Session>> = Mutex::new(None);
/// The last answer, preceded by its length.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn layout(len: usize) -> Layout {
    Layout::array::<u8>(len.max(1)).unwrap_or_else(|_| Layout::new::<u8>())
}

/// Allocates bytes for JavaScript to fill.
#[unsafe(no_mangle)]
pub extern "C" fn kanzen_alloc(len: usize) -> *mut u8 {
    // SAFETY: the layout has at least one byte.
    unsafe { alloc(layout(len)) }
}

/// Frees memory of [`kanzen_alloc`].
///
/// # Safety
/// `at` must come from `kanzen_alloc(len)` and must not have been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kanzen_free(at: *mut u8, len: usize) {
    // SAFETY: by the contract, allocated with this layout.
    unsafe { dealloc(at, layout(len)) }
}

/// Answers a question in JSON, with optional binary data. Returns a pointer to the length of the answer (four bytes,
/// little-endian) and the answer, valid until the next call.
///
/// # Safety
/// Each pair must describe readable memory, or have length 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kanzen_call(question: *const u8, len: usize, bytes: *const u8, bytes_len: usize) -> *const u8 {
    // SAFETY: by the contract.
    let [question, bytes] = unsafe { [slice(question, len), slice(bytes, bytes_len)] };
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = session.get_or_insert_with(Session::default).call(question, bytes);
    let mut kept = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    kept.clear();
    kept.extend((answer.len() as u32).to_le_bytes());
    kept.extend(answer.as_bytes());
    kept.as_ptr()
}

/// # Safety
/// `at` must point to `len` readable bytes unless `len` is 0.
unsafe fn slice<'a>(at: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: by the contract.
    unsafe { std::slice::from_raw_parts(at, len) }
}
