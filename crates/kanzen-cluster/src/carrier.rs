//! Detects the end of a round with a timely dataflow.
//!
//! ```text
//!   parcel count of round r ──exchange──> inbox of the receiver ──> probe
//! ```
//!
//! A round is a timestamp. Closing it advances the input. Once the frontier has passed it, all processes have closed it
//! and each knows how many parcels to expect. Parcels use separate connections ([`post`](crate::post)): through a
//! dataflow each would wake four threads and take part in progress tracking. A round whose parcels carry their own count,
//! such as a level of a solve, needs no announcement; the next announced round closes it too.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::worker::Worker;

use crate::faults::Faults;
use crate::inbox::{Inbox, SPINS};

/// A request of the engine to the dataflow thread.
pub enum Request {
    /// This process has posted its last parcel of the round. `posted` counts the parcels by receiver.
    Close { round: u64, posted: Vec<u64> },
    /// Shuts down.
    End,
}

/// The number of parcels posted to a process in a round.
#[derive(Clone, Serialize, Deserialize)]
struct Announcement {
    to: u64,
    round: u64,
    parcels: u64,
}

/// Exchanges announcements until [`Request::End`]. After a fault the thread stays parked.
pub fn carry(builder: TcpBuilder, requests: &Receiver<Request>, inbox: &Arc<Inbox>, faults: &Faults) {
    let allocator = Allocator::Tcp(builder.build());
    // A worker without a clock never parks and would keep a core busy.
    let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
    let mut input: InputHandle<u64, CapacityContainerBuilder<Vec<Announcement>>> = InputHandle::new();
    let arrivals = inbox.clone();
    let probe = worker.dataflow(|scope| {
        let announcements = scope.input_from(&mut input);
        let counted = announcements.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
            Exchange::new(|one: &Announcement| one.to),
            "rounds",
            |_, _| {
                move |input, _| {
                    input.for_each_time(|_, batches| {
                        batches
                            .for_each(|some| some.drain(..).for_each(|one| arrivals.announce(one.round, one.parcels)));
                    });
                }
            },
        );
        counted.probe().0
    });
    let (mut open, mut over, mut spins) = (0, 0, 0);
    loop {
        let mut idle = true;
        loop {
            match requests.try_recv() {
                Ok(Request::Close { round, posted }) => {
                    for (to, &parcels) in posted.iter().enumerate().filter(|(_, parcels)| **parcels > 0) {
                        input.send(Announcement { to: to as u64, round, parcels });
                    }
                    open = round + 1;
                    input.advance_to(open);
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
        // Flush only after input: a flush wakes the dataflow, which would never park.
        if !idle {
            input.flush();
        }
        // Spin only while a thread waits for the round to end; otherwise leave the CPU to the solver.
        spins = if idle && over < open && inbox.is_awaited() { spins + 1 } else { 0 };
        let spinning = (1..SPINS).contains(&spins);
        if spinning {
            std::thread::yield_now();
        }
        worker.step_or_park(Some(if idle && !spinning { Duration::from_millis(50) } else { Duration::ZERO }));
        over = probe.with_frontier(|frontier| frontier.first().copied().unwrap_or(u64::MAX));
        if inbox.set_closed_below(over) {
            spins = 0;
        }
    }
}
