//! Pools of worker threads, and the priority of threads.

use crate::vocabulary::Error;

/// A pool of worker threads for one piece of work.
///
/// ```
/// # use kanzen_core as kanzen;
/// let pool = kanzen::machine::pool(2)?;
/// assert_eq!(pool.install(rayon::current_num_threads), 2);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|refusal| Error::Threads(refusal.to_string()))
}

/// Lowers the priority of this thread, and of those it starts from now on, to the least. Only where the system has
/// priorities of threads (Linux): elsewhere nothing changes. It cannot be taken back.
///
/// ```
/// # use kanzen_core as kanzen;
/// std::thread::spawn(kanzen::machine::give_way).join().unwrap();
/// ```
pub fn give_way() {
    /// All the steps there are down: a seventieth of the time of a thread that has not given way. With ten steps, a tenth,
    /// look-ups beside searches were slower by a third.
    #[cfg(target_os = "linux")]
    const STEPS: i32 = 19;
    // A system that refuses leaves the thread as it was.
    #[cfg(target_os = "linux")]
    rustix::process::setpriority_process(None, STEPS).ok();
}

/// Starts the workers for all that runs outside a [`pool`]. To be called once, when a program starts, from its main thread;
/// later calls change nothing.
///
/// Without it they start on first use, and where the system starts none, that use panics. With it
/// the calling thread is then the only worker: slower, but no query fails for lack of threads.
pub fn start_workers(threads: usize) {
    let workers = rayon::ThreadPoolBuilder::new();
    // The global pool is built once only, so a pool that is thrown away tests first whether threads start.
    let workers = match pool(threads) {
        Ok(_) => workers.num_threads(threads),
        Err(_) => workers.num_threads(1).use_current_thread(),
    };
    workers.build_global().ok();
}
