//! Piles and moves as text: how many stones there are, and how many are taken.

use kanzen::BadPosition;

use super::rules::{Pile, Take};

/// The notation in words.
pub const NOTATION: &str = "The number of stones left. A move is the number of stones taken.";

pub fn show(pile: Pile) -> String {
    pile.0.to_string()
}

pub fn show_move(take: Take) -> String {
    take.0.to_string()
}

/// The pile of a text, of at most so many stones.
pub fn read(most: u32, text: &str) -> Result<Pile, BadPosition> {
    match text.parse() {
        Ok(stones) if stones <= most => Ok(Pile(stones)),
        _ => Err(BadPosition::new(format!("expected a number of stones from 0 to {most}, found {text:?}"))),
    }
}
