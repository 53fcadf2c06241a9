//! API tests over real connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{Running, solve};
use kanzen::Error;
use kanzen::catalogue::{Catalogue, Entry, GameInfo};
use kanzen::progress::Silent;
use kanzen_games::{catalogue, tictactoe::TicTacToe};
use kanzen_query::{Opener, Oracle};
use kanzen_solve::{Forecast, Job, RulesOnly, Solution, Solver};
use kanzen_store::Database;

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
    assert_eq!(server.get("/api/nocca-3x2/stats.csv").body, game.stats().unwrap().plain_csv().into_bytes());
    assert_eq!(server.get("/api/nocca-3x2/stats.csv?layout=published").body, game.csv(&Silent).unwrap().into_bytes());
    assert_eq!(server.get("/api/nocca-3x2/stats.csv?layout=paper").status, 400);
    let positions = serde_json::to_string(&[game.initial(), child.clone()]).unwrap();
    let both = [start, after.probe().unwrap()];
    assert_eq!(server.post("/api/nocca-3x2/probe", &positions).json(), serde_json::to_value(both).unwrap());
}

#[test]
fn provenance_matches_the_manifest() {
    let (data, server) = server();
    let provenance = server.get("/api/tictactoe/provenance").json();
    let manifest = data.path().join("tictactoe/manifest.json");
    assert_eq!(provenance["sha256"].as_str(), Some(kanzen_store::sha256_of(&manifest).unwrap().as_str()));
    assert_eq!(provenance["version"], env!("CARGO_PKG_VERSION"));
    let read = kanzen_store::Manifest::read(manifest.parent().unwrap()).unwrap();
    assert_eq!(provenance["rules"], format!("{:016x}", read.fingerprint));
    assert_eq!(provenance["files"], read.files.len());
    assert!(provenance["run"].is_null(), "no recorded run");
    let run = server.get("/api/nocca-3x2/provenance").json()["run"].clone();
    assert_eq!((run["record"].as_str(), run["threads"].as_u64()), (Some("results/nocca-3x2.json"), Some(2)));
    assert!(run["commit"].as_str().unwrap().len() == 40 && run["date"].as_str().unwrap().starts_with("20"), "{run}");
    assert_eq!(server.get("/api/nocca-3x3/provenance").status, 404);
}

#[test]
fn moves_include_the_value_of_endless_play() {
    let (_data, server) = server();
    let endless = |path: &str| server.get(path).json()["endless"].as_str().unwrap().to_owned();
    assert_eq!(endless("/api/nocca-3x2/moves"), "draw");
    // Brown moves first, and loses if black is never caught.
    assert_eq!(endless("/api/musashi-25/moves"), "loss");
}

#[test]
fn other_sites_may_frame_the_embeddable_board_only() {
    let (_data, server) = server();
    let policy = |path: &str| server.get(path).header("content-security-policy").unwrap().to_owned();
    assert!(policy("/").contains("frame-ancestors 'none'"));
    assert!(policy("/api/games").contains("frame-ancestors 'none'"));
    assert!(policy("/embed.html").contains("frame-ancestors *"));
    // The headers of a 304 replace those of the copy that the browser has.
    let known = server.ask("GET", "/embed.html", "If-None-Match: *\r\n", b"");
    assert_eq!(known.status, 304);
    assert!(known.header("content-security-policy").unwrap().contains("frame-ancestors *"));
}

#[test]
fn moves_need_no_database() {
    let (_data, server) = server();
    let names = |moves: &serde_json::Value| -> std::collections::BTreeSet<(String, String)> {
        let text = |choice: &serde_json::Value, field: &str| choice[field].as_str().unwrap().to_owned();
        moves.as_array().unwrap().iter().map(|choice| (text(choice, "move"), text(choice, "position"))).collect()
    };
    // A solved game has the same moves in its database.
    let (moves, probe) = (server.get("/api/tictactoe/moves").json(), server.get("/api/tictactoe/probe").json());
    assert_eq!((moves["position"].clone(), moves["ended"].clone()), (probe["position"].clone(), ().into()));
    assert_eq!(names(&moves["moves"]), names(&probe["moves"]));
    // An unsolved game uses its rules: the hole has moved down and must not move straight back.
    let before = "11111-00000-00300-00000-22222";
    let start = server.get("/api/ostle/moves").json();
    let after = names(&start["moves"]).into_iter().find(|(name, _)| name == "c3-c2").unwrap().1;
    assert_eq!((start["position"].as_str(), after.split_once('/').unwrap().1), (Some(before), before));
    let next = server.get(&format!("/api/ostle/moves?position={after}")).json();
    let next = names(&next["moves"]);
    assert!(next.iter().any(|(name, _)| name == "c2-b2") && next.iter().all(|(name, _)| name != "c2-c3"));
    // A finished game has a result.
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
fn find_returns_the_whole_database_page_by_page() {
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
fn errors_have_a_status_and_a_sentence() {
    let (_data, server) = server();
    let refused = |answer: crate::common::Answer, status: u16, words: &str| {
        let (found, text) = answer.error();
        assert_eq!((found, text.as_str()), (status, words));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    };
    refused(
        server.get("/api/tictactoe/probe?position=X"),
        400,
        "not a position of tictactoe: expected three rows, a space and X or O to move",
    );
    refused(server.get("/api/chess/probe"), 404, "unknown game \"chess\": /api/games lists all games");
    refused(
        server.get("/api/nocca-3x3/line"),
        404,
        "nocca-3x3 is not solved in the data folder: run `kanzen solve nocca-3x3`",
    );
    refused(server.get("/api/nothing"), 404, "there is no /api/nothing: see /api/openapi.json");
    refused(server.get("/no/page"), 404, "there is no /no/page");
    refused(server.post("/", ""), 405, "the page is read-only");
    let many = serde_json::to_string(&vec![".../.../... X"; 1001]).unwrap();
    refused(server.post("/api/tictactoe/probe", &many), 400, "1001 positions, at most 1000 at a time");
    assert_eq!(server.post("/api/tictactoe/probe", "{").error().0, 400);
    assert_eq!(server.post("/api/tictactoe/probe", &" ".repeat(300 << 10)).error().0, 413);
    assert_eq!(server.ask("DELETE", "/api/tictactoe/probe", "", b"").error().0, 405);
    assert_eq!(server.get("/api/%ff/probe").error().0, 400);
    assert_eq!(server.get("/api/tictactoe/probe?position=a&position=b").error().0, 400);
    refused(
        server.post("/api/nocca-3x3/solve", ""),
        403,
        "solving is disabled on this server: start it with --allow-solve",
    );
}

#[test]
fn a_bad_position_does_not_fail_the_rest_of_a_batch() {
    let (_data, server) = server();
    let answers = server.post("/api/tictactoe/probe", r#"[".../.../... X", "?", "OOO/OOO/OOO X", ".../.../..X O"]"#);
    assert_eq!(answers.status, 200);
    let answers = answers.json();
    assert_eq!(answers[0], server.get("/api/tictactoe/probe").json());
    let wrong = "not a position of tictactoe: expected three rows, a space and X or O to move";
    assert_eq!(answers[1], serde_json::json!({ "position": "?", "error": wrong }));
    assert_eq!((answers[2]["position"].as_str(), answers[2].get("value")), (Some("OOO/OOO/OOO X"), None));
    assert_eq!((answers[3]["position"].as_str(), answers[3].get("error")), (Some(".../.../..X O"), None));
}

#[test]
fn a_misspelt_parameter_is_an_error() {
    let (_data, server) = server();
    let (status, text) = server.get("/api/tictactoe/probe?positon=X").error();
    assert_eq!(status, 400);
    assert!(text.contains("unknown field `positon`, expected ") && text.contains("`position`"), "{text}");
    let description: serde_json::Value = serde_json::from_str(kanzen_web::OPENAPI).unwrap();
    for (path, methods) in description["paths"].as_object().unwrap() {
        let asked = format!("{}?positon=1", path.replace("{game}", "tictactoe"));
        for method in methods.as_object().unwrap().keys() {
            assert_eq!(server.ask(&method.to_uppercase(), &asked, "", b"[]").error().0, 400, "{method} {asked}");
        }
    }
    // Static files ignore their query string.
    assert_eq!(server.get("/js/main.js?v=2").status, 200);
}

#[test]
fn advice_names_the_configured_command() {
    let data = tempfile::tempdir().unwrap();
    let named = kanzen_web::Options { program: "dodgem".to_owned(), ..crate::common::options(data.path(), false) };
    let server = Running::with(Arc::new(catalogue::Games), named);
    assert_eq!(server.get("/api/stones-9/solve").json()["command"], "dodgem solve stones-9");
    let text = "stones-9 is not solved in the data folder: run `dodgem solve stones-9`";
    assert_eq!(server.get("/api/stones-9/probe").error(), (404, text.to_owned()));
    // The page shows that command and hard-codes no other.
    let offer = String::from_utf8(server.get("/js/solve-offer.js").body).unwrap();
    assert!(offer.contains("command") && !offer.contains("kanzen "), "{offer}");
}

/// Games whose solver counts the calls of `forecast`.
struct Forecasted(Arc<AtomicU64>);

struct Counting(Arc<AtomicU64>, RulesOnly);

impl Catalogue for Forecasted {
    fn all(&self) -> Vec<Arc<Entry>> {
        let info = GameInfo { id: "tiny".into(), title: "Tiny".into(), rules: "Three in a row.".into() };
        let forecast =
            Forecast { positions: Some(765), seconds: 1.0, memory_bytes: 1 << 20, data_bytes: 9, disk_bytes: 9 };
        vec![Arc::new(Entry::new(info, TicTacToe, Counting(self.0.clone(), RulesOnly::new(forecast))))]
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
    fn open(&self, game: &Arc<TicTacToe>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        self.1.open(game, database)
    }
}

#[test]
fn a_forecast_is_computed_lazily_and_once() {
    let data = tempfile::tempdir().unwrap();
    let forecasts = Arc::new(AtomicU64::new(0));
    let server = Running::with(Arc::new(Forecasted(forecasts.clone())), crate::common::options(data.path(), true));
    for path in ["view", "moves", "probe"] {
        server.get(&format!("/api/tiny/{path}"));
    }
    assert_eq!(forecasts.load(Ordering::Relaxed), 0);
    for _ in 0..3 {
        // One second on the reference machine, more or less on this one.
        let seconds = &server.get("/api/games").json()[0]["forecast"]["seconds"];
        assert!(seconds.as_f64().is_some_and(|seconds| seconds > 0.0), "{seconds}");
        assert_eq!(server.get("/api/tiny/solve").json()["allowed"], true);
    }
    assert_eq!(forecasts.load(Ordering::Relaxed), 1);
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
fn a_replaced_or_repaired_database_is_reopened() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "nocca-3x2");
    let (folder, aside) = (data.path().join("nocca-3x2"), data.path().join("aside"));
    // Replaces files as a restore does: write a temporary file, then rename.
    let change = |change: fn(&mut Vec<u8>)| {
        for file in std::fs::read_dir(&folder).unwrap().flatten().filter(|file| file.file_name() != "manifest.json") {
            let mut bytes = std::fs::read(file.path()).unwrap();
            change(&mut bytes);
            let beside = file.path().with_extension("new");
            std::fs::write(&beside, bytes).unwrap();
            std::fs::rename(beside, file.path()).unwrap();
        }
    };
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    };
    let server = Running::start(data.path(), false);
    let ask = || server.get("/api/nocca-3x2/probe");
    change(flip);
    assert_eq!(ask().status, 500);
    change(flip);
    let answer = ask();
    assert_eq!(answer.status, 200, "repaired");

    std::fs::rename(&folder, &aside).unwrap();
    assert_eq!(ask().status, 404, "removed");
    std::fs::rename(&aside, &folder).unwrap();
    assert_eq!(ask().body, answer.body, "restored");

    // A damaged database replaces it: the server must not answer from the old one.
    std::fs::create_dir(&aside).unwrap();
    change(flip);
    for file in std::fs::read_dir(&folder).unwrap().flatten() {
        std::fs::copy(file.path(), aside.join(file.file_name())).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::rename(&aside, &folder).unwrap();
    let (status, text) = ask().error();
    assert_eq!(status, 500, "exchanged");
    assert!(!text.contains(&data.path().display().to_string()), "{text}");
}

#[test]
fn csrf_and_dns_rebinding_are_rejected() {
    let (_data, server) = server();
    let get = |headers: &str| {
        let head = format!("GET /api/tictactoe/probe HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        server.raw(head.as_bytes())
    };
    let port = server.address.port();
    assert_eq!(get(&format!("Host: localhost:{port}\r\n")).status, 200);
    let rebound = get(&format!("Host: evil.example:{port}\r\n"));
    assert_eq!(rebound.error(), (403, "use localhost or the server's address as host name".to_owned()));
    let foreign = get(&format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"));
    assert_eq!(foreign.error(), (403, "cross-site requests are not allowed: see --cors".to_owned()));
    assert_eq!(get(&format!("Host: localhost:{port}\r\nSec-Fetch-Site: same-origin\r\n")).status, 200);
}

#[test]
fn cors_allows_configured_origins_only() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    let cors = vec!["https://games.example".to_owned()];
    let options = kanzen_web::Options { cors, ..crate::common::options(data.path(), true) };
    let server = Running::with(Arc::new(catalogue::Games), options);
    let from = |origin: &str| {
        let headers = format!("Origin: {origin}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n");
        server.ask("GET", "/api/tictactoe/probe", &headers, b"")
    };
    let named = from("https://games.example");
    assert_eq!((named.status, named.header("access-control-allow-origin")), (200, Some("https://games.example")));
    let other = from("https://evil.example");
    assert_eq!((other.status, other.header("access-control-allow-origin")), (403, None));
    // A POST with JSON needs a preflight request.
    let headers = "Origin: https://games.example\r\nAccess-Control-Request-Method: POST\r\n\
                   Access-Control-Request-Headers: content-type\r\n";
    let preflight = server.ask("OPTIONS", "/api/tictactoe/probe", headers, b"");
    assert_eq!((preflight.status, preflight.header("access-control-allow-headers")), (200, Some("content-type")));
    // Only the server's own page may start a solve.
    let solve = server.ask("POST", "/api/stones-3/solve", "Origin: https://games.example\r\n", b"");
    assert_eq!(solve.status, 403);
    let wrong =
        kanzen_web::Options { cors: vec!["games.example".to_owned()], ..crate::common::options(data.path(), false) };
    let refusal = kanzen_web::Server::bind("127.0.0.1:0".parse().unwrap(), Arc::new(catalogue::Games), wrong);
    let text = r#""games.example" is not an origin: expected one such as https://games.example, or *"#;
    assert_eq!(refusal.err().unwrap().to_string(), text);
}

#[test]
fn metrics_count_answers_by_route_and_status() {
    let (_data, server) = server();
    server.get("/api/tictactoe/probe");
    server.get("/api/nocca-3x2/probe");
    server.get("/api/tictactoe/probe?position=7");
    server.get("/js/main.js");
    let probes = r#"route="/api/{game}/probe",method="GET""#;
    assert_eq!(server.metric(&format!(r#"kanzen_requests_total{{{probes},status="200"}}"#)), 2.0);
    assert_eq!(server.metric(&format!(r#"kanzen_requests_total{{{probes},status="400"}}"#)), 1.0);
    assert_eq!(server.metric(r#"kanzen_requests_total{route="page",method="GET",status="200"}"#), 1.0);
    assert_eq!(server.metric(&format!(r#"kanzen_request_seconds_count{{{probes}}}"#)), 3.0);
    assert_eq!(server.metric(&format!(r#"kanzen_request_seconds_bucket{{{probes},le="+Inf"}}"#)), 3.0);
    assert!(server.metric(&format!(r#"kanzen_request_seconds_sum{{{probes}}}"#)) > 0.0);
    assert_eq!(server.metric("kanzen_open_games"), 2.0);
    assert!(server.metric("kanzen_connections") >= 1.0, "its own");
    assert_eq!(server.metric(r#"kanzen_places_in_use{class="search"}"#), 0.0);
    assert_eq!(server.metric(r#"kanzen_places{class="quick"}"#), 8.0);
    let answer = server.get("/metrics");
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4"));
}

#[test]
fn files_outside_the_page_are_not_served() {
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
fn a_solve_requires_allow_solve_and_a_loopback_address() {
    let data = tempfile::tempdir().unwrap();
    let anywhere = "0.0.0.0:0".parse().unwrap();
    let refusal =
        kanzen_web::Server::bind(anywhere, Arc::new(catalogue::Games), crate::common::options(data.path(), true))
            .err()
            .unwrap();
    assert_eq!(refusal.to_string(), "--allow-solve requires a loopback address, not 0.0.0.0:0");

    let server = Running::start(data.path(), true);
    let strange = server.ask("POST", "/api/nocca-3x2/solve", "Origin: http://elsewhere.example\r\n", b"");
    assert_eq!(strange.error(), (403, "only this server's own page may start or stop a solve".to_owned()));
    let own = format!("Origin: http://{}\r\n", server.address);
    for origins in ["Origin: http://\u{e9}vil.example\r\n".to_owned(), format!("{own}Origin: http://evil.example\r\n")]
    {
        let twice = server.ask("POST", "/api/nocca-3x2/solve", &origins, b"");
        assert_eq!(twice.status, 403, "{origins:?}");
    }
    assert_eq!(server.post("/api/stones-9/solve", "").status, 202);
    let solved = || server.get("/api/stones-9/solve").json()["state"] == "solved";
    let start = std::time::Instant::now();
    while !solved() {
        assert!(start.elapsed().as_secs() < 60, "stones-9 is not solved");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(server.get("/api/stones-9/probe").json()["value"], "win");
    assert!(server.get("/api/games").json().as_array().unwrap().iter().any(|game| game["id"] == "stones-9"));
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1, "only the requested game");
}

#[test]
fn responses_have_compression_and_cache_headers() {
    let (_data, server) = server();
    let small = server.ask("GET", "/api/tictactoe/probe", "Accept-Encoding: gzip\r\n", b"");
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() * 2 < server.get("/api/tictactoe/probe").body.len());
    assert_eq!(server.get("/api/tictactoe/probe").header("cache-control"), Some("public, no-cache"));
    assert_eq!(server.get("/api/games").header("cache-control"), Some("no-store"));
    let page = server.get("/js/main.js");
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let tag = page.header("etag").unwrap().replace("w/", "W/");
    let again = server.ask("GET", "/js/main.js", &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
}
