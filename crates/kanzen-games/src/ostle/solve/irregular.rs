//! Boards that are looked at as a whole.
//!
//! On a symmetric board two moves lead to one board of the index; under the symmetric ko rule a move may be forbidden
//! that is no way back, or its ban has no effect, since another move leads to a copy of the same board. There are few
//! such boards, so each is worked out anew from all its children whenever one of them is decided. Everything here reads
//! and compares whole boards and trusts no move numbers.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::engine::{Engine, way_back};
use super::group::level_below;
use super::notices::Notices;
use super::word::{TOUCHED, Word};
use crate::ostle::board::Board;
use crate::ostle::ko::Ko;
use crate::ostle::moves::{Effect, Move};
use crate::ostle::stored::Values;

/// A move of an irregular board.
struct Choice {
    number: u8,
    can_be_forbidden: bool,
    /// The level it is decided at, if that has come.
    level: Option<u8>,
}

impl Engine<'_> {
    /// Notes for each irregular board the levels at which its moves to earlier classes are decided.
    pub(super) fn make_appointments(&mut self) {
        self.appointments.iter_mut().for_each(Vec::clear);
        for &slot in &self.irregular {
            let board = self.group.board(slot);
            self.game.board_moves(&board, |_, next, effect| {
                if !matches!(effect, Effect::Quiet { .. }) && self.game.has(&next) {
                    let level = level_below(self.below, &next);
                    if level != 0 && self.appointments[usize::from(level)].last() != Some(&slot) {
                        self.appointments[usize::from(level)].push(slot);
                    }
                }
            });
        }
    }

    /// Works out boards anew, when all levels up to `level` are decided.
    pub(super) fn look_again(&self, slots: Vec<u32>, level: u8) {
        let found: Vec<(u32, Values)> =
            slots.into_par_iter().map(|slot| (slot, self.values_now(slot, level))).collect();
        for (slot, values) in found {
            let word = Word::irregular(values);
            self.words[slot as usize].store(word.0 & !TOUCHED, Relaxed);
            if let Some(due) = word.due_after(level) {
                self.set_due(slot, due);
            }
        }
    }

    fn values_now(&self, slot: u32, level: u8) -> Values {
        let board = self.group.board(slot);
        if self.game.wins_at_once(&board) {
            return Values { best: 1, unique: 0, second: 1 };
        }
        let mut choices = Vec::new();
        self.game.board_moves(&board, |mv, next, effect| {
            let number = mv.number(&board);
            choices.push(match effect {
                Effect::Quiet { reversible } => self.quiet_choice(slot, &board, number, &next, reversible, level),
                _ => {
                    let below = level_below(self.below, &next);
                    let decided = (below != 0 && below <= level).then_some(below + 1);
                    Choice { number, can_be_forbidden: false, level: decided }
                }
            });
        });
        let best = combine(choices.iter());
        for choice in choices.iter().filter(|choice| choice.can_be_forbidden) {
            let second = combine(choices.iter().filter(|other| other.number != choice.number));
            if second != best {
                return Values { best, unique: choice.number, second };
            }
        }
        Values { best, unique: 0, second: 0 }
    }

    fn quiet_choice(&self, slot: u32, board: &Board, number: u8, next: &Board, reversible: bool, level: u8) -> Choice {
        let place = self.group.place(next);
        let child = next.under(place.symmetry);
        let word = Word(self.words[place.slot as usize].load(Relaxed));
        let (can_be_forbidden, closed) = match self.game.ko() {
            Ko::Literal => {
                let back = if reversible { way_back(board, next) } else { None };
                let back = back.map_or(0, |back| back.under(place.symmetry).number(&child));
                (reversible, word.unique() != 0 && word.unique() == back)
            }
            Ko::Symmetric => {
                let leads_back = |mv: Move| {
                    child.after(mv).is_some_and(|(after, effect)| {
                        matches!(effect, Effect::Quiet { .. }) && self.group.place(&after).slot == slot
                    })
                };
                let mut returns = false;
                child.each_move(|mv, _, _| returns |= leads_back(mv));
                let unique = word.unique();
                (returns, unique != 0 && leads_back(Move::numbered(unique, &child)))
            }
        };
        let decided = if closed { word.second() } else { word.best() };
        let decided = (decided != 0 && decided <= level).then(|| decided + 1);
        Choice { number, can_be_forbidden, level: decided }
    }

    /// Tells the boards that an irregular one can have come from.
    pub(super) fn tell_from_irregular(
        &self,
        board: &Board,
        word: Word,
        (best, second): (bool, bool),
        notices: &mut Notices<'_, '_>,
    ) {
        let unique = word.unique();
        let after_unique = (unique != 0).then(|| board.after(Move::numbered(unique, board))).flatten();
        let closed_slot = after_unique.map(|(after, _)| self.group.place(&after).slot);
        let mut told = Vec::new();
        board.each_quiet_parent(|before, mv, way_back| {
            let place = self.group.place(&before);
            let number = mv.under(place.symmetry).number(&before.under(place.symmetry));
            let closed = match self.game.ko() {
                Ko::Literal => unique != 0 && way_back.is_some_and(|back| back.number(board) == unique),
                Ko::Symmetric => closed_slot == Some(place.slot),
            };
            // A move is told of once, though the mirror image of its way back names it again.
            if (if closed { second } else { best }) && !told.contains(&(place.slot, number)) {
                told.push((place.slot, number));
                notices.push(place.slot, if way_back.is_some() { number } else { 0 });
            }
        });
    }
}

/// The value that decided moves give: the nearest win, or the longest loss if all lose; 0 while neither is certain.
fn combine<'c>(choices: impl Iterator<Item = &'c Choice> + Clone) -> u8 {
    let decided = choices.clone().filter_map(|choice| choice.level);
    match decided.clone().filter(|level| level & 1 == 1).min() {
        Some(win) => win,
        None if choices.clone().any(|choice| choice.level.is_none()) => 0,
        None => decided.max().unwrap_or(0),
    }
}
