//! Load test of the explorer on loopback: throughput, latency and memory.
//!
//! ```sh
//! cargo run --release -p kanzen-web --example load -- nocca-3x3 64 200000 8   # game, connections, requests, searches
//! ```
//!
//! Server and clients share one process and its cores, so the rate includes the cost of the clients. Each search client
//! has its own address and continuously probes positions of othello-6x6.

#[path = "../tests/common/mod.rs"]
mod common;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use common::{Running, othello_positions, solve};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or("nocca-3x3".to_owned());
    let connections: u64 = words.next().unwrap_or("64".to_owned()).parse()?;
    let requests: u64 = words.next().unwrap_or("200000".to_owned()).parse()?;
    let searches: u8 = words.next().unwrap_or("0".to_owned()).parse()?;

    let data = tempfile::tempdir()?;
    solve(data.path(), &game);
    if searches > 0 {
        solve(data.path(), "othello-6x6");
    }
    let server = Running::start(data.path(), false);
    let questions = Arc::new(questions(&server, &game));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;

    let (over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let positions = Arc::new(othello_positions());
    for searcher in 1..=searches {
        runtime.spawn(search(searcher, server.address, positions.clone(), over.clone(), answered.clone()));
    }

    // A warm-up of a tenth fills caches and pools; memory must not grow after it.
    runtime.block_on(run(server.address, questions.clone(), connections, requests / 10))?;
    let before = resident();
    let searched_before = answered.load(Relaxed);
    let start = Instant::now();
    let mut times = runtime.block_on(run(server.address, questions.clone(), connections, requests))?;
    let seconds = start.elapsed().as_secs_f64();
    let after = resident();
    over.store(true, Relaxed);
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    let report = json!({
        "game": game, "connections": connections, "requests": times.len(), "positions": questions.len(),
        "seconds": seconds, "probes_per_second": times.len() as f64 / seconds,
        "milliseconds": { "median": at(0.5), "p99": at(0.99), "longest": at(1.0) },
        "resident_bytes": { "before": before, "after": after },
        "searches": { "at_once": searches, "answered": answered.load(Relaxed) - searched_before },
    });
    println!("{report}");
    Ok(())
}

/// Returns requests for many positions: all within two plies along a walk through the game.
fn questions(server: &Running, game: &str) -> Vec<String> {
    let probe = |position: &str| -> Json {
        server.get(&format!("/api/{game}/probe?position={}", position.replace(' ', "+"))).json()
    };
    let start = server.get(&format!("/api/{game}/probe")).json();
    let mut positions = vec![start["position"].as_str().unwrap_or_default().to_owned()];
    for number in 0..200 {
        let Some(position) = positions.get(number).cloned() else { break };
        let moves = probe(&position)["moves"].as_array().cloned().unwrap_or_default();
        positions.extend(moves.iter().filter_map(|choice| choice["position"].as_str().map(str::to_owned)));
    }
    positions.sort();
    positions.dedup();
    let request = |position: &String| {
        let query = position.replace(' ', "+");
        format!("GET /api/{game}/probe?position={query} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address)
    };
    positions.iter().map(request).collect()
}

/// Sends all requests over the given number of connections and returns the latencies.
async fn run(
    address: SocketAddr,
    questions: Arc<Vec<String>>,
    connections: u64,
    requests: u64,
) -> std::io::Result<Vec<Duration>> {
    let taken = Arc::new(AtomicU64::new(0));
    let clients: Vec<_> = (0..connections)
        .map(|_| {
            let (taken, questions) = (taken.clone(), questions.clone());
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                let mut times = Vec::new();
                let mut buffer = Vec::new();
                loop {
                    let number = taken.fetch_add(1, Relaxed);
                    if number >= requests {
                        return Ok(times);
                    }
                    let start = Instant::now();
                    stream.write_all(questions[number as usize % questions.len()].as_bytes()).await?;
                    answer(&mut stream, &mut buffer).await?;
                    times.push(start.elapsed());
                }
            })
        })
        .collect();
    let mut all = Vec::new();
    for client in clients {
        let times: std::io::Result<Vec<Duration>> = client.await.expect("a client does not panic");
        all.extend(times?);
    }
    Ok(all)
}

/// Probes positions one after another from its own address until the test ends.
async fn search(
    searcher: u8,
    server: SocketAddr,
    positions: Arc<Vec<String>>,
    over: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
) -> std::io::Result<()> {
    for position in positions.iter().cycle().skip(25 * usize::from(searcher)) {
        if over.load(Relaxed) {
            break;
        }
        let socket = TcpSocket::new_v4()?;
        socket.bind(([127, 0, 2, searcher], 0).into())?;
        let mut stream = socket.connect(server).await?;
        let query = position.replace(' ', "+");
        let head = format!("Host: {server}\r\nConnection: close");
        let request = format!("GET /api/othello-6x6/probe?position={query} HTTP/1.1\r\n{head}\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await?;
        // Others get a 503: no permit, or a timeout.
        if response.starts_with(b"HTTP/1.1 200") {
            answered.fetch_add(1, Relaxed);
        }
    }
    Ok(())
}

/// Reads one whole response, which must be a 200.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<()> {
    buffer.clear();
    loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&buffer[..end]).to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        if buffer.len() >= end + 4 + length.expect("responses have a length") {
            return Ok(());
        }
    }
}

/// Returns the resident memory of this process in bytes.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
