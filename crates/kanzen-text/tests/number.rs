//! The derived numbering: rank and unrank invert each other over all slots.

use kanzen_text::ground::Grounded;
use kanzen_text::number::Numbering;
use kanzen_text::operators::{After, Operators};
use kanzen_text::rbg;
use kanzen_text::symmetry::Symmetries;

/// Checks all slots, or one in `step`; returns slots and classes.
fn numbered(text: &str, symmetric: bool, step: usize) -> (u64, usize) {
    let game = Grounded::new(&rbg::read(text).unwrap()).unwrap();
    let symmetries = if symmetric { Symmetries::find(&game) } else { Symmetries::none(&game) };
    let numbering = Numbering::new(&game, &symmetries).unwrap();
    let operators = Operators::new(&game);
    for slot in (0..numbering.slots()).step_by(step) {
        let state = numbering.unrank(slot);
        let rank = numbering.rank(&state).unwrap();
        match symmetric {
            // A slot that is not used leads to the one that is.
            true => assert_eq!(numbering.rank(&numbering.unrank(rank)), Some(rank)),
            false => assert_eq!(rank, slot),
        }
        // All that a move leads to is numbered, and images have the same number.
        operators.forward(&state, &mut |after| {
            if let After::State(after) = after {
                let rank = numbering.rank(&after).expect("a class");
                for symmetry in symmetries.group.symmetries() {
                    let mut image = after;
                    image.planes.iter_mut().for_each(|plane| *plane = symmetry.apply(*plane));
                    assert_eq!(numbering.rank(&image), Some(rank));
                }
                if let Some(exchange) = &symmetries.exchange {
                    // The other side may never have so many pieces.
                    assert_eq!(numbering.rank(&exchange.apply(&after)).unwrap_or(rank), rank);
                }
            }
        });
    }
    (numbering.slots(), numbering.classes())
}

#[test]
fn tic_tac_toe_has_the_placements_of_every_ply() {
    // 9! / (x! o! (9 - x - o)!) over all plies: 6,046.
    let text = include_str!("rbg/tic-tac-toe.rbg");
    assert_eq!(numbered(text, false, 1), (6046, 10));
    let (slots, _) = numbered(text, true, 1);
    assert!(slots < 1300, "{slots}");
}

#[test]
fn fox_and_hounds_is_ranked_in_order() {
    numbered(include_str!("rbg/fox-and-hounds.rbg"), true, 97);
}

#[test]
fn breakthrough_slots_lead_to_their_positions() {
    numbered(include_str!("rbg/breakthrough-4x5.rbg"), true, 10_007);
}
