use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn check<K: Key>(keys: &[K], others: impl Iterator<Item = K>) {
    let packed = PackedKeys::new(keys.iter().copied()).unwrap();
    assert_eq!((packed.len(), packed.is_empty()), (keys.len() as u64, keys.is_empty()));
    let asked: Vec<K> = others.chain(keys.iter().copied()).collect();
    let place = |key: &K| keys.binary_search(key).ok().map(|place| place as u64);
    for key in &asked {
        assert_eq!(packed.rank(*key), place(key), "{key:?}");
    }
    let mut found = Vec::new();
    packed.rank_all(&asked, &mut |at, slot| found.push((at, slot)));
    assert!(found.into_iter().eq(asked.iter().map(place).enumerate()));
    for (at, key) in keys.iter().enumerate() {
        packed.fetch(at as u64);
        assert_eq!(packed.key(at as u64), *key);
    }
    for part in [0..keys.len(), keys.len() / 3..keys.len() / 2] {
        let mut visited = Vec::new();
        packed.visit(part.start as u64..part.end as u64, |key| visited.push(key));
        assert_eq!(visited, keys[part]);
    }
}

#[test]
fn a_single_key_may_be_the_largest() {
    check(&[u128::MAX], [0, 1 << 127].into_iter());
    check(&[0, u128::MAX], [1, u128::MAX - 1].into_iter());
    check::<u32>(&[], [0, 7].into_iter());
}

#[test]
fn keys_as_boards_have_them_take_three_bytes() {
    // Digits in base 11 with many a hole, as of a board of twelve squares.
    let keys: BTreeSet<u64> = (0..100_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 28).collect();
    let keys: Vec<u64> = keys.into_iter().collect();
    let packed = PackedKeys::new(keys.iter().copied()).unwrap();
    assert!(packed.bytes() < 4 * keys.len() as u64, "{} bytes", packed.bytes());
    check(&keys, keys.iter().map(|key| key + 1));
}

proptest! {
    #[test]
    fn a_key_is_found_where_it_stands(keys: BTreeSet<u64>, narrow: BTreeSet<u16>, others: Vec<u64>) {
        check(&keys.into_iter().collect::<Vec<_>>(), others.iter().copied());
        check(&narrow.into_iter().map(u64::from).collect::<Vec<_>>(), others.into_iter().map(|key| key >> 47));
    }

    #[test]
    fn keys_of_every_width_work(small: BTreeSet<u32>, large: BTreeSet<u128>, others: Vec<u128>, shift in 0u32..128) {
        check(&small.into_iter().collect::<Vec<_>>(), others.iter().map(|key| *key as u32));
        let shifted: BTreeSet<u128> = large.iter().map(|key| key >> (key % u128::from(shift + 1))).collect();
        check(&shifted.into_iter().collect::<Vec<_>>(), others.into_iter());
    }
}
