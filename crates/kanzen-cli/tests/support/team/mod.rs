//! Starts several processes of one machine that solve together.
#![allow(dead_code)] // each test program uses its part

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{self, Data, Ran, wait};

/// Hosts of some processes on this machine, and the processes.
pub struct Team {
    pub data: Data,
    pub hosts: PathBuf,
    pub addresses: Vec<String>,
}

impl Team {
    pub fn new(many: usize) -> Team {
        let addresses = free_addresses(many);
        let data = Data::new();
        let hosts = data.join("hosts");
        std::fs::write(&hosts, addresses.join("\n")).unwrap();
        Team { data, hosts, addresses }
    }

    /// The command of one process; all have one data folder.
    pub fn command(&self, process: usize, line: &str) -> Command {
        let mut command = common::kanzen();
        command.arg("--data").arg(self.data.join("data")).args(line.split(' '));
        command.arg("--hosts").arg(&self.hosts).arg("--process").arg(process.to_string());
        command.env("KANZEN_SECRET", "swordfish");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, process: usize, line: &str) -> Child {
        self.command(process, line).spawn().unwrap()
    }

    pub fn start_all(&self, line: &str) -> Vec<Child> {
        (0..self.addresses.len()).map(|process| self.start(process, line)).collect()
    }

    /// Waits until all have found each other: then there is a folder for their work.
    pub fn wait_for_work(&self, game: &str) {
        let folder = self.data.join("data").join(format!("{game}.part"));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !folder.exists() && Instant::now() < deadline {
            sleep(Duration::from_millis(20));
        }
    }

    /// The finished database.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.data.files();
        let below = |name: &String| name.strip_prefix("data/").map(str::to_owned);
        files.into_iter().filter_map(|(name, bytes)| Some((below(&name)?, bytes))).collect()
    }
}

/// The database of a process alone.
pub fn alone(game: &str) -> BTreeMap<String, Vec<u8>> {
    let data = Data::new();
    data.stdout(&format!("solve {game} --quiet"));
    data.files()
}

/// Seconds after which all must have ended when one is lost. Ten on a machine that has the time; tests share theirs with
/// a browser and with each other.
pub const LOADED: u64 = 40;

/// Waits for a process, and ends it if it takes too long.
pub fn within(seconds: u64, mut child: Child) -> Ran {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().ok();
            panic!("not ended after {seconds} seconds: {:?}", wait(child));
        }
        sleep(Duration::from_millis(10));
    }
    wait(child)
}

/// Sends a signal to a process.
pub fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").arg(format!("-{signal}")).arg(process.to_string()).status();
    assert!(sent.unwrap().success());
}

/// Returns free addresses of this machine.
pub fn free_addresses(many: usize) -> Vec<String> {
    // All at once, so that they differ.
    let listeners: Vec<TcpListener> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|one| one.local_addr().unwrap().to_string()).collect()
}
