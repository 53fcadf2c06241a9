//! Checkpoints of a class that several processes share.
//!
//! ```text
//! class-3.level-17.shard-0-of-4     the words of the slots that process 0 of 4 has, after level 17
//! class-3.level-17.shard-1-of-4     ...
//! class-3.checkpoint                the words of all: what a process alone writes
//! ```
//!
//! A set counts only if all its shards are there; the one before is removed when they are. Each process reads the blocks
//! that are its own now, from whichever shards have them: so in a folder that all can read, any number of processes goes
//! on where any other number stopped.

use std::collections::BTreeSet;

use super::class_context::ClassContext;
use super::level_queue::LevelQueue;
use super::level_summary::{LevelSummary, NEVER};
use super::{Graph, state_file};
use crate::mesh::{RoundRobin, Share};
use kanzen_core::machine::AtomicWords;
use kanzen_core::vocabulary::{Error, Value};

/// A set of shards, or one that a process sees some of. The later level is the better one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ShardSet {
    level: u64,
    shards: usize,
}

fn shard_file(class: usize, set: ShardSet, shard: usize) -> String {
    format!("class-{class}.level-{}.shard-{shard}-of-{}", set.level, set.shards)
}

/// The class, set and shard of a file name.
fn shard_of(name: &str) -> Option<(usize, ShardSet, usize)> {
    let (class, rest) = name.strip_prefix("class-")?.split_once(".level-")?;
    let (level, rest) = rest.split_once(".shard-")?;
    let (shard, shards) = rest.split_once("-of-")?;
    let set = ShardSet { level: level.parse().ok()?, shards: shards.parse().ok()? };
    Some((class.parse().ok()?, set, shard.parse().ok()?))
}

/// Reads the words of the last checkpoint that all processes can read, and returns its level.
pub fn resume<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    words: &mut AtomicWords,
) -> Result<Option<u64>, Error> {
    let (class, store) = (work.class, work.job.store);
    if S::WHOLE
        && let Some(level) = store.get_state(&state_file(class), words.bytes_mut())?
    {
        return Ok(Some(level));
    }
    let slots = work.slots();
    let share = RoundRobin::of(work.mesh);
    let mut sets: BTreeSet<ShardSet> =
        store.names()?.iter().filter_map(|name| shard_of(name)).filter(|found| found.0 == class).map(|f| f.1).collect();
    if !S::WHOLE
        && let Some(level) = store.state_level(&state_file(class))?
    {
        sets.insert(ShardSet { level, shards: 1 });
    }
    // One candidate after the other, the best first: all processes try the same one.
    loop {
        let best = sets.last().copied();
        let wanted = best.map_or(u64::MAX, |set| u64::MAX - 1 - set.level);
        let [least] = work.mesh.all_reduce_min([wanted])?;
        if least == u64::MAX {
            return Ok(None);
        }
        let level = u64::MAX - 1 - least;
        // Of one level there may be sets of several sizes.
        let of_level = sets.iter().rev().find(|set| set.level == level).copied();
        let shards = of_level.map_or(u64::MAX, |set| set.shards as u64);
        let [least] = work.mesh.all_reduce_min([shards])?;
        let set = ShardSet { level, shards: least as usize };
        let found = sets.remove(&set) && read_set(work, share, set, slots, words)?;
        let [all] = work.mesh.all_reduce_min([u64::from(found)])?;
        if all == 1 {
            return Ok(Some(level));
        }
    }
}

/// Reads the words that are here now from the shards of a set; not if one is missing or damaged.
fn read_set<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    share: RoundRobin,
    set: ShardSet,
    slots: u64,
    words: &AtomicWords,
) -> Result<bool, Error> {
    if set.shards == 0 {
        return Ok(false);
    }
    for shard in 0..set.shards {
        let theirs = RoundRobin { me: shard, peers: set.shards, bits: share.bits };
        let here = theirs.here(slots);
        let is_wanted =
            (0..theirs.blocks_here(slots)).any(|block| share.owner(theirs.global(block << share.bits)) == share.me);
        if !is_wanted {
            continue;
        }
        let name = match set.shards {
            1 if work.job.store.has(&state_file(work.class)) => state_file(work.class),
            _ => shard_file(work.class, set, shard),
        };
        let take = |offset: u64, bytes: &[u8]| {
            for (at, word) in (offset / 4..).zip(bytes.as_chunks::<4>().0) {
                let slot = theirs.global(at);
                if share.owner(slot) == share.me {
                    words[share.local(slot) as usize]
                        .store(u32::from_ne_bytes(*word), std::sync::atomic::Ordering::Relaxed);
                }
            }
        };
        if work.job.store.visit_state(&name, 4 * here, &take)? != Some(set.level) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes what this process sees of all checkpoints of a class that is done.
pub fn remove_all<G: Graph, S: Share>(work: &ClassContext<'_, G, S>) -> Result<(), Error> {
    remove_but(work, None)?;
    work.job.store.remove(&state_file(work.class))
}

/// Removes the shards of a class, but for one set. In a folder that several processes have, each finds some to remove.
fn remove_but<G: Graph, S: Share>(work: &ClassContext<'_, G, S>, kept: Option<ShardSet>) -> Result<(), Error> {
    let store = work.job.store;
    for name in store.names()? {
        if shard_of(&name).is_some_and(|(class, set, _)| class == work.class && Some(set) != kept) {
            store.remove(&name)?;
        }
    }
    Ok(())
}

/// The level to be settled after the one that was done last here, on which all processes agree; nothing if all are done.
/// If a checkpoint is due with one of the processes, or one is asked to stop, all write theirs first, and may end here.
pub fn next_level<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    last: Option<u32>,
    done: Option<u64>,
    queue: &mut LevelQueue,
) -> Result<Option<u32>, Error> {
    if S::WHOLE {
        return Ok(queue.nearest(last));
    }
    let job = work.job;
    let agreed = match queue.agreed() {
        // Beyond the last level, the level summaries alone do not decide.
        Some(agreed) if agreed.nearest == NEVER || agreed.nearest <= u64::from(Value::MAX_DISTANCE) => agreed,
        _ => LevelSummary::new(job, queue.nearest(last)).agreed(work.mesh)?,
    };
    if let Some(level) = done
        && (agreed.goes_on == 0 || agreed.no_checkpoint == 0)
    {
        let set = ShardSet { level, shards: work.mesh.peers() };
        job.store.put_state(&shard_file(work.class, set, work.mesh.me()), level, queue.state())?;
        // Now all are there, and the ones before can go.
        work.mesh.all_reduce_min([1])?;
        remove_but(work, Some(set))?;
        job.checkpoint_written();
    }
    if agreed.goes_on == 0 {
        return Err(Error::Stopped);
    }
    Ok(u32::try_from(agreed.nearest).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_known_by_its_name() {
        let set = ShardSet { level: 17, shards: 4 };
        assert_eq!(shard_of(&shard_file(3, set, 1)), Some((3, set, 1)));
        for other in ["class-3.checkpoint", "class-3.plane", "class-x.level-1.shard-0-of-1", "class-3.level-17.shard-1"]
        {
            assert_eq!(shard_of(other), None);
        }
    }
}
