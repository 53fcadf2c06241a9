//! The worker of timely that carries the parcels of this process.
//!
//! ```text
//!   requests ──> input at round r ──exchange──> inbox of the receiver ──> probe
//! ```
//!
//! A round is a timestamp: closing it moves the input on, and when the frontier has passed it everywhere it is over.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kanzen::mesh::Parcel;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::communication::Push;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::Message;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::worker::Worker;

use crate::faults::Faults;

/// How often who waits looks again before it sleeps: to wake somebody takes longer than most answers do.
const SPINS: u32 = 64;

/// What the engine asks of the carrier.
pub enum Request {
    /// Send these bytes, in a round.
    Post { round: u64, to: usize, bytes: Vec<u8> },
    /// So many bytes of another process were taken by the engine.
    Taken { of: usize, bytes: u64 },
    /// This process posts nothing more in the round.
    Close { round: u64 },
    /// All is done.
    End,
}

/// What travels. Without bytes it says how many the sender has taken of the receiver's.
#[derive(Clone, Serialize, Deserialize)]
struct Envelope {
    to: u32,
    from: u32,
    round: u64,
    taken: u64,
    bytes: Blob,
}

/// Bytes that are copied at once, not one by one.
#[derive(Clone, Default)]
struct Blob(Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Blob, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Blob;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("bytes")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }

            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Blob, E> {
                Ok(Blob(bytes))
            }
        }
        from.deserialize_byte_buf(Visitor)
    }
}

/// Hands each envelope on by itself, at once. Timely's own exchange gathers some hundred of them, until the round is closed:
/// whoever waits to be told that parcels were taken, before it can close, would wait for ever.
struct AtOnce;

impl Distributor<Vec<Envelope>> for AtOnce {
    fn partition<T: Clone, P: Push<Message<T, Vec<Envelope>>>>(
        &mut self,
        envelopes: &mut Vec<Envelope>,
        round: &T,
        processes: &mut [P],
    ) {
        for envelope in envelopes.drain(..) {
            let to = envelope.to as usize;
            Message::push_at(&mut vec![envelope], round.clone(), &mut processes[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Vec<Envelope>>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// What has arrived, by round.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<BTreeMap<u64, VecDeque<Parcel>>>,
    arrived: Condvar,
    /// Rounds below this are over everywhere.
    over: AtomicU64,
    /// How many threads wait for something to arrive.
    resting: AtomicUsize,
    /// Bytes that each of the others has on its way here, as this process has posted them: by receiver.
    pub on_their_way: Vec<AtomicU64>,
}

impl Inbox {
    /// An empty one, with so many processes.
    pub fn new(peers: usize) -> Inbox {
        Inbox { on_their_way: (0..peers).map(|_| AtomicU64::new(0)).collect(), ..Inbox::default() }
    }

    /// A parcel of a round.
    pub fn take(&self, round: u64) -> Option<Parcel> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&round)?.pop_front()
    }

    /// Whether a round is over and all its parcels were taken.
    pub fn is_over(&self, round: u64) -> bool {
        // The round first: parcels of one that is over are all there.
        let over = self.over.load(SeqCst) > round;
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        over && state.get(&round).is_none_or(VecDeque::is_empty)
    }

    /// Nothing is wanted of a round any more.
    pub fn forget(&self, round: u64) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).remove(&round);
    }

    /// Waits until something happens, not for long.
    pub fn rest(&self, round: u64) {
        self.resting.fetch_add(1, SeqCst);
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let nothing = |state: &BTreeMap<u64, VecDeque<Parcel>>| {
            state.get(&round).is_none_or(VecDeque::is_empty) && self.over.load(SeqCst) <= round
        };
        if (0..SPINS).all(|_| {
            std::thread::yield_now();
            nothing(&lock())
        }) {
            let state = lock();
            if nothing(&state) {
                drop(self.arrived.wait_timeout(state, Duration::from_millis(2)));
            }
        }
        self.resting.fetch_sub(1, SeqCst);
    }

    fn put(&self, envelope: Envelope) {
        let Envelope { from, round, taken, bytes, .. } = envelope;
        if taken > 0 {
            if let Some(on_their_way) = self.on_their_way.get(from as usize) {
                on_their_way.fetch_sub(taken, SeqCst);
            }
            self.arrived.notify_all();
            return;
        }
        let parcel = Parcel { from: from as usize, bytes: bytes.0 };
        self.state.lock().unwrap_or_else(PoisonError::into_inner).entry(round).or_default().push_back(parcel);
        self.arrived.notify_all();
    }

    /// Notes that rounds are over; tells whether that is news.
    fn rounds_are_over_below(&self, round: u64) -> bool {
        let news = self.over.swap(round, SeqCst) != round;
        if news {
            drop(self.state.lock().unwrap_or_else(PoisonError::into_inner));
            self.arrived.notify_all();
        }
        news
    }
}

/// Carries parcels until the end is asked for; on a fault the thread just stays.
pub fn carry(builder: TcpBuilder, me: usize, requests: &Receiver<Request>, inbox: &Arc<Inbox>, faults: &Faults) {
    let allocator = Allocator::Tcp(builder.build());
    // A worker without a clock never rests: it would take a core for itself.
    let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
    let mut input: InputHandle<u64, CapacityContainerBuilder<Vec<Envelope>>> = InputHandle::new();
    let arrivals = inbox.clone();
    let probe = worker.dataflow(|scope| {
        let parcels = scope.input_from(&mut input);
        let taken = parcels.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
            DistributorPact(|_| AtOnce),
            "parcels",
            |_, _| {
                move |input, _| {
                    input.for_each_time(|_, batches| {
                        batches.for_each(|envelopes| envelopes.drain(..).for_each(|envelope| arrivals.put(envelope)));
                    });
                }
            },
        );
        taken.probe().0
    });
    let (mut round, mut looked) = (0, 0);
    loop {
        let mut idle = true;
        loop {
            match requests.try_recv() {
                Ok(Request::Post { round, to, bytes }) => {
                    input.send(Envelope { to: to as u32, from: me as u32, round, taken: 0, bytes: Blob(bytes) });
                }
                Ok(Request::Taken { of, bytes }) => {
                    let bytes_taken =
                        Envelope { to: of as u32, from: me as u32, round, taken: bytes, bytes: Blob::default() };
                    input.send(bytes_taken);
                }
                Ok(Request::Close { round: closed }) => {
                    round = closed + 1;
                    input.advance_to(round);
                }
                Ok(Request::End) => {
                    input.close();
                    while worker.has_dataflows() && !faults.has_failed() {
                        worker.step_or_park(Some(Duration::from_millis(10)));
                    }
                    return;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return std::mem::forget(worker),
            }
            idle = false;
        }
        // Only if there is something: it wakes the dataflow, which would never rest.
        if !idle {
            input.flush();
        }
        // While the engine has something to do nobody is in a hurry, and its processor is wanted.
        looked = if idle && inbox.resting.load(SeqCst) > 0 { looked + 1 } else { 0 };
        let looks_again = (1..SPINS).contains(&looked);
        if looks_again {
            std::thread::yield_now();
        }
        worker.step_or_park(Some(if idle && !looks_again { Duration::from_millis(50) } else { Duration::ZERO }));
        let over = probe.with_frontier(|frontier| frontier.first().copied().unwrap_or(u64::MAX));
        if inbox.rounds_are_over_below(over) {
            looked = 0;
        }
    }
}
