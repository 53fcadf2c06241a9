//! The description of the API against its answers.

mod common;

use std::collections::BTreeSet;

use common::{Answer, Running, solve};
use serde_json::Value as Json;

/// Whether a value is what a schema says; the path of the first place where it is not.
fn check(all: &Json, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = all.pointer(name.trim_start_matches('#')).ok_or(format!("no schema {name}"))?;
        return check(all, target, value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let wrong: Vec<String> = choices.iter().map_while(|choice| check(all, choice, value, at).err()).collect();
        return if wrong.len() < choices.len() { Ok(()) } else { Err(wrong.join(", and ")) };
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let allows = |name: &Json| name == kind || (name == "number" && kind == "integer");
    let fits = schema["type"].as_array().map_or(allows(&schema["type"]), |names| names.iter().any(allows));
    if !fits {
        return Err(format!("{at} is {kind}, expected {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        return Err(format!("{at} is {value}, expected one of {}", schema["enum"]));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        return Err(format!("{at} is {number}, at least {least} expected"));
    }
    if let Some(items) = value.as_array() {
        let count = items.len() as u64;
        if count < schema["minItems"].as_u64().unwrap_or(0) || count > schema["maxItems"].as_u64().unwrap_or(u64::MAX) {
            return Err(format!("{at} has {count} items"));
        }
        for (number, item) in items.iter().enumerate() {
            check(all, &schema["items"], item, &format!("{at}[{number}]"))?;
        }
    }
    if let (Some(fields), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            fields.get(name).ok_or(format!("{at} lacks {name}"))?;
        }
        for (name, field) in fields {
            let schema = known.get(name).ok_or(format!("{at} has {name}, which is not described"))?;
            check(all, schema, field, &format!("{at}.{name}"))?;
        }
    }
    Ok(())
}

#[test]
fn every_answer_is_as_described() {
    let data = tempfile::tempdir().unwrap();
    for game in ["tictactoe", "stones-21", "nocca-3x2"] {
        solve(data.path(), game);
    }
    let server = Running::start(data.path(), true);
    let described = server.get("/api/openapi.json").json();
    assert_eq!(described, serde_json::from_str::<Json>(kanzen_web::OPENAPI).unwrap());
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));

    let mut seen = BTreeSet::new();
    let mut checked = |method: &str, path: &str, asked: &str, answer: Answer| {
        let status = answer.status.to_string();
        let response = &described["paths"][path][method]["responses"][status.as_str()];
        assert!(response.is_object(), "{method} {asked} answers {status}, which is not described");
        let kind = answer.header("content-type").unwrap().split(';').next().unwrap();
        let schema = &response["content"][kind]["schema"];
        assert!(schema.is_object(), "{method} {asked} answers {kind}, which is not described");
        if kind == "application/json" {
            check(&described, schema, &answer.json(), "the answer")
                .unwrap_or_else(|wrong| panic!("{method} {asked}: {wrong}"));
        }
        if answer.status < 300 {
            seen.insert(format!("{method} {path}"));
        }
    };

    let paths: Vec<String> = described["paths"].as_object().unwrap().keys().cloned().collect();
    for path in &paths {
        for game in ["tictactoe", "stones-21", "nocca-3x2", "nocca-3x3", "chess", "%ff"] {
            let asked = path.replace("{game}", game);
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
    let solve = "/api/{game}/solve";
    checked("post", solve, "a game", server.post("/api/nocca-4x2/solve", ""));
    checked("post", solve, "no game", server.post("/api/chess/solve", ""));
    checked("post", solve, "from elsewhere", server.ask("POST", "/api/stones-3/solve", "Origin: http://x\r\n", b""));

    let state = |server: &Running, game: &str| server.get(&format!("/api/{game}/solve")).json()["state"].clone();
    checked("delete", solve, "what is not at work", server.ask("DELETE", "/api/tictactoe/solve", "", b""));
    while state(&server, "nocca-4x2") == "running" {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Long enough to be stopped.
    checked("post", solve, "a large game", server.post("/api/musashi-25/solve", ""));
    let share = loop {
        let progress = server.get("/api/musashi-25/solve").json();
        assert_eq!(progress["state"], "running", "it is not solved before it tells how far it is");
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
fn the_check_finds_what_is_wrong() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "properties": { "a": { "type": ["integer", "null"], "minimum": 0 } }
    });
    let wrong = |value: Json| check(&Json::Null, &schema, &value, "it").err();
    assert_eq!(wrong(serde_json::json!({ "a": 3 })), None);
    assert_eq!(wrong(serde_json::json!({ "a": null })), None);
    assert_eq!(wrong(serde_json::json!({})).unwrap(), "it lacks a");
    assert_eq!(wrong(serde_json::json!({ "a": -1 })).unwrap(), "it.a is -1, at least 0 expected");
    assert_eq!(wrong(serde_json::json!({ "a": 1, "b": 2 })).unwrap(), "it has b, which is not described");
    assert!(wrong(serde_json::json!([])).unwrap().starts_with("it is array"));
}
