//! Irregular boards: recomputed from all their children instead of updated move by move.
//!
//! On a symmetric board two moves lead to the same slot. Under the symmetric ko rule a forbidden move may not be the
//! reverse of the last one, or a ban may have no effect because another move leads to a copy of the same board. Such
//! boards are rare, so each is recomputed whenever one of its children is decided. This module compares whole boards
//! and never relies on move numbers.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::engine::{Engine, way_back};
use super::group::level_below;
use super::updates::Updates;
use super::word::{TOUCHED, Word};
use crate::ostle::board::Board;
use crate::ostle::ko::Ko;
use crate::ostle::moves::{Effect, Move};
use crate::ostle::stored::Values;

/// A move of an irregular board.
struct Choice {
    number: u8,
    can_be_forbidden: bool,
    /// The level at which it is decided, if it is by now.
    level: Option<u8>,
}

impl Engine<'_> {
    /// Lists each irregular board under the levels that decide its moves to earlier classes.
    pub(super) fn list_deferred(&mut self) {
        self.deferred.iter_mut().for_each(Vec::clear);
        for &slot in &self.irregular {
            let board = self.group.board(slot);
            self.game.board_moves(&board, |_, next, effect| {
                if !matches!(effect, Effect::Quiet { .. }) && self.game.has(&next) {
                    let level = level_below(self.below, &next);
                    if level != 0 && self.deferred[usize::from(level)].last() != Some(&slot) {
                        self.deferred[usize::from(level)].push(slot);
                    }
                }
            });
        }
    }

    /// Recomputes boards after all levels up to `level` are decided.
    pub(super) fn reevaluate(&self, slots: Vec<u32>, level: u8) {
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

    /// Updates the parents of an irregular board.
    pub(super) fn update_parents_of_irregular(
        &self,
        board: &Board,
        word: Word,
        (best, second): (bool, bool),
        updates: &mut Updates<'_, '_>,
    ) {
        let unique = word.unique();
        let after_unique = (unique != 0).then(|| board.after(Move::numbered(unique, board))).flatten();
        let closed_slot = after_unique.map(|(after, _)| self.group.place(&after).slot);
        let mut updated = Vec::new();
        board.each_quiet_parent(|before, mv, way_back| {
            let place = self.group.place(&before);
            let number = mv.under(place.symmetry).number(&before.under(place.symmetry));
            let closed = match self.game.ko() {
                Ko::Literal => unique != 0 && way_back.is_some_and(|back| back.number(board) == unique),
                Ko::Symmetric => closed_slot == Some(place.slot),
            };
            // Each move is updated once, although the mirror image of its reverse generates it again.
            if (if closed { second } else { best }) && !updated.contains(&(place.slot, number)) {
                updated.push((place.slot, number));
                updates.push(place.slot, if way_back.is_some() { number } else { 0 });
            }
        });
    }
}

/// The value of the decided moves: the shortest win, or the longest loss if all moves lose, or 0 if neither is certain.
fn combine<'c>(choices: impl Iterator<Item = &'c Choice> + Clone) -> u8 {
    let decided = choices.clone().filter_map(|choice| choice.level);
    match decided.clone().filter(|level| level & 1 == 1).min() {
        Some(win) => win,
        None if choices.clone().any(|choice| choice.level.is_none()) => 0,
        None => decided.max().unwrap_or(0),
    }
}
