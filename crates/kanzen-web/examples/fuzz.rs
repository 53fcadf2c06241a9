//! Bad requests by the thousand: malformed, oversized, random. Each must be refused with a 4xx.
//!
//! ```sh
//! cargo run --release -p kanzen-web --example fuzz -- 100000
//! ```

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::{Running, solve};
use serde_json::json;

/// A small generator of numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.roll(most) + 1;
        (0..length).map(|_| self.roll(256) as u8).collect()
    }

    /// Letters that may stand in an address as they are.
    fn letters(&mut self, most: usize) -> String {
        let length = self.roll(most) + 1;
        (0..length)
            .map(|_| self.pick(&["a", "Z", "0", "-", ".", "_", "%41", "%ff", "%00", "/", ",", "b", "w", "x"]))
            .collect()
    }
}

/// Kinds of requests that the server may refuse by closing: a head that is none, or that does not end.
const MAY_CLOSE: [usize; 2] = [0, 8];

/// A request that nobody could want answered, of one of ten kinds.
fn bad(dice: &mut Dice, kind: usize) -> Vec<u8> {
    const END: &str = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
    let game = dice.pick(&["tictactoe", "nocca-3x2"]);
    let with_body = |path: String, body: &[u8]| {
        let head = format!("POST {path} {END}Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    match kind {
        0 => [dice.bytes(300), b"\r\n\r\n".to_vec()].concat(),
        1 => format!("{} /api/games {END}\r\n", dice.pick(&["BREW", "DELETE", "PUT", "PATCH", "get", "G E T"])).into(),
        2 => format!("GET /x{} {END}\r\n", dice.letters(60)).into(),
        3 => format!("GET /api/x{}/probe {END}\r\n", dice.letters(20).replace('/', "")).into(),
        4 => format!("GET /api/{game}/probe?position=!{} {END}\r\n", dice.letters(60)).into(),
        5 => format!("GET /api/{game}/line?position=%f{} {END}\r\n", dice.letters(20)).into(),
        6 => with_body(format!("/api/{game}/probe"), &dice.bytes(400)),
        7 => with_body(format!("/api/{game}/probe"), format!("[\"!{}\"]", dice.letters(40)).as_bytes()),
        8 if dice.roll(20) == 0 => with_body(format!("/api/{game}/probe"), &vec![b' '; 300 << 10]),
        8 => format!("GET /{} {END}X-Long: {}\r\n\r\n", "y".repeat(dice.roll(90_000)), "z".repeat(dice.roll(900_000)))
            .into(),
        _ => with_body(format!("/api/{game}/solve"), b""),
    }
}

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
    let start = std::time::Instant::now();
    for number in 0..requests {
        let kind = dice.roll(10);
        let request = bad(&mut dice, kind);
        let status = status(&server, &request)?;
        let name = if status == 0 { "closed".to_owned() } else { status.to_string() };
        *statuses.entry(name).or_default() += 1;
        let refused = (400..500).contains(&status) || status == 0 && MAY_CLOSE.contains(&kind);
        if !refused && wrong.len() < 10 {
            wrong.push(format!("{number}: {status} {:?}", String::from_utf8_lossy(&request[..request.len().min(200)])));
        }
    }
    let same = server.get("/api/tictactoe/probe").body == before;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}",
        json!({ "requests": requests, "statuses": statuses, "wrong": wrong, "still_answers": same, "seconds": seconds })
    );
    if wrong.is_empty() && same { Ok(()) } else { Err("some bad requests were not refused".into()) }
}

/// Sends a request and reads the status; 0 if the connection was closed without one.
fn status(server: &Running, request: &[u8]) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect(server.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    // A server that has seen enough may close while we still write.
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
