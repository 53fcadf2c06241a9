//! Visits blocks together with their mirror images, in parallel.

use rayon::prelude::*;

/// A block, its number, and what is kept for it.
pub type Visited<'a, T> = (usize, &'a mut [u64], &'a mut T);

/// Calls `visit` once for each block together with its partner, or with none if it is its own.
///
/// `partners[n]` is the partner of block `n`; `kept` has an item for each block; `room` makes what a thread needs to
/// work in, and is called seldom.
///
/// # Panics
/// If the lengths differ or `partners` does not pair the blocks.
pub fn for_each_pair<T: Send, R>(
    words: &mut [u64],
    block_words: usize,
    partners: &[u32],
    kept: &mut [T],
    room: impl Fn() -> R + Sync + Send,
    visit: impl Fn(&mut R, Visited<'_, T>, Option<Visited<'_, T>>) + Sync + Send,
) {
    let blocks = partners.len();
    assert!(words.len() == blocks * block_words && kept.len() == blocks, "a partner and an item for each block");
    assert!((0..blocks).all(|n| partners.get(partners[n] as usize).is_some_and(|&back| back as usize == n)));
    let all = Shared { words: words.as_mut_ptr(), kept: kept.as_mut_ptr() };
    (0..blocks).into_par_iter().with_min_len(64).for_each_init(room, |room, number| {
        let partner = partners[number] as usize;
        if partner < number {
            return;
        }
        // SAFETY: both numbers are below `blocks`. Partners were checked to be an involution, and only the smaller of
        // two partners comes here, so that each block is borrowed once; the borrows end with this call.
        unsafe {
            let own = all.block(number, block_words);
            let other = (partner != number).then(|| all.block(partner, block_words));
            visit(room, own, other);
        }
    });
}

struct Shared<T> {
    words: *mut u64,
    kept: *mut T,
}

// SAFETY: each block and item is handed to one thread only, see above; items may be sent.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// # Safety
    /// The block must exist and not be borrowed elsewhere while the result lives.
    unsafe fn block<'a>(&self, number: usize, block_words: usize) -> Visited<'a, T> {
        // SAFETY: the caller ensures that the block exists and is not borrowed elsewhere.
        unsafe {
            let words = std::slice::from_raw_parts_mut(self.words.add(number * block_words), block_words);
            (number, words, &mut *self.kept.add(number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_visited_once_with_its_partner() {
        let partners: Vec<u32> = (0..256u32).map(|n| n & !3 | (n & 1) << 1 | n >> 1 & 1).collect();
        let mut words = vec![0; 512];
        let mut kept = vec![0; 256];
        for_each_pair(
            &mut words,
            2,
            &partners,
            &mut kept,
            || (),
            |(), own, other| {
                for (number, words, kept) in [Some(own), other].into_iter().flatten() {
                    words.fill(number as u64 + 1);
                    *kept += number + 1;
                }
            },
        );
        assert!((0..512).all(|at| words[at] == at as u64 / 2 + 1));
        assert!((0..256).all(|at| kept[at] == at + 1));
    }

    #[test]
    #[should_panic]
    fn a_partner_that_does_not_return_is_refused() {
        for_each_pair(&mut [0; 3], 1, &[1, 2, 0], &mut [(); 3], || (), |_, _, _| {});
    }
}
