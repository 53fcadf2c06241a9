//! The order of a board's pieces, and that of its mirror image.

use super::heights;
use super::layout::{Layout, Slab};

/// The exchanges of pieces that turn the order of a board's pieces into its mirror image's, without those of the lower
/// part, and where the pieces of the lower part begin. Of the upper part it takes the pieces and their exchanges. With
/// `crowned`, the top pieces of the top and bottom rows are not among the pieces.
pub fn fixed_swaps(
    layout: &Layout,
    crowned: bool,
    rows: [u32; 2],
    middle: u32,
    upper_sum: u32,
    upper_swaps: &[u8],
) -> (Vec<u8>, u8) {
    let mut swaps = heights::mirror_swaps(rows[0], 1, layout.columns, 0, crowned);
    let top = heights::sum(rows[0]) - if crowned { heights::occupied(rows[0]) } else { 0 };
    swaps.extend(upper_swaps.iter().map(|swap| swap + top as u8));
    swaps.extend(heights::mirror_swaps(rows[1], 1, layout.columns, (top + middle) as usize, crowned));
    (swaps, (top + upper_sum) as u8)
}

/// All exchanges of pieces that turn the order of a board's pieces into its mirror image's.
pub fn mirror_swaps(layout: &Layout, slab: &Slab, board: usize) -> Vec<u8> {
    let (upper_sum, upper, lower) = layout.parts(slab.middle, board);
    let upper = layout.upper.swaps(layout.upper.code(upper_sum, upper));
    let (mut swaps, start) = fixed_swaps(layout, false, [slab.top, slab.bottom], slab.middle, upper_sum, &upper);
    let lower = layout.lower.code(slab.middle - upper_sum, lower);
    swaps.extend(layout.lower.swaps(lower).iter().map(|swap| swap + start));
    swaps
}
