//! A round after one that has found few positions: moves are taken back from these alone.
//!
//! ```text
//! wins    black has a move to a new loss                                      every un-move of a new loss is one
//! losses  white has a move to a new win, and none that does not lose          un-moves of new wins, then all their moves
//! ```
//!
//! Takes as long as there are new positions, where a sweep takes as long as there are boards: half of the rounds find less
//! than one position in thousands.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen::machine::cpu::{Gather, Work, dispatch};
use kanzen::progress::{Event, Observer};
use kanzen::solve::rounds::{ROUND_WORK, WordArray};
use rayon::prelude::*;

use super::set::{CHUNK, News};
use super::steps::{Placed, Steps};
use super::windows::Window;
use crate::nocca::index::layout::Array;

/// Positions that a thread takes at a time.
const PIECE: usize = 1 << 10;

/// A round of an array, from the few positions of the other that the last round has found.
pub struct FewRound<'a> {
    /// The moves.
    pub steps: &'a Steps<'a>,
    /// The array in which positions are found.
    pub target: Array,
    /// Its words.
    pub known: &'a [u64],
    /// The words of the other one.
    pub source: &'a [u64],
    /// What is new there.
    pub news: &'a News,
}

/// Tells those who watch of a round that goes through these news once for each of so many windows.
pub fn announce(news: &News, windows: usize, observer: &dyn Observer) {
    let total = (news.count() * windows) as u64;
    observer.event(Event::Stage { name: "sweep", total: Some(total) });
    observer.event(Event::Part { work: ROUND_WORK, steps: total });
}

impl FewRound<'_> {
    /// Adds what is new in a window of the array to `found`, which begins where the window does and must be empty but for
    /// what is carried over, and marks the chunks of the array in which anything may be.
    pub fn find(
        &self,
        window: &Window,
        found: &mut WordArray,
        touched: &[AtomicBool],
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let words = found.atomic();
        self.news.pieces(PIECE).try_for_each(|(first, places)| {
            if observer.stop() {
                return Err(Error::Stopped);
            }
            dispatch(Unmoves { round: self, first, places, window, found: words, touched });
            observer.event(Event::Steps { steps: places.len() as u64 });
            Ok(())
        })?;
        if self.target == Array::Losses {
            // What is carried over has been looked at, and stays what it is.
            let chunks = found[..window.len].par_chunks_mut(CHUNK).zip(&touched[window.chunks.start..]).enumerate();
            let chunks = chunks.filter(|(_, (_, touched))| touched.load(Ordering::Relaxed));
            chunks.try_for_each(|(chunk, (found, _))| {
                if observer.stop() {
                    return Err(Error::Stopped);
                }
                dispatch(Verify { round: self, first: window.first() + chunk * CHUNK, found });
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Takes moves back: positions of a window of the target, not known yet, with a move to one of the news.
struct Unmoves<'a> {
    round: &'a FewRound<'a>,
    /// The bit that the places are counted from.
    first: u64,
    places: &'a [u32],
    window: &'a Window,
    found: &'a [AtomicU64],
    touched: &'a [AtomicBool],
}

impl Unmoves<'_> {
    #[inline(always)]
    fn add(&self, bit: u64) {
        let (word, bit) = ((bit / 64) as usize, 1 << (bit % 64));
        let found = &self.found[word - self.window.first()];
        if self.round.known[word] & bit == 0 && found.load(Ordering::Relaxed) & bit == 0 {
            found.fetch_or(bit, Ordering::Relaxed);
            self.touched[word / CHUNK].store(true, Ordering::Relaxed);
        }
    }
}

impl Work for Unmoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        let FewRound { steps, target, .. } = *self.round;
        let white = target == Array::Losses;
        let mut nearby = None;
        for &place in self.places {
            let Some(after) = steps.at(cpu, target.other(), self.first + u64::from(place), &mut nearby) else {
                continue;
            };
            steps.each_lifted(&after, white, |cell, lifted| {
                // Wherever the piece came from, it was not the goal row, or it would have walked off.
                if !self.window.has_goal_row(lifted.goal_row(target)) {
                    return true;
                }
                for &from in steps.near(cell) {
                    let before = steps.put(&lifted, from, white);
                    if let Some(located) = before.and_then(|before| steps.locate(cpu, target, &before)) {
                        self.add(located.bit);
                        located.twin.into_iter().for_each(|twin| self.add(twin));
                    }
                }
                true
            });
        }
    }
}

/// Keeps those of a chunk of the losses that are lost: white has no move but to positions won for black.
struct Verify<'a> {
    round: &'a FewRound<'a>,
    /// The first word of the chunk.
    first: usize,
    found: &'a mut [u64],
}

impl Work for Verify<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        let mut nearby = None;
        for (at, word) in self.found.iter_mut().enumerate().filter(|(_, word)| **word != 0) {
            let mut left = *word;
            while left != 0 {
                let bit = 64 * (self.first + at) as u64 + u64::from(left.trailing_zeros());
                let placed = self.round.steps.at(cpu, Array::Losses, bit, &mut nearby);
                if !placed.is_some_and(|placed| self.round.is_lost(cpu, &placed)) {
                    *word &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }
}

impl FewRound<'_> {
    #[inline(always)]
    fn is_lost<C: Gather>(&self, cpu: C, placed: &Placed) -> bool {
        self.steps.each_lifted(placed, true, |cell, lifted| {
            self.steps.near(cell).iter().all(|&to| {
                let after = self.steps.put(&lifted, to, true);
                // Where black walks off there is no bit.
                let located = after.and_then(|after| self.steps.locate(cpu, Array::Wins, &after));
                located.is_none_or(|at| self.source[(at.bit / 64) as usize] >> (at.bit % 64) & 1 == 1)
            })
        })
    }
}
