//! What must hold for every position and every move.

use std::collections::{HashMap, HashSet};

use super::{Fault, fault};
use crate::rules::{Game, Notation, Successor, Tag};
use crate::vocabulary::{Key, Value};

/// The text leads back to the position.
pub fn written_and_read<G: Notation>(game: &G, position: G::Position) -> Result<(), Fault> {
    match game.read(&game.show(position)) {
        Ok(read) if read == position => Ok(()),
        Ok(read) => Err(fault(game, position, format!("its text is read as {}", game.show(read)))),
        Err(illegal) => Err(fault(game, position, format!("its text is refused: {illegal}"))),
    }
}

/// The key leads back to the position.
pub fn packed_and_unpacked<G: Game>(game: &G, position: G::Position) -> Result<(), Fault> {
    match game.unpack(game.pack(position)) {
        unpacked if unpacked == position => Ok(()),
        unpacked => Err(fault(game, position, format!("its key unpacks to {}", game.show(unpacked)))),
    }
}

/// The canonical form is as good as the position.
pub fn canonical_form<G: Game>(game: &G, position: G::Position) -> Result<(), Fault> {
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
    let ends = |position| (game.ended(position), game.endless(position), game.final_score(position));
    if ends(canonical) != ends(position) {
        return Err(differs("another end than"));
    }
    let images = |position| -> Result<Vec<(Image, Vec<Tag>)>, Fault> {
        let tagged = |(mv, child)| (image(game, child), game.tags(position, mv, child).iter().collect());
        let mut images: Vec<(Image, Vec<Tag>)> = steps(game, position)?.into_iter().map(tagged).collect();
        images.sort_unstable();
        Ok(images)
    };
    let own = images(position)?;
    if images(canonical)? != own {
        return Err(differs("other moves, or moves with other tags, than"));
    }
    let passed = |position| game.passed(position).map(|other| game.pack(game.canonical(other)).wide());
    if passed(canonical) != passed(position) {
        return Err(differs("passing leads elsewhere than from"));
    }
    if game.passed(position).is_some() && !game.has_passing() {
        return Err(fault(game, position, "passing means something here, which the game denies"));
    }
    if own.is_empty() && game.stuck(canonical) != game.stuck(position) {
        return Err(differs("without a move, it is worth something else than"));
    }
    Ok(())
}

/// What a child is to its parent.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Image {
    /// A canonical position.
    Open(u128),
    /// A finished game that is not listed: only its value matters.
    Over(Value, Option<i16>),
}

fn image<G: Game>(game: &G, child: G::Position) -> Image {
    match game.ended(child) {
        Some(value) if !game.counted(child) => Image::Over(value, game.final_score(child)),
        _ => Image::Open(game.pack(game.canonical(child)).wide()),
    }
}

/// The moves of a position, with where they lead: each has a text of its own.
pub fn steps<G: Game>(game: &G, position: G::Position) -> Result<Vec<Successor<G>>, Fault> {
    let mut steps = Vec::new();
    if game.ended(position).is_none() {
        game.moves(position, &mut |mv, child| steps.push((mv, child)));
    }
    let mut texts = HashSet::new();
    for &(mv, _) in &steps {
        let text = game.show_move(position, mv);
        if texts.contains(&text) {
            return Err(fault(game, position, format!("two moves are called {text}")));
        }
        texts.insert(text);
    }
    Ok(steps)
}

/// A move stays within what the engines rely on, and the un-moves know it.
pub fn one_move<G: Game>(game: &G, parent: G::Position, child: G::Position) -> Result<(), Fault> {
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
    let generated = game.unmoves(child, &mut |named| {
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
        _ if generated && !among => at_fault("not among the un-moves of"),
        Some(named) if generated => {
            Err(fault(game, child, format!("an un-move names {}, which has no move here", game.show(named))))
        }
        _ => Ok(()),
    }
}

/// A move has only tags that the game knows.
pub fn known_tags<G: Game>(game: &G, parent: G::Position, mv: G::Move, child: G::Position) -> Result<(), Fault> {
    let tags = game.tags(parent, mv, child);
    if tags.within(game.known_tags()) {
        return Ok(());
    }
    let what = format!("{} has tags {tags:?}, the game knows {:?}", game.show_move(parent, mv), game.known_tags());
    Err(fault(game, parent, what))
}

/// Positions and their canonical forms have the same values.
pub fn same_values<G: Game>(game: &G, visited: &[G::Position], values: &HashMap<u128, Value>) -> Result<(), Fault> {
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
