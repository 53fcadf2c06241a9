//! Who is connected, by address: so many connections in all, and a part of them for one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::lanes::{Lanes, Sizes};

/// The connections of all addresses.
pub struct Callers {
    most: usize,
    sizes: Sizes,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    connections: usize,
    refused: u64,
    addresses: HashMap<IpAddr, (usize, Arc<Lanes>)>,
}

/// An open connection; its place is free again when dropped.
pub struct Connection {
    callers: Arc<Callers>,
    network: IpAddr,
    /// The places of its address.
    pub lanes: Arc<Lanes>,
}

impl Callers {
    /// So many connections at most, and lanes of these sizes for each address.
    pub fn new(most: usize, sizes: Sizes) -> Callers {
        Callers { most: most.max(1), sizes, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection of an address; nothing where all are taken, or all that one address may have.
    pub fn connect(self: &Arc<Callers>, address: IpAddr) -> Option<Connection> {
        let network = network(address);
        let mut known = self.known();
        let own = known.addresses.get(&network).map_or(0, |(connections, _)| *connections);
        if known.connections >= self.most || own >= (self.most / 4).max(1) {
            known.refused += 1;
            return None;
        }
        known.connections += 1;
        let entry = known.addresses.entry(network).or_insert_with(|| (0, Arc::new(Lanes::new(self.sizes))));
        entry.0 += 1;
        let lanes = entry.1.clone();
        Some(Connection { callers: self.clone(), network, lanes })
    }

    /// How many are open, of how many addresses, and how many were refused so far.
    pub fn state(&self) -> (usize, usize, u64) {
        let known = self.known();
        (known.connections, known.addresses.len(), known.refused)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut known = self.callers.known();
        known.connections -= 1;
        if let Some((connections, _)) = known.addresses.get_mut(&self.network) {
            *connections -= 1;
            if *connections == 0 {
                known.addresses.remove(&self.network);
            }
        }
    }
}

/// What counts as one address. Whoever has one of IPv6 has 2^64 of them.
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
    use super::*;
    use crate::options::Options;

    #[test]
    fn one_address_has_a_quarter_and_gives_back_what_it_leaves() {
        let sizes = Sizes::new(&Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20)));
        let callers = Arc::new(Callers::new(8, sizes));
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let first = callers.connect(one).unwrap();
        let _second = callers.connect(one).unwrap();
        assert!(callers.connect(one).is_none());
        let _theirs = callers.connect(other).unwrap();
        assert_eq!(callers.state(), (3, 2, 1));
        drop(first);
        assert!(callers.connect(one).is_some());
        assert_eq!(callers.state(), (2, 2, 1));
    }

    #[test]
    fn an_address_of_the_new_kind_is_its_network() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
