//! Words and block scans, checked against naive twins.

use std::sync::atomic::AtomicU32;

use proptest::prelude::*;

use super::super::word::*;
use crate::ostle::stored::Values;

/// A move: whether it can be forbidden, and the level at which it is decided (0 for never).
type Moves = Vec<(bool, u8)>;

fn combine(moves: impl Iterator<Item = u8> + Clone) -> u8 {
    match moves.clone().filter(|level| level & 1 == 1).min() {
        Some(win) => win,
        None if moves.clone().any(|level| level == 0) => 0,
        None => moves.max().unwrap_or(0),
    }
}

fn naive(moves: &Moves, earlier: &[u8]) -> Values {
    let levels = || moves.iter().map(|&(_, level)| level).chain(earlier.iter().copied());
    let best = combine(levels());
    for (at, &(can_be_forbidden, _)) in moves.iter().enumerate() {
        let second = combine(levels().enumerate().filter(|&(n, _)| n != at).map(|(_, level)| level));
        if can_be_forbidden && second != best {
            return Values { best, unique: at as u8 + 1, second };
        }
    }
    Values { best, unique: 0, second: best }
}

proptest! {
    /// Moves are decided level by level, in any order within a level; the word must end with the naive result.
    #[test]
    fn updates_in_any_order_give_the_naive_result(
        moves in proptest::collection::vec((any::<bool>(), 0u8..12), 2..8),
        earlier in proptest::collection::vec(0u8..12, 0..3),
        order: u64,
    ) {
        // In an earlier class no level is 1.
        let earlier: Vec<u8> = earlier.into_iter().filter(|&level| level != 1).collect();
        let moves: Moves = moves.into_iter().map(|(f, level)| (f, if level == 1 { 3 } else { level })).collect();
        let number = |at: usize| if moves[at].0 { at as u8 + 1 } else { 0 };
        let win = earlier.iter().copied().filter(|level| level & 1 == 1).min().unwrap_or(0);
        let floor = earlier.iter().copied().filter(|level| level & 1 == 0).max().unwrap_or(0);
        let refuges = earlier.iter().filter(|&&level| level == 0).count().min(1) as u8;
        let xor = (0..moves.len()).map(number).fold(0, |a, b| a ^ b);
        let mut word = Word::first(win, floor, moves.len() as u8 + refuges, xor).unwrap();
        for level in 1..=12u8 {
            let mut at_level: Vec<usize> = (0..moves.len()).filter(|&at| moves[at].1 == level).collect();
            let len = at_level.len().max(1);
            at_level.rotate_left(order as usize % len);
            if order >> 8 & 1 == 1 { at_level.reverse(); }
            for at in at_level {
                word = if level & 1 == 1 { word.move_won(number(at), level) } else { word.move_lost(number(at), level) };
            }
        }
        prop_assert_eq!(word.values(), naive(&moves, &earlier));
    }
}

proptest! {
    #[test]
    fn a_scan_finds_the_due_words(
        words in proptest::collection::vec((0u32..64, 0u32..64, 0u32..1 << 16), 1..=256),
        before in 0u32..1 << 20,
        level in 1u8..64,
    ) {
        let words: Vec<u32> = words.into_iter().map(|(best, second, rest)| best | second << 8 | rest << 16).collect();
        let block: Vec<AtomicU32> = words.iter().copied().map(AtomicU32::new).collect();
        let mut scan = Scan::new();
        // The contents of an earlier, longer block are overwritten.
        scan.load(&(0..256).map(|_| AtomicU32::new(before)).collect::<Vec<_>>(), level);
        scan.load(&block, level);
        let plain = words.iter().map(|&word| Word(word));
        let now = |word: Word| (word.best() == level, word.second() == level);
        let due = plain.clone().enumerate().map(|(place, word)| (place, word, now(word)));
        let due: Vec<_> = due.filter(|&(_, _, now)| now != (false, false)).collect();
        prop_assert_eq!(scan.due().collect::<Vec<_>>(), due);
        prop_assert_eq!(scan.next, plain.filter_map(|word| word.due_after(level)).min().unwrap_or(u8::MAX));
    }
}
