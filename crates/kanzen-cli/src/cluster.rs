//! Starts and connects the processes of a distributed command.
//!
//! ```text
//! --hosts FILE --process I    one of those that the file names, a line each; the others run the same command
//! --processes N               this process and N - 1 others that it starts, on this machine
//! ```
//!
//! The first one (number 0) has the terminal: it shows progress, prints the answer and reports errors, also those
//! of the others, which print nothing unless something fails.

use std::net::{IpAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use kanzen::catalogue::Entry;
use kanzen::progress::Observer;
use kanzen::{Budget, Error};
use kanzen_cluster::{Hosts, TcpMesh, Terms, join, random_secret};
use kanzen_core::mesh::Mesh;
use kanzen_query::Means;

use crate::progress::Progress;
use crate::settings::Settings;
use crate::throughput::Throughput;

/// The shared secret of all processes; never an option, which others on the machine could read.
const SECRET: &str = "KANZEN_SECRET";
/// Passes a process started by `--processes` its number, its memory and the addresses of all.
const STARTED: &str = "KANZEN_MESH_PROCESS";
/// Where the numbers of processes come from that a scheduler has started.
const NUMBERS: [&str; 5] = ["SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "JOB_COMPLETION_INDEX"];
/// How many seconds the processes wait for each other at the start, unless this variable overrides it: for tests.
const TIMEOUT: u64 = 120;
const TIMEOUT_VARIABLE: &str = "KANZEN_MESH_SECONDS";
/// Where this process listens, if not at its address in the hosts file.
const LISTEN: &str = "KANZEN_MESH_LISTEN";
/// Characters of a secret between machines, at least: base64 has so many for 128 bits.
const SECRET_LENGTH: usize = 22;
/// How long those that were started may take to end by themselves.
const ENDING: Duration = Duration::from_secs(2);

/// The options for several processes.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Several processes")]
pub struct Cluster {
    /// A file with a line `host:port` for each process; the same command runs on each
    #[arg(long, value_name = "FILE", conflicts_with = "processes")]
    hosts: Option<PathBuf>,

    /// The number of this process, from 0 [default: that of Slurm, MPI or Kubernetes]
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,

    /// So many processes on this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    processes: Option<u64>,
}

/// How a process begins.
struct Start {
    hosts: Hosts,
    me: usize,
    budget: Budget,
    secret: String,
    children: Vec<Child>,
}

/// This process and the others.
pub struct Team {
    mesh: Option<TcpMesh>,
    children: Vec<Child>,
    /// What this process may use.
    pub budget: Budget,
}

impl Cluster {
    /// Connects with the others, which do the same for the same purpose; nothing if there are none.
    pub fn join(&self, purpose: &str, entry: &Entry, settings: &Settings) -> anyhow::Result<Option<Team>> {
        let Some(Start { hosts, me, budget, secret, children }) = self.start(settings)? else { return Ok(None) };
        let mut team = Team { mesh: None, children, budget };
        let terms = Terms::new([
            ("the version", env!("CARGO_PKG_VERSION").to_owned()),
            ("the commit", env!("KANZEN_COMMIT").to_owned()),
            ("the number of processes", hosts.len().to_string()),
            ("the command", purpose.to_owned()),
            ("the game", entry.info().id.clone()),
            ("the fingerprint of the rules", format!("{:016x}", entry.fingerprint()?)),
        ]);
        let limit = std::env::var(TIMEOUT_VARIABLE).ok().and_then(|seconds| seconds.parse().ok());
        let limit = Duration::from_secs(limit.unwrap_or(TIMEOUT));
        team.mesh = Some(join(&hosts, me, secret.as_bytes(), &terms, limit)?);
        Ok(Some(team))
    }

    /// Where all are, and who this one is; starts the others, if they are to be on this machine.
    fn start(&self, settings: &Settings) -> anyhow::Result<Option<Start>> {
        let secret = std::env::var(SECRET).unwrap_or_default();
        if let Some(file) = &self.hosts {
            let what = || format!("cannot read {}", file.display());
            let hosts = Hosts::read(&std::fs::read_to_string(file).with_context(what)?);
            let hosts = hosts.map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))?;
            let me = match self.process {
                Some(me) => me,
                None => number_of(|name| std::env::var(name).ok())
                    .context("give --process I, the number of this process: no scheduler has set it")?,
            };
            anyhow::ensure!(
                me < hosts.len(),
                "{} names {} processes, from 0 to {}: there is no process {me}",
                file.display(),
                hosts.len(),
                hosts.len() - 1
            );
            let far = (0..hosts.len()).map(|at| hosts.address(at)).find(|address| !is_loopback(address));
            if let Some(far) = far.filter(|_| secret.len() < SECRET_LENGTH) {
                anyhow::bail!(
                    "{far} is another machine: set {SECRET} to the same random words for all processes, at least \
                     {SECRET_LENGTH} characters (head -c 24 /dev/urandom | base64)"
                );
            }
            let hosts = match std::env::var(LISTEN) {
                Ok(address) => hosts.listening_at(&address),
                Err(_) => hosts,
            };
            return Ok(Some(Start { hosts, me, budget: settings.budget, secret, children: Vec::new() }));
        }
        let many = self.processes.unwrap_or(1) as usize;
        if many == 1 {
            return Ok(None);
        }
        if let Ok(started) = std::env::var(STARTED) {
            let (hosts, me, memory) = parse_started(&started).context("KANZEN_MESH_PROCESS is not for people")?;
            end_with_the_parent()?;
            let budget = Budget::new(share_of_threads(settings, many), memory);
            return Ok(Some(Start { hosts, me, budget, secret, children: Vec::new() }));
        }
        let addresses = free_addresses(many)?;
        let text = addresses.join("\n");
        let hosts = Hosts::read(&text).map_err(|wrong| anyhow::anyhow!("the addresses of this machine: {wrong}"))?;
        let memory = settings.budget.memory / many as u64;
        let secret = random_secret()?;
        let mut children = Vec::new();
        for me in 1..many {
            let child = Command::new(std::env::current_exe().context("cannot find this program")?)
                .args(std::env::args_os().skip(1))
                .env(SECRET, &secret)
                .env(STARTED, format!("{me};{memory};{}", addresses.join(",")))
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .context("cannot start another process");
            match child {
                Ok(child) => children.push(child),
                Err(error) => {
                    end(&mut children, Duration::ZERO);
                    return Err(error);
                }
            }
        }
        let budget = Budget::new(share_of_threads(settings, many), memory);
        Ok(Some(Start { hosts, me: 0, budget, secret, children }))
    }
}

impl Team {
    /// The other processes.
    pub fn mesh(&self) -> &dyn Mesh {
        self.mesh.as_ref().expect("it is there until the end")
    }

    /// What shows how all are getting on, on the terminal of the first.
    pub fn progress(&self, game: &str, settings: &Settings) -> Progress {
        let progress = Progress::new(game, settings.quiet || !self.is_first());
        match &self.mesh {
            Some(mesh) => progress.with(Throughput::new(mesh.pulses(), mesh.hosts()).status()),
            None => progress,
        }
    }

    /// What a question that all are asked may use here.
    pub fn means<'a>(&'a self, observer: &'a dyn Observer) -> Means<'a> {
        Means { budget: self.budget, observer, mesh: self.mesh() }
    }

    /// Whether this process has the terminal.
    pub fn is_first(&self) -> bool {
        self.mesh().me() == 0
    }

    /// Ends together with the others: in good order, or with what went wrong.
    pub fn conclude<T>(mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        match outcome {
            Ok(answer) => {
                let mesh = self.mesh.take().expect("it is there until the end");
                mesh.leave().map(|()| answer)
            }
            Err(error) => {
                self.abandon(&error);
                Err(error)
            }
        }
    }

    /// Leaves the cluster after an error, and sends the others the reason.
    pub fn abandon(mut self, why: &Error) {
        self.mesh.take().expect("it is there until the end").abandon(why);
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        end(&mut self.children, ENDING);
    }
}

/// Waits for processes that this one has started; those that do not end by themselves are ended.
fn end(children: &mut Vec<Child>, limit: Duration) {
    let deadline = Instant::now() + limit;
    for mut child in children.drain(..) {
        while let Ok(None) = child.try_wait() {
            if Instant::now() >= deadline {
                child.kill().ok();
                child.wait().ok();
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The number that a scheduler has given to this process.
fn number_of(variable: impl Fn(&str) -> Option<String>) -> Option<usize> {
    NUMBERS.iter().find_map(|name| variable(name)?.parse().ok())
}

fn share_of_threads(settings: &Settings, processes: usize) -> usize {
    (settings.budget.threads / processes).max(1)
}

fn parse_started(text: &str) -> Option<(Hosts, usize, u64)> {
    let mut parts = text.splitn(3, ';');
    let (me, memory) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((Hosts::read(&parts.next()?.replace(',', "\n")).ok()?, me, memory))
}

/// Returns free addresses of this machine.
fn free_addresses(many: usize) -> anyhow::Result<Vec<String>> {
    // All at once, so that they differ.
    let listeners: Vec<TcpListener> =
        (0..many).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>().context("no free ports")?;
    listeners.iter().map(|listener| Ok(listener.local_addr()?.to_string())).collect()
}

fn is_loopback(address: &str) -> bool {
    address.to_socket_addrs().is_ok_and(|mut all| {
        all.all(|address| match address.ip() {
            IpAddr::V4(ip) => ip.is_loopback(),
            IpAddr::V6(ip) => ip.is_loopback(),
        })
    })
}

/// Ends this process when the one that has started it ends, however that happens: its end of the pipe closes.
fn end_with_the_parent() -> anyhow::Result<()> {
    let wait = || {
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).ok();
        std::process::exit(2);
    };
    std::thread::Builder::new().name("parent".into()).spawn(wait).context("cannot start a thread")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheduler_sets_the_number() {
        let of = |known: &'static str| number_of(move |name| (name == known).then(|| "7".to_owned()));
        assert_eq!((of("SLURM_PROCID"), of("JOB_COMPLETION_INDEX"), of("HOME")), (Some(7), Some(7), None));
    }

    #[test]
    fn the_variable_of_a_started_process_is_parsed() {
        let (hosts, me, memory) = parse_started("2;1000;127.0.0.1:4,127.0.0.1:5,127.0.0.1:6").unwrap();
        assert_eq!((hosts.len(), me, memory), (3, 2, 1000));
        assert!(parse_started("2;1000").is_none());
    }
}
