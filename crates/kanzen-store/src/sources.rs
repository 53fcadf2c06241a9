//! What a solve hands to the store: planes, keys and logs as functions that make them piece by piece.

use kanzen_core::vocabulary::{Error, Value};

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
    /// Slots of a block.
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
