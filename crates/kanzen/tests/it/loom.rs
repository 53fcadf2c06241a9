//! The two protocols by which threads share memory without locks, in every order that the memory model allows.
//!
//! Small models of them, operation by operation as in the library: loom runs each model through all interleavings, and
//! through every older value that a relaxed load may still see. Beside each stands a wrong one, one step exchanged, that
//! must fail: so the model would notice.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ::loom::sync::Arc;
use ::loom::thread;

/// Whether a model fails in some order.
fn fails(model: impl Fn() + Sync + Send + 'static) -> bool {
    catch_unwind(AssertUnwindSafe(|| ::loom::model(model))).is_err()
}

/// `solve::retrograde::level_queue`: a block of slots has a mark, the nearest level at which something in it is due.
mod marks {
    use ::loom::sync::atomic::AtomicU32;
    use ::loom::sync::atomic::Ordering::{AcqRel, Relaxed, Release};

    use super::*;

    const NEVER: u32 = u32::MAX;
    /// The word of a slot that is due at no level yet.
    const OPEN: u32 = 0;

    struct Block {
        /// When a slot is due.
        words: [AtomicU32; 2],
        mark: AtomicU32,
    }

    #[derive(Clone, Copy)]
    enum Scan {
        /// As `settle_block` does: the mark is cleared before the scan.
        ClearedBefore,
        ClearedAfter,
    }

    #[derive(Clone, Copy)]
    enum Notice {
        /// As `deliver_each` does: the word is written before the mark.
        WordFirst,
        MarkFirst,
    }

    impl Block {
        fn new() -> Block {
            // Something is due now, which is why a thread scans the block.
            Block { words: [AtomicU32::new(OPEN), AtomicU32::new(OPEN)], mark: AtomicU32::new(1) }
        }

        /// Looks through the block, and marks it with the nearest level that it has seen.
        fn scan(&self, order: Scan) {
            if let Scan::ClearedBefore = order {
                self.mark.swap(NEVER, AcqRel);
            }
            let due = self.words.iter().map(|word| word.load(Relaxed)).filter(|&word| word != OPEN).min();
            if let Scan::ClearedAfter = order {
                self.mark.swap(NEVER, AcqRel);
            }
            if let Some(due) = due {
                self.mark.fetch_min(due, Release);
            }
        }

        /// Makes a slot due at a later level.
        fn notify(&self, slot: usize, level: u32, order: Notice) {
            if let Notice::MarkFirst = order {
                self.mark.fetch_min(level, Release);
            }
            let changed = self.words[slot].compare_exchange(OPEN, level, Relaxed, Relaxed);
            assert!(changed.is_ok());
            if let Notice::WordFirst = order {
                self.mark.fetch_min(level, Release);
            }
        }
    }

    fn model(scan: Scan, notice: Notice) -> impl Fn() + Sync + Send + 'static {
        move || {
            let block = Arc::new(Block::new());
            let notifiers = [(0, 7), (1, 5)].map(|(slot, level)| {
                let block = block.clone();
                thread::spawn(move || block.notify(slot, level, notice))
            });
            block.scan(scan);
            notifiers.into_iter().for_each(|thread| thread.join().unwrap());
            // The level has ended. Whatever is due is found: the mark is as near as the nearest of it.
            assert_eq!(block.mark.load(Relaxed), 5);
        }
    }

    #[test]
    fn nothing_due_is_lost() {
        ::loom::model(model(Scan::ClearedBefore, Notice::WordFirst));
    }

    #[test]
    fn a_mark_that_is_cleared_after_the_scan_loses_a_slot() {
        assert!(fails(model(Scan::ClearedAfter, Notice::WordFirst)));
    }

    #[test]
    fn a_mark_that_is_written_before_the_word_loses_a_slot() {
        assert!(fails(model(Scan::ClearedBefore, Notice::MarkFirst)));
    }

    /// A slot may be found by its mark and in a list: as `settle` does, one of the two threads claims it.
    #[test]
    fn a_slot_is_settled_once() {
        const DUE: u32 = 3;
        const DONE: u32 = 4;
        ::loom::model(|| {
            let word = Arc::new(AtomicU32::new(DUE));
            let claim = |word: &AtomicU32| word.compare_exchange(DUE, DONE, Relaxed, Relaxed).is_ok();
            let other = thread::spawn({
                let word = word.clone();
                move || claim(&word)
            });
            let mine = claim(&word);
            assert!(mine ^ other.join().unwrap());
        });
    }
}

/// The table of Othello's alpha-beta search: a line of entries with a turn, odd while a thread writes.
mod table {
    use ::loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use ::loom::sync::atomic::{AtomicU32, AtomicU64, fence};

    use super::*;

    struct Line {
        turn: AtomicU32,
        facts: AtomicU32,
        key: [AtomicU64; 2],
    }

    /// What the writer leaves out.
    #[derive(Clone, Copy, PartialEq)]
    enum Without {
        Nothing,
        /// The turn is not made odd while the entry is written.
        OddTurn,
        /// The reader does not look at the turn again.
        SecondLook,
        /// What was read may be later than the second look at the turn.
        Fence,
    }

    impl Line {
        fn new() -> Line {
            Line { turn: AtomicU32::new(0), facts: AtomicU32::new(0), key: [AtomicU64::new(0), AtomicU64::new(0)] }
        }

        /// As `put_proven`: an entry whose key and facts are the same number.
        fn put(&self, entry: u32, without: Without) {
            let turn = self.turn.load(Relaxed);
            if without != Without::OddTurn {
                let free = turn & 1 == 0 && self.turn.compare_exchange(turn, turn + 1, Acquire, Relaxed).is_ok();
                if !free {
                    return;
                }
            }
            fence(Release);
            self.key[0].store(entry.into(), Relaxed);
            self.key[1].store(entry.into(), Relaxed);
            self.facts.store(entry, Relaxed);
            self.turn.store(turn + 2, Release);
        }

        /// As `get_hashed`: the facts of a key, if it is there and no thread wrote meanwhile.
        fn get(&self, entry: u32, without: Without) -> Option<u32> {
            let turn = self.turn.load(Acquire);
            let key = [self.key[0].load(Relaxed), self.key[1].load(Relaxed)];
            if key != [u64::from(entry); 2] {
                return None;
            }
            let facts = self.facts.load(Relaxed);
            if without != Without::Fence {
                fence(Acquire);
            }
            let steady = turn & 1 == 0 && self.turn.load(Relaxed) == turn;
            (steady || without == Without::SecondLook).then_some(facts)
        }
    }

    fn model(without: Without) -> impl Fn() + Sync + Send + 'static {
        move || {
            let line = Arc::new(Line::new());
            line.put(1, Without::Nothing);
            let writer = thread::spawn({
                let line = line.clone();
                move || line.put(2, without)
            });
            for entry in [1, 2] {
                assert!(line.get(entry, without).is_none_or(|facts| facts == entry), "the facts of another entry");
            }
            writer.join().unwrap();
            assert_eq!(line.get(2, without), Some(2));
        }
    }

    #[test]
    fn what_is_found_is_whole() {
        ::loom::model(model(Without::Nothing));
    }

    #[test]
    fn without_the_turn_halves_of_two_entries_are_found() {
        for without in [Without::OddTurn, Without::SecondLook, Without::Fence] {
            assert!(fails(model(without)));
        }
    }

    /// Two writers and a reader: the one who comes second leaves the line alone, and nothing is mixed.
    #[test]
    fn writers_do_not_mix_their_entries() {
        let mut bounded = ::loom::model::Builder::new();
        bounded.preemption_bound = Some(3);
        bounded.check(|| {
            let line = Arc::new(Line::new());
            let writers = [1, 2].map(|entry| {
                let line = line.clone();
                thread::spawn(move || line.put(entry, Without::Nothing))
            });
            assert!(line.get(1, Without::Nothing).is_none_or(|facts| facts == 1));
            writers.into_iter().for_each(|thread| thread.join().unwrap());
            // At least one of them has written, and whole.
            assert!([1, 2].into_iter().any(|entry| line.get(entry, Without::Nothing) == Some(entry)));
        });
    }
}
