//! Handles Ctrl-C and SIGTERM: the first asks long work to stop, a second ends the process.
//!
//! ```text
//! first signal        the work is asked to stop: a solve writes a checkpoint first
//! within a second     more signals are the same request: GNU timeout signals a process and then its whole group
//! later               a second request: the process ends at once
//! some seconds later  whatever it does, it ends: files appear whole, so that a kill at any moment is safe
//! ```

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::exit::INTERRUPTED;
use crate::files;

/// When the first signal arrived.
static ASKED: OnceLock<Instant> = OnceLock::new();

/// Signals this soon after the first are the same request.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// What a piece of work does when it is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It writes a checkpoint, and the same command goes on from there.
    Resumes,
    /// It keeps nothing.
    KeepsNothing,
    /// It prints what is complete, or removes the file that it began.
    Concludes,
    /// It answers the requests in flight, without a limit of time.
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

    /// The last line of a process that is ended before it could stop by itself.
    fn last_words(self) -> &'static str {
        match self {
            Manner::Resumes => "stopped before a checkpoint was written: the same command goes on from the last one",
            Manner::KeepsNothing => "interrupted; nothing saved",
            Manner::Concludes => "interrupted; some complete rows were not printed",
            Manner::Serves => "stopped before all was answered",
        }
    }
}

/// Installs the handler. Without it the signals kill the process, which is safe too.
pub fn watch(program: &'static str, manner: Manner) {
    ctrlc::set_handler(move || match ASKED.get() {
        None => {
            ASKED.set(Instant::now()).ok();
            if manner == Manner::Resumes && std::io::stderr().is_terminal() {
                print(program, "stopping, with a checkpoint; asked again, it ends at once");
            }
            if let Some(deadline) = manner.deadline() {
                let watchdog = move || {
                    std::thread::sleep(deadline);
                    end(program, manner.last_words())
                };
                std::thread::Builder::new().spawn(watchdog).ok();
            }
        }
        Some(first) if is_second_request(first.elapsed()) => {
            end(program, &format!("asked twice: {}", manner.last_words()))
        }
        Some(_) => {}
    })
    .ok();
}

/// Whether a signal has arrived.
pub fn asked() -> bool {
    ASKED.get().is_some()
}

/// Whether a signal this long after the first is a second request.
fn is_second_request(since_first: Duration) -> bool {
    since_first >= SAME_REQUEST
}

fn print(program: &str, text: &str) {
    writeln!(std::io::stderr(), "{program}: {text}").ok();
}

/// Ends the process. No more is lost than by a kill: the work since the last checkpoint.
fn end(program: &str, text: &str) -> ! {
    print(program, text);
    files::remove_unfinished();
    std::process::exit(INTERRUPTED.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_second_are_one_request() {
        assert!(!is_second_request(Duration::from_millis(3)));
        assert!(!is_second_request(Duration::from_millis(999)));
        assert!(is_second_request(Duration::from_millis(1000)));
    }

    #[test]
    fn work_that_keeps_nothing_ends_within_a_second_and_a_solve_within_five() {
        assert!(Manner::KeepsNothing.deadline().unwrap() < Duration::from_secs(1));
        assert!(Manner::Resumes.deadline().unwrap() < Duration::from_secs(5));
        assert!(!Manner::KeepsNothing.last_words().contains("goes on"));
    }
}
