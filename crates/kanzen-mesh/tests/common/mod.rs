//! Processes of one program, a thread each, over real sockets.
#![allow(dead_code)] // Each test program uses a part of it.

use std::net::TcpListener;
use std::time::Duration;

use kanzen_mesh::{Hosts, Terms, TimelyMesh, join};

/// How long processes wait for each other.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Addresses that are free.
pub fn hosts(many: usize) -> Hosts {
    let listeners: Vec<TcpListener> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = listeners.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    Hosts::read(&addresses.join("\n")).unwrap()
}

/// What all have to agree on.
pub fn terms(game: &str) -> Terms {
    Terms::new([("the game", game.to_owned())])
}

/// Does the same in some threads that are connected, and tells what came of each.
pub fn together<T: Send>(many: usize, run: impl Fn(TimelyMesh) -> T + Sync) -> Vec<T> {
    let (hosts, run) = (hosts(many), &run);
    std::thread::scope(|scope| {
        let hosts = &hosts;
        let threads: Vec<_> = (0..many)
            .map(|me| scope.spawn(move || run(join(hosts, me, b"swordfish", &terms("chess"), TIMEOUT).unwrap())))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
