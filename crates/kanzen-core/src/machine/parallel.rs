//! Parallel loops over `dyn` closures, for code that is compiled once per game.
//!
//! A rayon expression is compiled for every type that occurs in it, into about a hundred functions.
//! In code that is generic over games that would be so for each of them: it was half of what the compiler had to do. These
//! take the work as `dyn`, which costs a call for each piece, and have rayon compiled once.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::vocabulary::Error;

/// Does the work on the threads of a pool, and waits for it.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::{parallel, pool};
/// assert_eq!(parallel::install(&pool(2)?, rayon::current_num_threads), 2);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn install<T: Send>(pool: &rayon::ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut done) = (Some(work), None);
    install_once(pool, &mut || done = work.take().map(|work| work()));
    done.expect("it was done")
}

fn install_once(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Calls `work` with each number below `count`, in any order, on all threads of the current pool.
///
/// ```
/// # use kanzen_core as kanzen;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// let sum = AtomicUsize::new(0);
/// kanzen::machine::parallel::for_each(5, &|number| _ = sum.fetch_add(number, Relaxed));
/// assert_eq!(sum.into_inner(), 10);
/// ```
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// The same for work that can fail: after the first error what has not begun is left out.
pub fn try_for_each(count: usize, work: &(dyn Fn(usize) -> Result<(), Error> + Sync)) -> Result<(), Error> {
    let (failed, failure) = (AtomicBool::new(false), Mutex::new(None));
    for_each(count, &|number| {
        if !failed.load(Relaxed)
            && let Err(error) = work(number)
        {
            failed.store(true, Relaxed);
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Lets each thread of the current pool do the work once, on numbers below `count` that it takes one after the other: for
/// work that has something of its own to set up and to finish.
///
/// ```
/// # use kanzen_core as kanzen;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// let sum = AtomicUsize::new(0);
/// kanzen::machine::parallel::on_each_thread(5, &|tasks| {
///     let mut mine = 0;
///     while let Some(number) = tasks.take() {
///         mine += number;
///     }
///     sum.fetch_add(mine, Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 10);
/// ```
pub fn on_each_thread(count: usize, work: &(dyn Fn(&Tasks) + Sync)) {
    let tasks = Tasks { next: AtomicUsize::new(0), count };
    (0..rayon::current_num_threads().min(count)).into_par_iter().with_max_len(1).for_each(|_| work(&tasks));
}

/// Numbers that threads share.
#[derive(Debug)]
pub struct Tasks {
    next: AtomicUsize,
    count: usize,
}

impl Tasks {
    /// The next number that no thread has taken.
    pub fn take(&self) -> Option<usize> {
        // Not incremented past the end, so that the counter cannot wrap around.
        (self.next.load(Relaxed) < self.count)
            .then(|| self.next.fetch_add(1, Relaxed))
            .filter(|&task| task < self.count)
    }
}

/// What `make` makes of each number below `count`, in their order.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::parallel;
/// assert_eq!(parallel::map(4, &|number| number * number), [0, 1, 4, 9]);
/// ```
pub fn map<T: Send>(count: usize, make: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let made: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|number| put(&made[number], make(number)));
    made.into_iter().filter_map(taken).collect()
}

/// The same for what cannot always be made.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Error;
/// use kanzen::machine::parallel;
/// let halves = |number: usize| if number % 2 == 0 { Ok(number / 2) } else { Err(Error::Stopped) };
/// assert_eq!(parallel::try_map(1, &halves)?, [0]);
/// assert!(parallel::try_map(2, &halves).is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn try_map<T: Send>(count: usize, make: &(dyn Fn(usize) -> Result<T, Error> + Sync)) -> Result<Vec<T>, Error> {
    let made: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    try_for_each(count, &|number| make(number).map(|one| put(&made[number], one)))?;
    Ok(made.into_iter().filter_map(taken).collect())
}

/// The same for the first numbers only, as long as `goes_on` returns true: false on any thread ends it for all. Work that
/// has begun is finished, so the result covers the first numbers without a gap.
///
/// ```
/// # use kanzen_core as kanzen;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// let sum = AtomicUsize::new(0);
/// let made = kanzen::machine::parallel::try_map_while(100, &|| sum.load(Relaxed) < 10, &|number| {
///     sum.fetch_add(number, Relaxed);
///     Ok(number)
/// })?;
/// assert!(made.len() >= 5 && made.len() < 100 && made.is_sorted());
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn try_map_while<T: Send>(
    count: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    make: &(dyn Fn(usize) -> Result<T, Error> + Sync),
) -> Result<Vec<T>, Error> {
    let made: Mutex<Vec<(usize, Result<T, Error>)>> = Mutex::default();
    let failed = AtomicBool::new(false);
    on_each_thread(count, &|tasks| {
        while !failed.load(Relaxed)
            && goes_on()
            && let Some(number) = tasks.take()
        {
            let one = make(number);
            failed.fetch_or(one.is_err(), Relaxed);
            made.lock().unwrap_or_else(PoisonError::into_inner).push((number, one));
        }
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, one)| one).collect()
}

/// The same for very many small things: `piece` of them are made by a thread at a time.
pub fn try_map_pieces<T: Send>(
    count: usize,
    piece: usize,
    make: &(dyn Fn(usize) -> Result<T, Error> + Sync),
) -> Result<Vec<T>, Error> {
    let pieces = try_map(count.div_ceil(piece), &|number| {
        let numbers = number * piece..count.min((number + 1) * piece);
        numbers.map(make).collect::<Result<Vec<T>, Error>>()
    })?;
    let mut all = Vec::with_capacity(count);
    pieces.into_iter().for_each(|mut piece| all.append(&mut piece));
    Ok(all)
}

fn put<T>(place: &Mutex<Option<T>>, one: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(one);
}

fn taken<T>(place: Mutex<Option<T>>) -> Option<T> {
    place.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::pool;

    #[test]
    fn all_are_made_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let pool = pool(threads).unwrap();
            for (count, piece) in [(0, 3), (1, 1), (7, 3), (1000, 7), (1000, 2000)] {
                let made = install(&pool, || try_map_pieces(count, piece, &|number| Ok(3 * number))).unwrap();
                assert!(made.into_iter().eq((0..count).map(|number| 3 * number)));
                assert_eq!(install(&pool, || map(count, &|number| number)).len(), count);
            }
        }
    }

    #[test]
    fn an_error_ends_it_and_is_returned() {
        let begun = AtomicUsize::new(0);
        let fails = |number: usize| {
            begun.fetch_add(1, Relaxed);
            if number == 0 { Err(Error::Stopped) } else { Ok(()) }
        };
        let pool = pool(1).unwrap();
        assert!(matches!(install(&pool, || try_for_each(1000, &fails)), Err(Error::Stopped)));
        assert_eq!(begun.into_inner(), 1, "one thread begins with the first");
    }
}
