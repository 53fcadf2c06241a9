use proptest::prelude::*;

use super::*;

/// The definition, position by position.
fn naive(merge: Merge, target: &mut [u64], source: &[u64], what: Transfer) {
    let get = |set: &[u64], index: usize| set[index / 64] >> (index % 64) & 1 == 1;
    for index in 0..target.len() * 64 {
        if index as u32 & what.among != what.to {
            continue;
        }
        let taken = get(source, index ^ what.across as usize);
        let value = match merge {
            Merge::Or => get(target, index) || taken,
            Merge::And => get(target, index) && taken,
            Merge::Put => taken,
        };
        target[index / 64] = target[index / 64] & !(1 << (index % 64)) | u64::from(value) << (index % 64);
    }
}

fn scattered(words: usize, seed: u64) -> Vec<u64> {
    let mix = |n: u64| (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (0..words as u64).map(|n| mix(mix(n.wrapping_add(seed << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn every_instruction_set_agrees_with_the_definition(
        log_words in 0u32..=9, bits in prop::collection::vec(0u32..15, 0..3), to: u32, across: u32, seed in 0u64..1000,
    ) {
        let among = bits.iter().fold(0, |set, bit| set | 1 << (bit % (6 + log_words)));
        let what = Transfer { among, to: to & among, across: across & among };
        let source = scattered(1 << log_words, seed);
        for merge in [Merge::Or, Merge::And, Merge::Put] {
            let mut expected = scattered(1 << log_words, seed + 1);
            naive(merge, &mut expected, &source, what);
            for isa in Isa::available() {
                let mut found = scattered(1 << log_words, seed + 1);
                transfer(isa, merge, &mut found, &source, what);
                prop_assert_eq!(&found, &expected, "{:?} {:?} {:?}", isa, merge, what);
            }
        }
        if let [low, high] = bits[..]
            && low % (6 + log_words) != high % (6 + log_words)
        {
            let (low, high) = (low % (6 + log_words), high % (6 + log_words));
            let mut expected = scattered(1 << log_words, seed + 1);
            naive(Merge::Or, &mut expected, &source, Transfer { among, to: 1 << low, across: among });
            naive(Merge::Or, &mut expected, &source, Transfer { among, to: 1 << high, across: among });
            for isa in Isa::available() {
                let mut found = scattered(1 << log_words, seed + 1);
                swap(isa, &mut found, &source, (low, high));
                prop_assert_eq!(&found, &expected, "{:?} {:?}", isa, (low, high));
            }
        }
        if what.across != 0 {
            let mut expected = source.clone();
            naive(Merge::Put, &mut expected, &source, what);
            for isa in Isa::available() {
                let mut found = source.clone();
                transfer_within(isa, &mut found, what);
                prop_assert_eq!(&found, &expected, "{:?} {:?}", isa, what);
            }
        }
    }
}

#[test]
fn what_is_known_is_not_new() {
    for isa in Isa::available() {
        let (mut found, mut known) = (vec![0b0110; 16], vec![0b0011; 16]);
        assert!(take_new(isa, &mut found, &mut known));
        assert_eq!((found[7], known[7]), (0b0100, 0b0111));
        assert!(!take_new(isa, &mut found, &mut known));
        assert!(!occupied(isa, &found) && occupied(isa, &known) && occupied(isa, &[0, 1]));
        or(isa, &mut found, &known);
        assert_eq!(found, known);
    }
}
