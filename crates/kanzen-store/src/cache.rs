//! Blocks that were read lately, shared by the readers of a database.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::BlockFile;
use kanzen_core::vocabulary::Error;

/// A bounded cache of blocks for any number of threads.
///
/// Each shard keeps its blocks in a queue. When it is full the oldest goes, unless it was used since it last came up:
/// then it gets a second turn (the *clock* rule: nearly as good as least-recently-used, and a hit moves nothing).
///
/// ```
/// use kanzen_store::BlockCache;
/// let cache = BlockCache::new(64 << 20);
/// assert_eq!(cache.bytes(), 0);
/// ```
#[derive(Debug)]
pub struct BlockCache {
    shards: Vec<Mutex<Shard>>,
    /// Bytes that each shard may hold.
    limit: AtomicUsize,
}

/// A shard should hold a few dozen blocks, or the shards would push each other's blocks out.
const LEAST_SHARD: usize = 1 << 22;

type PageId = (u64, u64, usize); // the file's id, the block's number, the page's

#[derive(Debug)]
struct Shard {
    held: HashMap<PageId, Held>,
    queue: VecDeque<PageId>,
    bytes: usize,
}

#[derive(Debug)]
struct Held {
    block: Arc<[u8]>,
    used: bool,
}

impl BlockCache {
    /// A cache that holds at most `bytes` bytes of blocks. None makes a cache that forgets at once.
    pub fn new(bytes: usize) -> Arc<BlockCache> {
        let shards = (bytes / LEAST_SHARD).clamp(1, 16);
        let shard = || Mutex::new(Shard { held: HashMap::new(), queue: VecDeque::new(), bytes: 0 });
        Arc::new(BlockCache { shards: (0..shards).map(|_| shard()).collect(), limit: AtomicUsize::new(bytes / shards) })
    }

    /// From now on it holds at most `bytes` bytes: more than before, or less, which it forgets at once.
    ///
    /// ```
    /// use kanzen_store::BlockCache;
    /// let cache = BlockCache::new(64 << 20);
    /// cache.resize(1 << 30);
    /// assert_eq!(cache.bytes(), 0);
    /// ```
    pub fn resize(&self, bytes: usize) {
        let limit = bytes / self.shards.len();
        self.limit.store(limit, Ordering::Relaxed);
        for shard in &self.shards {
            lock(shard).forget(limit);
        }
    }

    /// Bytes held now.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).bytes).sum()
    }

    /// A page of a block of a file as `load` makes it; `load` is called only if it is not held. What it makes need not be
    /// the page as it is on the disk: a reader may unpack it further, as long as it always does so in the same way.
    pub fn get(
        &self,
        file: &BlockFile,
        block: u64,
        page: usize,
        load: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Arc<[u8]>, Error> {
        let place = (file.id(), block, page);
        let spread = file.id().wrapping_mul(31).wrapping_add(block).wrapping_add(page as u64);
        let shard = &self.shards[(spread % self.shards.len() as u64) as usize];
        if let Some(held) = lock(shard).held.get_mut(&place) {
            held.used = true;
            return Ok(held.block.clone());
        }
        // Not under the lock: others may read meanwhile. Two threads may load the same block; both are right.
        let block: Arc<[u8]> = load()?.into();
        lock(shard).keep(place, block.clone(), self.limit.load(Ordering::Relaxed));
        Ok(block)
    }
}

impl Shard {
    fn keep(&mut self, place: PageId, block: Arc<[u8]>, limit: usize) {
        if block.len() > limit || self.held.contains_key(&place) {
            return;
        }
        self.forget(limit - block.len());
        self.bytes += block.len();
        self.held.insert(place, Held { block, used: false });
        self.queue.push_back(place);
    }

    /// Lets blocks go until it holds no more than `limit` bytes.
    fn forget(&mut self, limit: usize) {
        while self.bytes > limit {
            let Some(oldest) = self.queue.pop_front() else { break };
            let Some(held) = self.held.get_mut(&oldest) else { continue };
            if std::mem::take(&mut held.used) {
                self.queue.push_back(oldest);
            } else {
                self.bytes -= held.block.len();
                self.held.remove(&oldest);
            }
        }
    }
}

// A thread that panicked left the shard whole: nothing in it is ever half done.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockWriter;

    fn file(folder: &std::path::Path, blocks: u64) -> BlockFile {
        let path = folder.join("file");
        let mut writer = BlockWriter::create(&path, *b"test", 0).unwrap();
        writer.push_many(blocks, |block| Ok(vec![block as u8; 100])).unwrap();
        writer.finish().unwrap();
        BlockFile::open(&path, *b"test", 0).unwrap()
    }

    #[test]
    fn it_never_holds_more_than_its_bytes_and_keeps_what_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path(), 50);
        let cache = BlockCache::new(1000);
        let mut loads = 0;
        for round in 0..200u64 {
            for block in [0, 1 + round % 49] {
                let bytes = cache.get(&file, block, 0, || {
                    loads += usize::from(block == 0);
                    file.read(block)
                });
                assert_eq!(bytes.unwrap()[..], [block as u8; 100]);
                assert!(cache.bytes() <= 1000);
            }
        }
        assert_eq!(loads, 1, "the block in use stays");
    }

    #[test]
    fn it_grows_and_shrinks_when_resized() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path(), 50);
        let cache = BlockCache::new(1000);
        let read_all = || (0..50).for_each(|block| drop(cache.get(&file, block, 0, || file.read(block)).unwrap()));
        for (limit, held) in [(5000, 5000), (300, 300), (0, 0), (1050, 1000)] {
            cache.resize(limit);
            assert!(cache.bytes() <= limit);
            read_all();
            assert_eq!(cache.bytes(), held);
        }
    }

    #[test]
    fn a_cache_of_nothing_still_answers() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path(), 2);
        let cache = BlockCache::new(0);
        assert_eq!(cache.get(&file, 1, 0, || file.read(1)).unwrap()[..], [1; 100]);
        assert_eq!(cache.bytes(), 0);
    }
}
