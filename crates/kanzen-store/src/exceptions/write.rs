//! Writing values with exceptions.

use rayon::prelude::*;

use super::{CHUNK, KIND, VALUES};
use crate::occurrence::Noted;
use crate::vfs::VfsPath;
use crate::{BlockSummary, BlockWriter, ValueSet};
use crate::{Exception, FillExceptions};
use kanzen_core::vocabulary::Error;

/// Writes values with exceptions: `fill` gives the entries from a slot on.
pub fn write_exceptions(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    slots: u32,
    fill: &FillExceptions<'_>,
) -> Result<BlockSummary, Error> {
    let path = path.into();
    let mut writer = BlockWriter::create(&path, KIND, fingerprint)?;
    let noted = Noted::new(VALUES);
    // The three blocks of a chunk are made from the same entries: chunks in batches, entries kept for a batch.
    let batch = 8 * rayon::current_num_threads() as u32;
    let chunks = slots.div_ceil(CHUNK);
    for from in (0..chunks).step_by(batch as usize) {
        let made: Vec<[Vec<u8>; 3]> = (from..chunks.min(from + batch))
            .into_par_iter()
            .map_init(Vec::new, |entries, chunk| {
                entries.clear();
                fill(chunk * CHUNK, entries)?;
                let mut set = ValueSet::default();
                for entry in entries.iter() {
                    set.insert(entry.value);
                    if entry.case != 0 {
                        set.insert(entry.then);
                    }
                }
                noted.note(chunk.into(), set);
                Ok::<_, Error>(encode(entries))
            })
            .collect::<Result<_, _>>()?;
        writer.push_many(3 * made.len() as u64, |block| Ok(made[block as usize / 3][block as usize % 3].clone()))?;
    }
    noted.write(&path, fingerprint)?;
    writer.finish()
}

fn encode(entries: &[Exception]) -> [Vec<u8>; 3] {
    let difference = |entry: &Exception| if entry.then == 0 { 0 } else { entry.then.wrapping_sub(entry.value) };
    [
        entries.iter().map(|entry| entry.value).collect(),
        entries.iter().map(|entry| entry.case).collect(),
        entries.iter().filter(|entry| entry.case != 0).map(difference).collect(),
    ]
}
