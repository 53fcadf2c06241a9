//! Checkpoints of a search: writes its most expensive proofs and loads them into the transposition table.
//!
//! ```text
//!   lower upper | key          lower upper best effort | key ...        of the start, then of the most expensive positions
//!     4     4   | 16             1     1    1     1    |                bytes
//! ```

use crate::othello::solve::alpha_beta::{Bounds, Checkpointer, Proven, Table};
use kanzen::Error;
use kanzen_solve::{Job, WorkFolder};

pub const NAME: &str = "proofs.checkpoint";
const HEAD_BYTES: usize = 8;
const PROOF_BYTES: usize = 20;
/// The most proofs in a checkpoint.
const MOST: u64 = 1 << 20;
/// The size of the largest checkpoint.
pub const MOST_BYTES: u64 = MOST * PROOF_BYTES as u64;

/// Returns a checkpointer that writes to a job's store and buffers at most `memory` bytes.
pub fn checkpoints<'a>(job: &'a Job<'_>, memory: u64) -> Result<Checkpointer<'a>, Error> {
    let most = MOST.min(memory / PROOF_BYTES as u64);
    let memory = job.reserve("the proofs of a checkpoint", most * PROOF_BYTES as u64)?;
    let (store, most) = (job.store, most as usize);
    Ok(Checkpointer::new(job.checkpoint_interval(), move |root, table| {
        let _held = &memory;
        let mut bytes = Vec::new();
        bytes.extend(root.lower.to_le_bytes());
        bytes.extend(root.upper.to_le_bytes());
        for proven in table.entries(worth_keeping(table, most)).take(most) {
            bytes.extend(proven.key.to_le_bytes());
            bytes.extend([proven.bounds.lower as u8, proven.bounds.upper as u8, proven.best, proven.effort]);
        }
        store.put(NAME, &bytes)?;
        job.keep_time()
    }))
}

/// The least effort above which the table has at most `most` proofs.
fn worth_keeping(table: &Table, most: usize) -> u8 {
    let mut by_effort = [0usize; 65];
    table.entries(0).for_each(|proven| by_effort[usize::from(proven.effort).min(64)] += 1);
    let mut kept = 0;
    let least = (0..65).rev().take_while(|&effort| {
        kept += by_effort[effort];
        kept <= most
    });
    least.last().unwrap_or(64) as u8
}

/// Loads the last checkpoint into the table and returns the bounds of the start, or `None` without a valid checkpoint.
pub fn resume(store: &WorkFolder, table: &Table) -> Result<Option<Bounds>, Error> {
    let Some(bytes) = store.get(NAME)? else { return Ok(None) };
    let Some((head, proofs)) = bytes.split_first_chunk::<HEAD_BYTES>() else { return Ok(None) };
    let (proofs, rest) = proofs.as_chunks::<PROOF_BYTES>();
    if !rest.is_empty() {
        return Ok(None);
    }
    for proof in proofs {
        let (key, [lower, upper, best, effort]) = split(proof);
        let bounds = Bounds { lower: i32::from(lower as i8), upper: i32::from(upper as i8) };
        table.put_proven(Proven { key: u128::from_le_bytes(key), bounds, best, effort });
    }
    let (lower, upper) = split(head);
    Ok(Some(Bounds { lower: i32::from_le_bytes(lower), upper: i32::from_le_bytes(upper) }))
}

/// Splits an array in two.
fn split<const N: usize, const A: usize, const B: usize>(bytes: &[u8; N]) -> ([u8; A], [u8; B]) {
    const { assert!(A + B == N) };
    (std::array::from_fn(|at| bytes[at]), std::array::from_fn(|at| bytes[A + at]))
}
