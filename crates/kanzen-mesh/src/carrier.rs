//! The worker of timely that tells when a round is over.
//!
//! ```text
//!   so many parcels in round r ──exchange──> inbox of the receiver ──> probe
//! ```
//!
//! A round is a timestamp: closing it moves the input on, and when the frontier has passed it everywhere, everybody has
//! closed it and knows how many parcels to expect. Those travel on connections of their own ([`post`](crate::post)):
//! through a dataflow each would wake four threads and be accounted for to everybody. Rounds whose parcels tell themselves
//! how many there are never come here, as the levels of a solve: the next one that does closes them too.

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

/// What the engine asks of the carrier.
pub enum Request {
    /// This process posts nothing more in the round; so many parcels went to each.
    Close { round: u64, posted: Vec<u64> },
    /// All is done.
    End,
}

/// So many parcels were posted to a process in a round.
#[derive(Clone, Serialize, Deserialize)]
struct Announcement {
    to: u64,
    round: u64,
    parcels: u64,
}

/// Carries announcements until the end is asked for; on a fault the thread just stays.
pub fn carry(builder: TcpBuilder, requests: &Receiver<Request>, inbox: &Arc<Inbox>, faults: &Faults) {
    let allocator = Allocator::Tcp(builder.build());
    // A worker without a clock never rests: it would take a core for itself.
    let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
    let mut input: InputHandle<u64, CapacityContainerBuilder<Vec<Announcement>>> = InputHandle::new();
    let arrivals = inbox.clone();
    let probe = worker.dataflow(|scope| {
        let announcements = scope.input_from(&mut input);
        let heard = announcements.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
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
        heard.probe().0
    });
    let (mut open, mut over, mut looked) = (0, 0, 0);
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
        // Only if there is something: it wakes the dataflow, which would never rest.
        if !idle {
            input.flush();
        }
        // Unless somebody waits for a round to be over nobody is in a hurry, and the processor is wanted.
        looked = if idle && over < open && inbox.is_awaited() { looked + 1 } else { 0 };
        let looks_again = (1..SPINS).contains(&looked);
        if looks_again {
            std::thread::yield_now();
        }
        worker.step_or_park(Some(if idle && !looks_again { Duration::from_millis(50) } else { Duration::ZERO }));
        over = probe.with_frontier(|frontier| frontier.first().copied().unwrap_or(u64::MAX));
        if inbox.rounds_are_closed_below(over) {
            looked = 0;
        }
    }
}
