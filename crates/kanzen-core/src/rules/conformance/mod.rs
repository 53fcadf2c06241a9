//! Conformance tests for a game, to be run before it is solved.
//!
//! ```
//! # use kanzen_core as kanzen;
//! # use kanzen::Game;
//! # struct Stones { pile: u32 }
//! # impl Game for Stones {
//! #     type Position = u32; type Move = u32; type Key = u32;
//! #     fn initial(&self) -> u32 { self.pile }
//! #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
//! #         for take in 1..=pile.min(3) { play(take, pile - take); }
//! #     }
//! #     fn pack(&self, pile: u32) -> u32 { pile }
//! #     fn unpack(&self, key: u32) -> u32 { key }
//! # }
//! let report = kanzen::conformance::check_rules(&Stones { pile: 21 }, 1000)?;
//! assert_eq!(report.positions, 22);
//! # Ok::<(), kanzen::conformance::Fault>(())
//! ```

mod draw;
mod kind;
mod laws;
mod mutation;
mod picture;
pub mod reference;

use std::collections::BTreeMap;
use std::fmt;

pub use kind::MoveKind;
pub use mutation::{Mutant, mutations};

use crate::rules::{Board, Game, Notation};

/// What the kit checked.
///
/// It vouches only for what it met: the numbers of ends, classes and kinds of moves show whether the
/// limit was high enough.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions visited.
    pub positions: usize,
    /// How many of them come from random games.
    pub at_random: usize,
    /// How many of them are finished games.
    pub ends: usize,
    /// How many of them have no moves although the game is not over.
    pub stuck: usize,
    /// How many of them are in which class.
    pub classes: BTreeMap<u32, usize>,
    /// Moves played.
    pub moves: usize,
    /// How many of those were of which kind.
    pub kinds: BTreeMap<MoveKind, usize>,
    /// Whether the game could be solved by the [`reference`](mod@reference) solver to compare mirror images.
    pub values_compared: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { positions, at_random, ends, stuck, classes, moves, kinds, .. } = self;
        write!(f, "{positions} positions in {} classes, {at_random} of them from random games: ", classes.len())?;
        writeln!(f, "{ends} ends, {stuck} without a move")?;
        write!(f, "{moves} moves")?;
        kinds.iter().try_for_each(|(kind, count)| write!(f, "\n  {kind}: {count}"))
    }
}

/// A rule that does not hold, with the position where it fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{position}: {what}")]
pub struct Fault {
    /// The position, as text.
    pub position: String,
    /// What is wrong there.
    pub what: String,
}

fn fault<G: Game>(game: &G, position: G::Position, what: impl Into<String>) -> Fault {
    Fault { position: game.show(position), what: what.into() }
}

/// Visits up to `limit` positions and checks the rules of a game against each other:
///
/// - the key of each position leads back to it, and different moves have different names;
/// - the canonical form is its own canonical form, counted alike, in the same class, with the same end and score, and
///   has the same value (compared by the [`reference`](mod@reference) solver if all positions are within the limit,
///   one ply deep otherwise);
/// - no move leads to a higher class, and positions that are not counted have ended;
/// - the canonical form has moves with the same tags, all of which the game knows, and passing there leads to the same;
/// - every child has its parent among the un-moves, and every un-move is a move, where the game has them;
/// - endless play is a draw or one side's win, and finished games have a definite value.
///
/// The positions are all that can be reached from the initial one, if they are so few. Else half of them are those
/// nearest to it and half come from random games with a fixed seed, as many from each class as from the others where there are
/// so many: captures, the last pieces, ends and stalemates are seldom near the start.
pub fn check_rules<G: Game>(game: &G, limit: usize) -> Result<Report, Fault> {
    check_each(game, limit, |_| Ok(()))
}

/// Checks the rules as [`check_rules`] does, and that the text of each position is read as that position.
pub fn check_notation<G: Notation>(game: &G, limit: usize) -> Result<Report, Fault> {
    check_each(game, limit, |position| laws::written_and_read(game, position))
}

/// Checks rules and notation as [`check_notation`] does, and that the view of the board fits every text, and that
/// different moves need different clicks.
pub fn check<G: Board>(game: &G, limit: usize) -> Result<Report, Fault> {
    let view = game.view();
    check_each(game, limit, |position| {
        laws::written_and_read(game, position)?;
        picture::check(game, &view, position)
    })
}

fn check_each<G: Game>(
    game: &G,
    limit: usize,
    also: impl Fn(G::Position) -> Result<(), Fault>,
) -> Result<Report, Fault> {
    let drawn = draw::draw(game, limit);
    let mut report = Report { at_random: drawn.at_random, ..Report::default() };
    for &position in &drawn.positions {
        laws::packed_and_unpacked(game, position)?;
        also(position)?;
        laws::canonical_form(game, position)?;
        report.positions += 1;
        *report.classes.entry(game.class(position)).or_default() += 1;
        let steps = laws::steps(game, position)?;
        match game.ended(position) {
            Some(_) => report.ends += 1,
            None => report.stuck += usize::from(steps.is_empty()),
        }
        for (mv, child) in steps {
            laws::one_move(game, position, child)?;
            laws::known_tags(game, position, mv, child)?;
            report.moves += 1;
            *report.kinds.entry(MoveKind::of(game, position, mv, child)).or_default() += 1;
        }
    }
    if drawn.complete {
        laws::same_values(game, &drawn.positions, &reference::solve(game))?;
        report.values_compared = true;
    }
    Ok(report)
}
