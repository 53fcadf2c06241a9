//! Validators: which responses a client may keep, and when it learns of others.

use crate::common::{Answer, Running, solve};

/// Asks with an `If-None-Match` header.
fn known(server: &Running, path: &str, tags: &str) -> Answer {
    server.ask("GET", path, &format!("If-None-Match: {tags}\r\n"), b"")
}

#[test]
fn validators_are_weak_and_may_stand_in_a_list() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "tictactoe");
    let server = Running::start(data.path(), false);
    for path in ["/js/main.js", "/embed.html", "/api/openapi.json", "/api/schemas/probe.json", "/api/tictactoe/probe"] {
        let first = server.get(path);
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path} has no validator"));
        // The bytes of the compressed response differ: a strong validator would claim otherwise.
        assert!(tag.starts_with("w/\""), "{path}: {tag}");
        assert_eq!(server.ask("GET", path, "Accept-Encoding: gzip\r\n", b"").header("etag"), Some(tag), "{path}");
        let weak = tag.replace("w/", "W/");
        let strong = tag.replace("w/", "");
        for tags in [weak.clone(), strong, format!("\"other\", {weak}"), "*".to_owned()] {
            let answer = known(&server, path, &tags);
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{path} {tags}");
            assert_eq!(answer.header("etag"), Some(tag), "{path} {tags}");
            assert!(answer.header("cache-control").is_some_and(|cached| cached.contains("no-cache")), "{path}");
        }
        assert_eq!(known(&server, path, "\"other\", W/\"another\"").status, 200, "{path}");
    }
}

#[test]
fn a_replaced_database_has_another_validator() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "nocca-3x2");
    let server = Running::start(data.path(), false);
    let paths =
        ["probe", "line", "stats", "stats.csv", "longest", "find", "puzzle"].map(|q| format!("/api/nocca-3x2/{q}"));
    let tags = || paths.each_ref().map(|path| server.get(path).header("etag").unwrap_or("none").replace("w/", "W/"));
    let before = tags();
    assert_eq!(before, tags(), "the same database");
    assert!(before.iter().all(|tag| tag != "none"), "{before:?}");
    std::fs::remove_dir_all(data.path().join("nocca-3x2")).unwrap();
    for (path, tag) in paths.iter().zip(&before) {
        assert_eq!(known(&server, path, tag).status, 404, "{path}: it is gone");
    }
    solve(data.path(), "nocca-3x2");
    for (path, tag) in paths.iter().zip(&before) {
        assert_eq!(known(&server, path, tag).status, 200, "{path}: another edition");
    }
    let posted = server.ask("POST", "/api/nocca-3x2/probe", &format!("If-None-Match: {}\r\n", tags()[0]), b"[]");
    assert_eq!((posted.status, posted.header("etag")), (200, None), "a POST is not cached");
}
