//! Budgets of threads and memory, and the reservations made from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Error;

/// Threads and bytes of memory for a piece of work.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Budget;
/// let budget = Budget::new(2, 1 << 30);
/// assert!(budget.allows("the index", 1 << 20).is_ok());
/// let refusal = budget.allows("the index", 3 << 30).unwrap_err();
/// assert_eq!(refusal.to_string(), "the index needs 3.2 GB of memory, 1.1 GB may be used");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How many worker threads there may be.
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
    pub fn allows(&self, what: &str, bytes: u64) -> Result<(), Error> {
        if bytes <= self.memory {
            return Ok(());
        }
        Err(Error::Memory { what: what.to_owned(), needed: bytes, budget: self.memory })
    }
}

/// The reservations of a budget's memory. What is reserved adds up until it is dropped.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::{Budget, Ledger};
/// let ledger = Ledger::new(Budget::new(1, 1000));
/// let keys = ledger.reserve("the keys", 700)?;
/// let refusal = ledger.reserve("the values", 400).unwrap_err();
/// assert_eq!(refusal.to_string(), "the values needs 1.1 kB of memory, 1.0 kB may be used");
/// drop(keys);
/// assert!(ledger.reserve("the values", 400).is_ok());
/// assert_eq!(ledger.most(), 700);
/// # Ok::<(), kanzen::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    budget: Budget,
    accounts: Arc<Accounts>,
}

#[derive(Default, Debug)]
struct Accounts {
    held: AtomicU64,
    most: AtomicU64,
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
#[must_use = "what is not held is not reserved"]
pub struct Reservation {
    ledger: Ledger,
    bytes: u64,
}

impl Ledger {
    /// Nothing reserved yet.
    pub fn new(budget: Budget) -> Ledger {
        Ledger { budget, accounts: Arc::default() }
    }

    /// The whole budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Reserves so many bytes more; the error contains how many would be needed with all that is held.
    pub fn reserve(&self, what: &str, bytes: u64) -> Result<Reservation, Error> {
        let mut reservation = Reservation { ledger: self.clone(), bytes: 0 };
        reservation.resize(what, bytes)?;
        Ok(reservation)
    }

    /// Refuses what could not be reserved now.
    pub fn check(&self, what: &str, bytes: u64) -> Result<(), Error> {
        self.budget.allows(what, self.held().saturating_add(bytes))
    }

    /// Bytes reserved now.
    pub fn held(&self) -> u64 {
        self.accounts.held.load(Relaxed)
    }

    /// The most bytes that were reserved at a time.
    pub fn most(&self) -> u64 {
        self.accounts.most.load(Relaxed)
    }
}

impl Reservation {
    /// Holds so many bytes from now on, or as many as before if there is no room for more.
    pub fn resize(&mut self, what: &str, bytes: u64) -> Result<(), Error> {
        let accounts = &self.ledger.accounts;
        match bytes.checked_sub(self.bytes) {
            Some(more) => {
                self.ledger.check(what, more)?;
                let held = accounts.held.fetch_add(more, Relaxed) + more;
                accounts.most.fetch_max(held, Relaxed);
            }
            None => {
                accounts.held.fetch_sub(self.bytes - bytes, Relaxed);
            }
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.ledger.accounts.held.fetch_sub(self.bytes, Relaxed);
    }
}
