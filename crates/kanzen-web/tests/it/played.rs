//! The values of a whole game in one request.

use crate::common::{Running, solve};
use serde_json::{Value as Json, json};

fn server() -> (tempfile::TempDir, Running) {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    solve(data.path(), "nocca-3x2");
    let server = Running::start(data.path(), false);
    (data, server)
}

fn played(server: &Running, game: &str, record: &Json) -> Json {
    let answer = server.post(&format!("/api/{game}/game"), &record.to_string());
    assert_eq!(answer.status, 200, "{record}: {answer:?}");
    answer.json()
}

#[test]
fn a_game_of_120_plies_is_one_request() {
    let (_data, server) = server();
    // There and back again.
    let start = server.get("/api/nocca-3x2/probe").json();
    let (mut moves, mut expected) = (Vec::new(), vec![start]);
    while moves.len() < 120 {
        let now = expected.last().unwrap();
        let next = now["moves"].as_array().unwrap().iter().find_map(|choice| {
            let position = choice["position"].as_str().unwrap().replace(' ', "+").replace('/', "%2F");
            let probe = server.get(&format!("/api/nocca-3x2/probe?position={position}")).json();
            (!probe["moves"].as_array().unwrap().is_empty()).then_some((choice["move"].clone(), probe))
        });
        let (mv, probe) = next.expect("a move that does not end the game");
        moves.push(mv);
        expected.push(probe);
    }
    let answer = played(&server, "nocca-3x2", &json!({ "moves": moves }));
    assert_eq!(answer, json!({ "game": "nocca-3x2", "positions": expected }));
    let half = expected[60]["position"].clone();
    let answer = played(&server, "nocca-3x2", &json!({ "position": half, "moves": moves[60..] }));
    assert_eq!(answer["positions"], json!(expected[60..]));
}

#[test]
fn a_game_stops_at_its_first_illegal_move() {
    let (_data, server) = server();
    let answer = played(&server, "tictactoe", &json!({ "moves": ["b2", "a1", "b2", "c3"] }));
    assert_eq!(answer["positions"].as_array().unwrap().len(), 3);
    assert_eq!((&answer["stopped"]["at"], &answer["stopped"]["move"]), (&json!(2), &json!("b2")));
    assert!(answer["stopped"]["error"].as_str().unwrap().contains("b2"), "{answer}");
    let none = played(&server, "tictactoe", &json!({ "moves": [] }));
    assert_eq!(none, json!({ "game": "tictactoe", "positions": [server.get("/api/tictactoe/probe").json()] }));
}

#[test]
fn a_bad_record_is_refused() {
    let (_data, server) = server();
    let status = |game: &str, body: &str| server.post(&format!("/api/{game}/game"), body).error().0;
    assert_eq!(status("tictactoe", r#"{"position": "nonsense", "moves": []}"#), 400);
    assert_eq!(status("tictactoe", r#"{"moves": "b2"}"#), 400);
    assert_eq!(status("tictactoe", r#"{"moves": [], "at": 3}"#), 400);
    assert_eq!(status("tictactoe", &json!({ "moves": vec!["b2"; 1000] }).to_string()), 400);
    assert_eq!(status("tictactoe", &" ".repeat(300 << 10)), 413);
    assert_eq!(status("nocca-3x3", r#"{"moves": []}"#), 404);
    assert_eq!(status("chess", r#"{"moves": []}"#), 404);
    assert_eq!(server.get("/api/tictactoe/game").status, 405);
}
