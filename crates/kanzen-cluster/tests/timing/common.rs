//! Test helpers: a cluster in one program, with one thread per process.
#![allow(dead_code)] // Each test program uses a part.

use std::net::TcpListener;
use std::time::Duration;

use kanzen_cluster::{Hosts, TcpMesh, Terms, join};

/// Timeout for connecting.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns free addresses.
pub fn hosts(many: usize) -> Hosts {
    let listeners: Vec<TcpListener> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = listeners.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    Hosts::read(&addresses.join("\n")).unwrap()
}

/// Returns terms for a game.
pub fn terms(game: &str) -> Terms {
    Terms::new([("the game", game.to_owned())])
}

/// Runs a function in connected threads and returns their results.
pub fn together<T: Send>(many: usize, run: impl Fn(TcpMesh) -> T + Sync) -> Vec<T> {
    let (hosts, run) = (hosts(many), &run);
    std::thread::scope(|scope| {
        let hosts = &hosts;
        let threads: Vec<_> = (0..many)
            .map(|me| scope.spawn(move || run(join(hosts, me, b"swordfish", &terms("chess"), TIMEOUT).unwrap())))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
