//! Runs a command and measures its output, time, memory and disk space.

use std::fs;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A finished run. Times and memory are those of the command and the processes it waited for.
pub struct Run {
    pub status: ExitStatus,
    /// Its standard output.
    pub output: String,
    pub seconds: f64,
    pub user_seconds: f64,
    pub system_seconds: f64,
    pub peak_rss_bytes: u64,
}

/// Runs a command in a folder to its end; what it writes to standard error is shown.
pub fn run(folder: &Path, command: &[&str]) -> Result<Run> {
    let start = Instant::now();
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", command[0]))?;
    let mut output = Vec::new();
    let read = child.stdout.take().expect("it was piped").read_to_end(&mut output);
    let (status, usage) = wait(child).with_context(|| format!("cannot wait for {}", command[0]))?;
    let seconds = start.elapsed().as_secs_f64();
    read.with_context(|| format!("cannot read what {} prints", command[0]))?;
    // Linux counts in units of 1024 bytes, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(Run {
        status,
        output: String::from_utf8_lossy(&output).into_owned(),
        seconds,
        user_seconds: time(usage.ru_utime),
        system_seconds: time(usage.ru_stime),
        peak_rss_bytes: usage.ru_maxrss as u64 * unit,
    })
}

fn time(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// Waits for a child as `Child::wait` does and returns what it used. The standard library does not report that, and
/// `getrusage` adds up all children, with the compilers that `cargo run` waited for before it became this process.
fn wait(child: Child) -> io::Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for writes during the call; the child is ours and, since we own `Child`,
        // no other code has waited for it, so its number cannot belong to another process yet.
        let waited = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, usage.as_mut_ptr()) };
        if waited > 0 {
            // SAFETY: the call filled it in, and a `rusage` of zeros is valid in any case.
            return Ok((ExitStatus::from_raw(status), unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

const EVERY: Duration = Duration::from_millis(500);

/// Measures a folder twice a second while a command runs.
pub struct DiskWatch {
    stop: Sender<()>,
    watcher: JoinHandle<u64>,
}

impl DiskWatch {
    /// Begins: what is in the folder now does not count.
    pub fn start(folder: PathBuf) -> DiskWatch {
        let (stop, stopped) = channel();
        let before = allocated(&folder);
        let watcher = std::thread::spawn(move || {
            let mut most = before;
            loop {
                let ended = stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout);
                most = most.max(allocated(&folder));
                if ended {
                    return most - before;
                }
            }
        });
        DiskWatch { stop, watcher }
    }

    /// The most bytes that were seen beyond those at the start.
    pub fn stop(self) -> u64 {
        drop(self.stop);
        self.watcher.join().unwrap_or(0)
    }
}

/// Bytes that the files below a folder take on the disk. Files come and go meanwhile: what is gone is nothing.
fn allocated(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    let own = metadata.blocks() * 512;
    if !metadata.is_dir() {
        return own;
    }
    let Ok(entries) = fs::read_dir(path) else { return own };
    own + entries.flatten().map(|entry| allocated(&entry.path())).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_its_output_status_and_time() {
        let run = run(Path::new("."), &["sh", "-c", "echo out; sleep 0.05; exit 7"]).unwrap();
        assert_eq!((run.output.as_str(), run.status.code()), ("out\n", Some(7)));
        assert!(run.seconds >= 0.05 && run.user_seconds < run.seconds);
    }

    #[test]
    fn a_busy_child_has_used_the_processor() {
        let run = run(Path::new("."), &["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]).unwrap();
        assert!(run.user_seconds + run.system_seconds > 0.0);
    }

    #[test]
    fn a_command_that_is_not_there_is_an_error() {
        let error = run(Path::new("."), &["no-such-command"]).err().unwrap();
        assert_eq!(error.to_string(), "cannot run no-such-command");
    }

    #[test]
    fn what_is_gone_again_counts_and_what_was_there_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, vec![1; 1 << 20]).unwrap();
        let watch = DiskWatch::start(folder.path().to_owned());
        fs::write(&new, vec![1; 3 << 20]).unwrap();
        fs::File::open(&new).unwrap().sync_all().unwrap(); // some systems allocate late
        std::thread::sleep(3 * EVERY);
        fs::remove_file(&new).unwrap();
        let most = watch.stop();
        assert!((3 << 20..4 << 20).contains(&most), "{most}");
    }
}
