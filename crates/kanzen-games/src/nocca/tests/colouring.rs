//! Words of colours, and sets of them.

use kanzen::machine::cpu::Portable;

use crate::nocca::index::colouring::*;

fn set_of(space: &Space, contains: impl Fn(u16) -> bool) -> Bits {
    let mut set = [0; MOST_WORDS];
    for place in 0..space.len() {
        set[place / 64] |= u64::from(contains(space.words()[place])) << (place % 64);
    }
    set
}

#[test]
fn rank_inverts_word() {
    let spaces = Spaces::new(10);
    for (pieces, whites) in (0..=10).flat_map(|n| (0..=n).map(move |whites| (n, whites))) {
        let space = spaces.of(pieces, whites);
        assert_eq!(space.len() as u64, kanzen::index::binomial(pieces, whites));
        for place in 0..space.len() {
            assert_eq!(space.rank(space.words()[place]), place);
        }
    }
}

#[test]
fn a_piece_lifted_and_put_down_elsewhere_keeps_its_colour_and_the_others_order() {
    let spaces = Spaces::new(10);
    let odd = |word: u16| u32::from(word).wrapping_mul(2_654_435_761) >> 31 == 1;
    let (from, to) = (3, 7);
    let space = spaces.of(10, 5);
    let set = set_of(space, odd);
    let lifted = space.select(1 << from, 0).gather(Portable, &set);
    let mut moved = [0; MOST_WORDS];
    space.select(1 << to, 0).spread(Portable, lifted, &mut moved);
    let expected = set_of(space, |word| {
        let others = word & 0b0111_1111 | word >> 1 & !0b0111_1111;
        let before = others & 0b111 | 1 << from | (others & !0b111) << 1;
        word >> to & 1 == 1 && odd(before)
    });
    assert_eq!(moved, expected);
}

#[test]
fn exchanged_pieces_exchange_their_bits() {
    let spaces = Spaces::new(10);
    let odd = |word: u16| u32::from(word).wrapping_mul(2_654_435_761) >> 31 == 1;
    for (pieces, whites) in [(2, 1), (7, 3), (10, 5)] {
        let space = spaces.of(pieces, whites);
        for piece in 0..pieces as u8 - 1 {
            let mut set = set_of(space, odd);
            space.swap(Portable, &mut set, piece);
            let exchanged = |word: u16| {
                let differ = (word >> piece ^ word >> (piece + 1)) & 1;
                word ^ (differ << piece | differ << (piece + 1))
            };
            assert_eq!(set, set_of(space, |word| odd(exchanged(word))));
        }
    }
}

#[test]
fn a_block_swap_exchanges_two_runs_of_pieces() {
    let mut pieces = ["x", "a", "b", "c", "1", "2", "y"];
    for piece in block_swap(1, 3, 2) {
        pieces.swap(piece.into(), usize::from(piece) + 1);
    }
    assert_eq!(pieces, ["x", "1", "2", "a", "b", "c", "y"]);
}
