//! A simulated mesh: parcels are delayed at random (seeded) and overtake each other, and a process can be lost.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_core::mesh::{Mesh, Parcel};
use kanzen_solve::retrograde::{self, Graph};
use kanzen_solve::{Job, WorkFolder, plane_file};

/// Bytes of memory that a process may use.
pub const BUDGET: u64 = 1 << 28;

/// What is under way between some processes.
pub struct Network {
    state: Mutex<State>,
    bits: u32,
}

struct State {
    /// By receiver: the round of each parcel, and the parcel.
    parcels: Vec<Vec<(u64, Parcel)>>,
    /// How many rounds each process has closed.
    closed: Vec<u64>,
    random: u64,
    lost: Option<usize>,
    posted: u64,
    in_flight: usize,
    /// Parcels that each process has posted.
    parcels_of: Vec<u64>,
    /// A process, and which of its parcels arrives with a flipped bit.
    flipped: Option<(usize, u64)>,
}

/// One of the processes.
pub struct Node {
    network: Arc<Network>,
    me: usize,
    round: Mutex<u64>,
}

impl Network {
    /// Processes that share blocks of `1 << bits` slots.
    pub fn nodes(peers: usize, bits: u32, seed: u64) -> Vec<Node> {
        let state = State {
            parcels: vec![Vec::new(); peers],
            closed: vec![0; peers],
            random: seed | 1,
            lost: None,
            posted: 0,
            in_flight: 0,
            parcels_of: vec![0; peers],
            flipped: None,
        };
        let network = Arc::new(Network { state: Mutex::new(state), bits });
        (0..peers).map(|me| Node { network: network.clone(), me, round: Mutex::new(0) }).collect()
    }
}

impl State {
    fn draw(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as usize % below.max(1)
    }
}

impl Node {
    fn state(&self) -> MutexGuard<'_, State> {
        self.network.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sound(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.state();
        match state.lost {
            Some(lost) => Err(Error::PeerLost { peer: format!("process {lost}"), reason: "is gone".into() }),
            None => Ok(state),
        }
    }

    fn round(&self) -> u64 {
        *self.round.lock().unwrap()
    }

    /// Parcels that this process has posted.
    pub fn parcels(&self) -> u64 {
        self.state().parcels_of[self.me]
    }

    /// One of the parcels of this process, counted from 0, arrives with a flipped bit.
    pub fn flip(&self, parcel: u64) {
        let me = self.me;
        self.state().flipped = Some((me, parcel));
    }

    /// This process is lost: all others get an error at their next step.
    pub fn lose(&self) {
        let me = self.me;
        self.state().lost.get_or_insert(me);
    }
}

impl Mesh for Node {
    fn me(&self) -> usize {
        self.me
    }

    fn peers(&self) -> usize {
        self.state().closed.len()
    }

    fn post(&self, to: usize, mut bytes: Vec<u8>) -> Result<(), Error> {
        let (round, from) = (self.round(), self.me);
        let mut state = self.sound()?;
        assert_ne!(to, from, "a process must not send parcels to itself");
        assert_eq!(state.closed[from], round, "a process must not post in a round that it has closed");
        state.posted += bytes.len() as u64;
        if state.flipped == Some((from, state.parcels_of[from])) {
            bytes[0] ^= 1;
        }
        state.parcels_of[from] += 1;
        state.in_flight += 1;
        state.parcels[to].push((round, Parcel { from, bytes }));
        Ok(())
    }

    fn poll(&self) -> Result<Option<Parcel>, Error> {
        let round = self.round();
        let mut state = self.sound()?;
        let here: Vec<usize> =
            (0..state.parcels[self.me].len()).filter(|&at| state.parcels[self.me][at].0 == round).collect();
        // Delayed at random (seeded).
        if here.is_empty() || state.draw(3) == 0 {
            return Ok(None);
        }
        let at = here[state.draw(here.len())];
        state.in_flight -= 1;
        let me = self.me;
        Ok(Some(state.parcels[me].swap_remove(at).1))
    }

    fn barrier_enter(&self) -> Result<(), Error> {
        let round = self.round();
        let mut state = self.sound()?;
        assert_eq!(state.closed[self.me], round, "a round is closed once");
        state.closed[self.me] += 1;
        Ok(())
    }

    fn barrier_done(&self) -> Result<bool, Error> {
        let round = self.round();
        let state = self.sound()?;
        let all_closed = state.closed.iter().all(|&closed| closed > round);
        Ok(all_closed && state.parcels[self.me].iter().all(|(of, _)| *of != round))
    }

    fn next_round(&self) {
        *self.round.lock().unwrap() += 1;
    }

    fn window_full(&self, _: usize) -> bool {
        let mut state = self.state();
        state.lost.is_none() && state.in_flight > 20 && state.draw(3) > 0
    }

    fn park(&self) {
        // Beside other programs, who only gives way waits for a whole slice of each of them.
        std::thread::sleep(std::time::Duration::from_micros(10));
    }

    fn posted_bytes(&self) -> u64 {
        self.state().posted
    }

    fn block_bits(&self) -> u32 {
        self.network.bits
    }
}

/// Runs the same on every node. Returns the result of each. A node that fails is lost, and the others get an error.
pub fn together<T: Send>(
    nodes: &[Node],
    run: impl Fn(usize, &Node) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = nodes
            .iter()
            .enumerate()
            .map(|(me, node)| {
                scope.spawn(move || {
                    let outcome = run(me, node);
                    if outcome.is_err() {
                        node.lose();
                    }
                    outcome
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}

/// The values of all classes.
pub fn values(store: &WorkFolder, classes: usize) -> Vec<Vec<i16>> {
    (0..classes).map(|class| store.get_plane(&plane_file(class)).unwrap().to_vec()).collect()
}

/// The values that some processes find, and the bytes that they post.
pub fn shared(graph: &impl Graph, peers: usize, bits: u32, threads: usize, seed: u64) -> (Vec<Vec<i16>>, u64) {
    let stores: Vec<WorkFolder> = (0..peers).map(|_| WorkFolder::in_memory()).collect();
    let nodes = Network::nodes(peers, bits, seed);
    let ended = together(&nodes, |me, node| {
        let job = Job::new(&stores[me], Budget::new(threads, BUDGET), &Silent)?.with_mesh(Some(node));
        retrograde::solve(graph, &job)
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    (values(&stores[0], graph.classes()), nodes[0].posted_bytes())
}
