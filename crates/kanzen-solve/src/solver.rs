//! The interface of a solver: what a solve will cost, and the solve itself.
//!
//! A solver knows the sizes of what it works on, and makes a forecast of them. Where a complete run was recorded, that
//! is known better, and the forecast is what the run took and a little more: always on the safe side.

use serde::Serialize;

use super::{Counting, Job, Solution};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Budget, Error};

/// A way to solve a game.
///
/// Required: [`forecast`](Solver::forecast), without which a solve could not be refused before it starts, and
/// [`solve`](Solver::solve).
pub trait Solver<G: Game>: Send + Sync {
    /// The forecast cost of a solve. It may take some work, so it is called only when the cost is needed.
    fn forecast(&self, game: &G) -> Forecast;

    /// The least memory that it can work with, if that is less than the forecast. Optional: else a solve is
    /// refused where the forecast does not fit.
    fn least_memory(&self, _game: &G) -> Option<u64> {
        None
    }

    /// Which positions the forecast counts.
    fn counting(&self) -> Counting {
        Counting::UpToSymmetry
    }

    /// Whether several processes can solve it together: then [`solve`](Solver::solve) uses [`Job::mesh`], and its
    /// [`Solution`] counts only with the first of them. Optional: else one process does it alone.
    fn shares(&self) -> bool {
        false
    }

    /// Solves the game, resuming from what the job's store has of it, and returns what it leaves there.
    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error>;
}

/// What a solve is expected to find, and to cost on two threads of the machine of the recorded runs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Forecast {
    /// How many positions there are, where known before they are listed.
    #[serde(skip)]
    pub positions: Option<u64>,
    /// Seconds from the start to the finished database.
    pub seconds: f64,
    /// Memory at the peak.
    pub memory_bytes: u64,
    /// The finished database.
    pub data_bytes: u64,
    /// The most that the disk has to hold while it is made.
    #[serde(skip)]
    pub disk_bytes: u64,
}

/// What a complete run took, on two threads of the machine of the recorded runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recorded {
    /// Seconds from the start to the finished database.
    pub seconds: f64,
    /// Memory at the peak.
    pub memory_bytes: u64,
    /// The finished database.
    pub data_bytes: u64,
    /// The most that the disk had to hold.
    pub disk_bytes: u64,
}

/// The longest that a game may take to be solved when it is first asked for.
const SMALL_SECONDS: f64 = 15.0;
/// Two runs of the same solve hardly ever differ by more.
const TIME_MARGIN: f64 = 1.25;
const BYTES_MARGIN: f64 = 1.04;
/// What of a solve does not get faster with more threads.
const SERIAL: f64 = 0.1;
/// What the program itself takes, whatever it solves: this is not the solve's, and no budget is too small for it.
const PROGRAM_BYTES: u64 = 8 << 20;

impl Forecast {
    /// Unknown cost: there are too many positions to count them quickly. A solve then reserves memory as it goes, and
    /// is refused when that runs out.
    pub const UNKNOWN: Forecast =
        Forecast { positions: None, seconds: f64::INFINITY, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 };

    /// Whether the cost is known.
    pub fn is_known(&self) -> bool {
        self.seconds.is_finite()
    }

    /// Whether the game is solved when it is first asked for.
    pub fn is_small(&self) -> bool {
        self.seconds <= SMALL_SECONDS
    }

    /// The forecast of a solve that was recorded: what it took, and a little more.
    ///
    /// ```
    /// use kanzen_solve::{Forecast, Recorded};
    /// let guess = Forecast { positions: Some(7), seconds: 9.0, memory_bytes: 9, data_bytes: 9, disk_bytes: 9 };
    /// let recorded = Recorded { seconds: 60.0, memory_bytes: 100, data_bytes: 200, disk_bytes: 300 };
    /// let forecast = guess.after(recorded);
    /// assert!(forecast.seconds > 60.0 && forecast.seconds < 90.0);
    /// assert!(forecast.memory_bytes > 100 && forecast.memory_bytes < 110);
    /// assert_eq!(forecast.positions, Some(7));
    /// ```
    pub fn after(self, recorded: Recorded) -> Forecast {
        let bytes = |bytes: u64| (bytes as f64 * BYTES_MARGIN) as u64;
        Forecast {
            positions: self.positions,
            seconds: recorded.seconds * TIME_MARGIN,
            memory_bytes: bytes(recorded.memory_bytes),
            data_bytes: bytes(recorded.data_bytes),
            disk_bytes: bytes(recorded.disk_bytes.max(recorded.data_bytes)),
        }
    }

    /// The forecast for this machine, with so many threads.
    ///
    /// The machine is measured for solves that last: for a small one that would take longer than the solve, and more
    /// memory.
    pub fn here(self, threads: usize) -> Forecast {
        let slowness = if self.is_small() { 1.0 } else { kanzen_core::machine::slowness() };
        self.on(slowness, threads)
    }

    /// The forecast for a machine that takes so many times as long, with so many threads.
    ///
    /// ```
    /// use kanzen_solve::Forecast;
    /// let forecast = Forecast { positions: None, seconds: 60.0, memory_bytes: 9, data_bytes: 9, disk_bytes: 9 };
    /// assert_eq!(forecast.on(1.0, 2).seconds, 60.0);
    /// assert_eq!(forecast.on(3.0, 2).seconds, 180.0);
    /// assert!(forecast.on(1.0, 1).seconds > 100.0 && forecast.on(1.0, 16).seconds < 20.0);
    /// ```
    pub fn on(self, slowness: f64, threads: usize) -> Forecast {
        let beside_two = SERIAL + (1.0 - SERIAL) * 2.0 / threads.max(1) as f64;
        Forecast { seconds: self.seconds * slowness * beside_two, ..self }
    }

    /// Refuses a solve that needs more memory than a budget has, at least so many bytes.
    pub fn check_memory(&self, what: &str, least: u64, budget: &Budget) -> Result<(), Error> {
        let least = least.min(self.memory_bytes);
        if least.saturating_sub(PROGRAM_BYTES) <= budget.memory {
            return Ok(());
        }
        Err(Error::Memory { what: what.to_owned(), needed: least, budget: budget.memory })
    }
}
