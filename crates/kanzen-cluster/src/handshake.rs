//! Connects the processes of a cluster: mutual authentication and agreement on the job.
//!
//! ```text
//!   higher number connects                       lower number listens
//!   magic, both numbers
//!   length, Noise message 1: e, terms   ──>
//!                                       <──      length, Noise message 2: e, ee, mismatch (empty if none)
//!   record, empty                       ──>
//!                                       <──      record: refusal (empty if none)
//! ```
//!
//! `Noise_NNpsk0_25519_AESGCM_SHA256`: both messages are encrypted under keys that depend on the secret, the second one
//! and all records also on ephemeral keys. Magic and numbers are the prologue, and the list of hosts is one of the terms,
//! so that no message of one run, or between two processes, is accepted in another. The listening process sends nothing
//! before the other one has proven that it knows the secret, except a length of 0, and accepts no peer before the empty
//! record, which cannot be replayed. A peer with the right secret but another job is an error for both processes.
//!
//! Who takes the address of a listening process can test guesses of the secret on the first message. A guess costs as
//! much as [`STRETCHING`] hashes; the documentation asks for 128 random bits, which cannot be guessed.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::num::NonZeroU32;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kanzen::Error;
use ring::{digest, pbkdf2, rand};
use snow::{Builder, HandshakeState};

use crate::Hosts;
use crate::primitives::Primitives;
use crate::record::{MAX_RECORD, Opener, Sealer, directions};

const MAGIC: [u8; 8] = *b"kanzen-3";
const PATTERN: &str = "Noise_NNpsk0_25519_AESGCM_SHA256";
/// Maximum size of a message of the handshake, and so of the terms.
const MAX_MESSAGE: usize = 1 << 14;
/// Hashes between the secret and the key: some hundredths of a second.
const STRETCHING: NonZeroU32 = NonZeroU32::new(100_000).unwrap();
/// Timeout of a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// Returns a fresh secret of 128 random bits, in hexadecimal.
pub fn random_secret() -> Result<String, Error> {
    let random = rand::generate::<[u8; 16]>(&rand::SystemRandom::new());
    let random = random.map_err(|_| Error::BadRequest("the system has no random numbers".to_owned()))?;
    Ok(random.expose().iter().map(|byte| format!("{byte:02x}")).collect())
}

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

/// A connection to another process, after the handshake.
pub struct Connection {
    pub stream: TcpStream,
    pub sealer: Sealer,
    pub opener: Opener,
}

/// The identity and the job of this process.
#[derive(Clone)]
pub struct Party {
    hosts: Hosts,
    me: usize,
    key: [u8; 32],
    terms: Terms,
}

impl Party {
    /// Process `me` of the hosts, which knows the secret.
    pub fn new(hosts: &Hosts, me: usize, secret: &[u8], terms: &Terms) -> Party {
        let mut key = [0; 32];
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, STRETCHING, &MAGIC, secret, &mut key);
        let digest = digest::digest(&digest::SHA256, hosts.addresses().join("\n").as_bytes());
        let digest: String = digest.as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let mut terms = terms.clone();
        terms.0.push(("the hash of the list of hosts".to_owned(), digest));
        Party { hosts: hosts.clone(), me, key, terms }
    }

    /// Begins a handshake between two processes.
    fn noise<'a>(&'a self, preface: &'a [u8; PREFACE]) -> Builder<'a> {
        // The parameters are constants: no call fails.
        let builder = Builder::with_resolver(PATTERN.parse().expect("a known pattern"), Box::new(Primitives));
        let builder = builder.psk(0, &self.key).expect("set once");
        builder.prologue(preface).expect("set once")
    }
}

/// Length of what is sent in the clear: magic and both numbers.
const PREFACE: usize = 16;

/// Connects to all other processes. The entry of this process is `None`.
pub fn connect(party: &Party, deadline: Duration) -> Result<Vec<Option<Connection>>, Error> {
    let deadline = Instant::now() + deadline;
    let listener = listen(party.hosts.own(party.me))?;
    let mut connections: Vec<Option<Connection>> = (0..party.hosts.len()).map(|_| None).collect();
    for to in 0..party.me {
        connections[to] = Some(reach(party, to, deadline, &connections)?);
    }
    accept(party, &listener, deadline, &mut connections)?;
    Ok(connections)
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
fn check_connected(hosts: &Hosts, connections: &[Option<Connection>]) -> Result<(), Error> {
    for (peer, connection) in connections.iter().enumerate() {
        let Some(Connection { stream, .. }) = connection else { continue };
        stream.set_nonblocking(true).ok();
        let gone = matches!(stream.peek(&mut [0]), Ok(0));
        stream.set_nonblocking(false).ok();
        if gone {
            let reason = "ended before all processes were connected".to_owned();
            return Err(Error::PeerLost { peer: hosts.name(peer), reason });
        }
    }
    Ok(())
}

/// Connects to a process with a lower number. Retries until it listens.
fn reach(party: &Party, to: usize, deadline: Instant, connections: &[Option<Connection>]) -> Result<Connection, Error> {
    let address = party.hosts.address(to);
    loop {
        let failed = match dial(address, deadline).and_then(|stream| greet(party, stream, to, deadline)) {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(refusal)) => {
                return Err(Error::BadRequest(format!("{} rejected the connection: {refusal}", party.hosts.name(to))));
            }
            Err(error) => error,
        };
        check_connected(&party.hosts, connections)?;
        if Instant::now() >= deadline {
            let reason = format!("is unreachable: {failed}");
            return Err(Error::PeerLost { peer: party.hosts.name(to), reason });
        }
        std::thread::sleep(PAUSE);
    }
}

fn dial(address: &str, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in address.to_socket_addrs()? {
        let left = deadline.saturating_duration_since(Instant::now()).max(PAUSE);
        match TcpStream::connect_timeout(&address, left.min(HANDSHAKE_TIMEOUT)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A connection during its handshake, which has to end in time however slowly the peer sends.
struct Handshake {
    stream: TcpStream,
    deadline: Instant,
}

impl Handshake {
    fn new(stream: TcpStream, deadline: Instant) -> io::Result<Handshake> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok(Handshake { stream, deadline: deadline.min(Instant::now() + HANDSHAKE_TIMEOUT) })
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the handshake takes too long"));
        }
        Ok(Some(left))
    }

    fn read_array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a message after its length. `None` if the length is 0.
    fn read_message(&mut self, noise: &mut HandshakeState) -> io::Result<Option<Vec<u8>>> {
        let length = usize::from(u16::from_le_bytes(self.read_array()?));
        if length == 0 {
            return Ok(None);
        }
        let mut message = vec![0; length.min(MAX_MESSAGE)];
        self.read_exact(&mut message)?;
        let mut payload = vec![0; message.len()];
        let read = noise.read_message(&message, &mut payload).map_err(io::Error::other)?;
        payload.truncate(read);
        Ok(Some(payload))
    }

    fn write_message(&mut self, noise: &mut HandshakeState, before: &[u8], payload: &[u8]) -> io::Result<()> {
        let mut message = vec![0; MAX_MESSAGE];
        let length = noise.write_message(payload, &mut message).map_err(io::Error::other)?;
        self.write_all(&[before, &(length as u16).to_le_bytes(), &message[..length]].concat())
    }

    /// Ends the handshake.
    fn secured(self, noise: HandshakeState) -> io::Result<Secured> {
        let (sealer, opener) = directions(noise.into_stateless_transport_mode().map_err(io::Error::other)?);
        Ok(Secured { handshake: self, sealer, opener })
    }
}

impl Read for Handshake {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for Handshake {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A connection whose keys are known, while both sides confirm it.
struct Secured {
    handshake: Handshake,
    sealer: Sealer,
    opener: Opener,
}

impl Secured {
    fn write(&mut self, words: &str) -> io::Result<()> {
        let mut record = vec![0; MAX_RECORD];
        let length = self.sealer.seal(words.as_bytes(), &mut record)?;
        self.handshake.write_all(&record[..length])
    }

    fn read(&mut self) -> io::Result<String> {
        let mut record = vec![0; Opener::length(self.handshake.read_array()?)?];
        self.handshake.read_exact(&mut record)?;
        let mut words = Vec::new();
        self.opener.open(&record, &mut words)?;
        Ok(plain(&words))
    }

    fn into_connection(self) -> io::Result<Connection> {
        let Secured { handshake: Handshake { stream, .. }, sealer, opener } = self;
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        Ok(Connection { stream, sealer, opener })
    }
}

fn plain(words: &[u8]) -> String {
    String::from_utf8_lossy(words).replace(char::is_control, " ")
}

/// Performs the client side of a handshake. The inner error is the mismatch that the server reports.
fn greet(party: &Party, stream: TcpStream, to: usize, deadline: Instant) -> io::Result<Result<Connection, String>> {
    let mut handshake = Handshake::new(stream, deadline)?;
    let mut preface = [0; PREFACE];
    preface[..8].copy_from_slice(&MAGIC);
    preface[8..12].copy_from_slice(&(party.me as u32).to_le_bytes());
    preface[12..].copy_from_slice(&(to as u32).to_le_bytes());
    let mut noise = party.noise(&preface).build_initiator().map_err(io::Error::other)?;
    handshake.write_message(&mut noise, &preface, &party.terms.to_bytes())?;
    let Some(mismatch) = handshake.read_message(&mut noise)? else { return Ok(Err("wrong secret".to_owned())) };
    let mut secured = handshake.secured(noise)?;
    secured.write("")?;
    if !mismatch.is_empty() {
        return Ok(Err(plain(&mismatch)));
    }
    let refusal = secured.read()?;
    if !refusal.is_empty() {
        return Ok(Err(refusal));
    }
    secured.into_connection().map(Ok)
}

/// The result of a handshake with an authenticated peer.
enum Incoming {
    /// The peer has the same job.
    Accepted(usize, Connection),
    /// The peer has a different job.
    Mismatch(usize, String),
}

/// Accepts the processes with higher numbers.
fn accept(
    party: &Party,
    listener: &TcpListener,
    deadline: Instant,
    connections: &mut [Option<Connection>],
) -> Result<(), Error> {
    let (sender, incoming): (Sender<Incoming>, Receiver<Incoming>) = channel();
    let taken = Arc::new(Mutex::new(vec![false; connections.len()]));
    loop {
        let Some(missing) = (party.me + 1..connections.len()).find(|&peer| connections[peer].is_none()) else {
            return Ok(());
        };
        while let Ok((stream, _)) = listener.accept() {
            let (party, sender, taken) = (party.clone(), sender.clone(), taken.clone());
            // A silent or slow peer occupies a thread for some seconds and blocks nothing.
            let receive = move || receive(&party, stream, deadline, &taken).map(|incoming| sender.send(incoming).ok());
            std::thread::Builder::new().spawn(receive).ok();
        }
        match incoming.recv_timeout(PAUSE) {
            Ok(Incoming::Accepted(peer, connection)) => {
                connections[peer] = Some(connection);
                continue;
            }
            Ok(Incoming::Mismatch(peer, difference)) => {
                return Err(Error::BadRequest(format!("{} has a different job: {difference}", party.hosts.name(peer))));
            }
            Err(_) => {}
        }
        check_connected(&party.hosts, connections)?;
        if Instant::now() >= deadline {
            let reason = "did not connect in time".to_owned();
            return Err(Error::PeerLost { peer: party.hosts.name(missing), reason });
        }
    }
}

/// Performs the server side of a handshake. A failed handshake is not an error of this process.
fn receive(party: &Party, stream: TcpStream, deadline: Instant, taken: &Mutex<Vec<bool>>) -> io::Result<Incoming> {
    let mut handshake = Handshake::new(stream, deadline)?;
    let preface: [u8; PREFACE] = handshake.read_array()?;
    let refused = |why: &str| io::Error::other(why.to_owned());
    if preface[..8] != MAGIC {
        return Err(refused("another program"));
    }
    let number = |at: usize| u32::from_le_bytes(preface[at..at + 4].try_into().expect("four bytes")) as usize;
    let (peer, to) = (number(8), number(12));
    let mut noise = party.noise(&preface).build_responder().map_err(io::Error::other)?;
    let terms = match handshake.read_message(&mut noise) {
        Ok(Some(terms)) => Terms::from_bytes(&terms),
        _ => {
            handshake.write_all(&[0, 0])?;
            return Err(refused("wrong secret"));
        }
    };
    // Each side gets the difference from its own point of view.
    let (here, there) = (party.terms.difference(&terms), terms.difference(&party.terms));
    handshake.write_message(&mut noise, &[], there.as_deref().unwrap_or_default().as_bytes())?;
    let mut secured = handshake.secured(noise)?;
    // Only now the peer has shown that it is there, and not a recorded message.
    secured.read()?;
    if let Some(difference) = here {
        return Ok(Incoming::Mismatch(peer, difference));
    }
    let mut taken = taken.lock().map_err(|_| refused("this process ends"))?;
    let refusal = match taken.get(peer) {
        _ if to != party.me => format!("this is process {}, not {to}", party.me),
        Some(false) if peer > party.me => String::new(),
        Some(true) => format!("process {peer} is already connected"),
        _ => format!("there is no process {peer} above {}", party.me),
    };
    secured.write(&refusal)?;
    if !refusal.is_empty() {
        return Err(refused(&refusal));
    }
    taken[peer] = true;
    Ok(Incoming::Accepted(peer, secured.into_connection()?))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use snow::StatelessTransportState;

    fn party(secret: &str, me: usize, hosts: &str) -> Party {
        let terms = Terms::new([("the game", "chess".to_owned())]);
        Party::new(&Hosts::read(hosts).unwrap(), me, secret.as_bytes(), &terms)
    }

    /// The keys of both ends of a connection.
    pub fn keys() -> (StatelessTransportState, StatelessTransportState) {
        let party = party("swordfish", 0, "a:1");
        let (mut one, mut other) = (
            party.noise(&[0; PREFACE]).build_initiator().unwrap(),
            party.noise(&[0; PREFACE]).build_responder().unwrap(),
        );
        let (mut message, mut payload) = ([0; 200], [0; 200]);
        let length = one.write_message(&[], &mut message).unwrap();
        other.read_message(&message[..length], &mut payload).unwrap();
        let length = other.write_message(&[], &mut message).unwrap();
        one.read_message(&message[..length], &mut payload).unwrap();
        (one.into_stateless_transport_mode().unwrap(), other.into_stateless_transport_mode().unwrap())
    }

    /// Two ends of a connection on this machine.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (near, listener.accept().unwrap().0)
    }

    fn soon() -> Instant {
        Instant::now() + HANDSHAKE_TIMEOUT
    }

    fn receive_as(party: &Party, stream: TcpStream) -> io::Result<Incoming> {
        receive(party, stream, soon(), &Mutex::new(vec![false; party.hosts.len()]))
    }

    /// The bytes that process 1 sends first.
    fn hello(secret: &str, hosts: &str) -> Vec<u8> {
        let (near, mut far) = pair();
        let party = party(secret, 1, hosts);
        let greeting = std::thread::spawn(move || greet(&party, near, 0, soon()).is_ok());
        let mut preface = [0; PREFACE + 2];
        far.read_exact(&mut preface).unwrap();
        let mut message = vec![0; usize::from(u16::from_le_bytes([preface[PREFACE], preface[PREFACE + 1]]))];
        far.read_exact(&mut message).unwrap();
        drop(far);
        assert!(!greeting.join().unwrap());
        [&preface[..], &message].concat()
    }

    #[test]
    fn a_stranger_gets_no_byte_that_depends_on_the_secret() {
        for greeting in [hello("mackerel", "a:1\nb:2"), vec![0; 400], b"GET / HTTP/1.1\r\n\r\n".repeat(9)] {
            let answers = ["swordfish", "another one"].map(|secret| {
                let (mut near, far) = pair();
                near.write_all(&greeting).unwrap();
                near.shutdown(std::net::Shutdown::Write).unwrap();
                assert!(receive_as(&party(secret, 0, "a:1\nb:2"), far).is_err());
                let mut answer = Vec::new();
                // A reset is no answer either.
                near.read_to_end(&mut answer).ok();
                answer
            });
            assert_eq!(answers[0], answers[1]);
            assert!(answers[0].is_empty() || answers[0] == [0, 0], "{answers:?}");
        }
    }

    #[test]
    fn a_repeated_hello_and_one_for_another_run_or_process_are_not_accepted() {
        let hosts = "a:1\nb:2\nc:3";
        let recorded = hello("swordfish", hosts);
        // To the same run: it knows neither the keys nor the last word.
        let (mut near, far) = pair();
        near.write_all(&recorded).unwrap();
        near.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(receive_as(&party("swordfish", 0, hosts), far).is_err());
        // As that of another process.
        let mut forged = recorded.clone();
        forged[8] = 2;
        let (mut near, far) = pair();
        near.write_all(&forged).unwrap();
        assert!(receive_as(&party("swordfish", 0, hosts), far).is_err());
        let mut answer = [1; 2];
        near.read_exact(&mut answer).unwrap();
        assert_eq!(answer, [0, 0], "the numbers are bound to the proof");
        // A stranger passes messages on between two runs of one secret: they differ in their hosts.
        let (near, far) = pair();
        let other = party("swordfish", 0, "d:4\ne:5\nf:6");
        let listening = std::thread::spawn(move || receive_as(&other, far));
        let refusal = greet(&party("swordfish", 1, hosts), near, 0, soon()).unwrap().err().unwrap();
        assert!(refusal.starts_with("the hash of the list of hosts is"), "{refusal}");
        assert!(matches!(listening.join().unwrap().unwrap(), Incoming::Mismatch(1, _)));
    }

    #[test]
    fn a_listener_that_dribbles_holds_a_dialling_process_no_longer_than_its_deadline() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // The length of a message, and then a byte now and then.
                while stream.write_all(&[40]).is_ok() {
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        });
        let party = party("swordfish", 1, &format!("{address}\nb:2"));
        let since = Instant::now();
        let error = reach(&party, 0, since + Duration::from_millis(500), &[]).err().unwrap().to_string();
        assert!(error.contains("is unreachable"), "{error}");
        assert!(since.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn secrets_are_random() {
        let secrets = [random_secret().unwrap(), random_secret().unwrap()];
        assert!(secrets[0] != secrets[1] && secrets.iter().all(|secret| secret.len() == 32));
    }
}
