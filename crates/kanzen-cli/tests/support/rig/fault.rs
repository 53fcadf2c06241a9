//! A disk that refuses the Nth operation of a kind, or kills the process that asks for it.

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use kanzen_store::{Disk, Faulting, Operation, Verdict, VfsPath};

use super::hasty;

/// Kinds of operations that can fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Open,
    Create,
    Write,
    Sync,
    Rename,
    Remove,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Open, Kind::Create, Kind::Write, Kind::Sync, Kind::Rename, Kind::Remove];

    fn of(operation: Operation<'_>) -> Kind {
        match operation {
            Operation::Open => Kind::Open,
            Operation::Create | Operation::MakeFolder => Kind::Create,
            Operation::Write(_) => Kind::Write,
            Operation::Sync => Kind::Sync,
            Operation::Rename(_) => Kind::Rename,
            Operation::Remove => Kind::Remove,
        }
    }
}

/// What the system does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// An error of the system, once.
    Once(i32),
    /// An error of the system, from then on.
    FromThenOn(i32),
    /// SIGKILL.
    Kill,
}

pub const ENOSPC: i32 = 28;
pub const EIO: i32 = 5;
pub const EMFILE: i32 = 24;
pub const ENOMEM: i32 = 12;

/// The troubles that an operation can meet.
pub fn troubles(kind: Kind) -> &'static [i32] {
    match kind {
        Kind::Open => &[EIO, EMFILE, ENOMEM],
        Kind::Create => &[ENOSPC, EIO, EMFILE, ENOMEM],
        Kind::Write | Kind::Sync => &[ENOSPC, EIO, ENOMEM],
        Kind::Rename | Kind::Remove => &[ENOSPC, EIO, ENOMEM],
    }
}

/// Counts operations, and makes one of them fail.
#[derive(Clone)]
pub struct Fault(Arc<Counted>);

struct Counted {
    fault: Option<(Kind, u64, Trouble)>,
    met: [AtomicU64; Kind::ALL.len()],
    hits: AtomicU64,
    killing: Mutex<()>,
}

impl Fault {
    /// Fails the operation of a kind with this number, from 0.
    pub fn at(kind: Kind, number: u64, trouble: Trouble) -> Fault {
        Fault::of(Some((kind, number, trouble)))
    }

    /// Only counts.
    pub fn none() -> Fault {
        Fault::of(None)
    }

    fn of(fault: Option<(Kind, u64, Trouble)>) -> Fault {
        Fault(Arc::new(Counted { fault, met: Default::default(), hits: AtomicU64::new(0), killing: Mutex::new(()) }))
    }

    /// The disk with this fault.
    pub fn on_disk(&self) -> Faulting {
        let counted = self.0.clone();
        Faulting::new(Arc::new(Disk), move |_, operation| counted.before(operation))
    }

    /// A folder of the disk with this fault.
    pub fn at_folder(&self, folder: &Path) -> VfsPath {
        VfsPath::new(Arc::new(self.on_disk()), folder)
    }

    /// How many operations of a kind there were.
    pub fn met(&self, kind: Kind) -> u64 {
        self.0.met[kind as usize].load(Relaxed)
    }

    /// How many were refused.
    pub fn hits(&self) -> u64 {
        self.0.hits.load(Relaxed)
    }
}

impl Counted {
    fn before(&self, operation: Operation<'_>) -> io::Result<Verdict> {
        let kind = Kind::of(operation);
        let number = self.met[kind as usize].fetch_add(1, Relaxed);
        let Some((_, _, trouble)) = self.fault.filter(|(of, at, trouble)| {
            *of == kind && (number == *at || number > *at && matches!(trouble, Trouble::FromThenOn(_)))
        }) else {
            return Ok(hasty(operation));
        };
        self.hits.fetch_add(1, Relaxed);
        match trouble {
            Trouble::Once(error) | Trouble::FromThenOn(error) => Err(io::Error::from_raw_os_error(error)),
            Trouble::Kill => {
                let _one_at_a_time = self.killing.lock();
                Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status().ok();
                loop {
                    std::thread::park();
                }
            }
        }
    }
}
