//! Ctrl-C and SIGTERM ask long work to stop; asked twice, it ends at once, and in any case soon.
//!
//! ```text
//! first signal        the work is asked to stop: a solve writes a checkpoint first
//! within a second     more signals are the same wish: GNU timeout signals a process and then its whole group
//! later               impatience: it ends at once
//! some seconds later  whatever it does, it ends: files appear whole, so that a kill at any moment is safe
//! ```

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::exit::INTERRUPTED;
use crate::files;

/// When somebody asked first.
static ASKED: OnceLock<Instant> = OnceLock::new();

/// Signals that come so soon after the first are the same wish.
const SAME_WISH: Duration = Duration::from_secs(1);

/// What a piece of work does when it is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It writes a checkpoint, and the same command goes on from there.
    Resumes,
    /// It keeps nothing.
    KeepsNothing,
    /// It tells what is complete, or removes the file that it began.
    Concludes,
    /// It answers those who have asked already, and ends when it likes.
    Serves,
}

impl Manner {
    /// How long the work may take to stop, if there is a limit.
    fn deadline(self) -> Option<Duration> {
        match self {
            Manner::Resumes | Manner::Concludes => Some(Duration::from_millis(4500)),
            Manner::KeepsNothing => Some(Duration::from_millis(800)),
            Manner::Serves => None,
        }
    }

    /// What is said when it is ended before it could stop by itself.
    fn last_words(self) -> &'static str {
        match self {
            Manner::Resumes => "stopped before a checkpoint was written: the same command goes on from the last one",
            Manner::KeepsNothing => "stopped: nothing is kept of it",
            Manner::Concludes => "stopped before all that was complete was told",
            Manner::Serves => "stopped before all was answered",
        }
    }
}

/// From now on the signals ask instead of killing. Without a handler they kill, which is safe too.
pub fn watch(program: &'static str, manner: Manner) {
    ctrlc::set_handler(move || match ASKED.get() {
        None => {
            ASKED.set(Instant::now()).ok();
            if manner == Manner::Resumes && std::io::stderr().is_terminal() {
                say(program, "stopping, with a checkpoint; asked again, it ends at once");
            }
            if let Some(deadline) = manner.deadline() {
                let watchdog = move || {
                    std::thread::sleep(deadline);
                    end(program, manner.last_words())
                };
                std::thread::Builder::new().spawn(watchdog).ok();
            }
        }
        Some(first) if is_impatience(first.elapsed()) => end(program, &format!("asked twice: {}", manner.last_words())),
        Some(_) => {}
    })
    .ok();
}

/// Whether somebody has asked.
pub fn asked() -> bool {
    ASKED.get().is_some()
}

/// Whether a signal that comes so long after the first is another wish than that.
fn is_impatience(since_first: Duration) -> bool {
    since_first >= SAME_WISH
}

fn say(program: &str, text: &str) {
    writeln!(std::io::stderr(), "{program}: {text}").ok();
}

/// Ends the process. No more is lost than by a kill: the work since the last checkpoint.
fn end(program: &str, text: &str) -> ! {
    say(program, text);
    files::remove_unfinished();
    std::process::exit(INTERRUPTED.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_within_a_second_is_the_same_wish() {
        assert!(!is_impatience(Duration::from_millis(3)));
        assert!(!is_impatience(Duration::from_millis(999)));
        assert!(is_impatience(Duration::from_millis(1000)));
    }

    #[test]
    fn work_that_keeps_nothing_ends_within_a_second_and_a_solve_within_five() {
        assert!(Manner::KeepsNothing.deadline().unwrap() < Duration::from_secs(1));
        assert!(Manner::Resumes.deadline().unwrap() < Duration::from_secs(5));
        assert!(!Manner::KeepsNothing.last_words().contains("goes on"));
    }
}
