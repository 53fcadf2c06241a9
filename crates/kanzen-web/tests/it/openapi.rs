//! Checks responses against the OpenAPI description.

use std::collections::BTreeSet;

use crate::common::{Answer, Running, solve};
use crate::schema::Schemas;
use serde_json::Value as Json;

#[test]
fn every_response_matches_its_schema() {
    let data = tempfile::tempdir().unwrap();
    for game in ["tictactoe", "stones-21", "nocca-3x2"] {
        solve(data.path(), game);
    }
    let server = Running::start(data.path(), true);
    let described = server.get("/api/openapi.json").json();
    assert_eq!(described, serde_json::from_str::<Json>(kanzen_web::OPENAPI).unwrap());
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));

    let schemas = Schemas::new([("openapi.json", described.clone())]);
    let mut seen = BTreeSet::new();
    let mut checked = |method: &str, path: &str, asked: &str, answer: Answer| {
        let status = answer.status.to_string();
        let response = &described["paths"][path][method]["responses"][status.as_str()];
        assert!(response.is_object(), "{method} {asked} answers {status}, which is not described");
        let kind = answer.header("content-type").unwrap().split(';').next().unwrap();
        let schema = &response["content"][kind]["schema"];
        assert!(schema.is_object(), "{method} {asked} answers {kind}, which is not described");
        if kind == "application/json" {
            schemas
                .check("openapi.json", schema, &answer.json())
                .unwrap_or_else(|wrong| panic!("{method} {asked}: {wrong}"));
        }
        if answer.status < 300 {
            seen.insert(format!("{method} {path}"));
        }
    };

    let paths: Vec<String> = described["paths"].as_object().unwrap().keys().cloned().collect();
    for path in paths.iter().filter(|path| described["paths"][*path]["get"].is_object()) {
        for game in ["tictactoe", "stones-21", "nocca-3x2", "nocca-3x3", "chess", "%ff"] {
            let asked =
                path.replace("{game}", game).replace("{schema}", if game == "chess" { game } else { "probe.json" });
            checked("get", path, &asked, server.get(&asked));
            if path.contains("{game}") {
                let wrong = format!("{asked}?position=nonsense");
                checked("get", path, &wrong, server.get(&wrong));
            }
        }
    }
    let probe = "/api/{game}/probe";
    for body in [r#"[".../.../... X", "XXX/OO./... O"]"#, "[]", r#"["?"]"#, "nonsense", &" ".repeat(300 << 10)] {
        checked("post", probe, body, server.post("/api/tictactoe/probe", body));
    }
    let game = "/api/{game}/game";
    for body in [r#"{"moves": ["b2", "a1"]}"#, r#"{"moves": ["b2", "z9"]}"#, "nonsense", &" ".repeat(300 << 10)] {
        checked("post", game, body, server.post("/api/tictactoe/game", body));
    }
    checked("post", game, "an unsolved game", server.post("/api/nocca-3x3/game", r#"{"moves": []}"#));
    let elsewhere = "Sec-Fetch-Site: cross-site\r\n";
    for path in ["/api/{game}/find", "/api/{game}/puzzle", probe] {
        let asked = path.replace("{game}", "tictactoe");
        checked("get", path, "from another site", server.ask("GET", &asked, elsewhere, b""));
    }
    let solve = "/api/{game}/solve";
    checked("post", solve, "a game", server.post("/api/nocca-4x2/solve", ""));
    checked("post", solve, "no game", server.post("/api/chess/solve", ""));
    checked("post", solve, "from elsewhere", server.ask("POST", "/api/stones-3/solve", "Origin: http://x\r\n", b""));

    let state = |server: &Running, game: &str| server.get(&format!("/api/{game}/solve")).json()["state"].clone();
    checked("delete", solve, "no running solve", server.ask("DELETE", "/api/tictactoe/solve", "", b""));
    while state(&server, "nocca-4x2") == "running" {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Takes long enough to be stopped.
    checked("post", solve, "a large game", server.post("/api/musashi-25/solve", ""));
    let share = loop {
        let progress = server.get("/api/musashi-25/solve").json();
        assert_eq!(progress["state"], "running", "a running solve reports its progress");
        if let Some(share) = progress["share"].as_f64() {
            break share;
        }
    };
    assert!((0.0..=1.0).contains(&share), "{share} of the solve is done");
    checked("delete", solve, "a large game", server.ask("DELETE", "/api/musashi-25/solve", "", b""));
    checked(
        "delete",
        solve,
        "from elsewhere",
        server.ask("DELETE", "/api/musashi-25/solve", "Origin: http://x\r\n", b""),
    );
    while state(&server, "musashi-25") == "running" {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(state(&server, "musashi-25"), "unsolved", "what was cancelled has not failed");

    let methods = described["paths"].as_object().unwrap().iter();
    let all =
        methods.flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(move |m| format!("{m} {path}")));
    assert_eq!(seen, all.collect::<BTreeSet<_>>(), "every question was asked and answered");
}

#[test]
fn every_schema_is_served() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), false);
    let names = server.get("/api/schemas").json();
    assert!(names.as_array().unwrap().contains(&"probe.json".into()), "{names}");
    for name in names.as_array().unwrap() {
        let answer = server.get(&format!("/api/schemas/{}", name.as_str().unwrap()));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/schema+json")), "{name}");
        assert_eq!(answer.json()["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
    for wrong in ["/api/schemas/", "/api/schemas/..%2fopenapi.json", "/api/schemas/absent.json"] {
        assert_eq!(server.get(wrong).status, 404, "{wrong}");
    }
}
