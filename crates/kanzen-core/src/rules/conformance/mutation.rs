//! Mutation tests: games with one rule changed, which must have another fingerprint.

use std::collections::BTreeSet;

use super::MoveKind;
use crate::rules::playouts::playouts;
use crate::rules::view::View;
use crate::rules::{Board, Game, Notation, fingerprint};
use crate::vocabulary::{BadPosition, Key, Outcome, Value};

/// Positions in which the rules are looked for that could be changed.
const POSITIONS: usize = 10_000;
const PLIES: usize = 200;
const SEED: u64 = 0x6d75_7461_6e74;

/// A change of one rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Start,
    Text,
    Key,
    SideToMove,
    Symmetry,
    Endless,
    ClassOrder,
    ClassLabels,
    Ended(i16, &'static str),
    Score(i16, &'static str),
    Counted(i16, &'static str),
    Stuck(&'static str),
    LeftOut(MoveKind),
    Renamed(MoveKind),
}

impl Change {
    fn name(&self) -> String {
        let value = |code: &i16| Value::from_code(*code).map_or("?".to_owned(), |value| format!("{value:?}"));
        match self {
            Change::Start => "the game starts after the first move".to_owned(),
            Change::Text => "positions are written differently".to_owned(),
            Change::Key => "positions pack into other numbers".to_owned(),
            Change::SideToMove => "sides have other names".to_owned(),
            Change::Symmetry => "no position stands for another".to_owned(),
            Change::Endless => "endless play is worth something else".to_owned(),
            Change::ClassOrder => "classes come in another order".to_owned(),
            Change::ClassLabels => "classes have other labels".to_owned(),
            Change::Ended(code, side) => {
                format!("an end with {side} to move, {}, is worth something else", value(code))
            }
            Change::Score(code, side) => format!("an end with {side} to move, {}, has another score", value(code)),
            Change::Counted(code, side) => format!("an end with {side} to move, {}, counts or not", value(code)),
            Change::Stuck(side) => format!("{side} without a move gets something else"),
            Change::LeftOut(kind) => format!("there is no move {kind}"),
            Change::Renamed(kind) => format!("a move {kind} has another name"),
        }
    }
}

/// A game with one rule changed.
pub struct Mutant<'a, G> {
    game: &'a G,
    change: Change,
}

impl<'a, G: Game> Mutant<'a, G> {
    /// Every change of a rule that random games (with a fixed seed) come across.
    pub fn all(game: &'a G) -> Vec<Mutant<'a, G>> {
        changes(game).into_iter().map(|change| Mutant { game, change }).collect()
    }

    /// What is changed.
    pub fn name(&self) -> String {
        self.change.name()
    }
}

/// The fingerprint of the game under each change of a rule, and of the numbering, with a name for the change. None must
/// be that of the game itself.
///
/// ```
/// # use kanzen_core as kanzen;
/// # use kanzen::Game;
/// # struct Stones { pile: u32 }
/// # impl Game for Stones {
/// #     type Position = u32; type Move = u32; type Key = u32;
/// #     fn initial(&self) -> u32 { self.pile }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         for take in 1..=pile.min(3) { play(take, pile - take); }
/// #     }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// let game = Stones { pile: 21 };
/// let own = kanzen::rules::fingerprint("stones", &game, 0);
/// for (change, fingerprint) in kanzen::conformance::mutations("stones", &game) {
///     assert_ne!(fingerprint, own, "not noticed: {change}");
/// }
/// ```
pub fn mutations<G: Game>(id: &str, game: &G) -> Vec<(String, u64)> {
    let mutants = Mutant::all(game).into_iter().map(|mutant| (mutant.name(), fingerprint(id, &mutant, 0)));
    let others = [
        ("another name".to_owned(), fingerprint(&format!("{id}?"), game, 0)),
        ("another numbering".to_owned(), fingerprint(id, game, 1)),
    ];
    mutants.chain(others).collect()
}

fn changes<G: Game>(game: &G) -> BTreeSet<Change> {
    use Change::{ClassLabels, ClassOrder, Endless, Key, SideToMove, Start, Text};
    let mut changes = BTreeSet::from([Start, Text, Key, SideToMove, Endless, ClassOrder, ClassLabels]);
    let mut left = POSITIONS;
    playouts(game, SEED, POSITIONS, PLIES, |seen| {
        let side = game.to_move(seen.position);
        if game.canonical(seen.position) != seen.position {
            changes.insert(Change::Symmetry);
        }
        if let Some(value) = game.ended(seen.position).map(Value::code) {
            changes.extend([Change::Ended(value, side), Change::Score(value, side), Change::Counted(value, side)]);
        } else if seen.steps.is_empty() {
            changes.insert(Change::Stuck(side));
        }
        for &(mv, child) in seen.steps {
            let kind = MoveKind::of(game, seen.position, mv, child);
            if !changes.contains(&Change::LeftOut(kind.clone())) {
                changes.extend([Change::LeftOut(kind.clone()), Change::Renamed(kind)]);
            }
        }
        left -= 1;
        left > 0
    });
    changes
}

impl<G: Game> Mutant<'_, G> {
    fn is(&self, change: &Change) -> bool {
        self.change == *change
    }

    /// Whether the change is one of this kind of ends.
    fn touches(&self, position: G::Position, change: fn(i16, &'static str) -> Change) -> bool {
        let ended = self.game.ended(position);
        ended.is_some_and(|value| self.is(&change(value.code(), self.game.to_move(position))))
    }
}

/// Another value: the other side's, or a loss instead of a draw.
fn turned(value: Value) -> Value {
    match (value.outcome(), value.distance()) {
        (Outcome::Draw, _) => Value::loss(0),
        (Outcome::Win, None) => Value::UNTIMED_LOSS,
        (Outcome::Loss, None) => Value::UNTIMED_WIN,
        (Outcome::Win, Some(plies)) => Value::loss(plies),
        (Outcome::Loss, Some(plies)) => Value::win(plies),
    }
}

impl<G: Game> Game for Mutant<'_, G> {
    type Position = G::Position;
    type Move = G::Move;
    type Key = G::Key;

    fn initial(&self) -> G::Position {
        let mut first = self.game.initial();
        if self.is(&Change::Start) {
            self.game.moves(self.game.initial(), &mut |_, child| first = child);
        }
        first
    }

    fn moves(&self, position: G::Position, play: &mut impl FnMut(G::Move, G::Position)) {
        self.game.moves(position, &mut |mv, child| {
            let left_out = match &self.change {
                Change::LeftOut(kind) => *kind == MoveKind::of(self.game, position, mv, child),
                _ => false,
            };
            if !left_out {
                play(mv, child);
            }
        });
    }

    fn show(&self, position: G::Position) -> String {
        let text = self.game.show(position);
        if self.is(&Change::Text) { text + "?" } else { text }
    }

    fn show_move(&self, position: G::Position, mv: G::Move) -> String {
        let text = self.game.show_move(position, mv);
        match &self.change {
            Change::Renamed(kind) if kind.shape == MoveKind::shape(&text) => text + "?",
            _ => text,
        }
    }

    fn pack(&self, position: G::Position) -> G::Key {
        let key = self.game.pack(position);
        if self.is(&Change::Key) { G::Key::from_wide(key.wide() ^ 1) } else { key }
    }

    fn unpack(&self, key: G::Key) -> G::Position {
        self.game.unpack(if self.is(&Change::Key) { G::Key::from_wide(key.wide() ^ 1) } else { key })
    }

    fn to_move(&self, position: G::Position) -> &'static str {
        if self.is(&Change::SideToMove) { "?" } else { self.game.to_move(position) }
    }

    fn ended(&self, position: G::Position) -> Option<Value> {
        let ended = self.game.ended(position);
        if self.touches(position, Change::Ended) { ended.map(turned) } else { ended }
    }

    fn stuck(&self, position: G::Position) -> Value {
        let value = self.game.stuck(position);
        if self.is(&Change::Stuck(self.game.to_move(position))) { turned(value) } else { value }
    }

    fn endless(&self, position: G::Position) -> Value {
        let value = self.game.endless(position);
        if self.is(&Change::Endless) { turned(value) } else { value }
    }

    fn final_score(&self, position: G::Position) -> Option<i16> {
        let score = self.game.final_score(position);
        if self.touches(position, Change::Score) { Some(score.unwrap_or(0) + 1) } else { score }
    }

    fn canonical(&self, position: G::Position) -> G::Position {
        if self.is(&Change::Symmetry) { position } else { self.game.canonical(position) }
    }

    fn counted(&self, position: G::Position) -> bool {
        self.game.counted(position) != self.touches(position, Change::Counted)
    }

    fn class(&self, position: G::Position) -> u32 {
        let class = self.game.class(position);
        if self.is(&Change::ClassOrder) { u32::MAX - class } else { class }
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        let class = if self.is(&Change::ClassOrder) { u32::MAX - class } else { class };
        let mut label = self.game.class_label(class);
        if self.is(&Change::ClassLabels) {
            label.push(("?", 0));
        }
        label
    }

    fn roots(&self, visit: &mut impl FnMut(G::Position)) {
        self.game.roots(visit);
    }

    fn unmoves(&self, position: G::Position, visit: &mut impl FnMut(G::Position)) -> bool {
        self.game.unmoves(position, visit)
    }
}

impl<G: Notation> Notation for Mutant<'_, G> {
    fn read(&self, text: &str) -> Result<G::Position, BadPosition> {
        self.game.read(if self.is(&Change::Text) { text.trim_end_matches('?') } else { text })
    }
}

impl<G: Board> Board for Mutant<'_, G> {
    fn draw(&self, position: G::Position) -> String {
        self.game.draw(position)
    }

    fn view(&self) -> View {
        self.game.view()
    }
}
