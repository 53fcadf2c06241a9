//! Test helpers: a server on a free port and a plain HTTP client.

#![allow(dead_code)] // each test program uses a part

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Catalogue, Run};
use kanzen::progress::Silent;
use kanzen_games::catalogue::{self, Games};
use kanzen_web::{Options, Server};
use serde_json::Value as Json;

pub fn options(data: &Path, allow_solve: bool) -> Options {
    Options { allow_solve, ..Options::new("kanzen", data, Budget::new(2, 1 << 30)) }
}

/// Solves a game into a data folder.
pub fn solve(data: &Path, game: &str) {
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::from_secs(300), observer: &Silent };
    catalogue::find(game).unwrap().solve(data, &run).unwrap();
}

/// A running server; it stops when dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(data: &Path, allow_solve: bool) -> Running {
        Running::with(Arc::new(Games), options(data, allow_solve))
    }

    pub fn with(games: Arc<dyn Catalogue>, options: Options) -> Running {
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), games, options).unwrap();
        let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || server.run(|| flag.load(Ordering::Relaxed)).unwrap());
        Running { address, stop, thread: Some(thread) }
    }

    /// Sends raw bytes and reads the whole response.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request).ok();
        Answer::from(&mut stream)
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.address,
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", b"")
    }

    /// Sends a request and returns the connection without reading the response.
    pub fn sent(&self, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request).unwrap();
        stream
    }

    /// Returns the value of a metric. `name` includes its labels.
    pub fn metric(&self, name: &str) -> f64 {
        let text = String::from_utf8(self.get("/metrics").body).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, "", body.as_bytes())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads a connection to its end as a response.
    pub fn from(stream: &mut TcpStream) -> Answer {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        Answer::read(&bytes)
    }

    fn read(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head, body: bytes.get(end + 4..).unwrap_or(&[]).to_vec() }
    }

    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn error(&self) -> (u16, String) {
        let body = self.json();
        let fields = body.as_object().map_or(0, |fields| fields.len());
        assert_eq!(fields, 2, "an error has a sentence and a code: {body}");
        assert!(body["code"].is_string(), "no code: {body}");
        (self.status, body["error"].as_str().unwrap_or_else(|| panic!("no error: {body}")).to_owned())
    }
}

/// Waits until a condition holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns positions of random games of othello-6x6, from the opening to the end, as work for searches.
pub fn othello_positions() -> Vec<String> {
    let game = catalogue::find("othello-6x6").expect("it is in the catalogue");
    let mut random = 6_usize;
    let mut positions = Vec::new();
    for plies in 0..200 {
        let mut position = game.initial();
        for _ in 0..8 + plies % 20 {
            let moves = game.moves(Some(&position)).expect("its own positions").moves;
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position = moves[(random >> 33) % moves.len()].position.clone();
        }
        positions.push(position);
    }
    positions
}
