//! Hostile clients, each from its own loopback address.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::requests::{Dice, KINDS, bad};

/// Timeout of a response, longer than any limit of the server.
const TIMEOUT: Duration = Duration::from_secs(40);

/// Outcomes of requests by status or name, and the unacceptable ones.
#[derive(Default)]
pub struct Ends {
    pub counts: BTreeMap<String, u64>,
    pub wrong: Vec<String>,
}

impl Ends {
    pub fn count(&mut self, name: impl Into<String>) {
        *self.counts.entry(name.into()).or_default() += 1;
    }

    pub fn add(&mut self, other: Ends) {
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }
}

/// Connects from an address of this machine.
async fn from(address: [u8; 4], server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((address, 0).into())?;
    socket.connect(server).await
}

/// Sends a request and returns the status, or 0 if the connection was closed without one.
async fn status(address: [u8; 4], server: SocketAddr, request: &[u8]) -> std::io::Result<u16> {
    let mut stream = from(address, server).await?;
    // The server may close the connection before the request is written.
    stream.write_all(request).await.ok();
    let mut head = Vec::new();
    while head.len() < 12 && stream.read_buf(&mut head).await.is_ok_and(|read| read > 0) {}
    let text = String::from_utf8_lossy(&head).into_owned();
    Ok(text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

/// Sends bad requests until all attackers together have sent `requests`.
pub async fn attack(address: [u8; 4], server: SocketAddr, sent: Arc<AtomicU64>, requests: u64) -> Ends {
    let mut ends = Ends::default();
    let mut dice = Dice(u64::from(u32::from_be_bytes(address)));
    while sent.fetch_add(1, Relaxed) < requests {
        let kind = dice.roll(KINDS + 1);
        if kind == KINDS {
            ends.count(abandoned(address, server, &mut dice).await);
            continue;
        }
        let request = bad(&mut dice, kind);
        let (name, fine) = match timeout(TIMEOUT, status(address, server, &request.bytes)).await {
            Ok(Ok(0)) => ("closed".to_owned(), request.may_end(0)),
            // All permits may be taken.
            Ok(Ok(503)) => ("503".to_owned(), true),
            Ok(Ok(status)) => (status.to_string(), request.may_end(status)),
            Ok(Err(error)) => (error.kind().to_string(), false),
            Err(_) => ("no end".to_owned(), false),
        };
        if !fine && ends.wrong.len() < 10 {
            let shown = String::from_utf8_lossy(&request.bytes[..request.bytes.len().min(200)]).into_owned();
            ends.wrong.push(format!("kind {kind}: {name} {shown:?}"));
        }
        ends.count(name);
    }
    ends
}

/// Requests expensive work and disconnects before the response, in one of several ways.
async fn abandoned(address: [u8; 4], server: SocketAddr, dice: &mut Dice) -> &'static str {
    let Ok(mut stream) = from(address, server).await else { return "not connected" };
    let batch = |game: &str, position: &str| {
        let body = serde_json::to_string(&vec![position; 1000]).expect("texts are JSON");
        let length = body.len();
        format!("POST /api/{game}/probe HTTP/1.1\r\nHost: {server}\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    let othello = "....../....../..OX../..XO../....../...... X";
    let request = match dice.roll(5) {
        0 => format!("GET /api/othello-6x6/probe HTTP/1.1\r\nHost: {server}\r\n\r\n"),
        1 if dice.roll(10) == 0 => batch("othello-6x6", othello),
        2 if dice.roll(10) == 0 => batch("nocca-3x2", "?"),
        3 => "GET /api/games HTTP/1.1\r\nHo".to_owned(),
        _ => format!("POST /api/tictactoe/probe HTTP/1.1\r\nHost: {server}\r\nContent-Length: 900\r\n\r\n["),
    };
    stream.write_all(request.as_bytes()).await.ok();
    if dice.roll(2) == 0 {
        // Resets the connection.
        stream.set_zero_linger().ok();
    }
    "abandoned"
}

/// Sends a request head at one byte per second and reconnects when disconnected (slowloris).
pub async fn trickle(address: [u8; 4], server: SocketAddr, stop: Arc<AtomicBool>, held: Arc<AtomicU64>) {
    let head = format!("GET /api/games HTTP/1.1\r\nHost: {server}\r\nX-Slow: {}\r\n\r\n", "s".repeat(1000));
    while !stop.load(Relaxed) {
        if let Ok(mut stream) = from(address, server).await {
            held.fetch_add(1, Relaxed);
            for byte in head.as_bytes() {
                if stop.load(Relaxed) || stream.write_all(&[*byte]).await.is_err() {
                    break;
                }
                sleep(Duration::from_secs(1)).await;
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Requests large responses without reading them and reconnects when disconnected.
pub async fn stare(address: [u8; 4], server: SocketAddr, stop: Arc<AtomicBool>, held: Arc<AtomicU64>) {
    let body = serde_json::to_string(&vec![".../.../... X"; 1000]).expect("texts are JSON");
    let length = body.len();
    let request =
        format!("POST /api/tictactoe/probe HTTP/1.1\r\nHost: {server}\r\nContent-Length: {length}\r\n\r\n{body}");
    while !stop.load(Relaxed) {
        if let Ok(mut stream) = from(address, server).await {
            held.fetch_add(1, Relaxed);
            // Writes fail once the server stops reading, which it does while its responses are unread.
            let all = async { while !stop.load(Relaxed) && stream.write_all(request.as_bytes()).await.is_ok() {} };
            timeout(TIMEOUT, all).await.ok();
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Requests searches, waits for most responses and disconnects during the others.
pub async fn search(address: [u8; 4], server: SocketAddr, positions: Arc<Vec<String>>, stop: Arc<AtomicBool>) -> Ends {
    let mut ends = Ends::default();
    let mut dice = Dice(u64::from(address[3]));
    while !stop.load(Relaxed) {
        let position = positions[dice.roll(positions.len())].replace(' ', "+");
        let request = format!(
            "GET /api/othello-6x6/probe?position={position} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n"
        );
        let time = if dice.roll(4) == 0 { Duration::from_millis(500) } else { TIMEOUT };
        match timeout(time, status(address, server, request.as_bytes())).await {
            Err(_) if time < TIMEOUT => ends.count("left"),
            Ok(Ok(status @ (200 | 503))) => ends.count(status.to_string()),
            other => {
                ends.count("wrong");
                ends.wrong.push(format!("a search: {other:?}"));
            }
        }
        sleep(Duration::from_millis(200)).await;
    }
    ends
}
