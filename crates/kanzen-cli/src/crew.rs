//! How several processes are getting on, in a few words behind the bar of the first.
//!
//! ```text
//! 4 processes  48 M/s in all  210 MB/s on the wire  slowest: 2 (10.0.0.7:7000)
//! ```

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kanzen::human_bytes;
use kanzen_mesh::{Hosts, Pulses};

use crate::progress::Beside;
use crate::words;

/// Rates are those of so much time: heartbeats come once a second.
const WINDOW: Duration = Duration::from_secs(3);

/// The processes of a mesh.
pub struct Crew {
    pulses: Arc<Pulses>,
    hosts: Hosts,
    last: Mutex<Last>,
}

/// What was said last, and from which counts the next rates are reckoned.
struct Last {
    at: Instant,
    steps: u64,
    bytes: u64,
    words: String,
}

impl Crew {
    /// The processes at these hosts.
    pub fn new(pulses: Arc<Pulses>, hosts: Hosts) -> Crew {
        let words = words::counted(hosts.len() as u64, "process");
        Crew { pulses, hosts, last: Mutex::new(Last { at: Instant::now(), steps: 0, bytes: 0, words }) }
    }

    /// The words, after so much time since the last ones.
    fn words_after(&self, last: &mut Last, time: Duration) {
        let (mut steps, mut bytes) = (0u64, 0u64);
        for pulse in self.pulses.all() {
            (steps, bytes) = (steps.saturating_add(pulse.steps), bytes.saturating_add(pulse.bytes));
        }
        let a_second = |now: u64, before: u64| now.saturating_sub(before) as f64 / time.as_secs_f64().max(0.001);
        last.words = format!(
            "{}  {} in all  {}/s on the wire",
            words::counted(self.hosts.len() as u64, "process"),
            words::rate(a_second(steps, last.steps)),
            human_bytes(a_second(bytes, last.bytes) as u64),
        );
        if let Some(slowest) = self.pulses.slowest() {
            last.words += &format!("  slowest: {slowest} ({})", self.hosts.address(slowest));
        }
        (last.at, last.steps, last.bytes) = (Instant::now(), steps, bytes);
    }
}

impl Beside for Crew {
    fn advance(&self, steps: u64) {
        self.pulses.advance(steps);
    }

    fn words(&self) -> String {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let time = last.at.elapsed();
        if time >= WINDOW {
            self.words_after(&mut last, time);
        }
        last.words.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_tell_of_all_and_name_the_slowest() {
        let hosts = Hosts::read("127.0.0.1:4000\n127.0.0.1:4001").unwrap();
        let crew = Crew::new(Arc::new(Pulses::new(2, 0)), hosts);
        assert_eq!(crew.words(), "2 processes");
        crew.advance(6_000_000);
        let mut last = crew.last.lock().unwrap();
        crew.words_after(&mut last, Duration::from_secs(3));
        assert_eq!(last.words, "2 processes  2.0 M/s in all  0 B/s on the wire  slowest: 0 (127.0.0.1:4000)");
    }
}
