//! The numbers of heights.

use crate::nocca::index::heights::*;

#[test]
fn numbers_and_codes_are_inverse_and_dense() {
    for (rows, columns) in [(0, 5), (1, 2), (2, 3), (1, 5), (2, 4)] {
        let part = Part::new(rows, columns, 2 * columns as u32);
        let mut codes = 0;
        for of_sum in 0..=2 * columns as u32 {
            for rank in 0..part.len(of_sum) {
                let code = part.code(of_sum, rank);
                assert_eq!((sum(code), part.rank(code)), (of_sum, rank));
                codes += 1;
            }
        }
        let few = (0..1u32 << (2 * rows * columns)).filter(|&code| sum(code) <= 2 * columns as u32).count();
        assert_eq!(codes, few);
    }
}
