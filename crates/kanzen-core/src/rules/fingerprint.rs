//! The fingerprint of a game's rules and numbering.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::Xxh3;

use crate::rules::Game;
use crate::rules::playouts::{Seen, playouts};
use crate::vocabulary::{Key, Value};

/// How much is looked at, in moves: a fingerprint is worked out whenever a database is opened.
const WORK: usize = 24_000;
/// What the moves of a position cost that is looked at closely, compared with one that is passed through.
const CLOSELY: usize = 4;
/// One position of so many is looked at closely. Odd, so that both sides are to move in them.
const EVERY: usize = 7;
/// A game that does not end is given up after so many plies.
const PLIES: usize = 120;
const SEED: u64 = 0x6b61_6e7a_656e;

/// A number that changes with the rules and with the numbering (`layout`).
///
/// It hashes what random games (with a fixed seed) meet on their way to the end: texts, keys, canonical forms and classes
/// of positions, all their moves with where they lead, the ends of the game with their values and scores, what a position
/// without moves and endless play are worth, and what a census counts. A change of a rule that none of these games
/// comes across is not detected; [`mutations`](crate::conformance::mutations) shows which changes are.
///
/// A database carries it, so that one solved under other rules, or numbered in another way, is refused rather than
/// believed. No version number has to be raised by hand.
pub fn fingerprint<G: Game>(id: &str, game: &G, layout: u64) -> u64 {
    let mut prints = Prints { game, hash: Xxh3::new(), classes: BTreeSet::new() };
    prints.text(id);
    prints.hash.update(&layout.to_le_bytes());
    let (mut left, mut passed) = (WORK, 0);
    playouts(game, SEED, WORK, PLIES, |seen| {
        prints.passed(&seen);
        passed += 1;
        let closely = passed % EVERY == 0;
        if closely {
            prints.looked_at(&seen);
        }
        left = left.saturating_sub(if closely { CLOSELY * seen.work } else { seen.work });
        left > 0
    });
    prints.labels();
    prints.hash.digest()
}

struct Prints<'a, G> {
    game: &'a G,
    hash: Xxh3,
    classes: BTreeSet<u32>,
}

impl<G: Game> Prints<'_, G> {
    /// The move that is played; or what the game is worth that is over here.
    fn passed(&mut self, seen: &Seen<'_, G>) {
        let (game, position) = (self.game, seen.position);
        self.hash.update(&(seen.steps.len() as u32).to_le_bytes());
        match seen.played {
            Some(played) => {
                let (mv, child) = seen.steps[played];
                self.text(&game.show_move(position, mv));
                self.place(child);
            }
            None => {
                self.text(&game.show(position));
                self.text(game.to_move(position));
                self.end(position, game.ended(position).unwrap_or_else(|| game.stuck(position)));
            }
        }
    }

    /// Everything about a position.
    fn looked_at(&mut self, seen: &Seen<'_, G>) {
        let (game, position) = (self.game, seen.position);
        self.text(&game.show(position));
        self.text(game.to_move(position));
        self.place(position);
        self.place(game.canonical(position));
        // Whether or not there are moves: positions without any are rare.
        self.hash.update(&game.stuck(position).code().to_le_bytes());
        self.hash.update(&game.endless(position).code().to_le_bytes());
        self.hash.update(&[u8::from(game.counted(position))]);
        for &(mv, child) in seen.steps {
            self.text(&game.show_move(position, mv));
            self.place(child);
            match game.ended(child) {
                Some(value) => self.end(child, value),
                None => self.hash.update(&[0]),
            }
        }
    }

    fn place(&mut self, position: G::Position) {
        let class = self.game.class(position);
        self.classes.insert(class);
        self.hash.update(&class.to_le_bytes());
        self.hash.update(&self.game.pack(position).wide().to_le_bytes());
    }

    fn end(&mut self, position: G::Position, value: Value) {
        self.hash.update(&value.code().to_le_bytes());
        // No score is this number.
        self.hash.update(&self.game.final_score(position).map_or(i32::MIN, i32::from).to_le_bytes());
        self.hash.update(&[u8::from(self.game.counted(position))]);
    }

    fn labels(&mut self) {
        for class in std::mem::take(&mut self.classes) {
            for (name, number) in self.game.class_label(class) {
                self.text(name);
                self.hash.update(&number.to_le_bytes());
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.hash.update(&(text.len() as u32).to_le_bytes());
        self.hash.update(text.as_bytes());
    }
}
