//! Random games of every shape, from a seed.
#![allow(dead_code, reason = "each test takes what it needs")]

use kanzen::{BadPosition, Game, Notation, Outcome, Value};
use proptest::prelude::*;

/// A random game. Every position has a twin (the next number, if odd) with the same moves up to twins: a mirror
/// image. Moves between twins' families collapse in the quotient, as those of symmetric boards do.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The class of each family of twins, ascending.
    pub classes: Vec<u32>,
    pub ends: Vec<Option<Value>>,
    pub moves: Vec<Vec<u32>>,
    pub has_unmoves: bool,
    /// Endless play is lost for the player to move at even positions' families, if so.
    pub black_wins_endless_play: bool,
}

impl Drawn {
    fn family(position: u32) -> usize {
        position as usize / 2
    }

    /// Families alternate sides where endless play has a winner: moves must then change the side.
    fn side(&self, position: u32) -> bool {
        Drawn::family(position).is_multiple_of(2)
    }
}

impl Game for Drawn {
    type Position = u32;
    type Move = usize;
    type Key = u32;

    fn initial(&self) -> u32 {
        0
    }

    fn roots(&self, visit: &mut impl FnMut(u32)) {
        (0..2 * self.moves.len() as u32).for_each(visit);
    }

    fn moves(&self, position: u32, play: &mut impl FnMut(usize, u32)) {
        for (number, &child) in self.moves[Drawn::family(position)].iter().enumerate() {
            // The mirror image of a position has the mirror images of its moves.
            play(number, child ^ (position & 1));
        }
    }

    fn unmoves(&self, position: u32, visit: &mut impl FnMut(u32)) -> bool {
        for parent in 0..2 * self.moves.len() as u32 {
            let family = Drawn::family(parent);
            if self.ends[family].is_none() && self.moves[family].iter().any(|child| child ^ (parent & 1) == position) {
                visit(parent);
            }
        }
        self.has_unmoves
    }

    fn ended(&self, position: u32) -> Option<Value> {
        self.ends[Drawn::family(position)]
    }

    fn endless(&self, position: u32) -> Value {
        match (self.black_wins_endless_play, self.side(position)) {
            (false, _) => Value::DRAW,
            (true, true) => Value::UNTIMED_LOSS,
            (true, false) => Value::UNTIMED_WIN,
        }
    }

    fn canonical(&self, position: u32) -> u32 {
        position & !1
    }

    fn class(&self, position: u32) -> u32 {
        self.classes[Drawn::family(position)]
    }

    fn show(&self, position: u32) -> String {
        position.to_string()
    }

    fn show_move(&self, _: u32, number: usize) -> String {
        number.to_string()
    }

    fn pack(&self, position: u32) -> u32 {
        position
    }

    fn unpack(&self, key: u32) -> u32 {
        key
    }
}

impl Notation for Drawn {
    fn read(&self, text: &str) -> Result<u32, BadPosition> {
        text.parse().map_err(|_| BadPosition::new("no number"))
    }
}

impl kanzen::Board for Drawn {}

/// A strategy of random games.
pub fn drawn() -> impl Strategy<Value = Drawn> {
    let sizes = (2..60usize, 1..4u32, any::<bool>(), any::<bool>());
    sizes.prop_flat_map(|(families, classes, has_unmoves, black_wins_endless_play)| {
        let ends = prop::sample::select(vec![
            None,
            None,
            None,
            Some(Value::loss(0)),
            Some(Value::loss(0)),
            Some(Value::win(1)),
            Some(Value::win(7)),
            Some(Value::DRAW),
        ]);
        let moves = prop::collection::vec(0..2 * families as u32, 0..6);
        (
            prop::collection::vec(0..classes, families),
            prop::collection::vec(ends, families),
            prop::collection::vec(moves, families),
        )
            .prop_map(move |(mut classes, mut ends, mut moves)| {
                classes.sort_unstable();
                for (family, moves) in moves.iter_mut().enumerate() {
                    moves.retain(|&child| {
                        let other = Drawn::family(child);
                        classes[other] <= classes[family] && (!black_wins_endless_play || (family + other) % 2 == 1)
                    });
                }
                if black_wins_endless_play {
                    // Without draws: the winner of endless play wins what is not lost.
                    ends.iter_mut().for_each(|end| *end = end.filter(|value| value.outcome() != Outcome::Draw));
                }
                Drawn { classes, ends, moves, has_unmoves, black_wins_endless_play }
            })
    })
}
