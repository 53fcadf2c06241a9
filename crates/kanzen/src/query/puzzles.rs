//! Puzzles: positions in which one move is right, and one again at each of the mover's next turns.
//!
//! ```text
//! draw positions at random  ->  one move keeps the win or the draw  ->  play it, and the best reply  ->  again ...
//! ```
//!
//! The reply is a best one, the first in the rules' order. How hard a puzzle is depends on its length and on how many
//! wrong moves look as good to somebody who reads a few plies: those that are not refuted so soon. Captures come to
//! mind first and count twice.

use std::collections::HashSet;

use serde::Serialize;

use super::probe::{answer, choices};
use super::{Answer, Oracle};
use crate::rules::{Game, Tag};
use crate::vocabulary::random::{Random, shuffled};
use crate::vocabulary::{Error, Key, Outcome};

/// A position with one right move at each turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Puzzle {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// What the mover can reach: a win, or a draw.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// How many plies the solution has.
    pub plies: usize,
    /// The right moves and the replies, in turn; it begins and ends with a move of the mover's.
    pub solution: Vec<String>,
    /// How hard it is: plies, and wrong moves that look right.
    pub difficulty: usize,
}

/// Positions that are drawn for each puzzle that is wanted, at most.
const DRAWS: u64 = 4_000;
/// Puzzles that are found for each that is wanted, to choose from.
const CHOICE: usize = 4;
/// The shortest solution, in plies.
const SHORTEST: usize = 3;
/// The longest: nobody wants to read on.
const LONGEST: usize = 21;
const LONGEST_DRAW: usize = 7;
/// A wrong move that loses within so many plies is seen to be wrong.
const SEEN: u16 = 4;
/// Positions that are looked up together.
const BATCH: u64 = 1 << 11;

/// Finds up to `count` puzzles, the easiest first: always the same ones for a seed, none an image of another. There may
/// be fewer where a game has few.
pub fn puzzles<G: Game>(
    id: &str,
    game: &G,
    oracle: &dyn Oracle<G>,
    count: usize,
    seed: u64,
) -> Result<Vec<Puzzle>, Error> {
    // Who cannot be searched refuses.
    oracle.quick_scan(game, &|_| false)?;
    let range = oracle.positions();
    if range == 0 || count == 0 {
        return Ok(Vec::new());
    }
    let shift = Random::new(seed).next() % range;
    let draws = range.min(DRAWS.saturating_mul(count as u64));
    let (mut found, mut seen, mut drawn) = (Vec::new(), HashSet::new(), 0);
    while drawn < draws && found.len() < CHOICE.saturating_mul(count) {
        let end = draws.min(drawn + BATCH);
        let mut positions = Vec::new();
        for draw in drawn..end {
            let position = oracle.position(game, shuffled((draw + shift) % range, range))?;
            if oracle.is_row(game, position) && game.ended(position).is_none() {
                positions.push(position);
            }
        }
        drawn = end;
        let answers = oracle.answers(game, &positions)?;
        for (position, own) in positions.into_iter().zip(answers) {
            let key = |position| game.pack(game.canonical(position)).wide();
            if !worth_a_look(own) || seen.contains(&key(position)) {
                continue;
            }
            if let Some((puzzle, turns)) = puzzle(id, game, oracle, position, own)? {
                // Nor one that another leads to.
                seen.extend(turns.into_iter().map(key));
                found.push(puzzle);
            }
        }
    }
    Ok(chosen(found, count))
}

fn worth_a_look(own: Answer) -> bool {
    match own.value.outcome() {
        Outcome::Win => own.value.distance().is_none_or(|plies| usize::from(plies) >= SHORTEST),
        Outcome::Draw => true,
        Outcome::Loss => false,
    }
}

/// So many of the puzzles, from easy to hard, spread evenly over how hard they are.
fn chosen(mut found: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    found.sort_by(|one, other| (one.difficulty, &one.position).cmp(&(other.difficulty, &other.position)));
    let all = found.len();
    let wanted = count.min(all);
    let kept: HashSet<usize> = (0..wanted).map(|number| number * all / wanted.max(1)).collect();
    found.into_iter().enumerate().filter(|(number, _)| kept.contains(number)).map(|(_, puzzle)| puzzle).collect()
}

/// A puzzle and the positions in which its mover is to move.
type Found<G> = (Puzzle, Vec<<G as Game>::Position>);

/// The puzzle that a position is, if it is one.
fn puzzle<G: Game>(
    id: &str,
    game: &G,
    oracle: &dyn Oracle<G>,
    start: G::Position,
    own: Answer,
) -> Result<Option<Found<G>>, Error> {
    let wanted = own.value.outcome();
    let longest = if wanted == Outcome::Draw { LONGEST_DRAW } else { LONGEST };
    let (mut solution, mut difficulty, mut turns) = (Vec::new(), 0, Vec::new());
    let (mut position, mut reply) = (start, None);
    loop {
        let moves = choices(game, oracle, position)?;
        let keeping: Vec<_> = moves.iter().filter(|(_, _, theirs)| theirs.before().value.outcome() == wanted).collect();
        let ([(mv, child, _)], true) = (&keeping[..], moves.len() > 1) else { break };
        solution.extend(reply.take());
        solution.push(game.show_move(position, *mv));
        turns.push(position);
        for (wrong, to, theirs) in moves.iter().filter(|(_, _, theirs)| theirs.before().value.outcome() != wanted) {
            let mine = theirs.before().value;
            let refuted = mine.outcome() == Outcome::Loss && mine.distance().is_some_and(|plies| plies <= SEEN);
            let takes = game.tags(position, *wrong, *to).has(Tag::Takes);
            difficulty += if refuted { 0 } else { 1 + usize::from(takes) };
        }
        if solution.len() >= longest {
            break;
        }
        let Some((answered, next, _)) = choices(game, oracle, *child)?.first().copied() else { break };
        reply = Some(game.show_move(*child, answered));
        position = next;
    }
    if solution.len() < SHORTEST {
        return Ok(None);
    }
    let puzzle = Puzzle {
        game: id.to_owned(),
        position: game.show(start),
        value: wanted,
        distance: answer(game, oracle, start)?.value.distance(),
        plies: solution.len(),
        difficulty: difficulty + solution.len(),
        solution,
    };
    Ok(Some((puzzle, turns)))
}
