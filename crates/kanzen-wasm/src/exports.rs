//! What JavaScript calls: memory for what it writes, and one function for all questions.
//!
//! ```text
//! alloc(len) -> where to write len bytes
//! call(question, len, bytes, len) -> where the answer is: its length in four bytes, then the answer
//! free(at, len)
//! ```
//!
//! The session is one for the whole module: a worker has one thread.

use std::alloc::{Layout, alloc, dealloc};
use std::sync::{Mutex, PoisonError};

use crate::Session;

static SESSION: Mutex<Option<Session>> = Mutex::new(None);
/// The last answer, with its length before it.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn layout(len: usize) -> Layout {
    Layout::array::<u8>(len.max(1)).unwrap_or_else(|_| Layout::new::<u8>())
}

/// Allocates bytes for JavaScript to write.
#[unsafe(no_mangle)]
pub extern "C" fn kanzen_alloc(len: usize) -> *mut u8 {
    // SAFETY: the layout has at least one byte.
    unsafe { alloc(layout(len)) }
}

/// Frees what [`kanzen_alloc`] gave.
///
/// # Safety
/// `at` must come from `kanzen_alloc(len)`, and not have been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kanzen_free(at: *mut u8, len: usize) {
    // SAFETY: allocated with this layout, says the caller.
    unsafe { dealloc(at, layout(len)) }
}

/// Answers a question, a text in JSON, that may come with bytes. Where it points to are the length of the answer, four
/// bytes, and the answer; they stay until the next call.
///
/// # Safety
/// Both pairs must be bytes that may be read, or lengths of nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kanzen_call(question: *const u8, len: usize, bytes: *const u8, bytes_len: usize) -> *const u8 {
    // SAFETY: the caller vouches for both.
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
/// `at` must point to `len` bytes, unless there are none.
unsafe fn slice<'a>(at: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: says the caller.
    unsafe { std::slice::from_raw_parts(at, len) }
}
