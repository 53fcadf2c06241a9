//! Fuzzes the server with malformed, oversized and random requests. Each must get a 4xx, or a 200 whose body reports the
//! error, within 100 ms on a quiet machine.
//!
//! ```sh
//! cargo run --release -p kanzen-web --example fuzz -- 100000
//! ```
//!
//! Requests are sent one by one. The example `siege` sends them concurrently with other load.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "siege/requests.rs"]
mod requests;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{Running, solve};
use requests::{Dice, KINDS, bad};
use serde_json::json;

/// The longest time from a request to its status.
const SOON: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let requests: u64 = std::env::args().nth(1).unwrap_or("100000".to_owned()).parse()?;
    let data = tempfile::tempdir()?;
    solve(data.path(), "tictactoe");
    solve(data.path(), "nocca-3x2");
    let server = Running::start(data.path(), false);
    let before = server.get("/api/tictactoe/probe").body;

    let mut statuses: BTreeMap<String, u64> = BTreeMap::new();
    let mut dice = Dice(20_261_115);
    let mut wrong = Vec::new();
    let (mut slow, mut slowest) = (0_u64, Duration::ZERO);
    let start = Instant::now();
    for number in 0..requests {
        let kind = dice.roll(KINDS);
        let request = bad(&mut dice, kind);
        let begun = Instant::now();
        let status = status(&server, &request.bytes)?;
        let time = begun.elapsed();
        slow += u64::from(time > SOON);
        slowest = slowest.max(time);
        let name = if status == 0 { "closed".to_owned() } else { status.to_string() };
        *statuses.entry(name).or_default() += 1;
        if !request.may_end(status) && wrong.len() < 10 {
            let shown = String::from_utf8_lossy(&request.bytes[..request.bytes.len().min(200)]).into_owned();
            wrong.push(format!("{number}: {status} {shown:?}"));
        }
    }
    let same = server.get("/api/tictactoe/probe").body == before;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}",
        json!({ "requests": requests, "statuses": statuses, "wrong": wrong, "slow": slow,
                "slowest_ms": slowest.as_millis() as u64, "still_answers": same, "seconds": seconds })
    );
    if wrong.is_empty() && same && slow == 0 {
        Ok(())
    } else {
        Err("some bad requests were not rejected in time".into())
    }
}

/// Sends a request and returns the status, or 0 if the connection was closed without one.
fn status(server: &Running, request: &[u8]) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect(server.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    // The server may close the connection before the request is written.
    stream.write_all(request).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    let mut head = [0; 512];
    let mut read = 0;
    while read < 12 {
        match stream.read(&mut head[read..]) {
            Ok(0) | Err(_) => break,
            Ok(more) => read += more,
        }
    }
    let text = String::from_utf8_lossy(&head[..read]).into_owned();
    Ok(text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}
