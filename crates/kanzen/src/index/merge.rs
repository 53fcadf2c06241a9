//! Sets as ascending lists: union and difference.

use rayon::prelude::*;

const CHUNK: usize = 1 << 16;

/// The union of two ascending lists without repeats.
pub fn merged<T: Copy + Ord + Send + Sync>(a: Vec<T>, b: &[T]) -> Vec<T> {
    if a.is_empty() {
        return b.to_vec();
    }
    if b.is_empty() {
        return a;
    }
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        union.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    union.extend_from_slice(&a[i..]);
    union.extend_from_slice(&b[j..]);
    union
}

/// What of the ascending list `list` is not in the ascending list `known`.
pub fn absent_from<T: Copy + Ord + Send + Sync>(known: &[T], list: Vec<T>) -> Vec<T> {
    list.par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut rest = &known[known.partition_point(|item| *item < chunk[0])..];
            chunk.iter().copied().filter(move |item| {
                // Galloping: `known` may be far denser than the list.
                let mut step = 1;
                while rest.get(step).is_some_and(|ahead| ahead < item) {
                    rest = &rest[step..];
                    step *= 2;
                }
                rest = &rest[rest[..rest.len().min(step + 1)].partition_point(|other| other < item)..];
                rest.first() != Some(item)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_behave_like_sets(a: BTreeSet<u16>, b: BTreeSet<u16>) {
            let (list_a, list_b): (Vec<u16>, Vec<u16>) = (a.iter().copied().collect(), b.iter().copied().collect());
            prop_assert_eq!(merged(list_a.clone(), &list_b), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(absent_from(&list_a, list_b), b.difference(&a).copied().collect::<Vec<_>>());
        }
    }
}
