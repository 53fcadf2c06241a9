//! Stress test of the explorer: millions of hostile requests beside well-behaved clients and eight searches.
//!
//! ```sh
//! cargo run --release -p kanzen-web --example siege -- 1000000
//! ```
//!
//! The server is a separate process on loopback and shares the cores with all clients. The test passes if the only 5xx is
//! 503, every well-behaved client gets correct responses with a 99th percentile under 50 ms, and the server's memory and
//! file handles do not grow.
//!
//! ```text
//! 4 honest clients     127.0.0.1     a request every 20 ms each, response checked
//! 32 attackers         127.0.1.x     bad requests, each over a new connection
//! 8 searchers          127.0.2.x     positions of othello-6x6; one in four is aborted
//! 400 slow writers     127.0.3.x     a byte per second
//! 40 non-readers       127.0.4.x     large responses, unread
//! ```

#[path = "../../tests/common/mod.rs"]
mod common;
mod honest;
mod hostile;
mod requests;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use hostile::Ends;
use kanzen::Budget;
use kanzen_games::catalogue;
use kanzen_web::{Options, Server};
use serde_json::json;

const HONEST: usize = 4;
const ATTACKERS: u8 = 32;
const SEARCHERS: u8 = 8;
const SLOW: u8 = 100; // of each of four addresses
const STARING: u8 = 10; // of each of four addresses

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let first = std::env::args().nth(1).unwrap_or("1000000".to_owned());
    if first == "--server" {
        return serve(std::env::args().nth(2).ok_or("no data folder")?.as_ref());
    }
    let requests: u64 = first.parse()?;
    let data = tempfile::tempdir()?;
    for game in ["tictactoe", "nocca-3x2", "othello-6x6"] {
        common::solve(data.path(), game);
    }
    let mut server = Command::new(std::env::current_exe()?)
        .args(["--server".as_ref(), data.path().as_os_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let outcome = besiege(&mut server, requests);
    // The server exits when its standard input closes.
    drop(server.stdin.take());
    let ended = server.wait()?;
    let (report, passed) = outcome?;
    println!("{report}");
    if passed && ended.success() { Ok(()) } else { Err("the stress test failed".into()) }
}

/// Serves until standard input closes.
fn serve(data: &std::path::Path) -> Result<(), Failure> {
    let options = Options::new("kanzen", data, Budget::new(2, 2 << 30));
    let server = Server::bind("127.0.0.1:0".parse()?, Arc::new(catalogue::Games), options)?;
    println!("{}", server.address());
    let over = Arc::new(AtomicBool::new(false));
    let flag = over.clone();
    std::thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        flag.store(true, Relaxed);
    });
    Ok(server.run(|| over.load(Relaxed))?)
}

/// Returns the resident bytes and open file handles of a process.
fn held(process: u32) -> Option<(u64, u64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let memory = line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024;
    Some((memory, std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.count() as u64))
}

fn besiege(server: &mut Child, requests: u64) -> Result<(serde_json::Value, bool), Failure> {
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let address: SocketAddr = line.trim().parse()?;
    let questions = Arc::new(honest::questions(address)?);
    let positions = Arc::new(common::othello_positions());
    let process = server.id();
    let (_, handles_before) = held(process).ok_or("no /proc")?;

    let (stop, sent, slow) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let start = Instant::now();
    let clients: Vec<_> = (0..HONEST)
        .map(|number| {
            let (questions, stop) = (questions.clone(), stop.clone());
            std::thread::spawn(move || honest::run(address, &questions, number * 5, &stop))
        })
        .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    for number in 0..4 {
        for _ in 0..SLOW {
            runtime.spawn(hostile::trickle([127, 0, 3, number + 1], address, stop.clone(), slow.clone()));
        }
        for _ in 0..STARING {
            runtime.spawn(hostile::stare([127, 0, 4, number + 1], address, stop.clone(), slow.clone()));
        }
    }
    let searches = (1..=SEARCHERS)
        .map(|number| runtime.spawn(hostile::search([127, 0, 2, number], address, positions.clone(), stop.clone())));
    let searches: Vec<_> = searches.collect();
    let attacks = (1..=ATTACKERS)
        .map(|number| runtime.spawn(hostile::attack([127, 0, 1, number], address, sent.clone(), requests)));
    let attacks: Vec<_> = attacks.collect();

    // Samples memory and handles twice a second.
    let mut samples = Vec::new();
    while attacks.iter().any(|attack| !attack.is_finished()) {
        std::thread::sleep(Duration::from_millis(500));
        let (memory, handles) = held(process).ok_or("the server is gone")?;
        samples.push((sent.load(Relaxed), memory, handles));
    }
    let seconds = start.elapsed().as_secs_f64();
    stop.store(true, Relaxed);
    let mut hostile = Ends::default();
    let mut searched = Ends::default();
    for attack in attacks {
        hostile.add(runtime.block_on(attack)?);
    }
    for search in searches {
        searched.add(runtime.block_on(search)?);
    }
    let (mut times, mut wrong) = (Vec::new(), hostile.wrong);
    wrong.extend(searched.wrong);
    for client in clients {
        let met = client.join().map_err(|_| "an honest client panicked")?;
        times.extend(met.times);
        wrong.extend(met.wrong.into_iter().map(|text| format!("honest: {text}")));
    }
    runtime.shutdown_timeout(Duration::from_secs(1));
    // All clients are disconnected: the rest belongs to the server.
    std::thread::sleep(Duration::from_secs(2));
    let (memory_after, handles_after) = held(process).ok_or("the server is gone")?;

    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    let most = |from: u64, to: u64| samples.iter().filter(|it| (from..to).contains(&it.0)).map(|it| it.1).max();
    let early = most(requests / 5, requests / 5 * 3).unwrap_or(memory_after);
    let late = most(requests / 5 * 3, u64::MAX).unwrap_or(memory_after);
    let most_handles = samples.iter().map(|it| it.2).max();
    let only_503 = hostile.counts.keys().all(|name| !name.starts_with('5') || name == "503");
    let flat = late <= early + early / 10 + (8 << 20) && handles_after <= handles_before + 8;
    let passed = only_503 && wrong.is_empty() && at(0.99) < 50.0 && flat;
    wrong.truncate(10);
    let report = json!({
        "requests": requests, "statuses": hostile.counts, "wrong": wrong, "seconds": seconds,
        "slow_connections": slow.load(Relaxed),
        "honest": {
            "requests": times.len(),
            "milliseconds": { "median": at(0.5), "p99": at(0.99), "longest": at(1.0) },
        },
        "searches": searched.counts,
        "memory_bytes": { "first_half": early, "second_half": late, "after": memory_after },
        "handles": { "before": handles_before, "most": most_handles, "after": handles_after },
        "passed": passed,
    });
    Ok((report, passed))
}
