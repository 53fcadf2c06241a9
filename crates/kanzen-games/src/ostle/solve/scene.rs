//! A strip of boards, and how its boards tell those they can have come from.
//!
//! All boards of a strip share the hole and the mover's pieces, and so do nearly all boards that they can have come
//! from: the other side made a step, and all that is left to look up is where its pieces were. Pushes and the hole's
//! moves are fewer and go the general way.

use kanzen::machine::cpu::Gather;

use super::engine::{Engine, Notices};
use super::group::GroupClass;
use super::word::Word;
use crate::ostle::board::{Board, Mask, NEXT, OFF, back, squares, step};
use crate::ostle::index::{Desk, Strip};
use crate::ostle::moves::{Move, hunting_squares};

/// Where a thread is at work.
pub struct Scene<'a> {
    /// The class.
    pub class: &'a GroupClass,
    /// The strip.
    pub strip: Strip,
    number: usize,
    least: u32,
    /// The class of the boards before.
    parents: &'a GroupClass,
    desk: Desk<'a>,
    /// Squares from which the other side could have pushed out one of the mover's pieces, if that ends the game: a
    /// board before with a piece there is won at once and needs no notice.
    hunting: Mask,
    /// The same with the hole one step on in each direction, where it may have come from.
    hunting_beside: [Mask; 4],
}

impl<'a> Scene<'a> {
    /// The scene of a slot.
    pub fn at(engine: &Engine<'a>, slot: u32) -> Scene<'a> {
        let class = engine.group.class_at(slot);
        let number = class.index.strip_of(slot - class.base);
        let (strip, parents) = (class.index.strip(number), engine.group.class_of(class.index.pieces().1));
        let least = engine.game.army().least;
        let (hunting, hunting_beside) = hunting(&strip, class.index.pieces().0 == least);
        let desk = parents.index.desk(strip.hole_number, strip.mover);
        Scene { class, strip, number, least, parents, desk, hunting, hunting_beside }
    }

    /// Moves on to a slot, not lower than those before.
    #[inline(always)]
    pub fn go_to(&mut self, engine: &Engine<'a>, slot: u32) {
        if slot >= self.class.base + self.strip.first + self.strip.len {
            self.change(engine, slot);
        }
    }

    fn change(&mut self, engine: &Engine<'a>, slot: u32) {
        let index = &self.class.index;
        let next = (self.number + 1 < index.strips()).then(|| index.strip(self.number + 1));
        let Some(next) = next.filter(|next| slot < self.class.base + next.first + next.len) else {
            *self = Scene::at(engine, slot);
            return;
        };
        self.number += 1;
        self.strip = next;
        (self.hunting, self.hunting_beside) = hunting(&self.strip, self.class.index.pieces().0 == self.least);
        self.desk = self.parents.index.desk(self.strip.hole_number, self.strip.mover);
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
        let (pieces, empty) = (board.pieces(), board.empty());
        let hunters = board.opponent & self.hunting;
        let unique = word.unique();
        let base = self.parents.base;
        for direction in 0..4 {
            let fronts = board.opponent & step(empty, direction);
            if best {
                // A step back that leaves or brings a piece to a hunting square comes from a board won at once.
                let to_hunt = step(self.hunting, direction);
                let steps = match hunters & hunters.wrapping_sub(1) {
                    _ if hunters == 0 => fronts & !to_hunt,
                    0 => fronts & hunters & !to_hunt,
                    _ => 0,
                };
                for front in squares(steps) {
                    let front = 1 << front;
                    let mover = board.opponent ^ front ^ step(front, back(direction));
                    notices.push(self.desk.slot(bits, mover) + base, 0);
                }
            }
            if board.opponent & self.hunting_beside[usize::from(direction)] == 0
                && let Some(before) = board.shift_hole(direction)
            {
                let mv = Move { from: before.hole, direction: back(direction) };
                if if unique == 1 + direction { second } else { best } {
                    let found = self.parents.index.find(bits, &before);
                    notices.push(found.slot + base, found.number(mv, true));
                }
            }
            for front in squares(fronts & step(pieces, back(direction))) {
                let mv = Move { from: NEXT[usize::from(back(direction))][usize::from(front)], direction };
                let mut line = 1 << front;
                let mut last = NEXT[usize::from(direction)][usize::from(front)];
                while last != OFF && pieces >> last & 1 == 1 {
                    line |= 1 << last;
                    let unshift = |side: Mask| (side & !line) | step(side & line, back(direction));
                    let before =
                        Board { hole: board.hole, mover: unshift(board.opponent), opponent: unshift(board.mover) };
                    let theirs = board.mover >> last & 1 == 1;
                    let way_back = Move { from: last, direction: back(direction) };
                    let is_unique = theirs && unique != 0 && way_back.number(board) == unique;
                    if if is_unique { second } else { best } {
                        let found = self.parents.index.find(bits, &before);
                        let number = if theirs { found.number(mv, false) } else { 0 };
                        notices.push(found.slot + base, number);
                    }
                    last = NEXT[usize::from(direction)][usize::from(last)];
                }
            }
        }
    }
}

/// The hunting squares of a strip, if the mover has the least pieces; none otherwise.
fn hunting(strip: &Strip, least: bool) -> (Mask, [Mask; 4]) {
    if !least {
        return (0, [0; 4]);
    }
    let pit = 1 << strip.hole;
    let beside = std::array::from_fn(|direction| hunting_squares(strip.mover, step(pit, direction as u8)));
    (hunting_squares(strip.mover, pit), beside)
}
