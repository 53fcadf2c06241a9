//! Well-behaved clients: they check every response and measure latency.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The pause between two requests of one client.
const PAUSE: Duration = Duration::from_millis(20);

/// A request and its expected response body.
pub struct Question {
    pub request: Vec<u8>,
    pub answer: Vec<u8>,
}

/// The measurements of one client.
#[derive(Default)]
pub struct Met {
    pub times: Vec<Duration>,
    /// Wrong or missing responses.
    pub wrong: Vec<String>,
}

/// Returns the requests with the responses of the idle server.
pub fn questions(server: SocketAddr) -> std::io::Result<Vec<Question>> {
    let mut paths = vec!["/js/main.js".to_owned(), "/api/nocca-3x2/stats".to_owned()];
    let squares = "XO.......";
    for turn in 0..9 {
        let board: String = (0..9).map(|at| squares.as_bytes()[(at + turn) % 9] as char).collect();
        let rows = [&board[..3], &board[3..6], &board[6..]].join("/");
        paths.push(format!("/api/tictactoe/probe?position={rows}+X"));
        paths.push(format!("/api/tictactoe/line?position={rows}+X"));
    }
    paths.push("/api/nocca-3x2/probe".to_owned());
    paths.push("/api/nocca-3x2/line".to_owned());
    let ask = |path: &String| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n").into_bytes();
        let (status, answer) = answered(&mut TcpStream::connect(server)?, &request)?;
        if status != 200 {
            return Err(std::io::Error::other(format!("{path}: {status}")));
        }
        Ok(Question { request, answer })
    };
    paths.iter().map(ask).collect()
}

/// Repeats requests over one connection until `stop` is set.
pub fn run(server: SocketAddr, questions: &[Question], first: usize, stop: &AtomicBool) -> Met {
    let mut met = Met::default();
    let mut stream = None;
    for question in questions.iter().cycle().skip(first) {
        if stop.load(Relaxed) {
            break;
        }
        let start = Instant::now();
        let result = match &mut stream {
            Some(stream) => answered(stream, &question.request),
            None => TcpStream::connect(server).and_then(|fresh| {
                fresh.set_nodelay(true)?;
                fresh.set_read_timeout(Some(Duration::from_secs(30)))?;
                answered(stream.insert(fresh), &question.request)
            }),
        };
        met.times.push(start.elapsed());
        match result {
            Ok((200, body)) if body == question.answer => {}
            other => {
                stream = None;
                let shown = other.map(|(status, body)| (status, String::from_utf8_lossy(&body).into_owned()));
                met.wrong.push(format!("{}: {shown:?}", String::from_utf8_lossy(&question.request)));
            }
        }
        std::thread::sleep(PAUSE);
    }
    met
}

/// Sends a request and reads one whole response: its status and its body.
fn answered(stream: &mut TcpStream, request: &[u8]) -> std::io::Result<(u16, Vec<u8>)> {
    stream.write_all(request)?;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16 << 10]);
    loop {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let length = length.ok_or(std::io::ErrorKind::InvalidData)?;
        if bytes.len() >= end + 4 + length {
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
            return Ok((status, bytes[end + 4..end + 4 + length].to_vec()));
        }
    }
}
