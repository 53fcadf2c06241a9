//! Questions that are answered from memory or not at all.
//!
//! A server that answers on the thread that has the request must not wait there for a disk: all other clients would wait
//! too. So it asks first for what the caches hold, and only where that does not do goes to a thread that may wait.

use std::cell::Cell;
use std::io;

thread_local! {
    static ONLY: Cell<bool> = const { Cell::new(false) };
}

/// Does something in which no database of a folder waits for its files on this thread: what is not in memory is
/// [`NotFetched`](kanzen_core::Error::NotFetched), and is to be asked again without this.
///
/// ```
/// use kanzen_core::Value;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("plane");
/// kanzen_store::write_plane(&path, 7, 6, |slot| Value::win(slot as u16))?;
/// let plane = kanzen_store::PlaneFile::open(&path, 7, &kanzen_store::BlockCache::new(1 << 20))?;
///
/// assert!(kanzen_store::from_memory(|| plane.get(3)).unwrap_err().is_not_fetched());
/// assert_eq!(plane.get(3)?, Value::win(3)); // read, and kept
/// assert_eq!(kanzen_store::from_memory(|| plane.get(3))?, Value::win(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_memory<T>(ask: impl FnOnce() -> T) -> T {
    /// What held before holds again, also after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ONLY.set(self.0);
        }
    }
    let _before = Before(ONLY.replace(true));
    ask()
}

/// Refuses to wait for a file where only memory may be asked.
pub(super) fn may_wait() -> io::Result<()> {
    if ONLY.get() { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_leaves_the_thread_as_it_was() {
        assert!(std::panic::catch_unwind(|| from_memory(|| panic!("a game of its own"))).is_err());
        assert!(may_wait().is_ok());
        from_memory(|| {
            from_memory(|| assert!(may_wait().is_err()));
            assert!(may_wait().is_err(), "within is as outside");
            // Other threads wait as they like.
            std::thread::scope(|scope| assert!(scope.spawn(|| may_wait().is_ok()).join().unwrap()));
        });
        assert!(may_wait().is_ok());
    }
}
