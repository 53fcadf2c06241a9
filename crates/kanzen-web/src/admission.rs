//! Admission control: connection limits per address and concurrency limits per work class.
//!
//! Each work class has its own limits, so that a look-up never waits behind a search.
//!
//! ```text
//! request --> permit of its address --> permit of the server --> a thread
//!                |  half at most           |
//!                '---- bounded queue ------'--> 503 with Retry-After
//! ```
//!
//! A handler names the class of its work in [`Client::work`](crate::client::Client::work).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::options::{Limits, Options};
use crate::refusal::Refusal;

/// The cost class of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkClass {
    /// A few look-ups, usually well under a millisecond.
    Quick,
    /// Many look-ups.
    Long,
    /// A search.
    Search,
}

impl WorkClass {
    /// All classes.
    pub const ALL: [WorkClass; 3] = [WorkClass::Quick, WorkClass::Long, WorkClass::Search];

    /// Returns the name used in metrics.
    pub fn name(self) -> &'static str {
        match self {
            WorkClass::Quick => "quick",
            WorkClass::Long => "long",
            WorkClass::Search => "search",
        }
    }
}

/// The number of concurrent requests and of queued requests per class.
#[derive(Clone, Copy, Debug)]
pub struct Sizes([(usize, usize); 3]);

impl Sizes {
    /// Returns the sizes for these options.
    pub fn new(options: &Options) -> Sizes {
        let Limits { connections, search_places, search_queue, .. } = options.limits;
        // Look-ups may block on the disk, so there are more permits than threads.
        Sizes([(4 * options.budget.threads, connections), (2, 16), (search_places, search_queue)])
    }

    /// Returns the share of one address.
    pub fn half(self) -> Sizes {
        Sizes(self.0.map(|(places, queue)| ((places / 2).max(1), (queue / 2).max(1))))
    }
}

/// Semaphores of each class, for the whole server or for one address.
pub struct Admission {
    sizes: Sizes,
    /// Running and queued requests by class.
    semaphores: [(Arc<Semaphore>, Arc<Semaphore>); 3],
}

/// Permission to run: one permit of the address and one of the server. Dropping it releases both.
pub struct Permit {
    _permits: [OwnedSemaphorePermit; 2],
}

impl Admission {
    /// Creates free semaphores of these sizes.
    pub fn new(sizes: Sizes) -> Admission {
        let free = |count| Arc::new(Semaphore::new(count));
        Admission { sizes, semaphores: sizes.0.map(|(places, queue)| (free(places), free(queue))) }
    }

    /// Returns the running requests of a class, their limit and the number of queued requests.
    pub fn state(&self, class: WorkClass) -> (usize, usize, usize) {
        let ((places, queue), (free, spare)) = (self.sizes.0[class as usize], &self.semaphores[class as usize]);
        (places - free.available_permits(), places, queue - spare.available_permits())
    }

    /// Acquires a permit of a class for an address with the limits `own`. Waits in a bounded queue if none is free.
    pub async fn enter(&self, own: &Admission, class: WorkClass, limits: &Limits) -> Result<Permit, Refusal> {
        let ((own, own_queue), (all, all_queue)) = (&own.semaphores[class as usize], &self.semaphores[class as usize]);
        if let Some(permits) = both(own, all) {
            return Ok(Permit { _permits: permits });
        }
        let _queued = both(own_queue, all_queue).ok_or_else(|| busy(class))?;
        // Waits for the address's permit first: a request that waits for it must not hold a server permit.
        let turn = async { Some([own.clone().acquire_owned().await.ok()?, all.clone().acquire_owned().await.ok()?]) };
        match tokio::time::timeout(limits.queue_time, turn).await {
            Ok(Some(permits)) => Ok(Permit { _permits: permits }),
            _ => Err(busy(class)),
        }
    }
}

fn both(own: &Arc<Semaphore>, all: &Arc<Semaphore>) -> Option<[OwnedSemaphorePermit; 2]> {
    Some([own.clone().try_acquire_owned().ok()?, all.clone().try_acquire_owned().ok()?])
}

fn busy(class: WorkClass) -> Refusal {
    let text = match class {
        WorkClass::Quick | WorkClass::Long => "too many requests are running: try again in a moment",
        WorkClass::Search => "too many searches are running: try again in a moment",
    };
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text)
}

/// Limits open connections, in total and per address.
pub struct Connections {
    most: usize,
    sizes: Sizes,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    connections: usize,
    refused: u64,
    addresses: HashMap<IpAddr, (usize, Arc<Admission>)>,
}

/// An open connection. Dropping it frees its slot.
pub struct Connection {
    connections: Arc<Connections>,
    network: IpAddr,
    /// The admission limits of its address.
    pub admission: Arc<Admission>,
}

impl Connections {
    /// Allows `most` connections in total and gives each address admission limits of these sizes.
    pub fn new(most: usize, sizes: Sizes) -> Connections {
        Connections { most: most.max(1), sizes, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a connection. Returns `None` if the total limit or the limit of its address is reached.
    pub fn connect(self: &Arc<Connections>, address: IpAddr) -> Option<Connection> {
        let network = network(address);
        let mut known = self.known();
        let own = known.addresses.get(&network).map_or(0, |(connections, _)| *connections);
        // A quarter of what others leave free: however many addresses one client has, each takes less than the last.
        let share = (self.most - (known.connections - own)).div_ceil(4);
        if known.connections >= self.most || own >= share {
            known.refused += 1;
            return None;
        }
        known.connections += 1;
        let entry = known.addresses.entry(network).or_insert_with(|| (0, Arc::new(Admission::new(self.sizes))));
        entry.0 += 1;
        let admission = entry.1.clone();
        Some(Connection { connections: self.clone(), network, admission })
    }

    /// Returns the number of open connections, of their addresses, and of connections refused so far.
    pub fn state(&self) -> (usize, usize, u64) {
        let known = self.known();
        (known.connections, known.addresses.len(), known.refused)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut known = self.connections.known();
        known.connections -= 1;
        if let Some((connections, _)) = known.addresses.get_mut(&self.network) {
            *connections -= 1;
            if *connections == 0 {
                known.addresses.remove(&self.network);
            }
        }
    }
}

/// Returns the unit that limits apply to: an IPv4 address or an IPv6 /64 network, since a client usually owns a whole /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            [a, b, c, d, 0, 0, 0, 0].into()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn one_address_has_half_the_permits_and_classes_do_not_share_them() {
        let mut options = Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20));
        options.limits.queue_time = Duration::from_millis(20);
        let limits = &options.limits;
        let sizes = Sizes::new(&options);
        let all = Admission::new(sizes);
        let (one, other) = (Admission::new(sizes.half()), Admission::new(sizes.half()));
        block_on(async {
            let _first = all.enter(&one, WorkClass::Search, limits).await.ok().unwrap();
            assert_eq!(all.state(WorkClass::Search), (1, 2, 0));
            let second = all.enter(&one, WorkClass::Search, limits).await.err().unwrap();
            assert_eq!(second.status, StatusCode::SERVICE_UNAVAILABLE, "it waits and times out");
            let theirs = all.enter(&other, WorkClass::Search, limits).await.ok().unwrap();
            let _quick = all.enter(&one, WorkClass::Quick, limits).await.ok().unwrap();
            assert_eq!(all.state(WorkClass::Search), (2, 2, 0));
            drop(theirs);
            assert_eq!(all.state(WorkClass::Search), (1, 2, 0));
        });
    }

    #[test]
    fn a_queue_that_is_full_refuses_at_once() {
        let mut options = Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20));
        options.limits.search_queue = 2;
        let limits = &options.limits;
        let sizes = Sizes::new(&options);
        let (all, own) = (Admission::new(sizes), Admission::new(sizes.half()));
        block_on(async {
            let _permit = all.enter(&own, WorkClass::Search, limits).await.ok().unwrap();
            let waiting = all.enter(&own, WorkClass::Search, limits);
            let refused = async {
                tokio::task::yield_now().await;
                assert_eq!(all.state(WorkClass::Search), (1, 2, 1));
                all.enter(&own, WorkClass::Search, limits).await.err().unwrap()
            };
            tokio::select! {
                biased;
                _ = waiting => panic!("no permit was free"),
                refusal = refused => assert_eq!(refusal.status, StatusCode::SERVICE_UNAVAILABLE),
            }
        });
    }

    #[test]
    fn one_address_has_a_quarter_of_the_connections_and_frees_them_on_drop() {
        let sizes = Sizes::new(&Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20)));
        let connections = Arc::new(Connections::new(8, sizes));
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let first = connections.connect(one).unwrap();
        let _second = connections.connect(one).unwrap();
        assert!(connections.connect(one).is_none());
        let _theirs = connections.connect(other).unwrap();
        assert_eq!(connections.state(), (3, 2, 1));
        drop(first);
        assert!(connections.connect(one).is_some());
        assert_eq!(connections.state(), (2, 2, 1));
    }

    #[test]
    fn four_addresses_leave_a_third_of_the_connections_to_others() {
        let sizes = Sizes::new(&Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20)));
        let connections = Arc::new(Connections::new(1024, sizes));
        let mut held = Vec::new();
        let mut take = |address: [u8; 4]| {
            let before = held.len();
            held.extend(std::iter::from_fn(|| connections.connect(address.into())));
            held.len() - before
        };
        let shares: Vec<usize> = (1..=4).map(|number| take([192, 0, 2, number])).collect();
        assert_eq!(shares, [256, 192, 144, 108]);
        assert_eq!(take([198, 51, 100, 1]), 81, "another client");
        for number in 1..=15 {
            assert!(take([203, 0, 113, number]) > 0, "and {number} more");
        }
    }

    #[test]
    fn ipv6_limits_apply_to_the_64_bit_network() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
