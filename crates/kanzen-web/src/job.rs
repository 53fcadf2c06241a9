//! Solves started over HTTP: one at a time, with progress.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use kanzen::Forecast;
use kanzen::catalogue::{Entry, Run};
use kanzen::progress::{Completion, Event, Observer};
use serde::Serialize;

use crate::app::App;
use crate::options::Options;
use crate::refusal::Refusal;

/// Maximum forecast, in seconds, of a solve that a client may start.
const MAX_FORECAST: f64 = 600.0;

/// The progress of a solve, as sent to the client.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Progress {
    pub game: String,
    pub state: State,
    /// Whether a client may start it.
    pub allowed: bool,
    /// The command that solves it.
    pub command: String,
    /// The current stage.
    pub stage: Option<String>,
    pub level: Option<u64>,
    /// Steps of the stage done so far, and their total if known.
    pub done: u64,
    pub total: Option<u64>,
    /// The completed share of all stages, from 0 to 1, if known.
    pub share: Option<f64>,
    pub seconds: f64,
    /// Estimated seconds left, if the share is known.
    pub left: Option<f64>,
    pub error: Option<String>,
    /// The number of positions, if known.
    pub positions: Option<u64>,
    /// The expected cost of the solve on this machine, if known.
    pub forecast: Option<Forecast>,
}

/// Whether a game is solved, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Unsolved,
    Running,
    Failed,
    Solved,
}

/// All solves since the start, by game.
#[derive(Default)]
pub struct Jobs {
    jobs: Mutex<HashMap<String, Arc<Job>>>,
    closing: Arc<AtomicBool>,
}

struct Job {
    began: Instant,
    /// Steps of the current stage, and of the current part of the whole solve.
    steps: AtomicU64,
    steps_of_part: AtomicU64,
    status: Mutex<Status>,
    /// Set when a client cancels the solve.
    cancelled: AtomicBool,
    closing: Arc<AtomicBool>,
}

/// The last reported status of the solve.
#[derive(Default)]
struct Status {
    stage: Option<String>,
    total: Option<u64>,
    level: Option<u64>,
    completion: Completion,
    /// The result, once the solve has ended.
    ended: Option<Result<(), String>>,
}

impl Observer for Job {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Steps { steps } => {
                self.steps.fetch_add(steps, Relaxed);
                self.steps_of_part.fetch_add(steps, Relaxed);
            }
            Event::Stage { name, total } => {
                let mut status = self.status();
                self.steps.store(0, Relaxed);
                (status.stage, status.total, status.level) = (Some(name.to_owned()), total, None);
            }
            Event::Level { level, .. } => self.status().level = Some(level),
            Event::Ahead { .. } | Event::Part { .. } | Event::Kept { .. } => {
                let mut status = self.status();
                self.steps_of_part.store(0, Relaxed);
                status.completion.update(&event);
            }
            Event::Checkpoint | Event::Note { .. } => {}
        }
    }

    fn stop(&self) -> bool {
        self.closing.load(Relaxed) || self.cancelled.load(Relaxed)
    }
}

impl Job {
    fn status(&self) -> std::sync::MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the completed share and the estimated seconds left at this run's speed.
    fn estimate(&self, status: &Status) -> (Option<f64>, Option<f64>) {
        let share = status.completion.share(self.steps_of_part.load(Relaxed));
        let left = share.and_then(|share| {
            let here = share - status.completion.kept();
            (here > 0.01).then(|| self.began.elapsed().as_secs_f64() * (1.0 - share) / here)
        });
        (share, left)
    }
}

impl Jobs {
    /// Makes all solves write a checkpoint and stop.
    pub fn close(&self) {
        self.closing.store(true, Relaxed);
    }

    /// Returns whether a solve is running.
    pub fn busy(&self) -> bool {
        self.all().values().any(|job| job.status().ended.is_none())
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the progress of the solve of a game.
    pub fn progress(&self, app: &App, entry: &Entry) -> Progress {
        let id = entry.info().id.clone();
        let solved = entry.is_solved(&app.options.data);
        let forecast = entry.forecast().here(app.options.budget.threads);
        let mut progress = Progress {
            game: id.clone(),
            state: if solved { State::Solved } else { State::Unsolved },
            allowed: !solved && may_solve(app, entry).is_ok(),
            command: command(app, &id),
            stage: None,
            level: None,
            done: 0,
            total: None,
            share: None,
            seconds: 0.0,
            left: None,
            error: None,
            positions: forecast.positions,
            forecast: Some(forecast).filter(Forecast::is_known),
        };
        let Some(job) = self.all().get(&id).cloned() else { return progress };
        let status = job.status();
        match &status.ended {
            None => progress.state = State::Running,
            // A cancelled solve can be started again and resumes from its checkpoint.
            Some(Err(_)) if job.cancelled.load(Relaxed) => return progress,
            Some(Err(error)) if !solved => {
                progress.state = State::Failed;
                progress.error = Some(error.clone());
            }
            Some(_) => return progress,
        }
        progress.stage = status.stage.clone();
        progress.level = status.level;
        progress.total = status.total;
        progress.done = job.steps.load(Relaxed);
        (progress.share, progress.left) = job.estimate(&status);
        progress.seconds = job.began.elapsed().as_secs_f64();
        progress
    }

    /// Makes the solve of a game write a checkpoint and stop.
    pub fn cancel(&self, app: &App, id: &str) -> Result<(), Refusal> {
        if !app.options.allow_solve {
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "solving is disabled on this server: start it with --allow-solve",
            ));
        }
        let job = self.all().get(id).filter(|job| job.status().ended.is_none()).cloned();
        let job = job.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, format!("{id} is not being solved")))?;
        job.cancelled.store(true, Relaxed);
        Ok(())
    }

    /// Starts the solve of a game unless it is running already.
    pub fn start(&self, app: &Arc<App>, entry: Arc<Entry>) -> Result<(), Refusal> {
        may_solve(app, &entry)?;
        let id = entry.info().id.clone();
        let mut jobs = self.all();
        let running = jobs.iter().find(|(_, job)| job.status().ended.is_none()).map(|(game, _)| game.clone());
        match running {
            Some(game) if game == id => return Ok(()),
            Some(game) => {
                return Err(Refusal::new(StatusCode::CONFLICT, format!("{game} is being solved: wait for it")));
            }
            None => {}
        }
        let job = Arc::new(Job {
            began: Instant::now(),
            steps: AtomicU64::new(0),
            steps_of_part: AtomicU64::new(0),
            status: Mutex::default(),
            cancelled: AtomicBool::new(false),
            closing: self.closing.clone(),
        });
        jobs.insert(id, job.clone());
        drop(jobs);
        let app = app.clone();
        std::thread::spawn(move || {
            // Requests take priority over the solve.
            kanzen_core::machine::give_way();
            // A panic in a game must not leave the job running forever.
            let solve = std::panic::AssertUnwindSafe(|| {
                let Options { budget, checkpoint_every, .. } = &app.options;
                let run = Run { budget: *budget, checkpoint_every: *checkpoint_every, observer: &*job };
                entry.solve(&app.options.data, &run).map(|_| ()).map_err(|error| app.refusal(error).text)
            });
            let ended = std::panic::catch_unwind(solve);
            job.status().ended = Some(ended.unwrap_or_else(|_| Err("the solve panicked".to_owned())));
        });
        Ok(())
    }
}

/// Checks that a client may start the solve of this game.
fn may_solve(app: &App, entry: &Entry) -> Result<(), Refusal> {
    let refuse = |text: String| Err(Refusal::new(StatusCode::FORBIDDEN, text));
    if !app.options.allow_solve {
        return refuse("solving is disabled on this server: start it with --allow-solve".to_owned());
    }
    let (id, forecast) = (&entry.info().id, entry.forecast());
    if forecast.seconds > MAX_FORECAST || forecast.memory_bytes > app.options.budget.memory {
        return refuse(format!("{id} is too large to solve from the page: run `{}`", command(app, id)));
    }
    Ok(())
}

/// Returns the command that solves a game.
fn command(app: &App, id: &str) -> String {
    format!("{} solve {id}", app.options.program)
}
