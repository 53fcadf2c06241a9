//! Ends the process with one line and exit status 2 when an allocation fails.
//!
//! Large arrays are reserved, and a reservation that fails is an error like others. But a list that grows or a text that
//! is put together has no way to fail: without this allocator the process would abort with a trace of its own calls.
//!
//! The standard library itself panics where a thread that starts gets no stack for its signals: the same line then.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Arguments;
use std::io::Write;
use std::panic;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::BAD;

static PROGRAM: OnceLock<&'static str> = OnceLock::new();

/// Set by the first thread that finds no memory: it prints the line and ends the process.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Sets the program name that the line begins with, and also reports threads that cannot be started.
pub fn name(program: &'static str) {
    if PROGRAM.set(program).is_err() {
        return;
    }
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let message = panicked.payload().downcast_ref::<String>().map_or("", String::as_str);
        if LEAVING.load(Relaxed) || is_out_of_memory(message) {
            leave(format_args!("a thread could not be started"));
        }
        usual(panicked);
    }));
}

/// Whether the standard library panicked because a thread got no stack for its signals.
fn is_out_of_memory(message: &str) -> bool {
    message.contains("alternative stack")
}

/// The system's allocator; what it refuses ends the process.
pub struct OrLeave;

#[global_allocator]
static ALLOCATOR: OrLeave = OrLeave;

// SAFETY: every call is passed on to the system's allocator with the same arguments, and what it returns is returned,
// or the process ends.
unsafe impl GlobalAlloc for OrLeave {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of the system's allocator.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn given(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        leave(format_args!("{bytes} bytes were asked for"));
    }
    block
}

#[cold]
#[inline(never)]
fn leave(wanted: Arguments<'_>) -> ! {
    if LEAVING.swap(true, Relaxed) {
        // Another thread prints the line and ends the process.
        loop {
            std::thread::park();
        }
    }
    // On the stack, and past the buffers of the standard library: there is no memory for a text.
    let mut line = [0; 256];
    let message = sentence(&mut line, PROGRAM.get().unwrap_or(&"kanzen"), wanted);
    let _ = rustix::io::write(rustix::stdio::stderr(), message);
    // Files appear whole: what was being written is as if it had not been begun.
    std::process::exit(BAD.into())
}

/// Formats the line into a fixed buffer.
fn sentence<'a>(buffer: &'a mut [u8; 256], program: &str, wanted: Arguments<'_>) -> &'a [u8] {
    let mut rest = &mut buffer[..];
    let advice = "try --threads 1, a smaller game, or a higher limit";
    // A name too long for the buffer is cut, and the line with it.
    let _ = writeln!(rest, "{program}: the system gives no more memory, {wanted}: {advice}");
    let left = rest.len();
    &buffer[..buffer.len() - left]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_is_one_line_and_fits() {
        let mut buffer = [0; 256];
        let message = String::from_utf8(
            sentence(&mut buffer, "kanzen", format_args!("{} bytes were asked for", usize::MAX)).to_vec(),
        )
        .unwrap();
        assert!(
            message.starts_with("kanzen: the system gives no more memory, 18446744073709551615 bytes"),
            "{message}"
        );
        assert!(message.ends_with("limit\n") && message.lines().count() == 1, "{message}");
    }

    #[test]
    fn a_thread_without_a_stack_for_signals_is_out_of_memory() {
        // The text of the standard library.
        let message = "failed to allocate an alternative stack: Cannot allocate memory (os error 12)";
        assert!(is_out_of_memory(message));
        assert!(!is_out_of_memory("index out of bounds: the len is 3 but the index is 3"));
    }
}
