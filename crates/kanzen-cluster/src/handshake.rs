//! Connects the processes of a cluster: mutual authentication and agreement on the job.
//!
//! ```text
//!   higher number connects             lower number listens
//!                              <──     magic, nonce
//!   magic, kind, number, nonce,
//!   terms, proof               ──>
//!                              <──     mismatch (empty if none), proof
//! ```
//!
//! A proof is a hash of the secret, both nonces and all preceding bytes; the secret itself is never sent. A connection
//! without a valid proof is rejected. A peer with a valid proof but another job is an error for both processes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use kanzen::Error;
use sha2::{Digest, Sha256};

use crate::Hosts;

const MAGIC: [u8; 8] = *b"kanzen-2";
/// Maximum size of the terms of an unauthenticated peer.
const MAX_TERMS: usize = 1 << 14;
/// Timeout of a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// What the processes must agree on before they start: an ordered list of names and values.
///
/// ```
/// use kanzen_cluster::Terms;
/// let ours = Terms::new([("the game", "ostle".to_owned()), ("the version", "1".to_owned())]);
/// let theirs = Terms::new([("the game", "dobutsu".to_owned()), ("the version", "1".to_owned())]);
/// assert_eq!(ours.difference(&theirs).unwrap(), "the game is dobutsu there and ostle here");
/// assert_eq!(ours.difference(&ours), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms(Vec<(String, String)>);

impl Terms {
    /// Creates terms.
    pub fn new<'a>(terms: impl IntoIterator<Item = (&'a str, String)>) -> Terms {
        Terms(terms.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Describes the first difference.
    pub fn difference(&self, theirs: &Terms) -> Option<String> {
        let differs = self.0.iter().zip(&theirs.0).find(|(ours, theirs)| ours != theirs);
        match differs {
            Some(((name, here), (_, there))) => Some(format!("{name} is {there} there and {here} here")),
            None if self.0.len() != theirs.0.len() => Some("it is a different version of this program".to_owned()),
            None => None,
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let line = |(name, value): &(String, String)| {
            let plain = |text: &str| text.replace(char::is_control, " ");
            format!("{}\t{}\n", plain(name), plain(value))
        };
        self.0.iter().map(line).collect::<String>().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Terms {
        let text = String::from_utf8_lossy(bytes);
        let pair = |line: &str| line.split_once('\t').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Terms(text.lines().filter_map(pair).collect())
    }
}

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Parcels = 0,
    Rounds = 1,
    Watch = 2,
}

const KINDS: [Kind; 3] = [Kind::Parcels, Kind::Rounds, Kind::Watch];

/// The connections to another process by kind, `None` until established.
type Streams = [Option<TcpStream>; KINDS.len()];

/// All connections to another process.
pub struct Connections {
    pub parcels: TcpStream,
    pub rounds: TcpStream,
    pub watch: TcpStream,
}

/// The identity and the job of this process.
#[derive(Clone)]
pub struct Party {
    pub hosts: Hosts,
    pub me: usize,
    pub secret: Vec<u8>,
    pub terms: Terms,
}

/// Connects to all other processes. The entry of this process is `None`.
pub fn connect(party: &Party, deadline: Duration) -> Result<Vec<Option<Connections>>, Error> {
    let deadline = Instant::now() + deadline;
    let Party { hosts, me, .. } = party;
    let listener = listen(hosts.address(*me))?;
    let mut streams: Vec<Streams> = (0..hosts.len()).map(|_| Streams::default()).collect();
    for to in 0..*me {
        for kind in KINDS {
            let stream = reach(party, to, kind, deadline, &streams)?;
            streams[to][kind as usize] = Some(stream);
        }
    }
    accept(party, &listener, deadline, &mut streams)?;
    let all =
        |[parcels, rounds, watch]: Streams| Some(Connections { parcels: parcels?, rounds: rounds?, watch: watch? });
    Ok(streams.into_iter().map(all).collect())
}

fn listen(address: &str) -> Result<TcpListener, Error> {
    let refused = |error: io::Error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => "the address is in use: was the same process number given twice?".to_owned(),
            io::ErrorKind::AddrNotAvailable => "it is not an address of this machine".to_owned(),
            _ => error.to_string(),
        };
        Error::BadRequest(format!("cannot listen on {address}: {why}"))
    };
    let listener = TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(listener)
}

/// Returns an error if a connected process has disconnected.
fn check_connected(hosts: &Hosts, streams: &[Streams]) -> Result<(), Error> {
    for (peer, connections) in streams.iter().enumerate() {
        for stream in connections.iter().flatten() {
            stream.set_nonblocking(true).ok();
            let gone = matches!(stream.peek(&mut [0]), Ok(0));
            stream.set_nonblocking(false).ok();
            if gone {
                let reason = "ended before all processes were connected".to_owned();
                return Err(Error::PeerLost { peer: hosts.name(peer), reason });
            }
        }
    }
    Ok(())
}

/// Connects to a process with a lower number. Retries until it listens.
fn reach(party: &Party, to: usize, kind: Kind, deadline: Instant, streams: &[Streams]) -> Result<TcpStream, Error> {
    let address = party.hosts.address(to);
    loop {
        let failed = match dial(address).and_then(|stream| greet(party, stream, kind)) {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(refusal)) => {
                return Err(Error::BadRequest(format!("{} rejected the connection: {refusal}", party.hosts.name(to))));
            }
            Err(error) => error,
        };
        check_connected(&party.hosts, streams)?;
        if Instant::now() >= deadline {
            let reason = format!("is unreachable: {failed}");
            return Err(Error::PeerLost { peer: party.hosts.name(to), reason });
        }
        std::thread::sleep(PAUSE);
    }
}

fn dial(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, HANDSHAKE_TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Performs the client side of a handshake. The inner error is the mismatch that the server reports.
fn greet(party: &Party, mut stream: TcpStream, kind: Kind) -> io::Result<Result<TcpStream, String>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    let theirs: [u8; 40] = read_array(&mut stream)?;
    if theirs[..8] != MAGIC {
        return Ok(Err("another program, or a different version of this one, listens there".to_owned()));
    }
    let nonce = nonce();
    let mut hello = vec![kind as u8];
    hello.extend((party.me as u32).to_le_bytes());
    hello.extend(nonce);
    let terms = party.terms.to_bytes();
    hello.extend((terms.len() as u32).to_le_bytes());
    hello.extend(terms);
    let proof = proof("client", &party.secret, &[&theirs[8..], &hello]);
    stream.write_all(&[&MAGIC[..], &hello, &proof].concat())?;
    let length = u32::from_le_bytes(read_array(&mut stream)?) as usize;
    let mut words = vec![0; length.min(MAX_TERMS)];
    stream.read_exact(&mut words)?;
    let their_proof: [u8; 32] = read_array(&mut stream)?;
    if !words.is_empty() {
        return Ok(Err(String::from_utf8_lossy(&words).replace(char::is_control, " ")));
    }
    if their_proof != self::proof("server", &party.secret, &[&nonce, &theirs[8..]]) {
        return Ok(Err("it has a different secret".to_owned()));
    }
    stream.set_read_timeout(None)?;
    Ok(Ok(stream))
}

/// The result of a handshake with an authenticated peer.
enum Incoming {
    /// The peer has the same job.
    Accepted(usize, Kind, TcpStream),
    /// The peer has a different job.
    Mismatch(usize, String),
}

/// Accepts the processes with higher numbers.
fn accept(party: &Party, listener: &TcpListener, deadline: Instant, streams: &mut [Streams]) -> Result<(), Error> {
    let (sender, incoming): (Sender<Incoming>, Receiver<Incoming>) = channel();
    let taken = Arc::new(std::sync::Mutex::new(Vec::new()));
    loop {
        let Some(missing) = (party.me + 1..streams.len()).find(|&peer| streams[peer].iter().any(Option::is_none))
        else {
            return Ok(());
        };
        while let Ok((stream, _)) = listener.accept() {
            let (party, sender, taken) = (party.clone(), sender.clone(), taken.clone());
            // A silent peer occupies a thread for some seconds and blocks nothing.
            std::thread::Builder::new().spawn(move || receive(&party, stream, &taken, &sender)).ok();
        }
        match incoming.recv_timeout(PAUSE) {
            Ok(Incoming::Accepted(peer, kind, stream)) => streams[peer][kind as usize] = Some(stream),
            Ok(Incoming::Mismatch(peer, difference)) => {
                return Err(Error::BadRequest(format!("{} has a different job: {difference}", party.hosts.name(peer))));
            }
            Err(_) => {}
        }
        check_connected(&party.hosts, streams)?;
        if Instant::now() >= deadline {
            let reason = "did not connect in time".to_owned();
            return Err(Error::PeerLost { peer: party.hosts.name(missing), reason });
        }
    }
}

/// Performs the server side of a handshake. A failed handshake is not an error of this process.
fn receive(
    party: &Party,
    mut stream: TcpStream,
    taken: &std::sync::Mutex<Vec<(usize, u8)>>,
    incoming: &Sender<Incoming>,
) -> Option<()> {
    stream.set_nonblocking(false).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT)).ok()?;
    stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT)).ok()?;
    let ours = nonce();
    stream.write_all(&[&MAGIC[..], &ours].concat()).ok()?;
    let magic: [u8; 8] = read_array(&mut stream).ok()?;
    if magic != MAGIC {
        return None;
    }
    let head: [u8; 41] = read_array(&mut stream).ok()?;
    let length = u32::from_le_bytes([head[37], head[38], head[39], head[40]]) as usize;
    if length > MAX_TERMS {
        return None;
    }
    let mut terms = vec![0; length];
    stream.read_exact(&mut terms).ok()?;
    let their_proof: [u8; 32] = read_array(&mut stream).ok()?;
    let their_nonce = &head[5..37];
    let mut reply = |words: &str| {
        let proof = proof("server", &party.secret, &[their_nonce, &ours]);
        let message = [&(words.len() as u32).to_le_bytes()[..], words.as_bytes(), &proof].concat();
        stream.write_all(&message).ok()
    };
    if their_proof != proof("client", &party.secret, &[&ours, &[&head[..], &terms].concat()]) {
        return reply("wrong secret");
    }
    let peer = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
    if let Some(difference) = Terms::from_bytes(&terms).difference(&party.terms) {
        // Each side gets the difference from its own point of view.
        reply(&difference)?;
        let seen_from_here = party.terms.difference(&Terms::from_bytes(&terms)).unwrap_or_default();
        return incoming.send(Incoming::Mismatch(peer, seen_from_here)).ok();
    }
    let kind = *KINDS.get(usize::from(head[0]))?;
    if peer <= party.me || peer >= party.hosts.len() {
        return reply(&format!("there is no process {peer} in this cluster"));
    }
    {
        let mut taken = taken.lock().ok()?;
        if taken.contains(&(peer, kind as u8)) {
            drop(taken);
            return reply(&format!("process {peer} is already connected"));
        }
        taken.push((peer, kind as u8));
    }
    reply("")?;
    stream.set_read_timeout(None).ok()?;
    stream.set_write_timeout(None).ok()?;
    incoming.send(Incoming::Accepted(peer, kind, stream)).ok()
}

fn read_array<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns a fresh random nonce.
fn nonce() -> [u8; 32] {
    let mut nonce = [0; 32];
    for part in nonce.chunks_mut(8) {
        // The keys of a new state are seeded by the operating system.
        part.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    nonce
}

fn proof(side: &str, secret: &[u8], transcript: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [side.as_bytes(), secret].iter().chain(transcript) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
