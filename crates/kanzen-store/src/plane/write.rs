//! Writing planes.

use std::sync::{Mutex, PoisonError};

use super::coder::Coder;
use super::{Head, MAX_ENTRIES, MOST_IN_A_BYTE, PlaneFile};
use crate::occurrence::Noted;
use crate::vfs::VfsPath;
use crate::{BlockSummary, BlockWriter, LEVEL, ValueSet};
use crate::{FillCodes, StepsDone};
use kanzen_core::machine::parallel;
use kanzen_core::vocabulary::{Error, Tally, Value};

/// How a plane is cut and compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaneOptions {
    /// Slots per block: a look-up reads and checks one block, and unpacks a page of it. Between 1 and 1 Mi.
    pub entries: u32,
    /// Bytes per page. Smaller pages make look-ups quicker and files larger.
    pub page: u32,
    /// The zstd level.
    pub level: i32,
}

impl PlaneOptions {
    /// A page never cuts a slot of two bytes in half.
    pub(super) fn page(self) -> u32 {
        self.page.next_multiple_of(2).max(2)
    }
}

impl Default for PlaneOptions {
    fn default() -> PlaneOptions {
        PlaneOptions { entries: 1 << 16, page: 1 << 13, level: LEVEL }
    }
}

/// What a finished plane is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaneSummary {
    /// How many slots it has.
    pub slots: u64,
    /// How many slots have which value.
    pub tally: Tally,
    /// Length and checksums of its file.
    pub file: BlockSummary,
}

/// Writes the plane of slots `0..slots`, in two parallel passes: the values that occur, then the blocks.
///
/// `value_at` is called twice for each slot, in no order, and must give the same value both times. The file is the same
/// for any number of threads.
///
/// ```
/// use kanzen_core::Value;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("plane");
/// let summary = kanzen_store::write_plane(&path, 7, 100, |slot| if slot == 42 { Value::win(1) } else { Value::DRAW })?;
/// assert_eq!((summary.tally.wins(), summary.tally.draws()), (1, 99));
///
/// let plane = kanzen_store::PlaneFile::open(&path, 7, &kanzen_store::BlockCache::new(1 << 20))?;
/// assert_eq!(plane.get(42)?, Value::win(1));
/// assert_eq!(plane.get(100).unwrap_err().to_string(), format!("{} has 100 slots, there is no slot 100", path.display()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_plane<F>(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    slots: u64,
    value_at: F,
) -> Result<PlaneSummary, Error>
where
    F: Fn(u64) -> Value + Sync,
{
    write_plane_with(path, fingerprint, PlaneOptions::default(), slots, value_at)
}

/// As [`write_plane`], with options.
pub fn write_plane_with<F>(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    options: PlaneOptions,
    slots: u64,
    value_at: F,
) -> Result<PlaneSummary, Error>
where
    F: Fn(u64) -> Value + Sync,
{
    let fill = codes_of(value_at);
    let mut writer = PlaneWriter::create(path, fingerprint, &values_that_occur(slots, &fill), options)?;
    writer.push_codes(slots, &fill, &|_| Ok(()))?;
    writer.finish()
}

/// As [`write_plane`], by stretches of codes; `done` hears of slots that are packed, and may end it.
pub fn write_plane_codes(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    slots: u64,
    fill: &FillCodes<'_>,
    done: &StepsDone<'_>,
) -> Result<PlaneSummary, Error> {
    let palette = values_that_occur(slots, fill);
    let mut writer = PlaneWriter::create(path, fingerprint, &palette, PlaneOptions::default())?;
    writer.push_codes(slots, fill, done)?;
    writer.finish()
}

/// Values one by one, as stretches of codes.
fn codes_of(value_at: impl Fn(u64) -> Value + Sync) -> impl Fn(u64, &mut [i16]) + Sync {
    move |first, codes| {
        for (slot, code) in (first..).zip(codes) {
            *code = value_at(slot).code();
        }
    }
}

/// The codes of a stretch.
fn filled(fill: &FillCodes<'_>, first: u64, slots: u64) -> Vec<i16> {
    let mut codes = vec![0; slots as usize];
    fill(first, &mut codes);
    codes
}

fn values_that_occur(slots: u64, fill: &FillCodes<'_>) -> Vec<Value> {
    const STRETCH: u64 = 1 << 16;
    let all = Mutex::new(vec![false; 1 << 16]);
    parallel::on_each_thread(slots.div_ceil(STRETCH) as usize, &|stretches| {
        let mut seen = vec![false; 1 << 16];
        while let Some(stretch) = stretches.take() {
            let first = stretch as u64 * STRETCH;
            for code in filled(fill, first, STRETCH.min(slots - first)) {
                seen[code as u16 as usize] = true;
            }
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().zip(seen).for_each(|(all, seen)| *all |= seen);
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    (i16::MIN..=i16::MAX).filter(|&code| all[code as u16 as usize]).filter_map(Value::from_code).collect()
}

/// Writes a plane in the order of its slots, when the values that can occur are known beforehand.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_store::{PlaneOptions, PlaneWriter};
/// let folder = tempfile::tempdir()?;
/// let palette = [Value::DRAW, Value::loss(0), Value::win(1)];
/// let mut writer = PlaneWriter::create(&folder.path().join("plane"), 7, &palette, PlaneOptions::default())?;
/// writer.push(&[Value::loss(0), Value::DRAW])?;
/// writer.push_many(1000, |slot| if slot % 2 == 0 { Value::win(1) } else { Value::DRAW })?; // slots 2 to 1001
/// let summary = writer.finish()?;
/// assert_eq!((summary.slots, summary.tally.of(Value::win(1))), (1002, 500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlaneWriter {
    blocks: BlockWriter,
    coder: Coder,
    head: Head,
    fingerprint: u64,
    begun: Vec<i16>, // the codes of a block that is not full yet
}

impl PlaneWriter {
    /// Begins a plane with these values, in any order.
    pub fn create(
        path: impl Into<VfsPath>,
        fingerprint: u64,
        palette: &[Value],
        options: PlaneOptions,
    ) -> Result<PlaneWriter, Error> {
        let mut palette = palette.to_vec();
        palette.sort();
        palette.dedup();
        let entries = u64::from(options.entries).clamp(1, MAX_ENTRIES);
        let head = Head { slots: 0, entries, page: options.page().into(), palette };
        let blocks = BlockWriter::create(path, PlaneFile::KIND, fingerprint)?
            .level(options.level)
            .pages(options.page() as usize);
        Ok(PlaneWriter { blocks, coder: Coder::new(&head), head, fingerprint, begun: Vec::new() })
    }

    /// How many slots there are so far: the number of the next one.
    pub fn slots(&self) -> u64 {
        self.head.slots
    }

    /// Adds the values of the next slots.
    pub fn push(&mut self, values: &[Value]) -> Result<(), Error> {
        let first = self.slots();
        self.push_many(values.len() as u64, |slot| values[(slot - first) as usize])
    }

    /// Adds the next `slots` slots in parallel; `value_at` is called with their numbers, in no order.
    pub fn push_many<F>(&mut self, slots: u64, value_at: F) -> Result<(), Error>
    where
        F: Fn(u64) -> Value + Sync,
    {
        self.push_codes(slots, &codes_of(value_at), &|_| Ok(()))
    }

    fn push_codes(&mut self, slots: u64, fill: &FillCodes<'_>, done: &StepsDone<'_>) -> Result<(), Error> {
        let (mut slot, entries) = (self.head.slots, self.head.entries);
        let end = slot + slots;
        self.head.slots = end;
        if !self.begun.is_empty() {
            let full = end.min(slot + entries - self.begun.len() as u64);
            self.begun.extend(filled(fill, slot, full - slot));
            slot = full;
            if self.begun.len() as u64 == entries {
                self.push_begun(slot)?;
            }
        }
        let (coder, path) = (&self.coder, self.blocks.path().to_path_buf());
        let whole = (end - slot) / entries;
        self.blocks.push_many(whole, |block| {
            let first = slot + block * entries;
            let encoded = coder.encode(&path, first, &filled(fill, first, entries))?;
            done(entries).map(|()| encoded)
        })?;
        let rest = slot + whole * entries;
        self.begun.extend(filled(fill, rest, end - rest));
        done(slots - whole * entries)
    }

    /// Writes what is left, syncs the file and gives it its name.
    pub fn finish(mut self) -> Result<PlaneSummary, Error> {
        if !self.begun.is_empty() {
            self.push_begun(self.head.slots)?;
        }
        self.blocks.push(&self.head.to_bytes())?;
        self.coder.noted.write(self.blocks.path(), self.fingerprint)?;
        let tally = self.coder.tally(&self.head.palette);
        Ok(PlaneSummary { slots: self.head.slots, tally, file: self.blocks.finish()? })
    }

    fn push_begun(&mut self, end: u64) -> Result<(), Error> {
        let codes = std::mem::take(&mut self.begun);
        let bytes = self.coder.encode(self.blocks.path(), end - codes.len() as u64, &codes)?;
        self.blocks.push(&bytes)
    }
}

/// Writes a plane whose maker knows the palette, which must be worst first, and gives indices into it: a byte a slot.
///
/// Blocks are made in groups of `sizes[group]`, in parallel ([`BlockWriter::push_groups`]); each has `options.entries`
/// slots. This is the way for planes of billions of slots. A palette that a byte cannot tell apart is refused before
/// anything is written or made.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_store::{PlaneOptions, self};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("plane");
/// let palette = [Value::UNTIMED_LOSS, Value::win(1)];
/// let options = PlaneOptions { entries: 4, ..PlaneOptions::default() };
/// kanzen_store::write_plane_indices(&path, 7, &palette, options, &[2], |_| Ok(vec![vec![0, 0, 1, 0], vec![1, 1, 1, 1]]))?;
/// let plane = kanzen_store::PlaneFile::open(&path, 7, &kanzen_store::BlockCache::new(0))?;
/// assert_eq!((plane.get(2)?, plane.get(3)?, plane.len()), (Value::win(1), Value::UNTIMED_LOSS, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_plane_indices<F>(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    palette: &[Value],
    options: PlaneOptions,
    sizes: &[u64],
    make: F,
) -> Result<BlockSummary, Error>
where
    F: Fn(usize) -> Result<Vec<Vec<u8>>, Error> + Sync,
{
    let path = path.into();
    if palette.len() > MOST_IN_A_BYTE {
        let what = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        return Err(Error::Palette { what, values: palette.len(), limit: MOST_IN_A_BYTE });
    }
    let entries = u64::from(options.entries).clamp(1, MAX_ENTRIES);
    let head = Head {
        slots: entries * sizes.iter().sum::<u64>(),
        entries,
        page: options.page().into(),
        palette: palette.to_vec(),
    };
    let mut blocks =
        BlockWriter::create(&path, PlaneFile::KIND, fingerprint)?.level(options.level).pages(options.page() as usize);
    let noted = Noted::new(palette.len());
    let firsts: Vec<u64> = sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
    blocks.push_groups(sizes, |group| {
        let made = make(group)?;
        let sound = |indices: &Vec<u8>| {
            let highest = indices.iter().copied().max().unwrap_or(0);
            indices.len() as u64 == entries && usize::from(highest) < palette.len()
        };
        assert!(made.iter().all(sound), "a block has {entries} indices into the palette");
        (firsts[group]..).zip(&made).for_each(|(block, indices)| noted.note(block, ValueSet::of(indices)));
        Ok(made)
    })?;
    blocks.push(&head.to_bytes())?;
    noted.write(&path, fingerprint)?;
    blocks.finish()
}
