//! The cost of distribution on a synthetic game: CPU time per edge, bytes per remote edge, time per level, memory per process.
//!
//! `cargo bench -p kanzen-cluster --bench cost [-- POSITIONS [BEFORE]]` (100 million by default) prints one JSON object. Runs
//! with one, two and four single-threaded processes alternate, all on loopback. BEFORE is the bench program `retrograde`
//! of a version whose engine had no cluster support; it joins the rotation. Memory is measured until the values are
//! written, since this bench keeps them in memory and a solve does not.

#[path = "../../kanzen/benches/scattered/mod.rs"]
mod scattered;
mod slowed;

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Value};
use kanzen_cluster::{Hosts, TcpMesh, Terms, join};
use kanzen_core::machine::peak_memory;
use kanzen_core::mesh::Mesh;
use kanzen_solve::retrograde::{self, Earlier, Graph, Node};
use kanzen_solve::{Job, WorkFolder};
use serde_json::{Value as Json, json};

use self::scattered::{Scattered, cpu_seconds};
use self::slowed::Slowed;

/// Environment variable of a child process: game, positions, its number, the addresses of all.
const ROLE: &str = "KANZEN_COST";
const TURNS: usize = 3;
/// Sleep of a slowed receiver after each parcel, about six times its processing time.
const NAP: Duration = Duration::from_micros(250);
/// Levels of the game `Ladder`.
const LEVELS: u64 = 2000;
const BUDGET: Budget = Budget { threads: 1, memory: 64 << 30 };

const BLOCKS: u64 = 64;

fn level_of(slot: u64) -> u64 {
    (slot & 0xffff) * BLOCKS + (slot >> 16)
}

fn slot_of(level: u64) -> u64 {
    ((level % BLOCKS) << 16) | (level / BLOCKS)
}

/// A game with one position per level. Consecutive levels lie in different blocks.
struct Ladder;

impl Graph for Ladder {
    fn classes(&self) -> usize {
        1
    }
    fn name(&self, _: usize) -> String {
        "ladder".into()
    }
    fn slots(&self, _: usize) -> u64 {
        BLOCKS << 16
    }
    fn needs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
        match level_of(slot) {
            0 => node.end(Value::loss(0)),
            level if level < LEVELS => node.here(slot_of(level - 1)),
            _ => node.end(Value::DRAW),
        }
    }
    fn parents(&self, _: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        if level_of(slot) + 1 < LEVELS {
            parents.push(slot_of(level_of(slot) + 1));
        }
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
}

/// The peak memory of a process before it writes its values.
#[derive(Default)]
struct Peak(AtomicU64);

impl Observer for Peak {
    fn event(&self, event: Event<'_>) {
        if let Event::Stage { name, .. } = event
            && name.ends_with("writing")
        {
            self.0.store(peak_memory().unwrap_or(0), Relaxed);
        }
    }
}

fn main() {
    if let Ok(role) = std::env::var(ROLE) {
        return println!("{}", one(&role));
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let positions: u64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(100_000_000);
    let before = words.get(1);
    let game = Scattered::new(positions);
    let edges: u64 = (0..game.prime).map(|slot| game.degree(slot)).sum();
    let mut best: Vec<Option<Json>> = vec![None; 3];
    // With one and two threads: with both cores busy each may be slower.
    let mut engine_before: Option<[f64; 2]> = None;
    for _ in 0..TURNS {
        if let Some(program) = before {
            let cost = alone_before(program, positions);
            engine_before = Some(engine_before.map_or(cost, |least| [0, 1].map(|at| cost[at].min(least[at]))));
        }
        for (at, processes) in [1, 2, 4].into_iter().enumerate() {
            let row = row("scattered", &game, edges, processes);
            let cost = |row: &Json| row["cpu_ns_per_edge"].as_f64().unwrap_or(f64::MAX);
            if best[at].as_ref().is_none_or(|known| cost(&row) < cost(known)) {
                best[at] = Some(row);
            }
        }
    }
    let alone = best[0].as_ref().and_then(|row| row["cpu_ns_per_edge"].as_f64());
    for row in best.iter_mut().flatten() {
        let cost = row["cpu_ns_per_edge"].as_f64();
        row["of_alone"] = json!(cost.zip(alone).map(|(cost, alone)| cost / alone));
        row["of_engine_before"] = json!(cost.zip(engine_before).map(|(cost, before)| cost / before[0]));
        row["of_engine_before_2_threads"] = json!(cost.zip(engine_before).map(|(cost, before)| cost / before[1]));
    }
    let slowed: Vec<Json> = [2, 4].map(|processes| row("slowed", &game, edges, processes)).into();
    // Milliseconds per level of each turn, best first.
    let level = |processes: usize| {
        let time = |_| run("ladder", LEVELS, processes)[0]["seconds"].as_f64().expect("seconds") * 1e3 / LEVELS as f64;
        let mut turns = [0; TURNS].map(time);
        turns.sort_by(f64::total_cmp);
        turns
    };
    let levels = [2, 4].map(level);
    let answer = json!({
        "positions": game.prime,
        "edges": edges,
        "turns": TURNS,
        "engine_before_cpu_ns_per_edge": engine_before.map(|before| before[0]),
        "engine_before_cpu_ns_per_edge_2_threads": engine_before.map(|before| before[1]),
        "best_of_turns": best,
        "slowed_receiver": slowed,
        "ms_per_level_2_processes": levels[0][0],
        "ms_per_level_4_processes": levels[1][0],
        "ms_per_level_of_all_turns": levels,
    });
    println!("{answer}");
}

/// Measures a number of processes. With the role `slowed` the last process receives slowly.
fn row(role: &str, game: &Scattered, edges: u64, processes: usize) -> Json {
    let reports = run(role, game.prime, processes);
    let cpu: f64 = reports.iter().map(|one| one["cpu_seconds"].as_f64().unwrap_or(0.0)).sum();
    let wire: u64 = reports.iter().map(|one| one["written_bytes"].as_u64().unwrap_or(0)).sum();
    let remote = edges as f64 * (processes - 1) as f64 / processes as f64;
    let peak = reports.iter().filter_map(|one| one["peak_rss_bytes"].as_u64()).max();
    // The game has a single class, so no earlier classes are kept.
    let slots = game.prime.div_ceil(processes as u64);
    let bound = 4.3 * slots as f64 + 320e6;
    json!({
        "processes": processes,
        "cpu_ns_per_edge": cpu * 1e9 / edges as f64,
        "bytes_per_remote_edge": if processes > 1 { Some(wire as f64 / remote) } else { None },
        "seconds": reports[0]["seconds"],
        "peak_rss_bytes": peak,
        "bytes_beside_words": peak.map(|peak| peak as i64 - 4 * slots as i64),
        "within_memory_bound": peak.map(|peak| peak as f64 <= bound),
    })
}

/// Returns the CPU time per edge of the earlier engine, with one and two threads.
fn alone_before(program: &str, positions: u64) -> [f64; 2] {
    let output = Command::new(program).args(["--bench", &positions.to_string()]).output().expect("the program before");
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    [1, 2].map(|threads| {
        let name = format!("cpu_ns_per_edge_{threads}_thread{}", if threads == 1 { "" } else { "s" });
        report[name].as_f64().expect("a cost")
    })
}

/// Runs child processes of this program and returns their reports.
fn run(game: &str, positions: u64, processes: usize) -> Vec<Json> {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let addresses: Vec<String> =
        listeners.iter().map(|one| one.local_addr().expect("it is bound").to_string()).collect();
    drop(listeners);
    let start = |me: usize| {
        Command::new(std::env::current_exe().expect("this program"))
            .env(ROLE, format!("{game};{positions};{me};{}", addresses.join(",")))
            .stdout(Stdio::piped())
            .spawn()
            .expect("another process")
    };
    let started: Vec<_> = (0..processes).map(start).collect();
    let report = |child: std::process::Child| {
        let output = child.wait_with_output().expect("the child exits");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    started.into_iter().map(report).collect()
}

/// Runs one child process.
fn one(role: &str) -> Json {
    let parts: Vec<&str> = role.splitn(4, ';').collect();
    let hosts = Hosts::read(&parts[3].replace(',', "\n")).expect("addresses");
    let (positions, me): (u64, usize) = (parts[1].parse().expect("a number"), parts[2].parse().expect("a number"));
    let mesh: Option<TcpMesh> = (hosts.len() > 1)
        .then(|| join(&hosts, me, b"", &Terms::new([]), Duration::from_secs(60)).expect("all processes connect"));
    let slowed = mesh.as_ref().map(|mesh| Slowed { mesh, nap: NAP });
    let seen: Option<&dyn Mesh> = match &slowed {
        Some(slowed) if parts[0] == "slowed" && me + 1 == hosts.len() => Some(slowed),
        _ => mesh.as_ref().map(|mesh| mesh as &dyn Mesh),
    };
    let (store, peak) = (WorkFolder::in_memory(), Peak::default());
    let job = Job::new(&store, BUDGET, &peak).expect("threads").with_mesh(seen);
    let (start, cpu) = (Instant::now(), cpu_seconds());
    match parts[0] {
        "ladder" => retrograde::solve(&Ladder, &job),
        _ => retrograde::solve(&Scattered::new(positions), &job),
    }
    .expect("it is solved");
    let report = json!({
        "seconds": start.elapsed().as_secs_f64(),
        "cpu_seconds": cpu_seconds() - cpu,
        "written_bytes": mesh.as_ref().map_or(0, TcpMesh::written_bytes),
        "peak_rss_bytes": peak.0.load(Relaxed),
    });
    drop(job);
    if let Some(mesh) = mesh {
        mesh.leave().expect("clean shutdown");
    }
    report
}
