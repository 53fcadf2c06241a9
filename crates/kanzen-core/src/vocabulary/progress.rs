//! Progress events of long work, and their observers.

use std::sync::atomic::{AtomicBool, Ordering};

/// Something that happened in a long solve. Interfaces draw it; the solvers know no terminal.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<'a> {
    /// A stage begins: its name (`enumerate`, `class 5-4`) and, where known, how many steps it takes.
    Stage {
        /// What is worked on.
        name: &'a str,
        /// Steps to the end of the stage, where known.
        total: Option<u64>,
    },
    /// Some steps of the stage are done.
    Steps {
        /// How many since the last event.
        steps: u64,
    },
    /// A level, layer or round is finished.
    Level {
        /// The number of the level, layer or round.
        level: u64,
        /// Positions settled or found in it.
        positions: u64,
    },
    /// Announces the work that is ahead, all stages to the end, in units that only the parts of this work share. A later
    /// announcement replaces it.
    Ahead {
        /// Units of work.
        work: u64,
    },
    /// A part of the work begins, and the part before it is done.
    Part {
        /// Units of work.
        work: u64,
        /// Steps to its end, whatever stages they belong to.
        steps: u64,
    },
    /// An earlier run has done a part of the work.
    Kept {
        /// Units of work.
        work: u64,
    },
    /// A checkpoint is on the disk.
    Checkpoint,
    /// A sentence for the log.
    Note {
        /// The text of the log entry.
        text: &'a str,
    },
}

/// Observes a long piece of work and can ask it to stop.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::progress::{Event, Observer, Silent};
/// Silent.event(Event::Checkpoint);
/// assert!(!Silent.stop());
/// ```
pub trait Observer: Sync {
    /// Receives an event. Called from any thread of a solve.
    fn event(&self, event: Event<'_>);
    /// Whether the work should write a checkpoint and stop.
    fn stop(&self) -> bool {
        false
    }
}

/// The completed share of a piece of work, computed from its events.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::progress::{Completion, Event};
/// let mut completion = Completion::default();
/// assert_eq!(completion.share(0), None); // not known yet
/// completion.update(&Event::Ahead { work: 100 });
/// completion.update(&Event::Kept { work: 40 }); // by a run that was stopped
/// completion.update(&Event::Part { work: 20, steps: 1000 });
/// assert_eq!(completion.share(500), Some(0.5));
/// completion.update(&Event::Part { work: 40, steps: 10 });
/// assert_eq!((completion.share(0), completion.kept()), (Some(0.6), 0.4));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Completion {
    /// All work, where known.
    all: Option<u64>,
    /// Work that is done, by earlier runs and by this one.
    done: u64,
    kept: u64,
    /// The part at hand: its work and its steps.
    part: (u64, u64),
}

impl Completion {
    /// Takes an event into account. Returns whether it was about the whole of the work.
    pub fn update(&mut self, event: &Event<'_>) -> bool {
        match *event {
            Event::Ahead { work } => {
                self.close_part();
                self.all = Some(self.done + work);
            }
            Event::Part { work, steps } => {
                self.close_part();
                self.part = (work, steps);
            }
            Event::Kept { work } => {
                self.close_part();
                self.done += work;
                self.kept += work;
            }
            _ => return false,
        }
        true
    }

    fn close_part(&mut self) {
        self.done += std::mem::take(&mut self.part).0;
    }

    /// The share of the work that is done, from 0 to 1, with so many steps of the part at hand; where it is known.
    pub fn share(&self, steps: u64) -> Option<f64> {
        let (work, of_steps) = self.part;
        let begun = if of_steps == 0 { 0.0 } else { work as f64 * (steps as f64 / of_steps as f64).min(1.0) };
        let all = self.all? as f64;
        Some(if all == 0.0 { 1.0 } else { ((self.done as f64 + begun) / all).min(1.0) })
    }

    /// The share that earlier runs have done.
    pub fn kept(&self) -> f64 {
        self.all.map_or(0.0, |all| self.kept as f64 / all.max(1) as f64)
    }
}

/// An observer that ignores all events.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event<'_>) {}
}

/// An observer with a stop flag, for signal handlers and tests.
#[derive(Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// From now on the work is asked to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Observer for StopFlag {
    fn event(&self, _: Event<'_>) {}
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
