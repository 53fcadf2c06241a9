//! The implementation of [`Mesh`] over TCP: flow control, barriers and shutdown.

use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kanzen::Error;
use kanzen_core::mesh::{Mesh, Parcel};
use socket2::SockRef;

use crate::faults::{Fate, Faults};
use crate::handshake::{Party, connect};
use crate::heartbeat::{Pulses, beat};
use crate::inbox::Inbox;
use crate::post::{Post, Shared};
use crate::{Hosts, Terms};

/// Send window of a process: maximum bytes in flight to all others together.
const WINDOW: u64 = 32 << 20;
/// Minimum send window per receiver.
const MIN_WINDOW: u64 = 256 << 10;
/// Socket buffer size. A small buffer keeps queued data where the window counts it.
const SOCKET_BUFFER: usize = 1 << 20;

/// How long the others may take to close their connections at shutdown.
const CLOSING_TIMEOUT: Duration = Duration::from_secs(2);

/// A mesh of connected processes, from the point of view of one of them.
pub struct TcpMesh {
    me: usize,
    hosts: Hosts,
    faults: Faults,
    pulses: Arc<Pulses>,
    inbox: Arc<Inbox>,
    /// The connections, by process; `None` for this one.
    posts: Vec<Option<Arc<Post>>>,
    /// Closed once all reader threads have ended.
    reading: Mutex<Receiver<()>>,
    round: AtomicU64,
    /// Parcels posted to each process so far.
    sent: Vec<AtomicU64>,
    /// This process has entered the barriers of the rounds below this one.
    entered: AtomicU64,
    /// This process has announced the end of the rounds below this one.
    announced: AtomicU64,
    window: u64,
    /// Bytes taken but not yet acknowledged, by sender.
    unacknowledged: Vec<AtomicU64>,
    posted: AtomicU64,
    written: Arc<AtomicU64>,
}

/// Connects this process, number `me` of the hosts, to all others. All processes must call this within `deadline`, with
/// the same secret and terms.
pub fn join(hosts: &Hosts, me: usize, secret: &[u8], terms: &Terms, deadline: Duration) -> Result<TcpMesh, Error> {
    if me >= hosts.len() {
        let many = hosts.len();
        return Err(Error::BadRequest(format!(
            "there is no process {me}: the hosts file lists processes 0 to {}",
            many - 1
        )));
    }
    let all = connect(&Party::new(hosts, me, secret, terms), deadline)?;
    let failed = |error: std::io::Error| Error::BadRequest(format!("cannot use the connections: {error}"));
    let (sender, reading) = channel();
    let shared = Shared {
        inbox: Arc::new(Inbox::new(hosts.len())),
        pulses: Arc::new(Pulses::new(hosts.len(), me)),
        faults: Faults::default(),
        written: Arc::default(),
        reading: sender,
    };
    let mut posts = Vec::new();
    for (peer, connection) in all.into_iter().enumerate() {
        posts.push(match connection {
            Some(connection) => {
                bound_buffers(&connection.stream);
                Some(Arc::new(Post::new(connection, peer, hosts.name(peer), &shared).map_err(failed)?))
            }
            None => None,
        });
    }
    let Shared { inbox, pulses, faults, written, .. } = shared;
    beat(posts.iter().flatten().cloned(), &faults, &pulses, &written).map_err(failed)?;
    Ok(TcpMesh {
        me,
        hosts: hosts.clone(),
        faults,
        pulses,
        inbox,
        posts,
        reading: Mutex::new(reading),
        round: AtomicU64::new(0),
        sent: (0..hosts.len()).map(|_| AtomicU64::new(0)).collect(),
        entered: AtomicU64::new(0),
        announced: AtomicU64::new(0),
        window: (WINDOW / hosts.len() as u64).max(MIN_WINDOW),
        unacknowledged: (0..hosts.len()).map(|_| AtomicU64::new(0)).collect(),
        posted: AtomicU64::new(0),
        written,
    })
}

/// Limits the socket buffers. Best effort: larger buffers only cost memory.
fn bound_buffers(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(SOCKET_BUFFER).ok();
    socket.set_recv_buffer_size(SOCKET_BUFFER).ok();
}

impl TcpMesh {
    /// Returns the bytes that this process has written to the network.
    pub fn written_bytes(&self) -> u64 {
        self.written.load(SeqCst)
    }

    /// Returns the addresses of all processes.
    pub fn hosts(&self) -> Hosts {
        self.hosts.clone()
    }

    /// Returns the statistics of all processes.
    pub fn pulses(&self) -> Arc<Pulses> {
        self.pulses.clone()
    }

    /// Shuts down cleanly. Returns once all processes have finished their work.
    pub fn leave(self) -> Result<(), Error> {
        (&self as &dyn Mesh).all_reduce_min([1])?;
        self.faults.close();
        // A second barrier: no connection may end before all processes expect it.
        (&self as &dyn Mesh).all_reduce_min([1])?;
        self.close();
        Ok(())
    }

    /// Shuts down after an error and reports it to the other processes, unless it came from them.
    pub fn abandon(self, why: &Error) {
        let fate = match why {
            Error::PeerLost { .. } => return,
            Error::Stopped => Fate::Stopped,
            other => Fate::Lost { peer: self.hosts.name(self.me), reason: other.to_string() },
        };
        self.connections().for_each(|post| post.send_fate(&fate));
        self.faults.close();
        self.close();
    }

    /// Ends the sending sides and waits for the others to do the same: unread bytes at the end of a process would reset
    /// its connections, and the others would lose what it sent last.
    fn close(&self) {
        self.connections().for_each(|post| post.end());
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(CLOSING_TIMEOUT).ok();
    }

    fn connections(&self) -> impl Iterator<Item = &Post> {
        self.posts.iter().flatten().map(|post| &**post)
    }

    fn round(&self) -> u64 {
        self.round.load(SeqCst)
    }
}

/// Ends the threads of the mesh, without waiting for them.
impl Drop for TcpMesh {
    fn drop(&mut self) {
        self.faults.close();
        self.connections().for_each(Post::cut);
    }
}

impl Mesh for TcpMesh {
    fn me(&self) -> usize {
        self.me
    }

    fn peers(&self) -> usize {
        self.hosts.len()
    }

    fn post(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error> {
        let length = bytes.len() as u64;
        self.posted.fetch_add(length, SeqCst);
        self.sent[to].fetch_add(1, SeqCst);
        self.pulses.add_move();
        match &self.posts[to] {
            Some(post) => {
                self.inbox.in_flight[to].fetch_add(length, SeqCst);
                post.send(self.round(), &bytes)
            }
            None => {
                self.inbox.put(self.round(), Parcel { from: self.me, bytes });
                Ok(())
            }
        }
    }

    fn poll(&self) -> Result<Option<Parcel>, Error> {
        let Some(parcel) = self.inbox.take(self.round()) else {
            self.faults.check()?;
            return Ok(None);
        };
        self.pulses.add_move();
        if let Some(post) = &self.posts[parcel.from] {
            let length = parcel.bytes.len() as u64;
            let pending = &self.unacknowledged[parcel.from];
            if pending.fetch_add(length, SeqCst) + length >= self.window / 4 {
                let bytes = pending.swap(0, SeqCst);
                if bytes > 0 {
                    post.send_ack(bytes)?;
                }
            }
        }
        Ok(Some(parcel))
    }

    /// Does not announce the round: the first call of `barrier_done` does. A round whose parcels carry their own count
    /// needs no announcement.
    fn barrier_enter(&self) -> Result<(), Error> {
        self.entered.store(self.round() + 1, SeqCst);
        self.faults.check()
    }

    fn barrier_done(&self) -> Result<bool, Error> {
        let round = self.round();
        if self.entered.load(SeqCst) > round && self.announced.fetch_max(round + 1, SeqCst) <= round {
            for (post, sent) in self.posts.iter().zip(&self.sent) {
                match post {
                    Some(post) => post.send_close(round, sent.load(SeqCst))?,
                    None => {
                        self.inbox.close(self.me, round, sent.load(SeqCst));
                    }
                }
            }
        }
        let over = self.inbox.is_over(round);
        if !over {
            self.faults.check()?;
        }
        Ok(over)
    }

    fn next_round(&self) {
        self.pulses.add_move();
        let done = self.round.fetch_add(1, SeqCst);
        self.inbox.forget(done);
    }

    fn window_full(&self, to: usize) -> bool {
        self.inbox.in_flight[to].load(SeqCst) > self.window
    }

    fn park(&self) {
        let since = Instant::now();
        self.inbox.park(self.round());
        self.pulses.add_wait(since.elapsed());
    }

    fn posted_bytes(&self) -> u64 {
        self.posted.load(SeqCst)
    }
}
