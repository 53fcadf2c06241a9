//! One line a request on standard error.

use std::io::Write;
use std::net::IpAddr;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use axum::http::{Method, StatusCode, Uri};

/// Lines that may wait to be written. Who reads the log slowly loses lines, and does not stop the server.
const WAITING: usize = 4096;
/// The most that is shown of an address.
const SHOWN: usize = 300;

/// Where lines go. A thread of its own writes them.
pub struct Log(SyncSender<String>);

impl Log {
    /// A log on standard error.
    pub fn start() -> Log {
        let (send, lines) = sync_channel::<String>(WAITING);
        std::thread::spawn(move || {
            for line in lines {
                // Where nobody listens there is nobody to tell.
                std::io::stderr().write_all(line.as_bytes()).ok();
            }
        });
        Log(send)
    }

    /// Writes down an answer.
    pub fn line(&self, address: Option<IpAddr>, method: &Method, uri: &Uri, status: StatusCode, time: Duration) {
        self.0.try_send(line(SystemTime::now(), address, method, uri, status, time)).ok();
    }
}

fn line(
    now: SystemTime,
    address: Option<IpAddr>,
    method: &Method,
    uri: &Uri,
    status: StatusCode,
    time: Duration,
) -> String {
    let address = address.map_or("-".to_owned(), |address| address.to_string());
    let uri = uri.to_string();
    let shown: String = uri.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let more = if uri.chars().count() > SHOWN { "..." } else { "" };
    let (date, status, time) = (httpdate::fmt_http_date(now), status.as_u16(), time.as_secs_f64() * 1000.0);
    format!("[{date}] {address} \"{method} {shown}{more}\" {status} {time:.1} ms\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_asked_what_and_how_it_went() {
        let long = format!("/{}", "y".repeat(5000));
        let shown = |uri: &str| {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_763_300_000);
            let address = Some([192, 0, 2, 7].into());
            line(then, address, &Method::GET, &uri.parse().unwrap(), StatusCode::OK, Duration::from_micros(1234))
        };
        assert_eq!(
            shown("/api/tictactoe/probe?position=X%20%22"),
            "[Sun, 16 Nov 2025 13:33:20 GMT] 192.0.2.7 \"GET /api/tictactoe/probe?position=X%20%22\" 200 1.2 ms\n"
        );
        assert!(shown(&long).len() < 400);
    }
}
