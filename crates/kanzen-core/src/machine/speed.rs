//! Measures the speed of this machine, relative to the one on which the costs of solves were recorded.
//!
//! Engines compute, and they wait for memory. Two short probes measure both:
//!
//! ```text
//! compute   a chain of multiplications and shifts, nothing but the processor
//! memory    a walk through more memory than caches hold, each step to where the last word points
//! ```
//!
//! Other load on the machine may be gone by the time of the solve, so of several tries the fastest
//! counts.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::Array;

/// What the probes take on the machine of the recorded runs (`results/`), in nanoseconds a step: the quickest of them, on which
/// the large games were solved. Forecasts of what was recorded on others are on the long side.
const RECORDED: Probes = Probes { compute: 1.18, memory: 89.0 };

const TRIES: usize = 5;
const COMPUTE_STEPS: u64 = 1 << 20;
const MEMORY_STEPS: usize = 1 << 14;
/// Words of the walk: 64 MB.
const WORDS: usize = 1 << 23;
/// The least and the greatest factor that a probe may yield.
const BOUNDS: (f64, f64) = (1.0 / 8.0, 64.0);

#[derive(Clone, Copy, PartialEq, Debug)]
struct Probes {
    compute: f64,
    memory: f64,
}

/// How much longer a piece of work takes here than it took when it was recorded: 1 on a machine like that one, 2 on one
/// of half the speed. Measured in some tens of milliseconds, once for a process.
///
/// ```
/// # use kanzen_core as kanzen;
/// let slowness = kanzen::machine::slowness();
/// assert!(slowness > 0.1 && slowness < 100.0);
/// ```
pub fn slowness() -> f64 {
    static MEASURED: OnceLock<f64> = OnceLock::new();
    *MEASURED.get_or_init(|| beside_recorded(measure()))
}

/// Half of the time goes into computing, half into waiting for memory, more or less whatever the engine.
fn beside_recorded(probes: Probes) -> f64 {
    let share = |here: f64, recorded: f64| (here / recorded).clamp(BOUNDS.0, BOUNDS.1);
    (share(probes.compute, RECORDED.compute) + share(probes.memory, RECORDED.memory)) / 2.0
}

fn measure() -> Probes {
    let quickest = |probe: &mut dyn FnMut() -> Duration| (0..TRIES).map(|_| probe()).min().unwrap_or_default();
    let compute = quickest(&mut compute).as_nanos() as f64 / COMPUTE_STEPS as f64;
    // Where there is no memory for the probe, the machine is taken for the recorded one.
    let memory = match Walk::new() {
        Some(mut walk) => quickest(&mut || walk.run()).as_nanos() as f64 / MEMORY_STEPS as f64,
        None => RECORDED.memory,
    };
    Probes { compute, memory }
}

fn compute() -> Duration {
    let start = Instant::now();
    let mut word = black_box(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..COMPUTE_STEPS {
        word = (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    black_box(word);
    start.elapsed()
}

/// A walk from place to place, each one known only when the last has come.
struct Walk {
    words: Array<u64>,
    place: usize,
}

impl Walk {
    fn new() -> Option<Walk> {
        // Room for the walk must not be what the work itself lacks.
        if super::available_memory().is_some_and(|free| free < 16 * WORDS as u64 * 8) {
            return None;
        }
        let mut words = Array::<u64>::zeroed("the walk of a probe", WORDS).ok()?;
        // Pages that were never written all share one zero page: one word in each cache line makes them real.
        for (at, word) in words.iter_mut().enumerate().step_by(512) {
            *word = at as u64;
        }
        Some(Walk { words, place: 1 })
    }

    fn run(&mut self) -> Duration {
        let start = Instant::now();
        let mut place = self.place;
        for _ in 0..MEMORY_STEPS {
            // The words are mostly zero: what matters is that the next place waits for this one.
            let word = self.words[place] as usize;
            place = (place + (word & 1)).wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15) % WORDS;
        }
        self.place = black_box(place);
        start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_speed_is_twice_the_time() {
        assert_eq!(beside_recorded(RECORDED), 1.0);
        let slower = Probes { compute: 2.0 * RECORDED.compute, memory: 2.0 * RECORDED.memory };
        assert_eq!(beside_recorded(slower), 2.0);
        let absurd = Probes { compute: 1e9, memory: 0.0 };
        assert!(beside_recorded(absurd) <= BOUNDS.1);
    }

    #[test]
    fn the_probes_take_tens_of_milliseconds() {
        let start = Instant::now();
        measure();
        let limit = if cfg!(debug_assertions) { 2000 } else { 200 }; // other tests run beside it
        assert!(start.elapsed() < Duration::from_millis(limit), "{:?}", start.elapsed());
    }

    #[test]
    fn a_walk_goes_all_over_its_memory() {
        let mut walk = Walk::new().expect("some memory");
        let mut thousandths = [false; 1000];
        for _ in 0..20_000 {
            walk.place = walk.place.wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15) % WORDS;
            thousandths[walk.place * 1000 / WORDS] = true;
        }
        assert!(thousandths.iter().all(|&there| there));
    }
}
