//! What long work tells while it runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// Something that happened in a long solve. The faces draw it; the solvers know no terminal.
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
        /// Its number.
        level: u64,
        /// Positions settled or found in it.
        positions: u64,
    },
    /// A checkpoint is on the disk.
    Checkpoint,
    /// A sentence for the log.
    Note {
        /// The sentence.
        text: &'a str,
    },
}

/// Listens to a long piece of work and can ask it to stop.
///
/// ```
/// use kanzen::progress::{Event, Observer, Silent};
/// Silent.event(Event::Checkpoint);
/// assert!(!Silent.stop());
/// ```
pub trait Observer: Sync {
    /// Hears of something that happened. Called from any thread of a solve.
    fn event(&self, event: Event<'_>);
    /// Whether the work should write a checkpoint and stop.
    fn stop(&self) -> bool {
        false
    }
}

/// An observer that looks away.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event<'_>) {}
}

/// An observer that can be told to stop, for signal handlers and tests.
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
