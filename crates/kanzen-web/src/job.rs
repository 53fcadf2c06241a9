//! Solves that visitors asked for: one at a time, watched while they run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use kanzen::catalogue::{Entry, Forecast, Run};
use kanzen::progress::{Completion, Event, Observer};
use serde::Serialize;

use crate::app::App;
use crate::options::Options;
use crate::refusal::Refusal;

/// The longest forecast, in seconds, for which a visitor may ask.
const TIMEOUT: f64 = 600.0;

/// How a solve goes, as it is sent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Progress {
    pub game: String,
    pub state: State,
    /// Whether a visitor may start it.
    pub allowed: bool,
    /// What one types to solve it.
    pub command: String,
    /// What is worked on.
    pub stage: Option<String>,
    pub level: Option<u64>,
    /// Steps of the stage that are done, and all of them where known.
    pub done: u64,
    pub total: Option<u64>,
    /// The share of all stages that is done, from 0 to 1, where the solver can tell.
    pub share: Option<f64>,
    pub seconds: f64,
    /// Seconds to the end, where the share tells.
    pub left: Option<f64>,
    pub error: Option<String>,
    /// How many positions there are, where known.
    pub positions: Option<u64>,
    /// What the solve is expected to cost on this machine; nothing where nobody can tell.
    pub forecast: Option<Forecast>,
}

/// Where a game stands.
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
    /// Steps of the stage, and of the part of the whole.
    steps: AtomicU64,
    steps_of_part: AtomicU64,
    status: Mutex<Status>,
    /// Raised by a visitor who does not want it any more.
    cancelled: AtomicBool,
    closing: Arc<AtomicBool>,
}

/// What the solve has said of itself.
#[derive(Default)]
struct Status {
    stage: Option<String>,
    total: Option<u64>,
    level: Option<u64>,
    completion: Completion,
    /// How it ended.
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
                status.completion.hear(&event);
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

    /// The share of the whole that is done, and the seconds that are left if it goes on as in this run.
    fn outlook(&self, status: &Status) -> (Option<f64>, Option<f64>) {
        let share = status.completion.share(self.steps_of_part.load(Relaxed));
        let left = share.and_then(|share| {
            let here = share - status.completion.kept();
            (here > 0.01).then(|| self.began.elapsed().as_secs_f64() * (1.0 - share) / here)
        });
        (share, left)
    }
}

impl Jobs {
    /// Asks all solves to write a checkpoint and stop.
    pub fn close(&self) {
        self.closing.store(true, Relaxed);
    }

    /// Whether a solve is at work.
    pub fn busy(&self) -> bool {
        self.all().values().any(|job| job.status().ended.is_none())
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the solve of a game goes.
    pub fn progress(&self, app: &App, entry: &Entry) -> Progress {
        let id = entry.info().id.clone();
        let solved = entry.is_solved(&app.options.data);
        let forecast = entry.forecast().here(app.options.budget.threads);
        let mut progress = Progress {
            game: id.clone(),
            state: if solved { State::Solved } else { State::Unsolved },
            allowed: !solved && may_ask(app, entry).is_ok(),
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
            // What was cancelled can be begun again, and goes on where it stopped.
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
        (progress.share, progress.left) = job.outlook(&status);
        progress.seconds = job.began.elapsed().as_secs_f64();
        progress
    }

    /// Asks the solve of a game to write a checkpoint and stop.
    pub fn cancel(&self, app: &App, id: &str) -> Result<(), Refusal> {
        if !app.options.allow_solve {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "this server does not solve: start it with --allow-solve"));
        }
        let job = self.all().get(id).filter(|job| job.status().ended.is_none()).cloned();
        let job = job.ok_or_else(|| Refusal::new(StatusCode::CONFLICT, format!("{id} is not being solved")))?;
        job.cancelled.store(true, Relaxed);
        Ok(())
    }

    /// Starts the solve of a game, unless it is at work already.
    pub fn start(&self, app: &Arc<App>, entry: Arc<Entry>) -> Result<(), Refusal> {
        may_ask(app, &*entry)?;
        let id = entry.info().id.clone();
        let mut jobs = self.all();
        let at_work = jobs.iter().find(|(_, job)| job.status().ended.is_none()).map(|(game, _)| game.clone());
        match at_work {
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
            // Visitors come first.
            kanzen::machine::give_way();
            // A game that panics must not be at work for ever.
            let solve = std::panic::AssertUnwindSafe(|| {
                let Options { budget, checkpoint_every, .. } = &app.options;
                let run = Run { budget: *budget, checkpoint_every: *checkpoint_every, observer: &*job };
                entry.solve(&app.options.data, &run).map(|_| ()).map_err(|error| app.refusal(error).text)
            });
            let ended = std::panic::catch_unwind(solve);
            job.status().ended = Some(ended.unwrap_or_else(|_| Err("the solve broke down".to_owned())));
        });
        Ok(())
    }
}

/// Whether a visitor may have this game solved.
fn may_ask(app: &App, entry: &Entry) -> Result<(), Refusal> {
    let refuse = |text: String| Err(Refusal::new(StatusCode::FORBIDDEN, text));
    if !app.options.allow_solve {
        return refuse("this server does not solve: start it with --allow-solve".to_owned());
    }
    let (id, forecast) = (&entry.info().id, entry.forecast());
    if forecast.seconds > TIMEOUT || forecast.memory_bytes > app.options.budget.memory {
        return refuse(format!("{id} is too much for a visitor: run `{}`", command(app, id)));
    }
    Ok(())
}

/// What one types to solve a game.
fn command(app: &App, id: &str) -> String {
    format!("{} solve {id}", app.options.program)
}
