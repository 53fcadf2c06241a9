//! The numbers of positions that have mirror images.

use crate::musashi::index::{smaller, smaller_at};

#[test]
fn the_smaller_mirror_images_are_numbered_in_order() {
    for (bits, pairs) in [(8, 0b0100_0001u64), (9, 0b1_0101), (6, 0), (10, 0b1_0100_1001)] {
        let swap = |n: u64| {
            let differ = (n ^ n >> 1) & pairs;
            n ^ differ ^ differ << 1
        };
        let expected: Vec<u64> = (0..1 << bits).filter(|&n| n <= swap(n)).collect();
        assert_eq!(smaller(bits, pairs), expected.len() as u64);
        let found: Vec<u64> = (0..expected.len() as u64).map(|rank| smaller_at(bits, pairs, rank)).collect();
        assert_eq!(found, expected);
    }
}
