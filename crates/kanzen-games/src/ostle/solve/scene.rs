//! A strip of boards, and how its boards tell those they can have come from.
//!
//! All boards of a strip share the hole and the mover's pieces, and so do nearly all boards that they can have come
//! from: the other side moved, and all that is left to look up is where its pieces were, with the hole where it is or
//! beside. Pushes of both sides' pieces are fewer and go the general way.

use kanzen::machine::cpu::Gather;

use super::engine::Engine;
use super::group::GroupClass;
use super::notices::Notices;
use super::unmoves::{JUMPS, UNPUSHES, jumps, places, unpushes};
use super::word::Word;
use crate::ostle::board::{Board, Mask, NEXT, OFF, back};
use crate::ostle::index::{Desk, Strip};
use crate::ostle::moves::{Move, hunting_squares};
use crate::ostle::symmetry::TURN;

/// Where a thread is at work.
pub struct Scene<'a> {
    /// The class.
    pub class: &'a GroupClass,
    /// The strip.
    pub strip: Strip,
    number: usize,
    /// The class of the boards before.
    parents: &'a GroupClass,
    desk: Desk<'a>,
    /// Squares from which the other side could have pushed out one of the mover's pieces, if that ends the game: a
    /// board before with a piece there is won at once and needs no notice.
    hunting: Mask,
    /// The boards before with the hole one step on in each direction, where it may have come from.
    beside: [Beside<'a>; 4],
}

/// The boards before whose hole moved.
struct Beside<'a> {
    /// The square the hole came from, or none.
    pit: Mask,
    hunting: Mask,
    desk: Desk<'a>,
}

impl<'a> Scene<'a> {
    /// The scene of a slot.
    pub fn at(engine: &Engine<'a>, slot: u32) -> Scene<'a> {
        let class = engine.group.class_at(slot);
        let number = class.index.strip_of(slot - class.base);
        Scene::new(engine, class, number, class.index.strip(number))
    }

    fn new(engine: &Engine<'a>, class: &'a GroupClass, number: usize, strip: Strip) -> Scene<'a> {
        let parents = engine.group.class_of(class.index.pieces().1);
        let least = engine.game.army().least;
        let hunting = |pit| if class.index.pieces().0 == least { hunting_squares(strip.mover, pit) } else { 0 };
        let pit = 1 << strip.hole;
        let beside = NEXT.map(|next| match next[usize::from(strip.hole)] {
            // Nobody asks there.
            OFF => Beside { pit: 0, hunting: 0, desk: parents.index.desk(strip.hole, strip.mover) },
            hole => Beside { pit: 1 << hole, hunting: hunting(1 << hole), desk: parents.index.desk(hole, strip.mover) },
        });
        let desk = parents.index.desk(strip.hole, strip.mover);
        Scene { class, strip, number, parents, desk, hunting: hunting(pit), beside }
    }

    /// Moves on to a slot, not lower than those before.
    #[inline(always)]
    pub fn go_to(&mut self, engine: &Engine<'a>, slot: u32) {
        if slot >= self.class.base + self.strip.first + self.strip.len {
            self.change(engine, slot);
        }
    }

    #[cold]
    fn change(&mut self, engine: &Engine<'a>, slot: u32) {
        let (index, number) = (&self.class.index, self.number + 1);
        let next = (number < index.strips()).then(|| index.strip(number));
        *self = match next.filter(|next| slot < self.class.base + next.first + next.len) {
            Some(next) => Scene::new(engine, self.class, number, next),
            None => Scene::at(engine, slot),
        };
    }

    /// Tells every board that a regular board of the strip can have come from: its `best`, its `second`, or both are
    /// decided now.
    #[inline(always)]
    pub fn tell<B: Gather>(
        &self,
        bits: B,
        board: &Board,
        word: Word,
        (best, second): (bool, bool),
        notices: &mut Notices<'_, '_>,
    ) {
        if !best {
            return self.tell_of_second(bits, board, word.unique(), notices);
        }
        let skipped = if second { 0 } else { word.unique() };
        let (base, empty) = (self.parents.base, board.empty());
        // A board before with a piece on a hunting square is won at once: a piece there must leave, and none go there.
        let hunters = board.opponent & self.hunting;
        let jumping = match hunters & hunters.wrapping_sub(1) {
            _ if hunters == 0 => board.opponent,
            0 => hunters,
            _ => 0,
        };
        for (word, table) in jumps(board.opponent, jumping, empty & !self.hunting).into_iter().zip(&JUMPS) {
            for place in places(word) {
                let mover = board.opponent ^ table[place];
                notices.push(self.desk.place_turned(bits, mover).slot + base, 0);
            }
        }
        for (direction, beside) in (0u8..).zip(&self.beside) {
            let comes = beside.pit & empty != 0 && board.opponent & beside.hunting == 0;
            if comes && skipped != 1 + direction {
                let place = beside.desk.place(bits, board.opponent);
                let number = 1 + TURN[usize::from(place.symmetry)][usize::from(back(direction))];
                notices.push(place.slot + base, number);
            }
        }
        let skipped = way_back_of(board, skipped);
        for (word, table) in unpushes(board).into_iter().zip(&UNPUSHES) {
            for place in places(word) {
                let unpush = &table[place];
                if unpush.way_back == skipped {
                    continue;
                }
                let (mover, opponent) = (unpush.before(board.opponent), unpush.before(board.mover));
                let found = self.parents.index.find_beside(bits, self.strip.hole_number, mover, opponent);
                let mv = Move { from: unpush.from, direction: unpush.direction };
                let reversible = board.mover >> unpush.last() & 1 == 1;
                notices.push(found.slot + base, if reversible { found.number(mv, false) } else { 0 });
            }
        }
    }

    /// Tells the one board that the unique move leads back to: there it is forbidden.
    fn tell_of_second<B: Gather>(&self, bits: B, board: &Board, unique: u8, notices: &mut Notices<'_, '_>) {
        let Move { from, direction } = Move::numbered(unique, board);
        let (before, from) = if from == board.hole {
            let Some(before) = board.shift_hole(direction) else { return };
            (before, before.hole)
        } else {
            let (before, _, end) = board.push_line(from, direction);
            (before, end.trailing_zeros() as u8)
        };
        let found = self.parents.index.find(bits, &before);
        let mv = Move { from, direction: back(direction) };
        notices.push(found.slot + self.parents.base, found.number(mv, from == before.hole));
    }
}

/// The move with this number as the way back of an [`Unpush`](super::unmoves::Unpush): its piece's square << 2 | its
/// direction. Something that is none if there is no such move, or it is the hole's.
#[inline(always)]
fn way_back_of(board: &Board, number: u8) -> u8 {
    if number < 5 {
        return u8::MAX;
    }
    let Move { from, direction } = Move::numbered(number, board);
    from << 2 | direction
}
