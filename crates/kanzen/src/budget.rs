//! How many threads and how much memory a solve may use.

use crate::solve::SolveError;

/// Threads and bytes of memory for a piece of work.
///
/// ```
/// use kanzen::Budget;
/// let budget = Budget::new(2, 1 << 30);
/// assert!(budget.allows("the index", 1 << 20).is_ok());
/// let refusal = budget.allows("the index", 3 << 30).unwrap_err();
/// assert_eq!(refusal.to_string(), "the index needs 3.2 GB of memory, the budget is 1.1 GB: raise --memory");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Worker threads.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
}

impl Budget {
    /// A budget of these threads (at least one) and bytes.
    pub fn new(threads: usize, memory: u64) -> Budget {
        Budget { threads: threads.max(1), memory }
    }

    /// Refuses work that needs more memory than there is.
    pub fn allows(&self, what: &str, bytes: u64) -> Result<(), SolveError> {
        if bytes <= self.memory {
            return Ok(());
        }
        Err(SolveError::Memory { what: what.to_owned(), needed: bytes, budget: self.memory })
    }

    /// All threads of this machine and nine tenths of the memory that is free now.
    pub fn of_this_machine() -> Budget {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        Budget::new(threads, crate::machine::available_memory().map_or(4 << 30, |bytes| bytes / 10 * 9))
    }
}
