//! Whatever happens to the bytes between two processes, they find the same values or end with an error.

use std::time::Duration;

use crate::storm::{Outcome, Storm, Trouble, other_trouble};

#[test]
fn a_flipped_bit_leaves_the_same_values_or_is_refused() {
    let _exclusive = crate::exclusive();
    let storm = Storm::new();
    let mut refused = 0;
    for seed in 0..12 {
        let (outcome, taken) = storm.run(seed, Trouble::Flip(seed as u8 % 8));
        assert!(outcome != Outcome::Other && taken < Duration::from_secs(30), "seed {seed}: {outcome:?}, {taken:?}");
        refused += u32::from(matches!(outcome, Outcome::Refused(_)));
    }
    assert!(refused > 5, "only {refused} of 12 were refused");
}

#[test]
fn lost_repeated_reordered_late_and_stopped_bytes_leave_the_same_values_or_are_refused() {
    let _exclusive = crate::exclusive();
    let storm = Storm::new();
    let drawn = (0..8).map(other_trouble).filter(|trouble| *trouble != Trouble::Stop);
    // A stop takes seven seconds: one is enough here.
    for (seed, trouble) in (0..).zip(drawn.chain([Trouble::Stop, Trouble::Late])) {
        let (outcome, taken) = storm.run(seed, trouble);
        let what = format!("seed {seed}, {trouble:?}: {outcome:?}, {taken:?}");
        assert!(outcome != Outcome::Other && taken < Duration::from_secs(30), "{what}");
        assert!(trouble != Trouble::Late || outcome == Outcome::Same, "{what}");
    }
}
