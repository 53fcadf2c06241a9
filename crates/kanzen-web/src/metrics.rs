//! What the server has done and is doing, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};

use crate::app::App;
use crate::lanes::Lane;

/// The steps of the histogram, in seconds.
const STEPS: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0];

/// Requests so far.
#[derive(Default)]
pub struct Metrics {
    /// By route, then method.
    routes: Mutex<BTreeMap<String, BTreeMap<&'static str, Answers>>>,
}

/// What a route has answered.
#[derive(Default)]
struct Answers {
    statuses: BTreeMap<u16, u64>,
    /// How many took at most a step's time, and longer than the step before.
    steps: [u64; STEPS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answer.
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

    /// Everything as text: what is counted here, and the places and connections of the app.
    pub fn show(&self, app: &App) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        self.write(app, &mut text).ok();
        text
    }

    fn write(&self, app: &App, text: &mut String) -> std::fmt::Result {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || routes.iter().flat_map(|(route, methods)| methods.iter().map(move |(name, it)| (route, name, it)));
        head(text, "requests_total", "counter", "Requests answered.")?;
        for (route, method, answers) in all() {
            for (status, count) in &answers.statuses {
                let labels = format!(r#"route="{route}",method="{method}",status="{status}""#);
                writeln!(text, "kanzen_requests_total{{{labels}}} {count}")?;
            }
        }
        head(text, "request_seconds", "histogram", "How long answers took.")?;
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
        let states = Lane::ALL.map(|lane| (lane.name(), app.lanes.state(lane)));
        for (name, what, pick) in [
            (
                "places_in_use",
                "Requests that are worked on, by lane.",
                (|it| it.0) as fn((usize, usize, usize)) -> usize,
            ),
            ("places", "Requests that can be worked on at a time, by lane.", |it| it.1),
            ("waiting", "Requests that wait for a place, by lane.", |it| it.2),
        ] {
            head(text, name, "gauge", what)?;
            for (lane, state) in states {
                writeln!(text, r#"kanzen_{name}{{lane="{lane}"}} {}"#, pick(state))?;
            }
        }
        let (connections, addresses, refused) = app.callers.state();
        for (name, kind, what, value) in [
            ("connections", "gauge", "Open connections.", connections as u64),
            ("addresses", "gauge", "Addresses with an open connection.", addresses as u64),
            ("connections_refused_total", "counter", "Connections refused because too many were open.", refused),
            ("open_games", "gauge", "Databases that are kept open.", app.open.count() as u64),
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

/// Visitors may make up methods; the metrics do not grow with them.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
