//! Solves between two processes, threads of this program, whose connection runs through a relay that changes what it
//! passes on, as a seed draws.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kanzen::progress::Silent;
use kanzen::{Budget, Error, Value};
use kanzen_cluster::{Hosts, TcpMesh, Terms, join};
use kanzen_core::mesh::{Mesh, Parcel};
use kanzen_solve::retrograde::{self, Earlier, Graph, Node};
use kanzen_solve::{Job, WorkFolder, plane_file};

/// What happens to the bytes from some place in the stream on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    Flip(u8),
    /// So many bytes are missing.
    Lose(usize),
    /// So many bytes arrive twice.
    Repeat(usize),
    /// So many bytes arrive in the opposite order.
    Reorder(usize),
    /// All arrives late.
    Late,
    /// The connection ends.
    Cut,
    /// Nothing arrives any more.
    Stop,
}

/// How a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Same,
    Refused(String),
    /// Another database.
    Other,
}

/// Passes on what two processes send to each other.
#[derive(Clone)]
struct Relay {
    /// From the process that connects, and to it.
    passed: Arc<[AtomicU64; 2]>,
    direction: usize,
    at: u64,
    trouble: Option<Trouble>,
    done: Arc<AtomicBool>,
}

impl Relay {
    fn run(self, listener: &TcpListener, target: &str) {
        listener.set_nonblocking(true).unwrap();
        while !self.done.load(SeqCst) {
            let Ok((near, _)) = listener.accept() else {
                sleep(Duration::from_millis(2));
                continue;
            };
            // The other process does not listen yet: this one tries again.
            let Ok(far) = TcpStream::connect(target) else { continue };
            near.set_nonblocking(false).unwrap();
            for stream in [&near, &far] {
                stream.set_nodelay(true).unwrap();
            }
            let ends = [(near.try_clone(), far.try_clone()), (far.try_clone(), near.try_clone())];
            for (direction, (from, to)) in ends.into_iter().enumerate() {
                let (relay, from, to) = (self.clone(), from.unwrap(), to.unwrap());
                std::thread::spawn(move || relay.pass_on(direction, from, to));
            }
        }
    }

    fn pass_on(&self, direction: usize, mut from: TcpStream, mut to: TcpStream) {
        let mut buffer = [0; 1 << 14];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            let mut bytes = buffer[..read].to_vec();
            let start = self.passed[direction].fetch_add(read as u64, SeqCst);
            let here = direction == self.direction && (start..start + read as u64).contains(&self.at);
            if let Some(trouble) = self.trouble.filter(|_| here) {
                let first = (self.at - start) as usize;
                let end = |length: usize| (first + length).min(read);
                match trouble {
                    Trouble::Flip(bit) => bytes[first] ^= 1 << bit,
                    Trouble::Lose(length) => drop(bytes.drain(first..end(length))),
                    Trouble::Repeat(length) => {
                        let again = bytes[first..end(length)].to_vec();
                        bytes.splice(first..first, again);
                    }
                    Trouble::Reorder(length) => bytes[first..end(length)].reverse(),
                    Trouble::Late => sleep(Duration::from_millis(300)),
                    Trouble::Cut => break,
                    Trouble::Stop => {
                        while !self.done.load(SeqCst) {
                            sleep(Duration::from_millis(5));
                        }
                    }
                }
            }
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        for stream in [from, to] {
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

const SLOTS: u64 = 20_000;

/// From a number to its half, or to its third and one more.
struct Halves;

fn children(slot: u64) -> impl Iterator<Item = u64> {
    let (half, third) = (slot / 2, slot / 3 + 1);
    [Some(half), Some(third).filter(|third| *third != half)].into_iter().flatten()
}

impl Graph for Halves {
    fn classes(&self) -> usize {
        1
    }
    fn name(&self, _: usize) -> String {
        "halves".into()
    }
    fn slots(&self, _: usize) -> u64 {
        SLOTS
    }
    fn needs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
        match slot {
            0..9 => node.end(if slot.is_multiple_of(3) { Value::loss(0) } else { Value::DRAW }),
            _ => children(slot).for_each(|child| node.here(child)),
        }
    }
    fn parents(&self, _: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        let mut all = [2 * slot, 2 * slot + 1, 3 * slot, 3 * slot + 1, 3 * slot + 2].to_vec();
        all.extend((1..=3).filter_map(|less| (3 * slot).checked_sub(less)));
        all.retain(|&parent| (9..SLOTS).contains(&parent) && children(parent).any(|child| child == slot));
        all.sort_unstable();
        all.dedup();
        parents.extend(all);
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
}

/// A mesh with small blocks, so that both processes own many.
struct Small<'a>(&'a TcpMesh);

impl Mesh for Small<'_> {
    fn me(&self) -> usize {
        self.0.me()
    }
    fn peers(&self) -> usize {
        self.0.peers()
    }
    fn post(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error> {
        self.0.post(to, bytes)
    }
    fn poll(&self) -> Result<Option<Parcel>, Error> {
        self.0.poll()
    }
    fn barrier_enter(&self) -> Result<(), Error> {
        self.0.barrier_enter()
    }
    fn barrier_done(&self) -> Result<bool, Error> {
        self.0.barrier_done()
    }
    fn next_round(&self) {
        self.0.next_round();
    }
    fn window_full(&self, to: usize) -> bool {
        self.0.window_full(to)
    }
    fn park(&self) {
        self.0.park();
    }
    fn block_bits(&self) -> u32 {
        6
    }
}

/// Random numbers from a seed.
fn draw(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 29)) % below
}

/// Draws a trouble that is not a flipped bit.
pub fn other_trouble(mut seed: u64) -> Trouble {
    let length = 1 + draw(&mut seed, 100) as usize;
    match draw(&mut seed, 6) {
        0 => Trouble::Lose(length),
        1 => Trouble::Repeat(length),
        2 => Trouble::Reorder(length + 1),
        3 => Trouble::Late,
        4 => Trouble::Cut,
        _ => Trouble::Stop,
    }
}

/// Solves of one graph by two processes.
pub struct Storm {
    expected: Vec<i16>,
    /// Bytes in each direction.
    bytes: [u64; 2],
}

impl Storm {
    /// Solves the graph alone, and by two processes without any trouble.
    pub fn new() -> Storm {
        let store = WorkFolder::in_memory();
        retrograde::solve(&Halves, &Job::new(&store, Budget::new(1, 1 << 28), &Silent).unwrap()).unwrap();
        let mut storm = Storm { expected: store.get_plane(&plane_file(0)).unwrap().to_vec(), bytes: [0; 2] };
        let (outcome, bytes) = storm.solve(0, 0, None);
        assert_eq!(outcome, Outcome::Same);
        storm.bytes = bytes;
        storm
    }

    /// Solves with one trouble at a place that a seed draws. Returns how that ended, and after how long.
    pub fn run(&self, mut seed: u64, trouble: Trouble) -> (Outcome, Duration) {
        let direction = draw(&mut seed, 2) as usize;
        let at = draw(&mut seed, self.bytes[direction]);
        let since = Instant::now();
        (self.solve(direction, at, Some(trouble)).0, since.elapsed())
    }

    fn solve(&self, direction: usize, at: u64, trouble: Option<Trouble>) -> (Outcome, [u64; 2]) {
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [relayed, first, second] =
            std::array::from_fn(|number| listeners[number].local_addr().unwrap().to_string());
        let [listener, of_first, of_second] = listeners;
        drop((of_first, of_second));
        let hosts = Hosts::read(&format!("{relayed}\n{second}")).unwrap();
        let (passed, done) = (Arc::new([AtomicU64::new(0), AtomicU64::new(0)]), Arc::new(AtomicBool::new(false)));
        let relay = Relay { passed: passed.clone(), direction, at, trouble, done: done.clone() };
        let target = first.clone();
        let relaying = std::thread::spawn(move || relay.run(&listener, &target));
        let stores = [WorkFolder::in_memory(), WorkFolder::in_memory()];
        let one = |me: usize| {
            let hosts = if me == 0 { hosts.clone().listening_at(&first) } else { hosts.clone() };
            let mesh = join(&hosts, me, b"swordfish", &Terms::new([]), Duration::from_secs(6))?;
            let small = Small(&mesh);
            let job = Job::new(&stores[me], Budget::new(1, 1 << 28), &Silent)?.with_mesh(Some(&small));
            let ended = retrograde::solve(&Halves, &job);
            drop(job);
            match ended {
                Ok(()) => mesh.leave(),
                Err(error) => {
                    mesh.abandon(&error);
                    Err(error)
                }
            }
        };
        let ended: [Result<(), Error>; 2] = std::thread::scope(|scope| {
            let one = &one;
            let threads = [0, 1].map(|me| scope.spawn(move || one(me)));
            threads.map(|thread| thread.join().unwrap())
        });
        done.store(true, SeqCst);
        relaying.join().unwrap();
        let name = plane_file(0);
        let same = !stores[0].has(&name) || stores[0].get_plane(&name).unwrap().to_vec() == self.expected;
        let passed = [0, 1].map(|direction| passed[direction].load(SeqCst));
        let outcome = match ended.into_iter().find_map(Result::err) {
            _ if !same => Outcome::Other,
            Some(error) => Outcome::Refused(error.to_string()),
            None if stores[0].has(&name) => Outcome::Same,
            None => Outcome::Other,
        };
        (outcome, passed)
    }
}
