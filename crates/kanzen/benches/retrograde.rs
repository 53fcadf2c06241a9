//! The scalar engine on a synthetic loopy game: ns per edge, bytes per position, one thread against two.
//!
//! `cargo bench -p kanzen --bench retrograde [-- POSITIONS]` (100 million by default) prints one JSON object.

mod scattered;

use std::time::Instant;

use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_solve::{Job, WorkFolder, plane_file, retrograde};

use self::scattered::{Scattered, cpu_seconds};

fn main() -> Result<(), Error> {
    let positions = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(100_000_000);
    let game = Scattered::new(positions);
    let edges: u64 = (0..game.prime).map(|slot| game.degree(slot)).sum();
    let mut seconds = Vec::new();
    let mut cpu_time = Vec::new();
    let mut tallies = Vec::new();
    for threads in [1, 2] {
        let store = WorkFolder::in_memory();
        let (start, cpu) = (Instant::now(), cpu_seconds());
        retrograde::solve(&game, &Job::new(&store, Budget::new(threads, 8 << 30), &Silent)?)?;
        seconds.push(start.elapsed().as_secs_f64());
        cpu_time.push(cpu_seconds() - cpu);
        tallies.push(store.tally(&plane_file(0))?);
    }
    assert_eq!(tallies[0], tallies[1]);
    let ns_per_edge = |run: usize| cpu_time[run] * 1e9 / edges as f64;
    println!(
        "{{\"positions\": {}, \"edges\": {edges}, \"seconds_1_thread\": {:.2}, \"seconds_2_threads\": {:.2}, \
         \"cpu_ns_per_edge_1_thread\": {:.1}, \"cpu_ns_per_edge_2_threads\": {:.1}, \"speed_up\": {:.2}, \
         \"bytes_per_position\": 4, \"wins\": {}, \"losses\": {}, \"draws\": {}}}",
        game.prime,
        seconds[0],
        seconds[1],
        ns_per_edge(0),
        ns_per_edge(1),
        seconds[0] / seconds[1],
        tallies[0].wins(),
        tallies[0].losses(),
        tallies[0].draws(),
    );
    Ok(())
}
