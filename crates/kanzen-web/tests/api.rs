//! The API over real connections.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{Running, solve};
use kanzen::Error;
use kanzen::catalogue::{Catalogue, Catalogued, Entry, GameInfo};
use kanzen::query::{Opener, Oracle};
use kanzen::solve::{Forecast, Job, RulesOnly, Solution, Solver};
use kanzen::store::Database;
use kanzen_games::{catalogue, tictactoe::TicTacToe};

fn server() -> (tempfile::TempDir, Running) {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    solve(data.path(), "nocca-3x2");
    let server = Running::start(data.path(), false);
    (data, server)
}

#[test]
fn answers_are_those_of_the_library() {
    let (data, server) = server();
    let game = catalogue::find("nocca-3x2").unwrap().open(data.path()).unwrap();
    let same = |path: &str, answer: serde_json::Value| assert_eq!(server.get(path).json(), answer, "{path}");
    let start = game.at(None).unwrap().probe().unwrap();
    same("/api/nocca-3x2/probe", serde_json::to_value(&start).unwrap());
    let child = start.moves[3].position.clone();
    let after = game.at(Some(&child)).unwrap();
    let query = child.replace(' ', "+").replace('/', "%2F");
    same(&format!("/api/nocca-3x2/probe?position={query}"), serde_json::to_value(after.probe().unwrap()).unwrap());
    same(&format!("/api/nocca-3x2/line?position={query}"), serde_json::to_value(after.line().unwrap()).unwrap());
    same("/api/nocca-3x2/stats", serde_json::to_value(game.stats().unwrap()).unwrap());
    assert_eq!(server.get("/api/nocca-3x2/stats.csv").body, game.csv().unwrap().into_bytes());
    let positions = serde_json::to_string(&[game.initial(), child.clone()]).unwrap();
    let both = [start, after.probe().unwrap()];
    assert_eq!(server.post("/api/nocca-3x2/probe", &positions).json(), serde_json::to_value(both).unwrap());
}

#[test]
fn the_rules_answer_whether_a_game_is_solved_or_not() {
    let (_data, server) = server();
    let names = |moves: &serde_json::Value| -> std::collections::BTreeSet<(String, String)> {
        let text = |choice: &serde_json::Value, field: &str| choice[field].as_str().unwrap().to_owned();
        moves.as_array().unwrap().iter().map(|choice| (text(choice, "move"), text(choice, "position"))).collect()
    };
    // A solved game has the same moves by its database.
    let (moves, probe) = (server.get("/api/tictactoe/moves").json(), server.get("/api/tictactoe/probe").json());
    assert_eq!((moves["position"].clone(), moves["ended"].clone()), (probe["position"].clone(), ().into()));
    assert_eq!(names(&moves["moves"]), names(&probe["moves"]));
    // Others have the rules: the hole has moved down, and may not go back at once.
    let before = "11111-00000-00300-00000-22222";
    let start = server.get("/api/ostle/moves").json();
    let after = names(&start["moves"]).into_iter().find(|(name, _)| name == "c3-c2").unwrap().1;
    assert_eq!((start["position"].as_str(), after.split_once('/').unwrap().1), (Some(before), before));
    let next = server.get(&format!("/api/ostle/moves?position={after}")).json();
    let next = names(&next["moves"]);
    assert!(next.iter().any(|(name, _)| name == "c2-b2") && next.iter().all(|(name, _)| name != "c2-c3"));
    // Finished games say how they ended.
    let over = server.get("/api/ostle/moves?position=11100-00000-00300-00000-22222").json();
    assert_eq!((over["ended"].as_str(), over["moves"].as_array().unwrap().len()), (Some("loss"), 0));
    let stuck = server.get("/api/stones-7/moves?position=0").json();
    assert_eq!((stuck["ended"].as_str(), stuck["moves"].as_array().unwrap().len()), (Some("loss"), 0));
    assert_eq!(
        server.get("/api/ostle/moves?position=7").error(),
        (400, "not a position of ostle: '7' at square 1 is none of 0, 1, 2, 3".to_owned())
    );
    assert_eq!(server.get("/api/chess/moves").error().0, 404);
}

#[test]
fn the_longest_wins_have_the_longest_distance() {
    let (_data, server) = server();
    for game in ["tictactoe", "nocca-3x2"] {
        let far = server.get(&format!("/api/{game}/longest")).json();
        let histogram = server.get(&format!("/api/{game}/stats")).json()["histogram"].clone();
        for (part, outcome) in [("wins", "win"), ("losses", "loss")] {
            let bars = histogram.as_array().unwrap().iter().rev();
            let last = bars.into_iter().find(|bar| bar[part].as_u64().unwrap() > 0).unwrap();
            assert_eq!(far[part]["distance"], last["distance"]);
            assert_eq!(far[part]["positions"], last[part]);
            let examples = far[part]["examples"].as_array().unwrap();
            assert_eq!(examples.len() as u64, last[part].as_u64().unwrap().min(100), "{game} {part}");
            let positions: Vec<_> = examples.iter().map(|example| example["position"].clone()).collect();
            let probes = server.post(&format!("/api/{game}/probe"), &serde_json::to_string(&positions).unwrap()).json();
            for probe in probes.as_array().unwrap() {
                assert_eq!((&probe["value"], &probe["distance"]), (&outcome.into(), &last["distance"]), "{probe}");
            }
        }
    }
}

#[test]
fn the_whole_database_is_searched_page_by_page() {
    let (_data, server) = server();
    let stats = server.get("/api/tictactoe/stats").json();
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    loop {
        let asked =
            format!("/api/tictactoe/find?where=value%20%3D%20%27win%27&limit=100&columns=position,distance{cursor}");
        let page = server.get(&asked).json();
        rows.extend(page["rows"].as_array().unwrap().clone());
        match page["cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(rows.len() as u64, stats["wins"].as_u64().unwrap());
    let puzzle = server.get("/api/tictactoe/puzzle?seed=3").json();
    assert_eq!(puzzle, server.get("/api/tictactoe/puzzle?seed=3").json());
    assert!(puzzle["solution"].as_array().unwrap().len() >= 3);
    for (asked, status) in [
        ("find?where=colour%20%3D%203", 400),
        ("find?where=%27", 400),
        ("find?limit=0", 400),
        ("find?limit=100000", 400),
        ("find?cursor=x", 400),
        ("find?colour=3", 400),
        ("puzzle?seed=-1", 400),
    ] {
        assert_eq!(server.get(&format!("/api/tictactoe/{asked}")).error().0, status, "{asked}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_status() {
    let (_data, server) = server();
    let refused = |answer: common::Answer, status: u16, words: &str| {
        let (found, text) = answer.error();
        assert_eq!((found, text.as_str()), (status, words));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    };
    refused(
        server.get("/api/tictactoe/probe?position=X"),
        400,
        "not a position of tictactoe: expected three rows, a space and X or O to move",
    );
    refused(server.get("/api/chess/probe"), 404, "unknown game \"chess\": /api/games lists those there are");
    refused(
        server.get("/api/nocca-3x3/line"),
        404,
        "nocca-3x3 is not solved in the data folder: run `kanzen solve nocca-3x3`",
    );
    refused(server.get("/api/nothing"), 404, "there is no /api/nothing: see /api/openapi.json");
    refused(server.get("/no/page"), 404, "there is no /no/page");
    refused(server.post("/", ""), 405, "the page can only be read");
    refused(
        server.post("/api/tictactoe/probe", r#"[".../.../... X", "?"]"#),
        400,
        "position 2: not a position of tictactoe: expected three rows, a space and X or O to move",
    );
    let many = serde_json::to_string(&vec![".../.../... X"; 1001]).unwrap();
    refused(server.post("/api/tictactoe/probe", &many), 400, "1001 positions, at most 1000 at a time");
    assert_eq!(server.post("/api/tictactoe/probe", "{").error().0, 400);
    assert_eq!(server.post("/api/tictactoe/probe", &" ".repeat(300 << 10)).error().0, 413);
    assert_eq!(server.ask("DELETE", "/api/tictactoe/probe", "", b"").error().0, 405);
    assert_eq!(server.get("/api/%ff/probe").error().0, 400);
    assert_eq!(server.get("/api/tictactoe/probe?position=a&position=b").error().0, 400);
    refused(server.post("/api/nocca-3x3/solve", ""), 403, "this server does not solve: start it with --allow-solve");
}

#[test]
fn another_program_is_named_as_what_one_types() {
    let data = tempfile::tempdir().unwrap();
    let named = kanzen_web::Options { program: "dodgem".to_owned(), ..common::options(data.path(), false) };
    let server = Running::with(Arc::new(catalogue::Games), named);
    assert_eq!(server.get("/api/stones-9/solve").json()["command"], "dodgem solve stones-9");
    let text = "stones-9 is not solved in the data folder: run `dodgem solve stones-9`";
    assert_eq!(server.get("/api/stones-9/probe").error(), (404, text.to_owned()));
    // The page shows that command, and knows no other.
    let offer = String::from_utf8(server.get("/js/solve-offer.js").body).unwrap();
    assert!(offer.contains("command") && !offer.contains("kanzen "), "{offer}");
}

/// Games whose solver counts how often it is asked for a forecast.
struct Forecasted(Arc<AtomicU64>);

struct Counting(Arc<AtomicU64>, RulesOnly);

impl Catalogue for Forecasted {
    fn all(&self) -> Vec<Box<dyn Entry>> {
        let info = GameInfo { id: "tiny".into(), title: "Tiny".into(), rules: "Three in a row.".into() };
        let forecast =
            Forecast { positions: Some(765), seconds: 1.0, memory_bytes: 1 << 20, data_bytes: 9, disk_bytes: 9 };
        vec![Box::new(Catalogued::new(info, TicTacToe, Counting(self.0.clone(), RulesOnly::new(forecast))))]
    }
}

impl Solver<TicTacToe> for Counting {
    fn forecast(&self, game: &TicTacToe) -> Forecast {
        self.0.fetch_add(1, Ordering::Relaxed);
        self.1.forecast(game)
    }

    fn solve(&self, game: &TicTacToe, job: &Job<'_>) -> Result<Solution, Error> {
        self.1.solve(game, job)
    }
}

impl Opener<TicTacToe> for Counting {
    fn open(&self, game: &TicTacToe, database: Database) -> Result<Box<dyn Oracle<TicTacToe>>, Error> {
        self.1.open(game, database)
    }
}

#[test]
fn a_forecast_is_worked_out_once_and_only_for_those_who_want_to_know() {
    let data = tempfile::tempdir().unwrap();
    let asked = Arc::new(AtomicU64::new(0));
    let server = Running::with(Arc::new(Forecasted(asked.clone())), common::options(data.path(), true));
    for path in ["view", "moves", "probe"] {
        server.get(&format!("/api/tiny/{path}"));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    for _ in 0..3 {
        assert_eq!(server.get("/api/games").json()[0]["forecast"]["seconds"], 1.0);
        assert_eq!(server.get("/api/tiny/solve").json()["allowed"], true);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn a_damaged_database_is_a_500_that_names_the_file() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "nocca-3x2");
    let folder = data.path().join("nocca-3x2");
    for file in std::fs::read_dir(&folder).unwrap().flatten().filter(|file| file.file_name() != "manifest.json") {
        let mut bytes = std::fs::read(file.path()).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(file.path(), bytes).unwrap();
    }
    let server = Running::start(data.path(), false);
    let (status, text) = server.get("/api/nocca-3x2/probe").error();
    assert_eq!(status, 500);
    assert!(text.starts_with("nocca-3x2/") && text.contains("damaged"), "{text}");
}

#[test]
fn nothing_beside_the_page_can_be_read() {
    let (_data, server) = server();
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.get("/js/main.js").header("content-type"), Some("text/javascript; charset=utf-8"));
    for path in [
        "/../Cargo.toml",
        "/js/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/js/..%5c..%5cCargo.toml",
        "/tictactoe/manifest.json",
        "/js/",
        "/js",
        "/api/../tictactoe/manifest.json",
        "/api/tictactoe%2fmanifest.json/probe",
        "/api/..%2ftictactoe/probe",
        "/api/./probe",
    ] {
        let answer = server.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
    }
}

#[test]
fn a_solve_needs_leave_and_a_loopback_address() {
    let data = tempfile::tempdir().unwrap();
    let anywhere = "0.0.0.0:0".parse().unwrap();
    let refusal = kanzen_web::Server::bind(anywhere, Arc::new(catalogue::Games), common::options(data.path(), true))
        .err()
        .unwrap();
    assert_eq!(refusal.to_string(), "--allow-solve goes with a loopback address only, and 0.0.0.0:0 is none");

    let server = Running::start(data.path(), true);
    let strange = server.ask("POST", "/api/nocca-3x2/solve", "Origin: http://elsewhere.example\r\n", b"");
    assert_eq!(strange.error(), (403, "only this server's own page may ask for a solve".to_owned()));
    assert_eq!(server.post("/api/stones-9/solve", "").status, 202);
    let solved = || server.get("/api/stones-9/solve").json()["state"] == "solved";
    let start = std::time::Instant::now();
    while !solved() {
        assert!(start.elapsed().as_secs() < 60, "stones-9 is not solved");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(server.get("/api/stones-9/probe").json()["value"], "win");
    assert!(server.get("/api/games").json().as_array().unwrap().iter().any(|game| game["id"] == "stones-9"));
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1, "only the game that was asked for");
}

#[test]
fn answers_are_compressed_and_kept_for_as_long_as_sensible() {
    let (_data, server) = server();
    let small = server.ask("GET", "/api/tictactoe/probe", "Accept-Encoding: gzip\r\n", b"");
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() * 2 < server.get("/api/tictactoe/probe").body.len());
    assert_eq!(server.get("/api/tictactoe/probe").header("cache-control"), Some("public, max-age=3600"));
    assert_eq!(server.get("/api/games").header("cache-control"), Some("no-store"));
    let page = server.get("/js/main.js");
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let tag = page.header("etag").unwrap();
    let again = server.ask("GET", "/js/main.js", &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
}
