//! Connecting the processes: who is there, and whether all are about to do the same.
//!
//! ```text
//!   higher number connects             lower number listens
//!                              <──     magic, nonce
//!   magic, kind, number, nonce,
//!   terms, proof               ──>
//!                              <──     what does not fit (nothing), proof
//! ```
//!
//! A proof is a hash of the secret with both nonces and all that was said: the secret itself is never sent. Whoever
//! cannot prove it is a stray, and is turned away; whoever can but is about to do something else ends both.

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
/// What a stranger says may not be longer.
const MOST_TERMS: usize = 1 << 14;
/// How long a stranger may take to say it.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// What the processes must agree on before they begin: names and values, all in the same order.
///
/// ```
/// use kanzen_mesh::Terms;
/// let ours = Terms::new([("the game", "ostle".to_owned()), ("the version", "1".to_owned())]);
/// let theirs = Terms::new([("the game", "dobutsu".to_owned()), ("the version", "1".to_owned())]);
/// assert_eq!(ours.difference(&theirs).unwrap(), "the game is dobutsu there and ostle here");
/// assert_eq!(ours.difference(&ours), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms(Vec<(String, String)>);

impl Terms {
    /// These terms.
    pub fn new<'a>(terms: impl IntoIterator<Item = (&'a str, String)>) -> Terms {
        Terms(terms.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The first thing that differs, in words.
    pub fn difference(&self, theirs: &Terms) -> Option<String> {
        let differs = self.0.iter().zip(&theirs.0).find(|(ours, theirs)| ours != theirs);
        match differs {
            Some(((name, here), (_, there))) => Some(format!("{name} is {there} there and {here} here")),
            None if self.0.len() != theirs.0.len() => Some("it is another version of this program".to_owned()),
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

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Parcels = 0,
    Rounds = 1,
    Watch = 2,
}

const KINDS: [Kind; 3] = [Kind::Parcels, Kind::Rounds, Kind::Watch];

/// The connections to another process, by kind, as they come.
type Streams = [Option<TcpStream>; KINDS.len()];

/// All connections to another process.
pub struct Connections {
    pub parcels: TcpStream,
    pub rounds: TcpStream,
    pub watch: TcpStream,
}

/// Who this process is, and what it is about to do.
#[derive(Clone)]
pub struct Party {
    pub hosts: Hosts,
    pub me: usize,
    pub secret: Vec<u8>,
    pub terms: Terms,
}

/// Connects with all other processes; nothing in this one's place.
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
            io::ErrorKind::AddrInUse => "another process has this address: was the same number given twice?".to_owned(),
            io::ErrorKind::AddrNotAvailable => "that is not an address of this machine".to_owned(),
            _ => error.to_string(),
        };
        Error::BadRequest(format!("cannot listen on {address}: {why}"))
    };
    let listener = TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(listener)
}

/// Refuses to wait any longer if a process that was connected is gone.
fn all_there(hosts: &Hosts, streams: &[Streams]) -> Result<(), Error> {
    for (peer, connections) in streams.iter().enumerate() {
        for stream in connections.iter().flatten() {
            stream.set_nonblocking(true).ok();
            let gone = matches!(stream.peek(&mut [0]), Ok(0));
            stream.set_nonblocking(false).ok();
            if gone {
                let reason = "has ended before all were there".to_owned();
                return Err(Error::PeerLost { peer: hosts.name(peer), reason });
            }
        }
    }
    Ok(())
}

/// Connects to a process with a lower number, as soon as it is there.
fn reach(party: &Party, to: usize, kind: Kind, deadline: Instant, streams: &[Streams]) -> Result<TcpStream, Error> {
    let address = party.hosts.address(to);
    loop {
        let failed = match dial(address).and_then(|stream| greet(party, stream, kind)) {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(refusal)) => return Err(Error::BadRequest(format!("{} refuses: {refusal}", party.hosts.name(to)))),
            Err(error) => error,
        };
        all_there(&party.hosts, streams)?;
        if Instant::now() >= deadline {
            let reason = format!("could not be reached: {failed}");
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

/// Says who this is. The inner error is what the other side says does not fit.
fn greet(party: &Party, mut stream: TcpStream, kind: Kind) -> io::Result<Result<TcpStream, String>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    let theirs: [u8; 40] = read_array(&mut stream)?;
    if theirs[..8] != MAGIC {
        return Ok(Err("something else listens there, or another version of this program".to_owned()));
    }
    let nonce = nonce();
    let mut said = vec![kind as u8];
    said.extend((party.me as u32).to_le_bytes());
    said.extend(nonce);
    let terms = party.terms.to_bytes();
    said.extend((terms.len() as u32).to_le_bytes());
    said.extend(terms);
    let proof = proof("client", &party.secret, &[&theirs[8..], &said]);
    stream.write_all(&[&MAGIC[..], &said, &proof].concat())?;
    let length = u32::from_le_bytes(read_array(&mut stream)?) as usize;
    let mut words = vec![0; length.min(MOST_TERMS)];
    stream.read_exact(&mut words)?;
    let their_proof: [u8; 32] = read_array(&mut stream)?;
    if !words.is_empty() {
        return Ok(Err(String::from_utf8_lossy(&words).replace(char::is_control, " ")));
    }
    if their_proof != self::proof("server", &party.secret, &[&nonce, &theirs[8..]]) {
        return Ok(Err("it does not know the secret".to_owned()));
    }
    stream.set_read_timeout(None)?;
    Ok(Ok(stream))
}

/// What came of a stranger.
enum Guest {
    /// A process that fits.
    Welcome(usize, Kind, TcpStream),
    /// One that knows the secret, but is about to do something else.
    Differs(usize, String),
}

/// Waits for the processes with higher numbers.
fn accept(party: &Party, listener: &TcpListener, deadline: Instant, streams: &mut [Streams]) -> Result<(), Error> {
    let (sender, guests): (Sender<Guest>, Receiver<Guest>) = channel();
    let taken = Arc::new(std::sync::Mutex::new(Vec::new()));
    loop {
        let Some(missing) = (party.me + 1..streams.len()).find(|&peer| streams[peer].iter().any(Option::is_none))
        else {
            return Ok(());
        };
        while let Ok((stream, _)) = listener.accept() {
            let (party, sender, taken) = (party.clone(), sender.clone(), taken.clone());
            // Whoever says nothing keeps a thread for some seconds, and nobody waiting.
            std::thread::Builder::new().spawn(move || receive(&party, stream, &taken, &sender)).ok();
        }
        match guests.recv_timeout(PAUSE) {
            Ok(Guest::Welcome(peer, kind, stream)) => streams[peer][kind as usize] = Some(stream),
            Ok(Guest::Differs(peer, difference)) => {
                return Err(Error::BadRequest(format!("{} does not fit: {difference}", party.hosts.name(peer))));
            }
            Err(_) => {}
        }
        all_there(&party.hosts, streams)?;
        if Instant::now() >= deadline {
            let reason = "did not come in time".to_owned();
            return Err(Error::PeerLost { peer: party.hosts.name(missing), reason });
        }
    }
}

/// Hears who a stranger is. Nothing that he does is an error of ours.
fn receive(
    party: &Party,
    mut stream: TcpStream,
    taken: &std::sync::Mutex<Vec<(usize, u8)>>,
    guests: &Sender<Guest>,
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
    if length > MOST_TERMS {
        return None;
    }
    let mut terms = vec![0; length];
    stream.read_exact(&mut terms).ok()?;
    let their_proof: [u8; 32] = read_array(&mut stream).ok()?;
    let their_nonce = &head[5..37];
    let mut answer = |words: &str| {
        let proof = proof("server", &party.secret, &[their_nonce, &ours]);
        let message = [&(words.len() as u32).to_le_bytes()[..], words.as_bytes(), &proof].concat();
        stream.write_all(&message).ok()
    };
    if their_proof != proof("client", &party.secret, &[&ours, &[&head[..], &terms].concat()]) {
        return answer("the secret is another one");
    }
    let peer = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
    if let Some(difference) = Terms::from_bytes(&terms).difference(&party.terms) {
        // In the words of the one who hears it.
        answer(&difference)?;
        let seen_from_here = party.terms.difference(&Terms::from_bytes(&terms)).unwrap_or_default();
        return guests.send(Guest::Differs(peer, seen_from_here)).ok();
    }
    let kind = *KINDS.get(usize::from(head[0]))?;
    if peer <= party.me || peer >= party.hosts.len() {
        return answer(&format!("there is no place for a process {peer}"));
    }
    {
        let mut taken = taken.lock().ok()?;
        if taken.contains(&(peer, kind as u8)) {
            drop(taken);
            return answer(&format!("there is a process {peer} already"));
        }
        taken.push((peer, kind as u8));
    }
    answer("")?;
    stream.set_read_timeout(None).ok()?;
    stream.set_write_timeout(None).ok()?;
    guests.send(Guest::Welcome(peer, kind, stream)).ok()
}

fn read_array<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Bytes that were never sent before.
fn nonce() -> [u8; 32] {
    let mut nonce = [0; 32];
    for part in nonce.chunks_mut(8) {
        // The keys of a new state are drawn by the system.
        part.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    nonce
}

fn proof(side: &str, secret: &[u8], said: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [side.as_bytes(), secret].iter().chain(said) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
