//! How long work is going: a bar on a terminal, a line now and then in a log.
//!
//! ```text
//! ostle 5-5  level 61  ▕████████████▌       ▏ 68%  412 M/s  7.1 GB  4 min left
//! ```

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kanzen::progress::{Event, Observer};
use kanzen::{human_bytes, machine};

use crate::signals;
use crate::words;

const TICK: Duration = Duration::from_millis(100);
/// The first line of a log comes after this long, each next one after twice the time, up to a minute.
const FIRST_LINE: Duration = Duration::from_secs(5);
const LONGEST_GAP: Duration = Duration::from_secs(60);

/// Watches a piece of work and tells on standard error how it goes.
pub struct Progress {
    game: String,
    face: Face,
    done: AtomicU64,
    stage: Mutex<Stage>,
}

enum Face {
    Bar(ProgressBar),
    Log,
    Silent,
}

struct Stage {
    name: String,
    total: Option<u64>,
    level: Option<u64>,
    began: Instant,
    next_line: Instant,
    gap: Duration,
}

impl Progress {
    /// Watches work on a game.
    pub fn new(game: &str, quiet: bool) -> Progress {
        let face = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Face::Silent,
            (false, true) => Face::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())),
            (false, false) => Face::Log,
        };
        let now = Instant::now();
        let stage = Stage {
            name: String::new(),
            total: None,
            level: None,
            began: now,
            next_line: now + FIRST_LINE,
            gap: 2 * FIRST_LINE,
        };
        Progress { game: game.to_owned(), face, done: AtomicU64::new(0), stage: Mutex::new(stage) }
    }

    fn note(&self, text: &str) {
        match &self.face {
            Face::Bar(bar) => bar.println(text),
            Face::Log => log(text),
            Face::Silent => {}
        }
    }

    fn begin(&self, name: &str, total: Option<u64>) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.done.store(0, Relaxed);
        (stage.name, stage.total, stage.level, stage.began) = (name.to_owned(), total, None, Instant::now());
        if let Face::Bar(bar) = &self.face {
            bar.set_prefix(stage.title(&self.game));
            bar.set_length(total.unwrap_or(0));
            bar.reset();
            bar.set_style(style(total));
            bar.enable_steady_tick(TICK);
        }
    }

    fn at_level(&self, level: u64) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.level = Some(level);
        if let Face::Bar(bar) = &self.face {
            bar.set_prefix(stage.title(&self.game));
        }
    }

    fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Relaxed) + steps;
        match &self.face {
            Face::Bar(bar) => bar.inc(steps),
            Face::Silent => {}
            Face::Log => {
                let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
                let now = Instant::now();
                if now >= stage.next_line {
                    log(&stage.line(&self.game, done));
                    stage.next_line = now + stage.gap;
                    stage.gap = LONGEST_GAP.min(2 * stage.gap);
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
            Event::Checkpoint => {}
        }
    }

    fn stop(&self) -> bool {
        signals::asked()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Face::Bar(bar) = &self.face {
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

    fn line(&self, game: &str, done: u64) -> String {
        let elapsed = self.began.elapsed();
        let mut line = self.title(game);
        match self.total {
            Some(total) => write!(line, "  {}", words::percent(done, total)),
            None => write!(line, "  {} done", words::count(done)),
        }
        .expect("a text takes every text");
        line += &format!("  {}", words::rate(done as f64 / elapsed.as_secs_f64().max(0.001)));
        if let Some(memory) = machine::peak_memory() {
            line += &format!("  {}", human_bytes(memory));
        }
        if let Some(left) = self.total.and_then(|total| words::left(done, total, elapsed)) {
            line += &format!("  {left}");
        }
        line
    }
}

fn style(total: Option<u64>) -> ProgressStyle {
    // The bar takes what the terminal leaves, so that the line never breaks.
    let template = match total {
        Some(_) => "{prefix}  ▕{wide_bar}▏ {percent}%  {rate}  {memory}  {left}",
        None => "{prefix}  {human_pos}  {rate}  {memory}",
    };
    ProgressStyle::with_template(template)
        .expect("the template is one")
        .progress_chars("█▉▊▋▌▍▎▏ ")
        .with_key("rate", |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            let seconds = state.elapsed().as_secs_f64().max(0.001);
            to.write_str(&words::rate(state.pos() as f64 / seconds)).ok();
        })
        .with_key("memory", |_: &ProgressState, to: &mut dyn std::fmt::Write| {
            to.write_str(&machine::peak_memory().map(human_bytes).unwrap_or_default()).ok();
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

    #[test]
    fn a_line_tells_what_and_how_far() {
        let began = Instant::now() - Duration::from_secs(100);
        let stage =
            Stage { name: "5-5".into(), total: Some(1000), level: Some(61), began, next_line: began, gap: FIRST_LINE };
        let line = stage.line("ostle", 680);
        assert!(line.starts_with("ostle 5-5  level 61  68.0%  7/s  "), "{line}");
        assert!(line.ends_with("  47 s left"), "{line}");
    }

    #[test]
    fn the_bar_has_its_templates() {
        style(None);
        style(Some(7));
    }
}
