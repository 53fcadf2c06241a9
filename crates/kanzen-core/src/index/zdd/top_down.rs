//! Builds a diagram from the root downwards, from a transition function.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Builder, ONE, ZERO, Zdd};

/// The family of all sets that `step` lets through, over the elements of `levels` levels.
///
/// A state is all that the rest of a set depends on. `step` returns, from the highest level down, the state
/// after an element is left out or taken, or `None` if no set of the family goes that way. Ways that lead to the same
/// state at the same level are one; the result is reduced as well.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::zdd::top_down;
/// // Two of five: the state is how many are taken, and a way is closed as soon as two can no longer be reached.
/// let pairs = top_down(5, 0u32, |level, taken, take| {
///     let taken = taken + u32::from(take);
///     (taken <= 2 && taken + level - 1 >= 2).then_some(taken)
/// });
/// assert_eq!(pairs.len(), 10);
/// assert_eq!(pairs.unrank(9), Some(0b11000));
/// ```
pub fn top_down<S: Copy + Eq + Hash>(levels: u32, root: S, step: impl Fn(u32, S, bool) -> Option<S>) -> Zdd {
    // Layer by layer the different states, and for each where its two branches lead in the next layer.
    let mut layers: Vec<Vec<[Option<usize>; 2]>> = Vec::new();
    let mut states = vec![root];
    for level in (1..=levels).rev() {
        let mut next = Vec::new();
        let mut known: HashMap<S, usize> = HashMap::new();
        let mut place = |state: S| {
            *known.entry(state).or_insert_with(|| {
                next.push(state);
                next.len() - 1
            })
        };
        let branches = states.iter().map(|&state| [false, true].map(|take| step(level, state, take).map(&mut place)));
        layers.push(branches.collect());
        states = next;
    }
    let mut builder = Builder::new();
    let mut nodes = vec![ONE; states.len()];
    for (level, branches) in (1..=levels).zip(layers.iter().rev()) {
        let node = |branch: Option<usize>| branch.map_or(ZERO, |state| nodes[state]);
        nodes = branches.iter().map(|[low, high]| builder.node(level, node(*low), node(*high))).collect();
    }
    builder.finish(nodes[0])
}
