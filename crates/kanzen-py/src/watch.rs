//! Runs long work on a worker thread, with Ctrl-C and progress callbacks.
//!
//! ```text
//! worker   does the work without the GIL and polls the stop flag
//! caller   wakes up 20 times a second, takes the GIL, checks for signals, calls progress(...)
//! ```

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kanzen::Error;
use kanzen::progress::{Completion, Event, Observer};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::raising;

/// How often the caller checks for signals.
const TICK: Duration = Duration::from_millis(50);

/// The shared state of the worker and the caller.
#[derive(Default)]
pub struct Watch {
    stop: AtomicBool,
    steps: AtomicU64,
    stage: Mutex<Stage>,
    done: Mutex<bool>,
    ended: Condvar,
}

#[derive(Default)]
struct Stage {
    name: String,
    total: Option<u64>,
    /// The step counts at the start of the stage and of the current part.
    first: u64,
    part: u64,
    completion: Completion,
}

impl Observer for Watch {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            self.steps.fetch_add(steps, Relaxed);
            return;
        }
        let mut stage = lock(&self.stage);
        if let Event::Stage { name, total } = event {
            stage.first = self.steps.load(Relaxed);
            (stage.name, stage.total) = (name.to_owned(), total);
        }
        if stage.completion.update(&event) {
            stage.part = self.steps.load(Relaxed);
        }
    }

    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Watch {
    /// Returns the current stage and the completed share, if known.
    fn progress(&self) -> (String, Option<f64>) {
        let stage = lock(&self.stage);
        let steps = self.steps.load(Relaxed);
        let share = stage.completion.share(steps - stage.part).or_else(|| {
            let total = stage.total.filter(|total| *total > 0)?;
            Some(((steps - stage.first) as f64 / total as f64).min(1.0))
        });
        (stage.name.clone(), share)
    }

    fn end(&self) {
        *lock(&self.done) = true;
        self.ended.notify_all();
    }

    /// Waits for a tick. Returns whether the work has ended.
    fn wait(&self) -> bool {
        let done = self.ended.wait_timeout_while(lock(&self.done), TICK, |done| !*done);
        *done.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Signals the end of the work on drop, also after a panic.
struct End<'a>(&'a Watch);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Runs work on a worker thread. Calls `progress` with the name of the stage and the completed share.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let (outcome, interrupted) = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _end = End(&watch);
            work(&watch)
        });
        let mut interrupted = None;
        while !py.detach(|| watch.wait()) {
            if interrupted.is_some() {
                continue;
            }
            let checked = py.check_signals().and_then(|()| match progress {
                Some(progress) => progress.call1(watch.progress()).map(|_| ()),
                None => Ok(()),
            });
            if let Err(interrupt) = checked {
                watch.stop.store(true, Relaxed);
                interrupted = Some(interrupt);
            }
        }
        (worker.join(), interrupted)
    });
    if let Some(interrupt) = interrupted {
        return Err(interrupt);
    }
    match outcome {
        Ok(outcome) => outcome.map_err(raising(py)),
        Err(_) => Err(PyRuntimeError::new_err("a worker thread of Kanzen panicked: this is a bug")),
    }
}
