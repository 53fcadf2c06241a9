//! The implementation of [`Mesh`] over TCP and timely: flow control, barriers and shutdown.

use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use kanzen::Error;
use kanzen::mesh::{Mesh, Parcel};
use socket2::SockRef;
use timely::communication::Hooks;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{CommsGuard, initialize_networking_from_sockets};

use crate::carrier::{Request, carry};
use crate::faults::{Fate, Faults};
use crate::handshake::{Connections, Party, connect};
use crate::heartbeat::{Pulses, Watch};
use crate::inbox::Inbox;
use crate::link::Link;
use crate::post::Post;
use crate::{Hosts, Terms};

/// Send window of a process: maximum bytes in flight to all others together.
const WINDOW: u64 = 32 << 20;
/// Minimum send window per receiver.
const MIN_WINDOW: u64 = 256 << 10;
/// Socket buffer size. A small buffer keeps queued data where the window counts it.
const SOCKET_BUFFER: usize = 1 << 20;

/// How long threads may take to end at shutdown.
const JOIN_TIMEOUT: Duration = Duration::from_secs(2);

/// A mesh of connected processes, from the point of view of one of them.
pub struct TimelyMesh {
    me: usize,
    hosts: Hosts,
    faults: Faults,
    watch: Watch,
    pulses: Arc<Pulses>,
    requests: Mutex<Sender<Request>>,
    carrier: Thread,
    inbox: Arc<Inbox>,
    /// The parcel connections, by process; `None` for this one.
    posts: Vec<Option<Post>>,
    round: AtomicU64,
    /// Parcels posted to each process in the current round.
    sent: Vec<AtomicU64>,
    /// This process has closed the rounds below this one.
    closed: AtomicU64,
    /// This process has announced the end of the rounds below this one.
    announced: AtomicU64,
    window: u64,
    /// Bytes taken but not yet acknowledged, by sender.
    unacknowledged: Vec<AtomicU64>,
    posted: AtomicU64,
    written: Arc<AtomicU64>,
    threads: Option<(JoinHandle<()>, CommsGuard)>,
}

/// Connects this process, number `me` of the hosts, to all others. All processes must call this within `deadline`, with
/// the same secret and terms.
pub fn join(hosts: &Hosts, me: usize, secret: &[u8], terms: &Terms, deadline: Duration) -> Result<TimelyMesh, Error> {
    if me >= hosts.len() {
        let many = hosts.len();
        return Err(Error::BadRequest(format!(
            "there is no process {me}: the hosts file lists processes 0 to {}",
            many - 1
        )));
    }
    let party = Party { hosts: hosts.clone(), me, secret: secret.to_vec(), terms: terms.clone() };
    let all = connect(&party, deadline)?;
    let failed = |error: std::io::Error| Error::BadRequest(format!("cannot use the connections: {error}"));
    let (faults, written) = (Faults::default(), Arc::new(AtomicU64::new(0)));
    let inbox = Arc::new(Inbox::new(hosts.len()));
    let (mut posts, mut links, mut watched) = (Vec::new(), Vec::new(), Vec::new());
    for (peer, connections) in all.into_iter().enumerate() {
        let Some(Connections { parcels, rounds, watch }) = connections else {
            posts.push(None);
            links.push(None);
            continue;
        };
        let name = hosts.name(peer);
        bound_buffers(&parcels);
        posts.push(Some(Post::new(parcels, peer, name.clone(), inbox.clone(), &faults, &written).map_err(failed)?));
        links.push(Some(Link { stream: rounds, peer: name.clone(), faults: faults.clone(), written: written.clone() }));
        watched.push((peer, name, watch));
    }
    let pulses = Arc::new(Pulses::new(hosts.len(), me));
    let watch = Watch::new(watched, &faults, &pulses, &written).map_err(failed)?;
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inner, links, me, 1, hooks).map_err(failed)?;
    let builder = builders.into_iter().next().expect("one builder per thread");
    let (requests, receiver) = channel();
    let (arrivals, seen) = (inbox.clone(), faults.clone());
    let carrier = std::thread::Builder::new().name("mesh:carrier".into());
    let carrier = carrier.spawn(move || carry(builder, &receiver, &arrivals, &seen)).map_err(failed)?;
    Ok(TimelyMesh {
        me,
        hosts: hosts.clone(),
        faults,
        watch,
        pulses,
        requests: Mutex::new(requests),
        carrier: carrier.thread().clone(),
        inbox,
        posts,
        round: AtomicU64::new(0),
        sent: (0..hosts.len()).map(|_| AtomicU64::new(0)).collect(),
        closed: AtomicU64::new(0),
        announced: AtomicU64::new(0),
        window: (WINDOW / hosts.len() as u64).max(MIN_WINDOW),
        unacknowledged: (0..hosts.len()).map(|_| AtomicU64::new(0)).collect(),
        posted: AtomicU64::new(0),
        written,
        threads: Some((carrier, guard)),
    })
}

/// Limits the socket buffers. Best effort: larger buffers only cost memory.
fn bound_buffers(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(SOCKET_BUFFER).ok();
    socket.set_recv_buffer_size(SOCKET_BUFFER).ok();
}

impl TimelyMesh {
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
    pub fn leave(mut self) -> Result<(), Error> {
        (&self as &dyn Mesh).all_reduce_min([1])?;
        self.faults.close();
        // A second barrier: no link may end before all processes expect it.
        (&self as &dyn Mesh).all_reduce_min([1])?;
        self.ask(Request::End)?;
        let (done, ended) = channel();
        let threads = self.threads.take();
        let ending = std::thread::Builder::new().name("mesh:ending".into());
        let ending = ending.spawn(move || {
            if let Some((carrier, guard)) = threads {
                carrier.join().ok();
                drop(guard);
            }
            done.send(()).ok();
        });
        self.posts.iter().flatten().for_each(Post::end);
        // Shutdown is acknowledged: later disconnects are not errors.
        if ending.is_ok() {
            ended.recv_timeout(JOIN_TIMEOUT).ok();
        }
        Ok(())
    }

    /// Shuts down after an error and reports it to the other processes, unless it came from them.
    pub fn abandon(self, why: &Error) {
        match why {
            Error::PeerLost { .. } => {}
            Error::Stopped => self.watch.broadcast(&Fate::Stopped),
            other => {
                let reason = other.to_string();
                self.watch.broadcast(&Fate::Lost { peer: self.hosts.name(self.me), reason });
            }
        }
    }

    fn ask(&self, request: Request) -> Result<(), Error> {
        self.faults.check()?;
        let gone = |_| Error::BadRequest("the mesh of this process has shut down".to_owned());
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).send(request).map_err(gone)?;
        self.carrier.unpark();
        Ok(())
    }

    fn round(&self) -> u64 {
        self.round.load(SeqCst)
    }
}

/// After an unclean shutdown the threads that wait for peers never end: they are detached and end with the process.
impl Drop for TimelyMesh {
    fn drop(&mut self) {
        std::mem::forget(self.threads.take());
    }
}

impl Mesh for TimelyMesh {
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
        self.closed.store(self.round() + 1, SeqCst);
        self.faults.check()
    }

    fn barrier_done(&self) -> Result<bool, Error> {
        let round = self.round();
        if self.closed.load(SeqCst) > round && self.announced.fetch_max(round + 1, SeqCst) <= round {
            let posted = self.sent.iter().map(|sent| sent.load(SeqCst)).collect();
            self.ask(Request::Close { round, posted })?;
        }
        let over = self.inbox.is_over(round);
        if !over {
            self.faults.check()?;
        }
        Ok(over)
    }

    fn next_round(&self) {
        self.sent.iter().for_each(|sent| sent.store(0, SeqCst));
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
