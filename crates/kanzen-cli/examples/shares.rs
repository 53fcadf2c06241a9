//! A class that no process may hold: a game by two, three and four processes of which each may use less than one alone
//! needs. Prints one JSON object for `cargo xtask record`.
//!
//!     cargo run --release -p kanzen-cli --example shares -- KANZEN DATA GAME NEEDS [MANY...]
//!
//! KANZEN is the program, DATA the folder in which one process has solved GAME, NEEDS the bytes that it takes for that,
//! MANY the numbers of processes, if not all three.
//! Each of N processes may use an (N - 1)th of it, so that four have a third each; with that third a process alone must
//! refuse. Every process is one of the system, with one thread, a memory limit and a data folder of its own; the first
//! one's database is compared byte for byte with that of DATA.

use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::{Value as Json, json};

/// What is asked for, and of which program.
struct Trial<'a> {
    kanzen: &'a str,
    known: PathBuf,
    game: &'a str,
    needs: u64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kanzen, data, game, needs, many @ ..] = &words[..] else { panic!("KANZEN DATA GAME NEEDS [MANY...]") };
    let needs = needs.parse().expect("a number of bytes");
    let trial = Trial { kanzen, known: Path::new(data).join(game), game, needs };
    let refused = trial.refused();
    let mut many: Vec<usize> = many.iter().map(|many| many.parse().expect("a number of processes")).collect();
    if many.is_empty() {
        many = vec![4, 3, 2];
    }
    let rows: Vec<Json> = many.into_iter().map(|many| trial.solved_by(many)).collect();
    println!(
        "{}",
        json!({"game": game, "one_needs_bytes": needs, "alone_with_a_third": refused, "by_processes": rows})
    );
}

impl Trial<'_> {
    fn command(&self, data: &Path, memory: u64) -> Command {
        let mut command = Command::new(self.kanzen);
        command.args(["solve", self.game, "--quiet", "--threads", "1", "--memory", &memory.to_string(), "--data"]);
        command.arg(data).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Returns the refusal of a single process that has the memory of one of four.
    fn refused(&self) -> Json {
        let (memory, folder) = (self.needs / 3, tempfile::tempdir().expect("a folder"));
        let output = self.command(folder.path(), memory).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        json!({"memory_bytes": memory, "status": 2, "said": stderr})
    }

    fn solved_by(&self, many: usize) -> Json {
        let memory = self.needs / (many as u64 - 1);
        let folder = tempfile::tempdir().expect("a folder");
        let hosts = folder.path().join("hosts");
        std::fs::write(&hosts, free_addresses(many).join("\n")).expect("it is written");
        let start = Instant::now();
        let started: Vec<Child> = (0..many)
            .map(|me| {
                let mut command = self.command(&folder.path().join(me.to_string()), memory);
                command.arg("--hosts").arg(&hosts).arg("--process").arg(me.to_string());
                command.spawn().expect("it starts")
            })
            .collect();
        let ended: Vec<(u64, f64)> = started.into_iter().map(ended).collect();
        let seconds = start.elapsed().as_secs_f64();
        same_files(&self.known, &folder.path().join("0").join(self.game));
        let peaks: Vec<u64> = ended.iter().map(|one| one.0).collect();
        json!({
            "processes": many, "memory_bytes_each": memory, "peak_rss_bytes": peaks,
            "most_rss_bytes": peaks.iter().max(), "within_budget": peaks.iter().all(|peak| *peak <= memory),
            "cpu_seconds": ended.iter().map(|one| one.1).sum::<f64>(), "seconds": seconds, "same_bytes": true,
        })
    }
}

/// Waits for a process: the most memory it had, and the seconds that it spent on the processor.
fn ended(mut child: Child) -> (u64, f64) {
    let mut stderr = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("text");
    let mut status = 0;
    // SAFETY: a `rusage` of zeros is valid, and the call writes to nothing but it and the status.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(child.id() as i32, &mut status, 0, &mut usage);
        usage
    };
    assert_eq!(status, 0, "{stderr}");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    (usage.ru_maxrss as u64 * 1024, seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

/// Both folders have the same files.
fn same_files(one: &Path, other: &Path) {
    let names = |folder: &Path| -> Vec<_> {
        let mut names: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|f| f.file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in names(one) {
        let read = |folder: &Path| std::fs::read(folder.join(&name)).expect("a file");
        assert!(read(one) == read(other), "{} differs", name.display());
    }
}

/// Addresses of this machine without a listener: all at once, so that they differ.
fn free_addresses(many: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    listeners.iter().map(|one| one.local_addr().expect("it is bound").to_string()).collect()
}
