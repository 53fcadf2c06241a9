//! One run of a command: what it printed, how long it took, how much memory it held.

use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

/// What a finished run was like. Times and memory are those of the command and the processes it waited for.
pub struct Run {
    pub status: ExitStatus,
    /// What it wrote to standard output.
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

/// Waits for a child as `Child::wait` does, and learns what it used. The standard library does not tell, and
/// `getrusage` would add up all children, with the compilers that `cargo run` waited for before it became us.
fn wait(child: Child) -> io::Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for writes during the call; the child is ours and, since we own `Child`,
        // nobody else has waited for it, so its number cannot belong to another process yet.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_tells_its_output_status_and_time() {
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
}
