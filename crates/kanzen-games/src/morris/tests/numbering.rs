//! Two numberings of the same positions.

use kanzen::index::OrbitTable;

use crate::morris::Morris;
use crate::morris::index::numbering::*;

#[test]
fn the_lists_are_those_of_a_table_of_all_masks() {
    for men in Morris::MEN {
        let game = Morris::new(men).unwrap();
        let numbering = Numbering::new(&game);
        for opponent in 0..=men.min(6) {
            let half = numbering.half(0, opponent, game.flies(opponent));
            let table = OrbitTable::new(half.group(&game), game.board().points, opponent);
            let expected: Vec<u32> = (0..table.orbits()).map(|orbit| table.representative(orbit) as u32).collect();
            assert_eq!(numbering.representatives(&game, half), expected, "{men} men, {opponent} on the board");
            assert_eq!(half.slots, expected.len() as u64);
        }
    }
}
