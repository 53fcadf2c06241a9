//! Traps and replies over HTTP.

mod common;

use common::{Running, solve};

#[test]
fn a_reply_keeps_the_value_and_unknown_players_are_errors() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    let server = Running::start(data.path(), false);
    let reply = server.get("/api/tictactoe/reply?style=trap&seed=3").json();
    assert_eq!((&reply["style"], &reply["reply"]["value"]), (&"trap".into(), &"draw".into()));
    let corner = reply["reply"]["move"].as_str().unwrap();
    assert!(["a1", "a3", "c1", "c3"].contains(&corner), "{corner} leaves more safe replies than a corner");
    assert_eq!(server.get("/api/tictactoe/reply?level=1").json()["style"], "random");
    assert_eq!(server.get("/api/tictactoe/reply").json()["style"], "solid");
    for wrong in ["style=sly", "style=errs:2", "level=9", "level=1&style=trap", "stile=trap", "seed=x"] {
        let answer = server.get(&format!("/api/tictactoe/reply?{wrong}"));
        assert_eq!(answer.status, 400, "{wrong}");
        assert!(answer.json()["error"].is_string(), "{wrong}");
    }
}

#[test]
fn traps_are_counted_on_request() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    let server = Running::start(data.path(), false);
    let probe = server.get("/api/tictactoe/probe?traps=4").json();
    let corner = probe["moves"].as_array().unwrap().iter().find(|choice| choice["move"] == "a1").unwrap();
    assert_eq!(corner["traps"], serde_json::json!({ "replies": 8, "safe": 1, "slips": 7, "hidden": 7 }));
    assert!(server.get("/api/tictactoe/probe").json()["moves"][0].get("traps").is_none());
    assert_eq!(server.get("/api/tictactoe/probe?traps=many").status, 400);
}
