//! Waiting processes use almost no CPU time and exchange statistics. A separate program, since it measures its own CPU time.
#![cfg(target_os = "linux")]

use std::time::Duration;

use crate::common::together;
use kanzen::Error;

/// Returns the CPU time of this program so far, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[test]
fn waiting_uses_almost_no_cpu_time() {
    let _exclusive = crate::exclusive();
    let taken = together(3, |mesh| -> Result<f64, Error> {
        // All processes are connected and have exchanged a message.
        (&mesh as &dyn kanzen_core::mesh::Mesh).all_reduce_min([1])?;
        let pulses = mesh.pulses();
        pulses.advance(7 + kanzen_core::mesh::Mesh::me(&mesh) as u64);
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
        assert!(taken < 0.5, "{taken} seconds of CPU time during two seconds of waiting");
    }
}
