//! Where a solve keeps its work, and finds it again after a kill.

use kanzen_core::machine::Codes;
use kanzen_core::vocabulary::{Error, Tally, Value};

/// What an engine may keep. The store's folders are one, [`MemoryStore`](super::MemoryStore) is another.
///
/// Everything has a name, and appears whole or not at all: what is there was finished. What was kept can be damaged
/// since: reading it then is an error ([`Error::is_loss`]), or, for what only saves time, as if it were not there.
pub trait SolveStore: Sync {
    /// The name of what is solved.
    fn game(&self) -> &str;

    /// Whether there is a file of this name.
    fn has(&self, name: &str) -> bool;

    /// How many bytes a file has that is there.
    fn bytes(&self, name: &str) -> Result<u64, Error>;

    /// The names of all that is kept.
    fn names(&self) -> Result<Vec<String>, Error>;

    /// Removes a file, if it is there.
    fn remove(&self, name: &str) -> Result<(), Error>;

    /// Waits until all that was kept is safe on the disk.
    fn sync(&self) -> Result<(), Error>;

    /// Refuses a solve that would need more room than the disk has, what is kept already counted in.
    fn check_room(&self, bytes: u64) -> Result<(), Error>;

    /// Keeps some bytes, and drops those kept under the name before.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error>;

    /// The bytes kept under a name; nothing if there are none, or if they are damaged.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Keeps the state of a piece of work at the end of a level; it replaces the one before.
    fn put_state(&self, name: &str, level: u64, state: &[u8]) -> Result<(), Error>;

    /// Reads the last state kept under a name and tells its level; nothing if there is none of this length that is
    /// sound. Then `state` may hold anything.
    fn get_state(&self, name: &str, state: &mut [u8]) -> Result<Option<u64>, Error>;

    /// The level of the last state kept under a name, if there is one.
    fn state_level(&self, name: &str) -> Result<Option<u64>, Error>;

    /// Reads the last state kept under a name by pieces: `visit` is called in parallel with where each begins (a multiple
    /// of 1 Mi) and its bytes. Tells its level; nothing if there is no sound one of this length, and then some pieces may
    /// have been visited.
    fn visit_state(&self, name: &str, bytes: u64, visit: &VisitState<'_>) -> Result<Option<u64>, Error>;

    /// Keeps a plane: a value for each slot. `fill` writes the codes ([`Value::code`]) of a stretch, from a slot on; it is
    /// called in parallel, more than once for each slot. `done` hears of slots that are packed, all of them by and by; if
    /// it fails, nothing is kept.
    fn put_plane(&self, name: &str, slots: u64, fill: &FillCodes<'_>, done: &StepsDone<'_>) -> Result<(), Error>;

    /// Keeps a plane whose maker knows the palette and the blocks: see [`IndexedPlane`].
    fn put_indexed_plane(&self, name: &str, plane: &IndexedPlane<'_>) -> Result<(), Error>;

    /// Packs a block of a plane for [`put_packed_plane`](SolveStore::put_packed_plane), which may be that of another
    /// process. `value` is called with the slots of the block.
    fn pack_block(&self, plane: &PackedPlane<'_>, block: u64, value: &dyn Fn(u64) -> Value) -> Result<Vec<u8>, Error>;

    /// Keeps a plane whose blocks were packed by [`pack_block`](SolveStore::pack_block); `next` is called with 0, 1, ...
    /// in order. The file is that of [`put_plane`](SolveStore::put_plane).
    fn put_packed_plane(&self, name: &str, plane: &PackedPlane<'_>, next: &mut NextBlock<'_>) -> Result<(), Error>;

    /// The codes of some slots of a plane, from a slot on.
    fn read_plane(&self, name: &str, first: u64, codes: &mut [i16]) -> Result<(), Error>;

    /// The codes of all slots of a plane.
    fn get_plane(&self, name: &str) -> Result<Codes, Error>;

    /// The codes of a plane with so many slots of another game's finished database, where the store can see one that is
    /// sound. Optional: a store that sees nothing else has none, and the solve works out itself what it would take over.
    fn plane_of(&self, _other: &SolvedGame<'_>, _name: &str, _slots: u64) -> Result<Option<Codes>, Error> {
        Ok(None)
    }

    /// The values of a plane, counted.
    fn tally(&self, name: &str) -> Result<Tally, Error>;

    /// Keeps strictly ascending keys.
    fn put_keys(&self, name: &str, keys: &AscendingKeys<'_>) -> Result<(), Error>;

    /// Packs strictly ascending keys of so many bytes each for [`put_packed_keys`](SolveStore::put_packed_keys): those
    /// from `first` on, a multiple of [`PACKED_KEYS`]; fewer than so many only at the end.
    fn pack_keys(&self, width: usize, first: u64, keys: &[u128]) -> Result<Vec<u8>, Error>;

    /// Keeps `len` keys that were packed by [`pack_keys`](SolveStore::pack_keys); `next` is called with 0, 1, ... in
    /// order, for [`PACKED_KEYS`] of them each. The file is that of [`put_keys`](SolveStore::put_keys).
    fn put_packed_keys(&self, name: &str, width: usize, len: u64, next: &mut NextBlock<'_>) -> Result<(), Error>;

    /// Visits the keys kept under a name, of so many bytes each, in order and by stretches.
    fn get_keys(&self, name: &str, width: usize, visit: &mut VisitKeys<'_>) -> Result<(), Error>;

    /// Keeps a log: so many chunks of bytes, made in parallel. It need not be safe before the next
    /// [`sync`](SolveStore::sync).
    fn put_log(&self, name: &str, chunks: u64, make: &MakeChunk<'_>) -> Result<(), Error> {
        self.put_log_in_parts(name, &mut |add| add(chunks, make))
    }

    /// Keeps a log that is made in parts: `parts` hands them on, one after the other, as it has them. The log is that of
    /// [`put_log`](SolveStore::put_log) with all chunks at once; if `parts` fails, nothing is kept.
    fn put_log_in_parts(&self, name: &str, parts: &mut LogParts<'_>) -> Result<(), Error>;

    /// Opens a log.
    fn get_log(&self, name: &str) -> Result<ReadChunk<'_>, Error>;

    /// Keeps values with exceptions: see [`Exception`]. `fill` adds those of a stretch of at most
    /// [`Exception::STRETCH`] slots, from a slot on; if it fails, nothing is kept.
    fn put_exceptions(&self, name: &str, slots: u32, fill: &FillExceptions<'_>) -> Result<(), Error>;

    /// The values of all slots where no exception is made.
    fn get_values(&self, name: &str, slots: u32) -> Result<Vec<u8>, Error>;
}

/// Another game that may be solved already, by the name and the fingerprint of its database.
#[derive(Clone, Copy, Debug)]
pub struct SolvedGame<'a> {
    /// Its id.
    pub game: &'a str,
    /// The fingerprint of its rules and numbering.
    pub fingerprint: u64,
}

/// Strictly ascending keys that need not stand side by side in memory.
#[derive(Clone, Copy)]
pub struct AscendingKeys<'a> {
    /// Bytes of a key.
    pub width: usize,
    /// How many there are.
    pub len: u64,
    /// Writes the keys from a slot on; called in parallel, and more than once.
    pub fill: &'a (dyn Fn(u64, &mut [u128]) + Sync),
}

/// Keys that are packed together.
pub const PACKED_KEYS: u64 = 1 << 16;

/// A plane that is packed block by block.
#[derive(Clone, Copy)]
pub struct PackedPlane<'a> {
    /// How many slots it has.
    pub slots: u64,
    /// Slots of a block. A folder on the disk has only one size.
    pub block: u64,
    /// The values that occur, worst first.
    pub palette: &'a [Value],
}

impl PackedPlane<'_> {
    /// How many blocks it has.
    pub fn blocks(&self) -> u64 {
        self.slots.div_ceil(self.block)
    }

    /// The slots of a block.
    pub fn slots_of(&self, block: u64) -> std::ops::Range<u64> {
        block * self.block..((block + 1) * self.block).min(self.slots)
    }
}

/// Gives a packed block.
pub type NextBlock<'a> = dyn FnMut(u64) -> Result<Vec<u8>, Error> + 'a;

/// Takes a piece of a state: where it begins, and its bytes.
pub type VisitState<'a> = dyn Fn(u64, &[u8]) + Sync + 'a;

/// Takes a stretch of keys.
pub type VisitKeys<'a> = dyn FnMut(&[u128]) -> Result<(), Error> + 'a;

/// Adds the entries of a stretch of slots, from a slot on.
pub type FillExceptions<'a> = dyn Fn(u32, &mut Vec<Exception>) -> Result<(), Error> + Sync + 'a;

/// Writes the codes of a stretch of slots, from a slot on.
pub type FillCodes<'a> = dyn Fn(u64, &mut [i16]) + Sync + 'a;

/// Hears of steps that are done, and may end the work.
pub type StepsDone<'a> = dyn Fn(u64) -> Result<(), Error> + Sync + 'a;

/// Makes a chunk of a log, or of a part of one, by its number there; called in parallel.
pub type MakeChunk<'a> = dyn Fn(u64) -> Vec<u8> + Sync + 'a;

/// Adds so many chunks to a log, after those that it has.
pub type AddChunks<'a> = dyn FnMut(u64, &MakeChunk<'_>) -> Result<(), Error> + 'a;

/// Makes a log part by part, with a function that adds one.
pub type LogParts<'a> = dyn FnMut(&mut AddChunks<'_>) -> Result<(), Error> + 'a;

/// Reads a chunk of a log.
pub type ReadChunk<'a> = Box<dyn Fn(u64) -> Result<Vec<u8>, Error> + Sync + 'a>;

/// A plane by blocks of indices into its palette, a byte a slot.
pub struct IndexedPlane<'a> {
    /// The values that occur, worst first: at most 256.
    pub palette: &'a [Value],
    /// Slots of a block.
    pub entries: u32,
    /// Bytes that are unpacked together.
    pub page: u32,
    /// How hard to compress.
    pub level: i32,
    /// How many blocks each group has.
    pub groups: &'a [u64],
    /// Makes the blocks of a group; called in parallel, once for each.
    pub make: &'a (dyn Fn(usize) -> Result<Vec<Vec<u8>>, Error> + Sync),
}

/// A slot whose value changes in one case: if the one move that matters is forbidden, say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exception {
    /// What holds as a rule.
    pub value: u8,
    /// In which case something else does; 0 if in none.
    pub case: u8,
    /// What holds in that case.
    pub then: u8,
}

impl Exception {
    /// Slots that are made and kept together.
    pub const STRETCH: u32 = 1 << 13;
}
