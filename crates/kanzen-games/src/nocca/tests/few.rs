//! Positions one by one against sweeps.

use std::ops::Range;

use kanzen::machine::cpu::{Gather, Portable, Work, dispatch};
use kanzen::progress::Silent;
use kanzen::solve::rounds::Rounds;

use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::solve::lifts::Lifts;
use crate::nocca::solve::steps::Steps;
use crate::nocca::solve::{Arrays, NoccaRounds};

#[test]
fn rounds_position_by_position_find_what_sweeps_find() {
    for (rows, columns) in [(3, 2), (4, 2), (6, 2), (3, 3), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let rounds = NoccaRounds::new(&layout);
        // By sweeps alone, one by one as soon as may be, and changing over: wins by sweeps, losses one by one.
        let mut played =
            [[0, 0], [usize::MAX; 2], [0, usize::MAX]].map(|few| Arrays::with(&layout, few, [usize::MAX; 2]).unwrap());
        for distance in 0.. {
            let counts = played.each_mut().map(|arrays| {
                let mut log = |chunks: Range<usize>, make: &(dyn Fn(usize) -> _ + Sync)| {
                    chunks.for_each(|chunk| _ = make(chunk));
                    Ok(())
                };
                arrays.play(distance, &mut log, &Silent).unwrap().counts
            });
            let [sweeps, others @ ..] = &played;
            for (arrays, found) in others.iter().zip(&counts[1..]) {
                assert_eq!(*found, counts[0], "{rows}x{columns}, {distance} plies");
                let same = |array: usize| arrays.sets[array].words[..] == sweeps.sets[array].words[..];
                assert!(same(0) && same(1), "{rows}x{columns}, {distance} plies");
            }
            if rounds.is_last(distance, &counts[0]) {
                break;
            }
        }
    }
}

/// Counts the bits that are somebody's, and checks that each position has its own.
struct OwnBits<'a>(&'a Steps<'a>, Array, u64);

impl Work for OwnBits<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) -> u64 {
        let OwnBits(steps, array, bits) = self;
        let mut nearby = None;
        let mut positions = 0;
        for bit in 0..bits {
            if let Some(placed) = steps.at(cpu, array, bit, &mut nearby) {
                let found = steps.locate(cpu, array, &placed).expect("nobody wins at once");
                assert_eq!(found.bit, bit);
                if let Some(twin) = found.twin {
                    let twin = steps.at(cpu, array, twin, &mut None).expect("a mirror image is a position");
                    assert_eq!(steps.locate(cpu, array, &twin).and_then(|located| located.twin), Some(bit));
                }
                positions += 1;
            }
        }
        positions
    }
}

#[test]
fn a_position_has_the_bit_it_was_made_from() {
    for (rows, columns) in [(3, 2), (6, 2), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let lifts = Lifts::new(&layout);
        let steps = Steps::new(&layout, &lifts);
        for array in Array::BOTH {
            let bits = 64 * layout.words(array) as u64;
            let colourings =
                layout.slabs(array).map(|(slab, _)| slab.boards * layout.space(array, slab.top, slab.bottom).len());
            assert_eq!(dispatch(OwnBits(&steps, array, bits)), colourings.sum::<usize>() as u64);
            let few = bits.min(1 << 16);
            assert_eq!(OwnBits(&steps, array, few).run(Portable), dispatch(OwnBits(&steps, array, few)));
        }
    }
}
