//! Puzzles: positions in which one move is right, and one again at each of the mover's next turns.
//!
//! ```text
//! draw positions at random  ->  one move keeps the win or the draw  ->  play it, and each best reply  ->  again ...
//! ```
//!
//! Where draws have too few, positions that follow a slip in games of random moves are looked at instead.
//!
//! That must hold against every best reply, not only against the one that the solution shows, the first in the rules'
//! order: a solver of the puzzle meets no turn with two right moves, as long as the other side plays its best. How
//! hard a puzzle is depends on its length and on how many
//! wrong moves look as good to a player who reads a few plies: those that are not refuted so soon. Captures come to
//! mind first and count twice.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde::Serialize;

use super::probe::choices;
use super::{Answer, Oracle, Spread};
use kanzen_core::rules::{AnyGame, Tag};
use kanzen_core::vocabulary::random::{Random, shuffled};
use kanzen_core::vocabulary::{Error, Outcome};

/// A position with one right move at each turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Puzzle {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
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
/// Games of random moves that are played for each, if those have too few, and their plies.
const GAMES: usize = 100;
const PLIES: usize = 100;
/// Puzzles that are found for each that is wanted, to choose from.
const CHOICE: usize = 4;
/// The shortest solution, in plies.
const SHORTEST: usize = 3;
/// The longest.
const LONGEST: usize = 21;
const LONGEST_DRAW: usize = 7;
/// A wrong move that loses within so many plies is seen to be wrong.
const SEEN: u16 = 4;
/// Positions with the mover to move that are looked at for one puzzle.
const MOST_TURNS: usize = 500;
/// Positions that are looked up together.
const BATCH: u64 = 1 << 11;

/// Finds up to `count` puzzles, the easiest first: always the same ones for a seed, none an image of another. There may
/// be fewer where a game has few.
pub fn puzzles(
    id: &str,
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    count: usize,
    seed: u64,
) -> Result<Vec<Puzzle>, Error> {
    // An oracle that cannot be searched refuses.
    oracle.quick_scan(&|_| false)?;
    if oracle.positions() == 0 || count == 0 {
        return Ok(Vec::new());
    }
    let mut hunt = Hunt { id, game, oracle, found: Vec::new(), seen: HashSet::new() };
    hunt.draw(count, seed)?;
    if hunt.found.len() < count {
        hunt.play(count, seed)?;
    }
    Ok(chosen(hunt.found, count))
}

/// A hunt for puzzles, and what it has found.
struct Hunt<'a> {
    id: &'a str,
    game: &'a dyn AnyGame,
    oracle: &'a dyn Oracle,
    found: Vec<Puzzle>,
    /// The positions, packed, in which their movers are to move.
    seen: HashSet<u128>,
}

impl Hunt<'_> {
    /// Looks at positions from all over the database.
    fn draw(&mut self, count: usize, seed: u64) -> Result<(), Error> {
        let Hunt { game, oracle, .. } = *self;
        let range = oracle.positions();
        let shift = Random::new(seed).next() % range;
        let draws = range.min(DRAWS.saturating_mul(count as u64));
        let mut drawn = 0;
        while drawn < draws && !self.is_rich(count) {
            let end = draws.min(drawn + BATCH);
            let mut positions = Vec::new();
            for draw in drawn..end {
                let position = oracle.position(shuffled((draw + shift) % range, range))?;
                if oracle.is_row(position) && game.ended(position).is_none() {
                    positions.push(position);
                }
            }
            drawn = end;
            let answers = oracle.answers(&positions, Spread::Near)?;
            for (position, own) in positions.into_iter().zip(answers) {
                self.offer(position, own)?;
            }
        }
        Ok(())
    }

    /// Looks at what follows a slip in games of random moves: in a game whose positions are nearly all one side's, such
    /// as Musashi, one move is right hardly anywhere else. The losing side captures what it can, so that both sides come to slip.
    fn play(&mut self, count: usize, seed: u64) -> Result<(), Error> {
        let Hunt { game, oracle, .. } = *self;
        let mut random = Random::new(seed);
        let mut next = Vec::new();
        for _ in 0..GAMES.saturating_mul(count) {
            if self.is_rich(count) {
                break;
            }
            let mut position = oracle.position(random.next() % oracle.positions())?;
            let mut due = None;
            for _ in 0..PLIES {
                next.clear();
                if game.expand(position, &mut next).is_some() {
                    break;
                }
                let own = oracle.answer(position)?;
                let slipped = due.is_some_and(|due| own.value.outcome() > due);
                if slipped && oracle.is_row(game.canonical(position)) {
                    self.offer(game.canonical(position), own)?;
                }
                due = Some(own.before().value.outcome());
                if own.value.outcome() == Outcome::Loss {
                    let tags = game.move_tags(position);
                    if tags.iter().any(|tags| tags.has(Tag::Takes)) {
                        let mut takes = tags.iter().map(|tags| tags.has(Tag::Takes));
                        next.retain(|_| takes.next() == Some(true));
                    }
                }
                if next.is_empty() {
                    break;
                }
                position = next[(random.next() % next.len() as u64) as usize];
            }
        }
        Ok(())
    }

    /// Whether there is enough to choose from.
    fn is_rich(&self, count: usize) -> bool {
        self.found.len() >= CHOICE.saturating_mul(count)
    }

    /// Keeps a position if it is a puzzle.
    fn offer(&mut self, position: u128, own: Answer) -> Result<(), Error> {
        let game = self.game;
        let key = |position| game.canonical(position);
        if worth_a_look(own)
            && !self.seen.contains(&key(position))
            && let Some((puzzle, turns)) = puzzle(self.id, game, self.oracle, position, own)?
        {
            // Nor one that another leads to.
            self.seen.extend(turns.into_iter().map(key));
            self.found.push(puzzle);
        }
        Ok(())
    }
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
type Found = (Puzzle, Vec<u128>);

/// The puzzle that a position is, if it is one.
fn puzzle(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, start: u128, own: Answer) -> Result<Option<Found>, Error> {
    let wanted = own.value.outcome();
    let longest = if wanted == Outcome::Draw { LONGEST_DRAW } else { LONGEST };
    let mut study = Study { game, oracle, wanted, turns: HashMap::new() };
    let plies = study.plies(start, longest)?;
    if plies < SHORTEST {
        return Ok(None);
    }
    // The first of the best replies at each turn is shown.
    let (mut solution, mut difficulty, mut turns, mut position) = (Vec::new(), 0, Vec::new(), start);
    while let Some(turn) = study.turn(position)? {
        turns.push(position);
        solution.push(game.move_texts(position).swap_remove(turn.mv));
        difficulty += turn.tempting;
        let Some(&(reply, next)) = turn.replies.first().filter(|_| solution.len() < plies) else { break };
        solution.push(game.move_texts(turn.child).swap_remove(reply));
        position = next;
    }
    let puzzle = Puzzle {
        game: id.to_owned(),
        position: game.show(start),
        value: wanted,
        distance: oracle.answer(start)?.value.distance(),
        plies: solution.len(),
        difficulty: difficulty + solution.len(),
        solution,
    };
    Ok(Some((puzzle, turns)))
}

/// What follows from a position in which its mover has one right move at each turn.
struct Study<'a> {
    game: &'a dyn AnyGame,
    oracle: &'a dyn Oracle,
    wanted: Outcome,
    /// By packed position: nothing where no move, or more than one, is right.
    turns: HashMap<u128, Option<Rc<Turn>>>,
}

/// A position with one right move.
struct Turn {
    mv: usize,
    child: u128,
    /// The other side's best moves, each with where it leads. None if the game is over.
    replies: Vec<(usize, u128)>,
    /// How many wrong moves look right, captures twice.
    tempting: usize,
}

impl Study<'_> {
    /// For how many plies the mover has one right move at each of his turns, whichever best reply he meets: at most so
    /// many, and no more than can be looked at.
    fn plies(&mut self, start: u128, longest: usize) -> Result<usize, Error> {
        let mut plies = 0;
        for turns in 1..=longest.div_ceil(2) {
            match self.holds(start, turns)? {
                Holds::Yes => plies = 2 * turns - 1,
                // The line that is shown ends with the game.
                Holds::Over => return Ok(longest),
                Holds::No | Holds::TooMuch => break,
            }
        }
        Ok(plies)
    }

    /// Whether the mover has one right move at so many of his turns, against every best reply.
    fn holds(&mut self, position: u128, turns: usize) -> Result<Holds, Error> {
        if self.turns.len() > MOST_TURNS {
            return Ok(Holds::TooMuch);
        }
        let Some(turn) = self.turn(position)? else { return Ok(Holds::No) };
        if turns == 1 {
            return Ok(if turn.replies.is_empty() { Holds::Over } else { Holds::Yes });
        }
        let mut all = Holds::Over;
        for &(_, next) in &turn.replies {
            match self.holds(next, turns - 1)? {
                Holds::Over => {}
                Holds::Yes => all = Holds::Yes,
                otherwise => return Ok(otherwise),
            }
        }
        Ok(all)
    }

    /// The one right move of a position, if there is one, and what it can be answered by.
    fn turn(&mut self, position: u128) -> Result<Option<Rc<Turn>>, Error> {
        if let Some(known) = self.turns.get(&position) {
            return Ok(known.clone());
        }
        let turn = self.look(position)?.map(Rc::new);
        self.turns.insert(position, turn.clone());
        Ok(turn)
    }

    fn look(&self, position: u128) -> Result<Option<Turn>, Error> {
        let Study { game, oracle, wanted, .. } = *self;
        let moves = choices(game, oracle, position)?;
        let keeping: Vec<_> = moves.iter().filter(|(_, _, theirs)| theirs.before().value.outcome() == wanted).collect();
        let ([(mv, child, _)], true) = (&keeping[..], moves.len() > 1) else { return Ok(None) };
        let mut tempting = 0;
        let tags = game.move_tags(position);
        for (wrong, _, theirs) in moves.iter().filter(|(_, _, theirs)| theirs.before().value.outcome() != wanted) {
            let mine = theirs.before().value;
            let refuted = mine.outcome() == Outcome::Loss && mine.distance().is_some_and(|plies| plies <= SEEN);
            let takes = tags[*wrong].has(Tag::Takes);
            tempting += if refuted { 0 } else { 1 + usize::from(takes) };
        }
        let answers = choices(game, oracle, *child)?;
        let best = answers.first().map(|(_, _, theirs)| *theirs);
        let replies = answers.iter().take_while(|(_, _, theirs)| Some(*theirs) == best);
        let replies = replies.map(|(reply, next, _)| (*reply, *next)).collect();
        Ok(Some(Turn { mv: *mv, child: *child, replies, tempting }))
    }
}

/// Whether one move is right at each turn.
enum Holds {
    Yes,
    /// And the game is over by then, whatever is replied.
    Over,
    No,
    /// More positions than are worth looking at.
    TooMuch,
}
