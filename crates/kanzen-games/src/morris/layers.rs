//! Which placing layers a database keeps.
//!
//! Nearly all positions have few pieces in hand: the layers of one and two are the largest, and one or two plies from
//! the moving classes. What is left out is found again by playing those plies.

/// A database stays below this.
const MOST_BYTES: u64 = 9_000_000_000;

/// Whether the layer with so many pieces in hand is kept.
pub type Keeps = fn(u32) -> bool;

/// The richest choice first. No layer that is left out is more than two plies before one that is kept.
pub const CHOICES: [Keeps; 4] = [
    |_| true,
    |in_hand| in_hand > 1,
    |in_hand| in_hand == 2 || in_hand > 2 && in_hand % 2 == 1,
    |in_hand| in_hand > 2 && in_hand % 2 == 1,
];

/// The first choice that fits, given the bytes of each layer, the moving classes being layer 0; else the last.
pub fn choose(bytes: &[u64]) -> Keeps {
    let fits = CHOICES.iter().find(|keeps| kept_bytes(bytes, **keeps) <= MOST_BYTES);
    *fits.unwrap_or(&CHOICES[CHOICES.len() - 1])
}

/// The bytes of the moving classes and of the layers that are kept.
pub fn kept_bytes(bytes: &[u64], keeps: Keeps) -> u64 {
    let kept = (0..).zip(bytes).filter(|(in_hand, _)| *in_hand == 0 || keeps(*in_hand));
    kept.map(|(_, bytes)| bytes).sum()
}

/// The first class whose plane a database lacks although its answers depend on it, given for each class its pieces in
/// hand and whether its plane is there. A layer is kept whole or left out whole, and of three in a row one is kept.
pub fn first_lacking(classes: &[(u32, bool)]) -> Option<usize> {
    let most = classes.iter().map(|(in_hand, _)| *in_hand).max().unwrap_or(0);
    let mut kept = vec![false; most as usize + 1];
    kept[0] = true;
    classes.iter().for_each(|&(in_hand, stored)| kept[in_hand as usize] |= stored);
    let needed = |layer: usize| kept[layer] || layer >= 2 && !kept[layer - 1] && !kept[layer - 2];
    classes.iter().position(|&(in_hand, stored)| !stored && needed(in_hand as usize))
}
