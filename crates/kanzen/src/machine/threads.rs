//! Worker threads.

use crate::vocabulary::Error;

/// A pool of worker threads for one piece of work.
///
/// ```
/// let pool = kanzen::machine::pool(2)?;
/// assert_eq!(pool.install(rayon::current_num_threads), 2);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|refusal| Error::Threads(refusal.to_string()))
}
