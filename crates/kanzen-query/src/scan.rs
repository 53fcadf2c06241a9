//! Looking through a whole database, a stretch of positions at a time.
//!
//! ```text
//! stretch 0 | stretch 1 | ...      each is read alone, so that threads can share them;
//!                                  in their order they name each position of the census once
//! ```

use super::{Answer, Oracle};
use kanzen_core::machine::parallel;
use kanzen_core::vocabulary::{Error, Value};

/// Which answers are looked for.
pub type Wanted<'a> = &'a (dyn Fn(Answer) -> bool + Sync);

/// Hears of each position that a stretch has, with its answer.
pub type Visit<'a> = dyn FnMut(u128, Answer) -> Result<(), Error> + 'a;

/// A way through the positions of a database that have wanted answers. See [`scan`].
pub trait Scan: Send + Sync {
    /// How many stretches there are.
    fn stretches(&self) -> u64;

    /// Leaves out positions by a number of theirs ([`Numbering::fields`](super::Numbering::fields)), where that spares
    /// work: `may` returns whether one that has this number can be looked for. Optional: a scan that leaves out nothing only takes longer.
    fn narrow(&mut self, _may: &dyn Fn(&str, i64) -> bool) {}

    /// Whether a stretch may have a position that is wanted, as far as that is known without reading it.
    fn may_match(&self, _stretch: u64) -> Result<bool, Error> {
        Ok(true)
    }

    /// Reads a stretch: visits its positions that are wanted, always in the same order.
    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error>;
}

/// A way through all positions that the census counts and whose answers are wanted: the oracle's own, or by number.
pub fn scan<'a>(oracle: &'a dyn Oracle, wanted: Wanted<'a>) -> Result<Box<dyn Scan + 'a>, Error> {
    let quick = oracle.quick_scan(wanted)?;
    Ok(quick.unwrap_or_else(|| Box::new(ByNumber { oracle, wanted })))
}

/// Numbers of a stretch.
pub(super) const NUMBERS: u64 = 1 << 12;

/// Through the numbers of all positions, asking for each.
struct ByNumber<'a> {
    oracle: &'a dyn Oracle,
    wanted: Wanted<'a>,
}

impl Scan for ByNumber<'_> {
    fn stretches(&self) -> u64 {
        self.oracle.positions().div_ceil(NUMBERS)
    }

    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let numbers = stretch * NUMBERS..self.oracle.positions().min((stretch + 1) * NUMBERS);
        for number in numbers {
            self.oracle.each_position(number, &mut |position| {
                if !self.oracle.is_row(position) {
                    return Ok(());
                }
                let answer = self.oracle.answer(position)?;
                if (self.wanted)(answer) { visit(position, answer) } else { Ok(()) }
            })?;
        }
        Ok(())
    }
}

/// The first positions of a value, in the order of a scan: at most `limit`, and not looking further than until `all` of
/// them are found.
pub fn positions_of_value(oracle: &dyn Oracle, value: Value, all: u64, limit: usize) -> Result<Vec<u128>, Error> {
    let wanted = |answer: Answer| answer.value == value;
    let scan = scan(oracle, &wanted)?;
    let enough = limit.min(usize::try_from(all).unwrap_or(usize::MAX));
    let mut found = Vec::new();
    let (mut next, mut window) = (0, rayon::current_num_threads() as u64);
    while found.len() < enough && next < scan.stretches() {
        let end = scan.stretches().min(next + window);
        let parts = parallel::try_map((end - next) as usize, &|at| {
            let mut part: Vec<u128> = Vec::new();
            scan.read(next + at as u64, &mut |position, _| {
                if part.len() < enough {
                    part.push(position);
                }
                Ok(())
            })?;
            Ok(part)
        })?;
        found.extend(parts.into_iter().flatten());
        next = end;
        window = (2 * window).min(1 << 12);
    }
    found.truncate(enough);
    Ok(found)
}
