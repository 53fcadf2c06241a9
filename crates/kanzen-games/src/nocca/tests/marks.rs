//! Sweeps of the lifted boards that matter.

use kanzen::machine::cpu::Isa;

use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::solve::kernel::Sweep;
use crate::nocca::solve::lifts::Lifts;
use crate::nocca::solve::marks::*;
use crate::nocca::solve::plan::Plan;

#[test]
fn a_sweep_of_the_marked_boards_finds_what_a_sweep_of_all_finds() {
    for (rows, columns) in [(3, 2), (6, 2), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let lifts = Lifts::new(&layout);
        for target in Array::BOTH {
            let (marks, array) = (Marks::none(&layout), target.other());
            let marker = Marker::new(&layout, &lifts, &marks);
            let mut source = vec![0; layout.words(array)];
            for (slab, start) in layout.slabs(array) {
                let width = layout.space(array, slab.top, slab.bottom).width();
                let of_slab = marker.slab(slab);
                // Boards far apart, in slabs that differ.
                for board in (0..slab.boards).filter(|board| (board + 7 * start) % 97 == 0) {
                    source[start + board * width..][..width].fill(0x5a5a_1234_8421_f00f);
                    of_slab.board(board);
                }
            }
            let mut visited = [0; 2];
            let found = [None, Some(&marks)].map(|marks| {
                let sweep = Sweep { layout: &layout, lifts: &lifts, source: &source, flip: 0, marks };
                let mut found = vec![0; layout.words(target)];
                for (slab, _) in layout.slabs(target).filter(|(slab, _)| slab.middle > 0) {
                    let plan = Plan::new(&layout, target, [slab.top, slab.bottom], slab.middle - 1);
                    visited[usize::from(marks.is_some())] += sweep.slab(Isa::best(), &plan, &mut found, 0);
                }
                found
            });
            assert!(found[0] == found[1], "{rows}x{columns}");
            assert!(found[0].iter().any(|&word| word != 0));
            assert!(visited[1] > 0 && visited[1] < visited[0]);
        }
    }
}
