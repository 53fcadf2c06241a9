//! A block at once against word by word.

use std::sync::atomic::AtomicU32;

use proptest::prelude::*;

use super::super::scan::Scan;
use super::super::word::Word;

proptest! {
    #[test]
    fn a_scan_finds_what_each_word_says(
        words in proptest::collection::vec((0u32..64, 0u32..64, 0u32..1 << 16), 1..=256),
        before in 0u32..1 << 20,
        level in 1u8..64,
    ) {
        let words: Vec<u32> = words.into_iter().map(|(best, second, rest)| best | second << 8 | rest << 16).collect();
        let block: Vec<AtomicU32> = words.iter().copied().map(AtomicU32::new).collect();
        let mut scan = Scan::new();
        // What an earlier and longer block left there is gone.
        scan.look_at(&(0..256).map(|_| AtomicU32::new(before)).collect::<Vec<_>>(), level);
        scan.look_at(&block, level);
        let plain = words.iter().map(|&word| Word(word));
        let now = |word: Word| (word.best() == level, word.second() == level);
        let due = plain.clone().enumerate().map(|(place, word)| (place, word, now(word)));
        let due: Vec<_> = due.filter(|&(_, _, now)| now != (false, false)).collect();
        prop_assert_eq!(scan.due().collect::<Vec<_>>(), due);
        prop_assert_eq!(scan.next, plain.filter_map(|word| word.due_after(level)).min().unwrap_or(u8::MAX));
    }
}
