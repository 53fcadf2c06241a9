//! Shows progress: a bar on a terminal, a line now and then in a log.
//!
//! ```text
//! ostle 5-5  level 61  ▕████████████▌       ▏ 68%  412 M/s  7.1 GB  4 min left
//! ```
//!
//! If the work announces its total ([`Event::Ahead`]), one bar covers all its stages, and the time left is that to the end,
//! also after a resume from a checkpoint. Otherwise each stage has its own bar. If several processes work together, the
//! line ends with the [`ClusterStatus`].

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kanzen::progress::{Completion, Event, Observer};
use kanzen_core::{human_bytes, machine};

use crate::signals;
use crate::words;

const TICK: Duration = Duration::from_millis(100);
/// The first line of a log comes after this long, each next one after twice the time, up to a minute.
const FIRST_LINE: Duration = Duration::from_secs(5);
const LONGEST_GAP: Duration = Duration::from_secs(60);

/// The length of the bar of a whole work.
const WHOLE: u64 = 1_000_000;

/// The status of all processes at the same work.
pub struct ClusterStatus {
    /// Takes the steps that this process has done.
    pub advance: Box<dyn Fn(u64) + Send + Sync>,
    /// Returns the throughput of all, in a few words.
    pub words: Box<dyn Fn() -> String + Send + Sync>,
}

/// Reports the progress of a piece of work on standard error.
pub struct Progress {
    game: String,
    display: Display,
    /// Steps of the stage, and of the part of the work.
    done: AtomicU64,
    done_of_part: AtomicU64,
    cluster: Option<ClusterStatus>,
    state: Mutex<State>,
}

enum Display {
    Bar(ProgressBar),
    Log,
    Silent,
}

struct State {
    stage: Stage,
    completion: Completion,
    began: Instant,
    next_line: Instant,
    gap: Duration,
}

struct Stage {
    name: String,
    total: Option<u64>,
    level: Option<u64>,
    began: Instant,
}

impl Progress {
    /// Watches work on a game.
    pub fn new(game: &str, quiet: bool) -> Progress {
        let display = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Display::Silent,
            (false, true) => Display::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())),
            (false, false) => Display::Log,
        };
        let now = Instant::now();
        let state = State {
            stage: Stage { name: String::new(), total: None, level: None, began: now },
            completion: Completion::default(),
            began: now,
            next_line: now + FIRST_LINE,
            gap: 2 * FIRST_LINE,
        };
        let (done, done_of_part) = (AtomicU64::new(0), AtomicU64::new(0));
        Progress { game: game.to_owned(), display, done, done_of_part, cluster: None, state: Mutex::new(state) }
    }

    /// The same, with other processes at the work.
    pub fn with(mut self, cluster: ClusterStatus) -> Progress {
        self.cluster = Some(cluster);
        self
    }

    /// A sentence that stays.
    pub fn note(&self, text: &str) {
        match &self.display {
            Display::Bar(bar) => bar.println(text),
            Display::Log => log(text),
            Display::Silent => {}
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, name: &str, total: Option<u64>) {
        let mut state = self.state();
        self.done.store(0, Relaxed);
        state.stage = Stage { name: name.to_owned(), total, level: None, began: Instant::now() };
        if let Display::Bar(bar) = &self.display {
            bar.set_prefix(state.stage.title(&self.game));
            if state.completion.share(0).is_none() {
                bar.set_style(style(total));
                bar.set_length(total.unwrap_or(0));
                bar.reset();
            }
            bar.enable_steady_tick(TICK);
        }
    }

    fn at_level(&self, level: u64) {
        let mut state = self.state();
        state.stage.level = Some(level);
        if let Display::Bar(bar) = &self.display {
            bar.set_prefix(state.stage.title(&self.game));
        }
    }

    /// Handles an event about the progress of all stages.
    fn whole(&self, event: &Event<'_>) {
        let mut state = self.state();
        let first = state.completion.share(0).is_none();
        state.completion.update(event);
        self.done_of_part.store(0, Relaxed);
        if let (Display::Bar(bar), Some(share)) = (&self.display, state.completion.share(0)) {
            if first || matches!(event, Event::Kept { .. }) {
                // A new style for each: it contains what was done before this run.
                bar.set_style(style_of_whole(state.completion.kept()));
            }
            if first {
                bar.set_length(WHOLE);
                bar.reset();
            }
            bar.set_position((share * WHOLE as f64) as u64);
        }
    }

    fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Relaxed) + steps;
        let of_part = self.done_of_part.fetch_add(steps, Relaxed) + steps;
        if let Some(cluster) = &self.cluster {
            (cluster.advance)(steps);
        }
        match &self.display {
            Display::Bar(bar) => {
                match self.state().completion.share(of_part) {
                    Some(share) => bar.set_position((share * WHOLE as f64) as u64),
                    None => bar.inc(steps),
                }
                if let Some(cluster) = &self.cluster {
                    bar.set_message((cluster.words)());
                }
            }
            Display::Silent => {}
            Display::Log => {
                let mut state = self.state();
                let now = Instant::now();
                if now >= state.next_line {
                    let mut line = state.line(&self.game, done, of_part);
                    if let Some(cluster) = &self.cluster {
                        line += &format!("  {}", (cluster.words)());
                    }
                    log(&line);
                    state.next_line = now + state.gap;
                    state.gap = LONGEST_GAP.min(2 * state.gap);
                }
            }
        }
    }
}

impl Observer for Progress {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Stage { name, total } => self.begin(name, total),
            Event::Steps { steps } => self.advance(steps),
            Event::Level { level, .. } => self.at_level(level),
            Event::Note { text } => self.note(text),
            Event::Ahead { .. } | Event::Part { .. } | Event::Kept { .. } => self.whole(&event),
            Event::Checkpoint => {}
        }
    }

    fn stop(&self) -> bool {
        signals::asked()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

impl Stage {
    fn title(&self, game: &str) -> String {
        match self.level {
            Some(level) => format!("{game} {}  level {level}", self.name),
            None => format!("{game} {}", self.name),
        }
    }
}

impl State {
    /// A line of a log, with so many steps of the stage done, and so many of the part.
    fn line(&self, game: &str, done: u64, of_part: u64) -> String {
        let in_stage = self.stage.began.elapsed();
        let mut line = self.stage.title(game);
        let share = self.completion.share(of_part);
        match (share, self.stage.total) {
            (Some(share), _) => write!(line, "  {}", words::percent((share * WHOLE as f64) as u64, WHOLE)),
            (None, Some(total)) => write!(line, "  {}", words::percent(done, total)),
            (None, None) => write!(line, "  {} done", words::count(done)),
        }
        .expect("a text takes every text");
        line += &format!("  {}", words::rate(done as f64 / in_stage.as_secs_f64().max(0.001)));
        if let Some(memory) = machine::peak_memory() {
            line += &format!("  {}", human_bytes(memory));
        }
        let left = match (share, self.stage.total) {
            (Some(share), _) => left_of_whole(share, self.completion.kept(), self.began.elapsed()),
            (None, Some(total)) => words::left(done, total, in_stage),
            (None, None) => None,
        };
        if let Some(left) = left {
            line += &format!("  {left}");
        }
        line
    }
}

/// What is left of a whole work, by what this run has done of it: earlier runs may have had another machine.
fn left_of_whole(share: f64, kept: f64, elapsed: Duration) -> Option<String> {
    let units = |share: f64| (share * WHOLE as f64) as u64;
    words::left(units(share).saturating_sub(units(kept)), WHOLE - units(kept).min(WHOLE), elapsed)
}

/// A bar that takes what the terminal leaves, so that the line never breaks.
fn style_of(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is one").progress_chars("█▉▊▋▌▍▎▏ ").with_key(
        "memory",
        |_: &ProgressState, to: &mut dyn std::fmt::Write| {
            to.write_str(&machine::peak_memory().map(human_bytes).unwrap_or_default()).ok();
        },
    )
}

/// The bar of a whole work of which earlier runs have done a share.
fn style_of_whole(kept: f64) -> ProgressStyle {
    style_of("{prefix}  ▕{wide_bar}▏ {percent}%  {memory}  {left}  {msg}").with_key(
        "left",
        move |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            let left = left_of_whole(state.pos() as f64 / WHOLE as f64, kept, state.elapsed());
            to.write_str(&left.unwrap_or_default()).ok();
        },
    )
}

/// The bar of a stage.
fn style(total: Option<u64>) -> ProgressStyle {
    let template = match total {
        Some(_) => "{prefix}  ▕{wide_bar}▏ {percent}%  {rate}  {memory}  {left}  {msg}",
        None => "{prefix}  {human_pos}  {rate}  {memory}  {msg}",
    };
    style_of(template)
        .with_key("rate", |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            let seconds = state.elapsed().as_secs_f64().max(0.001);
            to.write_str(&words::rate(state.pos() as f64 / seconds)).ok();
        })
        .with_key("left", |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            let left = words::left(state.pos(), state.len().unwrap_or(0), state.elapsed());
            to.write_str(&left.unwrap_or_default()).ok();
        })
}

fn log(text: &str) {
    writeln!(std::io::stderr(), "{}", words::one_line(text)).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(total: Option<u64>, level: Option<u64>) -> State {
        let began = Instant::now() - Duration::from_secs(100);
        let stage = Stage { name: "5-5".into(), total, level, began };
        State { stage, completion: Completion::default(), began, next_line: began, gap: FIRST_LINE }
    }

    #[test]
    fn a_line_names_the_work_and_its_share() {
        let line = state(Some(1000), Some(61)).line("ostle", 680, 0);
        assert!(line.starts_with("ostle 5-5  level 61  68.0%  7/s  "), "{line}");
        assert!(line.ends_with("  47 s left"), "{line}");
    }

    #[test]
    fn with_a_plan_a_line_covers_all_stages() {
        let mut state = state(Some(1000), None);
        state.completion.update(&Event::Ahead { work: 400 });
        state.completion.update(&Event::Part { work: 100, steps: 1000 });
        let line = state.line("ostle", 680, 400);
        assert!(line.starts_with("ostle 5-5  10.0%  7/s  "), "{line}");
        assert!(line.ends_with("  15 min left"), "{line}");
    }

    #[test]
    fn after_a_resume_the_time_left_is_that_of_what_this_run_does() {
        // Nine tenths were done before; this run took 100 s for half of the rest.
        let left = left_of_whole(0.95, 0.9, Duration::from_secs(100)).unwrap();
        assert_eq!(left, "2 min left"); // 100 s, as two digits
        assert_eq!(left_of_whole(0.9, 0.9, Duration::from_secs(100)), None);
    }

    #[test]
    fn the_bar_has_its_templates() {
        style(None);
        style(Some(7));
        style_of_whole(0.5);
    }
}
