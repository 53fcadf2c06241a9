//! Processes that wait for each other take no processor time, and hear how the others are getting on. Alone in its program:
//! it looks at the time of all of it.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::together;
use kanzen::Error;

/// Processor time of this program so far, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[test]
fn who_waits_rests() {
    let taken = together(3, |mesh| -> Result<f64, Error> {
        // All are here, and each has said something once.
        (&mesh as &dyn kanzen::mesh::Mesh).all_reduce_min([1])?;
        let pulses = mesh.pulses();
        pulses.advance(7 + kanzen::mesh::Mesh::me(&mesh) as u64);
        let before = cpu_seconds();
        std::thread::sleep(Duration::from_secs(2));
        let taken = cpu_seconds() - before;
        assert_eq!(pulses.all().map(|pulse| pulse.steps).collect::<Vec<_>>(), [7, 8, 9]);
        assert!(pulses.all().all(|pulse| pulse.bytes > 0) && pulses.slowest().is_some());
        mesh.leave()?;
        Ok(taken)
    });
    for taken in taken {
        let taken = taken.unwrap();
        assert!(taken < 0.5, "{taken} seconds of processor time for two of waiting");
    }
}
