//! `kanzen serve` as a process: the first line contains the address, a signal ends it well.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Data, kanzen};

/// A server on a free port, and its address.
fn serve(data: &Data, more: &[&str]) -> (Child, String) {
    let mut server = kanzen()
        .args(["serve", "--addr", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("Kanzen's explorer is at http://").and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
    (server, address)
}

/// Asks for it to end. The shell's own kill: the standard library sends no SIGTERM.
fn end(server: &Child) {
    assert!(Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
}

fn rest(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_first_line_contains_the_address_and_a_signal_ends_it() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let (mut server, address) = serve(&data, &[]);
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let answer = rest(stream);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(r#""id":"tictactoe""#), "{answer}");
    end(&server);
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn what_is_in_flight_when_the_signal_comes_is_answered() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    assert_eq!(data.run("solve tictactoe").status, Some(0));
    let (mut server, address) = serve(&data, &[]);
    let mut stream = TcpStream::connect(&address).unwrap();
    let body = br#"[".../.../... X"]"#;
    let head =
        format!("POST /api/tictactoe/probe HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body[..5]).unwrap();
    sleep(Duration::from_millis(300)); // it is being read
    end(&server);
    sleep(Duration::from_millis(500));
    stream.write_all(&body[5..]).unwrap();
    let answer = rest(stream);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(r#""value":"draw""#), "{answer}");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_log_has_a_line_for_each_request() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let (mut server, address) = serve(&data, &["--log"]);
    for path in ["/api/tictactoe/moves", "/nowhere"] {
        let mut stream = TcpStream::connect(&address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        rest(stream);
    }
    sleep(Duration::from_millis(200)); // lines are written behind the answers
    end(&server);
    assert_eq!(server.wait().unwrap().code(), Some(0));
    let mut log = String::new();
    server.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].contains(r#" 127.0.0.1 "GET /api/tictactoe/moves" 200 "#), "{log}");
    assert!(lines[1].contains(r#" 127.0.0.1 "GET /nowhere" 404 "#), "{log}");
}
