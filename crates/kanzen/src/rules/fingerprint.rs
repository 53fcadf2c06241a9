//! What tells one set of rules from another.

use std::collections::{HashSet, VecDeque};

use xxhash_rust::xxh3::Xxh3;

use crate::rules::Game;
use crate::vocabulary::Key;

/// How many positions are looked at.
const POSITIONS: usize = 500;

/// A number that changes with the rules: of the first positions breadth first, their texts, ends, moves and keys.
///
/// A database carries it, so that one solved under other rules, or numbered in another way, is refused rather than
/// believed. Nobody has to remember to raise a version.
pub fn fingerprint<G: Game>(id: &str, game: &G, layout: u64) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&layout.to_le_bytes());
    hash.update(id.as_bytes());
    let mut queue = VecDeque::from([game.initial()]);
    let mut seen = HashSet::from([game.pack(game.initial()).wide()]);
    for _ in 0..POSITIONS {
        let Some(position) = queue.pop_front() else { break };
        hash.update(game.show(position).as_bytes());
        hash.update(&game.pack(position).wide().to_le_bytes());
        hash.update(&game.pack(game.canonical(position)).wide().to_le_bytes());
        hash.update(&game.class(position).to_le_bytes());
        hash.update(format!("{:?} {:?}", game.ended(position), game.endless(position)).as_bytes());
        if game.ended(position).is_some() {
            continue;
        }
        let mut moves = 0u32;
        game.moves(position, &mut |mv, child| {
            moves += 1;
            hash.update(game.show_move(position, mv).as_bytes());
            hash.update(&[u8::from(game.counted(child))]);
            if seen.insert(game.pack(child).wide()) {
                queue.push_back(child);
            }
        });
        if moves == 0 {
            hash.update(format!("{:?}", game.stuck(position)).as_bytes());
        }
    }
    hash.digest()
}
