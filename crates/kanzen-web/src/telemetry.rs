//! Metrics in the Prometheus text format, and the access log.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::IpAddr;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::http::{Method, StatusCode, Uri};

use crate::admission::WorkClass;
use crate::app::App;

/// Upper bounds of the histogram buckets, in seconds.
const STEPS: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0];

/// Request counters and durations.
#[derive(Default)]
pub struct Metrics {
    /// By route, then method.
    routes: Mutex<BTreeMap<String, BTreeMap<&'static str, Answers>>>,
}

/// The responses of one route and method.
#[derive(Default)]
struct Answers {
    statuses: BTreeMap<u16, u64>,
    /// Responses per bucket, not cumulative.
    steps: [u64; STEPS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts a response.
    pub fn count(&self, route: &str, method: &Method, status: StatusCode, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let methods = match routes.get_mut(route) {
            Some(methods) => methods,
            None => routes.entry(route.to_owned()).or_default(),
        };
        let answers = methods.entry(name(method)).or_default();
        *answers.statuses.entry(status.as_u16()).or_default() += 1;
        let seconds = time.as_secs_f64();
        if let Some(step) = STEPS.iter().position(|step| seconds <= *step) {
            answers.steps[step] += 1;
        }
        answers.count += 1;
        answers.seconds += seconds;
    }

    /// Formats all metrics, with the admission and connection state of the app.
    pub fn show(&self, app: &App) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        self.write(app, &mut text).ok();
        text
    }

    fn write(&self, app: &App, text: &mut String) -> std::fmt::Result {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || routes.iter().flat_map(|(route, methods)| methods.iter().map(move |(name, it)| (route, name, it)));
        head(text, "requests_total", "counter", "Completed requests.")?;
        for (route, method, answers) in all() {
            for (status, count) in &answers.statuses {
                let labels = format!(r#"route="{route}",method="{method}",status="{status}""#);
                writeln!(text, "kanzen_requests_total{{{labels}}} {count}")?;
            }
        }
        head(text, "request_seconds", "histogram", "Response time.")?;
        for (route, method, answers) in all() {
            let labels = format!(r#"route="{route}",method="{method}""#);
            let mut below = 0;
            for (step, count) in STEPS.iter().zip(answers.steps) {
                below += count;
                writeln!(text, r#"kanzen_request_seconds_bucket{{{labels},le="{step}"}} {below}"#)?;
            }
            writeln!(text, r#"kanzen_request_seconds_bucket{{{labels},le="+Inf"}} {}"#, answers.count)?;
            writeln!(text, "kanzen_request_seconds_sum{{{labels}}} {}", answers.seconds)?;
            writeln!(text, "kanzen_request_seconds_count{{{labels}}} {}", answers.count)?;
        }
        drop(routes);
        let states = WorkClass::ALL.map(|class| (class.name(), app.admission.state(class)));
        for (name, what, pick) in [
            ("places_in_use", "Running requests, by work class.", (|it| it.0) as fn((usize, usize, usize)) -> usize),
            ("places", "Maximum number of running requests, by work class.", |it| it.1),
            ("waiting", "Queued requests, by work class.", |it| it.2),
        ] {
            head(text, name, "gauge", what)?;
            for (class, state) in states {
                writeln!(text, r#"kanzen_{name}{{class="{class}"}} {}"#, pick(state))?;
            }
        }
        let (connections, addresses, refused) = app.connections.state();
        for (name, kind, what, value) in [
            ("connections", "gauge", "Open connections.", connections as u64),
            ("addresses", "gauge", "Addresses with an open connection.", addresses as u64),
            ("connections_refused_total", "counter", "Connections refused because a limit was reached.", refused),
            ("open_games", "gauge", "Open databases.", app.open.count() as u64),
        ] {
            head(text, name, kind, what)?;
            writeln!(text, "kanzen_{name} {value}")?;
        }
        Ok(())
    }
}

fn head(text: &mut String, name: &str, kind: &str, what: &str) -> std::fmt::Result {
    writeln!(text, "# HELP kanzen_{name} {what}\n# TYPE kanzen_{name} {kind}")
}

/// Returns the label of a method. Unknown methods share one label, so clients cannot grow the metrics.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Maximum number of buffered log lines. If stderr is slow, further lines are dropped and the server goes on.
const LOG_BUFFER: usize = 4096;
/// Maximum number of characters of a URI in the log.
const MAX_URI: usize = 300;

/// The access log: one line per request on standard error, written by a separate thread.
pub struct Log(SyncSender<String>);

impl Log {
    /// Starts the log.
    pub fn start() -> Log {
        let (send, lines) = sync_channel::<String>(LOG_BUFFER);
        std::thread::spawn(move || {
            for line in lines {
                // A closed stderr is not an error.
                std::io::stderr().write_all(line.as_bytes()).ok();
            }
        });
        Log(send)
    }

    /// Logs a response.
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
    let shown: String = uri.chars().take(MAX_URI).flat_map(char::escape_debug).collect();
    let more = if uri.chars().count() > MAX_URI { "..." } else { "" };
    let (date, status, time) = (httpdate::fmt_http_date(now), status.as_u16(), time.as_secs_f64() * 1000.0);
    format!("[{date}] {address} \"{method} {shown}{more}\" {status} {time:.1} ms\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_address_the_request_the_status_and_the_time() {
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
