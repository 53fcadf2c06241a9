//! Measures the throughput of several processes: a suffix for the progress bar of the first.
//!
//! ```text
//! 4 processes  48 M/s in all  210 MB/s on the wire  slowest: 2 (10.0.0.7:7000)
//! ```

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kanzen_cluster::{Hosts, Pulses};
use kanzen_core::human_bytes;

use crate::progress::ClusterStatus;
use crate::words;

/// Rates are those of so much time: heartbeats come once a second.
const WINDOW: Duration = Duration::from_secs(3);

/// The processes of a mesh.
pub struct Throughput {
    pulses: Arc<Pulses>,
    hosts: Hosts,
    last: Mutex<Last>,
}

/// The last text, and the counts from which the next rates are computed.
struct Last {
    at: Instant,
    steps: u64,
    bytes: u64,
    words: String,
}

impl Throughput {
    /// The processes at these hosts.
    pub fn new(pulses: Arc<Pulses>, hosts: Hosts) -> Throughput {
        let words = words::counted(hosts.len() as u64, "process");
        Throughput { pulses, hosts, last: Mutex::new(Last { at: Instant::now(), steps: 0, bytes: 0, words }) }
    }

    /// The same as part of a progress bar.
    pub fn status(self) -> ClusterStatus {
        let counted = Arc::new(self);
        let words = counted.clone();
        ClusterStatus { advance: Box::new(move |steps| counted.advance(steps)), words: Box::new(move || words.words()) }
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

impl Throughput {
    /// Counts steps that this process has done; its heartbeats carry the sum.
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
        let all = Throughput::new(Arc::new(Pulses::new(2, 0)), hosts);
        assert_eq!(all.words(), "2 processes");
        all.advance(6_000_000);
        let mut last = all.last.lock().unwrap();
        all.words_after(&mut last, Duration::from_secs(3));
        assert_eq!(last.words, "2 processes  2.0 M/s in all  0 B/s on the wire  slowest: 0 (127.0.0.1:4000)");
    }
}
