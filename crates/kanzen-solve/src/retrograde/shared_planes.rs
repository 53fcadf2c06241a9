//! Planes of classes that several processes share.
//!
//! The first process has the files. Each process packs the blocks that it owns, the first one joins them in order: the
//! file is identical to that of a single process. When it is read again, each block goes to its owner.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Graph;
use super::class_context::{ClassContext, wide};
use crate::mesh::{Contributions, Mesh, Parcel, Round, RoundRobin, Share, garbled};
use crate::{Job, PackedPlane, plane_file};
use kanzen_core::machine::{Codes, parallel};
use kanzen_core::vocabulary::{Error, Value};

/// Blocks that each process packs before the first one writes them.
const BLOCKS: u64 = 32;

/// Which classes have their planes already, as the first process sees it.
pub fn finished(mesh: &dyn Mesh, job: &Job<'_>, classes: usize) -> Result<Vec<bool>, Error> {
    let here: Vec<u8> = (0..classes).map(|class| u8::from(job.store.has(&plane_file(class)))).collect();
    if mesh.peers() == 1 {
        return Ok(here.into_iter().map(|has| has == 1).collect());
    }
    let said = mesh.all_gather(&here)?;
    if said[0].len() != classes {
        return Err(garbled("a list of classes"));
    }
    Ok(said[0].iter().map(|&has| has == 1).collect())
}

/// Writes the plane of a class: `value` returns that of a slot that is here.
pub fn write<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    value: &(dyn Fn(u64) -> Value + Sync),
) -> Result<(), Error> {
    let (mesh, store) = (work.mesh, work.job.store);
    let share = RoundRobin::of(mesh);
    let slots = work.slots();
    let palette = palette(work, value)?;
    let plane = PackedPlane { slots, block: 1 << share.bits, palette: &palette };
    // The first process has the most blocks.
    let batches = share.at(0).blocks_here(slots).div_ceil(BLOCKS);
    let pack = |here: u64| {
        let slots = here << share.bits..((here + 1) << share.bits).min(work.here());
        let block = here * share.peers as u64 + share.me as u64;
        let bytes = store.pack_block(&plane, block, &|slot| value(share.local(slot)))?;
        work.steps(slots.end - slots.start)?;
        Ok((block, bytes))
    };
    let pack_batch = |batch: u64| -> Result<Vec<(u64, Vec<u8>)>, Error> {
        let mine = batch * BLOCKS..((batch + 1) * BLOCKS).min(share.blocks_here(slots));
        parallel::try_map((mine.end - mine.start) as usize, &|at| pack(mine.start + at as u64))
    };
    let mut contributions = Contributions::new(mesh);
    if mesh.me() != 0 {
        for batch in 0..batches {
            let nothing = |_: Parcel| Err(garbled("blocks to be joined elsewhere"));
            let round = Round::new(mesh, &nothing);
            for (block, mut bytes) in pack_batch(batch)? {
                contributions.add(mesh.me(), block, &bytes);
                bytes.extend(block.to_le_bytes());
                round.post(0, bytes);
            }
            round.finish()?;
        }
        contributions.compare(mesh)?;
    } else {
        let mut ready: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        let mut batch = 0;
        if slots == 0 {
            contributions.compare(mesh)?;
        }
        store.put_packed_plane(&plane_file(work.class), &plane, &mut |block| {
            while !ready.contains_key(&block) {
                if batch == batches {
                    return Err(garbled("too few blocks"));
                }
                ready.extend(pack_batch(batch)?);
                mesh.barrier_enter()?;
                mesh.collect(|Parcel { mut bytes, .. }| {
                    let start = bytes.len().checked_sub(8).ok_or_else(|| garbled("a block"))?;
                    ready.insert(wide(&bytes.split_off(start)) as u64, bytes);
                    Ok(())
                })?;
                batch += 1;
            }
            let bytes = ready.remove(&block).expect("it is there");
            contributions.add((block % share.peers as u64) as usize, block, &bytes);
            if block + 1 == share.blocks(slots) {
                contributions.compare(mesh)?;
            }
            Ok(bytes)
        })?;
        if batch != batches {
            return Err(garbled("too many blocks"));
        }
    }
    // No process goes on before the file is there: a checkpoint is removed next.
    mesh.all_reduce_min([1]).map(|_| ())
}

/// The values that occur, worst first, in the shares of all processes.
fn palette<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    value: &(dyn Fn(u64) -> Value + Sync),
) -> Result<Vec<Value>, Error> {
    const STRETCH: u64 = 1 << 16;
    let none = || vec![0u8; 1 << 13];
    let either = |mut all: Vec<u8>, seen: Vec<u8>| {
        all.iter_mut().zip(seen).for_each(|(all, seen)| *all |= seen);
        all
    };
    let here = work.here();
    let stretches = (0..here.div_ceil(STRETCH)).into_par_iter();
    let seen = stretches.fold(none, |mut seen, stretch| {
        for slot in stretch * STRETCH..here.min((stretch + 1) * STRETCH) {
            let code = value(slot).code() as u16;
            seen[usize::from(code >> 3)] |= 1 << (code & 7);
        }
        seen
    });
    let seen = work.mesh.all_gather(&seen.reduce(none, either))?.into_iter().fold(none(), either);
    let occurs = |code: &i16| seen[usize::from(*code as u16 >> 3)] >> (*code as u16 & 7) & 1 == 1;
    Ok((i16::MIN..=i16::MAX).filter(occurs).filter_map(Value::from_code).collect())
}

/// The codes of those slots of a finished plane that are here; the first process reads it for all.
pub fn read(mesh: &dyn Mesh, job: &Job<'_>, name: &str, slots: u64) -> Result<Codes, Error> {
    let share = RoundRobin::of(mesh);
    let here = share.here(slots);
    let mut codes = Codes::zeroed(name, here as usize)?;
    let block = 1 << share.bits;
    if mesh.me() != 0 {
        mesh.barrier_enter()?;
        mesh.collect(|Parcel { mut bytes, .. }| {
            let start = bytes.len().checked_sub(8).ok_or_else(|| garbled("values"))?;
            let first = wide(&bytes.split_off(start)) as usize;
            let to = codes.get_mut(first..first + bytes.len() / 2).ok_or_else(|| garbled("values"))?;
            to.iter_mut().zip(bytes.as_chunks().0).for_each(|(code, bytes)| *code = i16::from_le_bytes(*bytes));
            Ok(())
        })?;
        return Ok(codes);
    }
    let nothing = |_: Parcel| Err(garbled("values that were not requested"));
    let round = Round::new(mesh, &nothing);
    let some = (BLOCKS * share.peers as u64) << share.bits;
    let mut stretch = Codes::zeroed(name, some.min(slots) as usize)?;
    for first in (0..slots).step_by(some as usize) {
        let length = some.min(slots - first) as usize;
        job.store.read_plane(name, first, &mut stretch[..length])?;
        for (block, values) in (first / block..).zip(stretch[..length].chunks(block as usize)) {
            let slot = block << share.bits;
            let local = share.local(slot);
            match share.owner(slot) {
                0 => codes[local as usize..local as usize + values.len()].copy_from_slice(values),
                owner => {
                    let mut bytes: Vec<u8> = values.iter().flat_map(|code| code.to_le_bytes()).collect();
                    bytes.extend(local.to_le_bytes());
                    round.post(owner, bytes);
                }
            }
        }
    }
    round.finish()?;
    Ok(codes)
}
