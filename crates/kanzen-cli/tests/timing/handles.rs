//! Queries work with few file handles: a database may have more files than a process may open.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::common::{Data, Ran};

/// The command with at most so many files open at a time.
fn limited(data: &Data, handles: u32, line: &str) -> Command {
    let command = data.command(line);
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -n {handles}; exec \"$0\" \"$@\"")]);
    limited.arg(command.get_program()).args(command.get_args()).env_remove("KANZEN_DATA");
    limited.stdin(Stdio::null());
    limited
}

const GAME: &str = "morris-5";
/// Fewer than the database has files.
const HANDLES: u32 = 40;

#[test]
fn everything_works_with_fewer_handles_than_files() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let whole = Data::new();
    whole.stdout(&format!("solve {GAME} --quiet"));
    let questions = ["solve GAME --quiet", "probe GAME", "line GAME", "stats GAME", "verify GAME --full --quiet"];
    for question in questions.map(|question| question.replace("GAME", GAME)) {
        let ran = Ran::of(limited(&data, HANDLES, &question).output().unwrap());
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{question}");
        if !question.starts_with("solve") {
            assert_eq!(ran.stdout, whole.stdout(&question), "{question}");
        }
    }
    assert_eq!(data.files(), whole.files(), "and the database is the same");
    assert!(data.files().len() > HANDLES as usize, "{} files need more than {HANDLES}", data.files().len());
}

#[test]
fn so_does_a_server() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    data.stdout(&format!("solve {GAME} --quiet"));
    let line = "serve --addr 127.0.0.1:0";
    let mut server = limited(&data, HANDLES + 24, line).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    };
    // A line from the start and the longest games go through all layers and all moving classes.
    for path in ["line", "stats", "longest", "probe"] {
        get(&format!("/api/{GAME}/{path}"));
    }
    let longest = get(&format!("/api/{GAME}/longest"));
    assert!(longest.contains("examples"), "{longest}");
    assert!(Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}
