//! Resource limits: admission, connections, slow clients, deadlines and shutdown.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crate::common::{Answer, Running, options, solve, until};
use kanzen::catalogue::{Catalogue, Entry, GameInfo, Run};
use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_core::Deadline;
use kanzen_core::rules::AnyGame;
use kanzen_games::tictactoe::TicTacToe;
use kanzen_query::Answer as Value;
use kanzen_query::{Audit, Contents, Numbering, Opener, Oracle, Recount};
use kanzen_solve::{Forecast, Job, RulesOnly, Solution, Solver};
use kanzen_store::Database;
use kanzen_web::{Limits, Options};
use serde_json::{Map, Value as Json};

/// Three variants of tic-tac-toe: `tictactoe` is looked up, `thinker` simulates a slow search, `dozer` a slow disk.
struct Games(Arc<Thinking>);

/// The delay of a slow answer, and the number of slow answers in progress.
#[derive(Default)]
struct Thinking {
    milliseconds: AtomicU64,
    now: AtomicUsize,
}

struct Slowly {
    rules: RulesOnly,
    thinking: Arc<Thinking>,
    searches: bool,
}

struct Thinker {
    known: Arc<dyn Oracle>,
    thinking: Arc<Thinking>,
    searches: bool,
    deadline: Option<Deadline>,
}

impl Catalogue for Games {
    fn all(&self) -> Vec<Arc<Entry>> {
        let forecast =
            Forecast { positions: Some(765), seconds: 0.1, memory_bytes: 1 << 20, data_bytes: 9, disk_bytes: 9 };
        let info = |id: &str| GameInfo { id: id.into(), title: "Three in a row".into(), rules: String::new() };
        let rules = || RulesOnly::new(forecast);
        let slowly = |searches| Slowly { rules: rules(), thinking: self.0.clone(), searches };
        vec![
            Arc::new(Entry::new(info("tictactoe"), TicTacToe, rules())),
            Arc::new(Entry::new(info("thinker"), TicTacToe, slowly(true))),
            Arc::new(Entry::new(info("dozer"), TicTacToe, slowly(false))),
        ]
    }
}

impl Solver<TicTacToe> for Slowly {
    fn forecast(&self, game: &TicTacToe) -> Forecast {
        self.rules.forecast(game)
    }

    fn solve(&self, game: &TicTacToe, job: &Job<'_>) -> Result<Solution, Error> {
        self.rules.solve(game, job)
    }
}

impl Opener<TicTacToe> for Slowly {
    fn open(&self, game: &Arc<TicTacToe>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let known = Arc::from(self.rules.open(game, database)?);
        let (thinking, searches) = (self.thinking.clone(), self.searches);
        // A disk read has no deadline.
        let deadline = (!searches).then(Deadline::none);
        Ok(Box::new(Thinker { known, thinking, searches, deadline }))
    }
}

impl Oracle for Thinker {
    fn contents(&self) -> Result<Contents, Error> {
        self.known.contents()
    }

    fn answer(&self, position: u128) -> Result<Value, Error> {
        let over = AnyGame::ended(&TicTacToe, position).is_some();
        if let Some(deadline) = self.deadline.as_ref().filter(|_| !over) {
            self.thinking.now.fetch_add(1, SeqCst);
            let start = Instant::now();
            let mut checked = Ok(());
            while checked.is_ok() && start.elapsed().as_millis() < self.thinking.milliseconds.load(SeqCst).into() {
                std::thread::sleep(Duration::from_millis(5));
                checked = deadline.check();
            }
            self.thinking.now.fetch_sub(1, SeqCst);
            checked?;
        }
        self.known.answer(position)
    }

    fn bounded(&self, _: &Budget, deadline: &Deadline) -> Option<Box<dyn Oracle>> {
        let (known, thinking) = (self.known.clone(), self.thinking.clone());
        let bounded = Thinker { known, thinking, searches: true, deadline: Some(deadline.clone()) };
        self.searches.then(|| Box::new(bounded) as Box<dyn Oracle>)
    }
}

impl Numbering for Thinker {
    fn positions(&self) -> u64 {
        self.known.positions()
    }

    fn position(&self, number: u64) -> Result<u128, Error> {
        self.known.position(number)
    }

    fn is_row(&self, position: u128) -> bool {
        self.known.is_row(position)
    }

    fn fields(&self, position: u128) -> Vec<(&'static str, i64)> {
        self.known.fields(position)
    }
}

impl Audit for Thinker {
    fn stored(&self, position: u128) -> Result<Option<Value>, Error> {
        self.known.stored(position)
    }

    fn recount(&self, position: u128, answer: Value, recount: &mut Recount) {
        self.known.recount(position, answer, recount);
    }

    fn census_label(&self, class: u32, recount: &Recount) -> Map<String, Json> {
        self.known.census_label(class, recount)
    }
}

/// A server of these games with a given delay.
struct Trial {
    _data: tempfile::TempDir,
    thinking: Arc<Thinking>,
    server: Running,
}

impl Trial {
    fn new(think: Duration, limit: impl FnOnce(&mut Limits)) -> Trial {
        let data = tempfile::tempdir().unwrap();
        let thinking = Arc::new(Thinking::default());
        let games = Arc::new(Games(thinking.clone()));
        let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
        for game in games.all() {
            game.solve(data.path(), &run).unwrap();
        }
        // Set after the solves, which look up the initial value.
        thinking.milliseconds.store(think.as_millis() as u64, SeqCst);
        let mut options: Options = options(data.path(), false);
        limit(&mut options.limits);
        let server = Running::with(games, options);
        Trial { _data: data, thinking, server }
    }

    fn request(&self, path: &str) -> Vec<u8> {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.server.address).into_bytes()
    }

    /// Starts a search and keeps its connection open.
    fn search(&self) -> TcpStream {
        self.server.sent(&self.request("/api/thinker/probe"))
    }

    fn thinks(&self, times: usize) -> bool {
        self.thinking.now.load(SeqCst) == times
    }
}

const FOR_EVER: Duration = Duration::from_secs(3600);

#[test]
fn a_look_up_does_not_wait_for_searches() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |_| {});
    let _searches: Vec<TcpStream> = (0..12).map(|_| trial.search()).collect();
    until("a search is running", || trial.thinks(1));
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(trial.server.get("/api/tictactoe/probe").status, 200);
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(trial.thinks(1), "the search goes on");
}

#[test]
fn a_look_up_from_memory_needs_no_permit() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| limits.queue_time = Duration::from_millis(100));
    let start = Instant::now();
    assert_eq!(trial.server.get("/api/tictactoe/probe").status, 200, "it is opened, and its pages are read");
    // Takes all permits of this address: two for each of two threads.
    let _waiting: Vec<TcpStream> = (0..4).map(|_| trial.server.sent(&trial.request("/api/dozer/line"))).collect();
    until("all wait for the disk", || trial.thinks(4));
    for _ in 0..20 {
        assert_eq!(trial.server.get("/api/tictactoe/probe").status, 200);
    }
    assert_eq!(trial.server.get("/api/tictactoe/line").status, 503, "it would need a permit");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(trial.thinks(4));
    trial.thinking.milliseconds.store(0, SeqCst);
}

#[test]
fn a_search_is_cancelled_when_its_client_disconnects() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |_| {});
    let gone = trial.search();
    until("the search is running", || trial.thinks(1));
    drop(gone);
    until("the search has ended", || trial.thinks(0));
    assert_eq!(trial.server.metric(r#"kanzen_places_in_use{class="search"}"#), 0.0);
    // Twelve disconnected clients, some still queued, do not block the next search.
    for gone in (0..12).map(|_| trial.search()).collect::<Vec<_>>() {
        drop(gone);
    }
    trial.thinking.milliseconds.store(0, SeqCst);
    until("the next search has its turn", || trial.server.get("/api/thinker/probe").status == 200);
}

#[test]
fn too_many_searches_get_a_503_with_retry_after() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| (limits.search_places, limits.search_queue) = (2, 4));
    // One address may have one running and two queued searches.
    let _working = trial.search();
    until("a search is running", || trial.thinks(1));
    let _waiting = [trial.search(), trial.search()];
    until("two wait", || trial.server.metric(r#"kanzen_waiting{class="search"}"#) == 2.0);
    let start = Instant::now();
    let refused = trial.server.get("/api/thinker/probe");
    assert_eq!(refused.error(), (503, "too many searches are running: try again in a moment".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("10"));
    assert!(start.elapsed() < Duration::from_secs(1));
    assert!(trial.thinks(1));
}

#[test]
fn a_search_has_a_deadline() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| limits.work_time = Duration::from_millis(200));
    for path in ["probe", "line"] {
        let late = trial.server.get(&format!("/api/thinker/{path}"));
        assert_eq!((late.error().0, late.header("retry-after")), (503, Some("10")), "{path}");
    }
    assert!(trial.thinks(0));
    // A queued search times out as well.
    let trial = Trial::new(FOR_EVER, |limits| limits.queue_time = Duration::from_millis(200));
    let _working = trial.search();
    until("a search is running", || trial.thinks(1));
    assert_eq!(trial.server.get("/api/thinker/probe").error().0, 503);
}

#[test]
fn a_batch_of_a_thousand_searches_returns_partial_results_at_its_deadline() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(Duration::from_millis(20), |limits| limits.work_time = Duration::from_millis(800));
    let positions = vec!["XO./.../... X"; 1000];
    let start = Instant::now();
    let answers = trial.server.post("/api/thinker/probe", &serde_json::to_string(&positions).unwrap());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(answers.status, 200);
    let answers = answers.json();
    let (first, last) = (&answers[0], &answers[999]);
    assert_eq!((first["moves"].as_array().unwrap().len(), answers.as_array().unwrap().len()), (7, 1000));
    let text = "request timed out before this position: send fewer positions";
    assert_eq!(*last, serde_json::json!({ "position": positions[0], "error": text }));
}

#[test]
fn a_client_that_does_not_read_is_disconnected() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| limits.write_time = Duration::from_millis(300));
    let body = serde_json::to_string(&vec![".../.../... X"; 1000]).unwrap();
    let length = body.len();
    let request =
        format!("POST /api/tictactoe/probe HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}");
    // Responses of some megabytes each: more than the socket buffers hold.
    let greedy: Vec<TcpStream> = (0..4)
        .map(|_| {
            let stream = TcpStream::connect(trial.server.address).unwrap();
            stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
            (0..20).try_for_each(|_| (&stream).write_all(request.as_bytes())).ok();
            stream
        })
        .collect();
    until("they are cut off", || trial.server.metric("kanzen_connections") == 1.0);
    drop(greedy);
}

#[test]
fn a_client_that_sends_too_slowly_is_disconnected() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| {
        (limits.head_time, limits.body_time) = (Duration::from_millis(300), Duration::from_millis(300));
    });
    let head = "POST /api/tictactoe/probe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n[";
    let start = Instant::now();
    let mut silent = trial.server.sent(b"");
    let mut half = trial.server.sent(b"GET /api/games HTTP/1.1\r\nHo");
    let mut late = trial.server.sent(head.as_bytes());
    assert_eq!(silent.read(&mut [0; 9]).unwrap_or(0), 0);
    assert_eq!(half.read(&mut [0; 9]).unwrap_or(0), 0);
    let mut answer = [0; 12];
    late.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Connects from another loopback address.
#[cfg(target_os = "linux")]
fn from(address: &str, server: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(format!("{address}:0").parse().unwrap())?;
        socket.connect(server).await?.into_std()
    });
    let stream = stream.unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

#[test]
#[cfg(target_os = "linux")]
fn one_address_cannot_hold_all_connections() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| limits.connections = 16);
    let request = trial.request("/api/tictactoe/probe");
    let held: Vec<TcpStream> = (0..4).map(|_| trial.server.sent(b"")).collect();
    let mut one_more = trial.server.sent(&request);
    let refused = Answer::from(&mut one_more);
    assert_eq!(refused.error(), (503, "too many open connections: try again in a moment".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("10"));
    let mut other = from("127.0.0.2", trial.server.address);
    other.write_all(&request).unwrap();
    assert_eq!(Answer::from(&mut other).status, 200);
    drop(held);
    until("connections are free again", || trial.server.raw(&request).status == 200);
}

#[test]
#[cfg(target_os = "linux")]
fn one_address_cannot_hold_all_searches() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |_| {});
    let _searches: Vec<TcpStream> = (0..8).map(|_| trial.search()).collect();
    until("a search is running", || trial.thinks(1));
    let mut other = from("127.0.0.2", trial.server.address);
    other.write_all(&trial.request("/api/thinker/probe")).unwrap();
    until("that of the other address is too", || trial.thinks(2));
    trial.thinking.milliseconds.store(0, SeqCst);
    assert_eq!(Answer::from(&mut other).status, 200);
}

#[test]
fn requests_in_flight_complete_during_shutdown() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(Duration::from_millis(50), |_| {});
    let mut search = trial.search();
    until("the search is running", || trial.thinks(1));
    let idle = trial.server.sent(b"");
    let start = Instant::now();
    let Trial { server, .. } = trial;
    let ending = std::thread::spawn(move || drop(server));
    assert_eq!(Answer::from(&mut search).status, 200);
    ending.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    drop(idle);
}

#[test]
fn an_endless_search_does_not_block_shutdown() {
    let _exclusive = crate::exclusive();
    let trial = Trial::new(FOR_EVER, |limits| limits.closing_time = Duration::from_millis(300));
    let mut search = trial.search();
    until("the search is running", || trial.thinks(1));
    let start = Instant::now();
    let (thinking, address) = (trial.thinking.clone(), trial.server.address);
    let Trial { server, .. } = trial;
    let ending = std::thread::spawn(move || drop(server));
    assert_eq!(Answer::from(&mut search).error(), (503, "the server is shutting down".to_owned()));
    ending.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    until("the search has ended", || thinking.now.load(SeqCst) == 0);
    assert!(TcpStream::connect(address).is_err(), "the port is closed");
}

#[test]
fn a_half_closed_connection_still_gets_a_quick_response() {
    let _exclusive = crate::exclusive();
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    let server = Running::start(data.path(), false);
    let request = format!("GET /api/tictactoe/probe HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let mut stream = server.sent(request.as_bytes());
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(Answer::from(&mut stream).status, 200);
}
