//! A kit to run any game through before it is solved.
//!
//! ```
//! # use kanzen::{BadPosition, Game};
//! # struct Stones { pile: u32 }
//! # impl Game for Stones {
//! #     type Position = u32; type Move = u32; type Key = u32;
//! #     fn initial(&self) -> u32 { self.pile }
//! #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
//! #         for take in 1..=pile.min(3) { play(take, pile - take); }
//! #     }
//! #     fn show(&self, pile: u32) -> String { pile.to_string() }
//! #     fn read(&self, text: &str) -> Result<u32, BadPosition> { text.parse().map_err(|_| BadPosition::new("no pile")) }
//! #     fn show_move(&self, _: u32, take: u32) -> String { take.to_string() }
//! #     fn pack(&self, pile: u32) -> u32 { pile }
//! #     fn unpack(&self, key: u32) -> u32 { key }
//! # }
//! let report = kanzen::conformance::check(&Stones { pile: 21 }, 1000)?;
//! assert_eq!(report.positions, 22);
//! # Ok::<(), kanzen::conformance::Fault>(())
//! ```

mod picture;
pub mod reference;

use std::collections::{HashMap, HashSet, VecDeque};

use crate::rules::Game;
use crate::vocabulary::{Key, Value};

/// What the kit looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Positions visited.
    pub positions: usize,
    /// Moves played.
    pub moves: usize,
    /// Whether the game could be solved by the [`reference`](mod@reference) solver to compare mirror images.
    pub values_compared: bool,
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

/// Visits up to `limit` positions breadth first from the initial one and checks that
///
/// - text and key of each position lead back to it, and different moves have different texts;
/// - the canonical form is its own canonical form, counted alike, in the same class, and has the same value
///   (compared by the [`reference`](mod@reference) solver if all positions are within the limit, one ply deep otherwise);
/// - no move leads to a higher class, and positions that are not counted have ended;
/// - every child has its parent among the un-moves, and every un-move is a move, where the game has them;
/// - the view of the board fits every text, and different moves ask for different clicks;
/// - endless play is nobody's win or one side's, and finished games are not in doubt.
pub fn check<G: Game>(game: &G, limit: usize) -> Result<Report, Fault> {
    let mut report = Report { positions: 0, moves: 0, values_compared: false };
    let mut queue = VecDeque::from([game.initial()]);
    let mut seen = HashSet::from([game.pack(game.initial()).wide()]);
    let mut complete = true;
    let mut visited = Vec::new();
    let view = game.view();
    while let Some(position) = queue.pop_front() {
        report.positions += 1;
        visited.push(position);
        written_and_read(game, position)?;
        canonical_form(game, position)?;
        picture::check(game, &view, position)?;
        for child in children(game, position)? {
            report.moves += 1;
            one_move(game, position, child)?;
            if !seen.contains(&game.pack(child).wide()) {
                if seen.len() >= limit {
                    complete = false;
                    continue;
                }
                seen.insert(game.pack(child).wide());
                queue.push_back(child);
            }
        }
    }
    if complete {
        same_values(game, &visited, &reference::solve(game))?;
        report.values_compared = true;
    }
    Ok(report)
}

fn fault<G: Game>(game: &G, position: G::Position, what: impl Into<String>) -> Fault {
    Fault { position: game.show(position), what: what.into() }
}

fn written_and_read<G: Game>(game: &G, position: G::Position) -> Result<(), Fault> {
    match game.read(&game.show(position)) {
        Ok(read) if read == position => {}
        Ok(read) => return Err(fault(game, position, format!("its text is read as {}", game.show(read)))),
        Err(illegal) => return Err(fault(game, position, format!("its text is refused: {illegal}"))),
    }
    match game.unpack(game.pack(position)) {
        unpacked if unpacked == position => Ok(()),
        unpacked => Err(fault(game, position, format!("its key unpacks to {}", game.show(unpacked)))),
    }
}

fn canonical_form<G: Game>(game: &G, position: G::Position) -> Result<(), Fault> {
    let canonical = game.canonical(position);
    let differs = |what: &str| fault(game, position, format!("{what} its canonical form {}", game.show(canonical)));
    if game.canonical(canonical) != canonical {
        return Err(differs("not the canonical form of"));
    }
    if game.class(canonical) != game.class(position) {
        return Err(differs("another class than"));
    }
    if game.counted(canonical) != game.counted(position) {
        return Err(differs("not counted like"));
    }
    if game.ended(canonical) != game.ended(position) || game.endless(canonical) != game.endless(position) {
        return Err(differs("another end than"));
    }
    let images = |position| -> Result<Vec<u128>, Fault> {
        let mut keys: Vec<u128> =
            children(game, position)?.into_iter().map(|child| game.pack(game.canonical(child)).wide()).collect();
        keys.sort_unstable();
        Ok(keys)
    };
    if images(canonical)? != images(position)? {
        return Err(differs("other moves than"));
    }
    Ok(())
}

fn children<G: Game>(game: &G, position: G::Position) -> Result<Vec<G::Position>, Fault> {
    let mut children = Vec::new();
    let mut texts = HashMap::new();
    let mut twice = None;
    if game.ended(position).is_none() {
        game.moves(position, &mut |mv, child| {
            if texts.insert(game.show_move(position, mv), ()).is_some() {
                twice = Some(game.show_move(position, mv));
            }
            children.push(child);
        });
    }
    match twice {
        Some(text) => Err(fault(game, position, format!("two moves are called {text}"))),
        None => Ok(children),
    }
}

fn one_move<G: Game>(game: &G, parent: G::Position, child: G::Position) -> Result<(), Fault> {
    let at_fault = |what: &str| Err(fault(game, parent, format!("{what} {}", game.show(child))));
    if game.class(child) > game.class(parent) {
        return at_fault("a move leads to a higher class:");
    }
    if !game.counted(child) && game.ended(child).is_none() {
        return at_fault("a move leads to a position that is neither counted nor ended:");
    }
    if game.endless(child) != game.endless(parent).before() {
        return at_fault("endless play changes its winner with the move to");
    }
    let mut among = false;
    let mut stranger = None;
    let told = game.unmoves(child, &mut |named| {
        among |= named == parent;
        let mut leads_here = false;
        if game.ended(named).is_none() {
            game.moves(named, &mut |_, next| leads_here |= next == child);
            if !leads_here {
                stranger = Some(named);
            }
        }
    });
    match stranger {
        _ if told && !among => at_fault("not among the un-moves of"),
        Some(named) if told => {
            Err(fault(game, child, format!("an un-move names {}, which has no move here", game.show(named))))
        }
        _ => Ok(()),
    }
}

fn same_values<G: Game>(game: &G, visited: &[G::Position], values: &HashMap<u128, Value>) -> Result<(), Fault> {
    for &position in visited {
        let canonical = game.canonical(position);
        let (own, its) = (values.get(&game.pack(position).wide()), values.get(&game.pack(canonical).wide()));
        // A mirror image may lie outside what is reachable; then its moves have been compared, which is enough.
        if let (Some(own), Some(its)) = (own, its)
            && own != its
        {
            return Err(fault(game, position, format!("{own}, its canonical form {its}")));
        }
    }
    Ok(())
}
